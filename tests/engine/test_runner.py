"""One run: options over settings, which rules speak, failing rules, what becomes of files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cfglint.checks.context import CheckContext, Hit
from cfglint.checks.registry import CHECKS
from cfglint.diagnostic import Diagnostic
from cfglint.engine.case import Case
from cfglint.engine.file_report import FileReport
from cfglint.engine.lint import lint_source
from cfglint.engine.runner import Runner
from cfglint.engine.session import Options, RunError, UnrecognizedError
from cfglint.engine.settings.nearest import Settings, SettingsFinder
from cfglint.engine.settings.selection import Selection
from cfglint.environment.building import build_environment
from cfglint.frameworks.axolotl.framework import Axolotl
from cfglint.source.text import SourceText, Span
from tests.draws import each

AXOLOTL = Axolotl()
CONFIG = (
    "base_model: a/b\nlearning_rate: 0.1\nsequence_len: 1\nmicro_batch_size: 1\nmade_up_key: 1\n"
)


def check(path: Path, *, named: bool = True, **options: Any) -> FileReport | None:
    return Runner(Options(**options), SettingsFinder()).check_file(str(path), named=named)


def report(path: Path, **options: Any) -> FileReport:
    found = check(path, **options)
    assert found is not None
    return found


@pytest.fixture
def config(tmp_path: Path) -> Path:
    (tmp_path / "cfglint.toml").write_text(
        'target = ["axolotl==0.18.0", "trl==0.15.1"]\ngpus = 4\ngpu = "a100-80gb"\nfail-on = "note"\n'
    )
    path = tmp_path / "c.yml"
    path.write_text(CONFIG)
    return path


def test_settings_hold_and_options_win(config: Path) -> None:
    settled = report(config)
    assert settled.target.release == "0.18.0"
    assert settled.target.release_origin == "cfglint.toml"
    assert settled.target.fact("gpus") == 4
    assert settled.fail_on == "note"
    told = report(config, target=("axolotl==0.12.2",), gpus=2)
    assert told.target.release == "0.12.2"
    assert told.target.release_origin == "--target"
    assert told.target.pins["trl"].version == "0.15.1"
    assert told.target.fact("gpus") == 2
    assert told.target.fact("gpu") == settled.target.fact("gpu")


def test_another_gpu_brings_its_own_facts_alone(config: Path) -> None:
    told = report(config, gpu="h100").target
    assert told.fact("gpu") == "h100"
    assert all(
        fact.origin == "--gpu" for name, fact in told.facts.items() if name.startswith("gpu.")
    )


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"target": ("numpy==1",)}, "no rule depends on the package"),
        ({"gpu": "potato"}, "not a GPU"),
        ({"select": ("ZZZ",)}, "unknown rule"),
        ({"ignore": ("unknown-keys",)}, "unknown rule"),
    ],
)
def test_options_that_cannot_be_understood(
    config: Path, options: dict[str, Any], words: str
) -> None:
    with pytest.raises(RunError, match=words):
        check(config, **options)
    with pytest.raises(RunError, match=words):
        Runner(Options(**options), SettingsFinder()).check_options()


def test_broken_settings_are_named(config: Path) -> None:
    settings = config.parent / "cfglint.toml"
    settings.write_text("gpus = 'x'\n")
    with pytest.raises(RunError, match=r"cfglint\.toml: gpus"):
        check(config)


def test_select_of_options_replaces_and_ignore_adds(config: Path) -> None:
    (config.parent / "cfglint.toml").write_text('select = ["YML"]\nignore = ["YML02"]\n')
    runner = Runner(Options(select=("KEY",), ignore=("KEY002",)), SettingsFinder())
    selection = runner.session.selection(runner.session.settings(str(config)), AXOLOTL)
    assert selection == Selection(("KEY",), ("KEY002", "YML02"))
    assert [found.code for found in report(config).diagnostics] == []


@each(
    ("select", "ignore", "on", "off"),
    [
        ((), (), ["KEY001", "YML021"], []),
        (("KEY",), (), ["KEY001", "KEY002"], ["YML021"]),
        ((), ("KEY",), ["YML021"], ["KEY001"]),
        (("KEY",), ("KEY001",), ["KEY002"], ["KEY001", "YML021"]),
        (("KEY001",), ("KEY",), ["KEY001"], ["KEY002"]),
        (("KEY001",), ("KEY001",), [], ["KEY001"]),
        (("ALL",), ("KEY",), ["YML021"], ["KEY001"]),
        (("ALL", "KEY001"), ("ALL",), ["KEY001"], ["YML021"]),
        (("the-name",), (), ["KEY001"], []),
        ((), ("the-name",), [], ["KEY001"]),
        (("the",), (), [], ["KEY001"]),
        (("key",), (), [], ["KEY001"]),
    ],
)
def test_selection(
    select: tuple[str, ...], ignore: tuple[str, ...], on: list[str], off: list[str]
) -> None:
    selection = Selection(select, ignore)
    assert all(selection.has(code, "the-name") for code in on)
    assert not any(selection.has(code, "the-name") for code in off)


@each(
    ("selection", "told"),
    [
        (Selection(), "high/note medium/note low/warning low/error"),
        (Selection(confidence="low"), "high/note medium/note low/note low/warning low/error"),
        (Selection(confidence="medium"), "high/note medium/note"),
        (Selection(confidence="high"), "high/note"),
        (Selection(("ABC",), confidence="high"), "high/note"),
        (Selection(("ABC001",)), "high/note medium/note low/note low/warning low/error"),
        (
            Selection(("the-name",), confidence="high"),
            "high/note medium/note low/note low/warning low/error",
        ),
    ],
)
def test_only_findings_of_enough_confidence_are_reported(selection: Selection, told: str) -> None:
    def finding(confidence: str, severity: str) -> Diagnostic:
        return Diagnostic(
            code="ABC001",
            name="the-name",
            severity=severity,  # type: ignore[arg-type]
            confidence=confidence,  # type: ignore[arg-type]
            upstream="silent",
            bites="start",
            message="m",
            path=(),
            span=Span(0, 0),
        )

    kinds = ["high/note", "medium/note", "low/note", "low/warning", "low/error"]
    assert [k for k in kinds if selection.reports(finding(*k.split("/")))] == told.split()


def test_confidence_of_options_and_settings(config: Path) -> None:
    def confidence(**options: Any) -> str | None:
        runner = Runner(Options(**options), SettingsFinder())
        return runner.session.selection(runner.session.settings(str(config)), AXOLOTL).confidence

    assert confidence() is None
    (config.parent / "cfglint.toml").write_text("min-confidence = 'low'\n")
    assert confidence() == "low"
    assert confidence(min_confidence="high") == "high"


def test_files_that_are_no_configs(tmp_path: Path) -> None:
    path = tmp_path / "compose.yml"
    path.write_text("services: {}\n")
    assert check(path, named=False) is None
    assert check(path, named=True, detect=True) is None
    with pytest.raises(UnrecognizedError, match="not recognized"):
        check(path, named=True)
    path.write_bytes(b"\xff\xfe\x00")
    assert check(path, named=False) is None
    assert [found.name for found in report(path).diagnostics] == ["not-utf8"]
    path.write_bytes(CONFIG.encode() + b"name: \xe9\n")
    found = check(path, named=False)
    assert found is not None
    assert [one.name for one in found.diagnostics] == ["not-utf8"]
    assert found.source.position(found.diagnostics[0].span.start) == (6, 7)


def test_unreadable_path(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="cannot be read"):
        check(tmp_path / "none.yml")
    with pytest.raises(RunError, match="cannot be read"):
        check(tmp_path)


def test_fixing_writes_and_reports_what_remains(tmp_path: Path) -> None:
    path = tmp_path / "c.yml"
    path.write_bytes((CONFIG + "warmup_ration: 0.1  # slow\n").replace("\n", "\r\n").encode())
    shown = report(path, diff=True)
    assert shown.fixed_source is not None
    assert b"warmup_ration:" in path.read_bytes()
    found = report(path, fix=True)
    assert [fix.code for fix in found.fixed] == ["KEY001"]
    assert path.read_bytes().endswith(b"warmup_ratio: 0.1  # slow\r\n")
    assert found.source.text == path.read_bytes().decode()
    assert "warmup_ration" not in str(found.diagnostics)
    assert report(path, fix=True).fixed == ()


def test_a_file_that_changes_meanwhile_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "c.yml"
    path.write_text("something else\n")
    runner = Runner(Options(fix=True), SettingsFinder(isolated=True))
    data = (CONFIG + "warmup_ration: 0.1\n").encode()
    found = runner.check_bytes(data, str(path), named=True, write=True)
    assert found is not None
    assert found.not_written is not None
    assert found.fixed == ()
    assert path.read_text() == "something else\n"


def test_a_rule_that_fails_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(ctx: CheckContext) -> Iterator[Hit]:
        yield Hit(("made_up_key",), ctx.document.root.span, {})
        raise ZeroDivisionError("oh\x1b[2J")

    monkeypatch.setitem(CHECKS, "duplicate-key", broken)
    axolotl = Axolotl()
    target = build_environment(axolotl.releases)
    result = lint_source(SourceText(CONFIG), Case.of_text(axolotl, target))
    codes = [found.code for found in result.diagnostics]
    assert codes.count("CFG003") == 1
    assert "KEY001" in codes
    (crash,) = [found for found in result.diagnostics if found.code == "CFG003"]
    assert "YML020" in crash.message
    assert "ZeroDivisionError" in crash.message


def test_targets_and_selections_are_made_once() -> None:
    runner = Runner(Options(), SettingsFinder(isolated=True))
    assert runner.session.environment(AXOLOTL, Settings()) == runner.session.environment(
        AXOLOTL, Settings()
    )
    assert runner.session.selection(Settings(), AXOLOTL) is runner.session.selection(
        Settings(), AXOLOTL
    )


def test_yaml_with_the_keys_of_json_is_checked_where_a_config_names_it_and_nothing_else_reads_it(
    tmp_path: Path,
) -> None:
    settings = tmp_path / "zero2.yaml"
    settings.write_text("zero_optimization:\n  stage: 2\n", encoding="utf-8")
    assert check(settings, named=False) is None
    config = tmp_path / "config.yaml"
    config.write_text(CONFIG + "deepspeed: zero2.yaml\n", encoding="utf-8")
    runner = Runner(Options(), SettingsFinder())
    runner.in_run = frozenset({str(settings.resolve())})
    # In a search the config alone says that DeepSpeed reads no YAML: one cause, one finding.
    found = runner.check_file(str(config), named=True)
    assert found is not None
    assert not found.elsewhere
    assert "DST436" in {one.code for one in found.diagnostics}
    runner.in_run = frozenset()
    (other,) = runner.check_file(str(config), named=True).elsewhere  # type: ignore[union-attr]
    assert [one.code for one in other.diagnostics] == ["JSN001"]
