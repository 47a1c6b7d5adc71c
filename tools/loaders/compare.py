"""Puts the answers of two loaders beside each other, and says in words where they differ."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Any, NamedTuple

IGNORED = -100
#: Only texts up to this many characters are quoted whole.
_SHORT = 60


class Comparison(NamedTuple):
    """One row, read by an old and a new loader."""

    #: `equal`, `labels` (the same tokens, learned in part), `tokens`, or who refuses the row.
    verdict: str
    #: What an owner has to know, empty when equal.
    difference: str


def compare(old: dict[str, Any], new: dict[str, Any], text: dict[int, str]) -> Comparison:
    """Compare the answers of two loaders.

    Args:
        text: id -> the text of a token.
    """
    if "error" in old:
        return Comparison("old refuses", old["error"])
    if "error" in new:
        return Comparison("new refuses", new["error"])
    if old["ids"] != new["ids"]:
        return Comparison("tokens", _tokens(old["ids"], new["ids"], text))
    if old["labels"] != new["labels"]:
        return Comparison("labels", _labels(old, new, text))
    return Comparison("equal", "")


def _tokens(old: Sequence[int], new: Sequence[int], text: dict[int, str]) -> str:
    one, two = (_joined(ids, text) for ids in (old, new))
    if one == two:
        return "the same text, cut into other tokens"
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    parts = []
    for tag, start, end, first, last in matcher.get_opcodes():
        if tag != "equal":
            before, after = _joined(old[start:end], text), _joined(new[first:last], text)
            parts.append(f"{_quoted(before)} became {_quoted(after)}")
    return "; ".join(dict.fromkeys(parts))


def _labels(old: dict[str, Any], new: dict[str, Any], text: dict[int, str]) -> str:
    parts = []
    for name, one, two in (("no longer", old, new), ("newly", new, old)):
        gone = [
            ident
            for ident, mine, theirs in zip(one["ids"], one["labels"], two["labels"], strict=True)
            if mine != IGNORED and theirs == IGNORED
        ]
        if gone:
            kinds = list(dict.fromkeys(_quoted(text.get(ident, "?")) for ident in gone))
            parts.append(f"{name} learned: {len(gone)} x {' or '.join(kinds)}")
    return "; ".join(parts)


def _joined(ids: Sequence[int], text: dict[int, str]) -> str:
    return "".join(text.get(ident, "?") for ident in ids)


def _quoted(part: str) -> str:
    shown = part if len(part) <= _SHORT else f"{part[: _SHORT // 2]}…{part[-_SHORT // 2 :]}"
    return repr(shown) if shown else "nothing"
