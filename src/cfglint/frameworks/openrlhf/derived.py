"""What the programs of OpenRLHF get for an option, under its present or its former name.

A value is the one of the script, or else the default of the release. Where words are not known it is unknown, and
rules that depend on it stay silent.
"""

from __future__ import annotations

from collections.abc import Callable

from cfglint.base.logic import MISSING, UNKNOWN
from cfglint.base.spelling import Speller
from cfglint.base.type_names import Any, Final
from cfglint.frameworks.for_files import variant
from cfglint.frameworks.openrlhf.programs import MODULES, is_module, kinds, program_of
from cfglint.knowledge.keys.pydantic_types import split_type
from cfglint.knowledge.rules.index.triggers import has_value
from cfglint.knowledge.rules.views import View
from cfglint.roles.framework import Framework, load_framework
from cfglint.roles.parts import Asked, Derived
from cfglint.roles.scripts import command_of
from cfglint.source.values import Unexpanded, to_python

#: Derived value -> the option, by its names, the newest first.
_OPTIONS: Final = {
    "actor_gpus_per_node": ("actor.num_gpus_per_node", "actor_num_gpus_per_node"),
    "actor_nodes": ("actor.num_nodes", "actor_num_nodes"),
    "agent": ("train.agent_func_path", "agent_func_path"),
    "async_train": ("train.async_enable", "async_train"),
    "apply_chat_template": ("data.apply_chat_template", "apply_chat_template"),
    "colocate_actor_ref": ("train.colocate_actor_ref", "colocate_actor_ref"),
    "colocate_all": ("train.colocate_all", "colocate_all_models"),
    "critic_gpus_per_node": ("critic.num_gpus_per_node", "critic_num_gpus_per_node"),
    "critic_nodes": ("critic.num_nodes", "critic_num_nodes"),
    "dynamic_batch": ("train.dynamic_batch_enable", "use_dynamic_batch"),
    "dynamic_filtering": ("algo.dynamic_filtering_enable", "dynamic_filtering"),
    "filtered_rewards": ("algo.dynamic_filtering_range", "dynamic_filtering_reward_range"),
    "engines": ("vllm.num_engines", "vllm_num_engines"),
    "estimator": ("algo.advantage.estimator", "advantage_estimator"),
    "images": ("data.max_images_per_prompt", "max_images_per_prompt"),
    "init_kl": ("algo.kl.init_coef", "init_kl_coef"),
    "micro_batch": ("train.micro_batch_size", "micro_train_batch_size"),
    "micro_rollout": ("rollout.micro_batch_size", "micro_rollout_batch_size"),
    "multiturn": ("data.multiturn", "multiturn"),
    "packing": ("ds.packing_samples", "packing_samples"),
    "partial_rollout": ("train.partial_rollout_enable", "partial_rollout"),
    "ref_gpus_per_node": ("ref.num_gpus_per_node", "ref_num_gpus_per_node"),
    "ref_nodes": ("ref.num_nodes", "ref_num_nodes"),
    "remote_reward": ("reward.remote_url", "remote_rm_url"),
    "reward_model": ("reward.model_name_or_path", "reward_pretrain"),
    "critic_model": ("critic.model_name_or_path", "critic_pretrain"),
    "reward_gpus_per_node": ("reward.num_gpus_per_node", "reward_num_gpus_per_node"),
    "reward_nodes": ("reward.num_nodes", "reward_num_nodes"),
    "ring_size": ("ds.ring_attn_size", "ring_attn_size"),
    "rollout": ("rollout.batch_size", "rollout_batch_size"),
    "samples": ("rollout.n_samples_per_prompt", "n_samples_per_prompt"),
    "sleep": ("vllm.enable_sleep", "vllm_enable_sleep"),
    "sync_backend": ("vllm.sync_backend", "vllm_sync_backend"),
    "train_batch": ("train.batch_size", "train_batch_size"),
    "tensor_parallel": ("ds.tensor_parallel_size", "ds_tensor_parallel_size"),
    "vllm_generate": ("rollout.vllm_generate_batch_size", "vllm_generate_batch_size"),
    "vllm_parallel": ("vllm.tensor_parallel_size", "vllm_tensor_parallel_size"),
    "eval_data": ("eval.dataset", "eval_dataset"),
    "zero_stage": ("ds.zero_stage", "zero_stage"),
    "colocate_critic_reward": ("train.colocate_critic_reward", "colocate_critic_reward"),
}


def value_of(view: View, asked: Asked, names: tuple[str, ...]) -> Any:
    """What the program gets for an option; `MISSING` without the option, or without a value."""
    root = view.document.root
    program = program_of(root)
    if not program:
        return UNKNOWN
    framework = variant(load_framework("openrlhf"), kind=program)
    keys = framework.release_keys(asked.environment.release)
    for name in names:
        node = view.document.node(tuple(name.split(".")))
        if node is not None:
            value = to_python(node)
            return UNKNOWN if isinstance(value, Unexpanded) else _converted(framework, name, value)
    if view.document.hides_keys:
        return UNKNOWN
    for name in names:
        section, _, last = name.rpartition(".")
        if keys.standing(section, last).ordinary:
            value = keys.default_of(framework.file_kind.fields.get(section, {}).get(last, {}))
            return MISSING if value is None else value
    return MISSING


def _converted(framework: Framework, name: str, value: Any) -> Any:
    """A word as the type of its option makes of it; `UNKNOWN` for one that is no number and has to be."""
    path = tuple(name.split("."))
    found = framework.parsing.coerce(path, value)
    kinds = split_type(framework.keys.type_at(path) or "")
    return UNKNOWN if isinstance(found, str) and {"int", "float"}.intersection(kinds) else found


def _option(names: tuple[str, ...]) -> Callable[[View, Asked, bool], Any]:
    def value(view: View, asked: Asked, _assume: bool) -> Any:
        return value_of(view, asked, names)

    return value


def _numbers(view: View, asked: Asked, *options: str) -> list[int] | None:
    """The whole numbers above zero that options have; None when one is not known."""
    found = [value_of(view, asked, _OPTIONS[one]) for one in options]
    whole = all(isinstance(one, int) and not isinstance(one, bool) and one > 0 for one in found)
    return found if whole else None


def _product(*options: str) -> Callable[[View, Asked, bool], Any]:
    def product(view: View, asked: Asked, _assume: bool) -> Any:
        numbers = _numbers(view, asked, *options)
        return UNKNOWN if numbers is None else numbers[0] * numbers[1]

    return product


def _batches(view: View, asked: Asked, _assume: bool) -> Any:
    """How many micro batches of answers a step has."""
    numbers = _numbers(view, asked, "samples", "rollout", "micro_rollout")
    return UNKNOWN if numbers is None else numbers[0] * numbers[1] // numbers[2]


def _processes(view: View, asked: Asked, _assume: bool) -> Any:
    """How many processes of the actor have rows of their own."""
    numbers = _numbers(view, asked, "actor_nodes", "actor_gpus_per_node", "ring_size")
    parallel = value_of(view, asked, _OPTIONS["tensor_parallel"])
    parallel = 1 if parallel is MISSING else parallel
    if numbers is None or not isinstance(parallel, int) or parallel < 1:
        return UNKNOWN
    return numbers[0] * numbers[1] // numbers[2] // parallel


def _gpus_asked(view: View, asked: Asked, _assume: bool) -> Any:
    """How many GPUs the actors of `train_ppo_ray` ask Ray for before a step; engines of their own included."""
    of = {name: value_of(view, asked, _OPTIONS[name]) for name in _SHARING}
    if any(one is UNKNOWN for one in of.values()):
        return UNKNOWN
    of = {name: None if one is MISSING else one for name, one in of.items()}
    if not isinstance(of["init_kl"], (int, float)):
        return UNKNOWN
    is_remote = bool(of["remote_reward"] or of["agent"])
    has_critic, has_reference = of["estimator"] == "gae", of["init_kl"] > 0
    shares = bool(of["colocate_all"])
    groups = [("actor_nodes", "actor_gpus_per_node")]
    if of["engines"] and not (shares and not of["async_train"]):
        groups.append(("engines", "vllm_parallel"))
    if has_reference and not (shares or of["colocate_actor_ref"]):
        groups.append(("ref_nodes", "ref_gpus_per_node"))
    if has_critic and not shares:
        groups.append(("critic_nodes", "critic_gpus_per_node"))
    if not is_remote and not (shares or (has_critic and of["colocate_critic_reward"])):
        groups.append(("reward_nodes", "reward_gpus_per_node"))
    numbers = [_numbers(view, asked, *group) for group in groups]
    known = [one for one in numbers if one is not None]
    return sum(one[0] * one[1] for one in known) if len(known) == len(numbers) else UNKNOWN


def _no_reward_fits(view: View, asked: Asked, _assume: bool) -> Any:
    """Whether the rewards that dynamic filtering keeps begin where they end, or above."""
    found = value_of(view, asked, _OPTIONS["filtered_rewards"])
    if not isinstance(found, (list, tuple)) or len(found) != 2:
        return found if found is MISSING else UNKNOWN
    try:
        low, high = (float(one) for one in found)
    except (TypeError, ValueError):
        return UNKNOWN
    return low >= high


def _program(view: View, _asked: Asked, _assume: bool) -> Any:
    return command_of(view.document.root).removeprefix(MODULES) or MISSING


def _successor(view: View, _asked: Asked, _assume: bool) -> Any:
    """What does the work of a program that is not there, where that is certain."""
    program = command_of(view.document.root).removeprefix(MODULES)
    return (
        " `train_ppo_ray` is the one for all methods with rewards."
        if program in _OF_REWARDS
        else ""
    )


def _has_program(view: View, asked: Asked, _assume: bool) -> Any:
    """Whether the release has the program."""
    written = command_of(view.document.root)
    if is_module(written):
        # A fork may have modules of its own; these are names that are expected of OpenRLHF itself.
        name = written.removeprefix(MODULES)
        guess = None if name in _OF_REWARDS else Speller(kinds()).closest(name)
        is_meant = name in _OF_REWARDS or (guess is not None and guess.sure)
        return False if is_meant else UNKNOWN
    program = program_of(view.document.root)
    if not program:
        return UNKNOWN
    framework = variant(load_framework("openrlhf"), kind=program)
    return framework.release_keys(asked.environment.release).has_section("")


#: Programs that people expect, or that earlier releases had, for what one program does with an option.
_OF_REWARDS: Final = frozenset(
    {"train_ppo", "train_grpo", "train_grpo_ray", "train_rloo", "train_reinforce", "train_dapo"}
)
#: What decides which models of `train_ppo_ray` have GPUs of their own.
_SHARING: Final = (
    "agent",
    "async_train",
    "colocate_actor_ref",
    "colocate_all",
    "colocate_critic_reward",
    "engines",
    "estimator",
    "init_kl",
    "remote_reward",
)
_NEEDS = frozenset({has_value("program")})
DERIVED: Final = {
    name: Derived(function, _NEEDS)
    for name, function in {
        **{name: _option(names) for name, names in _OPTIONS.items()},
        "actor_gpus": _product("actor_nodes", "actor_gpus_per_node"),
        "batches": _batches,
        "gpus_asked": _gpus_asked,
        "has_program": _has_program,
        "no_reward_fits": _no_reward_fits,
        "processes": _processes,
        "program": _program,
        "successor": _successor,
        "vllm_gpus": _product("engines", "vllm_parallel"),
    }.items()
}
