"""The index that the search of the site reads: the words of all pages."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from cfglint.base.record import Record

_WORD = re.compile(r"\w+")
#: Words of a page that count, those of its title, those of its headings and its summary, the others.
_TITLE, _HEADING, _TEXT = 0, 1, 2
#: A word that is on more than this part of the pages tells nothing.
_EVERYWHERE = 0.2
_LONGEST_SUMMARY = 160


class Found(Record):
    """What the search knows of a page."""

    #: The address, from the top of the site.
    address: str
    title: str
    summary: str
    #: The words of its headings, and all its words.
    headings: str
    text: str


def words(text: str) -> list[str]:
    """The words of a text as the search compares them: a key and a code are one word each."""
    return [word.lower() for word in _WORD.findall(text)]


def index(pages: Sequence[Found]) -> str:
    """The index as a script, which also a page that is opened from a disk can load.

    It has the pages, and for every word the pages that have it: their numbers times three, plus the
    place of the word (0: title, 1: heading, 2: text), each less the one before.
    """
    places: dict[str, list[int]] = {}
    for number, page in enumerate(pages):
        best: dict[str, int] = {}
        for place, text in (
            (_TEXT, page.text),
            (_HEADING, f"{page.headings} {page.summary}"),
            (_TITLE, page.title),
        ):
            best |= dict.fromkeys(words(text), place)
        for word, place in best.items():
            places.setdefault(word, []).append(3 * number + place)
    common = max(50, int(_EVERYWHERE * len(pages)))
    kept = {word: listed for word, listed in sorted(places.items()) if len(listed) <= common}
    told = {
        "pages": [[page.address, page.title, shortened(page.summary)] for page in pages],
        "words": list(kept),
        "places": [_steps(listed) for listed in kept.values()],
    }
    return f"globalThis.cfglintIndex = {json.dumps(told, ensure_ascii=False, separators=(',', ':'))};\n"


def _steps(numbers: Sequence[int]) -> list[int]:
    return [b - a for a, b in zip((0, *numbers), numbers, strict=False)]


def shortened(text: str) -> str:
    """The beginning of a text, in whole words."""
    if len(text) <= _LONGEST_SUMMARY:
        return text
    return text[:_LONGEST_SUMMARY].rpartition(" ")[0] + " …"
