"""What a program gives its trainers: the calls that make the objects, as far as they surely do."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache

from cfglint.base.type_names import TYPE_CHECKING, Any, Final
from cfglint.checks.context import CheckContext
from cfglint.frameworks.trl.patched import is_patched_program
from cfglint.source.python_names import last_name
from cfglint.source.python_objects import Objects
from cfglint.source.python_program import PythonProgram, program_of
from cfglint.source.python_scopes import Scopes
from cfglint.source.text import Span

if TYPE_CHECKING:
    from cfglint.source.python_names import Names

_LOAD: Final = "from_pretrained"
#: The names of what prints or logs a message.
_SHOWS: Final = frozenset(
    {"print", "pprint", "rank0_print", "log", "write", "exit", "info", "debug", "warning", "error"}
)
#: What changes no object that it is given.
_LOOKS: Final = frozenset({"print", "len", "sum", "next", "type", "isinstance", "str"})
#: Deeper expressions are not looked at.
_DEEPEST: Final = 40
#: What gives back the model that it is given.
_THROUGH: Final = frozenset({"get_peft_model", "prepare_model_for_kbit_training"})


class GivenCalls:
    """A program with a trainer.

    Args:
        program: its text, which can be parsed.
        tree: what that is.
    """

    def __init__(self, program: PythonProgram, tree: ast.Module) -> None:
        self.tree = tree
        self.names: Names = program.names
        self.scopes = Scopes(tree)
        self._program = program
        self._objects = Objects(self.scopes, _THROUGH, frozenset({"to", "cuda", "train"}))

    def calls(self, trainers: frozenset[str]) -> Iterator[tuple[ast.Call, dict[str, ast.expr]]]:
        """The calls of some trainers, with their keywords, of which there are no others."""
        for call in self.names.calls:
            given = keywords_of(call)
            if given is not None and self.names.imported(call.func) in trainers:
                yield call, given

    def made(self, node: ast.expr | None) -> ast.Call | None:
        """The call that makes an object, if nothing but that does."""
        origin = None if node is None else self._objects.made(node)
        return None if origin is None or origin.item is not None else origin.call

    def is_handed_on(self, node: ast.expr | None) -> bool:
        """Whether something else than a trainer, or what only looks at it, gets an object, and may change it."""
        origin = None if node is None else self._objects.made(node)
        used = frozenset[str]() if origin is None else origin.used
        return any(
            not one.startswith(".") and not one.endswith("Trainer") and one not in _LOOKS
            for one in used
        )

    def loads(self, node: ast.expr | None, kind: str) -> ast.Call | None:
        """The call that loads a model of a class."""
        call = self.made(node)
        if call is None or not isinstance(call.func, ast.Attribute) or call.func.attr != _LOAD:
            return None
        return call if self.names.imported(call.func.value) == kind else None

    def is_function(self, node: ast.expr) -> bool:
        """Whether an expression surely is a function, not a name that may stand for none."""
        is_own = self.scopes.function(node) is not None
        return is_own or isinstance(node, ast.Lambda) or self.names.imported(node) is not None

    def value(self, node: ast.expr | None, call: ast.Call) -> Any:
        return None if node is None else self.names.value(node, call)

    def is_end_of_text(self, node: ast.AST) -> bool:
        """Whether something is the token that ends a text, and neither the token for padding nor an option of a call."""
        if not isinstance(node, ast.Attribute) or node.attr not in ("eos_token", "eos_token_id"):
            return False
        parent = self.scopes.parent(node)
        target = parent.targets[0] if isinstance(parent, ast.Assign) else None
        is_padding = isinstance(target, ast.Attribute) and target.attr.startswith("pad_token")
        return not is_padding and not isinstance(parent, ast.keyword)

    def is_shown(self, node: ast.AST) -> bool:
        """Whether something is part of a message that a program prints or logs."""
        parent = self.scopes.parent(node)
        for _ in range(_DEEPEST):
            if not isinstance(parent, ast.expr):
                return False
            if isinstance(parent, ast.Call) and last_name(parent.func) in _SHOWS:
                return True
            parent = self.scopes.parent(parent)
        return True

    def span(self, node: ast.expr | ast.stmt) -> Span:
        """A place that begins with an expression, or a statement."""
        start = self._program.place(self._program.offset(node.lineno, node.col_offset))
        return Span(start, start + 1)

    def whole_span(self, node: ast.expr) -> Span:
        """The place of an expression."""
        return self._program.span_of(node)


def keywords_of(call: ast.Call) -> dict[str, ast.expr] | None:
    """The keywords of a call; None if others may be among them."""
    given = {one.arg: one.value for one in call.keywords if one.arg is not None}
    return given if len(given) == len(call.keywords) else None


def given_calls(ctx: CheckContext) -> GivenCalls | None:
    """The program of a document; None where its classes are patched, or it cannot be read."""
    calls = calls_of(ctx)
    return None if calls is None or is_patched_program(calls.names.packages, ctx) else calls


def calls_of(ctx: CheckContext) -> GivenCalls | None:
    """The program of a document, also one whose classes are patched."""
    return _calls(ctx.document.text)


@lru_cache(maxsize=2)
def _calls(text: str) -> GivenCalls | None:
    program = program_of(text)
    return None if program.tree is None else GivenCalls(program, program.tree)
