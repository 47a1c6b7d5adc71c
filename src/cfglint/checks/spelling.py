"""Which known name a misspelt one is likely to be."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Guess(NamedTuple):
    """A known name that is close to what was written.

    `sure` when it is the only close one and differs by a slip of the finger.
    """

    name: str
    sure: bool


def closest(written: str, names: Iterable[str]) -> Guess | None:
    """The known name that a misspelling most likely stands for, None when none is close."""
    from difflib import SequenceMatcher

    folded = _fold(written)
    candidates = [name for name in names if _may_be_close(folded, _fold(name))]
    matcher: SequenceMatcher[str] = SequenceMatcher(autojunk=False)
    matcher.set_seq2(folded)
    scored: list[tuple[float, str]] = []
    for name in candidates:
        matcher.set_seq1(_fold(name))
        if matcher.quick_ratio() >= 0.8 and (ratio := matcher.ratio()) >= 0.8:
            scored.append((ratio, name))
    if not scored:
        return None
    scored.sort(key=lambda pair: (-pair[0], pair[1]))
    best, name = scored[0]
    clear = len(scored) == 1 or scored[1][0] < best - 0.04
    return Guess(name, sure=clear and best >= 0.9 and _letters_only(written, name))


def _fold(name: str) -> str:
    return name.lower().replace("-", "_")


def _may_be_close(left: str, right: str) -> bool:
    """A cheap filter: about the same length, and the same beginning or end."""
    if abs(len(left) - len(right)) > 3:
        return False
    return left[:2] == right[:2] or left[-3:] == right[-3:] or sorted(left) == sorted(right)


def _letters_only(left: str, right: str) -> bool:
    """Whether all digits agree: `adam_beta1` is no slip for `adam_beta2`."""
    return [c for c in left if c.isdigit()] == [c for c in right if c.isdigit()]
