"""Who made the call that failed: a package, by the frames of its traceback, or the code that came with a model."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cfglint.answers.logs.failures import Failure
from cfglint.base.record import Record

_INSTALLED = re.compile(r"(?:site|dist)-packages[/\\](?P<path>(?P<package>\w{1,60})[/\\].*)")
#: Where transformers puts the code of a repository that `trust_remote_code` allows.
_OF_A_MODEL = re.compile(r"transformers_modules[/\\](?P<path>.*)")
#: Code that hands on what its function was called with: the caller is the one above it.
_HANDS_ON = re.compile(r"\*\*\w")
#: Functions that do, where the log has no line of their code.
_WRAPPERS = frozenset({
    "_call_impl", "_from_config", "_wrapped_call_impl", "decorate_context", "from_config", "from_pretrained", "inner",
    "inner_f", "new_init", "parse_args_into_dataclasses", "parse_dict", "parse_yaml_file", "wrapped", "wrapped_func",
    "wrapper",
})  # fmt: skip
#: Characters of a line of code that are shown.
_MAX_CODE = 120
_MODEL = "the code that came with the model"


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
        return f"`{self.path}`{line}, in `{self.function}`"


def caller(failure: Failure) -> Caller | None:
    """The package, or the model, whose code called what failed; None for a script, and where no frame tells."""
    for file, line, function in _callers(failure):
        of_model = _OF_A_MODEL.search(file)
        if of_model is not None:
            return Caller(_MODEL, of_model["path"], line, function)
        installed = _INSTALLED.search(file)
        if installed is None:
            return None
        return Caller(installed["package"], installed["path"], line, function)
    return None


def _callers(failure: Failure) -> Iterator[tuple[str, int, str]]:
    """The frames from the innermost one on, without those that only hand on."""
    code = failure.code or ("",) * len(failure.frames)
    for frame, line in reversed(tuple(zip(failure.frames, code, strict=True))):
        hands_on = _HANDS_ON.search(line) is not None if line else frame[2] in _WRAPPERS
        if not hands_on:
            yield frame


def last_frame(failure: Failure) -> str:
    """A sentence on the innermost frame, with its line of code; empty without frames."""
    if not failure.frames:
        return ""
    file, line, function = failure.frames[-1]
    installed = _INSTALLED.search(file)
    number = f", line {line}" if line else ""
    code = failure.code[-1] if failure.code else ""
    shown = f": `{code[:_MAX_CODE]}`" if code and "`" not in code else ""
    return f"The last frame is `{installed['path'] if installed else file}`{number}, in `{function}`{shown}"
