"""The report on a migration, for a terminal and for a pull request."""

from __future__ import annotations

from typing import Any

from cfglint.diagnostic import Edit
from cfglint.engine.files_together.files_around import Around
from cfglint.engine.migration.one_text import Migration
from cfglint.engine.migration.steps import NO_STEP, Left, Step
from cfglint.report.migration import MigratedFile, render, render_markdown, summary
from cfglint.report.style import Style
from cfglint.source.text import SourceText
from tests.draws import each
from tests.report.building import check_snapshot

LINES = [f"k{number}: {number}" for number in range(40)]
START = "\n".join(LINES) + "\n"


def step(before: str, after: str, code: str, *, safe: bool = True, **fields: Any) -> Step:
    words = {"name": "rule", "title": f"Do `{code}`", "reason": "It is refused", "look_at": ""}
    return Step(
        code=code,
        safe=safe,
        path=(),
        changes=(),
        before=SourceText(before),
        after=SourceText(after),
        **{**words, **fields},
    )


FIRST = START.replace("k3: 3\n", "k3: 4\n")
SECOND = FIRST.replace("k9: 9\n", "k9: 9\nnew: '```'\n")
THIRD = SECOND.replace("k5: 5\nk6: 6\n", "")
FOURTH = "".join(line + "\n" for line in [*LINES[:2], *(f"m{n}: ::x" for n in range(30))])
TAKEN = step(START, FIRST, "A1")
ADDED = step(FIRST, SECOND, "A2", safe=False, look_at="Is `new` meant?", reason="*Bold* `new`")
GONE = step(SECOND, THIRD, "A3", safe=False, look_at="Does another program read it?")
LARGE = step(THIRD, FOURTH, "A4")
LEFT = (
    Left("L1", "rule", "`k2` is refused.", NO_STEP, True, (), FOURTH.index("m3")),
    Left("L2", "rule", "`k1` does *nothing*.", "two values would do", False, (), 0),
)


def migrated(
    *steps: Step,
    proposed: tuple[Step, ...] = (),
    left: tuple[Left, ...] = (),
    path: str = "a.yml",
    **fields: Any,
) -> MigratedFile:
    made = Migration(SourceText(START), steps, proposed, left)
    words = {"title": "Axolotl", "source": "0.9.0", "source_origin": "uv.lock", "target": "0.18.0"}
    return MigratedFile(path=path, migration=made, **{**words, **fields})


ALL = migrated(TAKEN, ADDED, proposed=(GONE, LARGE), left=LEFT)
DONE = migrated(TAKEN, written=True, path="::b.yml")
NOTHING = migrated(path="c.yml")
AROUND = (
    Around("uv.lock", SourceText("a"), (Edit(0, 1, "b"),), ("one", "two")),
    Around("pins.txt", SourceText("a"), (Edit(0, 1, "b"),), ("one",), "read-only"),
)


@each(
    ("file", "expected"),
    [
        (NOTHING, "nothing to do for Axolotl 0.18.0"),
        (migrated(title=""), "nothing to do for 0.18.0"),
        (DONE, "0.9.0 to 0.18.0, 1 step, written"),
        (migrated(TAKEN, source=""), "to 0.18.0, 1 step"),
        (
            migrated(TAKEN, ADDED, not_written="read-only"),
            "0.9.0 to 0.18.0, 2 steps, not written: read-only",
        ),
        (
            migrated(TAKEN, proposed=(ADDED,)),
            "0.9.0 to 0.18.0, 1 step, 1 more to review (--unsafe-fixes takes them)",
        ),
        (migrated(left=LEFT), "0.9.0 to 0.18.0, 0 steps, 2 left"),
    ],
)
def test_on_one_line(file: MigratedFile, expected: str) -> None:
    assert summary(file) == expected


@each(
    ("fields", "expected"),
    [
        ({}, "Axolotl 0.9.0 (uv.lock) to 0.18.0"),
        ({"title": ""}, "0.9.0 (uv.lock) to 0.18.0"),
        ({"source_origin": ""}, "Axolotl 0.9.0 to 0.18.0"),
        ({"source": "", "source_origin": ""}, "Axolotl to 0.18.0"),
    ],
)
def test_heading(fields: dict[str, Any], expected: str) -> None:
    assert migrated(**fields).heading == expected


def test_the_text_afterwards() -> None:
    assert ALL.original.text == START
    assert ALL.fixed_source is not None
    assert ALL.fixed_source.text == SECOND
    assert NOTHING.fixed_source is None


def test_for_a_terminal() -> None:
    shown = {
        "one file": render([ALL], AROUND[:1], width=60),
        "one without steps": render([NOTHING]),
        "several": render([ALL, DONE, NOTHING], AROUND),
        "colored": render([migrated(TAKEN, GONE)], style=Style(color=True)),
    }
    text = "".join(f"--- {name}\n{lines}" for name, lines in shown.items())
    check_snapshot("migration.txt", text)


def test_for_a_pull_request() -> None:
    shown = [render_markdown([ALL]), render_markdown([DONE, NOTHING, ALL], AROUND)]
    check_snapshot("migration.md", "\n---\n".join(shown))
