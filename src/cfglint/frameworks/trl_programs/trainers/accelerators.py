"""The `Accelerator` of a program: where it is made, and the calls of its methods."""

from __future__ import annotations

import ast

from cfglint.base.type_names import Final
from cfglint.source.python_names import Names, last_name

_CLASS: Final = "accelerate.Accelerator"
#: How programs call it.
_USUAL: Final = ("accelerator", "accel", "acc")
#: What says of a process whether it is the first one, of all or of a machine.
IS_MAIN: Final = frozenset({"is_main_process", "is_local_main_process"})


def made_in(names: Names) -> tuple[ast.Call, ...]:
    """The calls that make one."""
    return tuple(call for call in names.calls if names.imported(call.func) == _CLASS)


def is_accelerator(node: ast.expr) -> bool:
    """Whether an expression is called as accelerators are: `accelerator`, `self.accelerator`."""
    return last_name(node) in _USUAL


def is_method(node: ast.AST, method: str) -> bool:
    """Whether a call is one of a method of an accelerator."""
    function = node.func if isinstance(node, ast.Call) else None
    return (
        isinstance(function, ast.Attribute)
        and function.attr == method
        and is_accelerator(function.value)
    )
