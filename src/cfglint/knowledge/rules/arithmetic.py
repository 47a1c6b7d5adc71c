"""Arithmetic over keys in a condition: `(save_steps % eval_steps): {ne: 0}`.

Besides `+ - * / %` there are `max(a, b)`, `min(a, b)`, `len(datasets)` and `default(a, b)`, which is
b where a is not a number. Expressions are parsed when rules are compiled, into tuples that `evaluate` walks.
"""

from __future__ import annotations

from collections.abc import Callable

from cfglint.base.lazy import lazy_pattern
from cfglint.base.type_names import Any

_TOKEN = lazy_pattern(
    r"\s*(?:(\d+(?:\.\d+)?)|([A-Za-z_][\w.\[\]]*(?:\s+[A-Za-z_][\w.]*)?)|([-+*/%(),]))"
)
_BINDING = {"+": 1, "-": 1, "*": 2, "/": 2, "%": 2}

#: Function -> how many arguments it takes.
_FUNCTIONS = {"max": 2, "min": 2, "default": 2, "len": 1}

#: ("number", n) | ("subject", subject) | (operator or function, left, right) | ("len", subject)
Expression = tuple[Any, ...]


def parse(text: str, subject: Callable[[str], Any]) -> Expression:
    """Parse an expression; `subject` turns a name into what the evaluator looks up.

    Raises:
        ValueError: it is not an expression.
    """
    tokens: list[tuple[str, str]] = []
    position = 0
    while position < len(text.rstrip()):
        match = _TOKEN.match(text, position)
        if match is None:
            raise ValueError(f"cannot read {text[position:]!r} in the expression {text!r}")
        position = match.end()
        for kind, value in zip(("number", "name", "op"), match.groups(), strict=True):
            if value is not None:
                tokens.append((kind, value))
    tree, rest = _parse(tokens, 0, subject, text)
    if rest:
        raise ValueError(f"unexpected {rest[0][1]!r} in the expression {text!r}")
    return tree


def _parse(
    tokens: list[tuple[str, str]], binding: int, subject: Callable[[str], Any], text: str
) -> tuple[Expression, list[tuple[str, str]]]:
    if not tokens:
        raise ValueError(f"the expression {text!r} ends too early")
    (kind, value), rest = tokens[0], tokens[1:]
    left: Expression
    if kind == "number":
        left = ("number", float(value) if "." in value else int(value))
    elif kind == "name" and value in _FUNCTIONS and rest and rest[0][1] == "(":
        left, rest = _call(value, rest[1:], subject, text)
    elif kind == "name":
        left = ("subject", subject(value))
    elif value == "(":
        left, rest = _parse(rest, 0, subject, text)
        if not rest or rest[0][1] != ")":
            raise ValueError(f"a `)` is missing in the expression {text!r}")
        rest = rest[1:]
    else:
        raise ValueError(f"unexpected {value!r} in the expression {text!r}")
    while rest and rest[0][1] in _BINDING and _BINDING[rest[0][1]] > binding:
        operator = rest[0][1]
        right, rest = _parse(rest[1:], _BINDING[operator], subject, text)
        left = (operator, left, right)
    return left, rest


def _call(
    name: str, tokens: list[tuple[str, str]], subject: Callable[[str], Any], text: str
) -> tuple[Expression, list[tuple[str, str]]]:
    arguments = []
    while True:
        argument, tokens = _parse(tokens, 0, subject, text)
        arguments.append(argument)
        if not tokens or tokens[0][1] not in ",)":
            raise ValueError(f"a `)` is missing in the expression {text!r}")
        (_, mark), tokens = tokens[0], tokens[1:]
        if mark == ")":
            break
    if len(arguments) != _FUNCTIONS[name] or (name == "len" and arguments[0][0] != "subject"):
        raise ValueError(f"`{name}` has the wrong arguments in the expression {text!r}")
    return (name, *arguments), tokens


def compute(operator: str, left: float, right: float) -> float | None:
    """One step; None where the result does not exist."""
    try:
        if operator == "+":
            return left + right
        if operator == "-":
            return left - right
        if operator == "*":
            return left * right
        if operator == "/":
            return left / right
        if operator == "max":
            return max(left, right)
        if operator == "min":
            return min(left, right)
        return left % right
    except (ZeroDivisionError, OverflowError):
        return None
