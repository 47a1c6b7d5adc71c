"""What is wrong with the parts of a rule file together, all of it at once, each with its place.

The types of single parts are checked by the models; here is what pairs of parts have to agree on,
and what a scaffold has left to fill in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

#: What a finding costs where a rule does not state it, by `bites` and `upstream`.
COSTS = {
    ("start", "rejects"): "the run does not start",
    ("model-load", "rejects"): "the model is downloaded and loaded first, then the run stops",
}
#: How a text in a scaffold begins that an author has to replace, and a key that is no real one.
TO_FILL_IN = "FILL IN"
KEY_TO_FILL_IN = "fill_in"


class RuleProblem(NamedTuple):
    """One thing that is wrong in a rule file."""

    #: Keys and numbers of items, from the outside to the inside.
    place: tuple[str | int, ...]
    text: str


def with_cost(data: Mapping[str, Any]) -> dict[str, Any]:
    """The contents of a rule file with the cost that follows from the other parts."""
    follows = COSTS.get((str(data.get("bites")), str(data.get("upstream"))))
    return {**data} if "cost" in data or follows is None else {**data, "cost": follows}


def left_to_fill_in(data: Mapping[str, Any]) -> Iterator[RuleProblem]:
    """The parts of a scaffold that are still as `cfglint rules new` wrote them."""
    for key, value in data.items():
        if key == "examples" and isinstance(value, list):
            for number, example in enumerate(value):
                if _hint(example) is not None:
                    yield RuleProblem((key, number), f"example {number + 1} is to be filled in")
        elif (hint := _hint(value)) is not None:
            yield RuleProblem((key,), f"`{key}` is to be filled in{hint}")


def _hint(value: Any) -> str | None:
    """What a part is to be filled in with, after a colon; None if nothing is left to fill in."""
    if isinstance(value, Mapping):
        found = [_hint(part) for pair in value.items() for part in pair]
    elif isinstance(value, list):
        found = [_hint(part) for part in value]
    elif isinstance(value, str) and value.startswith(TO_FILL_IN):
        return value.removeprefix(TO_FILL_IN).strip()
    else:
        return "" if isinstance(value, str) and KEY_TO_FILL_IN in value else None
    return next((hint for hint in found if hint is not None), None)


def disagreements(data: Mapping[str, Any], *, needs_examples: bool) -> Iterator[RuleProblem]:
    """What pairs of parts do not agree on; parts of the wrong type are left to the models."""
    when, check = data.get("when"), data.get("check")
    if (when is None) == (check is None):
        yield RuleProblem(
            ("when",) if when else (), "a rule needs either `when` or `check`, not both"
        )
    if when is not None and not data.get("at"):
        yield RuleProblem(("at",), "`at` is missing: the keys that may carry the finding")
    if "cost" not in with_cost(data):
        yield RuleProblem(
            (),
            "`cost` is missing: what the finding costs, and when; it may only be left out where it"
            " follows from `bites` and `upstream`, as from `start` and `rejects`",
        )
    if data.get("harmless") not in (None, "unless-started") and data.get("severity") != "note":
        yield RuleProblem(("severity",), "what is `harmless` is a note")
    message = data.get("message")
    has_place = when is not None and isinstance(message, str) and "{remedy}" in message
    if bool(data.get("remedy")) != has_place:
        place = ("remedy",) if data.get("remedy") else ("message",)
        yield RuleProblem(place, "`remedy` needs `when`, and `{remedy}` in the message")
    yield from _in_migrations(data)
    yield from _in_examples(data, needs_examples=needs_examples)


def _in_migrations(data: Mapping[str, Any]) -> Iterator[RuleProblem]:
    migration, fixes = data.get("migration"), data.get("fix")
    if migration is not None and not (fixes or data.get("check")):
        yield RuleProblem(
            ("migration",), "a migration step needs a fix, or a check that offers one"
        )
    for number, fix in enumerate(fixes if isinstance(fixes, list) else ()):
        is_unsafe = isinstance(fix, Mapping) and fix.get("safety") == "unsafe"
        if migration == "only" and is_unsafe and not fix.get("look_at"):
            yield RuleProblem(
                ("fix", number), "an unsafe step needs `look_at`: what to check before taking it"
            )


def _in_examples(data: Mapping[str, Any], *, needs_examples: bool) -> Iterator[RuleProblem]:
    rows = data.get("examples")
    if not isinstance(rows, list):
        return
    examples = [(number, row) for number, row in enumerate(rows) if isinstance(row, Mapping)]
    for kind in ("bad", "good") if needs_examples else ():
        if not any(row.get(kind) is not None for _, row in examples):
            yield RuleProblem(("examples",), f"a rule needs a {kind} example")
    mark = f"<- {data.get('code')}"
    for number, row in examples if isinstance(data.get("code"), str) else ():
        files = row.get("files")
        texts = [row.get("bad"), *(files.values() if isinstance(files, Mapping) else ())]
        if row.get("bad") is not None and not any(mark in str(text) for text in texts):
            yield RuleProblem(
                ("examples", number), f"a bad example has to mark its line with `# {mark}`"
            )
