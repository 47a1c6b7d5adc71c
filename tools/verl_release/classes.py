"""The dataclasses that releases make of sections: what each takes.

A section of a config names its class (`_target_`). A word with `+` may add any key to the config, and the class
then refuses the key that it does not have.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

#: A class and the names of those that it is derived from, with its own fields.
_Class = tuple[list[str], list[str]]
_KEY = "_target_"


def fields_of(checkout: Path) -> dict[str, list[str]]:
    """Class -> its fields, with those of the classes that it is derived from, of all dataclasses of a checkout.

    A name that two classes have, or whose base is not known, is left out.
    """
    found: dict[str, _Class | None] = {}
    for path in sorted(checkout.glob("verl/**/*.py")):
        text = path.read_text(encoding="utf-8")
        if "@dataclass" in text:
            for name, one in _classes(ast.parse(text)):
                found[name] = None if name in found else one
    known = {name: fields for name in found if (fields := _with_bases(name, found)) is not None}
    return {name: sorted(fields) for name, fields in sorted(known.items())}


def _classes(tree: ast.Module) -> Iterator[tuple[str, _Class]]:
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and any(map(_is_dataclass, node.decorator_list)):
            bases = [ast.unparse(base).rpartition(".")[2] for base in node.bases]
            fields = [
                one.target.id
                for one in node.body
                if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
            ]
            yield node.name, (bases, fields)


def _is_dataclass(decorator: ast.expr) -> bool:
    return ast.unparse(decorator).partition("(")[0].rpartition(".")[2] == "dataclass"


def _with_bases(name: str, known: Mapping[str, _Class | None]) -> set[str] | None:
    if name in ("Mapping", "object"):
        return set()
    one = known.get(name)
    if one is None:
        return None
    bases = [_with_bases(base, known) for base in one[0]]
    if any(base is None for base in bases):
        return None
    return {*one[1], *(field for base in bases if base is not None for field in base)}


def targets_of(tree: Any) -> set[str]:
    """The classes that the sections of a config name."""
    if not isinstance(tree, dict):
        return set()
    inner = {name for value in tree.values() for name in targets_of(value)}
    own = tree.get(_KEY)
    return inner | ({own.rpartition(".")[2]} if isinstance(own, str) else set())


def history(
    releases: list[str], fields: Mapping[str, dict[str, list[str]]], names: set[str]
) -> dict[str, Any]:
    """Class -> field -> the releases that it was there `since`, and where it is gone the first one without.

    Args:
        fields: those of each release.
        names: the classes of sections.
    """
    made: dict[str, Any] = {}
    for name in sorted(names):
        rows: dict[str, list[str]] = {}
        for release in releases:
            own = fields[release].get(name)
            if own is None:
                continue
            for field in own:
                spans = rows.setdefault(field, [release])
                if len(spans) % 2 == 0:
                    spans.append(release)
            for field, spans in rows.items():
                if field not in own and len(spans) % 2:
                    spans.append(release)
        first = next((one for one in releases if name in fields[one]), None)
        if first is not None:
            made[name] = {"": [first], **dict(sorted(rows.items()))}
    return made
