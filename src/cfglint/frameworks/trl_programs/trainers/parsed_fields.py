"""Fields of the same name in the classes that a parser is created with: both would be the same option.

`HfArgumentParser((ScriptArguments, SFTConfig))`: argparse refuses the second option before anything is read. What the
classes of the program declare is read from its text, what those of TRL and transformers have from the tables.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from itertools import islice

from cfglint.base.record import Record
from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.diagnostic import Related
from cfglint.environment.environment import Environment
from cfglint.frameworks.for_files import variant
from cfglint.knowledge.keys.classes import fields_in, is_below, other_class
from cfglint.roles.framework import load_framework
from cfglint.source.python_names import last_name
from cfglint.source.python_program import program_of
from cfglint.source.text import Span

if TYPE_CHECKING:
    from cfglint.knowledge.keys.release_keys import ReleaseKeys
    from cfglint.roles.framework import Framework
    from cfglint.source.python_names import Names
    from cfglint.source.python_program import PythonProgram

PARSERS: Final = ("HfArgumentParser", "TrlParser")
_PACKAGES: Final = ("trl", "transformers")
_TYPES: Final = "dataclass_types"
#: Keywords of a parser that do not change what it does about two options of a name.
_HARMLESS: Final = frozenset({"description", "epilog", "formatter_class", "prog", "usage"})
#: Bases are followed this deep, and so many of each class: what is left out is only not found.
_MAX_DEPTH: Final = 5
_MAX_BASES: Final = 3
#: No program has more parsers, nor a parser more classes.
_MAX_PARSERS: Final = 10
_MAX_CLASSES: Final = 10
_MAX_FIELDS: Final = 500
#: The first release of transformers whose classes are known.
_FIRST_OF_ALL: Final = "transformers 4.36.0"
#: A class of the same package whose keys have the history of its releases.
_WITH_RELEASES: Final = "trl.SFTConfig"


class _ParsedField(Record):
    """A field of a class that a parser is created with."""

    #: The class, as the program names it.
    of: str
    #: Where the program declares it; None for one that a library's class has.
    span: Span | None
    #: Whether the class surely has it, whatever release is installed of what the project admits.
    certain: bool = True


def fields_of_two_classes(ctx: CheckContext) -> Iterator[Hit]:
    """A field that two of the classes of one parser have."""
    program = program_of(ctx.document.text)
    if program.tree is None:
        return
    names = program.names
    classes = _NamedClasses(program, names, ctx)
    given_to = ((call, _given(call, names)) for call in names.calls)
    parsers = ((call, given) for call, given in given_to if given is not None)
    for call, given in islice(parsers, _MAX_PARSERS):
        seen: dict[str, _ParsedField] = {}
        for node in given[:_MAX_CLASSES]:
            fields = classes.fields(node)
            for name, field in fields.items():
                other = seen.get(name)
                if other is not None and other.of != field.of:
                    yield _hit(name, field, other, program, call)
                    if field.span is None and other.span is None:
                        break  # one of two classes that have all of a third
            seen = {**fields, **seen}


def _hit(
    name: str, field: _ParsedField, other: _ParsedField, program: PythonProgram, call: ast.Call
) -> Hit:
    """The finding, at the first declaration in the program, or at the parser."""
    places = list(dict.fromkeys(one.span for one in (other, field) if one.span is not None))
    parser = program.span_of(call.func)
    params = {"field": name, "first": other.of, "second": field.of}
    related = [Related(span, "and here") for span in places[1:]]
    related.append(Related(parser, "the parser that is created with both"))
    certain = field.certain and other.certain
    return Hit(
        (),
        places[0] if places else parser,
        params,
        related=tuple(related) if places else (),
        severity=None if certain else "warning",
    )


def _given(call: ast.Call, names: Names) -> Sequence[ast.expr] | None:
    """The classes that a parser is created with; None for any other call."""
    if last_name(call.func) not in PARSERS:
        return None
    full = names.imported(call.func)
    if full is None or full.partition(".")[0] not in _PACKAGES:
        return None
    given = [*call.args[:1]]
    for one in call.keywords:
        if one.arg == _TYPES:
            given.append(one.value)
        elif one.arg not in _HARMLESS:
            return None  # `conflict_handler`, or what a mapping adds
    if len(given) != 1:
        return None
    value = names.expression(given[0], call)
    return value.elts if isinstance(value, ast.Tuple | ast.List) else None


class _NamedClasses:
    """The classes that a program names, and their fields."""

    def __init__(self, program: PythonProgram, names: Names, ctx: CheckContext) -> None:
        self._program = program
        self._names = names
        self._ctx = ctx
        self._known: dict[str, dict[str, _ParsedField]] = {}
        tree = program.tree
        found: dict[str, list[ast.stmt]] = {}
        for node in tree.body if tree is not None else ():
            bound = [node.name] if isinstance(node, ast.ClassDef) else _bound(node)
            for name in bound:
                found.setdefault(name, []).append(node)
        #: The classes at the top of the program whose name is bound once, or after an import that it replaces.
        self._own = {
            name: nodes[-1]
            for name, nodes in found.items()
            if isinstance(nodes[-1], ast.ClassDef)
            and all(isinstance(one, ast.ImportFrom) for one in nodes[:-1])
        }

    def fields(self, node: ast.expr, depth: int = 0) -> dict[str, _ParsedField]:
        """The fields that a class surely has."""
        own = self._own.get(node.id) if isinstance(node, ast.Name) else None
        if isinstance(own, ast.ClassDef):
            if own.name not in self._known:
                self._known[own.name] = {}  # a class below itself has nothing of it
                self._known[own.name] = self._of_own(own, depth)
            return self._known[own.name]
        full = self._names.imported(node)
        return self._of_library(full, last_name(node)) if full is not None else {}

    def _of_own(self, node: ast.ClassDef, depth: int) -> dict[str, _ParsedField]:
        found: dict[str, _ParsedField] = {}
        if depth < _MAX_DEPTH:
            for base in node.bases[:_MAX_BASES]:
                # The base of a class of the same name is what was imported under it.
                is_same = isinstance(base, ast.Name) and base.id == node.name
                if not is_same:
                    found |= self.fields(base, depth + 1)
        if not any(_is_dataclass(one) for one in node.decorator_list):
            return {name: field.replaced(of=node.name) for name, field in found.items()}
        for statement in node.body[:_MAX_FIELDS]:
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                name = statement.target.id
                if _is_field(statement):
                    span = self._program.span_of(statement.target)
                    found[name] = _ParsedField(node.name, span)
                else:
                    found.pop(name, None)
        return {name: field.replaced(of=node.name) for name, field in found.items()}

    def _of_library(self, full: str, name: str) -> dict[str, _ParsedField]:
        package = full.partition(".")[0]
        other = other_class("trl", full)
        if other is not None:
            keys = _library(_WITH_RELEASES, self._ctx.target)[1]
            is_stated = self._is_stated(package)
            return {
                field: _ParsedField(name, None, is_stated or field in other["always"])
                for field in fields_in("trl", full, keys)
            }
        if package not in _PACKAGES or not is_below("trl", full):
            return {}
        framework, keys = _library(full, self._ctx.target)
        infos = ((one, framework.keys.info("", one)) for one in framework.keys.names(""))
        known = {one: info for one, info in infos if info is not None}
        versions = framework.releases.versions
        own = [info.since for info in known.values() if info.since in versions]
        first = {min(own, key=versions.index, default=""), _FIRST_OF_ALL}
        return {
            field: _ParsedField(
                name,
                None,
                (info.removed is None and info.since in first)
                or self._is_stated(info.since.rpartition(" ")[0] or package),
            )
            for field, info in known.items()
            if keys.standing("", field).ordinary
        }

    def _is_stated(self, package: str) -> bool:
        pin = self._ctx.target.pins.get(package)
        return pin is not None and pin.version is not None


def _library(full: str, target: Environment) -> tuple[Framework, ReleaseKeys]:
    """A class of a library as a framework of its own, and its parameters in the target's releases."""
    framework = variant(load_framework("trl"), kind=full, language="python")
    beside = Environment(framework.releases, target.pins, target.facts, as_of=target.as_of)
    return framework, framework.key_policy.keys_in(beside)


def _is_dataclass(node: ast.expr) -> bool:
    return last_name(node.func if isinstance(node, ast.Call) else node) == "dataclass"


def _is_field(statement: ast.AnnAssign) -> bool:
    """Whether an annotated name in a dataclass is a field that its constructor takes."""
    kind = statement.annotation
    if last_name(kind.value if isinstance(kind, ast.Subscript) else kind) in (
        "ClassVar",
        "InitVar",
    ):
        return False
    value = statement.value
    given = value.keywords if isinstance(value, ast.Call) else []
    return not isinstance(kind, ast.Constant) and not any(one.arg == "init" for one in given)


def _bound(node: ast.stmt) -> Iterator[str]:
    """The names that a statement at the top of a program binds."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        yield from (one.asname or one.name for one in node.names)
        return
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        yield node.name
        return
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name) and not isinstance(inner.ctx, ast.Load):
            yield inner.id
        elif isinstance(inner, ast.ClassDef | ast.FunctionDef):
            yield inner.name


CHECKS = {"field-of-two-classes": fields_of_two_classes}
