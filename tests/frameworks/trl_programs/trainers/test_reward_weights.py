"""Weights of rewards in a program, one for each reward function."""

from __future__ import annotations

from cfglint import Linter
from tests.draws import each

PROGRAM = """\
from trl import GRPOConfig, GRPOTrainer, RLOOConfig, RLOOTrainer
{before}
args = {config}(output_dir="out", reward_weights={weights})
trainer = {trainer}(model="a/b", args=args, reward_funcs={functions})
{after}
"""


def found(
    weights: str,
    functions: str,
    before: str = "",
    after: str = "",
    config: str = "GRPOConfig",
    trainer: str = "GRPOTrainer",
) -> list[str]:
    text = PROGRAM.format(
        weights=weights,
        functions=functions,
        before=before,
        after=after,
        config=config,
        trainer=trainer,
    )
    linter = Linter(settings=False, select=["TRP681"], target=["trl==1.0.0"])
    diagnostics = linter.lint(text, "train.py").diagnostics
    return [one.message.partition(": ")[2].partition(", and")[0] for one in diagnostics]


@each(
    ("weights", "functions", "expected"),
    [
        ("[1.0, 0.5]", "[a, b, c]", ["`reward_weights` has 2, the trainer gets 3 functions"]),
        ("[]", "[a]", ["`reward_weights` has 0, the trainer gets 1 functions"]),
        ("[1.0, 0.5]", "[a, b]", []),
        ("[1.0, 0.5]", "a", []),
        ("[1.0, *more]", "[a, b, c]", []),
        ("[1.0]", "[*more]", []),
        ("weights", "[a, b]", []),
        ("None", "[a, b]", []),
    ],
)
def test_numbers(weights: str, functions: str, expected: list[str]) -> None:
    assert found(weights, functions) == expected


@each(
    ("before", "after", "number"),
    [
        ("funcs = [a, b, c]", "", 1),
        # Something may have been added to the list.
        ("funcs = [a, b]\nfuncs.append(c)", "", 0),
        ("funcs = [a, b, c]\nprint(funcs)", "", 0),
        ("funcs = [a, b, c]", "args.reward_weights = w", 0),
        ("funcs = [a, b, c]", "print(args.reward_weights)", 1),
        ("import unsloth\nfuncs = [a, b, c]", "", 0),
    ],
)
def test_lists_with_a_name(before: str, after: str, number: int) -> None:
    assert len(found("[1.0, 0.5]", "funcs", before, after)) == number


@each(
    ("config", "trainer", "number"),
    [
        ("RLOOConfig", "RLOOTrainer", 1),
        ("GRPOConfig", "RLOOTrainer", 0),
        ("own", "GRPOTrainer", 0),
        ("GRPOConfig", "OwnTrainer", 0),
    ],
)
def test_trainers(config: str, trainer: str, number: int) -> None:
    assert len(found("[1.0, 0.5]", "[a]", config=config, trainer=trainer)) == number
