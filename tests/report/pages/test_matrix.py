"""The table of shared rules: for people, for programs, for the documentation."""

from __future__ import annotations

import json

from cfglint.report.pages.matrix import Cell, Matrix, Row, as_json, as_markdown, as_text, known
from tests.cli.running import run

MATRIX = Matrix(
    titles={"a": "Alpha", "b": "Beta", "c": "Gamma"},
    rows=(
        Row(
            "TST001",
            "first-rule",
            "One",
            ("batch", "half"),
            {
                "a": Cell((), "", 2),
                "b": Cell(("batch", "half"), "", 0),
                "c": Cell((), "TST009 says it", 0),
            },
        ),
        Row(
            "TST002",
            "second",
            "Two",
            ("batch",),
            {"a": Cell((), "", 0), "b": Cell(("batch",), "", 0), "c": Cell((), "", 1)},
        ),
    ),
    everywhere=("KEY001", "TYP001"),
)


def test_text() -> None:
    assert as_text(MATRIX).splitlines() == [
        "                    Alpha    Beta     Gamma",
        "TST001  first-rule  yes      lacks 2  no",
        "TST002  second      untried  lacks 1  yes",
        "",
        "TST001  Beta: lacks batch, half",
        "TST001  Gamma: no: TST009 says it",
        "TST002  Beta: lacks batch",
        "",
        "Every framework has: KEY001, TYP001.",
    ]


def test_markdown() -> None:
    assert as_markdown(MATRIX).splitlines() == [
        "| rule | Alpha | Beta | Gamma |",
        "|---|---|---|---|",
        "| `TST001` first-rule: One | yes | lacks `batch`, `half` | no: TST009 says it |",
        "| `TST002` second: Two | yes, without an example | lacks `batch` | yes |",
    ]


def test_json() -> None:
    data = as_json(MATRIX)
    assert data["frameworks"] == MATRIX.titles
    assert data["everywhere"] == ["KEY001", "TYP001"]
    assert data["rules"][0] == {
        "code": "TST001",
        "name": "first-rule",
        "concepts": ["batch", "half"],
        "frameworks": {
            "a": {"has": True, "lacks": [], "not_for": None, "examples": 2},
            "b": {"has": False, "lacks": ["batch", "half"], "not_for": None, "examples": 0},
            "c": {"has": False, "lacks": [], "not_for": "TST009 says it", "examples": 0},
        },
    }


def test_the_command() -> None:
    text = run("rules", "--matrix")
    assert (text.code, text.out) == (0, as_text(known()))
    assert json.loads(run("rules", "--matrix", "--format", "json").out) == as_json(known())
    assert "OPT469  accelerate: lacks max_steps, warmup_steps\n" in text.out


def test_columns_have_the_titles_of_frameworks() -> None:
    head, *rows = as_text(known()).splitlines()
    row = next(line for line in rows if line.startswith("OPT469  "))
    cells = {title: row[head.index(title) :].split("  ")[0] for title in known().titles.values()}
    assert cells["Axolotl"] == cells["DeepSpeed"] == cells["LLaMA-Factory"] == "yes"
    assert cells["accelerate"] == cells["LLaMA2-Accessory"] == "lacks 2"


def test_titles_are_in_order() -> None:
    titles = list(known().titles.values())
    assert titles == sorted(titles, key=str.lower)
    assert "Axolotl" in titles
