"""The sections of a program: a call of one of the classes with its keywords, and what it is given."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cached_property

from cfglint.base.logic import UNKNOWN
from cfglint.base.record import NamedTuple
from cfglint.base.type_names import TYPE_CHECKING, Any
from cfglint.source.calls import (
    CONVERTING,
    OPEN_TAG,
    TAGS,
    Call,
    DefaultValue,
    Feed,
    GivenObject,
    Joining,
    OtherCall,
    scalar,
)
from cfglint.source.document import Entry, Mapping, Node, Scalar, Sequence
from cfglint.source.python_mappings import Mappings
from cfglint.source.python_names import Names, last_name
from cfglint.source.python_program import PythonProgram
from cfglint.source.python_scopes import Scopes
from cfglint.source.values import is_known

if TYPE_CHECKING:
    from cfglint.source.python_defaults import Defaults
    from cfglint.source.python_loads import Loads
    from cfglint.source.python_objects import ObjectOrigin, Objects

#: A program without one of these loads nothing.
_LOADING = (
    *("yaml", "yml", "OmegaConf", "hydra", "load_config"),
    *("json.load", "from json", ".json"),
)
#: What may have a default.
_DEFAULTING = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.UnaryOp)
#: The keyword with which a trainer is given its config.
_CONFIG = "args"


class KnownCall(NamedTuple):
    """A call that is a section."""

    node: ast.Call
    #: The class, with its package.
    name: str
    parameters: tuple[str, ...]
    #: That of the section; empty for a call that is none, whose positional arguments count like keywords.
    label: str


def labelled(
    calls: Iterable[tuple[ast.Call, str, tuple[str, ...]]],
) -> dict[int, KnownCall]:
    """The identity of a call -> what is known of it, with a name that no other one of the program has."""
    numbers: dict[str, int] = {}
    found: dict[int, KnownCall] = {}
    for node, name, parameters in calls:
        short = name.rpartition(".")[2]
        number = numbers[short] = numbers.get(short, 0) + 1
        label = short if number == 1 else f"{short} {number}"
        found[id(node)] = KnownCall(node, name, parameters, label)
    return found


class Sections:
    """Makes the sections of a program.

    Args:
        calls: those that are sections, by their identity.
        joining: which calls belong together; None where that does not matter.
    """

    def __init__(
        self,
        program: PythonProgram,
        names: Names,
        calls: dict[int, KnownCall],
        joining: Joining | None = None,
    ) -> None:
        self._program = program
        self._names = names
        self._calls = calls
        self._joining = joining
        self._made: dict[int, Mapping] = {}

    @cached_property
    def _configs(self) -> dict[int, OtherCall]:
        """The identity of a call -> the one that configures what it trains."""
        given: dict[int, list[int]] = {}
        for one in self._calls.values():
            value = self._given(one).get(_CONFIG)
            if value is not None:
                behind = self._names.expression(value, one.node)
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

        return unreached(tree, self._names.nodes)

    @cached_property
    def _guarded(self) -> list[range]:
        """The lines of the calls that the program expects to be refused by some releases."""
        from cfglint.source.python_guards import guarded

        nodes, code = self._names.nodes, self._program.code
        return guarded(nodes, code, lambda call: id(call) in self._calls)

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
        assert self._program.tree is not None
        return Scopes(self._program.tree)

    @cached_property
    def _mappings(self) -> Mappings:
        return Mappings(self._scopes)

    @cached_property
    def _defaults(self) -> Defaults | None:
        """What the program has defaults for; None if there is surely nothing."""
        from cfglint.source.python_defaults import WORDS, Defaults

        code = self._program.code
        return Defaults(self._scopes, code) if any(word in code for word in WORDS) else None

    @cached_property
    def _objects(self) -> Objects:
        from cfglint.source.python_objects import Objects

        assert self._joining is not None
        return Objects(self._scopes, self._joining.through, self._joining.methods)

    def section(self, one: KnownCall) -> Mapping:
        """The keywords of a call, and what is known when one is not written."""
        section = self._made.get(id(one.node))
        if section is None:
            section = self._made[id(one.node)] = self._section(one)
        return section

    def _section(self, one: KnownCall) -> Mapping:
        call, full, parameters, label = one
        start, end = self._program.span_of(call)
        section = Mapping(start, end, None, None, flow=True)
        spreads: list[ast.expr] = []
        values: list[Feed] = []
        defaults: list[DefaultValue] = []
        if not label:
            section.entries = self._positional(one)
        for keyword in call.keywords:
            if keyword.arg is None:
                known = self._spread(keyword.value, call)
                section.entries += known or ()
                if known is None:
                    spreads.append(keyword.value)
                continue
            entry = self._entry(keyword, call)
            section.entries.append(entry)
            if isinstance(entry.value, Scalar) and entry.value.value is UNKNOWN and label:
                feed = self._feed(keyword.value, call, keyword.arg)
                default = self._default(keyword) if feed is None else None
                if feed is not None:
                    values.append(feed)
                if default is not None:
                    defaults.append(default)
        spread = any(isinstance(one, ast.Starred) for one in call.args)
        unset = frozenset() if spread else self._unset(one)
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
            any(call.lineno in lines for lines in self._guarded),
            self._configs.get(id(call)),
            self._parts(one),
            tuple(self._positional(one)) if label else (),
            label,
        )
        if not label and parameters and not spreads and not spread:
            section.settled = None
        return section

    def _spread(self, value: ast.expr, call: ast.Call) -> list[Entry] | None:
        """The keywords that a mapping adds which is written out; None for any other one."""
        table = self._mappings.mapping(value)
        return None if table is None else self._written_out(table, call)

    def _written_out(self, table: ast.Dict, call: ast.Call) -> list[Entry] | None:
        """The keys and values of a mapping, each at its place; None where a key is not known, or it is written later."""
        found: list[Entry] = []
        assert call.end_lineno is not None  # it was read from a text
        if table.lineno > call.end_lineno:
            return None
        for key, item in zip(table.keys, table.values, strict=True):
            name = key.value if isinstance(key, ast.Constant) else None
            if key is None or not isinstance(name, str):
                return None
            found.append(Entry(scalar(name, *self._program.span_of(key)), self._node(item, call)))
        return found

    def _positional(self, one: KnownCall) -> list[Entry]:
        """The positional arguments of a call, under the names of its parameters."""
        found = []
        for name, value in zip(self._positions(one), one.node.args, strict=False):
            if isinstance(value, ast.Starred):
                break
            start, _ = self._program.span_of(value)
            found.append(Entry(scalar(name, start, start), self._node(value, one.node)))
        return found

    def _positions(self, one: KnownCall) -> tuple[str, ...]:
        """The parameters that positional arguments of a call are for, as far as their order is known."""
        if not one.label:
            return one.parameters
        return () if self._joining is None else self._joining.positions.get(one.name, ())

    def _given(self, one: KnownCall) -> dict[str, ast.expr]:
        """The arguments of a call by their parameters."""
        given: dict[str, ast.expr] = {}
        for name, value in zip(self._positions(one), one.node.args, strict=False):
            if isinstance(value, ast.Starred):
                break
            given[name] = value
        given.update((word.arg, word.value) for word in one.node.keywords if word.arg is not None)
        return given

    def _unset(self, one: KnownCall) -> frozenset[str]:
        """The parameters that a call without `*rest` is given neither by name nor, surely, by position."""
        count, known = len(one.node.args), self._positions(one)
        if count <= len(known):
            return frozenset(one.parameters) - frozenset(known[:count])
        # Which ones are given without their names, their order would tell.
        is_config = count == 1 and not one.name.endswith("Trainer")
        return frozenset(one.parameters[1:]) if is_config else frozenset()

    def _parts(self, one: KnownCall) -> tuple[GivenObject, ...]:
        """The objects that a call is given, of those that are followed."""
        joining = self._joining
        if joining is None or (one.label and not joining.follows(one.name)):
            return ()
        given = self._given(one)
        found = []
        for name in sorted(joining.parameters.intersection(given)):
            made = self._objects.made(given[name])
            call = None if made is None else self._call(made.call)
            through = () if made is None else tuple(map(self._call, made.through))
            if made is not None and call is not None and None not in through:
                passed = tuple(each for each in through if each is not None)
                found.append(GivenObject(name, call, passed, self._used(made)))
        return tuple(found)

    def _used(self, made: ObjectOrigin) -> frozenset[str]:
        """What is done with an object; `=name` where an attribute is set."""
        stored = {f".{name}" for name in self._scopes.set_attributes}
        return made.used | {f"={name[1:]}" for name in made.used & stored}

    def _call(self, call: ast.Call) -> Mapping | None:
        """A call as a section, which it may be or not; None for what is not imported."""
        known = self._calls.get(id(call))
        joining = self._joining
        if known is None and joining is not None:
            full = self._full(call.func)
            parameters = joining.functions.get(last_name(call.func), ())
            if full is not None:
                known = KnownCall(call, full, parameters, "")
        return None if known is None else self.section(known)

    def _full(self, function: ast.expr) -> str | None:
        """The full name of a function or a class, or of a method of a class: `package.Class.method`."""
        full = self._names.imported(function)
        if full is None or not isinstance(function, ast.Attribute):
            return full
        of = self._names.imported(function.value) if function.attr[:1].islower() else None
        named = of is not None and last_name(function.value)[:1].isupper()
        return f"{of}.{function.attr}" if named else full

    def _feed(self, value: ast.expr, call: ast.Call, keyword: str = "") -> Feed | None:
        """What a call is given from a file; None for what is not loaded from one."""
        loads, through = self._loads, ""
        span = self._program.span_of(value)
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
            loading=loaded.loading,
            by_attribute=loaded.by_attribute,
        )

    def _default(self, keyword: ast.keyword) -> DefaultValue | None:
        """What a keyword is when the program is not given another value."""
        if not isinstance(keyword.value, _DEFAULTING):
            return None
        found = None if self._defaults is None else self._defaults.of(keyword.value)
        if found is None:
            return None
        value = self._at(found.value, *self._program.span_of(keyword.value))
        if isinstance(value, Scalar):
            value.text = str(found.value)
        place = self._program.span_of(found.node)
        return DefaultValue(str(keyword.arg), value, found.name, place)

    def _entry(self, keyword: ast.keyword, call: ast.Call) -> Entry:
        start, end = self._program.span_of(keyword)
        name = str(keyword.arg)
        key = scalar(name, start, start + len(name))
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
        start, end = self._program.span_of(value)
        written = self._mappings.handed(value)
        entries = None if written is None else self._written_out(written, call)
        if written is not None and entries is not None:
            table = Mapping(*self._program.span_of(written), None, None, flow=True)
            table.entries = entries
            if is_known(table):
                return table
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
        tag = OPEN_TAG if value is UNKNOWN else TAGS[type(value)]
        style = '"' if isinstance(value, str) else ""
        return Scalar(start, end, None, None, self._program.written(start, end), style, tag, value)
