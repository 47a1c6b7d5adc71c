"""The advice of `fit --advise` as text, as a patch and as data."""

from __future__ import annotations

from cfglint.engine.advice import Advice, Advised, NotAdvised
from cfglint.report.fit_advice import advice_data, patch, render_text
from cfglint.report.style import Style
from cfglint.runs.memory.estimate import Estimate
from cfglint.runs.memory.measures import Cost, Measure
from cfglint.source.text import SourceText
from tests.draws import each

G = 1 << 30
BEFORE = SourceText("rows: 4\nsteps: 1\nname: x\n")
ROWS = Measure("`rows: 1`", "slower", Cost(0, 2), {("rows",): 1})
LENGTH = Measure("`length: 8`", "longer samples are cut", Cost(3, 0), {("length",): 8})


def need(likely: int) -> Estimate:
    return Estimate(likely * G, (likely - 2) * G, (likely + 2) * G)


def advised(
    *measures: Measure, to: int, fits: bool, text: str = "rows: 1\nsteps: 1\nname: x\n"
) -> Advised:
    return Advised(measures, SourceText(text), need(to), (30 - to) * G, fits)


ONE = advised(ROWS, to=20, fits=True)
CUT = advised(LENGTH, to=26, fits=False, text="rows: 4\nsteps: 1\nname: x\nlength: 8\n")
BOTH = advised(ROWS, LENGTH, to=18, fits=True, text="rows: 1\nsteps: 1\nname: x\nlength: 8\n")


def advice(
    *changes: Advised,
    enough: Advised | None = None,
    least: Advised | None = None,
    now: int = 30,
    gpus: int = 1,
    left_out: tuple[NotAdvised, ...] = (),
) -> Advice:
    return Advice(24 * G, gpus, BEFORE, need(now), changes, enough, least, left_out)


NOT = "It needs about 30.0 GiB (up to 32.0 GiB), and the GPU has 24 GiB."
FIRST = "  `rows: 1`\n     costs: slower.\n"
EDIT = "     -rows: 4\n     +rows: 1\n"
CASES = [
    (
        advice(now=20),
        "It probably fits as it is: about 20.0 GiB (up to 22.0 GiB), and the GPU has 24 GiB."
        " Nothing needs to change.\n",
    ),
    (
        advice(now=20, gpus=8),
        "It probably fits as it is: about 20.0 GiB (up to 22.0 GiB), and each of 8 GPUs has 24 GiB."
        " Nothing needs to change.\n",
    ),
    # What is enough by itself is not told again.
    (
        advice(ONE, enough=ONE),
        f"{NOT}\n\nIt probably fits with this change (about 20.0 GiB, up to 22.0 GiB):\n\n{FIRST}\n{EDIT}",
    ),
    (
        advice(ONE, CUT, enough=ONE),
        f"{NOT}\n\nIt probably fits with this change (about 20.0 GiB, up to 22.0 GiB):\n\n{FIRST}\n{EDIT}\n"
        "Each change by itself, the cheapest first:\n\n"
        "  1. `length: 8`\n     saves 4.0 GiB: about 26.0 GiB, up to 28.0 GiB\n"
        "     costs: longer samples are cut.\n     +length: 8\n",
    ),
    (
        advice(ONE, enough=BOTH, gpus=2),
        f"{NOT.replace('the GPU', 'each of 2 GPUs')}\n\n"
        "It probably fits with these 2 changes together (about 18.0 GiB, up to 20.0 GiB):\n\n"
        f"{FIRST}  `length: 8`\n     costs: longer samples are cut.\n\n{EDIT}     +length: 8\n\n"
        "Each change by itself, the cheapest first:\n\n"
        "  1. `rows: 1`\n     saves 10.0 GiB: about 20.0 GiB, up to 22.0 GiB; enough by itself\n"
        f"     costs: slower.\n{EDIT}",
    ),
    (
        advice(least=CUT, left_out=(NotAdvised(ROWS, "it would lead to X"),)),
        f"{NOT}\n\nNothing that the file can say makes it probably fit.\n"
        "With all of these it would need the least (about 26.0 GiB, up to 28.0 GiB):\n\n"
        "  `length: 8`\n     costs: longer samples are cut.\n\n"
        "Left out:\n  `rows: 1`: it would lead to X.\n",
    ),
    (advice(), f"{NOT}\n\nNothing that the file can say makes it probably fit.\n"),
]


@each(("found", "text"), CASES)
def test_the_text(found: Advice, text: str) -> None:
    assert render_text(found) == f"What would make it fit:\n{text}"


def test_lines_are_painted_by_what_happens_to_them() -> None:
    text = render_text(advice(ONE, enough=ONE), Style(color=True))
    assert "     \x1b[31m-rows: 4\x1b[0m\n     \x1b[32m+rows: 1\x1b[0m\n" in text


def test_long_costs_are_wrapped() -> None:
    long = advised(ROWS.replaced(words="slow " * 60 + "end"), to=20, fits=True)
    text = render_text(advice(long, enough=long, left_out=(NotAdvised(ROWS, "why " * 60 + "end"),)))
    assert max(map(len, text.splitlines())) in range(95, 101)


def test_the_patch_is_of_what_is_enough() -> None:
    assert patch(advice(ONE, least=CUT), "a.yml") == ""
    lines = patch(advice(ONE, enough=ONE), "a.yml").splitlines()
    assert [line for line in lines if line[:1] in "+-"] == [
        "--- a/a.yml",
        "+++ b/a.yml",
        "-rows: 4",
        "+rows: 1",
    ]


def test_the_data() -> None:
    left = (NotAdvised(LENGTH, "why"),)
    data = advice_data(advice(BOTH, enough=ONE, left_out=left), "a.yml")
    assert (data["memory_bytes"], data["fits"], data["least"]) == (24 * G, False, None)
    assert data["left_out"] == [{"title": "`length: 8`", "reason": "why"}]
    (change,) = data["changes"]
    assert [(one["key"], one["changes_result"]) for one in change["measures"]] == [
        ("rows", False),
        ("length", True),
    ]
    assert change["expected"] == {"bytes": 18 * G, "low": 16 * G, "high": 20 * G}
    assert (change["saves_bytes"], change["fits"]) == (12 * G, True)
    assert "+length: 8" in change["diff"]
    assert data["enough"]["diff"].count("\n+rows: 1\n") == 1
    none = advice_data(advice(least=CUT, now=22), "a.yml")
    assert (none["fits"], none["enough"], none["least"]["fits"]) == (True, None, False)
