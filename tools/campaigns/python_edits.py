"""Random edits of calls in real programs and notebooks, judged by Python's own `ast` and `tokenize`.

    python -m tools.campaigns.python_edits FOLDER... [--files 2000] [--notebooks 300] [--edits 5] [--seed 0] [--minutes N]

In each file that has a call of something imported, keywords are renamed, deleted, given another value, added, and moved
to another call. Right is the tree that has this one change made to it, with all comments, and of a notebook the same JSON
but for the source of the cells. Exit code 1 when one is wrong.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import random
import sys
import time
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from cfglint.base.logic import UNKNOWN
from cfglint.fixes.actions import Action, DeleteKey, MoveKeyword, RenameKey, SetValue
from cfglint.fixes.applying import apply_edits
from cfglint.fixes.planning import plan
from cfglint.fixes.verification import verify
from cfglint.source.document import Document, Mapping, Scalar
from cfglint.source.languages.python import Python
from cfglint.source.problems import SourceError
from cfglint.source.text import SourceText

_VALUES = (None, True, 0, -3, 2e-5, "text", 'it\'s "so"', "é", [1, "a, b"], {"k": 1e-5})
_NEW = "cfglint_new_name"
_MAX_BYTES = 300_000
#: Every call of something imported is a section here.
_LANGUAGE = Python(lambda _name: ())


def main(arguments: list[str] | None = None) -> int:
    """Edit files below folders; 1 when an edit is wrong."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.campaigns.python_edits", description=__doc__
    )
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--files", type=int, default=2000)
    parser.add_argument("--notebooks", type=int, default=300)
    parser.add_argument("--edits", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--minutes", type=float, help="Stop after so long, and tell what was found."
    )
    options = parser.parse_args(arguments)
    end = time.monotonic() + 60 * options.minutes if options.minutes else float("inf")
    chance = random.Random(options.seed)
    tally: Counter[str] = Counter()
    for suffix, most in ((".py", options.files), (".ipynb", options.notebooks)):
        every = [path for folder in options.folders for path in sorted(folder.rglob(f"*{suffix}"))]
        chance.shuffle(every)
        for path in every:
            if tally[f"files {suffix}"] >= most or time.monotonic() > end:
                break
            outcomes = [*_edited(path, options.edits, chance)]
            tally[f"files {suffix}"] += bool(outcomes)
            for kind, outcome in outcomes:
                if outcome not in ("right", "refused"):
                    sys.stdout.write(f"{path}: {kind}: {outcome}\n")
                    outcome = "wrong"
                tally[f"{kind} {outcome}"] += 1
    for name, count in sorted(tally.items()):
        sys.stdout.write(f"{name}: {count}\n")
    return int(any(name.endswith("wrong") for name in tally))


def _edited(path: Path, edits: int, chance: random.Random) -> Iterator[tuple[str, str]]:
    """(kind, outcome) of some edits of a file; none if nothing in it can be edited."""
    try:
        data = path.read_bytes()
        source = SourceText.from_bytes(data)
        if len(data) > _MAX_BYTES or _tree(source.text) is None:
            return
        document = _LANGUAGE.read(source)
    except (OSError, SourceError, RecursionError):
        return
    calls = [
        (number, entry.label, entry.value)
        for number, entry in enumerate(document.root.entries)
        if isinstance(entry.value, Mapping) and entry.value.entries
    ]
    for _ in range(edits if calls else 0):
        kind = chance.choice(("rename", "delete", "replace", "add", "move"))
        number, label, call = chance.choice(calls)
        entry = chance.choice(call.entries)
        name = str(entry.name)
        if sum(one.name == name for one in call.entries) > 1:
            continue
        other, target, _ = chance.choice(calls)
        value = chance.choice(_VALUES)
        is_open = isinstance(entry.value, Scalar) and entry.value.value is UNKNOWN
        # A variable with this value need not be replaced.
        is_so = isinstance(entry.value, Scalar) and repr(entry.value.value) == repr(value)
        if (kind == "replace" and (is_open or is_so)) or (kind == "move" and other == number):
            continue
        actions: dict[str, Action] = {
            "rename": RenameKey((label, name), _NEW),
            "delete": DeleteKey((label, name)),
            "replace": SetValue((label, name), value),
            "add": SetValue((label, _NEW), value),
            "move": MoveKeyword((label, name), target, _NEW),
        }
        yield kind, _judged(document, actions[kind], kind, (number, name), other, value)


def _judged(
    document: Document,
    action: Action,
    kind: str,
    place: tuple[int, str],
    other: int,
    value: object,
) -> str:
    """Whether the text after an action is the one that is meant."""
    planned = plan(document, [action])
    if planned.refused:
        return "refused"
    after = apply_edits(document.text, planned.edits)
    if verify(document, after, planned.paths) or _LANGUAGE.doubts(document, SourceText(after)):
        return "refused"
    wanted = _tree(document.text)
    assert wanted is not None
    _change(wanted, kind, place, other, value)
    found = _tree(after)
    if found is None:
        return "the result cannot be parsed"
    if _dump(found) != _dump(wanted):
        return "another tree"
    if _comments(after) != _comments(document.text):
        return "other comments"
    return "right" if _around(after) == _around(document.text) else "another notebook"


def _dump(tree: ast.Module) -> str:
    """A tree as text. A keyword before `**rest` is the same as one behind it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            node.keywords.sort(key=lambda one: one.arg is None)
    return ast.dump(tree)


def _change(tree: ast.Module, kind: str, place: tuple[int, str], other: int, value: object) -> None:
    """Make the change to a tree."""
    number, name = place
    calls = _calls(tree)
    call = calls[number]
    if kind == "add":
        call.keywords.append(ast.keyword(_NEW, ast.parse(repr(value), mode="eval").body))
        return
    # An item of a mapping that is spread into the call is none, and only ever refused.
    keyword = next(one for one in call.keywords if one.arg == name)
    if kind == "rename":
        keyword.arg = _NEW
    elif kind == "replace":
        keyword.value = ast.parse(repr(value), mode="eval").body
    else:
        call.keywords.remove(keyword)
        if kind == "move":
            keyword.arg = _NEW
            calls[other].keywords.append(keyword)


def _calls(tree: ast.Module) -> list[ast.Call]:
    """The calls of what is imported, in the order in which the reader numbers them."""
    from cfglint.source.python_names import names_of

    names = names_of(tree)
    return [call for call in names.calls if names.imported(call.func) is not None]


def _code(text: str) -> str:
    """A program, or that of the cells of a notebook without their commands."""
    from cfglint.source.python_program import program_of

    return program_of(text).code


def _tree(text: str) -> ast.Module | None:
    try:
        return ast.parse(_code(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _comments(text: str) -> list[str]:
    tokens = tokenize.generate_tokens(io.StringIO(_code(text)).readline)
    return sorted(token.string for token in tokens if token.type == tokenize.COMMENT)


def _around(text: str) -> object:
    """A notebook without the sources of its cells; nothing for a program."""
    if text[:100].lstrip()[:1] != "{":
        return None
    notebook = json.loads(text)
    for cell in notebook.get("cells", ()):
        if cell.get("cell_type") == "code":
            cell["source"] = len(cell.get("source", ())) if not cell.get("source") else ""
    return notebook


if __name__ == "__main__":
    sys.exit(main())
