"""Every action on every place of small texts: what is written, or why nothing is.

`python -m tests.fixes.recording` writes `recorded/` anew; read the difference before you keep it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path as FilePath
from typing import Any

import yaml

from cfglint.fixes.actions import (
    Action,
    AppendItem,
    DeleteEntry,
    DeleteKey,
    MoveKey,
    RenameKey,
    RewriteScalar,
    SetValue,
)
from cfglint.fixes.applying import apply_edits
from cfglint.fixes.planning import plan
from cfglint.fixes.verification import verify
from cfglint.source.document import Document, Path, format_path
from cfglint.source.languages.json import JSON
from cfglint.source.languages.yaml import compose
from cfglint.source.text import SourceText
from cfglint.source.values import to_python

FOLDER = FilePath(__file__).parent / "recorded"

#: File of the record -> the texts that it is about.
TEXTS: dict[str, list[str]] = {
    "block": [
        "a: 1 # x\n# y\nb: 'it'\n\n# z\nc:\n",
        'a:\n    b: 1\n    # x\n    c: "2"\nd:\n- e\n- f # y\n',
        "l:\n  - a: 1\n    # x\n    b: 2\n  # y\n  - c: 3\n  -\n  - d\nk: 1",
        "a: |\n  x\n\n  y\n# z\nb: >-\n  w\n",
        "a:\r\n  b: x y\r\n  c: [1, 2]\r\n\r\nd: {}\r\ne: []\r\n",
        "a: &x {b: 1}\nc: *x\nd: &y\n  e: 1\nf:\n  <<: *y\n  g: 1\n",
        "? a\n: 1\nb: !!str x\n&y c: 2\n",
        "a:\n  - - b\n    - c\n  - [d, e]\n#### top ####\nf: 1\n# g: 2\nh: 3\n",
        "a: 1\na: 2\nb:\n  c: 'x\n    y'\n",
    ],
    "flow": [
        "a: {b: 1, c: 'x', d: [1, 2]} # y\n",
        "a: {\n  b: 1, # x\n  c: {d: 2},\n}\ne: [\n  f,\n  g\n]\n",
        "a: [x, {b: 1}, []]\nc: { }\nd: [ 1 ]\n",
        '{a: 1, "b": [2]}\n',
    ],
    "json": [
        '{"a": 1, "b": {"c": [1, 2], "d": {}}, "e": []}\n',
        '{\n    "a": 1,\n    "b": {\n        "c": "x",\n        "d": [\n            1,\n            2\n        ]\n    },\n    "e": null\n}\n',
        '{\r\n\t"a": [],\r\n\t"b": {}\r\n}',
        '{"a": 1,\n "a": 2,\n "b": [{"c": 1}, {"d": 2}]}',
        '{"a":1,"b":[1,2]}',
        '{\n\t"a": [1, 2],\n\t"b": [3, 4],\n\t"c": [\n\t\t5\n\t]\n}\n',
        '{\n   "a": [1],\n   "c": [\n      5\n   ],\n   "d": {"e": 1}\n}\n',
        '{ "a" : 1 , "b" : { } }\n',
        '{\n  // w\n  "a": 1, // x\n  "b": [1 /* v */, 2], // z\n  "c": {\n    // u\n  }\n}\n',
        "{}\n",
    ],
}


def document_of(name: str, text: str) -> Document:
    """The document that a text of a record is."""
    source = SourceText.from_str(text)
    return JSON.read(source) if name == "json" else compose(source)


def actions(document: Document) -> Iterator[tuple[str, Action]]:
    """Each action, with its name."""
    values: list[tuple[Path, Any]] = [((), to_python(document.root))]
    for path, value in values:
        if isinstance(value, (dict, list)):
            items = value.items() if isinstance(value, dict) else enumerate(value)
            values += [((*path, key), inner) for key, inner in items]
    for path, value in values:
        at = format_path(path) or "."
        if path:
            yield f"delete {at}", DeleteKey(path)
            yield f"set {at} to a text", SetValue(path, "new: text")
            yield f"set {at} to a list", SetValue(path, [1, "no"])
            yield f"set {at} to a mapping", SetValue(path, {"k": {"m": [True]}, "n": None})
            yield f"rewrite {at}", RewriteScalar(path, "2.5")
            yield f"move {at} to z.y", MoveKey(path, ("z", "y"))
        if path and isinstance(path[-1], str):
            yield f"rename {at}", RenameKey(path, "new name")
            yield f"move {at} to the top", MoveKey(path, ("z",))
        if isinstance(value, dict):
            yield f"add to {at}", SetValue((*path, "z"), 1)
            yield f"add a list to {at}", SetValue((*path, "z"), ["p", 2])
            yield f"add below {at}", SetValue((*path, "z", "y"), {"x": 1})
            yield f"delete the last entry of {at}", DeleteEntry(path, len(value) - 1)
        if path and (value is None or isinstance(value, list)):
            yield f"append to {at}", AppendItem(path, "it")
            yield f"append a mapping to {at}", AppendItem(path, {"k": 1, "m": [2]})


def outcomes(name: str, text: str) -> dict[str, str]:
    """What each action gives: the text, or `!` and why there is none."""
    found = {}
    document = document_of(name, text)
    for called, action in actions(document):
        made = plan(document, [action])
        if made.refused is not None:
            found[called] = f"! {made.refused}"
            continue
        result = apply_edits(text, made.edits)
        wrong = verify(document, result, made.paths, edits=made.edits)
        found[called] = result if wrong is None else f"!! {wrong}"
    return found


def recorded(name: str) -> list[tuple[str, dict[str, str]]]:
    """The texts of a record, and what each action gave."""
    rows = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    return [(row["text"], row["outcomes"]) for row in rows]


def check(name: str, text: str, expected: dict[str, str]) -> None:
    """Every action gives what is recorded, and a file in which the wanted value is read."""
    assert outcomes(name, text) == expected
    for called, action in actions(document_of(name, text)):
        result = expected[called]
        # Python reads no comments.
        if not isinstance(action, SetValue) or result.startswith("! ") or "//" in text:
            continue
        value = json.loads(result) if name == "json" else yaml.safe_load(result)
        for part in action.path:
            value = value[part]
        assert value == action.value, called


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, texts in TEXTS.items():
        rows = [{"text": text, "outcomes": outcomes(name, text)} for text in texts]
        file = FOLDER / f"{name}.json"
        file.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
