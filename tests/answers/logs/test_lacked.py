"""Errors of imports between packages of different times."""

from __future__ import annotations

import io

from cfglint.answers.logs.failures import Failure
from cfglint.answers.logs.lacked import account, lacked_name
from tests.draws import each


def failure(message: str, *files: str) -> Failure:
    return Failure("ImportError", message, tuple((one, 1, "f") for one in files), "", 1)


def test_a_bare_error_says_since_when_and_who() -> None:
    lacked = lacked_name(failure("cannot import name 'HybridCache' from 'transformers' (/x.py)"))
    assert lacked is not None
    text = account(lacked, {})
    assert "is no longer there from 5.0.0 on" in text
    assert "peft 0.16.0 to 0.17.1" in text
    assert "transformers below 5.0.0" in text


def test_the_frames_tell_who_imports() -> None:
    message = "cannot import name 'HybridCache' from 'transformers' (/x.py)"
    files = ("/v/site-packages/trl/a.py", "/v/site-packages/peft/peft_model.py")
    lacked = lacked_name(failure(message, *files, "/v/site-packages/transformers/x.py"))
    assert lacked is not None
    assert lacked.by == "peft"
    assert account(lacked, {}).endswith(
        "Install peft 0.18.0 or newer, or transformers below 5.0.0."
    )


def test_the_release_in_the_log_tells_which_end_it_is() -> None:
    lacked = lacked_name(failure("cannot import name 'EncoderDecoderCache' from 'transformers'"))
    assert lacked is not None
    assert "newer" in account(lacked, {"transformers": "4.41.2"})


@each(
    "message",
    [
        "cannot import name 'helper' from 'my.module' (/x.py)",
        "cannot import name 'Trainer' from 'transformers' (unknown location)",
        "No module named 'transformers'",
        "division by zero",
    ],
)
def test_what_is_not_known(message: str) -> None:
    assert lacked_name(failure(message)) is None


def test_a_module_that_is_not_there() -> None:
    lacked = lacked_name(failure("No module named 'transformers.modeling_layers'"))
    assert lacked is not None
    assert "came with" in account(lacked, {})


def test_the_answer_to_a_log() -> None:
    from cfglint.answers.logs.diagnosis import RunConfigs, diagnose
    from cfglint.report.diagnosis import render_text
    from cfglint.report.diagnosis_json import render_json
    from cfglint.report.style import Style

    log = b"ImportError: cannot import name 'HybridCache' from 'transformers' (/x.py)\n"
    found = diagnose(io.BytesIO(log), lambda _: RunConfigs())
    assert found.causes[0].lacked is not None
    text = render_text(found, "run.log", Style(color=False), 100)
    assert "peft 0.16.0 to 0.17.1" in text
    assert '"lacked": "transformers.HybridCache"' in render_json(found, "run.log")
