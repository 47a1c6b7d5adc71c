"""JSON, as Python's `json` reads it."""

from __future__ import annotations

import json

from cfglint.base.type_names import Any, Literal
from cfglint.source.document import Document
from cfglint.source.json_problems import JsonProblemKind, SourceProblem
from cfglint.source.languages.base import Unwritable
from cfglint.source.languages.json_reader import read_tree, repaired
from cfglint.source.problems import SourceError
from cfglint.source.text import Comment, SourceText, Span
from cfglint.source.values import same, to_python

_PLAIN = (bool, int, float, str, type(None))


class Json:
    """The language of `.json` files."""

    name = "json"
    suffixes = (".json", ".jsonc")
    structure: Literal["brackets"] = "brackets"
    #: Whether the reader of the file refuses a key that is there twice; `json.load` takes the last one.
    refuses_duplicates: bool = False

    def read(self, source: SourceText, *, pure: bool = False) -> Document:
        """The document in a text, with all that Python would refuse in it.

        Raises:
            SourceError: it has a slip with no evident repair, has no object, or breaks a limit.
        """
        root, problems = read_tree(source.text)
        if source.bom:
            mark = SourceProblem(JsonProblemKind.BOM, Span(0, 0), (), ())
            problems = (mark, *problems)
        return Document(source, root, language=self, problems=problems)

    def render(self, value: Any, *, flow: bool = False, style: str = "") -> str:
        """A value on one line.

        Raises:
            Unwritable: it is no plain data, or a number that JSON cannot write.
        """
        return render(value)

    def comments(self, document: Document) -> list[Comment]:
        """All comments, though JSON knows none: Python refuses a file that has one."""
        text = document.text
        found = []
        for problem in document.problems:
            if problem.kind is JsonProblemKind.COMMENT:
                start, end = problem.span
                begin = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
                own_line = not text[begin:start].strip()
                found.append(Comment(problem.span, text[start:end], own_line))
        return found

    def doubts(self, before: Document, after: SourceText) -> str | None:
        """Why Python reads another value than we do in a changed text; None when it does not."""
        try:
            document = self.read(after)
            value = json.loads(repaired(after.text, document.problems))
        except (SourceError, ValueError, RecursionError):
            return "Python's json cannot read the result"
        return (
            None
            if same(value, to_python(document.root))
            else "Python's json reads the result differently"
        )


def render(value: Any, *, indent: str | None = None, compact: bool = False) -> str:
    """A value as JSON writes it.

    Args:
        value: plain Python data.
        indent: of each level, over several lines; None for one line.
        compact: whether no space follows a colon (and, on one line, a comma).

    Raises:
        Unwritable: it is no plain data, or a number that JSON cannot write.
    """
    _check(value)
    colon = ":" if compact else ": "
    comma = "," if compact or indent is not None else ", "
    text = json.dumps(value, ensure_ascii=False, indent=indent, separators=(comma, colon))
    if text.isprintable():
        return text
    # Invisible characters and lone surrogates are written as escapes.
    return "".join(
        char if char.isprintable() or char in "\n\t" else json.dumps(char)[1:-1] for char in text
    )


def _check(value: Any) -> None:
    """Refuse what `json.dumps` would write differently than it is.

    Raises:
        Unwritable: it is no plain data, or a number that JSON cannot write.
    """
    if isinstance(value, dict):
        for key, item in value.items():
            if not isinstance(key, str):
                raise Unwritable("In JSON every key has to be a string.")
            _check(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            _check(item)
    elif not isinstance(value, _PLAIN):
        raise Unwritable(f"A value of the kind {type(value).__name__} cannot be written.")
    elif isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        raise Unwritable("JSON cannot represent this number.")


JSON = Json()
