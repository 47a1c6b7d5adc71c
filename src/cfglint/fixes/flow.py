"""Edits inside `{...}` and `[...]`."""

from __future__ import annotations

from cfglint.diagnostic import Edit
from cfglint.fixes.layout import (
    Collection,
    after_colon,
    child_count,
    child_end,
    child_start,
    child_value,
    is_empty,
    line_start,
)
from cfglint.fixes.refusal import Refusal
from cfglint.source.document import Document, Entry, Mapping, Node, Scalar, Sequence
from cfglint.source.languages.yaml_render import render_inline, render_key

_BRACKETS = ("{}", "[]")


def replace(document: Document, parent: Collection, index: int, literal: str) -> Edit:
    """Replace one value inside a flow collection by a literal."""
    text = document.text
    node = child_value(parent, index)
    if isinstance(node, (Mapping, Sequence)):
        check_no_comments(document, node)
    if not is_empty(node):
        return Edit(node.start, node.end, literal)
    if isinstance(parent, Sequence):
        raise Refusal("The list item is empty.")
    entry = parent.entries[index]
    if text[entry.key.end : entry.key.end + 1] in (",", "}", ""):
        return Edit(entry.key.end, entry.key.end, f": {literal}")
    slot = after_colon(text, entry)
    return Edit(slot, slot, f" {literal}")


def delete(document: Document, parent: Collection, index: int) -> Edit:
    """Remove one entry or item with the comma that belongs to it."""
    text = document.text
    _check(document, parent)
    count = child_count(parent)
    if count == 1:
        return Edit(parent.start + 1, parent.end - 1, "")
    start = child_start(text, parent, index)
    if index == 0:
        return Edit(start, child_start(text, parent, 1), "")
    comma = text.find(",", child_end(text, parent, index - 1), start)
    if comma < 0:
        raise Refusal("The comma before the entry was not found.")
    return Edit(comma, child_end(text, parent, index), "")


def insert(document: Document, parent: Collection, after: int, literal: str) -> Edit:
    """Add `key: value` or an item after the `after`-th child, in the layout of the others."""
    text = document.text
    _check(document, parent)
    count = child_count(parent)
    if not count:
        interior = text[parent.start + 1 : parent.end - 1]
        padded = f" {literal} " if interior and not interior.strip(" ") else literal
        return Edit(parent.start + 1, parent.end - 1, padded)
    end = child_end(text, parent, after)
    separator = ", "
    start = child_start(text, parent, after)
    begin = line_start(text, start)
    if begin > parent.start and not text[begin:start].strip(" "):
        separator = f",{document.source.newline}{text[begin:start]}"
    if isinstance(parent, Mapping) and is_empty(parent.entries[after].value):
        separator = " " + separator
    return Edit(end, end, separator + literal)


def render_entry(parent: Mapping, key: str, value: object) -> str:
    """`key: value` with the quotes of the keys around it."""
    style = sibling_style(parent.entries)
    return (
        f"{render_key(key, style=style, flow=True)}: {render_inline(value, style=style, flow=True)}"
    )


def sibling_style(entries: list[Entry]) -> str:
    """The quotes that all keys of a flow mapping have in common (JSON has them), else ""."""
    styles = {entry.key.style if isinstance(entry.key, Scalar) else "" for entry in entries}
    return styles.pop() if len(styles) == 1 else ""


def check_no_comments(document: Document, node: Node) -> None:
    """Refuse a flow collection over several lines with comments in it.

    Raises:
        Refusal: it has one.
    """
    text = document.text
    if text.find("#", node.start, node.end) < 0 or line_start(text, node.end) <= node.start:
        return
    comments = document.language.comments(document)
    if any(node.start <= comment.span.start < node.end for comment in comments):
        raise Refusal(
            "There are comments inside the brackets, and it is not clear where they belong."
        )


def _check(document: Document, parent: Collection) -> None:
    text = document.text
    if text[parent.start : parent.start + 1] + text[parent.end - 1 : parent.end] not in _BRACKETS:
        raise Refusal("The mapping is one `key: value` inside a list, without braces of its own.")
    if "\t" in text and text.find("\t", parent.start, parent.end) >= 0:
        raise Refusal("There is a tab inside the brackets.")
    check_no_comments(document, parent)
