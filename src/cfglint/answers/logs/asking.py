"""Messages that say themselves what is to be done."""

from __future__ import annotations

import re

#: What asks for something: of the reader, or of a setting.
_ASKS = re.compile(
    r"\b(?:[Pp]lease (?!report|open|file|submit|raise)\w|[Yy]ou (?:have to|need to|must|should) |[Mm]ake sure |pip3? install "
    r"|(?:[Uu]se|[Ss]et|[Aa]dd|[Pp]ass|[Ss]pecify|[Ii]nstall|[Uu]pgrade|[Nn]eeds?|[Rr]equires?) [`'\"][^`'\"\n]{2,80}[`'\"])"
)


def asks(message: str) -> bool:
    """Whether a message says what its reader has to do."""
    return _ASKS.search(message) is not None
