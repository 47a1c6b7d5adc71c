"""Why a text is not YAML: the typing mistake behind PyYAML's error, in plain words.

PyYAML says where it gave up, which is often another line than the one to change, and it reports the
same for three different slips. So each family of slips looks at the lines around that place by
itself and proposes what may have gone wrong there; every proposal is tried on the text, and the
one after which the file reads most like a config is the diagnosis.

Imported only when a file cannot be read.
"""

from __future__ import annotations

from functools import lru_cache

import yaml

from cfglint.base.record import NamedTuple
from cfglint.base.type_names import Any
from cfglint.source.diagnosis.model import Cause, Change, Slip
from cfglint.source.diagnosis.ranking import find_slip
from cfglint.source.pure_loader import PureLoader
from cfglint.source.text import Span

#: Larger texts are examined through a window of about this size (characters).
_WINDOW = 40_000
#: Up to this many characters PyYAML's own loader, which is slow, is asked.
_PURE = 8_000

__all__ = ["Cause", "Change", "Diagnosis", "Slip", "diagnose"]


class Diagnosis(NamedTuple):
    """The slip, and how certain its repair is.

    Attributes:
        slip: with offsets into the whole text.
        loads: PyYAML loads the text with the slip's changes made.
        only: and no other explanation gives a file that makes sense.
    """

    slip: Slip
    loads: bool
    only: bool


# A text that libyaml refuses is read again by PyYAML's own parser, which mostly stops at the same
# place: that is half of the work.
@lru_cache(maxsize=1)
def diagnose(text: str, at: int, context: int = -1) -> Diagnosis | None:
    """Explain why a text cannot be read.

    Args:
        text: the whole text.
        at: the offset where PyYAML gave up.
        context: where the construct that it was reading begins; -1 if it did not say.

    Returns:
        None when nothing explains it better than PyYAML's own words.
    """
    start, end = _window(text, at, context)
    part = text[start:end]
    verdict = find_slip(
        part, min(at - start, len(part)), context - start if context >= start else -1
    )
    if verdict is None:
        return None
    slip = verdict.slip
    if start:
        slip = slip._replace(
            span=Span(slip.span.start + start, slip.span.end + start),
            changes=tuple(
                Change(change.start + start, change.end + start, change.text)
                for change in slip.changes
            ),
        )
    loads = verdict.loads and _loads(slip.applied(text))
    return Diagnosis(slip, loads, loads and verdict.only)


def _window(text: str, at: int, context: int) -> tuple[int, int]:
    """The part of a large text to look at; it begins with a key at the left margin if it can."""
    if len(text) <= _WINDOW:
        return 0, len(text)
    first = at if context < 0 or at - context > _WINDOW // 2 else context
    start = max(0, first - _WINDOW // 4)
    line = text.find("\n", start, first) + 1 or start
    start = line
    while line < first:
        if text[line].isalpha():
            start = line
            break
        after = text.find("\n", line, first)
        if after < 0:
            break
        line = after + 1
    end = min(len(text), at + _WINDOW // 4)
    stop = text.rfind("\n", at, end)
    return start, end if stop < 0 else stop + 1


def _loads(text: str) -> bool:
    """Whether PyYAML, as frameworks call it, reads a mapping from a text."""
    if len(text) > _WINDOW:
        return False
    # Before the fix is applied, PyYAML's own loader reads the text again; for this much it takes a
    # second.
    quick = len(text) > _PURE and "\t" not in text
    loader: Any = getattr(yaml, "CSafeLoader", PureLoader) if quick else PureLoader
    try:
        return isinstance(yaml.load(text, Loader=loader), dict)  # noqa: S506 - both are safe
    except (
        yaml.YAMLError, ValueError, ArithmeticError, LookupError, TypeError, AttributeError,
        RecursionError,
    ):  # fmt: skip
        return False
