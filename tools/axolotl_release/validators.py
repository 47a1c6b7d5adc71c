"""Compares the validators of two releases: which are new, changed, moved or gone.

A validator is a method with one of pydantic's validator decorators, or a function of the module
that loads a configuration.  Two are the same when decorators and code are; comments, docstrings
and layout do not count.
"""

from __future__ import annotations

import ast
import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tools.python_sources.values import dotted_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tools.python_sources.sources import Release

_DECORATORS = {"field_validator", "model_validator", "validator", "root_validator"}
#: Functions outside classes that decide about a configuration, too.
_LOADERS = ("axolotl.utils.config", "axolotl.cli.config")
_LONGEST = 160


@dataclass(frozen=True)
class Validator:
    """One validator: where it stands, when it runs, and its code without words."""

    module: str
    owner: str
    name: str
    decorators: tuple[str, ...]
    code: str
    messages: tuple[str, ...]

    @property
    def place(self) -> str:
        """Module, class and name."""
        return ".".join(part for part in (self.module, self.owner, self.name) if part)


@dataclass(frozen=True)
class Changes:
    """What a release did to the validators of another."""

    new: list[Validator]
    gone: list[Validator]
    changed: list[tuple[Validator, Validator]]
    moved: list[tuple[Validator, Validator]]


def read_validators(release: Release) -> dict[str, Validator]:
    """Every validator of a release by its place."""
    found = (one for module, text in release.modules.items() for one in _module(module, text))
    return {one.place: one for one in found}


def compare(old: Mapping[str, Validator], new: Mapping[str, Validator]) -> Changes:
    """Old and new validators, paired by place, then by name and code."""
    gone = [one for place, one in old.items() if place not in new]
    added = [one for place, one in new.items() if place not in old]
    moved: list[tuple[Validator, Validator]] = []
    for one in list(gone):
        same = next((other for other in added if _same(one, other)), None)
        if same is not None:
            gone.remove(one)
            added.remove(same)
            moved.append((one, same))
    changed = [
        (one, new[place])
        for place, one in old.items()
        if place in new and not _same(one, new[place])
    ]
    return Changes(added, gone, changed, moved)


def describe(changes: Changes, *, code: bool = False) -> Iterator[str]:
    """The changes as lines; with `code` the differing lines of changed validators, too."""
    for title, those in (("new", changes.new), ("gone", changes.gone)):
        for one in sorted(those, key=lambda one: one.place):
            yield f"{title:8} {one.place}"
            yield from (f"           {line}" for line in (*one.decorators, *one.messages))
    for old, now in sorted(changes.changed, key=lambda pair: pair[0].place):
        yield f"changed  {now.place}"
        before, after = set(old.messages), set(now.messages)
        yield from (f"         - {line}" for line in sorted(before - after))
        yield from (f"         + {line}" for line in sorted(after - before))
        if code:
            lines = difflib.unified_diff(old.code.splitlines(), now.code.splitlines(), n=1)
            yield from (f"           {line.rstrip()}" for line in list(lines)[2:])
    for old, now in changes.moved:
        yield f"moved    {old.place} -> {now.place}"


def _same(one: Validator, other: Validator) -> bool:
    return (one.name, one.decorators, one.code) == (other.name, other.decorators, other.code)


def _module(module: str, text: str) -> Iterator[Validator]:
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            for part in node.body:
                if isinstance(part, ast.FunctionDef) and _is_validator(part):
                    yield _validator(module, node.name, part)
        elif isinstance(node, ast.FunctionDef) and module in _LOADERS:
            yield _validator(module, "", node)


def _is_validator(function: ast.FunctionDef) -> bool:
    for decorator in function.decorator_list:
        call = decorator.func if isinstance(decorator, ast.Call) else decorator
        if (dotted_name(call) or "").rpartition(".")[2] in _DECORATORS:
            return True
    return False


def _validator(module: str, owner: str, function: ast.FunctionDef) -> Validator:
    body = function.body
    if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        body = body[1:]
    code = "\n".join(ast.unparse(statement) for statement in body)
    decorators = tuple(f"@{ast.unparse(one)}" for one in function.decorator_list)
    return Validator(module, owner, function.name, decorators, code, tuple(_messages(function)))


def _messages(function: ast.FunctionDef) -> Iterator[str]:
    """What the validator says when it raises, by kind of exception."""
    for node in ast.walk(function):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            kind = dotted_name(node.exc.func) or "?"
            words = " ".join(" ".join(_text(part) for part in node.exc.args).split())
            yield f"{kind}: {words}"[:_LONGEST]


def _text(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(part) for part in node.values)
    if isinstance(node, ast.FormattedValue):
        return "{" + ast.unparse(node.value) + "}"
    if isinstance(node, ast.BinOp):
        return _text(node.left) + _text(node.right)
    return ast.unparse(node)
