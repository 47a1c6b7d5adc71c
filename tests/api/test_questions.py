"""The public questions: `effective`, `fit`, `migrate`, `explain`, `diagnose`."""

from __future__ import annotations

import doctest
import json
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import cfglint
import cfglint.api.questions
from cfglint import diagnose, effective, explain, fit, migrate
from cfglint.runs.memory.run import GIB
from tests.cli.running import environment, run
from tests.draws import each
from tests.engine.test_advice import AXOLOTL

DOCS = Path(__file__).resolve().parents[2] / "docs"
LOG = (
    "axolotl train train.yml\n"
    "Traceback (most recent call last):\n"
    '  File "x.py", line 1, in <module>\n'
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB\n"
)


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path(".git").mkdir()
    Path("requirements.txt").write_text("axolotl==0.19.0\n", encoding="utf-8")
    Path("train.yml").write_text(AXOLOTL + "flash_attention: true\n", encoding="utf-8")
    return "train.yml"


def test_the_example() -> None:
    result = doctest.testmod(cfglint.api.questions)
    assert result.attempted > 0
    assert result.failed == 0


def test_effective(config: str) -> None:
    report = effective(config)
    assert (report.release, report.path, report.refused) == ("axolotl 0.19.0", config, False)
    assert report.value("attn_implementation") == "flash_attention_2"
    assert report.data["sequence_len"] == report.value("sequence_len") == 4096
    assert report.value("no_such_key", 1) == 1
    changed = {one.path for one in report.changed}
    assert ("attn_implementation",) in changed
    assert not changed & {("base_model",), ("gradient_checkpointing",)}
    assert report.to_dict() == json.loads(run("effective", config, "--format", "json").out)
    # A text by itself has no project around it.
    assert effective(config, text=AXOLOTL).release == "axolotl 0.21.0"
    bad = effective(text=AXOLOTL + "lora_r: x\n")
    assert bad.refused
    assert (bad.refusals[0].code, bad.refusals[0].line) == ("TYP001", 13)


def test_fit(config: str) -> None:
    report = fit(config, gpus=2, gpu="h100", advise=True)
    assert (report.release, report.gpus, report.memory) == ("axolotl 0.19.0", 2, 80 * GIB)
    told = json.loads(run("fit", config, "--gpus=2", "--gpu=h100", "--format=json", "--advise").out)
    assert report.certain == told["certain"]["bytes"] == sum(part.size for part in report.parts)
    assert report.expected is not None
    assert report.expected.likely == told["expected"]["bytes"]
    assert report.advice is not None
    assert report.advice.enough is not None
    assert report.advice.enough.saves == told["advice"]["enough"]["saves_bytes"]
    assert len(report.measured) == 3
    assert report.fits is False
    assert fit(text=report.advice.enough.after.text, gpus=2, gpu="h100").fits is True


def test_what_is_not_known_of_memory() -> None:
    assert fit(text=AXOLOTL).fits is None
    assert fit(text=AXOLOTL).advice is None
    # The upper limit does not fit, the lower one does.
    between = AXOLOTL.replace("micro_batch_size: 4", "micro_batch_size: 1")
    between = between.replace("sequence_len: 4096", "sequence_len: 1024")
    assert fit(text=between, gpu="h100").fits is None
    assert fit(text=AXOLOTL + "rl: dpo\n", gpu="h100").expected is None


def test_migrate(config: str) -> None:
    report = migrate(config, to="0.21.0")
    assert (report.source, report.target, report.complete) == ("0.19.0", "0.21.0", True)
    assert [step.code for step in report.steps] == ["MIG002"]
    assert "attn_implementation: flash_attention_2\n" in report.text
    assert Path(config).read_text(encoding="utf-8").endswith("flash_attention: true\n")
    old = AXOLOTL.replace("alpaca", "sharegpt")
    proposed = migrate(text=old)
    assert (proposed.source, proposed.complete) == ("0.4.1", False)
    assert proposed.text == old
    assert proposed.proposed[0].look_at.startswith("Are these the keys of your data?")
    taken = migrate(text=old, unsafe=True)
    assert taken.complete
    assert taken.text == proposed.whole


def test_explain() -> None:
    assert explain("DAT101").text.startswith("DAT101 ")
    pages = explain("sample_packing").pages
    assert any(page.startswith("sample_packing (Axolotl ") for page in pages)
    (page,) = explain("sample_packing", framework="axolotl", target="axolotl==0.19.0").pages
    assert page.startswith("sample_packing (Axolotl 0.19.0)")
    assert "GPU" in explain(symptom="CUDA out of memory. Tried to allocate").text


def test_diagnose(config: str) -> None:
    for report in (diagnose(text=LOG), diagnose(text=LOG, configs=[config])):
        cause = report.causes[0]
        assert cause.end is not None
        assert cause.end.name == "gpu-memory-used-up"
        assert cause.failure.line == 4
    Path("run.log").write_text(LOG, encoding="utf-8")
    report = diagnose("run.log")
    assert report.stated.config == (config, 1)
    assert report.failures == diagnose(text=LOG).failures
    assert diagnose(text="all well\n").causes == ()


@each(
    ("ask", "error", "message"),
    [
        (effective, TypeError, "give the path of a file, or its text"),
        (lambda: effective(text=b"a: 1"), TypeError, "text expects a str"),  # type: ignore[arg-type]
        (lambda: effective("no.yml"), OSError, "no.yml"),
        (lambda: effective(text="a: [\n"), ValueError, "never closed"),
        (lambda: effective(text=AXOLOTL, target="axolotl==9.9"), ValueError, "newer than"),
        (lambda: fit(text=AXOLOTL, advise=True), ValueError, "needs to know the GPUs"),
        (lambda: fit(text=AXOLOTL, gpus="8"), TypeError, "gpus expects a whole number"),  # type: ignore[arg-type]
        (lambda: fit(text=AXOLOTL, gpu="toaster"), ValueError, "is not a GPU"),
        (lambda: fit(text=AXOLOTL.replace("Meta-Llama", "x")), ValueError, "nothing is certain"),
        (lambda: migrate(text="services: {}\n"), ValueError, "not a config of a framework"),
        (lambda: migrate(text=AXOLOTL, to="0.99"), ValueError, "did you mean 0.21.0"),
        (lambda: explain("NOSUCH1"), ValueError, "unknown rule"),
        (explain, ValueError, "either a subject or a symptom"),
        (lambda: explain(symptom="qwertz uiop"), ValueError, "no rule has a symptom"),
        (diagnose, TypeError, "either the path of a log or its text"),
        (lambda: diagnose("no.log"), OSError, "no.log"),
        (lambda: diagnose(text=LOG, configs="no.yml"), ValueError, "cannot be read"),
    ],
)
def test_what_cannot_be_answered(
    ask: Callable[[], Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        ask()


def test_answers_are_values() -> None:
    for make in (
        lambda: effective(text=AXOLOTL),
        lambda: fit(text=AXOLOTL, gpu="h100", advise=True),
        lambda: migrate(text=AXOLOTL + "flash_attention: true\n"),
        lambda: explain("DAT101"),
        lambda: diagnose(text=LOG),
    ):
        report = make()
        assert report == make()
        assert pickle.loads(pickle.dumps(report)) == report


def test_json_follows_its_schema() -> None:
    schema = json.loads((DOCS / "json-effective.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(effective("train.yml", text=AXOLOTL).to_dict(), schema)


def test_no_module_takes_the_place_of_a_function() -> None:
    """Whatever is imported, in whatever order."""
    program = (
        "import cfglint.cli.effective, cfglint.cli.fit, cfglint.cli.migrate, cfglint.cli.explain\n"
        "import cfglint.cli.diagnose, cfglint.api.questions, cfglint\n"
        "for name in ('effective', 'fit', 'migrate', 'explain', 'diagnose'):\n"
        "    function = getattr(cfglint, name)\n"
        "    assert callable(function) and function.__name__ == name\n"
        "assert dir(cfglint) == sorted(cfglint.__all__)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, env=environment(), cwd=os.getcwd())
