"""Actions on a command whose words change a composed configuration: `a.b=v`, `+a.b=v`.

A key has its whole path in one word, so that another name, or another section, changes that word
alone. What is below a section is in several words, all of which change.
"""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.base.type_names import Any
from cfglint.diagnostic import Edit
from cfglint.fixes import refusal
from cfglint.fixes.actions import (
    Action,
    DeleteKey,
    MoveKey,
    RenameKey,
    RewriteScalar,
    SetValue,
)
from cfglint.fixes.drafts import Draft
from cfglint.fixes.refusal import Refusal
from cfglint.source.document import Document, Entry, Mapping, Path, Scalar
from cfglint.source.languages.override_values import quoted
from cfglint.source.languages.shell import Command, command_of, render


def draft(document: Document, command: Command, action: Action) -> Draft:
    """What an action does to a script.

    Raises:
        Unwritable: the place does not allow it, or no word can have the value.
    """
    if isinstance(action, SetValue):
        return _set(document, command, action.path, action.value)
    if isinstance(action, RewriteScalar):
        return _set(document, command, action.path, action.literal)
    if isinstance(action, DeleteKey):
        if document.entry(action.path) is None:
            return Draft((), (action.path,))  # a section goes with the last word below it
        edits = tuple(
            removal(document.text, entry.key.start, max(entry.key.end, entry.value.end))
            for _, entry in _words(document, action.path)
        )
        return Draft(edits, (alone(document, action.path),))
    if isinstance(action, RenameKey):
        return _moved(document, action.path, (*action.path[:-1], action.new_name))
    if isinstance(action, MoveKey):
        return _moved(document, action.path, action.new_path)
    raise Refusal("In a script, nothing is added to lists.")


def _set(document: Document, command: Command, path: Path, value: Any) -> Draft:
    text = document.text
    if document.entry(path) is None:
        if command.hides_keys:
            raise Refusal("The words that may set the key are not known.")
        word = render(f"{dotted_name(document, path)}={quoted(value)}")
        missing = next(n for n in range(1, len(path) + 1) if document.entry(path[:n]) is None)
        return Draft((Edit(command.end, command.end, f" {word}"),), (path[:missing],))
    words = list(_words(document, path))
    if len(words) != 1 or words[0][0] != path:
        raise refusal.not_a("a key with a value", path)
    node = words[0][1].value.target()
    if text[node.start - 1 : node.start] != "=" or isinstance(node, Mapping):
        raise Refusal("The value is not written in the word itself.")
    inside = text[node.end : node.end + 1] in ("'", '"') and text[node.end - 1] not in "'\""
    plain = quoted(value)
    if inside and any(sign in plain for sign in "'\"$`\\"):
        raise Refusal("The value cannot be written between the quotes of the word.")
    return Draft((Edit(node.start, node.end, plain if inside else render(plain)),), (path,))


def _moved(document: Document, old: Path, new: Path) -> Draft:
    if document.entry(new) is not None:
        raise refusal.occupied(new)
    edits = []
    missing = next(n for n in range(1, len(new) + 1) if document.entry(new[:n]) is None)
    for path, entry in _words(document, old):
        key = entry.key.target()
        sign = (
            key.text[: len(key.text) - len(key.text.lstrip("+"))] if isinstance(key, Scalar) else ""
        )
        dotted = dotted_name(document, (*new, *path[len(old) :]))
        edits.append(Edit(entry.key.start, entry.key.end, sign + dotted))
    return Draft(tuple(edits), (alone(document, old), new[:missing]))


def alone(document: Document, path: Path) -> Path:
    """The topmost section with nothing but a key in it; the key itself where there are others."""
    while len(path) > 1:
        above = document.node(path[:-1])
        if (
            not isinstance(above, Mapping)
            or len(above.entries) > 1
            or command_of(above) is not None
        ):
            break
        path = path[:-1]
    return path


def _words(document: Document, path: Path) -> Iterator[tuple[Path, Entry]]:
    """The words that set a key, or keys below it, with their paths.

    Raises:
        Refusal: there is none, or one is not written in one place.
    """
    parent = document.node(path[:-1])
    found = [
        (inner, entry)
        for top in (parent.entries if isinstance(parent, Mapping) and path else [])
        if top.name == path[-1]
        for inner, entry in _leaves(path, top)
    ]
    if not found:
        raise refusal.missing(path)
    for inner, entry in found:
        key = entry.key.target()
        assert isinstance(key, Scalar)
        if document.text[key.start : key.end] != key.text:
            raise Refusal("The word is put together from several parts.")
        yield inner, entry


def _leaves(path: Path, entry: Entry) -> Iterator[tuple[Path, Entry]]:
    """The entries with words of their own at and below one."""
    key, value = entry.key.target(), entry.value.target()
    depth = key.text.count(".") if isinstance(key, Scalar) else 0
    written = key.text.lstrip("+").split(".") if isinstance(key, Scalar) else []
    if isinstance(value, Mapping) and (depth, written[-1:]) != (len(path) - 1, [str(path[-1])]):
        for inner in value.entries:
            yield from _leaves((*path, inner.name or ""), inner)
        return
    yield path, entry


def dotted_name(document: Document, path: Path) -> str:
    """A path as a key, without the further command that it is in."""
    inner = document.node(path[:1])
    names = path[1:] if inner is not None and command_of(inner) is not None else path
    return ".".join(map(str, names))


def removal(text: str, start: int, end: int) -> Edit:
    """The edit that takes words out, with the line that they have to themselves.

    Raises:
        Refusal: the line begins with them and has others.
    """
    if text[start - 1 : start] in ("'", '"') and text[end : end + 1] == text[start - 1]:
        start, end = start - 1, end + 1
    while text[start - 1 : start] in (" ", "\t"):
        start -= 1
    rest = text[end : end + 80]
    stripped = rest.lstrip(" \t")
    begins = start == 0 or text[start - 1] == "\n"
    if begins and stripped.startswith(("\\\n", "\n")) and text[max(0, start - 2) : start] == "\\\n":
        if stripped.startswith("\n"):
            # The line above ends the command then.
            before = text[:start].rstrip("\\\n \t")
            return Edit(len(before), end, "")
        return Edit(start, end + len(rest) - len(stripped) + 2, "")
    if begins:
        raise Refusal("The word is at the start of its line.")
    return Edit(start, end, "")
