"""Whose code made the call that failed."""

from __future__ import annotations

import pytest

from cfglint.answers.logs.callers import innermost, last_frame, passed_by
from cfglint.answers.logs.failures import Failure

LIBRARY = "/opt/lib/python3.11/site-packages/transformers/modeling_utils.py"
SCRIPT = "/home/me/train.py"


def failed(*rows: tuple[str, str]) -> Failure:
    frames = tuple((file, 10, "f") for file, _ in rows)
    message = "f() got an unexpected keyword argument 'enable'"
    return Failure("TypeError", message, frames, "", 1, code=tuple(code for _, code in rows))


@pytest.mark.parametrize(
    ("file", "shown"),
    [
        (LIBRARY, "`transformers`"),
        ("/m/transformers_modules/chatglm/modeling.py", "the code that came with the model"),
    ],
)
def test_a_package_or_a_model_passes_what_its_line_of_code_names(file: str, shown: str) -> None:
    by = passed_by(failed((SCRIPT, "main()"), (file, "self.g(enable=True)")), "enable")
    assert by is not None
    assert by.shown == shown


@pytest.mark.parametrize(
    "rows",
    [
        [(SCRIPT, "f(enable=True)")],
        # What only hands on was called with it by somebody else.
        [(SCRIPT, "f(enable=True)"), (LIBRARY, "return cls(**kwargs)")],
        [(LIBRARY, "self.g(")],
        [(LIBRARY, "if enable == 1: self.g(x)")],
    ],
)
def test_of_a_script_and_of_what_hands_on_nothing_is_said(rows: list[tuple[str, str]]) -> None:
    assert passed_by(failed(*rows), "enable") is None


def test_the_last_frame_is_shown_from_its_package_on() -> None:
    assert (
        last_frame(failed((LIBRARY, "self.g(x)")))
        == "The last frame is `transformers/modeling_utils.py`, line 10, in `f`: `self.g(x)`"
    )
    assert last_frame(Failure("KeyError", "'a'", (), "", 1)) == ""


def test_what_only_looks_up_is_not_the_last_frame() -> None:
    lookup = "/opt/lib/python3.11/site-packages/torch/nn/modules/module.py"
    failure = failed((SCRIPT, "main()"), (LIBRARY, "self.x"), (lookup, "raise"))
    assert "`transformers/modeling_utils.py`" in last_frame(failure)
    assert innermost(failure.frames) == 1
    assert innermost(failure.frames[2:]) == -1
