"""What verl's `validate_config` computes from a config, for rules to ask about.

A value is the one that a word sets, or else the default of the config. Where words are not known, or
the config cannot be followed, it is unknown, and rules that depend on it stay silent.
"""

from __future__ import annotations

from collections.abc import Callable

from cfglint.base.logic import MISSING, UNKNOWN
from cfglint.base.type_names import Any, Final
from cfglint.frameworks.verl.run_config import latest_config
from cfglint.knowledge.rules.index.triggers import has_value
from cfglint.knowledge.rules.views import View
from cfglint.roles.parts import Asked, Derived
from cfglint.roles.scripts import command_of
from cfglint.source.values import Unexpanded

#: The programs whose trainers check their config in this way.
_CHECKED: Final = frozenset({"verl.trainer.main_ppo", "recipe.dapo.main_dapo"})
_ACTOR: Final = "actor_rollout_ref.actor"


class _Config:
    """The config of a run, as far as it is known."""

    def __init__(self, view: View, asked: Asked) -> None:
        self._document = view.document
        is_checked = command_of(view.document.root) in _CHECKED
        self._found = (
            latest_config(view.document, asked.environment, asked.around) if is_checked else None
        )

    def value(self, dotted: str) -> Any:
        """The value of a key; `UNKNOWN` when it is not known, `MISSING` without the key."""
        if self._found is None:
            return UNKNOWN
        if self._document.hides_keys and self._document.node(tuple(dotted.split("."))) is None:
            return UNKNOWN
        value = self._found.merged.value(dotted)
        return UNKNOWN if isinstance(value, Unexpanded) else value

    def number(self, dotted: str) -> Any:
        """A whole number; `UNKNOWN` for all else."""
        value = self.value(dotted)
        return value if isinstance(value, int) and not isinstance(value, bool) else UNKNOWN


def _number(dotted: str) -> Callable[[View, Asked, bool], Any]:
    def number(view: View, asked: Asked, _assume: bool) -> Any:
        return _Config(view, asked).number(dotted)

    return number


def _gpus(view: View, asked: Asked, _assume: bool) -> Any:
    config = _Config(view, asked)
    return _product(config.number("trainer.n_gpus_per_node"), config.number("trainer.nnodes"))


def _rows(view: View, asked: Asked, _assume: bool) -> Any:
    """The answers of one step: each prompt has `rollout.n` of them."""
    config = _Config(view, asked)
    each = config.number("actor_rollout_ref.rollout.n")
    return _product(config.number("data.train_batch_size"), each)


def _left_over(view: View, asked: Asked, assume: bool) -> Any:
    """How many answers are left over when the GPUs share them; missing where that is not examined."""
    config = _Config(view, asked)
    fixed, strategy = _is_fixed(config), config.value(f"{_ACTOR}.strategy")
    rows, gpus = _rows(view, asked, assume), _gpus(view, asked, assume)
    if fixed is not True or UNKNOWN in (strategy, rows, gpus) or strategy == "megatron" or not gpus:
        return MISSING if fixed is False or strategy == "megatron" else UNKNOWN
    return rows % gpus


def _is_fixed(config: _Config) -> Any:
    """Whether micro batches have a fixed number of rows."""
    dynamic = config.value(f"{_ACTOR}.use_dynamic_bsz")
    return not dynamic if isinstance(dynamic, bool) else UNKNOWN


def fixed_batches(view: View, asked: Asked, _assume: bool) -> Any:
    """Whether the actor's micro batches have a fixed number of rows."""
    return _is_fixed(_Config(view, asked))


def remove_padding(view: View, asked: Asked, _assume: bool) -> Any:
    """Whether the model computes without padding."""
    return _Config(view, asked).value("actor_rollout_ref.model.use_remove_padding")


def actor_optimizer(view: View, asked: Asked, _assume: bool) -> Any:
    """The class of the optimizer's config, which depends on the engine."""
    return _Config(view, asked).value(f"{_ACTOR}.optim._target_")


def _product(one: Any, two: Any) -> Any:
    return one * two if isinstance(one, int) and isinstance(two, int) else UNKNOWN


_NEEDS = frozenset({has_value("program")})
DERIVED: Final = {
    name: Derived(function, _NEEDS)
    for name, function in {
        "actor_optimizer": actor_optimizer,
        "batch_left_over": _left_over,
        "batch_rows": _rows,
        "fixed_batches": fixed_batches,
        "gpus": _gpus,
        "mini_batch": _number(f"{_ACTOR}.ppo_mini_batch_size"),
        "remove_padding": remove_padding,
        "train_batch": _number("data.train_batch_size"),
    }.items()
}
