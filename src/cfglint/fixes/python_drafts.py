"""Actions on a call in a program: keywords come and go, and literals change; all else stays.

Edits are made on the code, and placed where the file has it.
"""

from __future__ import annotations

import ast
import re

from cfglint.base.lazy import lazy_pattern
from cfglint.base.logic import UNKNOWN
from cfglint.base.type_names import Any
from cfglint.diagnostic import Edit
from cfglint.fixes import refusal
from cfglint.fixes.actions import (
    Action,
    DeleteKey,
    MoveKeyword,
    RenameKey,
    RewriteScalar,
    SetValue,
)
from cfglint.fixes.drafts import Draft, says
from cfglint.fixes.refusal import Refusal
from cfglint.source.calls import call_of
from cfglint.source.document import Document, Entry, Mapping, Path, Scalar
from cfglint.source.languages.python import render
from cfglint.source.python_program import PythonProgram, program_of

#: What is behind the last keyword of a line: its comma, and perhaps a comment.
_LINE_END = lazy_pattern(r"[ \t]*,[ \t]*(?:#[^\r\n]*)?(?=\r?\n)")
#: Words of other languages for what Python has a name of its own for.
_WORDS = {"true": True, "false": False, "null": None, "~": None}


def draft(document: Document, action: Action, after: Path | None) -> Draft:
    """What an action does to a program.

    Raises:
        Unwritable: the place does not allow it, or no literal can have the value.
    """
    if isinstance(action, SetValue):
        return _set(document, action.path, action.value, after)
    if isinstance(action, DeleteKey):
        return _delete(document, action.path)
    if isinstance(action, RenameKey):
        return _rename(document, action.path, action.new_name)
    if isinstance(action, RewriteScalar):
        return _set(document, action.path, _meant(action.literal), None)
    if isinstance(action, MoveKeyword):
        return _move(document, action)
    raise Refusal("In a program, only the keywords of a call are changed.")


#: The length of a path to a keyword of a call; that of a longer one is to a part of its value.
_OF_CALL = 2
_IN_MAPPING = "The keyword is in a mapping, which other parts of the program may use."


def _meant(literal: str) -> Any:
    """The value that a literal of a config has in Python."""
    if literal in _WORDS:
        return _WORDS[literal]
    try:
        return ast.literal_eval(literal)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return literal


def _section(document: Document, path: Path) -> Mapping:
    """The call that a keyword is of.

    Raises:
        Refusal: the path leads to something else.
    """
    node = document.node(path[:-1]) if path else None
    if not isinstance(node, Mapping) or call_of(node) is None:
        raise Refusal("In a program, only the keywords of a call are changed.")
    return node


def _written(document: Document, path: Path) -> Entry:
    _section(document, path)
    entry = document.entry(path)
    if entry is None:
        raise refusal.missing(path)
    if not _is_keyword(document, path[:-1], entry):
        raise Refusal(_IN_MAPPING)
    return entry


def _is_keyword(document: Document, path: Path, entry: Entry) -> bool:
    """Whether the keyword is in the call itself, and not in a mapping that is spread.

    Args:
        path: that of the call.
    """
    section = _section(document, (*path, entry.label))
    is_inside = section.start <= entry.key.start < section.end
    text = program_of(document.text).written(entry.key.start, entry.key.end)
    return is_inside and text == entry.name


def _set(document: Document, path: Path, value: Any, after: Path | None) -> Draft:
    _section(document, path)
    text = render(value)
    entry = document.entry(path)
    if entry is not None:
        if not _is_keyword(document, path[:-1], entry):
            raise Refusal(_IN_MAPPING)
        node = entry.value
        if says(node, value):
            return Draft((), (path,))
        if isinstance(node, Scalar) and node.value is UNKNOWN:
            raise Refusal("The value is computed, so it is not replaced by a literal.")
        return Draft((_placed(document, node.start, node.end, text),), (path,))
    return Draft(_added(document, path, text, after), (path,))


def _added(document: Document, path: Path, text: str, after: Path | None) -> tuple[Edit, ...]:
    """The edits that add a keyword to a call, behind another one of it or else at its end."""
    section = _section(document, path)
    call = call_of(section)
    if call is not None and call.open:
        raise Refusal("The keyword may be among those that `**` adds.")
    before = document.entry(after) if after and after[:-1] == path[:-1] else None
    own = [entry for entry in section.entries if _is_keyword(document, path[:-1], entry)]
    if before is not None and before not in own:
        raise Refusal(_IN_MAPPING)
    if before is None and own:
        before = own[-1]
    if before is None:
        raise Refusal("The call has no keyword to put another one behind.")
    program = program_of(document.text)
    end = _end(program, before)
    start = program.code_at(before.key.start)
    indent = _indent(program.code, start)
    if indent is None:
        return (_inserted(program, end, f", {path[-1]}={text}"),)
    whole = _LINE_END.match(program.code, end)
    if whole is not None:
        # The comment of the line is about what is there.
        return (_inserted(program, whole.end(), f"\n{indent}{path[-1]}={text},"),)
    return (_inserted(program, end, f",\n{indent}{path[-1]}={text}"),)


def _move(document: Document, action: MoveKeyword) -> Draft:
    """A keyword goes to another call, with its value as it is written."""
    entry = _written(document, action.path)
    target = (action.call, action.new_name)
    if document.entry(target) is not None:
        raise refusal.occupied(target)
    program = program_of(document.text)
    text = program.code[program.code_at(entry.value.start) : _end(program, entry)]
    if "\n" in text or "\r" in text:
        raise Refusal("The value has several lines.")
    other = _section(document, target)
    if entry.value.start <= other.start and other.end <= entry.value.end:
        raise Refusal("The other call is part of the value.")
    added = _added(document, target, text, None)
    edits = (*_delete(document, action.path).edits, *added)
    return Draft(tuple(sorted(edits, key=lambda edit: edit.start)), (action.path, target))


def _rename(document: Document, path: Path, new_name: str) -> Draft:
    if len(path) > _OF_CALL and isinstance(document.node(path[:-1]), Mapping):
        return _rename_in_mapping(document, path, new_name)
    entry = _written(document, path)
    target = (*path[:-1], new_name)
    if document.entry(target) is not None:
        raise refusal.occupied(target)
    call = call_of(_section(document, path))
    if call is not None and call.open:
        raise Refusal("The keyword may be among those that `**` adds.")
    return Draft(
        (_placed(document, entry.key.start, entry.key.end, new_name),),
        (path, target),
    )


def _rename_in_mapping(document: Document, path: Path, new_name: str) -> Draft:
    """A key of a mapping that a keyword is given, if nothing else of the program can mean it."""
    entry, target = document.entry(path), (*path[:-1], new_name)
    if entry is None:
        raise refusal.missing(path)
    if document.entry(target) is not None:
        raise refusal.occupied(target)
    program, start, end = program_of(document.text), entry.key.start, entry.key.end
    written = program.written(start, end)
    quote = written[:1] if written[:1] in ("'", '"') else ""
    if written != f"{quote}{entry.name}{quote}":
        raise Refusal("The key is not written out.")
    if len(re.findall(rf"\b{re.escape(str(entry.name))}\b", program.code)) != 1:
        raise Refusal(_IN_MAPPING)
    return Draft((_placed(document, start, end, f"{quote}{new_name}{quote}"),), (path, target))


def _delete(document: Document, path: Path) -> Draft:
    program = program_of(document.text)
    entry = _written(document, path)
    start, end = _extent(program.code, program.code_at(entry.key.start), _end(program, entry))
    edits = tuple(Edit(*span, "") for span in program.spans(start, end))
    return Draft(edits, (path,))


def _extent(code: str, start: int, end: int) -> tuple[int, int]:
    """What goes with a keyword: its comma, and the line that it has to itself."""
    after = _skip(code, end)
    has_comma = code[after : after + 1] == ","
    after = _skip(code, after + 1) if has_comma else after
    at_end = code[after : after + 1] in ("", "\r", "\n")
    begin = start
    while begin and code[begin - 1] in " \t":
        begin -= 1
    begins_line = not begin or code[begin - 1] in "\r\n"
    if begins_line and at_end:
        if code[after : after + 2] == "\r\n":
            return begin, after + 2
        return begin, after + 1 if after < len(code) else after
    if begins_line:
        # Something else is on the line: another keyword, the bracket, a comment.
        return start, after if has_comma or code[after] == "#" else _behind(code, end)
    if has_comma:
        return (begin, _behind(code, end)) if at_end else (start, after)
    if code[begin - 1 : begin] == ",":
        return begin - 1, end
    return start, end


def _behind(code: str, end: int) -> int:
    """The place behind the comma of a keyword; its own end without one."""
    after = _skip(code, end)
    return after + 1 if code[after : after + 1] == "," else end


def _skip(code: str, at: int) -> int:
    while code[at : at + 1] in (" ", "\t"):
        at += 1
    return at


def _indent(code: str, start: int) -> str | None:
    """The blanks before a keyword that begins its line; None if something else does."""
    begin = start
    while begin and code[begin - 1] in " \t":
        begin -= 1
    return code[begin:start] if not begin or code[begin - 1] in "\r\n" else None


def _end(program: PythonProgram, entry: Entry) -> int:
    return program.code_at(entry.value.end - 1) + 1


def _placed(document: Document, start: int, end: int, text: str) -> Edit:
    """The edit that gives a part of the file another text."""
    return Edit(start, end, program_of(document.text).spelled(text))


def _inserted(program: PythonProgram, at: int, text: str) -> Edit:
    newline = "\r\n" if "\r\n" in program.code else "\n"
    place = program.place_of_end(at)
    return Edit(place, place, program.spelled(text.replace("\n", newline)))
