"""Whether all classes that the programs of a project fill with arguments are known, read from their sources.

Nothing is run: the sources are parsed. In doubt, a class is not known.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from cfglint.source.python_names import last_name

#: The packages whose classes of arguments are described.
_PACKAGES = ("trl", "transformers")
#: Their classes all of whose fields, in all releases, the key tables have.
_DESCRIBED = frozenset(
    {
        *("DPOConfig", "GRPOConfig", "KTOConfig", "ORPOConfig", "RewardConfig", "SFTConfig"),
        *("DatasetMixtureConfig", "GRPOScriptArguments", "ModelConfig", "ScriptArguments"),
        *("RLOOScriptArguments", "TrainingArguments"),
    }
)
#: Bases that bring no field.
_WITHOUT_FIELDS = frozenset({"ABC", "object"})
#: A name in a source, as an index into the sources.
_Place = tuple[int, str]


class _ParsedSource:
    """One parsed source: its classes, what it imports under which name, and its calls."""

    def __init__(self, text: str) -> None:
        self.classes: dict[str, list[ast.ClassDef]] = {}
        #: Name here -> (module, name there); of a module that is imported whole the second is empty.
        self.imports: dict[str, tuple[str, str]] = {}
        self.calls: list[ast.Call] = []
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ClassDef):
                self.classes.setdefault(node.name, []).append(node)
            elif isinstance(node, ast.Call):
                self.calls.append(node)
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
    try:
        sources = [_ParsedSource(text) for text in texts]
    # What cannot be parsed, or is too deep for it, may have any class.
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    known = _Classes(sources)
    wanted = [
        (number, argument)
        for number, source in enumerate(sources)
        for call in source.calls
        if last_name(call.func) in parsers
        for argument in _arguments(call)
    ]
    return bool(wanted) and all(known.has(number, argument) for number, argument in wanted)


def _arguments(call: ast.Call) -> Iterator[ast.expr | None]:
    """The classes that a parser is created with; None for what is not written out."""
    given = [*call.args[:1], *(one.value for one in call.keywords if one.arg == "dataclass_types")]
    if not given or any(one.arg is None for one in call.keywords):
        yield None
    for one in given:
        yield from one.elts if isinstance(one, ast.Tuple | ast.List) else (one,)


class _Classes:
    """The classes of a project's sources."""

    def __init__(self, sources: list[_ParsedSource]) -> None:
        self._sources = sources
        self._known: dict[_Place, bool] = {}

    def has(self, number: int, node: ast.expr | None) -> bool:
        """Whether all fields of a class that a source names are known."""
        source = self._sources[number]
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            module, name = source.imports.get(node.value.id, ("", ""))
            return not name and module in _PACKAGES and node.attr in _DESCRIBED
        if not isinstance(node, ast.Name):
            return False
        place = number, node.id
        if place not in self._known:
            # A class that is its own base is an imported one of the same name.
            self._known[place] = False
            self._known[place] = self._is_known(number, node.id)
        return self._known[place]

    def _is_known(self, number: int, name: str) -> bool:
        source = self._sources[number]
        if name in source.classes:
            return all(self._has_bases(number, one) for one in source.classes[name])
        module, there = source.imports.get(name, ("", ""))
        if module.partition(".")[0] in _PACKAGES:
            return there in _DESCRIBED
        places = [at for at, one in enumerate(self._sources) if there in one.classes]
        return bool(there and places) and all(
            self._has_bases(at, one) for at in places for one in self._sources[at].classes[there]
        )

    def _has_bases(self, number: int, one: ast.ClassDef) -> bool:
        return not one.keywords and all(self._has_base(number, one, base) for base in one.bases)

    def _has_base(self, number: int, one: ast.ClassDef, base: ast.expr) -> bool:
        if last_name(base) in _WITHOUT_FIELDS:
            return True
        if isinstance(base, ast.Name) and base.id == one.name:
            # `class GRPOConfig(GRPOConfig)`: what the module imports under the name.
            module, there = self._sources[number].imports.get(base.id, ("", ""))
            return module.partition(".")[0] in _PACKAGES and there in _DESCRIBED
        return self.has(number, base)


def with_own_parsers(texts: Iterable[str], parsers: Sequence[str]) -> tuple[str, ...]:
    """The names of the parsers, and of the classes that a project derives from them."""
    found = list(parsers)
    for text in texts:
        for line in text.splitlines():
            head, _, bases = line.strip().partition("(")
            if head.startswith("class ") and any(one in bases for one in parsers):
                found.append(head.removeprefix("class ").strip())
    return tuple(dict.fromkeys(found))
