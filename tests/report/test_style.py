"""Colors, links and the width of a terminal."""

from __future__ import annotations

import io

import pytest

from cfglint.report.style import Style, terminal_width, wants_color, wants_links
from tests.draws import each


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (
        *("NO_COLOR", "FORCE_COLOR", "TERM", "COLUMNS", "FORCE_HYPERLINK", "KITTY_WINDOW_ID"),
        *("WT_SESSION", "KONSOLE_VERSION", "VTE_VERSION", "TERM_PROGRAM"),
    ):
        monkeypatch.delenv(name, raising=False)


def test_codes() -> None:
    plain, colored = Style(color=False), Style(color=True)
    for paint, code in (("bold", "1"), ("dim", "2"), ("code", "36"), ("removed", "31")):
        assert getattr(plain, paint)("x") == "x"
        assert getattr(colored, paint)("x") == f"\x1b[{code}mx\x1b[0m"
    assert colored.severity("x", "note") == "\x1b[1;34mx\x1b[0m"


def test_links() -> None:
    assert (
        Style(color=False, links=True).link("x", "https://a")
        == "\x1b]8;;https://a\x1b\\x\x1b]8;;\x1b\\"
    )
    assert Style(color=False, links=True).link("x", "") == "x"
    assert Style(color=True).link("x", "https://a") == "x"


@pytest.mark.parametrize(
    ("variables", "choice", "terminal", "pipe"),
    [
        ({}, "auto", True, False),
        ({}, "always", True, True),
        ({}, "never", False, False),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, "auto", False, False),
        ({"NO_COLOR": ""}, "auto", True, False),
        ({"FORCE_COLOR": "1"}, "auto", True, True),
        ({"TERM": "dumb"}, "auto", False, False),
        ({"TERM": "xterm"}, "auto", True, False),
    ],
)
def test_who_gets_colors(
    variables: dict[str, str],
    choice: str,
    terminal: bool,
    pipe: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert wants_color(Terminal(), choice) is terminal
    assert wants_color(io.StringIO(), choice) is pipe


@pytest.mark.parametrize(
    ("variables", "terminal", "pipe"),
    [
        ({}, False, False),
        ({"TERM": "xterm"}, False, False),
        ({"TERM": "xterm-kitty"}, True, False),
        ({"WT_SESSION": "any"}, True, False),
        ({"WT_SESSION": ""}, False, False),
        ({"TERM_PROGRAM": "vscode"}, True, False),
        ({"TERM_PROGRAM": "Apple_Terminal"}, False, False),
        ({"TERM": "dumb", "WT_SESSION": "any"}, False, False),
        ({"FORCE_HYPERLINK": "1", "TERM": "dumb"}, True, True),
        ({"FORCE_HYPERLINK": "0", "TERM": "xterm-kitty"}, False, False),
        ({"FORCE_HYPERLINK": "", "TERM": "xterm-kitty"}, False, False),
    ],
)
def test_who_gets_links(
    variables: dict[str, str], terminal: bool, pipe: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert wants_links(Terminal()) is terminal
    assert wants_links(io.StringIO()) is pipe


@pytest.mark.parametrize(
    ("columns", "width"),
    [("10", 40), ("40", 40), ("80", 80), ("120", 120), ("121", 120), ("9" * 99, 120)],
)
def test_the_width(columns: str, width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert terminal_width() == width


@each("columns", ["", "0", "x", "²"])
def test_a_width_that_is_none(columns: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", columns)
        patch.setattr("sys.__stdout__", io.StringIO())
        assert terminal_width() == 100
        patch.setattr("sys.__stdout__", None)
        assert terminal_width() == 100
