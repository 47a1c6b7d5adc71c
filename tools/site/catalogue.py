"""The rules that pages are made of, and where each page lies."""

from __future__ import annotations

from functools import lru_cache

from cfglint.base.record import Record
from cfglint.knowledge import compiled, recognition
from cfglint.knowledge.rules.knowledge import Knowledge
from cfglint.knowledge.rules.rule import Rule
from cfglint.report.pages.families import family_of
from cfglint.report.pages.matrix import known as known_matrix
from cfglint.roles.framework import frameworks, load_framework

#: The name of the list with the rules that belong to no framework.
ANY = "any"


class Entry(Record):
    """A rule, with the knowledge that its page is written from."""

    rule: Rule
    knowledge: Knowledge
    #: The frameworks whose files it is tried on, by name.
    frameworks: tuple[str, ...]

    @property
    def code(self) -> str:
        return self.rule.code

    @property
    def family(self) -> str:
        return family_of(self.rule.code)

    @property
    def summary(self) -> str:
        return self.knowledge.details(self.rule.code).summary


@lru_cache(maxsize=1)
def entries() -> tuple[Entry, ...]:
    """Every rule that comes with cfglint, each once, in the order of codes.

    A shared rule is shown as for the most common framework, as in `explain`.
    """
    usual = recognition.fallback("yaml")
    first: dict[str, tuple[Rule, Knowledge]] = {}
    owners: dict[str, list[str]] = {}
    for name in sorted(frameworks(), key=lambda name: name != usual):
        knowledge = load_framework(name).knowledge
        for rule in (*knowledge.all_rules(), *knowledge.migration_rules):
            first.setdefault(rule.code, (rule, knowledge))
            owners.setdefault(rule.code, []).append(name)
    everywhere = set(known_matrix().everywhere)
    return tuple(
        Entry(*first[code], (ANY,) if code in everywhere else tuple(owners[code]))
        for code in sorted(first)
    )


@lru_cache(maxsize=1)
def titles() -> dict[str, str]:
    """Framework -> what it is called, in the order of titles; first the rules of all."""
    return {ANY: "All frameworks", **known_matrix().titles}


@lru_cache(maxsize=1)
def families() -> dict[str, str]:
    """Family -> its title."""
    return dict(compiled.load("families").FAMILIES)
