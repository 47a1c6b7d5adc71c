"""The worker's side of a run: one process that has imported everything, and a child for each run.

A worker gets a folder for its tiny models as its argument, imports its framework, and says `{"ready":
{package: version}}`. Then each line of its input is a job, `{"id", "file", "folder", "command",
"seconds"}`, and each line of its output an answer. `folder` is empty and is the child's current
folder; what the run writes has to stay in it.
"""

from __future__ import annotations

import contextlib
import gc
import importlib.metadata
import json
import os
import re
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn, Protocol

#: Only the end of a message that is longer.
_LONGEST = 3000
_PACKAGES = ("torch", "transformers", "trl", "peft", "accelerate", "datasets", "bitsandbytes")


class NotTried(Exception):
    """A config that cannot run here, whatever is wrong with it; the message says why."""


class Framework(Protocol):
    """What a framework's worker has."""

    #: Its package first, then those whose frames are worth naming and whose versions matter.
    packages: tuple[str, ...]

    def preload(self, models: Path) -> None:
        """Import what a run imports, and make the tiny models that are missing."""

    def run(self, job: dict[str, Any], record: Record) -> None:
        """Train, in the child; what it raises is how the run ended."""


class Record:
    """What is known about a run while it runs: where it is, what it did, what was changed."""

    def __init__(self) -> None:
        self.facts: dict[str, Any] = {}
        self.replaced: list[str] = []
        self._reached: list[str] = []
        self._failed: tuple[str, BaseException] | None = None

    def replace(self, key: str, why: str) -> None:
        """Note that the run does not see a key as it is written."""
        self.replaced.append(f"{key}: {why}")

    def reach(self, stage: str) -> None:
        """Note that everything before a stage's end has gone well."""
        if stage not in self._reached:
            self._reached.append(stage)

    @contextlib.contextmanager
    def within(self, stage: str, *, reaches: bool = True) -> Iterator[None]:
        """A part of the run; an exception that leaves it is of the innermost stage around it."""
        try:
            yield
        except BaseException as error:
            if self._failed is None or not _leads_to(error, self._failed[1]):
                self._failed = (stage, error)
            raise
        if reaches:
            self.reach(stage)

    def stage_of(self, error: BaseException) -> str:
        """The stage in which the run ended."""
        if self._failed is not None and _leads_to(error, self._failed[1]):
            return self._failed[0]
        for before, after in (("parse", "parse"), ("data", "data"), ("trainer", "trainer")):
            if before not in self._reached:
                return after
        return "step"

    def wrap(
        self,
        owner: Any,
        name: str,
        stage: str,
        *,
        reaches: bool = True,
        after: Callable[[Any], None] | None = None,
    ) -> None:
        """Make calls of a function, method or class method a part of a stage.

        Args:
            after: is given what the call returned.
        """
        raw = vars(owner).get(name)
        if raw is None or getattr(getattr(raw, "__func__", raw), "of_stage", None):
            return
        function = raw.__func__ if isinstance(raw, (classmethod, staticmethod)) else raw

        def wrapper(*given: Any, **named: Any) -> Any:
            with self.within(stage, reaches=reaches):
                result = function(*given, **named)
            if after is not None:
                after(result)
            return result

        # transformers looks at signatures.
        vars(wrapper).update(vars(function) if hasattr(function, "__dict__") else {})
        wrapper.__name__, wrapper.__doc__ = getattr(function, "__name__", name), function.__doc__
        wrapper.__wrapped__ = function  # type: ignore[attr-defined]
        wrapper.of_stage = stage  # type: ignore[attr-defined]
        kind = type(raw) if isinstance(raw, (classmethod, staticmethod)) else None
        setattr(owner, name, kind(wrapper) if kind is not None else wrapper)


def _leads_to(error: BaseException | None, earlier: BaseException) -> bool:
    """Whether an exception is an earlier one, or was raised because of it."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        if error is earlier:
            return True
        seen.add(id(error))
        error = error.__cause__ or error.__context__
    return False


def serve(framework: Framework) -> None:
    """Answer jobs until the input ends."""
    # What the packages print must not come between the answers.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    framework.preload(Path(sys.argv[1]))
    # The collector would walk, and so copy, the imports' objects in every child.
    gc.collect()
    gc.freeze()
    _say(answers, {"ready": _versions(framework)})
    for line in sys.stdin:
        job = json.loads(line)
        started = time.monotonic()
        answer = _in_child(framework, job)
        seconds = round(time.monotonic() - started, 2)
        _say(answers, {"id": job["id"], **answer, "seconds": seconds})


def _say(answers: Any, answer: dict[str, Any]) -> None:
    answers.write(json.dumps(answer, default=str) + "\n")
    answers.flush()


def _versions(framework: Framework) -> dict[str, str]:
    found = {}
    for name in dict.fromkeys((*framework.packages, *_PACKAGES)):
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            found[name] = importlib.metadata.version(name)
    return found


def _in_child(framework: Framework, job: dict[str, Any]) -> dict[str, Any]:
    """Run a job in a process of its own, which ends with everything that it started."""
    file = Path(job["folder"]).with_name(Path(job["folder"]).name + ".answer")
    child = os.fork()
    if child == 0:
        _child(framework, job, file)
    status = _wait(child, float(job["seconds"]))
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)
    if status is None:
        os.waitpid(child, 0)
        return _ended("TimeLimit", f"not finished after {job['seconds']} seconds")
    if not file.exists():
        return _ended("Crash", f"the process ended with status {status}")
    answer: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    file.unlink()
    return answer


def _ended(exception: str, message: str) -> dict[str, Any]:
    return {"stage": "step", "exception": exception, "message": message}


def _wait(child: int, seconds: float) -> int | None:
    """The status of a child; None when it has not ended in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return status
        time.sleep(0.02)
    return None


def _child(framework: Framework, job: dict[str, Any], file: Path) -> NoReturn:
    """Run, write the answer, and end without what an interpreter does at its end."""
    os.setsid()
    os.chdir(job["folder"])
    if not os.environ.get("RUNS_SHOW"):
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nowhere, stream)
    record = Record()
    answer: dict[str, Any] = {"stage": "done"}
    try:
        framework.run(job, record)
    except BaseException as error:
        if os.environ.get("RUNS_SHOW"):
            traceback.print_exc()
        answer = {
            "stage": record.stage_of(error),
            "exception": type(error).__name__,
            "message": _shortened(str(error)),
            "frame": frame_of(error, framework.packages),
        }
    answer.update(facts=record.facts, replaced=record.replaced)
    part = file.with_suffix(".part")
    part.write_text(json.dumps(answer, default=str), encoding="utf-8")
    part.replace(file)
    os._exit(0)


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST // 2] + " … " + text[-_LONGEST // 2 :]


def frame_of(error: BaseException, packages: tuple[str, ...]) -> str:
    """The innermost frame in one of the packages, as `package/module.py:line`; else the innermost."""
    place = ""
    names = "|".join(map(re.escape, packages))
    inside = re.compile(rf".*/((?:{names})/.*)")
    frames: Iterator[tuple[FrameType, int]] = traceback.walk_tb(error.__traceback__)
    here = Path(__file__).parent
    found = ""
    for frame, line in frames:
        name = frame.f_code.co_filename
        if Path(name).parent == here:
            continue
        match = inside.fullmatch(name)
        place = f"{name.rpartition('site-packages/')[2]}:{line}"
        if match is not None:
            found = f"{match[1]}:{line}"
    return found or place
