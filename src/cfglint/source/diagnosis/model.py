"""What a diagnosis is made of."""

from __future__ import annotations

from enum import Enum

from cfglint.base.record import NamedTuple
from cfglint.source.problems import ProblemKind
from cfglint.source.text import Span


class Cause(str, Enum):
    """The kinds of slips that are recognized."""

    MISSING_COLON = "missing-colon"
    MISSING_SPACE = "missing-space"
    EQUALS_SIGN = "equals-sign"
    SECOND_COLON = "second-colon"
    RESERVED_CHARACTER = "reserved-character"
    INDENTATION = "indentation"
    TAB = "tab"
    MISSING_DASH = "missing-dash"
    DOUBLE_DASH = "double-dash"
    DASH_WITHOUT_SPACE = "dash-without-space"
    OPEN_QUOTE = "open-quote"
    TEXT_AFTER_QUOTE = "text-after-quote"
    CURLY_QUOTES = "curly-quotes"
    BACKSLASH = "backslash"
    OPEN_BRACKET = "open-bracket"
    SURPLUS_BRACKET = "surplus-bracket"
    CONFLICT_MARKER = "conflict-marker"
    SHELL_LINE = "shell-line"
    CODE_FENCE = "code-fence"
    PROSE = "prose"


class Change(NamedTuple):
    """Replace the characters of a half-open span."""

    start: int
    end: int
    text: str


class Slip(NamedTuple):
    """One explanation of why a text cannot be read.

    Attributes:
        cause: what kind of slip it would be.
        span: the place that a message points to.
        message: cause and remedy, one or two sentences.
        changes: what would mend it; it is tried, whether or not it is offered.
        title: what the changes do, as the title of a fix; empty when they are no more than a
            trial, because a person has to choose.
        cost: how far-fetched it is before anything is tried; 0 for what can hardly be else.
        quote: the quote that is not closed, for `OPEN_QUOTE`.
    """

    cause: Cause
    span: Span
    message: str
    changes: tuple[Change, ...]
    title: str = ""
    cost: int = 2
    quote: str = ""

    @property
    def kind(self) -> ProblemKind:
        """The rule that reports it."""
        if self.cause is Cause.TAB:
            return ProblemKind.TAB
        return ProblemKind.UNTERMINATED_QUOTE if self.quote else ProblemKind.SYNTAX

    def applied(self, text: str) -> str:
        """The text with the changes made."""
        for change in sorted(self.changes, reverse=True):
            text = text[: change.start] + change.text + text[change.end :]
        return text


def shown(text: str, limit: int = 40) -> str:
    """A piece of the file for a message, cut to a length."""
    text = " ".join(text.split())
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"
