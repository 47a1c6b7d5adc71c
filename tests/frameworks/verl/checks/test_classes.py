"""Keys that a word adds, and the class of their section does not have."""

from __future__ import annotations

from collections.abc import Mapping

from cfglint.frameworks.verl.checks.classes import CHECKS
from tests.draws import each
from tests.linting import lint_in, messages
from tests.shipped import codes_of

CODES = codes_of(CHECKS)
BASE = "python3 -m verl.trainer.main_ppo data.train_batch_size=8 "


def said(words: str, release: str, files: Mapping[str, str]) -> list[str]:
    target = (f"verl=={release}",) if release else ()
    found = lint_in(
        files, BASE + words, name="run.sh", framework="verl", select=CODES, target=target
    )
    return messages(found)


@each(
    ("words", "release", "files", "expected"),
    [
        (
            "+actor_rollout_ref.actor.ppo_note=1\n",
            "0.8.0",
            {},
            [
                'error: verl 0.8.0 makes a `FSDPActorConfig` of this section, which takes no `ppo_note`: it ends with "unexpected keyword argument".'
            ],
        ),
        (
            "++actor_rollout_ref.actor.note.inner=1\n",
            "0.8.0",
            {},
            [
                'error: verl 0.8.0 makes a `FSDPActorConfig` of this section, which takes no `note`: it ends with "unexpected keyword argument".'
            ],
        ),
        ("actor_rollout_ref.actor.note=1\n", "0.8.0", {}, []),
        (
            "+actor_rollout_ref.actor.ppo_mini_batch_sizes=1\n",
            "0.8.0",
            {},
            [
                'error: verl 0.8.0 makes a `FSDPActorConfig` of this section, which takes no `ppo_mini_batch_sizes`: it ends with "unexpected keyword argument". Did you mean `ppo_mini_batch_size`?'
            ],
        ),
        ("++actor_rollout_ref.actor.ppo_mini_batch_size=1\n", "0.8.0", {}, []),
        (
            "+actor_rollout_ref.rollout.note=1\n",
            "0.8.0",
            {},
            [
                'error: verl 0.8.0 makes a `RolloutConfig` of this section, which takes no `note`: it ends with "unexpected keyword argument".'
            ],
        ),
        (
            "++actor_rollout_ref.rollout.agent.note.first=1\n",
            "0.8.0",
            {},
            [
                'error: verl 0.8.0 makes a `AgentLoopConfig` of this section, which takes no `note`: it ends with "unexpected keyword argument".'
            ],
        ),
        ("+actor_rollout_ref.rollout.engine_kwargs.vllm.note=1\n", "0.8.0", {}, []),
        (
            "+actor_rollout_ref.model.note=1\n",
            "0.8.0",
            {},
            [
                'error: verl 0.8.0 makes a `HFModelConfig` of this section, which takes no `note`: it ends with "unexpected keyword argument".'
            ],
        ),
        (
            "+actor_rollout_ref.model.lora_rnk=1\n",
            "0.8.0",
            {},
            [
                'error: verl 0.8.0 makes a `HFModelConfig` of this section, which takes no `lora_rnk`: it ends with "unexpected keyword argument". Did you mean `lora_rank`?'
            ],
        ),
        (
            "+critic.note=1\n",
            "0.8.0",
            {},
            [
                'error: verl 0.8.0 makes a `FSDPCriticConfig` of this section, which takes no `note`: it ends with "unexpected keyword argument".'
            ],
        ),
        ("+critic.note=1 algorithm.adv_estimator=grpo\n", "0.8.0", {}, []),
        (
            "+critic.note=1 algorithm.adv_estimator=grpo critic.enable=True\n",
            "0.8.0",
            {},
            [
                'error: verl 0.8.0 makes a `FSDPCriticConfig` of this section, which takes no `note`: it ends with "unexpected keyword argument".'
            ],
        ),
        ("+critic.note=1 critic.enable=False\n", "0.8.0", {}, []),
        ('+critic.note=1 "$@"\n', "0.8.0", {}, []),
        ("+trainer.note=1\n", "0.8.0", {}, []),
        ("~actor_rollout_ref.actor.note\n", "0.8.0", {}, []),
        (
            "+actor_rollout_ref.actor.a=1 +actor_rollout_ref.actor.b=2\n",
            "0.8.0",
            {},
            [
                'error: verl 0.8.0 makes a `FSDPActorConfig` of this section, which takes no `a`: it ends with "unexpected keyword argument".',
                'error: verl 0.8.0 makes a `FSDPActorConfig` of this section, which takes no `b`: it ends with "unexpected keyword argument".',
            ],
        ),
        ("+actor_rollout_ref.actor.ppo_note=1\n", "0.3.0", {}, []),
        (
            "+actor_rollout_ref.actor.ppo_note=1\n",
            "",
            {},
            [
                'warning: verl 0.9.1 makes a `FSDPActorConfig` of this section, which takes no `ppo_note`: it ends with "unexpected keyword argument". No file states the release, and verl 0.3.0.post1 is not known to have this error.'
            ],
        ),
        (
            "+actor_rollout_ref.actor.use_prefix_grouper=True\n",
            "0.6.0",
            {},
            [
                'error: verl 0.6.0 makes a `FSDPActorConfig` of this section, which takes no `use_prefix_grouper`: it ends with "unexpected keyword argument".'
            ],
        ),
        ("+actor_rollout_ref.actor.use_prefix_grouper=True\n", "", {}, []),
    ],
)
def test_findings(words: str, release: str, files: Mapping[str, str], expected: list[str]) -> None:
    assert said(words, release, files) == expected
