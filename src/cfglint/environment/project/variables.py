"""Variables of scripts, images and workflows whose value the same file states: `ARG TAG=…`, `TAG: …`."""

from __future__ import annotations

import re
from itertools import islice

from cfglint.base.lazy import lazy_pattern

#: No file that a person wrote sets as many.
_MAX_FOUND = 5_000
_MAX_LENGTH = 200
#: `$NAME`, `${NAME}`, `${NAME:-default}`, `${{ env.NAME }}`.
_VARIABLE = lazy_pattern(
    r"\$(?:\{\{[ ]*env\.(?P<action>\w{1,60})[ ]*\}\}"
    r"|\{(?P<braced>[A-Za-z_]\w{0,60})(?::?-(?P<default>[^{}$\n]{0,100}))?\}"
    r"|(?P<bare>[A-Za-z_]\w{0,60}))"
)
_ASSIGNMENT = lazy_pattern(
    r"(?<![\w${.-])([A-Za-z_]\w{0,60})[ \t]{0,8}[=:][ \t]{0,8}[\"']?([\w./-]{1,100})"
)


class Variables:
    """What a file gives its variables: by assignments, by `ARG`, by entries of a mapping."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._values: dict[str, set[str]] | None = None

    def expanded(self, written: str) -> str | None:
        """A word with its variables replaced; None when one of them has no value here, or several."""
        if "$" not in written:
            return written
        unknown = False

        def known(match: re.Match[str]) -> str:
            nonlocal unknown
            values = self._of(match["action"] or match["braced"] or match["bare"])
            if match["default"]:
                values = values | {match["default"]}
            if len(values) != 1:
                unknown = True
                return ""
            return next(iter(values))

        whole = _VARIABLE.sub(known, written)
        return None if unknown or "$" in whole or len(whole) > _MAX_LENGTH else whole

    def _of(self, name: str) -> set[str]:
        if self._values is None:
            self._values = {}
            for match in islice(_ASSIGNMENT.finditer(self._text), _MAX_FOUND):
                self._values.setdefault(match.group(1), set()).add(match.group(2))
        return self._values.get(name, set())
