"""What verl's workers hold against each other once they run."""

from __future__ import annotations

from cfglint import lint_text
from tests.draws import each

PPO = "python3 -m verl.trainer.main_ppo"
ACTOR, ROLLOUT, REF, MODEL = (
    f"actor_rollout_ref.{name}" for name in ("actor", "rollout", "ref", "model")
)
LONG = "data.max_prompt_length=2048 data.max_response_length=4096"
DYNAMIC = f"{ACTOR}.use_dynamic_bsz=True {LONG}"
DAPO = (
    "reward_model.reward_manager=dapo +reward_model.reward_kwargs.overlong_buffer_cfg.enable=True"
)
BUFFER = "+reward_model.reward_kwargs.overlong_buffer_cfg.len"


def codes(words: str, release: str) -> list[str]:
    found = lint_text(f"{PPO} {words}\n", path="run.sh", target=f"verl=={release}").diagnostics
    return [one.code for one in found]


@each(
    ("words", "release", "found"),
    [
        # verl: "max_token_len must be greater than the sequence length".
        (f"{DYNAMIC} {ACTOR}.ppo_max_token_len_per_gpu=4096", "0.7.1", ["VRL065"]),
        (f"{DYNAMIC} {ACTOR}.ppo_max_token_len_per_gpu=4096", "0.9.0", ["VRL069"]),
        (f"{DYNAMIC} {ACTOR}.ppo_max_token_len_per_gpu=6144", "0.7.1", []),
        (f"{DYNAMIC} {ACTOR}.ppo_max_token_len_per_gpu=$N", "0.7.1", []),
        (f"{DYNAMIC} {ACTOR}.ppo_max_token_len_per_gpu=4096 {ACTOR}.strategy=megatron", "0.7.0", []),
        (f"{DYNAMIC} {ACTOR}.ppo_max_token_len_per_gpu=3072 {ACTOR}.ulysses_sequence_parallel_size=2 actor_rollout_ref.model.use_remove_padding=True", "0.6.1", []),
        (f"{DYNAMIC} {ROLLOUT}.log_prob_max_token_len_per_gpu=4096", "0.4.0", ["VRL066"]),
        (f"{DYNAMIC} {ROLLOUT}.log_prob_max_token_len_per_gpu=4096", "0.7.1", ["VRL066"]),
        (f"{DYNAMIC} {ROLLOUT}.log_prob_max_token_len_per_gpu=4096 trainer.use_legacy_worker_impl=disable", "0.7.1", []),
        (f"{DYNAMIC} {ROLLOUT}.log_prob_max_token_len_per_gpu=4096 algorithm.rollout_correction.bypass_mode=True", "0.7.1", []),
        (f"{DYNAMIC} {REF}.log_prob_max_token_len_per_gpu=4096", "0.4.0", []),
        (f"{DYNAMIC} {ACTOR}.use_kl_loss=True {REF}.log_prob_max_token_len_per_gpu=4096", "0.4.0", ["VRL067"]),
        # With LoRA the actor without its adapter is the reference, in micro batches of its own.
        (f"{DYNAMIC} {ACTOR}.use_kl_loss=True {REF}.log_prob_max_token_len_per_gpu=4096 {MODEL}.lora_rank=8", "0.4.0", []),
        (f"{DYNAMIC} {ACTOR}.use_kl_loss=True {REF}.log_prob_max_token_len_per_gpu=4096 {MODEL}.lora_rank=$R", "0.4.0", []),
        (f"{DYNAMIC} {ACTOR}.use_kl_loss=True {REF}.log_prob_max_token_len_per_gpu=4096 {MODEL}.lora_rank=0", "0.4.0", ["VRL067"]),
        (f"critic.use_dynamic_bsz=True {LONG} critic.ppo_max_token_len_per_gpu=4096", "0.4.0", ["VRL068"]),
        (f"critic.use_dynamic_bsz=True {LONG} critic.ppo_max_token_len_per_gpu=4096 critic.enable=False", "0.6.0", []),
        # Issues 1191 and 1785 of verl: an engine on two GPUs, of one.
        (f"trainer.n_gpus_per_node=1 {ROLLOUT}.name=vllm", "0.9.0", ["VRL070"]),
        (f"trainer.n_gpus_per_node=1 {ROLLOUT}.name=hf", "0.5.0", []),
        (f"trainer.n_gpus_per_node=1 {ROLLOUT}.name=vllm {ROLLOUT}.nnodes=1", "0.9.0", []),
        (f"{ROLLOUT}.tensor_model_parallel_size=4 {ROLLOUT}.name=vllm {ROLLOUT}.data_parallel_size=4", "0.7.0", ["VRL070"]),
        ("trainer.resume_mode=resume_path", "0.5.0", ["VRL071"]),
        ("trainer.resume_mode=resume_path trainer.resume_from_path=$X", "0.5.0", []),
        ("trainer.resume_mode=resume_path trainer.resume_from_path=out", "0.5.0", ["VRL072"]),
        ("trainer.val_only=True trainer.val_before_train=False", "0.5.0", ["VRL073"]),
        ("trainer.val_only=$X trainer.val_before_train=False", "0.5.0", []),
        # Its config does not have the key, and the trainer validates without.
        ("+trainer.val_only=True", "0.3.0.post1", []),
        ("+trainer.val_only=True +trainer.val_before_train=False", "0.3.0.post1", ["VRL073"]),
        (f"{ROLLOUT}.enforce_eager=False", "0.4.1", ["VRL074"]),
        (f"{ROLLOUT}.enforce_eager=False", "0.5.0", []),
        # The server of vLLM does not look, that of SGLang does.
        (f"{ROLLOUT}.enforce_eager=False {ROLLOUT}.name=vllm {ROLLOUT}.mode=async", "0.4.1", []),
        (f"{ROLLOUT}.enforce_eager=False {ROLLOUT}.name=sglang {ROLLOUT}.mode=async", "0.4.1", ["VRL074"]),
        (f"algorithm.adv_estimator=grpo {ROLLOUT}.n=1", "0.5.0", ["VRL075"]),
        (f"algorithm.adv_estimator=grpo {ROLLOUT}.n=$N", "0.5.0", []),
        # Copies for agents count the answers of a group with keys of their own.
        ("algorithm.adv_estimator=grpo env.rollout.n=8", "0.5.0", ["KEY001"]),
        (f"algorithm.adv_estimator=grpo {ROLLOUT}.n_agent=8", "0.5.0", ["KEY001"]),
        (f"{DAPO} {BUFFER}=8 +reward_model.reward_kwargs.max_resp_len=4", "0.5.0", ["VRL076"]),
        (f"{DAPO} {BUFFER}=8", "0.5.0", ["VRL077"]),
        (f"{DAPO} {BUFFER}=8 +reward_model.reward_kwargs.max_resp_len=8", "0.5.0", []),
    ],
)  # fmt: skip
def test_limits(words: str, release: str, found: list[str]) -> None:
    assert codes(words, release) == found


def test_recipe_of_dapo_takes_the_length_from_the_data() -> None:
    words = f"recipe.dapo.main_dapo {DAPO} {BUFFER}=8"
    found = lint_text(f"python3 -m {words}\n", path="run.sh", target="verl==0.6.1").diagnostics
    assert "VRL077" not in [one.code for one in found]
