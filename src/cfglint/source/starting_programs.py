"""Which programs may start others, by a look at their text."""

from __future__ import annotations

#: What a program that starts another one has in its text.
_SIGNS = (
    *("subprocess", "os.system", "os.popen", "os.exec", "os.spawn", "Popen", "shlex.split"),
    "pty.spawn",
)
_IN_BYTES = tuple(sign.encode() for sign in _SIGNS)


def starts_others(text: str) -> bool:
    """Whether a text may be that of a program which starts others."""
    return any(sign in text for sign in _SIGNS)


def may_start_others(data: bytes) -> bool:
    """The same for the contents of a file."""
    return any(sign in data for sign in _IN_BYTES)
