"""Functions that leave what they are given as it is."""

from __future__ import annotations

import ast

from cfglint.source.python_names import last_name
from cfglint.source.python_scopes import Scopes

#: Functions of Python that do not change what they are given.
_BUILT_IN = frozenset(
    {
        *("any", "all", "bool", "enumerate", "float", "int", "isinstance", "len", "list", "max"),
        *("min", "print", "repr", "set", "sorted", "str", "sum", "tuple", "type"),
    }
)
#: Methods of other things that do not change what they are given.
_HARMLESS = frozenset(
    {
        *("dump", "dumps", "safe_dump", "to_yaml", "pformat", "pprint"),
        *("debug", "info", "warning", "error", "log", "log_params"),
    }
)
_HARMLESS_OF = frozenset({("wandb", "init"), ("OmegaConf", "save")})
#: How functions are called that make something of a config, and leave it as it is.
_MAKING = ("build_", "create_", "get_", "load_", "log_", "make_", "print_", "save_")


def is_harmless(function: ast.expr, scopes: Scopes) -> bool:
    """Whether a function surely only looks at what it is given."""
    if isinstance(function, ast.Name):
        return function.id in _BUILT_IN and scopes.is_builtin(function)
    if not isinstance(function, ast.Attribute):
        return False
    of = function.value.id if isinstance(function.value, ast.Name) else ""
    return function.attr in _HARMLESS or (of, function.attr) in _HARMLESS_OF


def makes_something(function: ast.expr) -> bool:
    """Whether a class or a function of another module makes something else of what it is given, by its name."""
    name = last_name(function)
    return name[:1].isupper() or name.startswith(_MAKING)
