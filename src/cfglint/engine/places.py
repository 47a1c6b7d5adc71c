"""The place of a rule's finding, and what its texts may say about that place and its values.

Computed only when a rule has fired: which of the keys that it names are really part of what is
wrong, and which known name was meant by a misspelt one.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from cfglint.base.type_names import TYPE_CHECKING, Any
from cfglint.checks.context import CheckContext
from cfglint.checks.slips import slips
from cfglint.knowledge.rules.clauses import Clause, is_about
from cfglint.knowledge.rules.evaluate import Scope, subject_value
from cfglint.knowledge.rules.predicates import PREDICATES
from cfglint.source.document import Document, Path, format_path
from cfglint.source.values import to_python

if TYPE_CHECKING:
    from cfglint.base.spelling import Guess

_LONGEST_NAME = 80
_OWN_WORDS = ("{this key}", "{this item}", "{did you mean}", "{known names}")
#: So much of a list is repeated in a message.
_SHOWN = 4


def has_part(clause: Clause, path: tuple[str, ...], scope: Scope) -> bool:
    """Whether a written key may carry a finding, or be named as related.

    `load_in_8bit: false` has no part in "either of the two is on". A key that the condition does
    not mention was chosen by the author of the rule, and stays.
    """
    if path[0] == "item":
        path = path[1:]
    return not clause.mentions(path) or _involved(clause, path, scope, True)


def _involved(clause: Clause, path: tuple[str, ...], scope: Scope, holds: bool) -> bool:
    """Whether one of the parts that make a condition true (or false) is about a key."""
    if clause.kind == "not":
        return _involved(clause.parts[0], path, scope, not holds)
    if clause.kind in ("all", "any"):
        parts = [part for part in clause.parts if part.mentions(path)]
        if (clause.kind == "any") is holds:
            parts = [part for part in parts if part.truth(scope) in (holds, None)]
        return any(_involved(part, path, scope, holds) for part in parts)
    if clause.kind == "count":
        _, predicate, operand, subjects, _ = clause.condition
        return any(
            bool(PREDICATES[predicate](subject_value(subject, scope), operand)) is holds
            for subject in subjects
            if is_about(subject, path)
        )
    return True


def slip(clause: Clause, item: Path, message: str, scope: Scope, ctx: CheckContext) -> Path | None:
    """A misspelt key, if the rule fires because the intended key is missing.

    Only for a key that the message names: then the misspelt one is the one to change.
    """
    found = slips(ctx)
    if not found or ctx.once("names meant", lambda: {p[-1] for p in found}).isdisjoint(
        names := _named(message)
    ):
        return None
    for subject, name, operand, holds in _tests(clause, scope, True):
        if name not in ("set", "written", "truthy") or operand is holds:
            continue
        path: Path = (*item, *subject[1]) if subject[0] == "item" else subject[1]
        if subject[0] in ("key", "item") and path in found and path[-1] in names:
            return found[path].path
    return None


@lru_cache(maxsize=1024)
def _named(message: str) -> frozenset[str]:
    """The keys that a message has in backquotes, alone or with what is before or behind them."""
    quoted = message.split("`")[1::2]
    return frozenset(key for text in quoted for key in text.partition(":")[0].split("."))


def guilty_parts(
    clause: Clause, path: tuple[str, ...], value: Any, scope: Scope
) -> list[int | str]:
    """The items of a list, or the keys of a mapping, for which the condition is true.

    Args:
        path: the list or the mapping.
        value: what is written there.
    """
    found: list[int | str] = []
    for subject, name, operand, holds in _tests(clause, scope, True):
        if subject == ("some", (*path, "[]")) or (name == "any_item" and subject[1] == path):
            tests = operand if name == "any_item" else ((name, operand),)
            found += [i for i, item in enumerate(_items(value)) if _passes(item, tests)]
        elif subject[1] != path:
            continue
        elif name == "any_key" and isinstance(value, dict):
            found += [key for key in value if _passes(key, operand)]
        elif name == "subset_of" and not holds:
            known = set(operand)
            if isinstance(value, dict):
                found += [key for key in value if key not in known]
            else:
                found += [i for i, item in enumerate(_items(value)) if item not in operand]
    return list(dict.fromkeys(found))


def _items(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _passes(value: Any, tests: tuple[tuple[str, Any], ...]) -> bool:
    return all(PREDICATES[name](value, operand) for name, operand in tests if name in PREDICATES)


def _tests(clause: Clause, scope: Scope, holds: bool) -> Iterator[tuple[Any, str, Any, bool]]:
    """The single tests (subject, predicate, operand, whether it holds) that make the rule fire."""
    if clause.kind == "not":
        yield from _tests(clause.parts[0], scope, not holds)
    elif clause.kind in ("all", "any"):
        for part in clause.parts:
            if (clause.kind == "any") is not holds or part.truth(scope) in (holds, None):
                yield from _tests(part, scope, holds)
    elif clause.kind == "test":
        _, subject, tests = clause.condition
        if subject[0] == "some" and len(tests) > 1:
            yield subject, "any_item", tests, holds
        else:
            for name, operand in tests:
                yield subject, name, operand, holds
    elif clause.kind == "count":
        _, name, operand, subjects, _ = clause.condition
        for subject in subjects:
            if bool(PREDICATES[name](subject_value(subject, scope), operand)) is not operand:
                yield subject, name, operand, False


def own_words(
    document: Document, clause: Clause, scope: Scope, place: Path, message: str
) -> dict[str, Any]:
    """The placeholders of a message that depend on the place of its finding, with their values."""
    words: dict[str, Any] = {}
    if not any(placeholder in message for placeholder in _OWN_WORDS):
        return words
    node = document.node(place)
    written = to_python(node) if node is not None else None
    if "{this key}" in message:
        words["this key"] = format_path(place)
    if "{this item}" in message:
        is_key = place and isinstance(place[-1], str)
        words["this item"] = place[-1] if is_key or node is None else flow(written)
    if "{did you mean}" in message:
        guess = meant(clause, written, scope)
        words["did you mean"] = f" Did you mean `{guess.name}`?" if guess is not None else ""
    if "{known names}" in message:
        words["known names"] = spoken(known_names(clause, scope))
    return words


def meant(clause: Clause, value: Any, scope: Scope) -> Guess | None:
    """The known name that an unknown one is likely to be."""
    names = known_names(clause, scope)
    if not isinstance(value, str) or len(value) > _LONGEST_NAME or value in names:
        return None
    from cfglint.base.spelling import Speller

    return Speller(names).closest(value)


def known_names(clause: Clause, scope: Scope) -> tuple[str, ...]:
    """The names that would have been right: the shortest list among what makes the rule fire.

    An older release has a shorter list, in a part of the condition that is about it alone, or such
    a part says which of the names it lacks.
    """
    lists: list[tuple[Any, ...]] = []
    for _, name, operand, holds in _tests(clause, scope, True):
        inner = operand if name == "any_item" else ((name, operand),)
        lists += [names for test, names in inner if test == "not_in" and holds and len(names) > 1]
    shortest = min(lists, key=len, default=())
    lacking = {name for name in _lacking(clause, scope) if isinstance(name, str)}
    return tuple(name for name in shortest if isinstance(name, str) and name not in lacking)


def _lacking(clause: Clause, scope: Scope) -> Iterator[Any]:
    """The values that a part of the condition refuses for the target's release alone."""
    if clause.kind not in ("all", "any"):
        return
    versions = [part for part in clause.parts if part.kind == "target"]
    if clause.kind == "all" and versions and all(part.truth(scope) for part in versions):
        for part in clause.parts:
            for name, operand in part.condition[2] if part.kind == "test" else ():
                if name in ("eq", "in"):
                    yield from operand if name == "in" else (operand,)
    else:
        for part in clause.parts:
            yield from _lacking(part, scope)


def spoken(names: tuple[str, ...]) -> str:
    """`a, b and c`."""
    return " and ".join(part for part in (", ".join(names[:-1]), *names[-1:]) if part)


def flow(value: Any, depth: int = 3) -> str:
    """A list or a mapping, as YAML writes it on one line; a long or deep one ends early."""
    if isinstance(value, (dict, list, tuple)) and depth == 0:
        return "…"
    if isinstance(value, dict):
        inner = [f"{key}: {flow(value[key], depth - 1)}" for key in islice(value, _SHOWN)]
    elif isinstance(value, (list, tuple)):
        inner = [flow(item, depth - 1) for item in value[:_SHOWN]]
    elif value is None or isinstance(value, bool):
        return "null" if value is None else str(value).lower()
    else:
        return str(value)
    text = ", ".join(inner) + (", …" if len(value) > _SHOWN else "")
    return "{" + text + "}" if isinstance(value, dict) else f"[{text}]"
