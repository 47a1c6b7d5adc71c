"""Comments that are headings: about the entries below, not only about the next one."""

from __future__ import annotations

from cfglint.base.lazy import lazy_pattern
from cfglint.fixes.layout import (
    Collection,
    child_end,
    comment_block_start,
    line_above,
    line_start,
    next_line,
)
from cfglint.source.document import Mapping

# Of a key or a comment; shorter ones say nothing.
_WORD = lazy_pattern("[a-z0-9]{3,}")


def is_heading(text: str, parent: Collection, index: int, begin: int) -> bool:
    """Whether the comment above an entry is about the entries below, too.

    Such is one line at the top of a paragraph of three entries or more, unless it has a word of
    this entry's key, and of no other; at the top of a paragraph of two entries, it has a word of the
    other's key; or it is about a key whose name the next one begins with (`fsdp`, `fsdp_config`).
    """
    if _begins_a_family(text, parent, index, begin):
        return True
    if not isinstance(parent, Mapping):
        return False
    below = key_line = line_start(text, parent.entries[index].key.start)
    if next_line(text, begin) != key_line or not _is_blank(text, begin):
        return False
    names = []
    for number, entry in enumerate(parent.entries[index : index + 3], index):
        if line_start(text, entry.key.start) != below:
            break
        names.append(entry.label)
        below = next_line(text, child_end(text, parent, number))
    words = _WORD.findall(text[begin:key_line].lower())
    if len(names) < 3:
        return any(_has_word(words, name) for name in names[1:])
    own, *others = (_shares(words, name) for name in names)
    return not own or any(others)


def _begins_a_family(text: str, parent: Collection, index: int, begin: int) -> bool:
    if not isinstance(parent, Mapping) or index + 1 >= len(parent.entries):
        return False
    own, following = parent.entries[index], parent.entries[index + 1]
    key_line = line_start(text, own.key.start)
    if not following.label.startswith(f"{own.label}_") or next_line(text, begin) != key_line:
        return False
    below = line_start(text, following.key.start)
    return comment_block_start(text, following.key.start) == below


def _is_blank(text: str, begin: int) -> bool:
    """Whether nothing is on the line above a line start."""
    return not text[line_above(text, begin) : begin].strip()


def _has_word(words: list[str], name: str) -> bool:
    """Whether one of the words is a part of a key, in the singular or the plural."""
    parts = {part.rstrip("s") for part in _WORD.findall(name.lower())}
    return any(word.rstrip("s") in parts for word in words)


def _shares(words: list[str], name: str) -> bool:
    """Whether a key is named after one of the words (`eval_steps` after "evaluation")."""
    parts = _WORD.findall(name.lower())
    return any(one.startswith(part) or part.startswith(one) for one in words for part in parts)
