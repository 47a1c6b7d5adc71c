"""What follows from several settings: models that share GPUs, batches, programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cfglint.frameworks.openrlhf.derived import DERIVED
from tests.draws import each
from tests.frameworks.deriving import derived

BASE = ""


def values(
    names: str, text: str, release: str = "0.8.0", files: Mapping[str, str] = {}
) -> list[Any]:
    target = (f"openrlhf=={release}",) if release else ()
    return derived(
        DERIVED,
        names.split(),
        BASE + text,
        framework="openrlhf",
        name="run.sh",
        target=target,
        files=files,
    )


@each(
    ("names", "text", "expected"),
    [
        (
            "actor_gpus batches gpus_asked processes vllm_gpus estimator init_kl",
            "python3 -m openrlhf.cli.train_ppo_ray --pretrain a\n",
            [8, 128, 32, 8, "unknown", "gae", 0.01],
        ),
        (
            "actor_gpus batches gpus_asked processes vllm_gpus estimator init_kl",
            "python3 -m openrlhf.cli.train_ppo_ray --actor_num_nodes 2 --actor_num_gpus_per_node 4\n",
            [8, 128, 32, 8, "unknown", "gae", 0.01],
        ),
        (
            "actor_gpus batches gpus_asked processes vllm_gpus estimator init_kl",
            "python3 -m openrlhf.cli.train_ppo_ray --actor_num_nodes 0 --actor_num_gpus_per_node 4\n",
            ["unknown", 128, "unknown", "unknown", "unknown", "gae", 0.01],
        ),
        (
            "actor_gpus batches gpus_asked processes vllm_gpus estimator init_kl",
            "python3 -m openrlhf.cli.train_ppo_ray --actor_num_nodes 1 --actor_num_gpus_per_node 8 --ring_attn_size 2\n",
            [8, 128, 32, 4, "unknown", "gae", 0.01],
        ),
        (
            "actor_gpus batches gpus_asked processes vllm_gpus estimator init_kl",
            "python3 -m openrlhf.cli.train_ppo_ray --actor_num_nodes 1 --actor_num_gpus_per_node 8 --ring_attn_size 2 --ds_tensor_parallel_size 2\n",
            [8, 128, 32, 2, "unknown", "gae", 0.01],
        ),
        *(
            (
                "actor_gpus processes",
                f"python3 -m openrlhf.cli.train_ppo_ray --actor_num_nodes 1 --ds_tensor_parallel_size {size}\n",
                [8, expected],
            )
            for size, expected in (("4", 2), ("0", "unknown"), ("$N", "unknown"), ("x", "unknown"))
        ),
        (
            "actor_gpus batches gpus_asked processes vllm_gpus estimator init_kl",
            "python3 -m openrlhf.cli.train_ppo_ray --actor_num_nodes $N --actor_num_gpus_per_node 8\n",
            ["unknown", 128, "unknown", "unknown", "unknown", "gae", 0.01],
        ),
        (
            "actor_gpus batches gpus_asked processes vllm_gpus estimator init_kl",
            "python3 -m openrlhf.cli.train_ppo_ray --actor_num_gpus_per_node x\n",
            ["unknown", 128, "unknown", "unknown", "unknown", "gae", 0.01],
        ),
        (
            "actor_gpus batches gpus_asked processes vllm_gpus estimator init_kl",
            "python3 -m openrlhf.cli.train_ppo_ray --rollout_batch_size 64 --n_samples_per_prompt 4 --micro_rollout_batch_size 8\n",
            [8, 32, 32, 8, "unknown", "gae", 0.01],
        ),
        (
            "actor_gpus batches gpus_asked processes vllm_gpus estimator init_kl",
            "python3 -m openrlhf.cli.train_ppo_ray --vllm_num_engines 2 --vllm_tensor_parallel_size 4\n",
            [8, 128, 40, 8, 8, "gae", 0.01],
        ),
        (
            "actor_gpus batches gpus_asked processes vllm_gpus estimator init_kl",
            "python3 -m openrlhf.cli.train_ppo_ray --vllm_num_engines 2 --vllm_tensor_parallel_size 4 --colocate_all_models\n",
            [8, 128, 8, 8, 8, "gae", 0.01],
        ),
        (
            "actor_gpus batches gpus_asked processes vllm_gpus estimator init_kl",
            "python3 -m openrlhf.cli.train_ppo_ray --vllm_num_engines 2 --vllm_tensor_parallel_size 4 --colocate_all_models --async_train\n",
            [8, 128, 16, 8, 8, "gae", 0.01],
        ),
        (
            "actor_gpus batches gpus_asked processes vllm_gpus estimator init_kl",
            "python3 -m openrlhf.cli.train_ppo_ray --advantage_estimator reinforce --init_kl_coef 0\n",
            [8, 128, 16, 8, "unknown", "reinforce", 0.0],
        ),
        (
            "actor_gpus batches gpus_asked processes vllm_gpus estimator init_kl",
            "python3 -m openrlhf.cli.train_ppo_ray --advantage_estimator reinforce\n",
            [8, 128, 24, 8, "unknown", "reinforce", 0.01],
        ),
        (
            "actor_gpus batches gpus_asked processes vllm_gpus estimator init_kl",
            "python3 -m openrlhf.cli.train_ppo_ray --advantage_estimator reinforce --colocate_actor_ref\n",
            [8, 128, 16, 8, "unknown", "reinforce", 0.01],
        ),
        (
            "actor_gpus batches gpus_asked processes vllm_gpus estimator init_kl",
            "python3 -m openrlhf.cli.train_ppo_ray --remote_rm_url http://x\n",
            [8, 128, 24, 8, "unknown", "gae", 0.01],
        ),
        (
            "actor_gpus batches gpus_asked processes vllm_gpus estimator init_kl",
            "python3 -m openrlhf.cli.train_ppo_ray --agent_func_path a.py --init_kl_coef 0\n",
            [8, 128, 16, 8, "unknown", "gae", 0.0],
        ),
        (
            "actor_gpus batches gpus_asked processes vllm_gpus estimator init_kl",
            "python3 -m openrlhf.cli.train_ppo_ray --colocate_critic_reward\n",
            [8, 128, 24, 8, "unknown", "gae", 0.01],
        ),
        (
            "actor_gpus batches gpus_asked processes vllm_gpus estimator init_kl",
            "python3 -m openrlhf.cli.train_ppo_ray --colocate_critic_reward --advantage_estimator rloo\n",
            [8, 128, 24, 8, "unknown", "rloo", 0.01],
        ),
        (
            "actor_gpus batches gpus_asked processes vllm_gpus estimator init_kl",
            "python3 -m openrlhf.cli.train_ppo_ray --init_kl_coef $K\n",
            [8, 128, "unknown", 8, "unknown", "gae", "unknown"],
        ),
        (
            "actor_gpus batches gpus_asked processes vllm_gpus estimator init_kl",
            "python3 -m openrlhf.cli.train_ppo_ray --reward_num_gpus_per_node x\n",
            [8, 128, "unknown", 8, "unknown", "gae", 0.01],
        ),
        (
            "actor_gpus batches gpus_asked processes vllm_gpus estimator init_kl",
            'python3 -m openrlhf.cli.train_ppo_ray "$@"\n',
            ["unknown", "unknown", "unknown", "unknown", "unknown", "unknown", "unknown"],
        ),
        (
            "no_reward_fits",
            "python3 -m openrlhf.cli.train_ppo_ray --dynamic_filtering_reward_range 0 1\n",
            [False],
        ),
        (
            "no_reward_fits",
            "python3 -m openrlhf.cli.train_ppo_ray --dynamic_filtering_reward_range 1 1\n",
            [True],
        ),
        (
            "no_reward_fits",
            "python3 -m openrlhf.cli.train_ppo_ray --dynamic_filtering_reward_range 1 0\n",
            [True],
        ),
        (
            "no_reward_fits",
            "python3 -m openrlhf.cli.train_ppo_ray --dynamic_filtering_reward_range 1 x\n",
            ["unknown"],
        ),
        ("no_reward_fits", "python3 -m openrlhf.cli.train_ppo_ray \n", ["missing"]),
        (
            "program successor has_program",
            "python3 -m openrlhf.cli.train_ppo_ray \n",
            ["train_ppo_ray", "", True],
        ),
        (
            "program successor has_program",
            "python3 -m openrlhf.cli.train_ppo --a\n",
            ["train_ppo", " `train_ppo_ray` is the one for all methods with rewards.", False],
        ),
        (
            "program successor has_program",
            "python3 -m openrlhf.cli.train_grpo --a\n",
            ["train_grpo", " `train_ppo_ray` is the one for all methods with rewards.", False],
        ),
        (
            "program successor has_program",
            "python3 -m openrlhf.cli.train_sftt --a\n",
            ["train_sftt", "", False],
        ),
        (
            "program successor has_program",
            "python3 -m openrlhf.cli.mine --a\n",
            ["mine", "", "unknown"],
        ),
        (
            "multiturn apply_chat_template packing zero_stage",
            "deepspeed --module openrlhf.cli.train_sft --multiturn --zero_stage 3 --pretrain a\n",
            [True, False, False, 3],
        ),
    ],
)
def test_values(names: str, text: str, expected: Sequence[Any]) -> None:
    assert values(names, text) == expected


@each(
    ("names", "text", "release", "files", "expected"),
    [
        (
            "has_program",
            "deepspeed --module openrlhf.cli.train_sft --pretrain a\n",
            "",
            {},
            [True],
        ),
        (
            "has_program",
            "python3 -m openrlhf.cli.train_ppo --pretrain a\n",
            "",
            {},
            [False],
        ),
        (
            "has_program",
            "deepspeed --module openrlhf.cli.train_kto --pretrain a\n",
            "0.8.0",
            {},
            [True],
        ),
        (
            "has_program",
            "deepspeed --module openrlhf.cli.train_kto --pretrain a\n",
            "0.10.2",
            {},
            [False],
        ),
        (
            "train_batch zero_stage",
            "deepspeed --module openrlhf.cli.train_sft --train.batch_size 8 --ds.zero_stage 3\n",
            "0.10.2",
            {},
            [8, 3],
        ),
        (
            "gpus_asked",
            "python3 -m openrlhf.cli.train_ppo_ray --actor.num_nodes 2\n",
            "0.10.2",
            {},
            [40],
        ),
    ],
)
def test_releases_and_projects(
    names: str, text: str, release: str, files: Mapping[str, str], expected: Sequence[Any]
) -> None:
    assert values(names, text, release, files) == expected
