"""Which check in code there is for a framework's files, and on which files it is tried."""

from __future__ import annotations

from typing import Any

from cfglint.checks.context import CheckContext
from cfglint.checks.registry import CHECKS, LOOKED_THROUGH, OF_LANGUAGE, SOURCES, check_for
from cfglint.environment.surroundings import Surroundings, nowhere
from cfglint.roles.framework import frameworks, load_framework
from cfglint.source.languages.yaml import compose
from cfglint.source.text import SourceText
from tests.draws import each
from tests.linting import environment


def context(text: str, framework: str = "axolotl", **target: Any) -> CheckContext:
    return CheckContext(
        compose(SourceText(text)),
        load_framework(framework),
        environment(framework=framework, **target),
        nowhere(),
    )


def found(name: str, text: str, framework: str = "axolotl", **target: Any) -> int:
    """How often a check finds something in a text."""
    check = check_for(name, load_framework(framework), nowhere())
    assert check is not None
    return len(list(check(context(text, framework, **target))))


@each(
    ("name", "framework", "there"),
    [
        ("duplicate-key", "axolotl", True),
        ("duplicate-key", "deepspeed", False),
        ("duplicate-json-key", "deepspeed", True),
        ("duplicate-json-key", "axolotl", False),
        ("word-as-boolean", "llamafactory", True),
        ("word-as-boolean", "deepspeed", False),
        ("unknown-key", "axolotl", True),
        ("unknown-key", "deepspeed", True),
        ("unrecognized-config", "deepspeed", True),
        ("no-such-check", "axolotl", False),
    ],
)
def test_checks_of_a_language(name: str, framework: str, there: bool) -> None:
    assert (check_for(name, load_framework(framework), nowhere()) is not None) is there


@each(
    ("name", "needs"),
    [
        ("requirements-apart", "project"),
        ("compiled-for-other-torch", "project"),
        ("datasets-of-older-arrow", "project"),
        ("schema-violation", "schemas"),
    ],
)
def test_checks_of_what_lies_around(name: str, needs: str) -> None:
    framework, alone = load_framework("axolotl"), nowhere()
    assert check_for(name, framework, alone) is None
    some: Surroundings = alone.replaced(**{needs: ("something",)})
    assert check_for(name, framework, some) is not None


def test_every_check_of_a_rule_is_there() -> None:
    from cfglint.knowledge.compiling.modules import ENGINE_CHECKS

    every = [load_framework(name) for name in frameworks()]
    known = {*SOURCES, *CHECKS, *ENGINE_CHECKS}.union(*(one.checks for one in every))
    for framework in every:
        assert set(framework.knowledge.check_names) <= known
    listed = {check for _, checks in LOOKED_THROUGH for check in checks}
    assert listed <= {*SOURCES, *CHECKS}
    assert set().union(*OF_LANGUAGE.values()) <= {*CHECKS}


@each(
    ("text", "hits"),
    [
        ("base_model: a\n", 0),
        ("datasets:\n  - path: a\n    type:\n      field: b\n", 0),
        ("a: one\n  two\n", 0),
        ("a:\n  - x\n  - y\n  - z\n", 0),
        ("a:\n  - x\n    y\n  - z\n", 1),
        ("a:\n  - x\n  - - y\n  - z\n", 1),
        ("a:\n  - x\n  - [y]\n  - z\n", 0),
        ("a:\n  - - x\n  - - y\n", 0),
        ("a:\n  - 'x\n    y'\n  - z\n", 0),
        ("lora_target_modules:\n    q_proj\n  - k_proj\n  - v_proj\n", 1),
        ("lora_target_modules:\n  - q_proj\n  - - k_proj\n", 1),
    ],
)
def test_joined_lines_are_looked_for_where_a_value_has_several(text: str, hits: int) -> None:
    assert found("joined-line", text) == hits


@each(
    ("target", "text", "tried"),
    [
        ({"gpus": 1, "gpu": "t4"}, "base_model: NousResearch/Llama-2-70b-hf\n", True),
        ({"gpu": "t4"}, "base_model: NousResearch/Llama-2-70b-hf\n", False),
        ({"gpus": 1}, "base_model: NousResearch/Llama-2-70b-hf\n", False),
    ],
)
def test_the_fit_needs_the_memory_of_gpus_and_their_number(
    target: dict[str, Any], text: str, tried: bool
) -> None:
    whole = (
        f"{text}datasets: [{{path: a, type: alpaca}}]\nsequence_len: 4096\nmicro_batch_size: 8\n"
        "gradient_accumulation_steps: 1\nnum_epochs: 1\nlearning_rate: 1.0e-5\nbf16: false\n"
    )
    assert bool(found("does-not-fit", whole, **target)) is tried


@each(
    ("versions", "tried"),
    [
        (["llamafactory==0.9.5", "transformers==5.0.0", "peft==0.17.1"], True),
        (["llamafactory==0.9.5"], False),
        (["transformers==5.0.0", "peft==0.17.1"], False),
    ],
)
def test_packages_together_needs_the_release_and_another(versions: list[str], tried: bool) -> None:
    name, text = "packages-of-different-times", "stage: sft\n"
    assert bool(found(name, text, "llamafactory", target=versions)) is tried
