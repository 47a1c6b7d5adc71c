"""Actions on a command of a script: options come and go with their words.

The value of a variable is changed where the variable is set when nothing else uses it, and
else where the command uses it.
"""

from __future__ import annotations

import re

from cfglint.base.lazy import lazy_pattern
from cfglint.base.type_names import Any
from cfglint.diagnostic import Edit
from cfglint.fixes import refusal
from cfglint.fixes.actions import (
    Action,
    AppendItem,
    DeleteKey,
    MoveKey,
    RenameKey,
    RewriteScalar,
    SetValue,
)
from cfglint.fixes.drafts import Draft, says
from cfglint.fixes.override_drafts import alone, dotted_name
from cfglint.fixes.refusal import Refusal
from cfglint.source.document import Alias, Document, Entry, Mapping, Node, Path, Scalar, Sequence
from cfglint.source.languages.dotted_options import is_section
from cfglint.source.languages.shell import Command, command_of, is_frame, render

_VARIABLE = lazy_pattern(r"[\"']?\$\{?(\w+)\}?[\"']?")
_BETWEEN = lazy_pattern(r"=?(?:[ \t]|\\?\r?\n)*")
_REST_OF_LINE = lazy_pattern(r"[ \t]*\\\r?\n")
_JOINED = lazy_pattern(r"(?<![ \t])[ \t]*\\\r?\n[ \t]*\Z")


def draft(document: Document, action: Action, after: Path | None) -> Draft:
    """What an action does to a script.

    Raises:
        Unwritable: the place does not allow it, or no word can have the value.
    """
    first = command_of(document.root)
    if first is not None and first.overrides is not None:
        from cfglint.fixes import override_drafts

        return override_drafts.draft(document, first, action)
    if isinstance(action, SetValue):
        return _set(document, action.path, action.value, after)
    if isinstance(action, DeleteKey):
        return _delete(document, action.path)
    if isinstance(action, RenameKey):
        return _rename(document, action.path, (*action.path[:-1], action.new_name))
    if isinstance(action, MoveKey) and _has_sections(document, action.path):
        return _rename(document, action.path, action.new_path)
    if isinstance(action, AppendItem):
        return _append(document, action.path, action.value, after)
    if isinstance(action, RewriteScalar):
        entry = _written(document, action.path)
        return Draft((_replacement(document.text, entry.value, action.literal),), (action.path,))
    raise Refusal("In a script, options are not moved.")


def _set(document: Document, path: Path, value: Any, after: Path | None) -> Draft:
    command = _command_at(document, path)
    if command is None:
        raise refusal.missing(path)
    if document.entry(path) is None:
        if command.hides_keys:
            raise Refusal("The words that may hold the option are not known.")
        if value is False:
            return Draft((), (path,))
        at = _behind(document, command, after)
        added = f" {_words(dotted_name(document, path), value)}"
        return Draft((Edit(at, at, added),), (_first_missing(document, path),))
    entry = _written(document, path)
    node = entry.value.target()
    is_switch = isinstance(node, Scalar) and isinstance(node.value, bool)
    if isinstance(value, bool) != is_switch:
        raise refusal.not_a("an option with a value" if is_switch else "a switch", path)
    if is_switch:
        return Draft(() if value else (_removal(document.text, entry),), (path,))
    if says(node, value if isinstance(value, str) else str(value)):
        return Draft((), (path,))
    return Draft((_replacement(document.text, entry.value, render(value)),), (path,))


def _append(document: Document, path: Path, value: Any, after: Path | None) -> Draft:
    if document.entry(path) is None:
        return _set(document, path, [value], after)
    node = _written(document, path).value.target()
    if not isinstance(node, Sequence):
        raise refusal.not_a("a list", path)
    edit = Edit(node.end, node.end, f" {render(value)}")
    return Draft((edit,), ((*path, len(node.items)),))


def _delete(document: Document, path: Path) -> Draft:
    if document.entry(path) is None and _has_sections(document, path):
        return Draft((), (path,))  # a section goes with the last option below it
    entry = _written(document, path)
    return Draft((_removal(document.text, entry),), (alone(document, path),))


def _rename(document: Document, path: Path, target: Path) -> Draft:
    entry = _written(document, path)
    if document.entry(target) is not None:
        raise refusal.occupied(target)
    edit = Edit(entry.key.start, entry.key.end, f"--{dotted_name(document, target)}")
    return Draft((edit,), (alone(document, path), _first_missing(document, target)))


def _command_at(document: Document, path: Path) -> Command | None:
    """The command that an option is of; None when a path is not that of an option."""
    first = document.node(path[:1]) if len(path) > 1 else None
    further = command_of(first) if first is not None else None
    if further is not None:
        return further if len(path) == 2 or further.sections else None
    command = command_of(document.root)
    fits = command is not None and (len(path) == 1 or (path and command.sections))
    return command if fits else None


def _has_sections(document: Document, path: Path) -> bool:
    """Whether the dots of a command's options name sections."""
    command = _command_at(document, path)
    return command is not None and bool(command.sections)


def _first_missing(document: Document, path: Path) -> Path:
    """The topmost part of a path that is not there; the path when all of it is."""
    depths = range(1, len(path))
    return next((path[:n] for n in depths if document.entry(path[:n]) is None), path)


def _words(name: str, value: Any) -> str:
    return f"--{name}" if value is True else f"--{name} {render(value)}"


def _behind(document: Document, command: Command, after: Path | None) -> int:
    """Where a new option is added: behind another one, or at the end of the command."""
    entry = document.entry(after) if after else None
    if entry is None or is_frame(entry.name or ""):
        return command.end
    return max(entry.key.end, entry.value.end)


def _written(document: Document, path: Path) -> Entry:
    """The entry of an option that the command has, once.

    Raises:
        Refusal: it has none, or several.
    """
    parent = document.node(path[:-1])
    found = parent.entries if isinstance(parent, Mapping) and path else []
    entries = [entry for entry in found if entry.name == path[-1]]
    if not entries:
        raise refusal.missing(path)
    if len(entries) > 1:
        raise refusal.duplicated(path)
    if is_section(entries[0]):
        raise refusal.not_a("an option", path)
    return entries[0]


def _replacement(text: str, node: Node, words: str) -> Edit:
    """The edit that gives a value other words."""
    if isinstance(node, Alias):
        match = _VARIABLE.fullmatch(text[node.start : node.end])
        uses = rf"\$\{{?{re.escape(match.group(1))}\b" if match else "(?!)"
        if len(re.findall(uses, text)) == 1:
            return Edit(node.node.start, node.node.end, words)
    if node.start == node.end:
        return Edit(node.start, node.end, f" {words}")
    return Edit(node.start, node.end, words)


def _removal(text: str, entry: Entry) -> Edit:
    """The edit that takes an option out with its words, and with the line that it has to itself."""
    start, end = entry.key.start, max(entry.key.end, entry.value.end)
    if _BETWEEN.fullmatch(text, entry.key.end, max(entry.key.end, entry.value.start)) is None:
        raise Refusal("The option and its value are in different places.")
    while start > 0 and text[start - 1] in " \t":
        start -= 1
    begins = start == 0 or text[start - 1] == "\n"
    rest = _REST_OF_LINE.match(text, end)
    if begins and rest is not None:
        return Edit(start, rest.end(), "")
    if begins and (end == len(text) or text[end] in "\r\n"):
        joined = _JOINED.search(text, max(0, start - 80), start)
        start = joined.start() if joined is not None else start
    elif begins:
        start = entry.key.start
        while end < len(text) and text[end] in " \t":
            end += 1
    return Edit(start, end, "")
