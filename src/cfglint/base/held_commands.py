"""The commands that variables of a script have: `CLI=/opt/bin/tool`, `TOOL="${TOOL:-tool}"`, `: "${TOOL:=tool}"`."""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice

from cfglint.base.lazy import lazy_pattern

_HELD = lazy_pattern(
    r"(?<!\w)([A-Za-z_]\w{0,80})(?:=[\"']?\$\{\w{1,80}:?[-=]|:?=)[\"']?(?:[\w./-]{1,200}/)?([a-z][\w-]{1,40})(?![\w./-])"
)
#: More variables of a text are not followed.
_MAX_HELD = 20
_MAX_SET = 2_000


def held_commands(text: str, commands: Collection[str]) -> dict[str, str]:
    """Variable -> the one of some commands that it has, perhaps by default."""
    own = [one for one in commands if one in text]
    matches = islice(_HELD.finditer(text), _MAX_SET) if own else ()
    held = {match[1]: match[2] for match in matches if match[2] in own}
    return dict(islice(held.items(), _MAX_HELD))
