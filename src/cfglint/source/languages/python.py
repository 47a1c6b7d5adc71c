"""Python programs: the calls of classes that configure a run are the sections of the document.

The text is parsed and never run. Which classes matter, and what parameters they have, a framework
knows; a class is recognized by what the program imports, whatever name it gives it. A value that
only a run decides is `UNKNOWN`.
"""

from __future__ import annotations

import ast
import io
import json
import tokenize
from collections import abc
from collections.abc import Callable, Iterator
from itertools import islice

from cfglint.base.type_names import TYPE_CHECKING, Any, Literal
from cfglint.source.calls import Joining, scalar
from cfglint.source.document import Document, Entry, Mapping
from cfglint.source.languages.base import Unwritable
from cfglint.source.python_names import Names, names_of
from cfglint.source.python_program import program_of
from cfglint.source.python_sections import Sections, labelled
from cfglint.source.text import Comment, SourceText, Span

if TYPE_CHECKING:
    from cfglint.source.python_mappings import Mappings

#: No real program has as many calls that configure a run.
_MAX_CALLS = 200
#: What may be, or name, a mapping that is written out.
_NAMING = (ast.Name, ast.Call, ast.Dict)
#: Gives the parameters of a class by its full name; None for one that does not matter.
ParametersOf = Callable[[str], "tuple[str, ...] | None"]


class Python:
    """The language of `.py` files, and of the cells of notebooks.

    Args:
        parameters_of: gives the parameters of a class, in their order.
        joining: which calls belong together; None where that does not matter.
        aliases: full names of classes that take the keywords of another one, and more of their own.
    """

    name = "python"
    suffixes = (".py", ".ipynb")
    structure: Literal["calls"] = "calls"

    def __init__(
        self,
        parameters_of: ParametersOf = lambda _name: None,
        joining: Joining | None = None,
        aliases: abc.Mapping[str, str] | None = None,
    ) -> None:
        self._parameters_of = parameters_of
        self.joining = joining
        self._aliases = aliases or {}

    def read(self, source: SourceText, *, pure: bool = False) -> Document:
        """The document: a section for each call of one of the classes.

        What is no Python has none.
        """
        program = program_of(source.text)
        root = Mapping(0, 0, None, None, flow=True)
        document = Document(source, root, language=self)
        if program.tree is None:
            return document
        names = program.names
        calls = labelled(islice(self._calls(names), _MAX_CALLS))
        sections = Sections(program, names, calls, self.joining)
        for one in calls.values():
            section = sections.section(one)
            root.entries.append(Entry(scalar(one.label, section.start, section.start), section))
        return document

    def _calls(self, names: Names) -> Iterator[tuple[ast.Call, str, tuple[str, ...]]]:
        """The calls of the classes, with full name and parameters."""
        for call in names.calls:
            full = names.imported(call.func)
            if full is not None and not call.args:  # what a class has beside may come first
                full = self._aliases.get(full, full)
            parameters = self._parameters_of(full) if full is not None else None
            if full is not None and parameters is not None:
                yield call, full, parameters

    def render(self, value: Any, *, flow: bool = False, style: str = "") -> str:
        """A value as a literal.

        Raises:
            Unwritable: it is no plain data.
        """
        return render(value)

    def comments(self, document: Document) -> list[Comment]:
        """All comments, in file order."""
        program = program_of(document.text)
        found = []
        try:
            for token in tokenize.generate_tokens(io.StringIO(program.code).readline):
                if token.type == tokenize.COMMENT:
                    start, end = program.places(*token.start), program.places(*token.end)
                    before = token.line[: token.start[1]]
                    found.append(Comment(Span(start, end), token.string, not before.strip()))
        except (tokenize.TokenError, SyntaxError, ValueError):
            pass
        return found

    def doubts(self, before: Document, after: SourceText) -> str | None:
        """Why a changed program differs in more than the keywords of the calls, and where its imports are from; None if it does not."""
        try:
            if self._frame(before.text) == self._frame(after.text):
                return None
        except RecursionError:
            return "the program is nested too deeply to be compared"
        return "the result differs outside of the keywords of the calls"

    def _frame(self, text: str) -> str | None:
        """The syntax tree of a program without the keywords of the calls, the keys of mappings that they are given, and its imports, as a text.

        What is imported has a number and its package in place of its name, wherever the program uses it.
        """
        tree = program_of(text).parsed()
        if tree is None:
            return None
        calls = [call for call, _, _ in self._calls(names_of(tree))]
        if any(isinstance(one.value, _NAMING) for each in calls for one in each.keywords):
            from cfglint.source.python_mappings import Mappings
            from cfglint.source.python_scopes import Scopes

            mappings = Mappings(Scopes(tree))
            for value in [one.value for each in calls for one in each.keywords]:
                _take_keys_out(mappings.handed_node(value), mappings)
        for call in calls:
            call.keywords = []
        imports = [one for one in tree.body if isinstance(one, ast.ImportFrom) and not one.level]
        tree.body = [one for one in tree.body if one not in imports]
        packages = {
            alias.asname or alias.name: (one.module or "").partition(".")[0]
            for one in imports
            for alias in one.names
        }
        numbers: dict[str, int] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and node.id in packages:
                number = numbers.setdefault(node.id, len(numbers))
                node.id = f"{number} of {packages[node.id]}"
        unused = sorted(packages[name] for name in packages.keys() - numbers.keys())
        return f"{ast.dump(tree)} {unused}"


def _take_keys_out(table: ast.Dict | ast.Call | None, mappings: Mappings) -> None:
    """Leave nothing of a mapping but what it has, without the names."""
    if table is None:
        return
    values = list(table.values) if isinstance(table, ast.Dict) else []
    if isinstance(table, ast.Dict):
        table.keys = [ast.Constant("") if isinstance(k, ast.Constant) else k for k in table.keys]
    else:
        values = [one.value for one in table.keywords]
        for one in table.keywords:
            one.arg = "_"
    for value in values:
        if isinstance(value, _NAMING):
            _take_keys_out(mappings.handed_node(value), mappings)


def joining_of(document: Document) -> Joining | None:
    """Which calls belong together in the program that a document is, or is a part of; None where that does not matter."""
    language = document.language
    return language.joining if isinstance(language, Python) else None


def render(value: Any) -> str:
    """A value as a literal of Python.

    Raises:
        Unwritable: it is no plain data.
    """
    if isinstance(value, str):
        return json.dumps(value) if value.isascii() and value.isprintable() else repr(value)
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(render, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{render(key)}: {render(item)}' for key, item in value.items())}}}"
    if value is None or isinstance(value, (bool, int)):
        return repr(value)
    if isinstance(value, float) and value - value == 0:
        return repr(value)
    raise Unwritable(f"A value of the kind {type(value).__name__} cannot be written as a literal.")


PYTHON = Python()
