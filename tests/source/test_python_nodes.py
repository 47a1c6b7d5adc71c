"""The parts of a syntax tree that matter for names."""

from __future__ import annotations

import ast
from pathlib import Path

from cfglint.source.python_nodes import below, children, every
from tests.draws import each

#: They say how something is used, or are operators.
_LEFT_OUT = (ast.expr_context, ast.operator, ast.unaryop, ast.cmpop)


def wanted(node: ast.AST) -> list[ast.AST]:
    return [one for one in ast.iter_child_nodes(node) if not isinstance(one, _LEFT_OUT)]


@each("path", sorted(Path(ast.__file__).parent.glob("[a-d]*.py")))
def test_nothing_but_operators_and_contexts_is_left_out(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if not isinstance(node, ast.BoolOp):
            assert children(node) == wanted(node)
        else:
            assert children(node) == node.values
    own = [node for node in ast.walk(tree) if not isinstance(node, (*_LEFT_OUT, ast.boolop))]
    assert {id(node) for node in every(tree)} == {id(node) for node in own}


def test_matches_and_types() -> None:
    text = "match x:\n    case {'a': P(b=1), **rest} if y: ...\n    case [*z] as w: ...\n"
    for node in ast.walk(ast.parse(text)):
        assert children(node) == wanted(node)


def test_what_a_block_defines_runs_at_another_time() -> None:
    text = "a = [b, lambda: c]\ndef f(): d\nclass E: e\nif g: h\n"
    names = {one.id for one in below(ast.parse(text).body) if isinstance(one, ast.Name)}
    assert names == {"a", "b", "g", "h"}
