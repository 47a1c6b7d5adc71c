"""Findings in chat templates, inline and in files."""

from __future__ import annotations

from pathlib import Path

import pytest

import cfglint
from tests.cli.files import CLEAN

BROKEN = "{% for m in messages %}\n{{ m }}\n"


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    return tmp_path


def found(repo: Path, extra: str) -> list[tuple[str, str, int]]:
    """(code, file, line) of what is found in a config with more lines, and beside it."""
    config = repo / "train.yml"
    config.write_text(CLEAN + extra)
    report = cfglint.lint_file(config, select=["TOK55"])
    return [
        (d.code, Path(one.path).name, one.source.position(d.span.start).line)
        for one in (report, *report.elsewhere)
        for d in one.diagnostics
    ]


LINES = len(CLEAN.splitlines())


def test_the_line_of_a_literal_block(repo: Path) -> None:
    extra = "chat_template_jinja: |\n  {% for m in messages %}\n  {{ m }}\n  {% endif %}\n"
    assert found(repo, extra) == [("TOK551", "train.yml", LINES + 4)]
    assert found(repo, extra.replace("|", "|2-")) == [("TOK551", "train.yml", LINES + 4)]
    assert found(repo, extra.replace("|", ">")) == [("TOK551", "train.yml", LINES + 1)]


def test_a_template_in_a_file(repo: Path) -> None:
    (repo / "t.jinja").write_text("\n" + BROKEN)
    assert found(repo, "chat_template_jinja: t.jinja\n") == [("TOK551", "t.jinja", 2)]
    assert found(repo, "chat_template: chatml\nchat_template_jinja: t.jinja\n") == []
    (repo / "t.jinja").write_text("{{ x }}")
    assert found(repo, "chat_template_jinja: t.jinja\n") == [("TOK553", "t.jinja", 1)]
    assert found(repo, "chat_template_jinja: u.jinja\n") == [("TOK552", "train.yml", LINES + 1)]
    (repo / "t.jinja").write_bytes(b"\xff")
    assert found(repo, "chat_template_jinja: t.jinja\n") == []
    (repo / "t.jinja").write_text("{{" * 500_000)
    assert found(repo, "chat_template_jinja: t.jinja\n") == []


def test_before_files_were_read_nothing_is_looked_for(repo: Path) -> None:
    (repo / "train.yml").write_text(CLEAN + "chat_template_jinja: u.jinja\n")
    report = cfglint.lint_file(repo / "train.yml", select=["TOK552"], target=["axolotl==0.9.2"])
    assert report.diagnostics == ()


@pytest.mark.parametrize(
    "extra",
    [
        "chat_template_jinja: [1]\n",
        "chat_template_jinja: 3\n",
        "chat_template_jinja:\n",
        "chat_template_jinja: ''\n",
        "test_datasets: [1, {chat_template_jinja: {a: 1}}]\n",
        "chat_template: [x]\nchat_template_jinja: '{{ messages }}'\n",
    ],
)
def test_odd_values_are_other_rules_affair(repo: Path, extra: str) -> None:
    assert found(repo, extra) == []


def test_inline_templates_are_read_without_files() -> None:
    text = CLEAN + "chat_template_jinja: '{% if messages %}'\n"
    assert [d.code for d in cfglint.lint_text(text, select=["TOK55"]).diagnostics] == ["TOK551"]
    text = CLEAN + "chat_template_jinja: ./x/t.jinja\n"
    assert cfglint.lint_text(text, select=["TOK55"]).diagnostics == ()
