"""Why a file that a search found is not checked."""

from __future__ import annotations

import codecs
from collections.abc import Iterable
from itertools import islice

from cfglint.knowledge import recognition
from cfglint.knowledge.resemblance import reason, resemblance
from cfglint.source.files.base import Files
from cfglint.source.files.links import read_inside
from cfglint.source.problems import SourceError
from cfglint.source.text import MAX_BYTES, SourceText

#: What a file in these languages would need.
_NEEDED = {
    "python": "no call of a class that cfglint knows",
    "notebook": "no call of a class that cfglint knows",
    "shell": "no settings of its own; the options that it gives to a config are checked with that config",
}

#: So many files are looked at for whether they would be checked.
_LOOKED_AT = 50


def why_not_checked(path: str, files: Files) -> str:
    """Why a search does not take a file for a training config."""
    try:
        source = SourceText.from_bytes(read_inside(path, MAX_BYTES + 1, files))
    except SourceError:
        return "no text that could be a config"
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    language = recognition.language_of(path)
    needed = _NEEDED.get(language)
    if needed is not None:
        return needed
    name = recognition.of_file(path, source.text, language)
    if name is not None and recognition.is_other_programs(name, language):
        return "another program makes settings of it"
    text = reason(path, resemblance(source.text, language))
    return text.removeprefix(f"{path}: ").removesuffix("; not checked")


def missed_by(paths: Iterable[str], files: Files) -> str:
    """What a person should know whose search finds nothing: which files are configs nevertheless; empty if none is.

    Args:
        paths: of the files that the search left out.
    """
    found = []
    for path in islice(paths, _LOOKED_AT):
        language = recognition.language_of(path)
        if language in _NEEDED:
            continue
        try:
            text = _text(read_inside(path, MAX_BYTES + 1, files))
        except OSError:
            continue
        if text is not None and resemblance(text, language).is_certain:
            found.append(path)
    if not found:
        return ""
    more = f" and {len(found) - 1} more" if len(found) > 1 else ""
    verb, them = ("was", "it") if len(found) == 1 else ("were", "them")
    return (
        f"{found[0]}{more} looked like one, and {verb} not checked: a search needs more keys, in UTF-8, to tell"
        f" a framework. Name {them} to check {them}."
    )


def _text(data: bytes) -> str | None:
    """The text of a file, also of one in the encoding of an editor on Windows; None if it has none."""
    try:
        return SourceText.from_bytes(data).text
    except SourceError:
        marks = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
        return data.decode("utf-16", "replace") if data.startswith(marks) else None
