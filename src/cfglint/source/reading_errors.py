"""What PyYAML refuses, described by what to look for. Needed only if something is wrong."""

from __future__ import annotations

import yaml

from cfglint.base.type_names import TYPE_CHECKING, Any
from cfglint.source.document import Node, Scalar, Sequence
from cfglint.source.problems import PLACEHOLDER, ProblemKind, ProposedEdit, SourceError
from cfglint.source.scalars import (
    BINARY,
    COLLECTIONS,
    INT,
    MAX_INTEGER_CHARS,
    NULL,
)
from cfglint.source.text import Span
from cfglint.source.values import is_placeholder

if TYPE_CHECKING:
    from cfglint.source.diagnosis import Diagnosis


def short_tag(tag: str) -> str:
    """`!!int` for `tag:yaml.org,2002:int`."""
    return "!!" + tag[len("tag:yaml.org,2002:") :] if tag.startswith("tag:yaml.org,2002:") else tag


def unbuildable(span: Span, tag: str, text: str, error: Exception) -> SourceError:
    """A scalar that matches a kind of value, or has a tag, and cannot be made into one."""
    shown = text if len(text) <= 40 else text[:37] + "..."
    cause = None
    if tag == BINARY:
        problem = f"{shown!r} is not base64, which the tag !!binary requires"
    elif tag in COLLECTIONS:
        problem = f"the tag {short_tag(tag)} does not fit a single value"
    elif isinstance(error, yaml.YAMLError):
        problem = f"the tag {short_tag(tag)} is unknown to the safe loader"
    elif tag == INT and len(text) > MAX_INTEGER_CHARS:
        problem = f"a number of more than {MAX_INTEGER_CHARS} digits; quote it if it is text"
    else:
        kinds = {"timestamp": "a date", "int": "a number", "float": "a number"}
        kind = kinds.get(tag.rpartition(":")[2], f"a {short_tag(tag)} value")
        problem = f"{shown!r} looks like {kind} to YAML but is not valid; quote it if it is text"
        if is_placeholder(text):
            problem = f"{shown!r} is a placeholder: check the file in which it has its value"
            cause = PLACEHOLDER
    return SourceError(ProblemKind.UNBUILDABLE, span, cause=cause, problem=problem)


def key_of_several(text: str, span: Span) -> SourceError:
    """A list or a mapping in the place of a key; most often the inner braces of `{{ name }}`."""
    around = text[max(span.start - 1, 0) : span.end + 1]
    if not is_placeholder(around):
        problem = "a list or a mapping cannot be a key (a template such as {{ x }}? quote it)"
        return SourceError(ProblemKind.UNBUILDABLE, span, problem=problem)
    problem = f"{around!r} is a placeholder: check the file in which it has its value"
    return SourceError(ProblemKind.UNBUILDABLE, span, cause=PLACEHOLDER, problem=problem)


def control_character(text: str, error: Any) -> SourceError:
    """A character that YAML does not allow in any place."""
    # libyaml gives a byte offset, the pure reader a code-point offset; look for the place instead.
    match = yaml.reader.Reader.NON_PRINTABLE.search(text)
    if match is None:
        return SourceError(ProblemKind.SYNTAX, Span(0, 0), problem=str(error.reason))
    start = match.start()
    return SourceError(
        ProblemKind.CONTROL_CHARACTER,
        Span(start, start + 1),
        character=f"U+{ord(text[start]):04X}",
    )


def syntax_problem(text: str, error: Any) -> SourceError:
    """An error of PyYAML's scanner or parser: the slip behind it, or the place where it gave up."""
    from cfglint.source.diagnosis import diagnose

    mark = error.problem_mark or error.context_mark
    start = min(mark.index if mark is not None else 0, len(text))
    context = error.context_mark.index if error.context_mark is not None else -1
    diagnosis = diagnose(text, start, context)
    if diagnosis is not None:
        return _slip(diagnosis)
    return _undiagnosed(text, start, error)


def _slip(diagnosis: Diagnosis) -> SourceError:
    slip = diagnosis.slip
    edit = None
    if slip.title and diagnosis.loads:
        edit = ProposedEdit(slip.title, tuple(sorted(slip.changes)), diagnosis.only)
    return SourceError(
        slip.kind,
        slip.span,
        cause=slip.cause.value,
        edit=edit,
        problem=slip.message,
        quote=slip.quote,
    )


def _undiagnosed(text: str, start: int, error: Any) -> SourceError:
    problem, context = error.problem or "", error.context or ""
    if "quoted scalar" in context and "end of stream" in problem and error.context_mark is not None:
        start = error.context_mark.index
        quote = text[start : start + 1]
        return SourceError(
            ProblemKind.UNTERMINATED_QUOTE,
            Span(start, start + 1),
            problem=f"The quote {quote} that opens here is never closed.",
        )
    if text[start : start + 1] == "\t":
        return SourceError(ProblemKind.TAB, Span(start, start + 1))
    related: tuple[tuple[Span, str], ...] = ()
    if error.context_mark is not None and error.context_mark.index != start:
        place = error.context_mark.index
        related = ((Span(place, place + 1), _plain_words(context)),)
    return SourceError(
        ProblemKind.SYNTAX,
        Span(start, min(start + 1, len(text))),
        problem=f"This is not valid YAML: {_plain_words(problem)}.",
        related=related,
    )


#: PyYAML's terms, in words that say what to look for.
_WORDS = (
    ("mapping values are not allowed here", "a second `: ` on this line; quote the value"),
    ("could not find expected ':'", "this key has no `:` after it"),
    ("expected <block end>", "this line does not fit the indentation or the list above it"),
    ("cannot start any token", "a value cannot start with this character; quote it"),
    ("did not find expected key", "this line does not fit the indentation of the keys above it"),
    ("expected ',' or ']'", "a `,` or the closing `]` is missing"),
    ("expected ',' or '}'", "a `,` or the closing `}` is missing"),
    (
        "expected alphabetic or numeric character",
        "`*` and `&` start an alias or an anchor; quote it",
    ),
    ("while parsing a block mapping", "in the mapping that starts here"),
    ("while parsing a block collection", "in the list that starts here"),
    ("while parsing a flow", "in the brackets that open here"),
    ("while scanning a simple key", "in the key that starts here"),
    ("while scanning", "in what starts here"),
)


def _plain_words(problem: str) -> str:
    for needle, words in _WORDS:
        if needle in problem:
            return words
    return problem


def root_problem(text: str, root: Node | None) -> SourceError:
    """A document that is not a mapping of keys and values."""
    if root is None or (isinstance(root, Scalar) and root.resolved == NULL):
        return SourceError(ProblemKind.EMPTY, Span(0, 0))
    kind = "a list" if isinstance(root, Sequence) else "one value"
    line_end = text.find("\n", root.start)
    end = min(root.end, line_end) if line_end > root.start else root.end
    remedy = "A config consists of `key: value` lines."
    if isinstance(root, Scalar):
        from cfglint.source.diagnosis import diagnose

        diagnosis = diagnose(text, max(root.start, root.end - 1), root.start)
        if diagnosis is not None and diagnosis.loads:
            found = _slip(diagnosis)
            return SourceError(
                ProblemKind.ROOT_NOT_MAPPING,
                found.span,
                cause=found.cause,
                edit=found.edit,
                kind=kind,
                remedy=diagnosis.slip.message,
            )
    return SourceError(
        ProblemKind.ROOT_NOT_MAPPING, Span(root.start, end), kind=kind, remedy=remedy
    )
