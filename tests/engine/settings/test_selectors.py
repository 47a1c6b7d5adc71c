"""How rules are named in options, settings and comments, and what is said of them there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cfglint.diagnostic import SeverityName
from cfglint.engine.file_report import FileReport
from cfglint.engine.runner import Runner
from cfglint.engine.session import Options, RunError
from cfglint.engine.settings.file import PerFileIgnores, RuleSeverity
from cfglint.engine.settings.nearest import SettingsFinder
from cfglint.engine.settings.selection import Selection
from cfglint.engine.settings.selectors import meant, per_file_option, selector, severity_option
from cfglint.knowledge.rules.knowledge import load_knowledge
from tests.cli.files import MISSPELT
from tests.draws import each

AXOLOTL = load_knowledge("axolotl")


@each(
    ("text", "wanted"),
    [
        ("KEY001", "KEY001"),
        ("key001", "KEY001"),
        ("Key", "KEY"),
        ("unknown-key", "unknown-key"),
        ("Unknown-KEY", "unknown-key"),
        ("KEY9", None),
        ("unknown", None),
        ("", None),
        (" KEY", None),
    ],
)
def test_selectors(text: str, wanted: str | None) -> None:
    assert selector(text, AXOLOTL) == wanted


def test_every_former_code_is_the_present_one() -> None:
    assert AXOLOTL.renamed
    for former, now in AXOLOTL.renamed.items():
        assert selector(former.lower(), AXOLOTL) == now


def test_what_was_meant() -> None:
    assert meant("KEY0O1", AXOLOTL) == "; did you mean KEY001?"
    assert meant("zzz", AXOLOTL) == ""


def test_severities_as_options() -> None:
    assert severity_option("KEY001=note, yml = error,") == [
        RuleSeverity(None, "KEY001", "note"),
        RuleSeverity(None, "yml", "error"),
    ]
    for text in ("KEY001", "=error", "KEY=fatal", "KEY=error=note=x"):
        with pytest.raises(ValueError, match="does not set a rule's severity"):
            severity_option(text)


def test_per_file_ignores_as_options() -> None:
    assert per_file_option("C:/old runs/:KEY,yml") == PerFileIgnores(
        None, "C:/old runs/", ("KEY", "yml")
    )
    for text in ("old/", ":KEY", "old/:", "old/: ,"):
        with pytest.raises(ValueError, match="does not name rules for files"):
            per_file_option(text)
    with pytest.raises(ValueError, match="'!' is not a valid pattern"):
        per_file_option("!:KEY")


def check(path: Path, **options: Any) -> FileReport:
    report = Runner(Options(**options), SettingsFinder()).check_file(str(path), named=True)
    assert report is not None
    return report


def found(path: Path, **options: Any) -> list[tuple[str, SeverityName]]:
    return [(d.code, d.severity) for d in check(path, **options).diagnostics]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "old").mkdir()
    for name in ("new.yml", "old/run.yml"):
        (tmp_path / name).write_text(MISSPELT, encoding="utf-8")
    return tmp_path


def test_rules_are_left_out_for_some_files(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "cfglint.toml").write_text('per-file-ignores = {"/old/" = "key"}\n')
    assert found(project / "new.yml") == [("KEY001", "error")]
    assert found(project / "old/run.yml") == []
    # Whatever is selected.
    assert found(project / "old/run.yml", select=("KEY001",)) == []
    monkeypatch.chdir(project)
    assert found(Path("new.yml"), per_file_ignores=("new.*:KEY001",)) == []
    monkeypatch.chdir(project / "old")
    assert found(Path("../new.yml"), per_file_ignores=("/new.yml:KEY001",)) != []


def test_rules_are_left_out_for_the_other_files_that_findings_stand_in(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("axolotl==0.9.2\ntrl==0.1.0\n", encoding="utf-8")
    path = tmp_path / "train.yml"
    path.write_text(MISSPELT, encoding="utf-8")
    before = check(path).elsewhere
    assert [d.code[:3] for report in before for d in report.diagnostics] == ["ENV"]
    (tmp_path / "cfglint.toml").write_text(
        'per-file-ignores = {"requirements.txt" = "ENV"}\n', encoding="utf-8"
    )
    assert [d.code for report in check(path).elsewhere for d in report.diagnostics] == []


def test_findings_have_the_severity_that_the_project_gives_them(project: Path) -> None:
    path = project / "new.yml"
    settings = project / "cfglint.toml"
    settings.write_text('severity = {key = "warning"}\n')
    assert found(path) == [("KEY001", "warning")]
    assert found(path, severity=("KEY001=note",)) == [("KEY001", "note")]
    # The longer one decides, whichever comes first; a name is as good as a code.
    settings.write_text('severity = {KEY001 = "note", KEY = "warning"}\n')
    assert found(path) == [("KEY001", "note")]
    settings.write_text('severity = {unknown-key = "note", ALL = "warning"}\n')
    assert found(path) == [("KEY001", "note")]
    (project / "base.toml").write_text('severity = {KEY001 = "error", YML = "note"}\n')
    settings.write_text('extend = "base.toml"\nseverity = {key001 = "note"}\n')
    assert found(path) == [("KEY001", "note")]


def test_a_file_that_cannot_be_read_has_it_too(tmp_path: Path) -> None:
    path = tmp_path / "train.yml"
    for data in (b"base_model: [", b"base_model: \xff\xfe\xfa"):
        path.write_bytes(data)
        ((code, severity),) = found(path)
        assert severity == "error"
        assert found(path, severity=(f"{code}=warning",)) == [(code, "warning")]


def test_an_undecided_finding_is_one_lower(tmp_path: Path) -> None:
    path = tmp_path / "train.yml"
    path.write_text(
        MISSPELT.replace("sequence_lenn", "sequence_len")
        + "eval_sample_packing: true\nsample_packing: true\nval_set_size: 0.1\n"
    )
    pinned: dict[str, Any] = {"select": ("PAK001",), "target": ("axolotl==0.4.1",)}
    assert dict(found(path, **pinned)) == {"PAK001": "warning"}
    assert dict(found(path, **pinned, severity=("PAK001=warning",))) == {"PAK001": "note"}


def test_what_only_other_releases_do_stays_a_note(tmp_path: Path) -> None:
    path = tmp_path / "train.yml"
    path.write_text(
        MISSPELT.replace("sequence_lenn", "sequence_len")
        + "eval_sample_packing: true\nsample_packing: true\nval_set_size: 0.1\n"
    )
    unsure: dict[str, Any] = {"select": ("PAK001",), "min_confidence": "low"}
    assert dict(found(path, **unsure, severity=("PAK001=error",))) == {"PAK001": "note"}


@each(
    ("options", "said"),
    [
        ({"select": ("KEYY",)}, "unknown rule 'KEYY'"),
        ({"ignore": ("unknwon-key",)}, "unknown rule 'unknwon-key'; did you mean unknown-key?"),
        ({"severity": ("KEYY=note",)}, "unknown rule 'KEYY'"),
        ({"severity": ("KEY",)}, "--severity: 'KEY' does not set a rule's severity"),
        ({"per_file_ignores": ("x:KEYY",)}, "unknown rule 'KEYY'"),
        ({"per_file_ignores": ("x",)}, "--per-file-ignores: 'x' does not name rules"),
    ],
)
def test_options_that_are_not_understood(options: dict[str, Any], said: str) -> None:
    with pytest.raises(RunError) as caught:
        Runner(Options(**options), SettingsFinder(isolated=True)).check_options()
    assert said in str(caught.value)


@pytest.mark.parametrize(
    "text", ["severity = {KEYY = 'note'}", "per-file-ignores = {'old/' = ['KEY', 'KEYY']}"]
)
def test_settings_name_rules_that_there_are(project: Path, text: str) -> None:
    (project / "base.toml").write_text(text)
    (project / "cfglint.toml").write_text("extend = 'base.toml'")
    with pytest.raises(RunError) as caught:
        check(project / "new.yml")
    assert str(caught.value).startswith(f"{project / 'base.toml'}: unknown rule 'KEYY'")


def test_what_is_silenced_stays_so() -> None:
    assert Selection(silenced=("KEY",), select=("KEY001",)).has("KEY001", "unknown-key") is False
    assert Selection(silenced=("unknown-key",)).has("KEY001", "unknown-key") is False
    assert Selection(silenced=("KEY",)).has("YML020", "duplicate-key") is True
