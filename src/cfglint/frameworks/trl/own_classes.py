"""The classes that the programs of a project fill with arguments, read from their sources.

Nothing is run: the sources are parsed. In doubt, a class is not known.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce

from cfglint.base.lazy import lazy_pattern
from cfglint.base.record import Record
from cfglint.source.python_names import last_name

#: The packages whose classes of arguments are described.
_PACKAGES = ("trl", "transformers")
#: Their classes all of whose fields, in all releases, the key tables have.
_DESCRIBED = frozenset(
    {
        *("DPOConfig", "GRPOConfig", "KTOConfig", "ORPOConfig", "RewardConfig", "SFTConfig"),
        *("DatasetMixtureConfig", "GRPOScriptArguments", "ModelConfig", "ScriptArguments"),
        *("RLOOScriptArguments", "TrainingArguments", "Seq2SeqTrainingArguments"),
    }
)
#: What reads all fields of an object, or one whose name is made up.
_READS_ALL = ("asdict(", "vars(", "__dict__", "getattr(", "**")
#: Bases that bring no field.
_WITHOUT_FIELDS = frozenset({"ABC", "object"})
#: A type that may be nothing.
_OPTIONAL = lazy_pattern(r"^(Optional|Union)\[(.*)\]$")
#: A name in a source, as an index into the sources.
_Place = tuple[int, str]


class DeclaredField(Record):
    """A field that a class of the project has itself."""

    name: str
    #: How many words it takes as an option, in the notation of `Arguments`.
    arity: str
    #: Whether its one word is true or false.
    is_truth: bool
    #: Whether it is true by default, so that there is an option that switches it off.
    has_opposite: bool


class ClassFields(Record):
    """What is known about the fields of some classes."""

    #: Whether all classes are known, those that they are derived from included.
    known: bool = True
    #: The described classes among them: package and name.
    described: frozenset[str] = frozenset()
    #: The fields that classes of the project have themselves.
    own: frozenset[DeclaredField] = frozenset()

    @property
    def own_names(self) -> frozenset[str]:
        """The names of those."""
        return frozenset(field.name for field in self.own)

    def __or__(self, other: ClassFields) -> ClassFields:
        return ClassFields(
            self.known and other.known, self.described | other.described, self.own | other.own
        )


_UNKNOWN = ClassFields(known=False)


class ParsedSource:
    """One parsed source: its classes, what it imports under which name, and its calls."""

    def __init__(self, text: str) -> None:
        self.classes: dict[str, list[ast.ClassDef]] = {}
        #: Name here -> (module, name there); of a module that is imported whole the second is empty.
        self.imports: dict[str, tuple[str, str]] = {}
        self.calls: list[ast.Call] = []
        #: The names that are read of any object.
        self.attributes: set[str] = set()
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ClassDef):
                self.classes.setdefault(node.name, []).append(node)
            elif isinstance(node, ast.Call):
                self.calls.append(node)
            elif isinstance(node, ast.Attribute):
                self.attributes.add(node.attr)
            elif isinstance(node, ast.ImportFrom):
                module = "." * node.level + (node.module or "")
                for one in node.names:
                    self.imports[one.asname or one.name] = module, one.name
            elif isinstance(node, ast.Import):
                for one in node.names:
                    self.imports[one.asname or one.name.partition(".")[0]] = one.name, ""


def are_all_known(texts: Sequence[str], parsers: Sequence[str]) -> bool:
    """Whether each class that a parser is created with is the project's own, or a described one of TRL's.

    Args:
        texts: the sources of the project that have classes of arguments, or parse them.
        parsers: the names of the classes that parse arguments.

    Returns:
        False, too, if no parser is created.
    """
    sources = parsed_sources(texts)
    if sources is None:
        return False
    found = [fields_in(number, sources, parsers) for number in range(len(sources))]
    filled = [one for one in found if one is not None]
    return bool(filled) and all(one.known for one in filled)


def are_own_and_idle(texts: Sequence[str], parsers: Sequence[str], name: str) -> bool:
    """Whether all that parsers are created with are classes of the project alone, and nothing reads a field of theirs.

    Such a class takes what YAML has made of a value, whatever it is declared as.
    """
    sources = parsed_sources(texts)
    if sources is None or any(word in text for text in texts for word in _READS_ALL):
        return False
    found = [fields_in(number, sources, parsers) for number in range(len(sources))]
    filled = [one for one in found if one is not None]
    own = all(one.known and not one.described for one in filled)
    return (
        own
        and any(name in one.own_names for one in filled)
        and not any(name in source.attributes for source in sources)
    )


def parsed_sources(texts: Iterable[str]) -> list[ParsedSource] | None:
    """Sources that are parsed; None where one of them cannot be, or is too deep for it."""
    try:
        return [ParsedSource(text) for text in texts]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def fields_in(
    number: int, sources: list[ParsedSource], parsers: Sequence[str]
) -> ClassFields | None:
    """The classes that the parsers of one of the sources are created with; None if it creates none."""
    known = _Classes(sources)
    found = [
        known.fields(number, argument)
        for call in sources[number].calls
        if last_name(call.func) in parsers
        for argument in _arguments(call)
    ]
    return reduce(ClassFields.__or__, found) if found else None


def _arguments(call: ast.Call) -> Iterator[ast.expr | None]:
    """The classes that a parser is created with; None for what is not written out."""
    given = [*call.args[:1], *(one.value for one in call.keywords if one.arg == "dataclass_types")]
    if not given or any(one.arg is None for one in call.keywords):
        yield None
    for one in given:
        yield from one.elts if isinstance(one, ast.Tuple | ast.List) else (one,)


class _Classes:
    """The classes of a project's sources."""

    def __init__(self, sources: list[ParsedSource]) -> None:
        self._sources = sources
        self._known: dict[_Place, ClassFields] = {}

    def fields(self, number: int, node: ast.expr | None) -> ClassFields:
        """The fields of a class that a source names."""
        source = self._sources[number]
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            module, name = source.imports.get(node.value.id, ("", ""))
            return _UNKNOWN if name else _described(module, node.attr)
        if not isinstance(node, ast.Name):
            return _UNKNOWN
        place = number, node.id
        if place not in self._known:
            # A class that is its own base is an imported one of the same name.
            self._known[place] = _UNKNOWN
            self._known[place] = self._named(number, node.id)
        return self._known[place]

    def _named(self, number: int, name: str) -> ClassFields:
        source = self._sources[number]
        if name in source.classes:
            return self._joined((number, one) for one in source.classes[name])
        module, there = source.imports.get(name, ("", ""))
        if module.partition(".")[0] in _PACKAGES:
            return _described(module, there)
        return self._joined(
            (at, one)
            for at, other in enumerate(self._sources)
            for one in other.classes.get(there, ())
        )

    def _joined(self, classes: Iterable[tuple[int, ast.ClassDef]]) -> ClassFields:
        """The fields of all classes of a name, one of which is meant; unknown if there is none."""
        found = [self._of_class(number, one) for number, one in classes]
        return reduce(ClassFields.__or__, found) if found else _UNKNOWN

    def _of_class(self, number: int, one: ast.ClassDef) -> ClassFields:
        own = frozenset(
            _own_field(statement.target.id, statement)
            for statement in one.body
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name)
        )
        bases = [self._of_base(number, one, base) for base in one.bases]
        return reduce(ClassFields.__or__, bases, ClassFields(not one.keywords, own=own))

    def _of_base(self, number: int, one: ast.ClassDef, base: ast.expr) -> ClassFields:
        if last_name(base) in _WITHOUT_FIELDS:
            return ClassFields()
        if isinstance(base, ast.Name) and base.id == one.name:
            # `class GRPOConfig(GRPOConfig)`: what the module imports under the name.
            return _described(*self._sources[number].imports.get(base.id, ("", "")))
        return self.fields(number, base)


def _own_field(name: str, statement: ast.AnnAssign) -> DeclaredField:
    """A field as an option, as transformers' parser makes it one of a dataclass."""
    written = ast.unparse(statement.annotation).strip("'\"").replace("typing.", "")
    kinds = {
        one.strip() for one in _OPTIONAL.sub(r"\2, None", written).replace("|", ",").split(",")
    }
    value = statement.value
    if isinstance(value, ast.Call):
        given = [one.value for one in value.keywords if one.arg == "default"]
        value = given[0] if given else None
    default = value.value if isinstance(value, ast.Constant) else None
    if kinds <= {"bool", "None"} and "bool" in kinds:
        is_switch = kinds == {"bool"} or default is not None
        return DeclaredField(name, "?" if is_switch else "1", not is_switch, default is True)
    is_list = written.removeprefix("Optional[").lower().startswith("list[")
    return DeclaredField(name, "+" if is_list else "1", False, False)


def _described(module: str, name: str) -> ClassFields:
    """The fields of an imported class."""
    package = module.partition(".")[0]
    if package not in _PACKAGES or name not in _DESCRIBED:
        return _UNKNOWN
    return ClassFields(described=frozenset({f"{package}.{name}"}))


def with_own_parsers(texts: Iterable[str], parsers: Sequence[str]) -> tuple[str, ...]:
    """The names of the parsers, and of the classes that a project derives from them."""
    found = list(parsers)
    for text in texts:
        for line in text.splitlines():
            head, _, bases = line.strip().partition("(")
            if head.startswith("class ") and any(one in bases for one in parsers):
                found.append(head.removeprefix("class ").strip())
    return tuple(dict.fromkeys(found))
