"""Calls of the classes of TRL, transformers and PEFT: what the real classes say, and what cfglint says.

    python -m tools.framework_parity.python_calls collect FOLDER... > CALLS.jsonl
    python -m tools.framework_parity.python_calls generate --calls CALLS.jsonl --count 1500 FOLDER
    PYTHONPATH=RELEASES python tools/framework_parity/worker/python_calls.py FOLDER > ROWS.jsonl
    python -m tools.framework_parity.python_calls compare FOLDER --theirs ROWS.jsonl --target trl==1.16.0

The first command collects the calls of the programs and notebooks in folders, one checkout each. The
second writes a program for each call of a collection, and further ones of the same calls with keywords of others. A row of the collection has `call`, the name of the class, and `kw`: name,
kind (`lit` for a literal) and text of each keyword; `pos` is the number of positional arguments.
What is no literal is computed in the program, so that cfglint does not know it; the worker, which
makes the calls with the real classes, takes the default of the parameter in its place.
"""

from __future__ import annotations

import argparse
import ast
import json
import random
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from cfglint.api.linter import Linter
from cfglint.knowledge.keys.classes import known_classes
from cfglint.source.python_names import last_name
from cfglint.source.python_program import program_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

#: The packages that the worker asks for the classes; of others nothing is known.
_MANIFEST = "manifest.jsonl"
#: What the worker says of a call that it cannot judge.
_UNJUDGED = ("no such class", "depends on computed values", "depends on the machine")
#: What may stand first in a call, without its name.
_FIRST = ("model", "ref_model", "args", "data_collator", "output_dir")
#: When the worker, which trains nothing, would see what is wrong.
_AT_ONCE = ("start",)


class Keyword(NamedTuple):
    """One keyword of a call."""

    name: str
    #: A literal; None for a value that is computed.
    literal: str | None


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; `compare` ends with 1 when a verdict differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    collect = commands.add_parser("collect")
    collect.add_argument("folders", type=Path, nargs="+")
    make = commands.add_parser("generate")
    make.add_argument("folder", type=Path)
    make.add_argument("--calls", type=Path, required=True)
    make.add_argument("--count", type=int, default=1500)
    make.add_argument("--seed", type=int, default=1)
    both = commands.add_parser("compare")
    both.add_argument("folder", type=Path)
    both.add_argument("--theirs", type=Path, required=True)
    both.add_argument("--target", action="append", default=[])
    both.add_argument("--show", type=int, default=20)
    options = parser.parse_args(arguments)
    if options.command == "collect":
        return _collect(options.folders)
    if options.command == "generate":
        return _generate(options.folder, options.calls, options.count, options.seed)
    return _compare(options.folder, options.theirs, options.target, options.show)


def _collect(folders: list[Path]) -> int:
    classes = {name.rpartition(".")[2] for name in known_classes("trl")}
    for folder in folders:
        for path in sorted((*folder.rglob("*.py"), *folder.rglob("*.ipynb"))):
            text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
            tree = program_of(text).parsed() if any(name in text for name in classes) else None
            for call in ast.walk(tree) if tree is not None else ():
                if isinstance(call, ast.Call) and last_name(call.func) in classes:
                    place = {"repo": folder.name, "file": str(path.relative_to(folder))}
                    sys.stdout.write(json.dumps({**place, **_row(call)}) + "\n")
    return 0


def _row(call: ast.Call) -> dict[str, Any]:
    """A call as a row of a collection."""
    words = []
    for one in call.keywords:
        text = ast.unparse(one.value)
        words.append([one.arg, "lit" if _is_literal(text) else "other", text])
    return {
        "call": last_name(call.func),
        "line": call.lineno,
        "kw": words,
        "pos": len(call.args),
    }


def _generate(folder: Path, calls: Path, count: int, seed: int) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for number, (full, keywords, positional) in enumerate(_programs(calls, count, seed)):
        package, _, name = full.partition(".")
        given = ["given(0)"] * positional
        given += [f"{one.name}={one.literal or 'given(1)'}" for one in keywords]
        body = "".join(f"    {text},\n" for text in given)
        text = f"from {package} import {name}\nfrom mine import given\n\n{name}(\n{body})\n"
        file = f"{number:05}.py"
        (folder / file).write_text(text, encoding="utf-8")
        words = [[one.name, one.literal] for one in keywords]
        rows.append({"file": file, "class": full, "keywords": words, "positional": positional})
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / _MANIFEST).write_text(lines, encoding="utf-8")
    sys.stdout.write(f"{len(rows)} programs\n")
    return 0


def _programs(calls: Path, count: int, seed: int) -> Iterator[tuple[str, list[Keyword], int]]:
    classes = {name.rpartition(".")[2]: name for name in known_classes("trl")}
    found: list[tuple[str, list[Keyword], int]] = []
    seen: dict[str, list[Keyword]] = {}
    for line in calls.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        full = classes.get(row["call"])
        if full is None:
            continue
        keywords = [
            Keyword(name, text if kind == "lit" and _is_literal(text) else None)
            for name, kind, text in row["kw"]
            if name is not None and name.isidentifier()
        ]
        found.append((full, keywords, row["pos"]))
        seen.setdefault(full, []).extend(keywords)
    yield from found
    found = [one for one in found if seen[one[0]]]
    chance = random.Random(seed)
    for _ in range(count):
        full, keywords, positional = chance.choice(found)
        table = {one.name: one for one in keywords}
        given = _FIRST if positional else ()
        for _ in range(chance.randint(1, 3)):
            one = chance.choice(seen[full])
            if one.name not in given:
                table[one.name] = one
        for name in chance.sample(list(table), min(len(table), chance.randint(0, 2))):
            del table[name]
        yield full, list(table.values()), positional


def _is_literal(text: str) -> bool:
    try:
        ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return False
    return True


def _compare(folder: Path, theirs: Path, targets: list[str], show: int) -> int:
    linter = Linter(target=targets, gpus=1, settings=False)
    tally: Counter[str] = Counter()
    shown = 0
    for line in theirs.read_text(encoding="utf-8").splitlines():
        row: dict[str, Any] = json.loads(line)
        if row["error"] in _UNJUDGED:
            tally[row["error"]] += 1
            continue
        text = (folder / row["file"]).read_text(encoding="utf-8")
        report = linter.lint(text, row["file"])
        refused = [
            found
            for found in report.diagnostics
            if found.severity == "error" and found.upstream == "rejects" and found.bites in _AT_ONCE
        ]
        kind = (
            ("refused" if row["error"] else "taken") + ", " + ("foretold" if refused else "silent")
        )
        tally[kind] += 1
        wrong = bool(row["error"]) != bool(refused)
        if wrong and shown < show:
            shown += 1
            ours = "; ".join(f"{found.code} {found.message[:80]}" for found in refused)
            sys.stdout.write(
                f"{row['file']} {row['class']}: theirs {row['error'][:150]!r} ours {ours!r}\n"
            )
    sys.stdout.write(
        ", ".join(f"{name}: {number}" for name, number in sorted(tally.items())) + "\n"
    )
    return int(bool(tally["refused, silent"] + tally["taken, foretold"]))


if __name__ == "__main__":
    sys.exit(main())
