"""The rules that refer to a key."""

from __future__ import annotations

from functools import lru_cache

from cfglint.knowledge.rules.rule import Rule
from cfglint.roles.framework import Framework


@lru_cache(maxsize=16)
def rules_by_place(framework: Framework) -> dict[tuple[str, ...], list[Rule]]:
    """Generic path of a key -> the rules that report at it, or name it as related, by code."""
    found: dict[tuple[str, ...], list[Rule]] = {}
    for rule in framework.knowledge.all_rules():
        for path in dict.fromkeys((*rule.at, *rule.related)):
            found.setdefault(_in_full(rule, path), []).append(rule)
    for rules in found.values():
        rules.sort(key=lambda rule: rule.code)
    return found


def _in_full(rule: Rule, path: tuple[str, ...]) -> tuple[str, ...]:
    """The path of a rule's place from the top of the file."""
    if path[0] == "item" and rule.each is not None:
        return (*rule.each, "[]", *path[1:])
    return path
