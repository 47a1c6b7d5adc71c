"""Reward functions against the keywords that the trainer calls them with."""

from __future__ import annotations

from cfglint import Linter
from tests.draws import each

PROGRAM = """\
from trl import GRPOConfig, GRPOTrainer

{}
GRPOTrainer(model="a/b", reward_funcs={}, args=GRPOConfig(output_dir="out")).train()
"""
BODY = "\n    return [1.0 for _ in completions]\n"


def found(function: str, given: str, *target: str) -> list[tuple[str, str]]:
    linter = Linter(target=list(target), settings=False, select=["TRP680"])
    result = linter.lint(PROGRAM.format(function, given), "train.py")
    return [(one.severity, one.message) for one in result.diagnostics]


@each(
    ("head", "release", "named"),
    [
        ("def r(prompts, completions):", "0.17.0", ""),
        ("def r(prompts, completions):", "0.18.0", "`completion_ids`"),
        ("def r(prompts, completions, completion_ids):", "0.19.1", ""),
        ("def r(prompts, completions, completion_ids):", "0.20.0", "`trainer_state`"),
        ("def r(prompts, completions, completion_ids, trainer_state):", "0.29.0", ""),
        ("def r(completions):", "0.14.0", "`prompts`"),
        ("def r(completions, **kwargs):", "1.9.0", ""),
        ("def r(prompt, completions, **kwargs):", "1.9.0", "asks for `prompt`"),
        ("def r(completions, prompt=None, **kwargs):", "1.9.0", ""),
        ("async def r(completions):", "1.9.0", "`prompts`"),
    ],
)
def test_the_release_decides_what_is_handed_over(head: str, release: str, named: str) -> None:
    hits = found(head + BODY, "[r]", f"trl=={release}")
    assert [severity for severity, _ in hits] == (["error"] if named else [])
    assert all(named in message for _, message in hits)


def test_without_a_stated_release_what_is_newer_is_a_warning() -> None:
    ((severity, _),) = found("def r(prompts, completions):" + BODY, "r")
    assert severity == "warning"


@each(
    ("function", "given"),
    [
        ("def r(completions):" + BODY + "r = wrapped(r)\n", "r"),
        ("if fast:\n    def r(completions):\n        return []\n", "r"),
        ("@wrapped\ndef r(completions):" + BODY, "r"),
        ("def r(completions):" + BODY, "make(r)"),
        ("from rewards import r", "[r]"),
    ],
)
def test_what_may_be_another_function_is_left_alone(function: str, given: str) -> None:
    assert found(function, given, "trl==1.9.0") == []


@each(
    ("before", "functions", "args", "is_told"),
    [
        ("", "[f, g]", "GRPOConfig('o', reward_weights=[1.0])", True),
        ("a = GRPOConfig('o', reward_weights=[1.0])", "[f, g]", "a", True),
        ("fs = [f, g]", "fs", "GRPOConfig('o', reward_weights=[1.0])", True),
        ("", "[f]", "GRPOConfig('o', reward_weights=[1.0])", False),
        ("", "[f, *more]", "GRPOConfig('o', reward_weights=[1.0])", False),
        ("", "f", "GRPOConfig('o', reward_weights=[1.0, 1.0])", False),
        ("fs = [f]\nfs += [g]", "fs", "GRPOConfig('o', reward_weights=[1.0, 1.0])", False),
        ("fs = [f]\nadd(fs)", "fs", "GRPOConfig('o', reward_weights=[1.0, 1.0])", False),
        (
            "a = GRPOConfig('o', reward_weights=[1.0])\na.reward_weights = None",
            *("[f, g]", "a", False),
        ),
        ("import unsloth", "[f, g]", "GRPOConfig('o', reward_weights=[1.0])", False),
    ],
)
def test_one_weight_for_each_function(
    before: str, functions: str, args: str, is_told: bool
) -> None:
    text = f"from trl import GRPOConfig, GRPOTrainer\n{before}\n"
    text += f"GRPOTrainer(model='a/b', reward_funcs={functions}, args={args}).train()\n"
    linter = Linter(target=["trl==0.17.0"], settings=False, select=["TRP681"])
    assert bool(linter.lint(text, "train.py").diagnostics) is is_told
