"""What a migration makes of a text, step by step, and what it leaves."""

from __future__ import annotations

from cfglint.engine.migration.one_text import Migration, migrate
from cfglint.engine.migration.steps import Left, Step
from cfglint.roles.framework import load_framework
from cfglint.source.text import SourceText
from tests.draws import each
from tests.linting import case_in

FIRST, SECOND, THIRD = (SourceText(text) for text in ("a: 1\n", "a: 2\n", "a: 3\n"))


def step(before: SourceText, after: SourceText) -> Step:
    return Step(
        code="MIG001",
        name="a-step",
        title="So",
        safe=True,
        reason="It was.",
        look_at="",
        path=("a",),
        changes=(("a",),),
        before=before,
        after=after,
    )


LEFT = Left("KEY001", "a-rule", "It is so.", "no step can resolve it", True, ("a",), 0)


@each(
    ("steps", "proposed", "left", "result", "whole", "complete"),
    [
        ((), (), (), FIRST, FIRST, True),
        ((step(FIRST, SECOND),), (), (), SECOND, SECOND, True),
        ((step(FIRST, SECOND),), (step(SECOND, THIRD),), (), SECOND, THIRD, False),
        ((step(FIRST, SECOND), step(SECOND, THIRD)), (), (), THIRD, THIRD, True),
        ((), (step(FIRST, SECOND), step(SECOND, THIRD)), (), FIRST, THIRD, False),
        ((step(FIRST, SECOND),), (), (LEFT,), SECOND, SECOND, False),
    ],
)
def test_texts_of_a_migration(
    steps: tuple[Step, ...],
    proposed: tuple[Step, ...],
    left: tuple[Left, ...],
    result: SourceText,
    whole: SourceText,
    complete: bool,
) -> None:
    found = Migration(FIRST, steps, proposed, left)
    assert (found.result, found.whole, found.complete) == (result, whole, complete)


HEAD = "base_model: a/b\ndatasets: [{path: a, type: alpaca}]\nmicro_batch_size: 1\n"


def migrated(text: str, files: dict[str, str], *, unsafe: bool = False) -> Migration:
    """The migration of a file of a project."""
    case, source = case_in({".git/HEAD": "", **files}, text, target=["axolotl==0.21.0"])
    return migrate(
        source, load_framework("axolotl"), case.target, unsafe=unsafe, around=case.around
    )


def test_what_every_command_sets_is_not_left_to_do() -> None:
    lacking = migrated(HEAD, {})
    assert [(one.path, one.refused) for one in lacking.left] == [((), True)]
    script = {"run.sh": "axolotl train train.yml --learning-rate 1e-5\n"}
    assert migrated(HEAD, script).left == ()
    other = {"run.sh": "axolotl train train.yml --num-epochs 1\n"}
    assert [one.code for one in migrated(HEAD, other).left] == [one.code for one in lacking.left]


def test_steps_are_those_of_the_text_whatever_lies_around() -> None:
    text = f"{HEAD}learning_rate: 0.1\nflash_attention: true\n"
    for files in ({}, {"run.sh": "axolotl train train.yml\n"}):
        found = migrated(text, files)
        assert [one.code for one in found.steps] == ["MIG002"]
        assert found.complete
        assert "attn_implementation: flash_attention_2" in found.result.text
