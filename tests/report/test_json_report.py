"""The machine-readable report: its published schema, and every place against the text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from cfglint.diagnostic import Edit, Fix
from cfglint.report.formats.json import render
from cfglint.report.run import RunReport
from cfglint.source.text import Span
from tests.cli.running import run
from tests.draws import each
from tests.report import schemas
from tests.report.building import finding, report, target
from tests.report.cases import CASES

ROOT = Path(__file__).resolve().parents[2]


def validator() -> Draft202012Validator:
    return schemas.validator("json-report.schema.json")


def position(text: str, offset: int) -> dict[str, int]:
    """Line and column, worked out in the slowest way."""
    before = text[:offset]
    if before.endswith("\r") and text[offset : offset + 1] == "\n":
        # Between the two characters of a line break: still the old line.
        before = before[:-1] + " "
    before = before.replace("\r\n", "\n").replace("\r", "\n")
    line, _, rest = ("\n" + before).rpartition("\n")
    return {"line": line.count("\n") + 1, "column": len(rest) + 1, "offset": offset}


def check_places(data: dict[str, Any], texts: dict[str, str]) -> int:
    """Compare every range of a report with the texts; how many there were."""
    checked = 0
    for file in data["files"]:
        text = texts[file["path"]]
        for found in file["diagnostics"]:
            places = [(found["range"], text)]
            for other in found["related"]:
                places.append((other["range"], texts[other.get("path", file["path"])]))
            for place, where in places:
                start, end = place["start"]["offset"], place["end"]["offset"]
                assert 0 <= start <= end <= len(where)
                assert place == {"start": position(where, start), "end": position(where, end)}
                checked += 1
            for fix in found["fixes"]:
                assert bool(fix["edits"]) != ("refused" in fix)
                last = 0
                for edit in fix["edits"]:
                    assert last <= edit["start"] <= edit["end"] <= len(text)
                    last = edit["end"]
    return checked


@each("case", CASES)
def test_a_report_follows_the_schema(case: str) -> None:
    made = CASES[case]()
    data = json.loads(render(made))
    validator().validate(data)
    check_places(data, {file.path: file.source.text for file in made.files})
    assert data["summary"]["files"] == len(data["files"])
    for severity in ("error", "warning", "note"):
        found = [d for file in data["files"] for d in file["diagnostics"]]
        assert data["summary"][severity] == sum(d["severity"] == severity for d in found)


@pytest.mark.parametrize(
    ("pins", "gpus", "gpu"),
    [
        (("axolotl@4e5400c73",), 8, "h100"),
        (("axolotl==0.4.1", "torch==2.4.0"), 1, None),
        (("axolotl==99.0",), None, "a100"),
    ],
)
def test_every_kind_of_target_follows_the_schema(
    pins: tuple[str, ...], gpus: int | None, gpu: str | None
) -> None:
    file = report("a.yml", "a: 1\n", target=target(*pins, gpus=gpus, gpu=gpu))
    data = json.loads(render(RunReport([file], [])))
    validator().validate(data)
    assert data["target"] == data["files"][0]["target"]


_TEXTS = st.text(st.sampled_from("ab: \n\r\t数🚀\u0301\u2028\x85"), max_size=40)


@settings(deadline=None)
@given(_TEXTS, st.data())
def test_places_of_any_span_in_any_text(text: str, data: st.DataObject) -> None:
    offsets = st.integers(0, len(text))
    start, end = sorted((data.draw(offsets), data.draw(offsets)))
    fix = Fix("It", "safe", (Edit(start, end, "x"),), ())
    file = report("a.yml", text, finding("AAA001", Span(start, end), fixes=(fix,)))
    parsed = json.loads(render(RunReport([file], [])))
    validator().validate(parsed)
    assert check_places(parsed, {"a.yml": text}) == 1


def test_the_text_is_ascii() -> None:
    assert render(CASES["wide"]()).isascii()


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_places_and_edits_from_a_real_run(tmp_path: Path, newline: str, mark: str) -> None:
    lines = [
        "base_model: a/b  # 模型 🚀",
        "datasets:",
        "  - {path: 数据.jsonl, type: alpaca}",
        "val_set_size: 0.05",
        "val_set_size: 0.06",
        "learning_ratee: 0.1",
        'wandb_name: "🚀", # no',
    ]
    text = newline.join(lines[:-1])
    path = tmp_path / "train.yml"
    path.write_bytes((mark + text).encode("utf-8"))
    data = json.loads(run(path, "--format", "json", "--isolated").out)
    validator().validate(data)
    assert check_places(data, {str(path): text}) > 0
    found = {d["code"]: d for d in data["files"][0]["diagnostics"]}
    misspelt = found["KEY001"]
    start, end = (misspelt["range"][side]["offset"] for side in ("start", "end"))
    assert text[start:end] == "learning_ratee"
    assert misspelt["path"] == ["learning_ratee"]
    (edit,) = misspelt["fixes"][0]["edits"]
    assert text[: edit["start"]] + edit["text"] + text[edit["end"] :] == text.replace("ee:", "e:")
    twice = found["YML020"]
    assert twice["range"]["start"]["line"] == 4
    assert twice["related"][0]["range"]["start"]["line"] == 5


def test_files_that_name_each_other_follow_the_schema(tmp_path: Path) -> None:
    train, deepspeed = tmp_path / "train.yml", tmp_path / "ds_config.json"
    texts = {
        str(train): (
            "# a comment makes the lines of the two files differ\n"
            "base_model: a/b\ndatasets:\n  - {path: c/d, type: alpaca}\n"
            "micro_batch_size: 1\ngradient_accumulation_steps: 4\nlearning_rate: 0.0001\n"
            "deepspeed: ds_config.json\n"
        ),
        str(deepspeed): (
            '{"zero_optimization": {"stage": 2}, "bf16": {"enabled": "auto"},\n'
            ' "gradient_accumulation_steps": 8, "train_micro_batch_size_per_gpu": "auto"}\n'
        ),
    }
    for name, text in texts.items():
        Path(name).write_text(text, encoding="utf-8")
    (tmp_path / ".git").mkdir()
    data = json.loads(run(train, deepspeed, "--format", "json").out)
    validator().validate(data)
    check_places(data, texts)
    files = {file["path"]: file for file in data["files"]}
    assert files[str(train)]["names"] == [{"path": str(deepspeed), "framework": "deepspeed"}]
    assert "names" not in files[str(deepspeed)]
    (pair,) = [d for d in files[str(deepspeed)]["diagnostics"] if d["code"] == "DST553"]
    (related,) = pair["related"]
    assert related["path"] == str(train)
    assert related["range"]["start"]["line"] == 6


@settings(max_examples=30, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                "base_model: a/b",
                "learning_ratee: 0.1",
                "sequence_len: 1",
                "sequence_len: 2",
                "# 数 🚀",
                '"k\\n": 1',
                "wandb_project: no",
                "micro_batch_size: [1,",
                "\tx",
                'load_in_8bit: "true"',
                "adapter: &x lora",
                "<<: *x",
                "---",
                "datasets: {path: x}",
            ]
        ),
        max_size=8,
    ),
    st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_real_findings_of_made_up_files(lines: list[str], newline: str) -> None:
    text = newline.join(lines)
    arguments = ("-", "--format", "json", "--isolated", "--framework", "axolotl")
    result = run(*arguments, stdin=text.encode("utf-8"))
    data = json.loads(result.out)
    validator().validate(data)
    check_places(data, {"-": text})
    assert result.code == (data["summary"]["error"] > 0)


def test_a_file_whose_findings_are_folded_says_so() -> None:
    file = report("train.yml", "a: 1\n").replaced(copy_of="a project", folded=3)
    run_report = RunReport([file], [])
    run_report.leave_out("x.yml", "no training config")
    run_report.leave_out(".git/", "hidden folder")
    data = json.loads(render(run_report))
    validator().validate(data)
    assert (data["files"][0]["copy_of"], data["files"][0]["folded"]) == ("a project", 3)
    assert data["left_out"] == {"no training config": 1}
