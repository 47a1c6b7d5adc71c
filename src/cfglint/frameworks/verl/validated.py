"""What each check of verl's `validate_config` looks at in the actor, its reference, the critic and their batches.

A check that a release, or a config, leaves out gives `MISSING`; what the script does not determine is `UNKNOWN`.
"""

from __future__ import annotations

from collections.abc import Callable

from cfglint.base.logic import MISSING, UNKNOWN
from cfglint.base.type_names import Any, Final
from cfglint.frameworks.verl.known_config import (
    KnownConfig,
    all_of,
    any_of,
    gpus_of,
    is_before,
    negated,
    product,
)
from cfglint.roles.parts import Asked

_ACTOR: Final = "actor_rollout_ref.actor"
_REF: Final = "actor_rollout_ref.ref"
_ROLLOUT: Final = "actor_rollout_ref.rollout"
_MODEL: Final = "actor_rollout_ref.model"
_MEGATRON: Final = f"{_ACTOR}.megatron"
_PER_GPU: Final = "_per_gpu"
#: The strategies that share a sequence by Ulysses.
_FSDP: Final = ("fsdp", "fsdp2")


def _uses_critic(config: KnownConfig) -> Any:
    """Whether there is a critic: `critic.enable` says so, or else the estimator of the advantage."""
    enable = config.value("critic.enable")
    if isinstance(enable, bool):
        return enable
    estimator = config.value("algorithm.adv_estimator")
    if enable is UNKNOWN or not isinstance(estimator, str):
        return UNKNOWN
    return estimator == "gae"


def _uses_reference(config: KnownConfig) -> Any:
    return any_of(
        config.flag("algorithm.use_kl_in_reward"),
        config.flag(f"{_ACTOR}.use_kl_loss"),
    )


def _fixed(config: KnownConfig, section: str) -> Any:
    """Whether the micro batches of a part have a fixed number of rows."""
    return negated(config.flag(f"{section}.use_dynamic_bsz"))


def _critic_fixed(config: KnownConfig) -> Any:
    return all_of(_uses_critic(config), _fixed(config, "critic"))


def _set(config: KnownConfig, examined: Any, key: str) -> Any:
    """How many of the two sizes of a micro batch are set: for all GPUs, and for each."""
    if examined is not True:
        return MISSING if examined is False else UNKNOWN
    nulls = (config.is_null(key), config.is_null(f"{key}{_PER_GPU}"))
    return UNKNOWN if UNKNOWN in nulls else 2 - sum(nulls)


def actor_micro_batches(config: KnownConfig, _: Asked) -> Any:
    """How many of the actor's two sizes are set."""
    return _set(config, _fixed(config, _ACTOR), f"{_ACTOR}.ppo_micro_batch_size")


def rollout_micro_batches(config: KnownConfig, _: Asked) -> Any:
    """How many of the rollout's two sizes are set."""
    return _set(config, _fixed(config, _ACTOR), f"{_ROLLOUT}.log_prob_micro_batch_size")


def ref_micro_batches(config: KnownConfig, asked: Asked) -> Any:
    """How many of the reference model's two sizes are set; up to 0.3 also without such a model."""
    examined = _fixed(config, _ACTOR)
    if not is_before(asked, "0.4.0"):
        examined = all_of(examined, _uses_reference(config))
    return _set(config, examined, f"{_REF}.log_prob_micro_batch_size")


def critic_micro_batches(config: KnownConfig, _: Asked) -> Any:
    """How many of the critic's two sizes are set."""
    return _set(config, _critic_fixed(config), "critic.ppo_micro_batch_size")


def reward_micro_batches(config: KnownConfig, _: Asked) -> Any:
    """How many of the reward model's two sizes are set."""
    examined = all_of(
        config.flag("reward_model.enable"),
        _fixed(config, "reward_model"),
        negated(config.flag("reward_model.use_reward_loop")),
    )
    return _set(config, examined, "reward_model.micro_batch_size")


def critic_optimizer(config: KnownConfig, _: Asked) -> Any:
    """The class of the critic's optimizer, of a run with a critic."""
    used = _uses_critic(config)
    return config.value("critic.optim._target_") if used is True else UNKNOWN


def is_whole(config: KnownConfig, _: Asked) -> Any:
    """Whether the command says which model is trained, and so is more than a piece of one."""
    return config.is_whole


def _short_of_gpus(config: KnownConfig, examined: Any, section: str) -> Any:
    """How many GPUs are left without a row of a micro batch for all of them."""
    if examined is not True:
        return MISSING if examined is False else UNKNOWN
    micro = config.value(f"{section}.ppo_micro_batch_size")
    if micro is None or micro is MISSING:
        return MISSING
    shared = config.value(f"{section}.ulysses_sequence_parallel_size")
    total = product(micro, 1 if shared is MISSING else shared)
    gpus = gpus_of(config)
    return UNKNOWN if UNKNOWN in (total, gpus) else gpus - total


def actor_gpus_short(config: KnownConfig, _: Asked) -> Any:
    """How many GPUs more there are than rows of the actor's micro batch, each shared by some."""
    return _short_of_gpus(config, _fixed(config, _ACTOR), _ACTOR)


def critic_gpus_short(config: KnownConfig, _: Asked) -> Any:
    """The same of the critic; Megatron's is not examined."""
    is_fsdp = config.value("critic.strategy")
    is_fsdp = UNKNOWN if is_fsdp is UNKNOWN else is_fsdp in _FSDP
    return _short_of_gpus(config, all_of(_critic_fixed(config), is_fsdp), "critic")


def critic_prompts_short(config: KnownConfig, _: Asked) -> Any:
    """How many prompts a step has fewer than a mini batch of the critic."""
    examined = _critic_fixed(config)
    mini, train = (
        config.number("critic.ppo_mini_batch_size"),
        config.number("data.train_batch_size"),
    )
    if examined is not True or UNKNOWN in (mini, train):
        return MISSING if examined is False else UNKNOWN
    return mini - train


def critic_mini_left(config: KnownConfig, _: Asked) -> Any:
    """What is left of the critic's mini batch when it is cut into its micro batches."""
    examined = _critic_fixed(config)
    micro = config.value("critic.ppo_micro_batch_size")
    if examined is False or micro is None:
        return MISSING
    mini, micro = (
        config.number("critic.ppo_mini_batch_size"),
        config.number("critic.ppo_micro_batch_size"),
    )
    if UNKNOWN in (examined, mini, micro) or micro == 0:
        return UNKNOWN
    return mini % micro


def _pads(config: KnownConfig, asked: Asked, section: str, model: str) -> Any:
    """Whether a part shares sequences, and its model does not remove padding."""
    strategies = _FSDP[:1] if is_before(asked, "0.5.0") else _FSDP
    of = _ACTOR if section == _REF else section
    shared, strategy = (
        config.number(f"{section}.ulysses_sequence_parallel_size"),
        config.value(f"{of}.strategy"),
    )
    if UNKNOWN in (shared, strategy):
        return UNKNOWN
    return all_of(
        shared > 1, strategy in strategies, negated(config.flag(f"{model}.use_remove_padding"))
    )


def actor_pads(config: KnownConfig, asked: Asked) -> Any:
    """Whether the actor shares sequences that have padding."""
    return _pads(config, asked, _ACTOR, _MODEL)


def ref_pads(config: KnownConfig, asked: Asked) -> Any:
    """Whether the reference model shares sequences that have padding."""
    return _pads(config, asked, _REF, _MODEL)


def critic_pads(config: KnownConfig, asked: Asked) -> Any:
    """Whether the critic shares sequences that have padding."""
    return all_of(_uses_critic(config), _pads(config, asked, "critic", "critic.model"))


def megatron_parts(config: KnownConfig, asked: Asked) -> Any:
    """The GPUs that hold one copy of the model, with Megatron."""
    examined = True if is_before(asked, "0.6.0") else _fixed(config, _ACTOR)
    strategy = config.value(f"{_ACTOR}.strategy")
    if examined is False or (strategy is not UNKNOWN and strategy != "megatron"):
        return MISSING
    if UNKNOWN in (examined, strategy):
        return UNKNOWN
    names = ("tensor_model_parallel_size", "pipeline_model_parallel_size", "context_parallel_size")
    return product(*(config.number(f"{_MEGATRON}.{name}") for name in names))


def megatron_gpus_left(config: KnownConfig, asked: Asked) -> Any:
    """The GPUs that are left over when copies of the model are laid on them."""
    parts, gpus = megatron_parts(config, asked), gpus_of(config)
    if parts is MISSING:
        return MISSING
    return UNKNOWN if UNKNOWN in (parts, gpus) or parts < 1 else gpus % parts


def megatron_micro_batch_missing(config: KnownConfig, asked: Asked) -> Any:
    """Whether Megatron's actor has no size of a micro batch for each GPU."""
    if megatron_parts(config, asked) is MISSING:
        return MISSING
    return config.is_null(f"{_ACTOR}.ppo_micro_batch_size{_PER_GPU}")


def megatron_batch(config: KnownConfig, asked: Asked) -> Any:
    """The rows of one micro batch on all copies of the model."""
    parts, gpus = megatron_parts(config, asked), gpus_of(config)
    if parts is MISSING:
        return MISSING
    if UNKNOWN in (parts, gpus) or parts < 1:
        return UNKNOWN
    return product(gpus // parts, config.number(f"{_ACTOR}.ppo_micro_batch_size{_PER_GPU}"))


def megatron_batch_left(config: KnownConfig, asked: Asked) -> Any:
    """The answers of a step that are left over when micro batches are cut from them."""
    each = megatron_batch(config, asked)
    if each is MISSING:
        return MISSING
    rows = product(config.number("data.train_batch_size"), config.number(f"{_ROLLOUT}.n"))
    return UNKNOWN if UNKNOWN in (each, rows) or each < 1 else rows % each


def actor_rows_per_gpu(config: KnownConfig, _: Asked) -> Any:
    """The answers of a mini batch that each GPU gets, or those that share a sequence."""
    strategy = config.value(f"{_ACTOR}.strategy")
    shared, gpus = config.number(f"{_ACTOR}.ulysses_sequence_parallel_size"), gpus_of(config)
    rows = product(config.number(f"{_ACTOR}.ppo_mini_batch_size"), config.number(f"{_ROLLOUT}.n"))
    if strategy is not UNKNOWN and strategy not in _FSDP:
        return MISSING
    if UNKNOWN in (strategy, shared, gpus, rows) or shared < 1 or gpus < shared:
        return UNKNOWN
    return rows // (gpus // shared)


def actor_rows_left(config: KnownConfig, asked: Asked) -> Any:
    """What is left of them when they are cut into micro batches."""
    rows = actor_rows_per_gpu(config, asked)
    micro = config.value(f"{_ACTOR}.ppo_micro_batch_size{_PER_GPU}")
    if rows is MISSING or micro is None:
        return MISSING
    micro = config.number(f"{_ACTOR}.ppo_micro_batch_size{_PER_GPU}")
    return UNKNOWN if UNKNOWN in (rows, micro) or micro < 1 else rows % micro


VALIDATED: Final[dict[str, Callable[[KnownConfig, Asked], Any]]] = {
    one.__name__: one
    for one in (
        actor_gpus_short,
        actor_micro_batches,
        actor_pads,
        actor_rows_left,
        actor_rows_per_gpu,
        critic_gpus_short,
        critic_micro_batches,
        critic_mini_left,
        critic_optimizer,
        critic_pads,
        critic_prompts_short,
        is_whole,
        megatron_batch,
        megatron_batch_left,
        megatron_gpus_left,
        megatron_micro_batch_missing,
        megatron_parts,
        ref_micro_batches,
        ref_pads,
        reward_micro_batches,
        rollout_micro_batches,
    )
}
