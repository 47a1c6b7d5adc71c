"""What verl's own checks of a config refuse, as rules say it."""

from __future__ import annotations

from cfglint import lint_text
from tests.draws import each

PPO = "python3 -m verl.trainer.main_ppo"
ACTOR, ROLLOUT = "actor_rollout_ref.actor", "actor_rollout_ref.rollout"
MEGATRON = f"--config-name=ppo_megatron_trainer {ACTOR}.ppo_micro_batch_size_per_gpu=2"


def codes(words: str, release: str = "0.9.0") -> list[str]:
    found = lint_text(f"{PPO} {words}\n", path="run.sh", target=f"verl=={release}")
    return sorted({one.code for one in found.diagnostics if one.code.startswith("VRL")})


@each(
    ("words", "release", "found"),
    [
        # The size of a micro batch is asked for of what is examined: there is a critic with GAE.
        (f"{ACTOR}.use_dynamic_bsz=True", "0.9.0", []),
        (
            "critic.ppo_micro_batch_size=16 critic.ppo_micro_batch_size_per_gpu=2",
            "0.9.0",
            ["VRL030"],
        ),
        (
            "critic.ppo_micro_batch_size=16 critic.ppo_micro_batch_size_per_gpu=2 critic.enable=False",
            "0.9.0",
            [],
        ),
        (
            "critic.ppo_micro_batch_size=16 critic.ppo_micro_batch_size_per_gpu=2"
            " algorithm.adv_estimator=$WHICH",
            "0.9.0",
            [],
        ),
        # Up to 0.3 there was no asking for a reference model.
        (
            "actor_rollout_ref.ref.log_prob_micro_batch_size=8"
            " actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu=2",
            "0.3.0.post1",
            ["VRL029"],
        ),
        (
            "actor_rollout_ref.ref.log_prob_micro_batch_size=8"
            " actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu=2",
            "0.4.0",
            [],
        ),
        # The GPUs of one copy of the model.
        (f"{MEGATRON} {ACTOR}.megatron.tensor_model_parallel_size=3", "0.9.0", ["VRL038"]),
        (f"{MEGATRON} {ACTOR}.megatron.tensor_model_parallel_size=$TP", "0.9.0", []),
        (
            f"{MEGATRON} {ACTOR}.megatron.tensor_model_parallel_size=3 {ACTOR}.use_dynamic_bsz=True",
            "0.9.0",
            [],
        ),
        (
            f"{MEGATRON} {ACTOR}.megatron.tensor_model_parallel_size=3 {ACTOR}.use_dynamic_bsz=True",
            "0.5.0",
            ["VRL038"],
        ),
        # fsdp2 was not looked at before 0.5.
        (
            f"{ACTOR}.ulysses_sequence_parallel_size=2 {ACTOR}.strategy=fsdp2"
            " actor_rollout_ref.model.use_remove_padding=False",
            "0.4.1",
            [],
        ),
        (
            f"{ACTOR}.ulysses_sequence_parallel_size=2 {ACTOR}.strategy=fsdp2"
            " actor_rollout_ref.model.use_remove_padding=False",
            "0.9.0",
            ["VRL015"],
        ),
        # Answers are shared by GPUs whatever the size of micro batches, before 0.6.
        (f"data.train_batch_size=1023 {ACTOR}.use_dynamic_bsz=True", "0.5.0", ["VRL011"]),
        (f"data.train_batch_size=1023 {ACTOR}.use_dynamic_bsz=True", "0.9.0", []),
        # A rank that is set twice: that of `lora` is the first.
        (
            f"{ROLLOUT}.name=vllm actor_rollout_ref.model.lora.rank=8"
            " actor_rollout_ref.model.lora_rank=1024",
            "0.9.0",
            [],
        ),
        (f"{ROLLOUT}.name=vllm actor_rollout_ref.model.lora.rank=1024", "0.9.0", ["VRL042"]),
        # One that is merged into the weights is loaded by none.
        (
            f"{ROLLOUT}.name=vllm actor_rollout_ref.model.lora_rank=1024 actor_rollout_ref.model.lora.merge=True",
            "0.9.0",
            [],
        ),
        (
            f"{ROLLOUT}.name=vllm actor_rollout_ref.model.lora_rank=1024 +actor_rollout_ref.model.lora.merge=True",
            "0.7.0",
            ["VRL042", "VRL841"],
        ),
        (
            f"--config-name=ppo_megatron_trainer {ROLLOUT}.name=vllm actor_rollout_ref.model.lora.rank=1024",
            "0.7.0",
            [],
        ),
        (f"{ROLLOUT}.name=trtllm {ROLLOUT}.expert_parallel_size=4", "0.7.0", ["VRL044"]),
        (f"{ROLLOUT}.name=trtllm {ROLLOUT}.expert_parallel_size=4", "0.9.0", []),
        (f"{ACTOR}.loss_agg_mode=token-sum", "0.8.0", ["VRL054"]),
        (f"{ACTOR}.loss_agg_mode=token-sum", "0.9.0", []),
    ],
)
def test_what_is_examined(words: str, release: str, found: list[str]) -> None:
    assert codes(words, release) == found


@each(
    ("words", "release", "found"),
    [
        (f"+{ACTOR}.note=1", "0.9.0", ["VRL055"]),
        (f"+{ACTOR}.note=1", "0.5.0", []),
        (f"+{ACTOR}.note.inner=1", "0.9.0", ["VRL055"]),
        # A field of the class that the config does not have.
        (f"+{ACTOR}.global_batch_info={{}}", "0.9.0", []),
        # A mapping takes any key, and the trainer's section has no class.
        (f"+{ROLLOUT}.engine_kwargs.vllm.note=1 +trainer.note=1", "0.9.0", []),
        # Megatron's config names no class of the model, which has one all the same.
        (f"{MEGATRON} +actor_rollout_ref.model.note=1", "0.6.0", ["VRL055"]),
        ("+critic.note=1", "0.9.0", ["VRL055"]),
        (f"+critic.note=1 algorithm.adv_estimator=grpo {ROLLOUT}.n=8", "0.9.0", []),
        (
            f"+critic.note=1 critic.enable=True algorithm.adv_estimator=grpo {ROLLOUT}.n=8",
            "0.9.0",
            ["VRL055"],
        ),
    ],
)
def test_keys_of_classes(words: str, release: str, found: list[str]) -> None:
    assert codes(words, release) == found


def test_the_closest_field_is_named() -> None:
    text = f"{PPO} +{ROLLOUT}.max_model_length=8\n"
    (found,) = lint_text(text, path="run.sh", target="verl==0.9.0").diagnostics
    assert "Did you mean `max_model_len`?" in found.message


def test_a_field_of_another_release_is_a_warning_where_none_is_stated() -> None:
    text = f"{PPO} +{ROLLOUT}.load_balance=1 +{ROLLOUT}.skip_rollout=1\n"
    found = lint_text(text, path="run.sh").diagnostics
    assert [one.severity for one in found if one.code == "VRL055"] == ["warning", "warning"]
