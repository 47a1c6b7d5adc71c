"""What a coding agent reads: replacements that are exact, and never more lines than it can use."""

from __future__ import annotations

import json
import re

from cfglint.diagnostic import Edit, Fix
from cfglint.report.escaping import quoted
from cfglint.report.formats import agent
from cfglint.report.run import RunReport
from cfglint.source.text import Span
from tests.draws import each
from tests.report.building import at, finding, report
from tests.report.harmless import HOSTILE, assert_harmless
from tests.report.test_injection import hostile_run

_REPLACE = re.compile(r'replace ("(?:[^"\\]|\\.)*")(?: at line (\d+))? with ("(?:[^"\\]|\\.)*")')


def printed(text: str, *edits: Edit) -> str:
    fix = Fix("Do it", "safe", edits, ())
    return agent.render(
        RunReport([report("a.yml", text, finding("AAA001", at(text, "a"), fixes=(fix,)))], [])
    )


def applied(text: str, output: str) -> str:
    """The text after the replacements that the output asks for, from the last to the first."""
    for before, line, after in reversed(_REPLACE.findall(output)):
        old, new = json.loads(before), json.loads(after)
        start = (
            sum(map(len, text.splitlines(keepends=True)[: int(line) - 1]))
            if line
            else text.index(old)
        )
        assert text.startswith(old, start)
        text = text[:start] + new + text[start + len(old) :]
    return text


@each(
    ("text", "edits", "wanted"),
    [
        ("a: 1\nb: 2\n", (Edit(3, 4, "5"),), "a: 5\nb: 2\n"),
        ("a: 1\nb: 2\n", (Edit(0, 5, ""),), "b: 2\n"),
        ("a: 1", (Edit(4, 4, "\nb: 2"),), "a: 1\nb: 2"),
        ("a: 1\nb: 2\nc: 3\n", (Edit(3, 4, "5"), Edit(13, 14, "6")), "a: 5\nb: 2\nc: 6\n"),
        ("a: 1\nb: 2\n", (Edit(0, 1, "x"), Edit(3, 4, "5")), "x: 5\nb: 2\n"),
        (
            "a: 1\nb: 2\nc: 3\n",
            (Edit(0, 1, "x"), Edit(10, 11, "y"), Edit(13, 14, "6")),
            "x: 1\nb: 2\ny: 6\n",
        ),
        ('a: "q\\"\u200b"\n', (Edit(8, 8, "z"),), 'a: "q\\"\u200bz"\n'),
        ("a:\n- t: 1\n- t: 1\n", (Edit(15, 16, "2"),), "a:\n- t: 1\n- t: 2\n"),
        ("a: 1\n", (Edit(5, 5, "b: 2\n"),), "a: 1\nb: 2\n"),
        ("a: 1\r\nb: 2\r\n", (Edit(3, 4, "5"),), "a: 5\r\nb: 2\r\n"),
    ],
)
def test_the_replacements_make_the_fix(text: str, edits: tuple[Edit, ...], wanted: str) -> None:
    assert applied(text, printed(text, *edits)) == wanted


def test_a_line_break_is_no_part_of_a_replacement() -> None:
    out = printed("a: 1\r\nb: 2\r\n", Edit(3, 4, "5"))
    assert 'replace "a: 1" with "a: 5" (safe)' in out


def test_a_long_replacement_is_left_to_the_option() -> None:
    first, *_ = printed("a: 1\n", Edit(3, 4, "x" * 900)).splitlines()
    assert first.endswith("| Do it: run with --fix (safe)")


def test_the_output_is_bounded() -> None:
    text = "".join(f"a{number}: 1\n" for number in range(100))
    found = [
        finding(f"AAA{number:03}", Span(5 * number, 5 * number + 1), severity="warning")
        for number in range(99)
    ]
    lines = agent.render(RunReport([report("a.yml", text, *found)], [])).splitlines()
    assert len(lines) == agent.MAX_FINDINGS + 2
    assert lines[-2] == "39 warnings more: fix these first and check again"


@each("hostile", HOSTILE)
def test_hostile_text_steers_nothing(hostile: str) -> None:
    assert_harmless(agent.render(hostile_run(hostile)))
    assert_harmless(quoted(hostile))
    assert json.loads(quoted(hostile)) == hostile


def test_the_evidence_is_about_the_framework_that_reads_the_file() -> None:
    """What shared rules say of unknown keys and of values differs by what reads them."""
    from cfglint.knowledge.rules.knowledge import evidence
    from cfglint.roles.framework import frameworks

    for code in ("KEY001", "KEY002", "KEY003", "KEY005", "KEY006"):
        # One that states no evidence of its own has that of the rule.
        own = {
            name: evidence(code, name) for name in frameworks() if name not in ("accessory", "toy")
        }
        assert [name for name, url in own.items() if "pydantic" in url] == ["axolotl"], code
    for code in ("TYP001", "TYP002", "TYP003", "TYP004"):
        for name in ("llamafactory", "openrlhf", "swift", "trl"):
            assert "pydantic" not in evidence(code, name), (code, name)

    assert "axolotl" in evidence("FIT501", "axolotl")
    assert "LLaMA-Factory" in evidence("FIT501", "llamafactory")
    assert "deepspeed" in evidence("FIT501", "trl")
