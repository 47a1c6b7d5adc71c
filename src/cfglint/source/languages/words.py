"""What the words of a command are, whatever grammar they follow."""

from __future__ import annotations

from collections.abc import Sequence

from cfglint.base.record import NamedTuple
from cfglint.base.type_names import TYPE_CHECKING, Protocol
from cfglint.source.document import Entry
from cfglint.source.languages.arguments import Problem
from cfglint.source.shell_values import ExpandedWord

if TYPE_CHECKING:
    from cfglint.source.languages.overrides import ConfigWord


class ReadWords(NamedTuple):
    """What the words of a command are."""

    #: What they set.
    entries: list[Entry]
    #: What the program refuses of them.
    problems: tuple[Problem, ...]
    #: Whether some may be any word, because what they expand to is not known.
    hides: bool
    #: Those that change a composed configuration, in their order; None for options with dashes.
    overrides: tuple[ConfigWord, ...] | None = None
    #: The sections that the dots of options name.
    sections: frozenset[str] = frozenset()
    #: The first of the words that may be any, as it is written.
    hiding: str = ""


class WordGrammar(Protocol):
    """A grammar of words other than options with dashes."""

    def read(self, words: Sequence[ExpandedWord], text: str) -> ReadWords:
        """What the words of a command set, in a script with a text."""
