"""The public API: `lint_text`, `lint_file`, `fix_text` and what they return."""

from __future__ import annotations

import doctest
import json
import os
import pickle
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cfglint
import cfglint.api.functions
import cfglint.api.linter
from cfglint import (
    Diagnostic,
    Edit,
    EffectiveReport,
    ExplainReport,
    FileReport,
    FitReport,
    Fix,
    FixReport,
    MigrationReport,
    RunDiagnosis,
    fix_text,
    lint_file,
    lint_text,
)
from tests.cli.files import CLEAN, MISSPELT, TWICE, TWICE_FIXED, WARNED
from tests.cli.running import run
from tests.draws import each

ROOT = Path(__file__).resolve().parents[2]


def codes(report: FileReport | FixReport) -> list[str]:
    return [found.code for found in report.diagnostics]


def test_the_examples_in_the_documentation() -> None:
    for module in (cfglint.api.functions, cfglint.api.linter):
        result = doctest.testmod(module)
        assert result.attempted > 0
        assert result.failed == 0


def test_the_examples_of_the_page() -> None:
    page = (ROOT / "docs" / "python-api.md").read_text(encoding="utf-8")
    examples = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert len(examples) == 6
    exec(compile("\n".join(examples), "python-api.md", "exec"), {})


def test_the_page_names_what_is_public() -> None:
    page = (ROOT / "docs" / "python-api.md").read_text(encoding="utf-8")
    words = set(re.findall(r"\w+", page))
    assert set(FileReport._fields) - words <= {
        *("fail_on", "show_fixes", "fixed", "rejected", "fixed_source", "original", "not_written"),
        *("title", "names", "is_second", "copy_of", "folded", "open_rules", "due_if_assumed"),
        *("found_with",),
    }
    assert set(Diagnostic._fields) - words <= {
        *("file", "title", "kin", "own_severity", "meant", "cause"),
    }
    assert set(FixReport._fields) <= words
    for record in (EffectiveReport, FitReport, MigrationReport, ExplainReport, RunDiagnosis):
        assert set(record._fields) <= words
    assert {"Linter", "Disk", "InMemory", "Overlay"} <= words


def test_every_public_name_is_there() -> None:
    for name in cfglint.__all__:
        assert getattr(cfglint, name) is not None
    assert set(cfglint.api.functions.__all__) <= set(cfglint.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nope'"):
        _ = cfglint.nope


def test_lint_text() -> None:
    report = lint_text(MISSPELT)
    assert isinstance(report, FileReport)
    assert report.framework == "axolotl"
    (found,) = report.diagnostics
    assert isinstance(found, Diagnostic)
    assert (found.code, found.name, found.severity) == ("KEY001", "unknown-key", "error")
    assert report.source.text[found.span.start : found.span.end] == "output_dirr"
    assert report.source.position(found.span.start) == (10, 1)
    assert found.path == ("output_dirr",)
    (fix,) = found.fixes
    assert isinstance(fix, Fix)
    assert fix.safety == "safe"
    assert fix.edits == (Edit(found.span.start, found.span.end, "output_dir"),)
    assert lint_text(CLEAN).diagnostics == ()


def test_what_is_asked_for() -> None:
    assert codes(lint_text(TWICE)) == ["YML020"]
    assert codes(lint_text(TWICE, ignore=["YML020"])) == []
    assert codes(lint_text(TWICE, ignore=["duplicate-key"])) == []
    assert codes(lint_text(TWICE, select=["KEY"])) == []
    assert codes(lint_text(TWICE, select=iter(["YML"]), ignore=iter(()))) == ["YML020"]
    report = lint_text(CLEAN, target=("axolotl==0.9.2",), gpus=8, gpu="h100")
    assert report.target.release == "0.9.2"
    assert report.target.fact("gpus") == 8
    assert lint_text(WARNED).suppressed == 0


def test_settings_files_are_for_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("cfglint.toml").write_text('ignore = ["KEY"]\n', encoding="utf-8")
    Path("train.yml").write_text(MISSPELT, encoding="utf-8")
    assert codes(lint_text(MISSPELT)) == ["KEY001"]
    assert codes(fix_text(TWICE)) == ["YML020"]
    assert codes(lint_file("train.yml")) == []
    Path("cfglint.toml").write_text("nope = 1\n", encoding="utf-8")
    with pytest.raises(ValueError, match="unknown setting 'nope'"):
        lint_file("train.yml")
    assert codes(lint_text(MISSPELT)) == ["KEY001"]


def test_lint_file(tmp_path: Path) -> None:
    path = tmp_path / "train.yml"
    path.write_bytes(b"\xef\xbb\xbf" + MISSPELT.replace("\n", "\r\n").encode())
    before = path.read_bytes()
    for given_path in (path, str(path)):
        report = lint_file(given_path, ignore=["YML028"])
        assert report.path == str(path)
        assert codes(report) == ["KEY001"]
        assert report.source.bom
    assert codes(lint_file(path, select=["PAK"], target=["axolotl==0.18.0"], gpus=2)) == []
    assert path.read_bytes() == before
    # What is of no framework is judged as one's only on request.
    path.write_text("services: {}\n", encoding="utf-8")
    assert (lint_file(path).framework, lint_file(path).diagnostics) == (None, ())
    assert codes(lint_file(path, framework="axolotl")) != []
    path.write_bytes(b"\xff\xfe")
    assert codes(lint_file(path)) == ["YML002"]
    path.write_bytes(b"# x\n" * 300_000)
    assert codes(lint_file(path)) == ["YML009"]


def test_fix_text() -> None:
    fixed = fix_text(MISSPELT)
    assert isinstance(fixed, FixReport)
    assert fixed.text == CLEAN
    assert [(fix.code, bool(fix.title)) for fix in fixed.fixed] == [("KEY001", True)]
    assert fixed.diagnostics == ()
    untouched = fix_text(TWICE)
    assert (untouched.text, untouched.fixed, codes(untouched)) == (TWICE, (), ["YML020"])
    unsafe = fix_text(TWICE, unsafe=True)
    assert (unsafe.text, codes(unsafe)) == (TWICE_FIXED, [])
    assert fix_text(MISSPELT, ignore=["KEY"]).text == MISSPELT
    assert fix_text(MISSPELT, select=["unknown-key"], target=["axolotl==0.18.0"]).text == CLEAN


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"select": 5}, "select expects a string or several strings but got 5"),
        ({"select": ["KEY", 5]}, "select expects a string or several strings but got ['KEY', 5]"),
        ({"ignore": b"KEY"}, "ignore expects a string or several strings but got b'KEY'"),
        ({"target": None}, "target expects a string or several strings but got None"),
        ({"gpus": "8"}, "gpus expects a whole number but got '8'"),
        ({"gpus": True}, "gpus expects a whole number but got True"),
        ({"gpus": 8.0}, "gpus expects a whole number but got 8.0"),
        ({"gpu": 8}, "gpu expects a string but got 8"),
        ({"min_confidence": 1}, "min_confidence expects a string but got 1"),
        ({"framework": ["x"] * 99}, "framework expects a string but got ['x', 'x'"),
    ],
)
def test_arguments_of_a_wrong_type(tmp_path: Path, arguments: dict[str, Any], message: str) -> None:
    path = tmp_path / "train.yml"
    path.write_text(CLEAN, encoding="utf-8")
    calls: list[tuple[Any, Any]] = [(lint_text, CLEAN), (fix_text, CLEAN), (lint_file, path)]
    for call, subject in calls:
        with pytest.raises(TypeError) as caught:
            call(subject, **arguments)
        assert message in str(caught.value)


@each("text", [b"a: 1", None, 5, Path("train.yml")])
def test_what_is_no_text(text: Any) -> None:
    for call in (lint_text, fix_text):
        with pytest.raises(TypeError, match="text expects a str but got"):
            call(text)


def test_one_string_is_one_selector() -> None:
    assert codes(lint_text(TWICE, select="YML")) == codes(lint_text(TWICE, select=["YML"]))
    assert codes(lint_text(TWICE, select="KEY")) == []
    assert codes(lint_text(TWICE, ignore="duplicate-key")) == []
    assert lint_text(CLEAN, target="axolotl==0.9.2").target.release == "0.9.2"
    with pytest.raises(ValueError, match="unknown rule 'KEY,YML'"):
        lint_text(TWICE, select="KEY,YML")


def test_a_text_may_have_a_name() -> None:
    text = '{"zero_optimization": {"stage": 2}, "train_batch_sise": 8}'
    report = lint_text(text, "configs/ds.json")
    assert (report.path, report.framework) == ("configs/ds.json", "deepspeed")
    assert lint_text(CLEAN, Path("a.yml")).path == "a.yml"
    assert lint_text("{}", framework="accelerate").framework == "accelerate"
    assert lint_text("a: \ud800", framework="accelerate").framework == "accelerate"
    assert '"train_batch_size": 8' in fix_text(text, "ds.json").text
    with pytest.raises(ValueError, match="framework expects one of "):
        lint_text(CLEAN, framework="nope")


def test_where_a_finding_is() -> None:
    text = "base_model: a/b\r\ndatasets: [{path: a, typpe: alpaca}]\r\n"
    (found,) = lint_text(text, select="KEY").diagnostics
    assert (found.line, found.column, found.start, found.end) == (2, 22, (2, 22), (2, 27))
    assert text[found.span.start : found.span.end] == "typpe"
    related = [one for d in lint_text(TWICE).diagnostics for one in d.related]
    assert all(one.start.line > 0 and one.end >= one.start for one in related)
    assert related


def test_a_finding_as_the_json_report_has_it(tmp_path: Path) -> None:
    path = tmp_path / "train.yml"
    path.write_text(MISSPELT + TWICE, encoding="utf-8")
    report = json.loads(run(str(path), "--format", "json", "--isolated").out)
    found = lint_text(MISSPELT + TWICE).diagnostics
    assert json.loads(json.dumps([d.to_dict() for d in found])) == report["files"][0]["diagnostics"]


def test_results_are_equal_when_they_say_the_same() -> None:
    first, second = lint_text(MISSPELT), lint_text(MISSPELT)
    assert first.diagnostics == second.diagnostics
    assert len({*first.diagnostics, *second.diagnostics}) == 1
    assert first.source == second.source
    assert lint_text("\n" + MISSPELT).diagnostics != first.diagnostics
    assert pickle.loads(pickle.dumps(first.diagnostics)) == first.diagnostics
    assert first == second
    assert pickle.loads(pickle.dumps(first)) == first
    assert lint_text(MISSPELT, target=["axolotl==0.9.2"]) != first


def test_results_are_frozen() -> None:
    report, fixed = lint_text(MISSPELT), fix_text(MISSPELT)
    (found,) = report.diagnostics
    parts = (
        report,
        fixed,
        found,
        found.fixes[0],
        found.fixes[0].edits[0],
        report.source,
        found.span,
    )
    for part in (*parts, found.start, fixed.fixed[0]):
        for name in ("code", "text", "start", "title", "path", "bom"):
            with pytest.raises(AttributeError):
                setattr(part, name, 1)
            with pytest.raises(AttributeError):
                delattr(part, name)
    assert isinstance(report.diagnostics, tuple)
    assert isinstance(fixed.diagnostics, tuple)
    for change in ("update", "clear", "pop", "setdefault", "popitem"):
        with pytest.raises(TypeError, match="immutable"):
            getattr(report.undecided, change)()
    with pytest.raises(TypeError):
        report.undecided["gpus"] = 1  # type: ignore[index]
    assert hash(report.undecided) == hash(lint_text(MISSPELT).undecided)


@each("mark", ["", "\ufeff"])
@each("newline", ["\n", "\r\n"])
@each("end", ["", "\n"])
def test_fix_text_keeps_what_it_does_not_fix(mark: str, newline: str, end: str) -> None:
    def dressed(text: str) -> str:
        return mark + (text[:-1] + end).replace("\n", newline)

    assert fix_text(dressed(MISSPELT), ignore=["YML028"]).text == dressed(CLEAN)
    assert fix_text(dressed(CLEAN), ignore=["YML028"]).text == dressed(CLEAN)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"target": ["axolotl"]}, "is not a target"),
        ({"target": ["nope==1"]}, "no rule depends on the package"),
        ({"target": ["axolotl==x"]}, "is not a version"),
        ({"gpu": "potato"}, "potato"),
        ({"gpus": 0}, "at least 1"),
        ({"select": ["NOPE"]}, "unknown rule 'NOPE'"),
        ({"ignore": ["nope"]}, "unknown rule 'nope'"),
    ],
)
def test_arguments_that_are_wrong(tmp_path: Path, arguments: dict[str, Any], message: str) -> None:
    path = tmp_path / "train.yml"
    path.write_text(CLEAN, encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        lint_text(CLEAN, **arguments)
    with pytest.raises(ValueError, match=message):
        fix_text(MISSPELT, **arguments)
    with pytest.raises(ValueError, match=message):
        lint_file(path, **arguments)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        lint_file(tmp_path / "missing.yml")
    with pytest.raises(OSError, match="not a regular file"):
        lint_file(tmp_path)
    loop = tmp_path / "loop.yml"
    loop.symlink_to(loop)
    with pytest.raises(OSError, match="symbolic links"):
        lint_file(loop)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yml")
    with pytest.raises(OSError, match="not a regular file"):
        lint_file(tmp_path / "pipe.yml")


def test_a_path_object_of_another_kind(tmp_path: Path) -> None:
    class Elsewhere(os.PathLike[str]):
        def __fspath__(self) -> str:
            return str(tmp_path / "train.yml")

    (tmp_path / "train.yml").write_text(MISSPELT, encoding="utf-8")
    assert codes(lint_file(Elsewhere())) == ["KEY001"]


def test_text_that_cannot_be_read_is_given_back() -> None:
    for text in (MISSPELT + "\ud800\n", MISSPELT + "# x\n" * 300_000, MISSPELT + "a: ["):
        fixed = fix_text(text, unsafe=True)
        assert fixed.text == text
        assert fixed.fixed == ()
        assert len(fixed.diagnostics) == 1


@settings(deadline=None)
@given(
    st.lists(
        st.one_of(
            st.sampled_from(
                [MISSPELT, TWICE, WARNED, "a: [", "\ud800", "\x00", "\ufeff", "\t", "- "]
            ),
            st.text(max_size=5),
        ),
        max_size=4,
    ).map("".join)
)
def test_no_text_raises(text: str) -> None:
    report = lint_text(text)
    for found in report.diagnostics:
        assert 0 <= found.span.start <= found.span.end <= len(report.source.text)
    fixed = fix_text(text, unsafe=True)
    assert fix_text(fixed.text, unsafe=True).text == fixed.text
    if not fixed.fixed and "\ud800" not in text:
        assert fixed.text == text


def test_a_note_of_low_confidence_is_reported_on_request() -> None:
    text = "base_model: a/b\nrl: dpo\nadapter: lora\nfsdp_config:\n  x: 1\n"
    target = ["axolotl==0.10.0"]

    def codes(**options: Any) -> set[str]:
        return {found.code for found in lint_text(text, target=target, **options).diagnostics}

    assert "RLH321" not in codes()
    assert "RLH321" in codes(min_confidence="low")
    assert "RLH321" in codes(select=["RLH321"])
    with pytest.raises(ValueError, match="high, medium, low"):
        codes(min_confidence="none")
