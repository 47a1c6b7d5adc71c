"""Which programs may start others, by a look at their text."""

from __future__ import annotations

#: What a program that starts another one has in its text.
_SIGNS = (
    *("subprocess", "os.system", "os.popen", "os.exec", "os.spawn", "Popen", "shlex.split"),
    "pty.spawn",
)


def starts_others(text: str) -> bool:
    """Whether a text may be that of a program which starts others."""
    return any(sign in text for sign in _SIGNS)
