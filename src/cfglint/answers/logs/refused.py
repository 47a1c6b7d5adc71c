"""Errors that name the arguments which a class or a parser does not take."""

from __future__ import annotations

import re

from cfglint.answers.logs.failures import Failure
from cfglint.base.record import Record

#: As many arguments of one failure are named.
_MAX_KEYS = 3
_KEYWORD = re.compile(
    r"\b(?P<by>[A-Za-z_]\w{0,100})(?:\.__init__)?\(\) got an unexpected keyword argument"
    r" '(?P<key>\w{1,100})'"
)
#: What parsers of arguments say; the words that they do not know follow.
_PARSERS = re.compile(
    r"Some (?:specified arguments|(?P<keys>keys)) are not used by the \w{1,100}:"
    r"|Unknown arguments from config file:"
    r"|\bunrecognized arguments:|\bremaining_argv:"
)
_OPTION = re.compile(r"--([A-Za-z][\w.-]{0,100})|'([A-Za-z][\w.-]{0,100})=")
_LISTED = re.compile(r"'(?:--)?([A-Za-z][\w.-]{0,100})'")
#: pydantic writes the path of a key, then this: release 2, or 1.
_EXTRA = re.compile(
    r"(?P<key>[\w.-]{1,200}) (?:Extra inputs are not permitted|extra fields not permitted)"
)
#: Hydra names the path of what an override sets.
_OVERRIDE = re.compile(r"Could not override '(?P<key>[\w.-]{1,200})'\. To append to your config")


class RefusedKey(Record):
    """An argument that something did not take."""

    name: str
    #: The class or function; empty where the error does not name it.
    by: str
    #: The section of Hydra's config that an override names; empty at the top level and elsewhere.
    section: str = ""

    @property
    def title(self) -> str:
        """That it is not known, and to what."""
        by = f"`{self.by}`" if self.by else "the release that ran"
        return f"`{self.name}` is not known to {by}"


def refused_keys(failure: Failure) -> tuple[RefusedKey, ...]:
    """The arguments that a failure says are not known, in its order."""
    text = failure.text
    keyword = _KEYWORD.search(text)
    if keyword is not None:
        return (RefusedKey(keyword["key"], keyword["by"]),)
    parser = _PARSERS.search(text)
    if parser is not None:
        listed = (_LISTED if parser["keys"] else _OPTION).finditer(text, parser.end())
        names = [(found[found.lastindex or 0]).replace("-", "_") for found in listed]
    else:
        override = _OVERRIDE.search(text)
        if override is not None:
            section, _, name = override["key"].rpartition(".")
            return (RefusedKey(name, "", section),)
        names = [path.rpartition(".")[2] for path in _EXTRA.findall(text)]
    return tuple(RefusedKey(name, "") for name in list(dict.fromkeys(names))[:_MAX_KEYS])
