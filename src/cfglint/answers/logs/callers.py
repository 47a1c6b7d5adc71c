"""Whose code made the call that failed, by the frames of its traceback and the lines of code below them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cfglint.answers.logs.failures import Failure
from cfglint.base.record import Record

#: A file of a package that is installed.
INSTALLED = re.compile(r"(?:site|dist)-packages[/\\](?P<path>(?P<package>\w{1,60})[/\\].*)")
#: Where transformers puts the code of a repository that `trust_remote_code` allows.
_OF_A_MODEL = re.compile(r"transformers_modules[/\\](?P<path>.*)")
#: Characters of a line of code that are shown.
_MAX_CODE = 120
_MODEL = "the code that came with the model"
#: What only looks an attribute or a key up for the frame above.
_LOOKUPS = (
    *("torch/nn/modules/module.py", "omegaconf/base.py", "omegaconf/basecontainer.py"),
    *("omegaconf/dictconfig.py", "omegaconf/_utils.py"),
)


class Caller(Record):
    """Whose code a frame is of."""

    #: A package, or words for the code of a model.
    name: str
    #: From the folder of the package on.
    path: str
    #: 0 where the log does not have it.
    line: int
    function: str

    @property
    def shown(self) -> str:
        """Its name for people."""
        return self.name if self.name == _MODEL else f"`{self.name}`"

    @property
    def place(self) -> str:
        """Where it is, for people."""
        line = f", line {self.line}" if self.line else ""
        within = f", in `{self.function}`" if self.function else ""
        return f"`{self.path}`{line}{within}"


def passed_by(failure: Failure, key: str) -> Caller | None:
    """The package, or the model, whose line of code has an argument by its name; None for a script, and if none has."""
    name = re.compile(rf"\b{re.escape(key)} ?=(?!=)")
    for (file, line, function), code in reversed(
        tuple(zip(failure.frames, failure.code, strict=False))
    ):
        if name.search(code) is None:
            continue
        of_model = _OF_A_MODEL.search(file)
        if of_model is not None:
            return Caller(_MODEL, of_model["path"], line, function)
        installed = INSTALLED.search(file)
        return (
            Caller(installed["package"], installed["path"], line, function) if installed else None
        )
    return None


def innermost(frames: Sequence[tuple[str, int, str]]) -> int:
    """The number of the innermost frame that does not only look something up; -1, which is the last, if all do."""
    own = (
        number
        for number in reversed(range(len(frames)))
        if not frames[number][0].replace("\\", "/").endswith(_LOOKUPS)
    )
    return next(own, -1)


def last_frame(failure: Failure) -> str:
    """A sentence on the innermost frame, with its line of code; empty without frames."""
    if not failure.frames:
        return ""
    at = innermost(failure.frames)
    file, line, function = failure.frames[at]
    installed = INSTALLED.search(file)
    number = f", line {line}" if line else ""
    within = f", in `{function}`" if function else ""
    code = failure.code[at] if failure.code else ""
    shown = f": `{code[:_MAX_CODE]}`" if code and "`" not in code else ""
    return f"The last frame is `{installed['path'] if installed else file}`{number}{within}{shown}"
