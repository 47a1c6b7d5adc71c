"""What is wrong with an edited text, by an oracle that shares no code with the planner.

An edit is right when `yaml.safe_load` of the result equals the value computed on plain Python
data, the comments are the same ones, and no line outside the edited one changed.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any, NamedTuple

import yaml

from cfglint.fixes.actions import Action

FAST: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
BREAKS = ("\n", "\r")
BREAK = re.compile(r"\r\n|\r|\n")


class Case(NamedTuple):
    """One edit and what it should give."""

    kind: str
    place: str
    action: Action
    intended: Any


def same(left: Any, right: Any) -> bool:
    """Deep equality with types, key order and NaN."""
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        return (
            len(left) == len(right)
            and all(same(one, two) for one, two in zip(left, right, strict=True))
            and all(same(left[key], right[key]) for key in left)
        )
    if isinstance(left, list):
        return len(left) == len(right) and all(map(same, left, right))
    return bool(left == right) or (left != left and right != right)


def comments(text: str) -> list[tuple[int, str]]:
    """Line and text of what looks like a comment; quotes are followed, block texts skipped."""
    found: list[tuple[int, str]] = []
    quote = ""
    literal_indent = -1
    for number, line in enumerate(text.splitlines()):
        stripped = line.strip()
        indent = len(line) - len(line.lstrip(" "))
        if literal_indent >= 0:
            if not stripped or indent > literal_indent:
                continue
            literal_indent = -1
        position = 0
        code_end = len(line)
        while position < len(line):
            char = line[position]
            if quote:
                if char == "\\" and quote == '"':
                    position += 1
                elif char == quote:
                    quote = ""
            elif char in "'\"" and (position == 0 or line[position - 1] in " [{,"):
                quote = char
            elif char == "#" and (position == 0 or line[position - 1] in " \t"):
                found.append((number, line[position:].rstrip()))
                code_end = position
                break
            position += 1
        code = line[:code_end].rstrip()
        if not quote and code and code.split()[-1].rstrip("+-0123456789") in ("|", ">"):
            literal_indent = indent + (len(code) - len(code.lstrip(" -")) - indent)
            literal_indent = max(indent, literal_indent - 1) if "- " in code else indent
    return found


def nodes(text: str) -> dict[tuple[Any, ...], tuple[Any, Any, Any, int]]:
    """(key node, value node, parent node, place in parent) of every path that is written once."""
    out: dict[tuple[Any, ...], tuple[Any, Any, Any, int]] = {}
    root = yaml.compose(text, Loader=FAST)
    stack: list[tuple[tuple[Any, ...], Any]] = [((), root)]
    while stack:
        path, node = stack.pop()
        if isinstance(node, yaml.MappingNode):
            for index, (key, value) in enumerate(node.value):
                child = (*path, key.value)
                out[child] = (key, value, node, index)
                stack.append((child, value))
        elif isinstance(node, yaml.SequenceNode):
            for index, value in enumerate(node.value):
                child = (*path, index)
                out[child] = (value, value, node, index)
                stack.append((child, value))
    return out


def last_line(text_lines: list[str], node: Any) -> int:
    """Number of the last line that a node has characters on."""
    while not isinstance(node, yaml.ScalarNode) and not node.flow_style and node.value:
        last = node.value[-1]
        child = last[1] if isinstance(last, tuple) else last
        if child.start_mark.index < node.start_mark.index:
            break  # an alias: the marks are those of the anchor
        node = child
    line: int = node.end_mark.line
    is_block = not isinstance(node, yaml.ScalarNode) and not node.flow_style and node.value
    if is_block or (isinstance(node, yaml.ScalarNode) and node.style in ("|", ">")):
        if line >= len(text_lines):
            # The mark is behind the last line, which is still the scalar's.
            line = len(text_lines) - 1
        elif node.end_mark.column == 0 or not text_lines[line][: node.end_mark.column].strip():
            line -= 1
        while line > node.start_mark.line and (
            not text_lines[line].strip() or text_lines[line].lstrip().startswith("#")
        ):
            line -= 1
    return line


def problem(text: str, result: str, case: Case, pure: bool) -> str:
    """What is wrong with a result; "" when nothing is."""
    try:
        value = yaml.load(result, Loader=yaml.SafeLoader if pure else FAST)
    except yaml.YAMLError as error:
        return f"no longer YAML: {error}"
    if not same(value, case.intended):
        return "another value"
    if text.endswith(BREAKS) != result.endswith(BREAKS):
        return "final newline"
    kinds = set(BREAK.findall(text))
    if kinds and not set(BREAK.findall(result)) <= kinds:
        return "line endings"
    return _line_problem(text, result, case)


def _line_problem(text: str, result: str, case: Case) -> str:
    lines, new_lines = text.splitlines(True), result.splitlines(True)
    if not text.endswith(BREAKS) and lines and new_lines:
        # The last line may become another one, which had a line break.
        known = BREAK.search(text)
        lines[-1] += known.group() if known else "\n"
        new_lines[-1] += known.group() if known else "\n"
    before = Counter(comment for _, comment in comments(text))
    after = Counter(comment for _, comment in comments(result))
    if before != after:
        return f"comments: lost {dict(before - after)}, gained {dict(after - before)}"
    if case.kind == "move":
        # Where the lines go is not foretold; `verify` looks at what is around them.
        return ""
    low, high = _allowed(text, case)
    below = len(lines) - high - 1
    if (
        len(new_lines) < low + below
        or lines[:low] != new_lines[:low]
        or lines[high + 1 :] != new_lines[len(new_lines) - below :]
    ):
        return f"lines outside {low}-{high} changed"
    return ""


def _allowed(text: str, case: Case) -> tuple[int, int]:
    """The first and the last line that the edit may touch."""
    lines = text.splitlines()
    written = nodes(text)
    path = case.action.path  # type: ignore[union-attr]
    if case.kind in ("insert", "append", "move"):
        # Lines are only added; the parent's last line (or an empty parent's own) may grow.
        parent = path[:-1] if case.kind == "insert" else path
        node = written[parent][1] if parent else yaml.compose(text, Loader=FAST)
        low = written[parent][0].start_mark.line if parent else 0
        high = last_line(lines, node)
        while (
            high + 1 < len(lines)
            and lines[high + 1].startswith(" ")
            and (lines[high + 1].lstrip().startswith("#"))
        ):
            # Comments that are indented deeper belong to what is above them.
            high += 1
        return low, high
    key, value, parent_node, index = written[path]
    low, high = key.start_mark.line, max(key.start_mark.line, last_line(lines, value))
    if isinstance(path[-1], int) and not parent_node.flow_style:
        low = _dash_line(lines, low)
    if case.kind == "rename":
        return low, low
    if case.kind == "replace":
        return low, high
    if parent_node.flow_style:
        return parent_node.start_mark.line, parent_node.end_mark.line
    start = key.start_mark.column
    if isinstance(parent_node, yaml.SequenceNode):
        start = parent_node.start_mark.column
    if len(parent_node.value) == 1 and len(path) > 1:
        low = min(low, written[path[:-1]][0].start_mark.line)
        if isinstance(path[-2], int):
            low = _dash_line(lines, low)
    elif lines[low][:start].strip() and index == 0:
        following = parent_node.value[1]
        following = following[0] if isinstance(following, tuple) else following
        high = following.start_mark.line
    if high == len(lines) - 1 and not text.endswith(BREAKS):
        # Blank lines go, too, so that the file still ends without a line break.
        while low > 0 and not lines[low - 1].strip():
            low -= 1
    return low, high


def _dash_line(lines: list[str], line: int) -> int:
    """The line of the dash of a list item that begins on a line; it may be above."""
    while line > 0 and not lines[line].lstrip().startswith("-"):
        line -= 1
    return line
