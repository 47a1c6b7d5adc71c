"""Texts of a file as messages quote them: a long one is cut, and shows it."""

from __future__ import annotations


def shortened(text: str, most: int = 60) -> str:
    """A text of at most so many characters, the last of which is `…` where more follows."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def shortened_value(value: object, most: int = 60) -> str:
    """A value as YAML has it, as messages quote it."""
    return str(value).lower() if isinstance(value, bool) else shortened(str(value), most)
