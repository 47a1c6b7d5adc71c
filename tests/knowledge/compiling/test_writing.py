"""Rule files are written in one way, and what they say stays."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from cfglint.knowledge.compiling.files import RuleFileError
from cfglint.knowledge.compiling.loading import implied_fields
from cfglint.knowledge.compiling.rule_problems import COSTS
from cfglint.knowledge.compiling.writing import (
    WIDTH,
    NotWritable,
    flow,
    formatted,
    scalar,
    write_again,
    written_part,
)
from tests.draws import drawn, each, product
from tests.shipped import FAMILIES, RULES

ROOT = Path(__file__).parents[3]
HEAD = (
    "code: PAK999\nsummary: S\nseverity: error\nconfidence: high\nbites: train\nupstream: silent\n"
)


def block(name: str, text: str) -> str:
    """A part of a rule file, as it is written."""
    return written_part(name, yaml.safe_load(text))


def test_keys_stand_in_the_order_of_the_model() -> None:
    text = "examples: []\nwhy: w\nat: [a]\ncode: PAK999\nother: 1\nwhen: {a: {eq: 1}}\nmessage: m\n"
    assert re.findall(r"^\w+", formatted(text), re.MULTILINE) == [
        *("code", "when", "at", "message", "why", "examples", "other")
    ]


def test_what_follows_is_left_out() -> None:
    cost = COSTS["start", "rejects"]
    text = f"code: P\nbites: start\nupstream: rejects\nview: raw\ncost: {cost}\n"
    assert formatted(text) == "code: P\nbites: start\nupstream: rejects\n"
    other = text.replace("rejects", "warns").replace("raw", "late")
    assert formatted(other) == other


def test_what_the_place_says_is_left_out() -> None:
    text = "code: P\nname: a-rule\nframework: alpha\n"
    assert formatted(text, {"name": "a-rule", "framework": "alpha"}) == "code: P\n"
    assert formatted(text, {"name": "another"}) == text


def test_a_list_of_conditions_says_that_all_hold() -> None:
    assert formatted("when: {all: [{a: {is: true}}]}\n") == "when:\n  - a: {is: true}\n"


def test_long_conditions_are_broken() -> None:
    parts = [{f"key_{n}": {"matches": "x" * 20}} for n in range(4)]
    value = [{"any": [parts[0], {"not": {"all": parts}}]}]
    text = formatted(yaml.safe_dump({"when": value}))
    assert yaml.safe_load(text) == {"when": value}
    assert text.startswith("when:\n  - any:\n      - key_0: {matches: xxx")
    assert "      - not:\n          all:\n            - key_0: " in text
    assert max(map(len, text.splitlines())) < WIDTH


def test_prose_is_filled() -> None:
    words = "word " * 40
    text = formatted(f"message: >-\n  short\n  and sweet\ncost: {words}\n")
    assert text.startswith("message: short and sweet\ncost: >-\n  word word")
    assert max(map(len, text.splitlines())) <= WIDTH


@each(
    ("name", "text", "written"),
    [
        ("when", "{a: {eq: 1}}", "when: {a: {eq: 1}}\n"),
        ("when", "[{a: {eq: 1}}, {any: [{b: {is: true}}, {c: {set: true}}]}]",
         "when:\n  - a: {eq: 1}\n  - any: [{b: {is: true}}, {c: {set: true}}]\n"),
        ("at", "- a\n- b", "at: [a, b]\n"),
        ("applies", "axolotl: '>=0.1,<0.2'", 'applies: {axolotl: ">=0.1,<0.2"}\n'),
        ("related", "- path: a\n  note: 'no, not: this'", 'related:\n  - {path: a, note: "no, not: this"}\n'),
        ("fix", "- title: Do it\n  safety: safe\n  edits: [{delete: a}]",
         "fix:\n  - {title: Do it, safety: safe, edits: [{delete: a}]}\n"),
        ("why", "|\n  One.\n\n    Two.\n", "why: |\n  One.\n\n    Two.\n"),
        ("examples", "[{good: 'a: 1', target: {gpus: 2}}]",
         'examples:\n  - good: "a: 1"\n    target: {gpus: 2}\n'),
        ("examples", "[{target: {gpus: 2}, bad: \"a: 1\\nb: 2\\n\"}]",
         "examples:\n  - bad: |\n      a: 1\n      b: 2\n    target: {gpus: 2}\n"),
        ("examples", "[{good: \"a: 1\\n\", files: {x.txt: one, y.txt: \"one\\ntwo\\n\"}}]",
         "examples:\n  - good: |\n      a: 1\n    files:\n      x.txt: one\n      y.txt: |\n        one\n        two\n"),
    ],
)  # fmt: skip
def test_parts(name: str, text: str, written: str) -> None:
    assert block(name, text) == written


def test_long_parts_are_broken() -> None:
    lists = {
        "applies": {"axolotl": {"spec": "==0.4.1", "commits": [f"{n:09x}" for n in range(40)]}}
    }
    text = formatted(HEAD + yaml.safe_dump(lists))
    assert max(map(len, text.splitlines())) <= WIDTH
    assert yaml.safe_load(text)["applies"] == lists["applies"]


def test_an_example_of_one_line_on_a_base_is_one_line() -> None:
    text = "examples:\n- target: {gpus: 2}\n  good: |\n    a: 'x'\n- base: none\n  good: |\n    a: 1\nbase: lora\n"
    assert formatted(text) == (
        "base: lora\nexamples:\n  - {good: \"a: 'x'\", target: {gpus: 2}}\n  - base: none\n    good: |\n      a: 1\n"
    )


def test_parts_with_comments_keep_their_text() -> None:
    part = "# Why it is so.\nat: # all of them\n- a\n-   b\n"
    assert formatted(f"view: late\n{part}code: P\n") == f"code: P\nview: late\n{part}"


@each(
    "text",
    [
        "# Above all.\n\ncode: P\nat: [a]\n",
        "at: [a]\n# Between.\n\ncode: P\n",
        "at: [a]\ncode: P\n# At the end.",
        "at: [a]  # beside it\ncode: P",
    ],
)
def test_no_comment_is_lost(text: str) -> None:
    (comment,) = re.findall("#.*", text)
    out = formatted(text)
    assert (out.count(comment), yaml.safe_load(out)) == (1, {"code": "P", "at": ["a"]})
    assert formatted(out) == out


@pytest.mark.parametrize("text", ["- a\n", "text\n", "a: [\n"])
def test_what_is_no_rule_is_refused(text: str) -> None:
    with pytest.raises(NotWritable):
        formatted(text)


TEXTS = st.text() | st.sampled_from(
    [
        "no",
        "1e5",
        "1.0",
        "0x1",
        "2020-01-01",
        "~",
        "a: b",
        "a #b",
        "=",
        "<<",
        "(?i)a|b",
        "a ? b",
        "'\"\\",
    ]
)
VALUES = st.recursive(
    TEXTS | st.booleans() | st.none() | st.integers() | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)  # fmt: skip


@given(VALUES)
def test_a_value_is_read_as_it_was(value: object) -> None:
    assert yaml.safe_load(flow(value)) == value


@given(TEXTS)
def test_a_text_is_read_as_it_was(text: str) -> None:
    assert yaml.safe_load(f"a: {scalar(text, inside=False)}\n") == {"a": text}
    assert yaml.safe_load(written_part("why", text)) == {"why": text}


@pytest.mark.parametrize("check", [True, False])
def test_files_are_written_again(tmp_path: Path, check: bool) -> None:
    right, other = tmp_path / "right.yaml", tmp_path / "other.yaml"
    right.write_text("code: P\nsummary: S\n", encoding="utf-8")
    other.write_text("summary: S\ncode: P\n", encoding="utf-8")
    assert list(write_again({right: {}, other: {}}, check=check)) == [other]
    text = "summary: S\ncode: P\n" if check else "code: P\nsummary: S\n"
    assert other.read_text(encoding="utf-8") == text


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("- a\n", encoding="utf-8")
    with pytest.raises(RuleFileError, match=r"a\.yaml: is not a rule file"):
        list(write_again({path: {}}, check=False))


@product
@each("family", FAMILIES)
def test_the_rule_files_are_written_in_the_one_way(family: str) -> None:
    """`cfglint rules fmt` writes them so."""
    for path in drawn(sorted((RULES / family).glob("*.yaml")), 6, key=lambda path: path.name):
        text = path.read_text(encoding="utf-8")
        assert formatted(text, implied_fields(path, RULES)) == text, path.name


@pytest.mark.parametrize(
    "page", ["CONTRIBUTING.md", "docs/team-rules.md", "docs/framework-in-an-afternoon.md"]
)
def test_the_rules_that_the_documentation_shows_are_written_in_it(page: str) -> None:
    shown = re.findall(
        r"^```yaml\n((?:# [^\n]*\n)?code: .*?)^```$", (ROOT / page).read_text("utf-8"), re.M | re.S
    )
    assert shown
    for text in shown:
        assert (
            formatted(text.partition("# ")[2].partition("\n")[2] if text[0] == "#" else text)
            in text
        )
