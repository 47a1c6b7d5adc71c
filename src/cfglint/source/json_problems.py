"""What can be wrong with a JSON file before any of its keys means anything."""

from __future__ import annotations

from enum import Enum

from cfglint.base.type_names import TYPE_CHECKING

if TYPE_CHECKING:
    from cfglint.source.document import Path
    from cfglint.source.text import Span


class JsonProblemKind(str, Enum):
    """One member for each rule that reading JSON can raise. The value is the name of the rule.

    All but `SYNTAX` are recorded along with a usable tree; `json.load` refuses all of them
    but `NON_FINITE`, and the byte-order mark of a file that is opened as UTF-8.

    ============== ============================================== ===================== ==============
    kind           what is there                              proposed edit         details
    ============== ============================================== ===================== ==============
    SYNTAX         anything that has no evident repair            (fatal: SourceError)  problem
    COMMENT        `// x`, `/* x */`, `# x`                       removed               mark
    EXTRA_COMMA    a comma before `}` or `]`, or two in a row     removed               where
    MISSING_COMMA  the next member or item, with no comma before  `,`                   after
    SINGLE_QUOTES  `'x'`                                          `"x"`                 text
    LITERAL        `True`, `None`, `NULL`                         `true`, `null`        literal, right
    UNQUOTED_TEXT  `auto`; a key without quotes                   `"auto"`              text, what
    NUMBER_FORM    `+1`, `.5`, `1.`                               `1`, `0.5`, `1.0`     literal, right
    NON_FINITE     `NaN`, `Infinity`, `-Infinity`                 none                  literal
    RAW_CONTROL    a tab (or the like) inside quotes              an escape             character
    ODD_SPACE      a no-break space and the like between tokens   a space               character
    BOM            a byte-order mark                              none (not in `text`)
    ============== ============================================== ===================== ==============
    """

    SYNTAX = "json-syntax-error"
    COMMENT = "json-comment"
    EXTRA_COMMA = "json-extra-comma"
    MISSING_COMMA = "json-missing-comma"
    SINGLE_QUOTES = "json-single-quotes"
    LITERAL = "json-foreign-literal"
    UNQUOTED_TEXT = "json-unquoted-text"
    NUMBER_FORM = "json-number-form"
    NON_FINITE = "json-non-finite-number"
    RAW_CONTROL = "json-control-character"
    ODD_SPACE = "json-odd-space"
    BOM = "json-byte-order-mark"


class SourceProblem:
    """Something that the format forbids, and that did not keep us from reading the file.

    Attributes:
        kind: which rule of the format was broken.
        span: where, in code points of the text.
        path: the key, item or collection it is in.
        edits: (start, end, new text) that repair it, in order; empty when nothing is evident.
        details: words for the placeholders of the rule's message.
        tolerated: whether the file's own reader takes it as it is meant, though others refuse it.
    """

    __slots__ = ("details", "edits", "kind", "path", "span", "tolerated")

    def __init__(
        self,
        kind: JsonProblemKind,
        span: Span,
        path: Path,
        edits: tuple[tuple[int, int, str], ...],
        /,
        **details: object,
    ) -> None:
        self.kind = kind
        self.span = span
        self.path = path
        self.edits = edits
        self.details = details
        self.tolerated = False

    def __repr__(self) -> str:
        return f"SourceProblem({self.kind.name}, {tuple(self.span)}, {self.path}, {self.edits})"
