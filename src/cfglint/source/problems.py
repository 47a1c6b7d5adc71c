"""What can be wrong with a file before any of its keys means anything."""

from __future__ import annotations

from enum import Enum

from cfglint.base.record import Record
from cfglint.base.type_names import TYPE_CHECKING

if TYPE_CHECKING:
    from cfglint.source.json_problems import JsonProblemKind
    from cfglint.source.text import Span


class ProblemKind(str, Enum):
    """One member for each rule of the `YML` family that reading itself can raise.

    The value is the name of the rule.
    """

    SYNTAX = "yaml-syntax-error"
    NOT_UTF8 = "not-utf8"
    CONTROL_CHARACTER = "control-character"
    TAB = "tab-in-yaml"
    SEVERAL_DOCUMENTS = "several-documents"
    ROOT_NOT_MAPPING = "root-not-mapping"
    EMPTY = "empty-config"
    UNTERMINATED_QUOTE = "unterminated-quote"
    TOO_LARGE = "file-too-large"
    TOO_DEEP = "nesting-too-deep"
    ALIAS_EXPANSION = "alias-expansion"
    ALIAS_CYCLE = "alias-cycle"
    UNBUILDABLE = "unbuildable-value"


class ProposedEdit(Record):
    """What would make a text readable.

    Attributes:
        title: what it does, as the title of a fix.
        changes: (start, end, text) each: replace the characters of a half-open span.
        only: nothing else that was thought of gives a file that makes sense.
    """

    title: str
    changes: tuple[tuple[int, int, str], ...]
    only: bool


#: The cause of a problem that is gone once a script has filled the file in.
PLACEHOLDER = "placeholder"
#: That of a key that is written twice, where the loader refuses what YAML readers take.
TWICE = "twice"


class SourceError(Exception):
    """The file cannot be read as a configuration.

    Attributes:
        kind: which limit or rule of the format was broken.
        span: where, in code points of `text` (or of the text being read).
        details: words for the placeholders of the rule's message.
        text: the readable part before the problem, when the whole is not text.
        related: further places, each with a note.
        cause: the slip behind it (a `diagnosis.Cause`, `PLACEHOLDER` or `TWICE`), when it is known.
        edit: what would mend it, when PyYAML loads the result.
    """

    def __init__(
        self,
        kind: ProblemKind | JsonProblemKind,
        span: Span,
        /,
        *,
        text: str | None = None,
        related: tuple[tuple[Span, str], ...] = (),
        cause: str | None = None,
        edit: ProposedEdit | None = None,
        **details: object,
    ) -> None:
        super().__init__(kind.value)
        self.kind = kind
        self.span = span
        self.text = text
        self.related = related
        self.cause = cause
        self.edit = edit
        self.details = details
