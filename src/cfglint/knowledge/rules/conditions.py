"""Conditions as written in rule files, parsed into the tuples that `evaluate` walks.

Compiled forms:

    ("all", conditions) ("any", conditions) ("not", condition)
    ("test", subject, tests)                 tests: ((predicate, operand), ...)
    ("count", predicate, operand, subjects, tests)
    ("plugin", class_name)
    ("target", versions)                     versions: ((package, specifier), ...)

Subjects:

    ("key", path) ("some", path) ("every", path) ("item", path)
    ("fact", name) ("derived", name) ("expr", expression)

Where the operand names another subject, the predicate's name has an `@` before it: ("@gt", subject).
"""

from __future__ import annotations

import re

from packaging.specifiers import InvalidSpecifier, SpecifierSet

from cfglint.base.logic import Condition, Subject
from cfglint.base.regex_trees import ParseError, parse
from cfglint.base.type_names import Any
from cfglint.knowledge.rules import arithmetic
from cfglint.knowledge.rules.predicates import PREDICATES
from cfglint.knowledge.rules.predicates.presence import TYPES

_PATH = re.compile(r"[A-Za-z_][\w-]*(?:\[\])?(?:\.[A-Za-z_][\w-]*(?:\[\])?)*")
#: In a fix: the key that carries the finding.
HERE = "@"
_NESTED = ("len", "any_item", "every_item", "any_key", "any_value")


class ConditionError(ValueError):
    """A condition cannot be evaluated."""


def parse_path(text: str) -> tuple[str, ...]:
    """`datasets[].type` -> ("datasets", "[]", "type"); `@`, the place of the finding, stays.

    Raises:
        ConditionError: it is not a key path.
    """
    if text == HERE:
        return (HERE,)
    if not _PATH.fullmatch(text):
        raise ConditionError(f"{text!r} is not a key path")
    return tuple(text.replace("[]", ".[]").split("."))


def parse_subject(text: str) -> Subject:
    """What a test is about: a key path, `fact x`, `derived x`, `item.x`, `every x[].y`, `(…)`."""
    text = text.strip()
    if text.startswith("("):
        try:
            return ("expr", arithmetic.parse(text, parse_subject))
        except ConditionError:
            raise
        except ValueError as error:
            raise ConditionError(str(error)) from None
    word, _, rest = text.partition(" ")
    if rest:
        if word == "fact":
            return ("fact", rest.strip())
        if word == "derived":
            return ("derived", rest.strip())
        if word == "every":
            return ("every", parse_path(rest.strip()))
        raise ConditionError(f"{text!r}: a test is about a key, `fact …`, `derived …` or `every …`")
    path = parse_path(text)
    if path[0] == "item":
        return ("item", path[1:])
    return ("some" if "[]" in path else "key", path)


def parse_condition(data: Any) -> Condition:
    """A condition from a rule file.

    Raises:
        ConditionError: it is malformed; the message says which part.
    """
    if not isinstance(data, dict) or len(data) != 1:
        raise ConditionError(
            "a condition is a mapping with one key (all, any, not, count, plugin, target or what is "
            f"tested): {data!r}"
        )
    ((name, body),) = data.items()
    if name in ("all", "any"):
        if not isinstance(body, list) or not body:
            raise ConditionError(f"`{name}` expects a list of conditions")
        return (name, tuple(parse_condition(part) for part in body))
    if name == "not":
        return ("not", parse_condition(body))
    if name == "plugin":
        if not isinstance(body, str):
            raise ConditionError("`plugin` expects the name of a plugin class")
        return ("plugin", body)
    if name == "target":
        return ("target", _parse_versions(body))
    if name == "count":
        return _parse_count(body)
    if not isinstance(name, str):
        raise ConditionError(f"{name!r} is not a key path; quote it")
    return ("test", parse_subject(name), parse_tests(body))


def _parse_versions(body: Any) -> tuple[tuple[str, str], ...]:
    if not isinstance(body, dict) or not body:
        raise ConditionError("`target` expects a mapping such as `{torch: '>=2.6.0'}`")
    for package, specifier in body.items():
        try:
            SpecifierSet(specifier)
        except (InvalidSpecifier, AttributeError, TypeError):
            raise ConditionError(
                f"`target`: {specifier!r} is not a version specifier for {package}"
            ) from None
    return tuple(body.items())


def _parse_count(body: Any) -> Condition:
    if not isinstance(body, dict):
        raise ConditionError("`count` expects a mapping such as `{truthy: [keys], ge: 2}`")
    tests = {key: value for key, value in body.items() if key in ("eq", "ge", "gt", "le", "lt")}
    counted = [(key, value) for key, value in body.items() if key not in tests]
    if len(counted) != 1 or not tests or not isinstance(counted[0][1], list):
        raise ConditionError("`count` expects one predicate with a list of keys, and a comparison")
    predicate, keys = counted[0]
    if predicate not in ("truthy", "set", "written"):
        raise ConditionError(f"`count` cannot count {predicate!r}")
    return ("count", predicate, True, tuple(parse_subject(key) for key in keys), parse_tests(tests))


def parse_tests(body: Any) -> tuple[tuple[str, Any], ...]:
    """The tests of one subject: `{gt: 0, lt: 5}`."""
    if not isinstance(body, dict) or not body:
        raise ConditionError(f"expected a mapping of tests such as `{{eq: 1}}` but got {body!r}")
    out: list[tuple[str, Any]] = []
    for name, operand in body.items():
        if name not in PREDICATES:
            raise ConditionError(
                f"unknown predicate {name!r}; expected one of {', '.join(PREDICATES)}"
            )
        if isinstance(operand, dict) and name not in _NESTED:
            if set(operand) != {"key"}:
                raise ConditionError(f"`{name}`: refer to another key as `{{key: path}}`")
            out.append((f"@{name}", parse_subject(operand["key"])))
        else:
            out.append((name, _parse_operand(name, operand)))
    return tuple(out)


def _parse_operand(name: str, operand: Any) -> Any:
    if name in _NESTED:
        return parse_tests(operand)
    if name in ("in", "not_in", "subset_of", "covers"):
        if not isinstance(operand, list):
            raise ConditionError(f"`{name}` expects a list")
    elif name in ("truthy", "set", "written", "valid_regex"):
        if not isinstance(operand, bool):
            raise ConditionError(f"`{name}` expects true or false")
    elif name in ("is", "is_not"):
        if operand is not None and not isinstance(operand, bool):
            raise ConditionError(f"`{name}` expects true, false or null")
    elif name == "matches":
        try:
            parse(operand)
        except (ParseError, TypeError) as error:
            raise ConditionError(
                f"`matches`: {operand!r} is not a regular expression: {error}"
            ) from None
    elif name == "type":
        for part in operand if isinstance(operand, list) else [operand]:
            if part not in TYPES:
                raise ConditionError(f"unknown type {part!r}; expected one of {', '.join(TYPES)}")
    elif name in ("gt", "ge", "lt", "le") and (
        isinstance(operand, bool) or not isinstance(operand, (int, float))
    ):
        raise ConditionError(f"`{name}` expects a number or `{{key: path}}`")
    if isinstance(operand, list) and name not in ("eq", "ne"):
        # Compiled rules load in a fifth of the time when they are made of constants alone.
        return tuple(operand)
    return operand
