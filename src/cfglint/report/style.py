"""Colors and links, for terminals that want them."""

from __future__ import annotations

import os
import sys

from cfglint.base.type_names import IO, Any

_CODES = {"error": "1;31", "warning": "1;33", "note": "1;34"}
#: Variables that terminals with links set, and the values that indicate support (any value when empty).
_LINKING = {
    "KITTY_WINDOW_ID": (),
    "WT_SESSION": (),
    "KONSOLE_VERSION": (),
    "VTE_VERSION": (),
    "TERM_PROGRAM": ("iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "Tabby", "rio", "zed"),
    "TERM": ("xterm-kitty", "xterm-ghostty", "alacritty", "foot", "foot-extra", "contour"),
}


class Style:
    """Wraps text in ANSI codes, or leaves it as it is."""

    def __init__(self, *, color: bool, links: bool = False) -> None:
        #: Whether codes are written at all.
        self.color = color
        #: Whether links are written.
        self.links = links

    def _paint(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.color else text

    def bold(self, text: str) -> str:
        return self._paint(text, "1")

    def dim(self, text: str) -> str:
        return self._paint(text, "2")

    def code(self, text: str) -> str:
        return self._paint(text, "36")

    def related(self, text: str) -> str:
        return self._paint(text, "34")

    def added(self, text: str) -> str:
        return self._paint(text, "32")

    def removed(self, text: str) -> str:
        return self._paint(text, "31")

    def severity(self, text: str, severity: str) -> str:
        return self._paint(text, _CODES[severity])

    def link(self, text: str, url: str) -> str:
        """A text that leads to an address (OSC 8). Neither is escaped, so both must come from cfglint."""
        return f"\x1b]8;;{url}\x1b\\{text}\x1b]8;;\x1b\\" if self.links and url else text


def wants_color(stream: IO[Any], choice: str = "auto") -> bool:
    """Whether to color the output to a stream (no-color.org; `FORCE_COLOR` colors pipes, too)."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def terminal_width() -> int:
    """The columns of a report for people: the terminal's, but at least 40 and at most 120."""
    return min(max(_columns(), 40), 120)


def _columns() -> int:
    """The width that `shutil.get_terminal_size` returns, without importing it and all its archive formats."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isascii() and columns.isdigit() and int(columns[:6]) > 0:
        return int(columns[:6])
    try:
        # Not `sys.stdout`, which may be replaced.
        assert sys.__stdout__ is not None
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or 100
    except (AssertionError, OSError, ValueError):
        return 100


def wants_links(stream: IO[Any]) -> bool:
    """Whether a terminal takes links; `FORCE_HYPERLINK` decides, where it is set."""
    forced = os.environ.get("FORCE_HYPERLINK")
    if forced is not None:
        return forced not in ("", "0")
    if not stream.isatty() or os.environ.get("TERM") == "dumb":
        return False
    return any(
        os.environ.get(name) and (not values or os.environ[name] in values)
        for name, values in _LINKING.items()
    )
