"""The options of a program that makes one parser of `argparse`, where its text alone tells all of them."""

from __future__ import annotations

import ast
from collections.abc import Container, Mapping

from cfglint.base.type_names import Final
from cfglint.source.python_names import Names, last_name
from cfglint.source.python_program import PythonProgram

#: What may give a program options that its own text does not name, or change what it is given.
_OPENING: Final = (
    *("parse_known", "parse_intermixed", "add_subparsers", "sys.argv", "REMAINDER", "parents="),
    *("prefix_chars", "allow_abbrev", "HfArgumentParser", "ArgParser", "_actions", "_registries"),
)
#: What a program does with its parser and adds no options unseen.
_PLAIN: Final = frozenset(
    {
        *("add_argument", "add_argument_group", "add_mutually_exclusive_group", "set_defaults"),
        *(
            "parse_args",
            "error",
            "exit",
            "format_help",
            "format_usage",
            "print_help",
            "print_usage",
        ),
    }
)


def literal_options(
    program: PythonProgram, adding: Mapping[str, tuple[str, ...]]
) -> frozenset[str] | None:
    """All options of a program; None where something else may add some, or where it takes any.

    Args:
        adding: functions that are given the parser, by their last names, and the options that each adds.
    """
    code, names = program.code, program.names
    if "ArgumentParser(" not in code or any(one in code for one in _OPENING):
        return None
    made = [one for one in names.calls if last_name(one.func) == "ArgumentParser"]
    parsed = [one for one in names.calls if last_name(one.func) == "parse_args"]
    if len(made) != 1 or len(parsed) != 1 or parsed[0].args or parsed[0].keywords:
        return None
    parser = next((_target(one) for one in names.nodes if _value(one) is made[0]), "")
    if not parser or parser != last_name(getattr(parsed[0].func, "value", None)):
        return None
    if not _is_seen(parser, made[0], names, adding):
        return None
    found = {"-h", "--help"}
    for call in names.calls:
        found.update(adding.get(last_name(call.func), ()))
        if last_name(call.func) == "add_argument":
            own = _options(call)
            if own is None:
                return None
            found |= own
    return frozenset(found)


def _options(call: ast.Call) -> set[str] | None:
    """The options of a call of `add_argument`; None where they are not literal."""
    texts = {one.value for one in call.args if isinstance(one, ast.Constant)}
    if (
        not call.args
        or len(texts) != len(call.args)
        or any(one.arg is None for one in call.keywords)
    ):
        return None
    found = {one for one in texts if isinstance(one, str)}
    actions = [one.value for one in call.keywords if one.arg == "action"]
    if any(not isinstance(one, ast.Constant) for one in actions):
        found |= {f"--no-{one[2:]}" for one in found if one.startswith("--")}
    return found if len(found) >= len(texts) else None


def _is_seen(parser: str, made: ast.Call, names: Names, adding: Container[str]) -> bool:
    """Whether all that a program does with its parser is known."""
    seen = set[int]()
    for call in names.calls:
        if isinstance(call.func, ast.Attribute) and call.func.attr in _PLAIN:
            seen.add(id(call.func.value))
        elif last_name(call.func) in adding and len(call.args) == 1:
            seen.add(id(call.args[0]))
    for node in names.nodes:
        value = _value(node)
        if value is made or (isinstance(value, ast.Call) and last_name(value.func) in adding):
            assert isinstance(node, (ast.Assign, ast.AnnAssign))
            seen.update(map(id, node.targets if isinstance(node, ast.Assign) else [node.target]))
    return all(
        id(one) in seen for one in names.nodes if isinstance(one, ast.Name) and one.id == parser
    )


def _value(node: ast.AST) -> ast.expr | None:
    return node.value if isinstance(node, (ast.Assign, ast.AnnAssign)) else None


def _target(node: ast.AST) -> str:
    if isinstance(node, ast.AnnAssign):
        return last_name(node.target)
    return last_name(node.targets[0]) if isinstance(node, ast.Assign) else ""
