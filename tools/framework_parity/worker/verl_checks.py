"""What verl's own checks say of commands, once Hydra has composed their configs.

    cd CHECKOUT && PYTHONPATH=PROJECT python -m tools.framework_parity.worker.verl_checks < ROWS.json > ANSWERS.json

It runs in the folder of a checkout, in a Python that has `hydra-core`. Rows are those of `tools.verl_release.composing`;
answers are `{"error", "stage", "keys"}`, all empty when nothing is refused; `keys` are those that the check had read. The stages are `compose`, `resolve`,
`validate` (`validate_config`, which releases up to 0.5 have in the trainer) and `convert` (the dataclasses of the sections
that every run makes objects of). What only a model, a device or other processes know is left out, and the packages
for these are stand-ins.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import json
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

from tools.framework_parity.worker.read_keys import read_keys
from tools.verl_release.composing import Judge, make_packages

#: Packages whose `__init__` imports what only a training machine has; their modules are found all the same.
_HOLLOW = (
    *("verl.utils", "verl.workers", "verl.workers.rollout", "verl.workers.rollout.vllm_rollout"),
    *("verl.trainer.ppo", "verl.single_controller"),
    *(
        "verl.utils.debug",
        "verl.utils.profiler",
        "verl.utils.qat",
        "verl.utils.megatron",
        "verl.experimental",
    ),
)
#: Where releases since 0.6.0 have `validate_config`, and those before it.
_CONFIG, _TRAINER = "verl.utils.config", "verl.trainer.ppo.ray_trainer"


class _Permissive(type):
    """A class that has every attribute."""

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Anything

    def __getitem__(cls, _: Any) -> Any:
        return cls

    def __or__(cls, _: Any) -> Any:
        return cls

    def __ror__(cls, _: Any) -> Any:
        return cls

    def __neg__(cls) -> Any:
        return cls

    def __iter__(cls) -> Iterator[Any]:
        return iter(())


class _Anything(metaclass=_Permissive):
    """Stands in for whatever a package has: a class, a function, a decorator."""

    def __new__(cls, *args: Any, **_: Any) -> Any:
        if cls is _Anything and len(args) == 1 and callable(args[0]):
            return args[0]
        return super().__new__(cls)

    def __init__(self, *_: Any, **__: Any) -> None:
        return

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Anything

    def __call__(self, *args: Any, **_: Any) -> Any:
        return args[0] if len(args) == 1 and callable(args[0]) else self


class _Absent(MetaPathFinder, Loader):
    """Finds what is not installed, behind all other finders."""

    own = ("verl", "recipe", "tools", "hydra", "omegaconf", "hydra_plugins")

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> ModuleSpec | None:
        """A module for a package that is absent, and for those below it."""
        is_own = fullname.partition(".")[0] in self.own or fullname == "vllm.config"
        return None if is_own else ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: ModuleSpec) -> Any:
        """A module that has every name."""
        module: Any = ModuleType(spec.name)
        module.__path__ = []
        module.__version__ = "1.0.0"

        def found(name: str) -> Any:
            if name.startswith("__"):
                raise AttributeError(name)
            return _Anything

        module.__getattr__ = found
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Nothing to do."""


def _uses_critic(config: Any) -> bool:
    enable = config.critic.get("enable", None)
    return bool(config.algorithm.adv_estimator == "gae" if enable is None else enable)


def _uses_reference(config: Any) -> bool:
    return bool(config.algorithm.get("use_kl_in_reward", False)) or bool(
        config.actor_rollout_ref.actor.use_kl_loss
    )


def _validated(config: Any) -> None:
    reference, critic = _uses_reference(config), _uses_critic(config)
    validate = getattr(import_module(_CONFIG), "validate_config", None)
    if validate is not None:
        # Copies have one that is given the config alone.
        given = (config, reference, critic)[: len(inspect.signature(validate).parameters)]
        validate(*given)
        return
    # Copies of releases before 0.2 have none.
    validate = getattr(import_module(_TRAINER).RayPPOTrainer, "_validate_config", None)
    if validate is not None:
        validate(SimpleNamespace(config=config, use_reference_policy=reference, use_critic=critic))


def _converted(config: Any) -> None:
    """Make the objects of what rolls out and of the model."""
    if "_target_" in config.actor_rollout_ref.rollout:
        model = import_module("verl.workers.config").HFModelConfig
        omega_conf_to_dataclass = import_module(_CONFIG).omega_conf_to_dataclass
        omega_conf_to_dataclass(config.actor_rollout_ref.rollout)
        omega_conf_to_dataclass(config.actor_rollout_ref.model, dataclass_type=model)


def _resolved(config: Any) -> None:
    omegaconf: Any = import_module("omegaconf")
    with omegaconf.open_dict(config):
        config.pop("hydra")
    omegaconf.OmegaConf.resolve(config)


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:400]


def verdict(row: dict[str, Any], judge: Judge) -> dict[str, Any]:
    """What refuses a command, and at which stage; empty when nothing does."""
    try:
        config = judge.config(row)
    except Exception as error:  # whatever it is, it is the answer
        return {"error": _said(error), "stage": "compose", "keys": []}
    steps: tuple[tuple[str, Callable[[Any], None]], ...] = (
        ("resolve", _resolved),
        ("validate", _validated),
        ("convert", _converted),
    )
    for stage, step in steps:
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                step(config)
        except Exception as error:
            keys = read_keys(error, (Path.cwd(), Path(__file__)))
            return {"error": _said(error), "stage": stage, "keys": keys}
    return {"error": "", "stage": "", "keys": []}


def _named(package: str) -> Callable[[str], Any]:
    """What a package without its `__init__` has: what its modules define, or a stand-in."""
    folder = Path.cwd().joinpath(*package.split("."))

    def found(name: str) -> Any:
        if name.startswith("__") or (folder / name).is_dir() or (folder / f"{name}.py").is_file():
            raise AttributeError(name)  # the import of a module follows
        defined = re.compile(rf"^(?:class|def) {name}\b", re.MULTILINE)
        for path in sorted(folder.glob("*.py")) if package != "verl" else ():
            if path.stem != "__init__" and defined.search(path.read_text(encoding="utf-8")):
                return getattr(import_module(f"{package}.{path.stem}"), name)
        return _Anything

    return found


def main() -> int:
    """Answer all rows."""
    warnings.simplefilter("ignore")
    sys.path.insert(0, str(Path.cwd()))
    hollow = tuple(name for name in _HOLLOW if Path(*name.split(".")).is_dir())
    make_packages()
    make_packages(hollow)
    for name in ("verl", "verl.trainer.config", *hollow):
        package: Any = sys.modules[name]
        package.__getattr__ = _named(name)
    for name in ("hydra", "hydra.utils", "omegaconf"):
        import_module(name)  # they look for packages of others, too
    sys.meta_path.append(_Absent())
    if Path("verl/workers/config/model.py").is_file():
        # It reads the model.
        import_module("verl.workers.config").HFModelConfig.__post_init__ = lambda _: None
    judge = Judge()
    json.dump([verdict(row, judge) for row in json.load(sys.stdin)], sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
