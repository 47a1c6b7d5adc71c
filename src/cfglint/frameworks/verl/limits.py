"""What verl's workers hold against each other once they run: tokens of batches, GPUs of a rollout, checkpoints, rewards.

As in `validated`, what a config leaves out gives `MISSING`, and what the script does not determine is `UNKNOWN`.
"""

from __future__ import annotations

from collections.abc import Callable

from cfglint.base.logic import MISSING, UNKNOWN
from cfglint.base.type_names import Any, Final
from cfglint.frameworks.verl.known_config import PPO, KnownConfig, gpus_of, product
from cfglint.roles.parts import Asked

_ACTOR: Final = "actor_rollout_ref.actor"
_REF: Final = "actor_rollout_ref.ref"
_MODEL: Final = "actor_rollout_ref.model"
_ROLLOUT: Final = "actor_rollout_ref.rollout"
_SHARED: Final = "ulysses_sequence_parallel_size"
#: The engines that share the GPUs of the actor.
_ENGINES: Final = ("vllm", "sglang")
#: Estimators of the advantage that compare the answers to one prompt.
_OF_GROUPS: Final = ("grpo", "rloo")
#: Where a reward manager is given what it is made with: the former section, and that of 0.8.
_REWARDS: Final = (
    ("reward_model.reward_manager", "reward_model.reward_kwargs"),
    ("reward.reward_manager.name", "reward.reward_kwargs"),
)


def row_tokens(config: KnownConfig, _: Asked) -> Any:
    """The tokens of a row: a prompt and its answer, padded."""
    lengths = [config.number(f"data.max_{name}_length") for name in ("prompt", "response")]
    return UNKNOWN if UNKNOWN in lengths else sum(lengths)


def _short(
    config: KnownConfig, asked: Asked, section: str, dynamic: str, limit: str, shared: str
) -> Any:
    """How many tokens a micro batch has fewer than a row; missing where rows are counted in place of tokens."""
    if config.value("trainer.use_legacy_worker_impl") == "disable":
        return MISSING  # these workers take the padding out first
    is_on = config.flag(f"{section}.{dynamic}")
    strategy = config.value("critic.strategy" if section == "critic" else f"{_ACTOR}.strategy")
    if is_on is False or (strategy is not UNKNOWN and strategy not in ("fsdp", "fsdp2")):
        return MISSING
    ranks = config.value(f"{shared}.{_SHARED}")
    most = product(config.number(f"{section}.{limit}"), 1 if ranks is MISSING else ranks)
    needed = row_tokens(config, asked)
    return UNKNOWN if UNKNOWN in (is_on, strategy, most, needed) else needed - most


def actor_tokens_short(config: KnownConfig, asked: Asked) -> Any:
    """The same of an update of the actor."""
    return _short(config, asked, _ACTOR, "use_dynamic_bsz", "ppo_max_token_len_per_gpu", _ACTOR)


def _unless_actor(config: KnownConfig, asked: Asked, found: Any) -> Any:
    """A result, unless it follows from the limit of the actor, which is reported by itself."""
    short = actor_tokens_short(config, asked)
    return MISSING if isinstance(short, int) and short > 0 else found


def rollout_tokens_short(config: KnownConfig, asked: Asked) -> Any:
    """The same where the probabilities of the answers are computed anew."""
    taken_over = config.flag("algorithm.rollout_correction.bypass_mode")
    if taken_over is not False:  # those of the engine are used
        return UNKNOWN if taken_over is UNKNOWN else MISSING
    keys = ("log_prob_use_dynamic_bsz", "log_prob_max_token_len_per_gpu")
    return _unless_actor(config, asked, _short(config, asked, _ROLLOUT, *keys, _ACTOR))


def ref_tokens_short(config: KnownConfig, asked: Asked) -> Any:
    """The same of the reference model, in a run that has one."""
    used = (config.flag("algorithm.use_kl_in_reward"), config.flag(f"{_ACTOR}.use_kl_loss"))
    if True not in used:
        return UNKNOWN if UNKNOWN in used else MISSING
    rank = config.value(f"{_MODEL}.lora_rank")
    if rank not in (0, MISSING, None):  # the actor without its adapter is the reference
        return UNKNOWN if rank is UNKNOWN else MISSING
    keys = ("log_prob_use_dynamic_bsz", "log_prob_max_token_len_per_gpu")
    return _unless_actor(config, asked, _short(config, asked, _REF, *keys, _REF))


def critic_tokens_short(config: KnownConfig, asked: Asked) -> Any:
    """The same of an update of the critic, in a run that has one."""
    estimator = config.value("algorithm.adv_estimator")
    enable = config.value("critic.enable")
    used = enable if isinstance(enable, bool) else estimator == "gae"
    if UNKNOWN in (estimator, enable) or used is not True:
        return UNKNOWN if UNKNOWN in (estimator, enable) else MISSING
    return _short(config, asked, "critic", "use_dynamic_bsz", "ppo_max_token_len_per_gpu", "critic")


def rollout_gpus_left(config: KnownConfig, _: Asked) -> Any:
    """The GPUs that are left over when engines are laid on them."""
    name, ranks, gpus = config.value(f"{_ROLLOUT}.name"), rollout_gpus(config, _), gpus_of(config)
    alone, split = (
        config.value(f"{_ROLLOUT}.nnodes"),
        config.flag(f"{_ROLLOUT}.disaggregation.enabled"),
    )
    if UNKNOWN in (name, ranks, gpus, alone, split) or ranks < 1:
        return UNKNOWN
    is_shared = name in _ENGINES and alone in (0, MISSING, None) and not split
    return gpus % ranks if is_shared else MISSING


def rollout_gpus(config: KnownConfig, _: Asked) -> Any:
    """The GPUs of one engine of the rollout."""
    sizes = []
    for name in ("tensor", "data", "pipeline"):
        size = config.value(f"{_ROLLOUT}.{name}{'' if name == 'data' else '_model'}_parallel_size")
        sizes.append(1 if size is MISSING else size)
    return product(*sizes)


def group_of_one(config: KnownConfig, _: Asked) -> Any:
    """The estimator that has one answer to each prompt to compare; missing with several."""
    estimator, answers = config.value("algorithm.adv_estimator"), config.number(f"{_ROLLOUT}.n")
    if UNKNOWN in (estimator, answers):
        return UNKNOWN
    return estimator if answers == 1 and estimator in _OF_GROUPS else MISSING


def resumed_from(config: KnownConfig, _: Asked) -> Any:
    """What a run resumes from, which is to be given; missing in other runs."""
    mode = config.value("trainer.resume_mode")
    if mode != "resume_path":
        return UNKNOWN if mode is UNKNOWN else MISSING
    found = config.value("trainer.resume_from_path")
    return None if found is MISSING else found


def resumed_from_nothing(config: KnownConfig, asked: Asked) -> Any:
    """Whether a run resumes from a path that is not given."""
    found = resumed_from(config, asked)
    return found if found is MISSING or found is UNKNOWN else found is None


def validates_first(config: KnownConfig, _: Asked) -> Any:
    """Whether a run that is only to validate does so; missing in other runs."""
    only = config.flag("trainer.val_only")
    if only is not True:
        return UNKNOWN if only is UNKNOWN else MISSING
    before = config.value("trainer.val_before_train")
    return True if before is MISSING else config.flag("trainer.val_before_train")


def captured_with_freed_cache(config: KnownConfig, _: Asked) -> Any:
    """Whether an engine is to free its cache and to capture CUDA graphs."""
    name, freed = config.value(f"{_ROLLOUT}.name"), config.flag(f"{_ROLLOUT}.free_cache_engine")
    eager = config.flag(f"{_ROLLOUT}.enforce_eager")
    if name is not UNKNOWN and name not in _ENGINES:
        return MISSING
    mode = config.value(f"{_ROLLOUT}.mode")
    if name == "vllm" and mode not in ("sync", MISSING):  # its server does not look
        return UNKNOWN if mode is UNKNOWN else MISSING
    return UNKNOWN if UNKNOWN in (name, freed, eager) else freed and not eager


def overlong_buffer(config: KnownConfig, _: Asked) -> Any:
    """The tokens of DAPO's buffer that are more than an answer has; missing without such a buffer."""
    if config.program != PPO:
        return MISSING
    for manager, section in _REWARDS:
        if (
            config.value(manager) != "dapo"
            or config.flag(f"{section}.overlong_buffer_cfg.enable") is not True
        ):
            continue
        buffer = config.number(f"{section}.overlong_buffer_cfg.len")
        most = config.number(f"{section}.max_resp_len")
        return UNKNOWN if UNKNOWN in (buffer, most) else buffer - most
    return MISSING


def overlong_buffer_alone(config: KnownConfig, _: Asked) -> Any:
    """Whether DAPO's buffer is on, and nothing says how long an answer may be."""
    if config.program != PPO:
        return MISSING  # the recipe has settings of its own, and takes the length from the data
    for manager, section in _REWARDS:
        if (
            config.value(manager) == "dapo"
            and config.flag(f"{section}.overlong_buffer_cfg.enable") is True
        ):
            most = config.value(f"{section}.max_resp_len")
            return UNKNOWN if most is UNKNOWN else most is MISSING or most is None
    return MISSING


def sglang_tokens_short(config: KnownConfig, _: Asked) -> Any:
    """How many tokens the stated length of SGLang's model is below a prompt and its answer; missing without one."""
    engine = tuple(config.value(f"{_ROLLOUT}.{name}") for name in ("name", "mode"))
    stated = config.value(f"{_ROLLOUT}.max_model_len")
    if UNKNOWN in (*engine, stated):
        return UNKNOWN
    if engine != ("sglang", "sync") or stated is MISSING or not stated:
        return MISSING
    lengths = [config.number(f"{_ROLLOUT}.{name}_length") for name in ("prompt", "response")]
    most = config.number(f"{_ROLLOUT}.max_model_len")
    return UNKNOWN if UNKNOWN in (*lengths, most) else sum(lengths) - most


LIMITS: Final[dict[str, Callable[[KnownConfig, Asked], Any]]] = {
    one.__name__: one
    for one in (
        actor_tokens_short,
        captured_with_freed_cache,
        critic_tokens_short,
        group_of_one,
        overlong_buffer,
        overlong_buffer_alone,
        ref_tokens_short,
        resumed_from,
        resumed_from_nothing,
        rollout_gpus,
        rollout_gpus_left,
        rollout_tokens_short,
        row_tokens,
        sglang_tokens_short,
        validates_first,
    )
}
