"""Compiles `models.json`: what is known about models, and how their names are recognized fast."""

from __future__ import annotations

import re
from typing import Any

from cfglint.base.packing import pack


def models(data: Any) -> tuple[tuple[tuple[str, ...], str, bytes], ...]:
    """Rows of (what the name may start with, its pattern, what is known, packed).

    The pattern is empty when the start says it all.
    """
    rows = data["models"] if isinstance(data, dict) else data
    starts = [_literal_starts(row["pattern"]) for row in rows]
    return tuple(
        (
            start,
            ""
            if row["pattern"] == "^" + re.escape(start[0]).replace("\\-", "-")
            else row["pattern"],
            pack({key: value for key, value in row.items() if value is not None}),
        )
        for row, start in zip(rows, starts, strict=True)
    )


def _literal_starts(pattern: str) -> tuple[str, ...]:
    """What the matches of an anchored pattern start with, in lower case; ("",) if that is open."""
    choices = re.split(r"\|\^", pattern.removeprefix("^"))
    if not pattern.startswith("^") or any("|" in _without_groups(one) for one in choices):
        return ("",)
    return tuple(dict.fromkeys(start for one in choices for start in _starts(one)))


def _without_groups(pattern: str) -> str:
    while (shorter := re.sub(r"\((?:[^()\\]|\\.)*\)", "", pattern)) != pattern:
        pattern = shorter
    return pattern


def _starts(pattern: str) -> list[str]:
    """The literal starts of a pattern that may begin with a group of literal choices."""
    match = re.match(r"\(((?:[\w.|-]|\\[.])+)\)(\??)", pattern)
    if match is None:
        return [_literal_start(pattern)]
    rest = pattern[match.end() :]
    if rest[:1] in ("*", "{", "+"):
        return [""]
    ahead = [choice.replace("\\.", ".").lower() for choice in match[1].split("|")]
    if any("." in choice.replace("\\.", "") for choice in match[1].split("|")):
        return [""]  # a full stop without a backslash is any character
    after = _literal_start(rest)
    return [one + after for one in ([*ahead, ""] if match[2] else ahead)]


def _literal_start(pattern: str) -> str:
    match = re.match(r"((?:[\w-]|\\[.])*)(.?)", pattern)
    assert match is not None
    start, following = match.groups()
    if following in ("?", "*", "{"):
        start = start.removesuffix("\\.") if start.endswith("\\.") else start[:-1]
    return start.replace("\\.", ".").lower()


def shapes(rows: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The sizes of models by name.

    Raises:
        ValueError: two rows share a name.
    """
    found = {name: row["config"] for row in rows for name in row["names"]}
    if len(found) < sum(len(row["names"]) for row in rows):
        raise ValueError("shapes.yaml: a name appears in two rows")
    return found
