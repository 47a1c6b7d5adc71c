"""Failures that users reported, rebuilt: each is named by what is found."""

from __future__ import annotations

from cfglint import lint_text
from tests.draws import each

_ACTOR, _ROLLOUT = "actor_rollout_ref.actor", "actor_rollout_ref.rollout"
REPORTED = [
    # A key of an older release: issue 1080 of verl.
    (f"{_ACTOR}.fsdp_config.grad_offload=False", "0.4.0", "KEY001", "grad_offload"),
    # The same, from documentation: SwanLab-Docs PR 170.
    ("trainer.val_generations_to_log_to_wandb=1", "0.4.0", "KEY0", "val_generations"),
    # Fewer prompts than a mini batch: PR 559, issue 2 of open-proof-corpus, 119 of verl-agent.
    (f"data.train_batch_size=16 {_ACTOR}.ppo_mini_batch_size=256", "0.9.0", "VRL010", "256"),
    # A mini batch that becomes 0: issue 43 of TTRL.
    (f"{_ACTOR}.ppo_mini_batch_size=1 trainer.n_gpus_per_node=2", "0.4.1", "VRL057", "becomes 0"),
    # A mini batch that micro batches do not fill: PR 833.
    (
        f"{_ACTOR}.ppo_mini_batch_size=64 {_ACTOR}.ppo_micro_batch_size_per_gpu=3",
        "0.4.1",
        "VRL058",
        "not a multiple",
    ),
    # Shared sequences with padding: PR 1136.
    (
        f"{_ACTOR}.ulysses_sequence_parallel_size=2 actor_rollout_ref.model.use_remove_padding=False",
        "0.9.0",
        "VRL015",
        "use_remove_padding",
    ),
    # Too few tokens for a batch: EasyR1 PR 3425.
    ("data.max_response_length=16384", "0.5.0", "VRL059", "max_num_batched_tokens"),
    # A key in the wrong section: PR 4773.
    (f"{_ROLLOUT}.ppo_micro_batch_size_per_gpu=2", "0.7.0", "KEY0", "ppo_micro_batch_size_per_gpu"),
]


@each(("words", "release", "code", "said"), REPORTED)
def test_a_reported_failure_is_named(words: str, release: str, code: str, said: str) -> None:
    text = f"python3 -m verl.trainer.main_ppo {words}\n"
    found = lint_text(text, path="run.sh", target=f"verl=={release}").diagnostics
    assert [one for one in found if one.code.startswith(code) and said in one.message]
