"""What a file needs, and has a key for without a value."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from cfglint.diagnostic import SeverityName
from cfglint.engine.file_report import FileReport
from cfglint.engine.severity.filled_in.left_blank import as_notes_if_blank
from cfglint.source.languages.yaml import compose
from cfglint.source.text import SourceText, Span
from tests.cli.running import run
from tests.draws import each
from tests.linting import environment
from tests.report.building import finding

CONFIG = """\
model_name_or_path: Qwen/Qwen3-0.6B
stage: sft
do_train: true
finetuning_type: lora
template: qwen3
{dataset}output_dir: out
"""


def severities(folder: Path, dataset: str, *paths: str) -> list[str]:
    (folder / "sft.yaml").write_text(CONFIG.format(dataset=dataset), encoding="utf-8")
    done = run("--format", "json", *(str(folder / path) for path in paths or (".",)))
    found = [one for file in json.loads(done.out)["files"] for one in file["diagnostics"]]
    return [one["severity"] for one in found if "needs a `dataset`" in one["message"]]


def test_a_blank_is_for_others_to_fill_in(tmp_path: Path) -> None:
    assert severities(tmp_path, "dataset:\n") == ["note"]
    # Who names the file wants to start it.
    assert severities(tmp_path, "dataset:\n", "sft.yaml") == ["error"]


def test_what_is_not_there_at_all(tmp_path: Path) -> None:
    assert severities(tmp_path, "") == ["error"]


def test_a_switch_that_is_off_is_no_blank(tmp_path: Path) -> None:
    text = CONFIG.format(dataset="dataset: identity\n")
    text += "load_best_model_at_end: true\neval_strategy:\n"
    (tmp_path / "sft.yaml").write_text(text, encoding="utf-8")
    found = json.loads(run("--format", "json", str(tmp_path)).out)["files"][0]["diagnostics"]
    about = [one["severity"] for one in found if "`eval_strategy`" in one["message"]]
    assert set(about) == {"error"}


def weighed(lines: str, message: str, severity: SeverityName = "error", **more: Any) -> str:
    """The severity of a finding that refuses a file with some lines, and why it has it."""
    more = {"upstream": "rejects", "bites": "start", **more}
    found = finding("X1", Span(0, 0), message=message, severity=severity, **more)
    document = compose(SourceText(f"a: 1\n{lines}"))
    target = environment()
    report = FileReport("a", "axolotl", document.source, (found,), {}, 0, target, "error")
    (one,) = as_notes_if_blank(report, document).diagnostics
    assert one.message.startswith(message)
    return f"{one.severity}{one.message.removeprefix(message)}"


BLANK = "note `{}` is there, and left blank."


@each(
    ("lines", "name", "is_blank"),
    [
        *((f"{name}:\n", name, True) for name in ("dataset", "model_path", "my_file", "hub_id")),
        *((f"{name}: ~\n", name, True) for name in ("model", "adapters", "chat_template")),
        ("dataset: x\n", "dataset", False),
        ("", "dataset", False),
        ("dataset:\n", "model", False),
        # That there is none is an answer, too.
        *((f"{name}:\n", name, False) for name in ("save_steps", "eval_file", "datasets_x")),
        # What is only evaluated needs data, while a training may go without.
        ("eval_dataset:\n", "eval_dataset", True),
        ("eval_dataset:\ndo_train: false\n", "eval_dataset", True),
        ("eval_dataset:\ndo_train: true\n", "eval_dataset", False),
        ("test_dataset:\n", "test_dataset", False),
    ],
)
def test_what_is_to_be_filled_in(lines: str, name: str, is_blank: bool) -> None:
    expected = BLANK.format(name) if is_blank else "error"
    assert weighed(lines, f"It needs `{name}`.") == expected


def test_other_findings_stay() -> None:
    assert weighed("dataset:\n", "It has `dataset`.", "warning", upstream="silent") == "warning"
    assert weighed("dataset:\n", "It needs dataset.") == "error"


EMPTY = """\
model_name_or_path: {model}
dataset: {dataset}
stage: sft
do_train: true
finetuning_type: lora
template: qwen3
output_dir: {output}
val_size:{val_size}
eval_strategy: steps
"""


@each(
    ("model", "dataset", "output", "val_size", "severities"),
    [
        ("", "", "", "", {"note"}),
        ("", "", "out", "", {"note"}),
        ('""', "# yours", "out", "", {"note"}),
        # Only one of what every run needs, or with another answer than a blank.
        ("Qwen/Qwen3-0.6B", "", "out", "", {"error"}),
        ("Qwen/Qwen3-0.6B", "null", "~", "", {"error"}),
        # `null` is no blank.
        ("", "", "", " null", {"error"}),
    ],
)
def test_every_blank_of_a_template_is_to_be_filled_in(
    model: str, dataset: str, output: str, val_size: str, severities: set[str], tmp_path: Path
) -> None:
    text = EMPTY.format(model=model, dataset=dataset, output=output, val_size=val_size)
    (tmp_path / "sft.yaml").write_text(text, encoding="utf-8")

    def about(path: Path) -> set[str]:
        found = json.loads(run("--format", "json", str(path)).out)["files"][0]["diagnostics"]
        return {one["severity"] for one in found if "`val_size`" in one["message"]}

    assert about(tmp_path) == severities
    # Who names the file wants to start it.
    assert about(tmp_path / "sft.yaml") == {"error"}


@each(
    ("lines", "is_blank"),
    [
        ("model:\n  path:\ndata:\n  path:\nx:\n", True),
        ("model:\n  path:\ndata:\n  batch:\nx:\n", False),
        ("base_model:\ndatasets:\n- path:\nx:\n", True),
        ("base_model:\nmodel:\nx:\n", False),
    ],
)
def test_keys_of_sections(lines: str, is_blank: bool) -> None:
    found = finding("X1", Span(0, 0), message="`x` is empty.", severity="warning", path=("x",))
    document = compose(SourceText(lines))
    report = FileReport("a", "axolotl", document.source, (found,), {}, 0, environment(), "error")
    (one,) = as_notes_if_blank(report, document).diagnostics
    assert one.severity == ("note" if is_blank else "warning")
    # What a key is called stays as it is.
    unknown = found.replaced(code="KEY001")
    report = report.replaced(diagnostics=(unknown,))
    assert as_notes_if_blank(report, document).diagnostics == (unknown,)
