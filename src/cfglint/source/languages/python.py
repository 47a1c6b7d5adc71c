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
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import islice

from cfglint.base.logic import UNKNOWN
from cfglint.base.record import NamedTuple
from cfglint.base.type_names import TYPE_CHECKING, Any, Literal
from cfglint.source.calls import CONVERTING, OPEN_TAG, TAGS, Call, DefaultValue, Feed, OtherCall
from cfglint.source.document import Document, Entry, Mapping, Node, Scalar, Sequence
from cfglint.source.languages.base import Unwritable
from cfglint.source.python_names import Names, names_of
from cfglint.source.python_program import PythonProgram, program_of
from cfglint.source.text import Comment, SourceText, Span

if TYPE_CHECKING:
    from cfglint.source.python_defaults import Defaults
    from cfglint.source.python_loads import Loads
    from cfglint.source.python_scopes import Scopes

#: No real program has as many calls that configure a run.
_MAX_CALLS = 200
#: A program without one of these loads nothing.
_LOADING = ("yaml", "OmegaConf", "json")
#: What may have a default.
_DEFAULTING = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.UnaryOp)
#: The keyword with which a trainer is given its config.
_CONFIG = "args"
#: Gives the parameters of a class by its full name; None for one that does not matter.
ParametersOf = Callable[[str], "tuple[str, ...] | None"]


class Python:
    """The language of `.py` files, and of the cells of notebooks.

    Args:
        parameters_of: gives the parameters of a class, in their order.
    """

    name = "python"
    suffixes = (".py", ".ipynb")
    structure: Literal["calls"] = "calls"

    def __init__(self, parameters_of: ParametersOf = lambda _name: None) -> None:
        self._parameters_of = parameters_of

    def read(self, source: SourceText, *, pure: bool = False) -> Document:
        """The document: a section for each call of one of the classes.

        What is no Python has none.
        """
        program = program_of(source.text)
        root = Mapping(0, 0, None, None, flow=True)
        document = Document(source, root, language=self)
        if program.tree is None:
            return document
        names = names_of(program.tree)
        calls = _labelled(islice(self._calls(names), _MAX_CALLS))
        sections = _Sections(program, names, calls)
        for one in calls.values():
            section = sections.section(one)
            root.entries.append(Entry(_scalar(one.label, section.start, section.start), section))
        return document

    def _calls(self, names: Names) -> Iterator[tuple[ast.Call, str, tuple[str, ...]]]:
        """The calls of the classes, with full name and parameters."""
        for call in names.calls:
            full = names.imported(call.func)
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
        """Why a changed program differs in more than the keywords of the calls; None if it does not."""
        try:
            if self._frame(before.text) == self._frame(after.text):
                return None
        except RecursionError:
            return "the program is nested too deeply to be compared"
        return "the result differs outside of the keywords of the calls"

    def _frame(self, text: str) -> str | None:
        """The syntax tree of a program without the keywords of the calls, as a text."""
        tree = program_of(text).parsed()
        if tree is None:
            return None
        for call, _, _ in self._calls(names_of(tree)):
            call.keywords = []
        return ast.dump(tree)


class _KnownCall(NamedTuple):
    """A call that is a section."""

    node: ast.Call
    #: The class, with its package.
    name: str
    parameters: tuple[str, ...]
    label: str


def _labelled(
    calls: Iterable[tuple[ast.Call, str, tuple[str, ...]]],
) -> dict[int, _KnownCall]:
    """The identity of a call -> what is known of it, with a name that no other one of the program has."""
    numbers: dict[str, int] = {}
    found: dict[int, _KnownCall] = {}
    for node, name, parameters in calls:
        short = name.rpartition(".")[2]
        number = numbers[short] = numbers.get(short, 0) + 1
        label = short if number == 1 else f"{short} {number}"
        found[id(node)] = _KnownCall(node, name, parameters, label)
    return found


class _Sections:
    """Makes the sections of a program.

    Args:
        calls: those that are sections, by their identity.
    """

    def __init__(self, program: PythonProgram, names: Names, calls: dict[int, _KnownCall]) -> None:
        self._program = program
        self._names = names
        self._calls = calls

    @cached_property
    def _configs(self) -> dict[int, OtherCall]:
        """The identity of a call -> the one that configures what it trains."""
        given: dict[int, list[int]] = {}
        for one in self._calls.values():
            for word in one.node.keywords:
                if word.arg == _CONFIG:
                    behind = self._names.expression(word.value, one.node)
                    given.setdefault(id(behind), []).append(id(one.node))
        found = {}
        for config, callers in given.items():
            other = self._calls.get(config)
            if other is not None and len(callers) == 1:
                words = [word.arg for word in other.node.keywords]
                known = frozenset(word for word in words if word is not None)
                is_open = None in words or any(isinstance(a, ast.Starred) for a in other.node.args)
                keywords = None if is_open or len(other.node.args) > 1 else known
                found[callers[0]] = OtherCall(other.label, other.name, keywords)
        return found

    @cached_property
    def _unreached(self) -> list[range]:
        """The lines of what the program does not call."""
        tree = self._program.tree
        if tree is None or "__main__" not in self._program.code:
            return []
        from cfglint.source.python_reach import unreached

        return unreached(tree)

    @cached_property
    def _loads(self) -> Loads | None:
        """What the program loads from files; None if it surely loads nothing."""
        tree, code = self._program.tree, self._program.code
        if tree is None or not any(word in code for word in _LOADING):
            return None
        from cfglint.source.python_loads import Loads

        return Loads(self._scopes, frozenset(self._calls))

    @cached_property
    def _scopes(self) -> Scopes:
        from cfglint.source.python_scopes import Scopes

        assert self._program.tree is not None
        return Scopes(self._program.tree)

    @cached_property
    def _defaults(self) -> Defaults | None:
        """What the program has defaults for; None if there is surely nothing."""
        from cfglint.source.python_defaults import WORDS, Defaults

        code = self._program.code
        return Defaults(self._scopes, code) if any(word in code for word in WORDS) else None

    def section(self, one: _KnownCall) -> Mapping:
        """The keywords of a call, and what is known when one is not written."""
        call, full, parameters, _ = one
        start, end = self._span(call)
        section = Mapping(start, end, None, None, flow=True)
        spreads: list[ast.expr] = []
        values: list[Feed] = []
        defaults: list[DefaultValue] = []
        for keyword in call.keywords:
            if keyword.arg is None:
                spreads.append(keyword.value)
                continue
            entry = self._entry(keyword, call)
            section.entries.append(entry)
            if isinstance(entry.value, Scalar) and entry.value.value is UNKNOWN:
                feed = self._feed(keyword.value, call, keyword.arg)
                default = self._default(keyword) if feed is None else None
                if feed is not None:
                    values.append(feed)
                if default is not None:
                    defaults.append(default)
        spread = any(isinstance(one, ast.Starred) for one in call.args)
        unnamed = len(call.args)
        # Which further parameters are given without their names, their order would tell.
        unset = frozenset() if spread or unnamed > 1 else frozenset(parameters[unnamed:])
        section.settled = frozenset() if spreads else unset
        found = [self._feed(value, call) for value in spreads]
        feeds = tuple(feed for feed in found if feed is not None)
        section.about = Call(
            full,
            bool(spreads) or spread,
            self._names.packages,
            feeds if len(feeds) == len(found) and not spread else (),
            tuple(values),
            tuple(defaults),
            unset,
            any(call.lineno in lines for lines in self._unreached),
            self._configs.get(id(call)),
        )
        return section

    def _feed(self, value: ast.expr, call: ast.Call, keyword: str = "") -> Feed | None:
        """What a call is given from a file; None for what is not loaded from one."""
        loads, through = self._loads, ""
        span = Span(*self._span(value))
        if keyword and isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
            inner = value.args[0] if len(value.args) == 1 else value
            if value.func.id in CONVERTING:
                through, value = value.func.id, inner
        loaded = loads.loaded(value) if loads is not None else None
        if loads is None or loaded is None:
            return None
        treatment = loads.treatment(loaded)
        default = UNKNOWN if loaded.default is None else self._names.value(loaded.default, call)
        return Feed(
            *loaded.file,
            loaded.language,
            loaded.at,
            span,
            *treatment,
            keyword=keyword,
            otherwise=None if default is UNKNOWN else self._at(default, *span),
            through=through,
        )

    def _default(self, keyword: ast.keyword) -> DefaultValue | None:
        """What a keyword is when the program is not given another value."""
        if not isinstance(keyword.value, _DEFAULTING):
            return None
        found = None if self._defaults is None else self._defaults.of(keyword.value)
        if found is None:
            return None
        value = self._at(found.value, *self._span(keyword.value))
        if isinstance(value, Scalar):
            value.text = str(found.value)
        place = Span(*self._span(found.node))
        return DefaultValue(str(keyword.arg), value, found.name, place)

    def _entry(self, keyword: ast.keyword, call: ast.Call) -> Entry:
        start, end = self._span(keyword)
        name = str(keyword.arg)
        key = _scalar(name, start, start + len(name))
        node = self._node(keyword.value, call)
        if node.end < end:
            # The brackets around a value are its own.
            text = self._program.code
            begin = self._program.offset(keyword.lineno, keyword.col_offset) + len(name)
            begin = text.index("=", begin) + 1
            while text[begin : begin + 1].isspace():
                begin += 1
            node.start, node.end = self._program.place(begin), end
        return Entry(key, node)

    def _node(self, value: ast.expr, call: ast.Call) -> Node:
        """A value with its place; of a container with an unknown part nothing is known."""
        start, end = self._span(value)
        found = self._names.value(value, call)
        if isinstance(found, list) and isinstance(value, (ast.List, ast.Tuple)):
            items = Sequence(start, end, None, None, flow=True)
            items.items = [self._node(item, call) for item in value.elts]
            return items
        return self._at(found, start, end)

    def _at(self, value: Any, start: int, end: int) -> Node:
        """A value, all of which is at one place."""
        if isinstance(value, list):
            items = Sequence(start, end, None, None, flow=True)
            items.items = [self._at(item, start, end) for item in value]
            return items
        if isinstance(value, dict):
            table = Mapping(start, end, None, None, flow=True)
            for name, item in value.items():
                key = Scalar(start, start, None, None, str(name), "", TAGS[type(name)], name)
                table.entries.append(Entry(key, self._at(item, start, end)))
            return table
        text = self._program.written(start, end)
        tag = OPEN_TAG if value is UNKNOWN else TAGS[type(value)]
        style = '"' if isinstance(value, str) else ""
        return Scalar(start, end, None, None, text, style, tag, value)

    def _span(self, node: ast.expr | ast.keyword) -> tuple[int, int]:
        program = self._program
        start = program.offset(node.lineno, node.col_offset)
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        end = program.offset(node.end_lineno, node.end_col_offset)
        return program.place(start), program.place_of_end(end)


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


def _scalar(value: str, start: int, end: int) -> Scalar:
    return Scalar(start, end, None, None, value, "", TAGS[str], value)


PYTHON = Python()
