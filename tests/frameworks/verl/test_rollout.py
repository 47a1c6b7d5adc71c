"""What is asked of a rollout, where the script says it and where it does not."""

from __future__ import annotations

from cfglint import lint_text
from tests.draws import each

PPO = "python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm data.max_prompt_length=2048"


@each(
    ("words", "found"),
    [
        ("data.max_response_length=16384", ["VRL059"]),
        ("data.max_response_length=1024", []),
        ("data.max_response_length=16384 actor_rollout_ref.rollout.max_model_len=4096", []),
        ("data.max_response_length=1024 actor_rollout_ref.rollout.max_model_len=16384", ["VRL059"]),
        # What the shell decides, nobody here knows.
        ("data.max_response_length=16384 actor_rollout_ref.rollout.max_model_len=$LONGEST", []),
        ("data.max_response_length=$LENGTH", []),
        ("data.max_response_length=16384 actor_rollout_ref.rollout.enable_chunked_prefill=$ON", []),
    ],
)
def test_a_batch_holds_the_longest_answer(words: str, found: list[str]) -> None:
    report = lint_text(f"{PPO} {words}\n", path="run.sh", target="verl==0.5.0")
    assert [one.code for one in report.diagnostics if one.code in ("VRL059", "CFG003")] == found
