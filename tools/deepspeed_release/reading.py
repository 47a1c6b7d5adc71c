"""Follows a settings mapping through the functions that read it key by key.

DeepSpeed looks most keys up by hand: ``get_scalar_param(param_dict, NAME, DEFAULT)``, with constants
for names, one function a key, sections handed on to other functions and classes.  What is followed
here is only where the mapping and its sections go, never a value; every branch counts as taken.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tools.deepspeed_release.sections import (
    ANY_KEY,
    Constant,
    Found,
    Instance,
    Read,
    Section,
    join,
    matters,
    sections_in,
    sections_of,
)
from tools.python_sources.modules import ClassRef
from tools.python_sources.values import NotConstantError, Values, dotted_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tools.python_sources.modules import Modules

_MAX_DEPTH = 12
#: Calls that hand on the same mapping.
_COPIES = {"copy", "deepcopy", "dict", "OrderedDict"}
_NO_DEFAULT = object()


class Reader:
    """Runs through functions with sections as arguments."""

    def __init__(self, modules: Modules, values: Values, is_model: Any) -> None:
        self._modules = modules
        self._values = values
        self._is_model = is_model
        self.found = Found()
        self._running: list[tuple[str, str, tuple[Any, ...]]] = []

    def construct(self, ref: ClassRef, **arguments: Any) -> Instance:
        """Follow the making of an object; the arguments are given by name."""
        instance = Instance(ref)
        self._method(instance, "__init__", [], arguments)
        return instance

    def call_method(self, instance: Instance, name: str, **arguments: Any) -> Any:
        """Follow one method of an object."""
        return self._method(instance, name, [], arguments)

    # --- functions

    def _method(
        self, instance: Instance, name: str, positional: list[Any], named: dict[str, Any]
    ) -> Any:
        for ref in self._lineage(instance.ref):
            for node in ref.node.body:
                if isinstance(node, ast.FunctionDef) and node.name == name:
                    return self._run(node, ref.module, [instance, *positional], named, ref.path)
        return None

    def _lineage(self, ref: ClassRef) -> Iterable[ClassRef]:
        yield ref
        for base in ref.node.bases:
            found = self._modules.find(ref.module, dotted_name(base) or "")
            if isinstance(found, ClassRef) and found.path != ref.path:
                yield from self._lineage(found)

    def _run(
        self,
        node: ast.FunctionDef,
        module: str,
        positional: list[Any],
        named: dict[str, Any],
        owner: str = "",
        around: _Scope | None = None,
    ) -> Any:
        scope = _Scope(module, dict(around.names) if around else {})
        parameters = [*node.args.posonlyargs, *node.args.args]
        for parameter, default in zip(
            reversed(parameters), reversed(node.args.defaults), strict=False
        ):
            scope.names[parameter.arg] = self._value(default, scope)
        for parameter, value in zip(parameters, positional, strict=False):
            scope.names[parameter.arg] = value
        for name, value in named.items():
            scope.names[name] = value
        arguments = (*positional, *named.values())
        key = (module, f"{owner}.{node.name}", tuple(sections_in(arguments)))
        if key in self._running or len(self._running) >= _MAX_DEPTH:
            return None
        self._running.append(key)
        answers: list[Any] = []
        try:
            self._body(node.body, scope, answers)
        finally:
            self._running.pop()
        answers = [one for one in answers if matters(one)]
        return join(answers)

    def _body(self, body: list[ast.stmt], scope: _Scope, answers: list[Any]) -> None:
        for statement in body:
            self._statement(statement, scope, answers)

    def _statement(self, node: ast.stmt, scope: _Scope, answers: list[Any]) -> None:
        if isinstance(node, ast.FunctionDef):
            scope.functions[node.name] = node
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                scope.imports[alias.asname or alias.name] = f"{node.module}.{alias.name}"
        elif isinstance(node, ast.Return):
            answers.append(self._value(node.value, scope) if node.value else None)
        elif isinstance(node, ast.Assign):
            value = self._value(node.value, scope)
            for target in node.targets:
                self._assign(target, value, scope)
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            self._assign(node.target, self._value(node.value, scope), scope)
        elif isinstance(node, ast.For):
            self._loop(node, scope, answers)
        elif isinstance(node, ast.Assert):
            self._choices(node.test, scope)
            self._value(node.test, scope)
        else:
            scope.branches += 1
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.stmt):
                    self._statement(child, scope, answers)
                elif isinstance(child, ast.ExceptHandler):
                    self._body(child.body, scope, answers)
                elif isinstance(child, ast.withitem):
                    self._value(child.context_expr, scope)
                elif isinstance(child, ast.expr):
                    self._value(child, scope)
            scope.branches -= 1

    def _assign(self, target: ast.expr, value: Any, scope: _Scope) -> None:
        if isinstance(target, ast.Name):
            before = scope.names.get(target.id)
            if scope.branches and matters(before):  # it may have stayed what it was
                value = join([before, value])
            scope.names[target.id] = value
        elif isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
            owner = scope.names.get(target.value.id)
            if isinstance(owner, Instance) and matters(value):
                owner.attributes[target.attr] = value
        elif isinstance(target, ast.Subscript):
            self._value(target.value, scope)  # what is written there is nothing that a file says
            key = self._value(target.slice, scope)
            if isinstance(key, Constant) and isinstance(value, Section):
                scope.kept[str(key.value)] = value

    def _choices(self, test: ast.expr, scope: _Scope) -> None:
        """`assert output[KEY] in [A, B]`, where `output[KEY]` is what a key of the settings says."""
        if not (isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.In)):
            return
        key = self._value(test.left.slice, scope) if isinstance(test.left, ast.Subscript) else None
        admitted = self._value(test.comparators[0], scope)
        if isinstance(key, Constant) and isinstance(admitted, Constant):
            section = scope.kept.get(str(key.value))
            if section is not None and isinstance(admitted.value, list):
                self.found.choices[section.path] = admitted.value

    def _loop(self, node: ast.For, scope: _Scope, answers: list[Any]) -> None:
        targets = node.target.elts if isinstance(node.target, ast.Tuple) else [node.target]
        names = [one.id for one in targets if isinstance(one, ast.Name)]
        rounds = self._rounds(node.iter, scope, len(names))
        for values in rounds or [[None] * len(names)]:
            scope.names.update(zip(names, values, strict=False))
            self._body(node.body, scope, answers)

    def _rounds(self, over: ast.expr, scope: _Scope, width: int) -> list[list[Any]]:
        """The values of the loop's variables, one list a round; empty when nothing is known."""
        method = ""
        called = over.func if isinstance(over, ast.Call) else None
        if isinstance(called, ast.Attribute) and called.attr in ("items", "keys", "values"):
            method, over = called.attr, called.value
        inner = self._value(over, scope)
        if isinstance(inner, Section):
            if method in ("items", "values") and not inner.picked:
                self.found.open.add(inner.path)
            below = inner.below(ANY_KEY)
            if method == "items":
                return [[Constant(ANY_KEY), below]]
            return [[below]] if method == "values" else [[Constant(ANY_KEY)]]
        if isinstance(inner, Constant) and isinstance(inner.value, dict):
            if method == "items":
                return [[Constant(k), Constant(v)] for k, v in inner.value.items()]
            return [[Constant(k)] for k in inner.value]
        if isinstance(inner, Constant) and isinstance(inner.value, list) and width == 1:
            return [[Constant(one)] for one in inner.value]
        return []

    # --- expressions

    def _value(self, node: ast.expr, scope: _Scope) -> Any:
        """What an expression stands for, as far as that is about the settings."""
        if isinstance(node, ast.Name):
            if node.id in scope.names:
                return scope.names[node.id]
            return self._constant(node, scope)
        if isinstance(node, ast.Attribute):
            owner = self._value(node.value, scope)
            if isinstance(owner, Instance):
                return owner.attributes.get(node.attr)
            return self._constant(node, scope) if owner is None else None
        if isinstance(node, ast.Call):
            return self._call(node, scope)
        if isinstance(node, ast.Subscript):
            return self._subscript(node, scope)
        if isinstance(node, ast.Compare):
            self._compare(node, scope)
            return None
        if isinstance(node, (ast.BoolOp, ast.IfExp)):
            parts = node.values if isinstance(node, ast.BoolOp) else [node.body, node.orelse]
            if isinstance(node, ast.IfExp):
                self._value(node.test, scope)
            return join([value for p in parts if matters(value := self._value(p, scope))])
        if isinstance(node, ast.DictComp):
            return self._picked(node, scope)
        constant = self._constant(node, scope)
        if constant is not None:
            return constant
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self._value(child, scope)
            elif isinstance(child, ast.comprehension):
                self._value(child.iter, scope)
        return None

    def _constant(self, node: ast.expr, scope: _Scope) -> Constant | None:
        try:
            return Constant(self._values.evaluate(node, scope.module))
        except NotConstantError:
            return None

    def _subscript(self, node: ast.Subscript, scope: _Scope) -> Any:
        owner = self._value(node.value, scope)
        key = self._value(node.slice, scope)
        answers = []
        for section in sections_of(owner):
            if isinstance(key, Constant) and isinstance(key.value, str):
                answers.append(self._read(section, key.value, _NO_DEFAULT))
        return join(answers)

    def _compare(self, node: ast.Compare, scope: _Scope) -> None:
        left = self._value(node.left, scope)
        for operator, right in zip(node.ops, node.comparators, strict=True):
            if isinstance(operator, (ast.In, ast.NotIn)):
                for section in sections_of(self._value(_without_keys(right), scope)):
                    if isinstance(left, Constant) and isinstance(left.value, str):
                        self._read(section, left.value, _NO_DEFAULT, indexed=False)
            else:
                self._value(right, scope)

    def _picked(self, node: ast.DictComp, scope: _Scope) -> Any:
        """`{key: settings.get(key, {}) for key in ("a", "b")}`: these keys of the settings."""
        loop = node.generators[0]
        names = self._value(loop.iter, scope)
        if not (isinstance(names, Constant) and isinstance(names.value, list)):
            self._value(loop.iter, scope)
            return None
        sections: list[Section] = []
        inner = _Scope(scope.module, dict(scope.names))
        for name in names.value:
            if isinstance(loop.target, ast.Name):
                inner.names[loop.target.id] = Constant(name)
            sections += sections_of(self._value(node.value, inner))
        parents = {one.path.rpartition(".")[0] for one in sections}
        return Section(parents.pop(), picked=True) if len(parents) == 1 else None

    def _call(self, node: ast.Call, scope: _Scope) -> Any:
        function = node.func
        if isinstance(function, ast.Attribute):
            owner = self._value(function.value, scope)
            if isinstance(owner, Instance):
                return self._method(owner, function.attr, *self._arguments(node, scope))
            for section in sections_of(owner):
                answer = self._on_section(section, function.attr, node, scope)
                if answer is not _NO_DEFAULT:
                    return answer
        name = dotted_name(function) or ""
        if name in scope.functions:
            found = scope.functions[name]
            return self._run(found, scope.module, *self._arguments(node, scope), around=scope)
        positional, named = self._arguments(node, scope)
        if name.rpartition(".")[2] in _COPIES and len(positional) == 1:
            self.found.open |= {section.path for section in sections_of(positional[0])}
            return positional[0]
        path = scope.imports.get(name)
        target = self._modules.find_path(path) if path else self._modules.find(scope.module, name)
        if isinstance(target, ClassRef):
            return self._make(target, node, positional, named, scope)
        if any(matters(one) for one in (*positional, *named.values())):
            place = (
                self._modules.function_at(path)
                if path
                else self._modules.find_function(scope.module, name)
            )
            if place is not None:
                return self._run(place.node, place.module, positional, named)
        return None

    def _make(
        self,
        ref: ClassRef,
        node: ast.Call,
        positional: list[Any],
        named: dict[str, Any],
        scope: _Scope,
    ) -> Any:
        if self._is_model(ref):
            for keyword in node.keywords:
                if keyword.arg is None:
                    for section in sections_of(self._value(keyword.value, scope)):
                        kept = self.found.picked if section.picked else self.found.models
                        refs = kept.setdefault(section.path, [])
                        if ref not in refs:
                            refs.append(ref)
            return None
        if any(matters(one) for one in (*positional, *named.values())):
            instance = Instance(ref)
            self._method(instance, "__init__", positional, named)
            return instance
        return None

    def _on_section(self, section: Section, method: str, node: ast.Call, scope: _Scope) -> Any:
        """A method of the mapping itself."""
        if method in ("get", "pop", "setdefault"):
            key = self._value(node.args[0], scope) if node.args else None
            default: Any = None if method == "get" else _NO_DEFAULT
            if len(node.args) > 1:
                constant = self._value(node.args[1], scope)
                default = constant.value if isinstance(constant, Constant) else None
            if isinstance(key, Constant) and isinstance(key.value, str):
                return self._read(section, key.value, default, indexed=default is _NO_DEFAULT)
            return None
        if method == "copy":
            return section
        if method in ("keys", "items", "values", "update"):
            return None
        return _NO_DEFAULT

    def _arguments(self, node: ast.Call, scope: _Scope) -> tuple[list[Any], dict[str, Any]]:
        positional = [
            self._value(one, scope) for one in node.args if not isinstance(one, ast.Starred)
        ]
        named = {
            one.arg: self._value(one.value, scope) for one in node.keywords if one.arg is not None
        }
        return positional, named

    def _read(self, section: Section, key: str, default: Any, *, indexed: bool = True) -> Section:
        below = section.below(key)
        if key == ANY_KEY:
            return below
        read = self.found.keys.setdefault(below.path, Read())
        if default is _NO_DEFAULT:
            read.indexed = read.indexed or indexed
        elif not any(type(one) is type(default) and one == default for one in read.defaults):
            read.defaults.append(default)
        return below


@dataclass
class _Scope:
    """The names that a function's body knows."""

    module: str
    names: dict[str, Any] = field(default_factory=dict)
    functions: dict[str, ast.FunctionDef] = field(default_factory=dict)
    #: How many branches the present statement is inside of.
    branches: int = 0
    #: Key of a result -> the key of the settings that it is taken from.
    kept: dict[str, Section] = field(default_factory=dict)
    #: Name -> dotted path of what the body imports itself.
    imports: dict[str, str] = field(default_factory=dict)


def _without_keys(node: ast.expr) -> ast.expr:
    """`settings.keys()` -> `settings`."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.value if node.func.attr == "keys" else node
    return node
