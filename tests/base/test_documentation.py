"""Where findings lead: to a page of the site, or to the command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cfglint import lint_text
from cfglint.base import documentation
from cfglint.base.documentation import rule_address, rule_page
from cfglint.report.formats.text import render
from cfglint.report.run import RunReport
from cfglint.report.style import Style
from tests.cli.running import run

SITE = "https://docs.example.com/cfglint"


def test_without_a_site_the_command_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CFGLINT_SITE", raising=False)
    monkeypatch.setattr(documentation, "SITE", "")
    assert (rule_page("KEY001"), rule_address("KEY001")) == ("", "cfglint:explain/KEY001")


@pytest.mark.parametrize("site", [SITE, f"{SITE}/", f" {SITE}// "])
def test_the_variable_names_a_copy(monkeypatch: pytest.MonkeyPatch, site: str) -> None:
    monkeypatch.setenv("CFGLINT_SITE", site)
    assert rule_address("KEY001") == rule_page("KEY001") == f"{SITE}/rules/KEY001.html"


@pytest.mark.parametrize("site", ["", "docs/site", "javascript:alert(1)", "\x1b]8;;https://a"])
def test_only_addresses_of_pages_are_taken(monkeypatch: pytest.MonkeyPatch, site: str) -> None:
    monkeypatch.setenv("CFGLINT_SITE", site)
    assert rule_address("KEY001") == "cfglint:explain/KEY001"


def test_the_published_site_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CFGLINT_SITE", raising=False)
    monkeypatch.setattr(documentation, "SITE", f"{SITE}/")
    assert rule_page("PAK001") == f"{SITE}/rules/PAK001.html"


def test_reports_lead_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = tmp_path / "train.yml"
    config.write_text("base_model: a/b\nlearning_ratee: 0.1\n")
    options = (str(config), "--select", "KEY001", "--isolated")
    env = {"CFGLINT_SITE": SITE}
    [file] = json.loads(run(*options, "--format", "json", env=env).out)["files"]
    assert [found["url"] for found in file["diagnostics"]] == [f"{SITE}/rules/KEY001.html"]
    [sarif] = json.loads(run(*options, "--format", "sarif", env=env).out)["runs"]
    assert [rule["helpUri"] for rule in sarif["tool"]["driver"]["rules"]] == [
        f"{SITE}/rules/KEY001.html"
    ]
    [plain] = json.loads(run(*options, "--format", "sarif").out)["runs"]
    assert "helpUri" not in plain["tool"]["driver"]["rules"][0]


def test_codes_on_a_terminal_lead_there(monkeypatch: pytest.MonkeyPatch) -> None:
    report = lint_text("base_model: a/b\nlearning_ratee: 0.1\n", select="KEY001")
    style = Style(color=False, links=True)
    monkeypatch.setenv("CFGLINT_SITE", SITE)
    assert f"\x1b]8;;{SITE}/rules/KEY001.html\x1b\\KEY001" in render(RunReport([report], []), style)
