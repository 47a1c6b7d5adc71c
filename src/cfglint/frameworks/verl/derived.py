"""What verl's `validate_config` computes from a config, for rules to ask about."""

from __future__ import annotations

from collections.abc import Callable

from cfglint.base.logic import MISSING, UNKNOWN
from cfglint.base.type_names import Any, Final
from cfglint.frameworks.verl.known_config import KnownConfig, gpus_of, is_before, product
from cfglint.frameworks.verl.limits import LIMITS
from cfglint.frameworks.verl.rollout import ROLLOUT
from cfglint.frameworks.verl.spans import FIRST, SPANS, is_released
from cfglint.frameworks.verl.validated import VALIDATED
from cfglint.knowledge.rules.index.triggers import has_value
from cfglint.knowledge.rules.views import View
from cfglint.roles.parts import Asked, Derived
from cfglint.roles.scripts import command_of

_ACTOR: Final = "actor_rollout_ref.actor"


def _number(dotted: str) -> Callable[[View, Asked, bool], Any]:
    def number(view: View, asked: Asked, _assume: bool) -> Any:
        return KnownConfig(view, asked).number(dotted)

    return number


def _gpus(view: View, asked: Asked, _assume: bool) -> Any:
    return gpus_of(KnownConfig(view, asked))


def _rows(view: View, asked: Asked, _assume: bool) -> Any:
    """The answers of one step: each prompt has `rollout.n` of them."""
    config = KnownConfig(view, asked)
    each = config.number("actor_rollout_ref.rollout.n")
    return product(config.number("data.train_batch_size"), each)


def _left_over(view: View, asked: Asked, assume: bool) -> Any:
    """How many answers are left over when the GPUs share them; missing where that is not examined."""
    config = KnownConfig(view, asked)
    fixed, strategy = _is_fixed(config), config.value(f"{_ACTOR}.strategy")
    if is_before(asked, "0.6.0"):
        fixed = True  # the size of micro batches did not matter
        strategy = (
            UNKNOWN if strategy is UNKNOWN else strategy if not is_before(asked, "0.4.0") else ""
        )
    rows, gpus = _rows(view, asked, assume), _gpus(view, asked, assume)
    if fixed is not True or UNKNOWN in (strategy, rows, gpus) or strategy == "megatron" or not gpus:
        return MISSING if fixed is False or strategy == "megatron" else UNKNOWN
    return rows % gpus


def _is_fixed(config: KnownConfig) -> Any:
    """Whether micro batches have a fixed number of rows."""
    dynamic = config.value(f"{_ACTOR}.use_dynamic_bsz")
    return not dynamic if isinstance(dynamic, bool) else UNKNOWN


def fixed_batches(view: View, asked: Asked, _assume: bool) -> Any:
    """Whether the actor's micro batches have a fixed number of rows."""
    return _is_fixed(KnownConfig(view, asked))


def actor_optimizer(view: View, asked: Asked, _assume: bool) -> Any:
    """The class of the optimizer's config, which depends on the engine."""
    return KnownConfig(view, asked).value(f"{_ACTOR}.optim._target_")


def _names_own_code(view: View, asked: Asked, _assume: bool) -> Any:
    """Whether the command names a library that may register more."""
    return KnownConfig(view, asked).names_own_code


def _has_program(view: View, asked: Asked, _assume: bool) -> Any:
    """Whether the release has the program; unknown when no release is stated, or one before the first that is known."""
    program = command_of(view.document.root)
    if program not in SPANS or asked.environment.assumed or is_before(asked, FIRST):
        return UNKNOWN
    return is_released(program, asked.environment.release)


def _successor(view: View, _asked: Asked, _assume: bool) -> Any:
    """What does the work of a program that later releases do not have."""
    newer = _SUCCESSORS.get(command_of(view.document.root))
    return "" if newer is None else f" `{newer}` does its work since then."


def _of_config(function: Callable[[KnownConfig, Asked], Any]) -> Callable[[View, Asked, bool], Any]:
    def found(view: View, asked: Asked, _assume: bool) -> Any:
        return function(KnownConfig(view, asked), asked)

    return found


_SUCCESSORS: Final = {
    "verl.trainer.fsdp_sft_trainer": "verl.trainer.sft_trainer",
    "verl.trainer.main_generation": "verl.trainer.main_generation_server",
}
_NEEDS = frozenset({has_value("program")})
DERIVED: Final = {
    name: Derived(function, _NEEDS)
    for name, function in {
        "actor_optimizer": actor_optimizer,
        "batch_left_over": _left_over,
        "batch_rows": _rows,
        "fixed_batches": fixed_batches,
        "gpus": _gpus,
        "has_program": _has_program,
        "names_own_code": _names_own_code,
        "successor": _successor,
        "mini_batch": _number(f"{_ACTOR}.ppo_mini_batch_size"),
        "train_batch": _number("data.train_batch_size"),
        **{
            name: _of_config(function)
            for name, function in {**VALIDATED, **ROLLOUT, **LIMITS}.items()
        },
    }.items()
}
