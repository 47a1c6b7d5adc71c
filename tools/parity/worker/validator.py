"""A release's validator, ready to judge one file after the other as if each were the first."""

from __future__ import annotations

import importlib
import inspect
import logging
import os
import re
import signal
import sys
import traceback
import warnings
from collections import OrderedDict
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tools.parity.worker import known_values, stand_ins

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

_STAND_INS_FILE = stand_ins.__file__
#: Whether the release leaves the GPU checks of a Ray run to the worker nodes.
_RAY_DEFERS = re.compile(r"if cfg\.use_ray:(?:\n.*){0,4}capabilities")


class OutOfTimeError(BaseException):
    """A file takes too long; no release can catch this by accident."""


class NotAllowedError(BaseException):
    """A plugin wants to start a program or to reach the network."""


#: What a plugin may not do here, by the names that Python's audit hooks know.
_NOT_ALLOWED = frozenset(
    {
        "os.exec",
        "os.fork",
        "os.forkpty",
        "os.posix_spawn",
        "os.spawn",
        "os.system",
        "socket.connect",
        "socket.getaddrinfo",
        "subprocess.Popen",
    }
)


def _guard(event: str, values: tuple[Any, ...]) -> None:
    if event in _NOT_ALLOWED:
        raise NotAllowedError(event)


class _Collector(logging.Handler):
    """Keeps the warnings that are logged."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        with suppress(Exception):
            self.messages.append(record.getMessage())


class Validator:
    """Judges files with the release that lies in `root`."""

    def __init__(self, root: str, facts: Mapping[str, Any], seconds: int = 60) -> None:
        warnings.simplefilter("ignore")
        versions: dict[str, str] = facts["versions"]
        missing = stand_ins.install(facts["imports"], versions)
        known_values.set_known_values(versions, facts["enums"], missing)
        self._seconds = seconds
        self._torch = versions["torch"]
        self._yaml = importlib.import_module("yaml")
        self._config = importlib.import_module("axolotl.utils.config")
        self._base = importlib.import_module("axolotl.integrations.base")
        self._dict = importlib.import_module("axolotl.utils.dict").DictDefault
        self._collector = _Collector()
        logging.getLogger().addHandler(self._collector)
        self._once = self._open_logging()
        self._remember_classes()
        loader = Path(root, "axolotl", "cli", "config.py")
        text = loader.read_text(encoding="utf-8") if loader.is_file() else ""
        self._ray_defers = bool(_RAY_DEFERS.search(text))
        sys.addaudithook(_guard)

    def judge(self, path: str, capabilities: Mapping[str, Any]) -> dict[str, Any]:
        """What the release says about a file: outcome, exception, errors and warnings."""
        stage = "read"
        with self._as_first():
            try:
                with open(path, encoding="utf-8") as file:
                    cfg = self._dict(self._yaml.safe_load(file))
                cfg.axolotl_config_path = path
                stage = "plugins"
                self._prepare_plugins(cfg)
                stage = "validate"
                self._validate(cfg, capabilities)
            except BaseException as error:  # plugins may even call sys.exit
                answer = _rejection(error)
            else:
                answer = {"outcome": "ok"}
        return {**answer, "stage": stage, "warnings": list(self._collector.messages)}

    def _prepare_plugins(self, cfg: Any) -> None:
        prepare: Callable[[Any], None] | None = getattr(self._config, "prepare_plugins", None)
        if prepare is not None:
            prepare(cfg)
        elif cfg.get("plugins"):
            manager = self._base.PluginManager.get_instance()
            for name in cfg["plugins"]:
                manager.register(name)

    def _validate(self, cfg: Any, capabilities: Mapping[str, Any]) -> None:
        named: dict[str, Any] = {"capabilities": dict(capabilities)}
        if "env_capabilities" in inspect.signature(self._config.validate_config).parameters:
            named["env_capabilities"] = {"torch_version": self._torch}
        if self._ray_defers and cfg.use_ray:
            named = {}
        self._config.validate_config(cfg, **named)

    @contextmanager
    def _as_first(self) -> Iterator[None]:
        """Forget the file before; put the environment back after this one."""
        manager = self._base.PluginManager
        manager._instance = None
        manager.plugins = OrderedDict()
        manager._cfg = None
        for forget in self._once:
            forget()
        self._collector.messages.clear()
        environment, folder = dict(os.environ), os.getcwd()
        signal.signal(signal.SIGALRM, _out_of_time)
        signal.alarm(self._seconds)
        try:
            yield
        finally:
            signal.alarm(0)
            os.chdir(folder)
            os.environ.clear()
            os.environ.update(environment)

    def _open_logging(self) -> list[Callable[[], None]]:
        """Let every process log, and find the caches of what is logged only once."""
        try:
            module = importlib.import_module("axolotl.utils.logging")
        except ImportError:
            return []
        adapter = getattr(module, "MultiProcessAdapter", None)
        if adapter is None:
            return []
        adapter._should_log = staticmethod(_Always())
        return [adapter.warning_once.cache_clear]

    def _remember_classes(self) -> None:
        """Build the schema class of a set of plugins once."""
        build = self._config.merge_input_args
        known: dict[tuple[str, ...], Any] = {}

        def merge_input_args() -> Any:
            names = tuple(self._base.PluginManager.get_instance().get_input_args())
            if names not in known:
                known[names] = build()
            return known[names]

        setattr(self._config, build.__name__, merge_input_args)


class _Always:
    def __call__(self, *values: object, **named: object) -> bool:
        return True


def _out_of_time(signum: int, frame: object) -> None:
    raise OutOfTimeError


def _rejection(error: BaseException) -> dict[str, Any]:
    """How an exception is told; `failed` when our stand-ins are to blame, not the file."""
    frames = traceback.extract_tb(error.__traceback__)
    message = str(error)
    ours = bool(frames) and frames[-1].filename == _STAND_INS_FILE
    # A file that the config names (DeepSpeed's) is not here; on the user's machine it may be.
    elsewhere = (OutOfTimeError, NotAllowedError, FileNotFoundError)
    failed = ours or isinstance(error, elsewhere) or "StandIn" in message
    answer: dict[str, Any] = {
        "outcome": "failed" if failed else "rejected",
        "exception": type(error).__name__,
        "message": message[:4000],
        "errors": [],
        "raised_at": _raised_at(frames),
    }
    details = getattr(error, "errors", None)
    if type(error).__name__ == "ValidationError" and callable(details):
        answer["errors"] = [
            {
                "loc": [part if isinstance(part, int) else str(part) for part in item["loc"]],
                "type": item["type"],
                "msg": item["msg"],
            }
            for item in details(include_url=False, include_context=False, include_input=False)
        ]
    return answer


def _raised_at(frames: traceback.StackSummary) -> str:
    """The innermost place in the release, such as `utils/schemas/peft.py:195`."""
    for frame in reversed(frames):
        _, found, inside = frame.filename.partition("/axolotl/")
        if found:
            return f"{inside}:{frame.lineno}"
    return ""
