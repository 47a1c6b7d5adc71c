"""The repairs of a rule that fired, as actions on the keys of the file."""

from __future__ import annotations

from typing import Any

from cfglint.checks.context import CheckContext
from cfglint.engine.repairs import repairs_of
from cfglint.engine.scope import FileScope
from cfglint.environment.surroundings import nowhere
from cfglint.fixes.actions import Action, DeleteKey, MoveKey, RenameKey, SetValue
from cfglint.knowledge.rules.conditions import parse_condition
from cfglint.knowledge.rules.rule import FixTemplate
from cfglint.roles.framework import load_framework
from cfglint.source.document import Path
from cfglint.source.languages.yaml import compose
from cfglint.source.text import SourceText
from tests.draws import each
from tests.linting import environment

AXOLOTL = load_framework("axolotl")
TEXT = """\
base_model: a/b
lr_scheduler: coosine
section: {one: 1}
datasets:
  - {path: x}
  - {path: y, type: z}
"""


def repaired(
    *templates: FixTemplate,
    item: Path = (),
    place: Path = ("base_model",),
    message: str = "It is so.",
    names: tuple[str, ...] = ("cosine", "linear"),
) -> list[tuple[str, str, tuple[Action, ...]]]:
    """Title, safety and actions of each repair."""
    document = compose(SourceText(TEXT))
    ctx = CheckContext(document, AXOLOTL, environment(), nowhere())
    scope = FileScope(ctx)
    scope.use("raw", item=item)
    rule = AXOLOTL.knowledge.named("no-dataset").replaced(
        code=f"ACME{len(names)}",
        when=parse_condition({"lr_scheduler": {"not_in": list(names)}}),
        fixes=templates,
    )
    found = repairs_of(rule, item, place, message, ctx, scope)
    return [(one.title, one.safety, one.actions) for one in found]


def template(*actions: tuple[Any, ...], safety: str = "safe") -> FixTemplate:
    return FixTemplate("So", safety, actions)


@each(
    ("action", "item", "expected"),
    [
        (("set", ("a",), 1), (), SetValue(("a",), 1)),
        (("set", ("section", "one"), 2), (), SetValue(("section", "one"), 2)),
        (("delete", ("section", "one")), (), DeleteKey(("section", "one"))),
        # The key that carries the finding.
        (("set", ("@",), 1), (), SetValue(("base_model",), 1)),
        (("delete", ("@",)), (), DeleteKey(("base_model",))),
        # In the same section a key gets another name, to another one it moves.
        (("rename", ("a",), ("b",)), (), RenameKey(("a",), "b")),
        (("rename", ("section", "one"), ("section", "two")), (), RenameKey(("section", "one"), "two")),
        (("rename", ("section", "one"), ("one",)), (), MoveKey(("section", "one"), ("one",))),
        (("rename", ("a",), ("b", "a")), (), MoveKey(("a",), ("b", "a"))),
        # Below the member of a list that it is about.
        (("set", ("item", "type"), "t"), ("datasets", 0), SetValue(("datasets", 0, "type"), "t")),
        (("delete", ("item", "type")), ("datasets", 1), DeleteKey(("datasets", 1, "type"))),
        (
            ("rename", ("item", "path"), ("item", "own", "path")),
            ("datasets", 1),
            MoveKey(("datasets", 1, "path"), ("datasets", 1, "own", "path")),
        ),
    ],
)  # fmt: skip
def test_actions(action: tuple[Any, ...], item: Path, expected: Action) -> None:
    assert repaired(template(action), item=item) == [("So", "safe", (expected,))]


@each(
    ("actions", "expected"),
    [
        # Of several keys those go that are there.
        ((("delete", ("a",)), ("delete", ("base_model",))), (DeleteKey(("base_model",)),)),
        ((("set", ("a",), 1), ("delete", ("b",))), (SetValue(("a",), 1),)),
        ((("delete", ("a",)), ("delete", ("b",))), None),
        # One alone says what is to be done.
        ((("delete", ("a",)),), (DeleteKey(("a",)),)),
    ],
)
def test_keys_that_are_not_there(
    actions: tuple[tuple[Any, ...], ...], expected: tuple[Action, ...] | None
) -> None:
    found = repaired(template(*actions, safety="unsafe"))
    assert found == ([] if expected is None else [("So", "unsafe", expected)])


def test_several_repairs() -> None:
    first, second = template(("delete", ("base_model",))), template(("set", ("a",), 1))
    assert [actions for _, _, actions in repaired(first, second)] == [
        (DeleteKey(("base_model",)),),
        (SetValue(("a",), 1),),
    ]
    assert repaired() == []


def test_the_name_that_was_meant() -> None:
    asked, place = "It is so.{did you mean}", ("lr_scheduler",)
    write = (SetValue(place, "cosine"),)
    assert repaired(place=place, message=asked) == [("Write cosine", "safe", write)]
    (own, guessed) = repaired(template(("set", ("a",), 1)), place=place, message=asked)
    assert (own[0], guessed[0]) == ("So", "Write cosine")
    # Nothing is guessed where the message does not say so, or no name is near.
    assert repaired(place=place) == []
    assert repaired(place=place, message=asked, names=("plain", "other", "linear")) == []
    assert repaired(place=("none",), message=asked) == []
