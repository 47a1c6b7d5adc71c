"""What a program loads from a file of its own and gives to a call: `SFTConfig(**yaml.safe_load(f)["training"])`.

A name counts when the program gives it one meaning. What the program may do to the loaded values is followed
forward from where they are loaded: through names, sections, and its own functions.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from cfglint.base.record import NamedTuple
from cfglint.source.calls import ANY_KEY, HYDRA, Loading
from cfglint.source.document import Path
from cfglint.source.python_harmless import is_harmless, makes_something
from cfglint.source.python_instances import Instances
from cfglint.source.python_loaders import SPREADING, WRAPPING, FileLoad, Loaders
from cfglint.source.python_names import last_name
from cfglint.source.python_paths import (
    NO_ARGUMENTS,
    CallArguments,
    FileName,
    Paths,
    arguments_of,
)
from cfglint.source.python_scopes import Scopes

_NONE = ast.Constant(None)
#: These give what they are given, or a copy of it.
_COPYING = frozenset({"dict", "copy", "deepcopy", "to_container", "cast"})
#: What only looks at a value.
_LOOKING = (
    *(ast.Compare, ast.UnaryOp, ast.BinOp, ast.FormattedValue, ast.If, ast.While, ast.Assert),
    *(ast.Expr, ast.Subscript, ast.For, ast.comprehension, ast.Raise),
)
#: Methods that change all of a mapping.
_CHANGING = frozenset({"update", "clear", "popitem", "merge_with", "__ior__"})
#: More steps than any real program takes; what takes more is not known.
_MAX_STEPS = 5_000
_MAX_PARTS = 200
_MAX_DEPTH = 16


class LoadedPart(NamedTuple):
    """A part of a loaded file."""

    file: FileName
    language: str
    at: Path
    #: The calls that give it or a part of it, from where what becomes of it is followed.
    sources: tuple[tuple[ast.expr, Path], ...]
    #: The functions that make it anew for each of their calls.
    through: frozenset[int] = frozenset()
    #: What there is instead when the file does not have it.
    default: ast.expr | None = None
    #: The function of another module that loads the file; None where that is known.
    loading: Loading | None = None
    #: Whether its items are its attributes, too.
    has_attributes: bool = False
    #: The class of the program that it is an object of, with its items as fields.
    made: ast.ClassDef | None = None
    #: Whether the program takes that for granted.
    by_attribute: bool = False

    def inside(self, key: str | int, default: ast.expr | None = None) -> LoadedPart:
        """A part of it."""
        return self._replace(at=(*self.at, key), default=default)

    def attribute(self, name: str) -> LoadedPart | None:
        """A part of it, as an attribute; None if it has none."""
        if not self.has_attributes and self.loading is None:
            return None
        return self.inside(name)._replace(by_attribute=not self.has_attributes)


def _whole(
    loaded: FileLoad | None, sources: tuple[tuple[ast.expr, Path], ...]
) -> LoadedPart | None:
    """A loaded file as a part of itself."""
    if loaded is None:
        return None
    has_attributes = loaded.language in ("omegaconf", HYDRA)
    return LoadedPart(
        loaded.name,
        loaded.language,
        (),
        sources,
        loading=loaded.loading,
        has_attributes=has_attributes,
    )


class Treatment(NamedTuple):
    """What a program does to a loaded file."""

    #: What it sets or takes out.
    changed: frozenset[Path]
    #: What it hands to something that may change it, if that is a mapping or a list.
    handed: frozenset[Path]
    #: What it reads by name.
    read: frozenset[Path]


class _Seen:
    """What a program was seen to do to a loaded file so far; see `Treatment`."""

    def __init__(self) -> None:
        self.changed: set[Path] = set()
        self.handed: set[Path] = set()
        self.read: set[Path] = set()


class Loads:
    """Follows what one program loads.

    Args:
        reading: the calls, by `id`, that only read what they are given.
    """

    def __init__(self, scopes: Scopes, reading: frozenset[int]) -> None:
        self._scopes = scopes
        self._paths = Paths(scopes, by_commands=True)
        self._loaders = Loaders(scopes, self._paths)
        self._instances = Instances(scopes)
        self._reading = reading
        self._treatments: dict[tuple[tuple[int, Path], ...], Treatment] = {}

    def loaded(self, node: ast.expr) -> LoadedPart | None:
        """What an expression is of a loaded file; None if it is something else, or that is not certain."""
        return self._part(node, NO_ARGUMENTS, _MAX_DEPTH)

    def treatment(self, loaded: LoadedPart) -> Treatment:
        """What the program does to a loaded file."""
        place = tuple((id(one), at) for one, at in loaded.sources)
        found = self._treatments.get(place)
        if found is None:
            seen = _Seen()
            self._follow(loaded, seen)
            found = Treatment(*map(frozenset, (seen.changed, seen.handed, seen.read)))
            self._treatments[place] = found
        return found

    # ------------------------------------------------------------------ where a value comes from

    def _part(self, node: ast.expr, arguments: CallArguments, depth: int) -> LoadedPart | None:
        if depth == 0:
            return None
        depth -= 1
        if isinstance(node, ast.Name):
            return self._of_name(node, arguments, depth)
        if isinstance(node, ast.Subscript):
            key = _key(node.slice)
            base = None if key is None else self._part(node.value, arguments, depth)
            return None if base is None or key is None else base.inside(key)
        if isinstance(node, ast.Attribute):
            value = self._instances.attribute(node)
            if value is not None:
                return self._part(value, NO_ARGUMENTS, depth)
            base = self._part(node.value, arguments, depth)
            return None if base is None else self._attribute(base, node.attr)
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or):
            return self._part(node.values[0], arguments, depth)
        return self._of_call(node, arguments, depth) if isinstance(node, ast.Call) else None

    def _attribute(self, base: LoadedPart, name: str) -> LoadedPart | None:
        """An attribute of what may be an object of a class of the program."""
        if base.made is None:
            return base.attribute(name)
        field = self._instances.field(base.made, name)
        if field is None:
            return None
        default, made = field
        return base.inside(name, default)._replace(made=made, has_attributes=made is not None)

    def _of_name(self, node: ast.Name, arguments: CallArguments, depth: int) -> LoadedPart | None:
        meaning = self._paths.meaning(node, arguments)
        if meaning is not None:
            return self._part(*meaning, depth)
        held = self._scopes.binding(node)
        uses = None if held is None else self._scopes.uses(node.id, held.scope)
        if not uses:
            return None
        return _whole(self._loaders.of_hydra(node), tuple((use, ()) for use in uses))

    def _of_call(self, node: ast.Call, arguments: CallArguments, depth: int) -> LoadedPart | None:
        if self._loaders.language(node):
            return _whole(self._loaders.loaded(node, arguments), ((node, ()),))
        name = last_name(node.func)
        if name in ("get", "copy") and isinstance(node.func, ast.Attribute):
            base = self._part(node.func.value, arguments, depth)
            if base is not None and not node.args:
                return base if name == "copy" else None
            key = _key(node.args[0]) if node.args else None
            if base is None or key is None or node.keywords:
                return None
            return base.inside(key, node.args[1] if len(node.args) > 1 else _NONE)
        if name in _COPYING and len(node.args) == 1:
            is_whole = not node.keywords or name == "to_container"
            return self._part(node.args[0], arguments, depth) if is_whole else None
        wrapped = self._wrapped(node)
        if wrapped is not None:
            found = self._part(wrapped, arguments, depth)
            made = self._instances.record(node.func)
            return None if found is None else found._replace(has_attributes=True, made=made)
        if self._scopes.function(node.func) is not None:
            return self._of_function(node, depth)
        return _whole(self._loaders.loaded(node, arguments), ((node, ()),))

    def _of_function(self, node: ast.Call, depth: int) -> LoadedPart | None:
        """What a function of the program gives back."""
        found = self._made_by(self._scopes.function(node.func), node, depth)
        return None if found is None else found._replace(sources=(*found.sources, (node, found.at)))

    def of_function(self, name: str, call: ast.Call) -> LoadedPart | None:
        """What a function gives back to another module.

        Args:
            call: that of the other module, with arguments that mean the same here.
        """
        return self._made_by(self._scopes.function_named(name), call, _MAX_DEPTH)

    def _made_by(
        self, function: ast.FunctionDef | None, call: ast.Call, depth: int
    ) -> LoadedPart | None:
        """What a function makes for a call of it."""
        value = None if function is None else self._scopes.returned(function)
        given = None if function is None else arguments_of(call, function)
        if function is None or value is None or given is None:
            return None
        found = self._part(value, CallArguments(function, given), depth)
        if found is None:
            return None
        scope = self._scopes.scope(found.sources[-1][0])
        if scope is None or scope.node is not function:
            return None  # it gives the same thing to all who call it
        return found._replace(through=found.through | {id(function)})

    # ------------------------------------------------------------------ what becomes of it

    def _follow(self, loaded: LoadedPart, into: _Seen) -> None:
        waiting: list[tuple[ast.AST, Path]] = [*loaded.sources]
        seen: set[tuple[int, Path]] = set()
        while waiting:
            node, path = waiting.pop()
            if (id(node), path) in seen:
                continue
            seen.add((id(node), path))
            parts = len(into.changed) + len(into.handed)
            if len(seen) > _MAX_STEPS or parts > _MAX_PARTS or len(path) > _MAX_DEPTH:
                into.changed = {()}
                return
            waiting.extend(self._next(node, path, into, loaded.through))

    def _next(
        self, node: ast.AST, path: Path, into: _Seen, through: frozenset[int]
    ) -> Iterator[tuple[ast.AST, Path]]:
        """The expressions that are the same value, or a part of it, one step further on."""
        parent = self._scopes.parent(node)
        if isinstance(parent, ast.Subscript) and parent.value is node:
            yield from self._at(parent, (*path, _key(parent.slice) or ANY_KEY), into)
        elif isinstance(parent, ast.Attribute):
            call = self._scopes.parent(parent)
            if isinstance(call, ast.Call) and call.func is parent:
                yield from self._method(call, parent.attr, path, into)
            else:
                yield from self._at(parent, (*path, parent.attr), into)
        elif isinstance(parent, ast.keyword):
            call = self._scopes.parent(parent)
            if isinstance(call, ast.Call) and parent.arg is not None:
                yield from self._argument(call, node, path, into)
            elif isinstance(call, ast.Call) and self._wrapped(call) is node:
                yield call, path
        elif isinstance(parent, ast.Call):
            yield from self._argument(parent, node, path, into)
        elif isinstance(parent, (ast.Assign, ast.AnnAssign)):
            yield from self._assigned(parent, path, into)
        elif isinstance(parent, ast.BoolOp):
            yield parent, path
        elif isinstance(parent, ast.Return):
            scope = self._scopes.scope(parent)
            if scope is None or id(scope.node) not in through:
                into.handed.add(path)
        elif isinstance(parent, ast.Dict):
            if any(
                value is node and key is not None
                for key, value in zip(parent.keys, parent.values, strict=True)
            ) and not self._is_shown(parent):
                into.handed.add(path)
        elif not isinstance(parent, _LOOKING):
            into.handed.add(path)

    def _at(
        self, node: ast.Subscript | ast.Attribute, path: Path, into: _Seen
    ) -> Iterator[tuple[ast.AST, Path]]:
        if isinstance(node.ctx, ast.Load):
            into.read.add(path)
            yield node, path
        else:
            into.changed.add(path)

    def _method(
        self, call: ast.Call, name: str, path: Path, into: _Seen
    ) -> Iterator[tuple[ast.AST, Path]]:
        key = (_key(call.args[0]) or ANY_KEY) if call.args else ANY_KEY
        if name == "get":
            into.read.add((*path, key))
            yield call, (*path, key)
        elif name == "copy":
            yield call, path
        elif name in ("items", "values"):
            into.handed.add((*path, ANY_KEY))
        elif name in ("pop", "setdefault", "__setitem__", "__delitem__"):
            into.changed.add((*path, key))
        elif name != "keys":
            # Any other may be a method of a text.
            (into.changed if name in _CHANGING else into.handed).add(path)

    def _argument(
        self, call: ast.Call, node: ast.AST, path: Path, into: _Seen
    ) -> Iterator[tuple[ast.AST, Path]]:
        name = last_name(call.func)
        if name in _COPYING or self._wrapped(call) is node:
            yield call, path
            return
        if (
            id(call) in self._reading
            or self._loaders.language(call)
            or is_harmless(call.func, self._scopes)
        ):
            return
        function = self._scopes.function(call.func) or self._instances.constructor(call.func)
        given = None if function is None else arguments_of(call, function)
        if function is None or given is None:
            if function is not None or not makes_something(call.func):
                into.handed.add(path)
            return
        scope = self._scopes.inner(function)
        for parameter, value in given.items():
            uses = self._scopes.uses(parameter, scope) if value is node and scope else None
            if value is node and uses is None:
                into.handed.add(path)
            for use in uses or ():
                yield use, path

    def _wrapped(self, call: ast.Call) -> ast.expr | None:
        """What a call gives back with its items as attributes; None for any other call."""
        return _wrapped(call) or self._instances.spread(call)

    def _is_shown(self, node: ast.Dict) -> bool:
        """Whether a mapping is written for a call that only looks at it: `wandb.init(config={"training": config})`."""
        at: ast.AST = node
        above = self._scopes.parent(node)
        while isinstance(above, (ast.Dict, ast.keyword)):
            at, above = above, self._scopes.parent(above)
        return (
            isinstance(above, ast.Call)
            and above.func is not at
            and is_harmless(above.func, self._scopes)
        )

    def _assigned(
        self, node: ast.Assign | ast.AnnAssign, path: Path, into: _Seen
    ) -> Iterator[tuple[ast.AST, Path]]:
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        several = isinstance(node, ast.Assign) and len(node.targets) > 1
        home = None
        if isinstance(target, ast.Name) and not several:
            scope = self._scopes.scope(target)
            home = scope.home(target.id) if scope is not None else None
        uses: Sequence[ast.expr] | None = None
        if home and isinstance(target, ast.Name):
            uses = self._scopes.uses(target.id, home)
        elif not several:
            uses = self._instances.held(target)
        if uses is None:
            into.handed.add(path)
        for use in uses or ():
            yield use, path


def _key(node: ast.expr) -> str | int | None:
    """A key that is written out."""
    found = node.value if isinstance(node, ast.Constant) else None
    return found if isinstance(found, (str, int)) and not isinstance(found, bool) else None


def _wrapped(call: ast.Call) -> ast.expr | None:
    """What a call gives back with its items as attributes; None for any other call."""
    name = last_name(call.func)
    if name in WRAPPING and len(call.args) == 1 and not call.keywords:
        return call.args[0]
    if name in SPREADING and len(call.keywords) == 1 and not call.args:
        return call.keywords[0].value if call.keywords[0].arg is None else None
    return None
