"""The functions that an agent calls."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from cfglint.server.agents import functions
from tests.cli.running import run
from tests.test_skill import CONFIG

TARGET = ["trl==1.16.0"]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sft.yaml").write_text(CONFIG)
    return tmp_path


def test_check_is_the_report_for_agents(here: Path) -> None:
    same = run("sft.yaml", "--format", "agent", "--target", *TARGET).out
    assert functions.check("sft.yaml", TARGET) == same
    assert "KEY001 error" in same
    same = run(".", "--format", "agent", "--target", *TARGET).out
    assert functions.check(".", TARGET) == same
    (here / "other.yaml").write_text("services: {}\n")
    with pytest.raises(ValueError, match=r"other\.yaml"):
        functions.check("other.yaml")


def test_fix_writes_and_says_what_it_did(here: Path) -> None:
    text = functions.fix("sft.yaml", target=TARGET)
    assert text.splitlines() == [
        "fixed sft.yaml:4: KEY005 Use max_length",
        "fixed sft.yaml:5: KEY001 Rename it to per_device_train_batch_size",
        "No problems in 1 file; fixed 2 findings",
    ]
    assert "max_length: 1024\nper_device_train_batch_size: 2\n" in (here / "sft.yaml").read_text()
    # Again, nothing is left to do.
    assert functions.fix("sft.yaml", target=TARGET) == "No problems in 1 file\n"


def test_fix_stays_in_the_folder(here: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = tmp_path_factory.mktemp("other") / "sft.yaml"
    other.write_text(CONFIG)
    (here / "link.yaml").symlink_to(other)
    for path in (str(other), "link.yaml", "../sft.yaml"):
        with pytest.raises(ValueError, match="only files below"):
            functions.fix(path, target=TARGET)
    assert other.read_text() == CONFIG
    with pytest.raises(ValueError, match="no such file"):
        functions.fix("no.yaml")


def test_preflight(here: Path) -> None:
    text = functions.preflight("trl sft --config sft.yaml", TARGET)
    assert text.endswith("verdict: do not start: 2 errors\n")
    assert functions.preflight("sft.yaml", TARGET).endswith("verdict: do not start: 2 errors\n")
    for command, message in (("", "is empty"), ("'", "cannot be split")):
        with pytest.raises(ValueError, match=message):
            functions.preflight(command)


def test_diagnose(here: Path) -> None:
    line = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.\n"
    (here / "run.log").write_text(line)
    same = run("diagnose", "run.log", "sft.yaml", "--format", "agent", "--target", *TARGET).out
    assert functions.diagnose("run.log", configs="sft.yaml", target=TARGET) == same
    assert "OutOfMemoryError" in functions.diagnose(text=line, configs=["sft.yaml"])
    for log, text in (("", ""), ("run.log", line)):
        with pytest.raises(ValueError, match="either the path"):
            functions.diagnose(log, text)
    with pytest.raises(ValueError, match=r"no\.log: cannot be read"):
        functions.diagnose("no.log")


@pytest.mark.parametrize("function", [functions.diagnose, functions.effective, functions.fit])
def test_the_protocol_is_no_file(function: Callable[[str], str]) -> None:
    with pytest.raises(ValueError, match="standard input is not read"):
        function("-")


def test_explain_and_keys() -> None:
    assert functions.explain("max_length", target=TARGET, framework="trl").startswith(
        "max_length (TRL 1.16.0)\n"
    )
    assert functions.explain("KEY001").startswith("KEY001 unknown-key\n")
    assert "unknown rule 'nothing'" in functions.explain("nothing")
    assert functions.explain(symptom="CUDA out of memory").startswith("The memory of a GPU")
    assert functions.explain(symptom="zzz").startswith("no rule has a symptom")
    assert functions.keys("sft", TARGET) == run("keys", "sft", "--target", *TARGET).out
    assert functions.keys("max_length", TARGET, "trl").startswith("max_length (TRL 1.16.0)\n")
    with pytest.raises(ValueError, match="subject"):
        functions.explain()
    for subject in ("", "zzz"):
        with pytest.raises(ValueError, match="subject"):
            functions.keys(subject)


def test_effective_and_fit(here: Path) -> None:
    functions.fix("sft.yaml", target=TARGET)
    assert "max_length: 1024" in functions.effective("sft.yaml", TARGET)
    out = run("fit", "sft.yaml", "--gpu", "h100", "--target", *TARGET).out
    assert functions.fit("sft.yaml", "h100", target=TARGET) == out


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: functions.check("no.yaml"), "no such file"),
        (lambda: functions.check("sft.yaml", ["trl==99.0"]), "99.0 is newer"),
        (lambda: functions.check("sft.yaml", gpus=0), "at least 1"),
        (lambda: functions.fit("no.yaml"), "cannot be read"),
        (lambda: functions.effective("sft.yaml", ["trl==99.0"]), "99.0 is newer"),
    ],
)
def test_what_keeps_from_answering(call: Callable[[], str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


def test_a_target_may_be_a_text() -> None:
    """A tool's caller often writes one value where a list is taken."""
    assert functions.check("sft.yaml", "trl==1.16.0") == functions.check("sft.yaml", TARGET)
    assert functions.keys("sft", target="trl==1.16.0") == functions.keys("sft", target=TARGET)
    both = functions.check("sft.yaml", "trl==1.16.0, transformers==5.16.1")
    assert both == functions.check("sft.yaml", ["trl==1.16.0", "transformers==5.16.1"])


def test_fit_advises() -> None:
    text = functions.fit("sft.yaml", gpu="sm_80:8GB", advise=True)
    assert "What would make it fit:" in text
    assert text != functions.fit("sft.yaml", gpu="sm_80:8GB")
