"""The configuration of a release as YAML and as JSON, from values made by hand."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Sequence
from typing import Any, Literal

import pytest
import yaml

from cfglint.answers.resolved.made import Made
from cfglint.answers.resolved.resolve import Effective, EffectiveValue, Undecided
from cfglint.diagnostic import OtherFile
from cfglint.report import effective_changes
from cfglint.report.effective import one_line, render_json, render_yaml, without_repeats
from cfglint.report.style import Style
from cfglint.runs.settings.layers import Setting, Writer
from cfglint.runs.settings.source_map import SourcePlace
from cfglint.source.document import Document, Path
from cfglint.source.languages.named import language
from cfglint.source.text import SourceText, Span
from tests.draws import each
from tests.report.building import check_snapshot, finding

TEXT = "lr: 1e-4\nnames: [a, b]\nfsdp: {size: 2}\nodd: 1\n"
SHELL = OtherFile(os.path.abspath("run.sh"), SourceText("#!/bin/sh\naxolotl train a.yml --lr 2\n"))


def document() -> Document:
    read = language("yaml").read(SourceText(TEXT))
    assert isinstance(read, Document)
    return read


def written(value: Any, needle: str, file: OtherFile | None = None, *over: Setting) -> Setting:
    text = TEXT if file is None else file.source.text
    start = text.index(needle)
    kind: Literal["file", "option"] = "file" if file is None else "option"
    place = SourcePlace(file, Span(start, start + len(needle)))
    return Setting((), value, Writer(kind, "" if file is None else file.path), place, over)


def entry(
    path: Path, value: Any, reason: str | None = None, setting: Setting | None = None
) -> EffectiveValue:
    return EffectiveValue(path, value, path if setting is not None else None, reason, setting)


LONG = "the number of processes is what the launcher says"
ENTRIES = (
    entry(("lr",), 2, None, written(2, "--lr 2", SHELL, written(1e-4, "1e-4"))),
    entry(("world",), 8, LONG),
    entry(("other_world",), 8, LONG),
    entry(("names",), ["a", "b"], None, written(["a", "b"], "[a, b]")),
    entry(("fsdp", "size"), 2, None, written(2, "2}")),
    entry(("fsdp", "wrap"), True, "default of axolotl 0.18.0"),
    entry(("rows", 0, "path"), "x", "as the list says"),
    entry(("rows", 0, "kind"), None, "default of axolotl 0.18.0"),
    entry(("rows", 1, "path"), "##[command]", "as the list says"),
    entry(("grid",), [[1, 2], [], [{"a": 1}]], "a list of lists"),
    entry(("empty",), {}, "an empty section"),
    entry(("seed",), 42, "default of axolotl 0.18.0"),
)
DATA: dict[str, Any] = {
    "lr": 2,
    "world": 8,
    "other_world": 8,
    "names": ["a", "b"],
    "fsdp": {"size": 2, "wrap": True},
    "rows": [{"path": "x", "kind": None}, {"path": "##[command]"}],
    "grid": [[1, 2], [], [{"a": 1}]],
    "empty": {},
    "seed": 42,
}
OPEN = (
    Undecided(("loader", "workers"), ("cpus", "gpus"), "there are as many as GPUs"),
    Undecided(("x\n",), ("torch",), "why"),
)


def made(
    release: str = "0.18.0",
    entries: Sequence[EffectiveValue] = ENTRIES,
    undecided: Sequence[Undecided] = OPEN,
    dropped: Sequence[Path] = (("odd",),),
    data: dict[str, Any] | None = None,
    **fields: Any,
) -> Made:
    data = DATA if data is None else data
    found = Effective(release, data, tuple(entries), tuple(undecided), tuple(dropped))
    return Made("axolotl", "--target", found, **fields)


REFUSALS = tuple(
    finding(f"X{n}", Span(0, 1), message=f"It is {n}. And more.").located(document().source)
    for n in range(5)
)


def test_as_yaml() -> None:
    nothing = made(entries=(), undecided=(), dropped=(), data={})
    shown = {
        "changed": render_yaml(made(), "a.yml", "changed"),
        "usual": render_yaml(made(), "a.yml", "usual"),
        "all": render_yaml(made(), "a.yml", "all"),
        "nothing": render_yaml(nothing, "a.yml", "changed"),
        "refused": render_yaml(made(entries=(), refusals=REFUSALS[:3], subject="command"), "a"),
        "refused for much": render_yaml(
            made(entries=(), refusals=REFUSALS, subject="program"), "a"
        ),
    }
    check_snapshot("effective.txt", "".join(f"--- {name}\n{text}" for name, text in shown.items()))


def test_the_yaml_says_the_same() -> None:
    assert yaml.safe_load(render_yaml(made(), "a.yml", "all")) == DATA


def test_as_json() -> None:
    found = json.loads(render_json(made(refusals=REFUSALS[:1]), document(), "a.yml"))
    assert (found["path"], found["refused"], found["unread"]) == ("a.yml", True, ["odd"])
    assert found["target"] == {"axolotl": {"version": "0.18.0", "from": "--target"}}
    assert found["refusals"] == [{"code": "X0", "line": 1, "message": "It is 0. And more."}]
    assert found["undecided"]["loader.workers"] == {
        "needs": ["cpus", "gpus"],
        "reason": "there are as many as GPUs",
    }
    values = found["values"]
    assert values["lr"] == {
        "value": 2,
        "line": None,
        "reason": None,
        "writer": {
            "kind": "option",
            "path": "run.sh",
            "line": 2,
            "over": [{"value": 0.0001, "path": "a.yml", "line": 1}],
        },
    }
    assert values["fsdp.size"]["line"] == 3
    assert values["fsdp.size"]["writer"] == {"kind": "file", "path": "a.yml", "line": 3}
    assert values["world"] == {
        "value": 8,
        "line": None,
        "reason": LONG,
        "writer": {"kind": "framework"},
    }
    assert values["seed"]["writer"] == {"kind": "default"}
    assert made().refused is False


@each(
    ("value", "expected"),
    [
        (math.inf, "inf"),
        ([1, math.nan, {"a": {2}}], [1, "nan", {"a": [2]}]),
        ({1: (True, None)}, {"1": [True, None]}),
        (b"x", "b'x'"),
    ],
)
def test_values_that_json_does_not_have(value: Any, expected: Any) -> None:
    found = json.loads(render_json(made(entries=[entry(("a",), value)]), document(), "a.yml"))
    assert found["values"]["a"]["value"] == expected


@each(
    ("value", "expected"),
    [
        ("a", "a"),
        ("1", "'1'"),
        (1.0, "1.0"),
        (None, "null"),
        ([1, "é"], "[1, é]"),
        ("x" * 200 + " y", "x" * 200 + " y"),
        ("a\nb\x1b", r'"a\nb\e"'),
        ("##[x]", '"#\\x23[x]"'),
    ],
)
def test_one_line(value: Any, expected: str) -> None:
    assert one_line(value) == expected
    assert yaml.safe_load(one_line(value)) == value


def test_short_reasons_are_repeated() -> None:
    short, long = "r" * 30, "r" * 31
    lines = [f"a: 1  # {short}", f"b: 1  # {short}", f"c: 1  # {long}", f"d: 1  # {long}", "e: 1"]
    assert without_repeats([*lines, lines[3]], Style(color=False)) == [
        *lines[:3],
        "d: 1  # as above",
        *lines[4:],
        lines[3],
    ]


AFTER = (
    *(one for one in ENTRIES if one.path != ("seed",)),
    entry(("new",), 1, "default of axolotl 0.19.0"),
    entry(("switch",), True, "default of axolotl 0.19.0"),
    entry(("fsdp", "switch"), True, "default of axolotl 0.19.0"),
)


@pytest.fixture
def upgrade() -> tuple[Made, Made]:
    later = [one.replaced(value=4) if one.path == ("lr",) else one for one in AFTER]
    after = made("0.19.0", later, (OPEN[0].replaced(needs=("gpus",)),), (("names",),))
    return made(), after


def test_what_an_upgrade_changes(upgrade: tuple[Made, Made]) -> None:
    nothing = effective_changes.render(made(), made("0.18.1"), "a.yml")
    inert = effective_changes.render(made(), made("0.18.1", ENTRIES[:-1]), "a.yml", "changed")
    shown = {
        "changed": effective_changes.render(*upgrade, "a.yml", "changed"),
        "usual": effective_changes.render(*upgrade, "a.yml", "usual"),
        "all": effective_changes.render(*upgrade, "a.yml", "all"),
        "nothing": nothing,
        "nothing for this run": inert,
    }
    text = "".join(f"--- {name}\n{lines}" for name, lines in shown.items())
    check_snapshot("effective-changes.txt", text)


def test_what_an_upgrade_changes_as_json(upgrade: tuple[Made, Made]) -> None:
    found = json.loads(effective_changes.render_json(*upgrade, document(), "a.yml"))
    assert (found["from"]["only_reads"], found["to"]["only_reads"]) == (["names"], ["odd"])
    assert found["to"]["target"]["axolotl"]["version"] == "0.19.0"
    changes = found["changes"]
    assert list(changes) == [
        *("lr", "seed", "loader.workers", "x\n", "new", "switch", "fsdp.switch"),
    ]
    assert [key for key, one in changes.items() if one["inert"]] == ["seed", "new", "fsdp.switch"]
    assert (changes["lr"]["from"]["value"], changes["lr"]["to"]["value"]) == (2, 4)
    assert (changes["seed"]["to"], changes["new"]["from"]) == (None, None)
    assert changes["loader.workers"]["to"]["needs"] == ["gpus"]
