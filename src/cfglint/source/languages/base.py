"""What the rest of the program may ask of a language."""

from __future__ import annotations

from cfglint.base.type_names import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from cfglint.source.document import Document
    from cfglint.source.text import Comment, SourceText


class Unwritable(Exception):
    """A value cannot be written in a language; the text is one sentence for the user."""


class Language(Protocol):
    """One way of writing a document down."""

    @property
    def name(self) -> str:
        """A word for messages and tests: `yaml`, `json`, `shell`, `python`."""

    @property
    def suffixes(self) -> tuple[str, ...]:
        """How the names of its files end, with the dot and in lower case."""

    @property
    def structure(self) -> Literal["indentation", "brackets", "words", "calls"]:
        """What shows which value belongs to which key; fixes edit the text accordingly."""

    def read(self, source: SourceText, *, pure: bool = False) -> Document:
        """The document in a text.

        Args:
            source: the decoded text.
            pure: read with the reader that has the last word, also where another one is faster.

        Raises:
            SourceError: it cannot be read, or breaks a limit.
        """

    def render(self, value: Any, *, flow: bool = False, style: str = "") -> str:
        """A value on one line, as this language reads it back.

        Args:
            value: plain Python data.
            flow: whether it will be inside brackets.
            style: the quotes wanted for strings, where there is a choice.

        Raises:
            Unwritable: the value is no plain data, or the language has no way to write it.
        """

    def comments(self, document: Document) -> list[Comment]:
        """All comments of a document, in file order."""

    def doubts(self, before: Document, after: SourceText) -> str | None:
        """Why a reader that shares no code with ours disagrees about a changed text.

        None when it agrees. What it disagrees about before the change is not an argument.
        """
