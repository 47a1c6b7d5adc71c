"""A command as a list of strings: `CMD` of an image, `command:` in one line, and what a program starts."""

from __future__ import annotations

from cfglint.base.lazy import lazy_pattern
from cfglint.runs.starts.start import Word
from cfglint.runs.starts.ways.limits import MAX_WORDS, REACH
from cfglint.source.starting_programs import starts_others

#: One item of a list: a string, or something whose value is not known.
_ELEMENT = lazy_pattern(
    r"""[ \t\r\n]{0,200}(?:[fr]?["']([^"'\n]{0,1000})["']|([\w.]{1,100}))[ \t\r\n]{0,200}(,|\])"""
)


def words(text: str, at: int, variables: dict[str, str]) -> list[Word]:
    """The command of which the string at a place is one, if that is a single word, or a part of a program's text for a shell."""
    if starts_others(text):
        from cfglint.source.python_commands import command_around

        found = command_around(text, at)
        if found:
            return [Word(one.text, one.start, one.end, one.open) for one in found[:MAX_WORDS]]
    if text[at - 1 : at] not in ("'", '"') or at <= 1:
        return []
    end = text.find(text[at - 1], at, at + 80)
    if end < 0 or any(c.isspace() for c in text[at:end]):
        return []
    return _list_around(text, at)


def _list_around(text: str, at: int) -> list[Word]:
    """The command as a list of strings: `["torchrun", "train.py", "x.yml"]`."""
    start = text.rfind("[", max(0, at - REACH), at)
    words: list[Word] = []
    place = start + 1
    while start >= 0 and place - start < REACH and len(words) < MAX_WORDS:
        match = _ELEMENT.match(text, place)
        if match is None:
            return []
        is_text = match.group(1) is not None
        written = match.group(1) if is_text else match.group(2)
        begin, end = match.span(1 if is_text else 2)
        words.append(Word(written, begin, end, not is_text or "{" in written))
        place = match.end()
        if match.group(3) == "]":
            return words
        if text[place : place + 200].lstrip().startswith("]"):
            return words
    return []
