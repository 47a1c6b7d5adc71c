"""Steps of migrations for keys that have, or had, another name, and for what nothing else can be done."""

from __future__ import annotations

from cfglint.engine.migration.one_text import migrate
from cfglint.roles.framework import load_framework
from cfglint.source.text import SourceText
from tests.draws import each
from tests.linting import environment

BASE = """\
base_model: NousResearch/Llama-3.2-1B
datasets:
  - path: ./data/train.jsonl
    type: alpaca
micro_batch_size: 2
gradient_accumulation_steps: 4
learning_rate: 0.0001
"""


def told(lines: str, release: str) -> tuple[str, list[str]]:
    """What all steps make of some lines, and the steps with what a person is asked, and what is left."""
    target = environment([f"axolotl=={release}"])
    source = SourceText.from_str(BASE + lines)
    found = migrate(source, load_framework("axolotl"), target, unsafe=True)
    steps = [
        f"{one.code} {'' if one.safe else 'unsafe '}{one.title}{one.look_at and f': {one.look_at}'}"
        for one in found.steps
    ]
    steps += [f"left {one.code}: {one.why}" for one in found.left]
    return found.result.text.removeprefix(BASE), steps


@each(
    ("lines", "release", "expected", "steps"),
    [
        (
            "dataset_processes: 8\n",
            "0.21.0",
            "dataset_num_proc: 8\n",
            ["MIG002 Use dataset_num_proc"],
        ),
        ("dataset_processes: 8\n", "0.12.2", "dataset_processes: 8\n", []),
        ("dataset_processes:\n", "0.21.0", "", ["MIG001 Delete this line"]),
        ("dataset_processes:\nflash_attention:\n", "0.21.0", "", ["MIG001 Delete these 2 lines"]),
        ("dataset_processes:\n", "0.12.2", "dataset_processes:\n", []),
        (
            "dataset_processes: 4\ndataset_num_proc:\n",
            "0.21.0",
            "dataset_num_proc: 4\n",
            ["MIG002 Use dataset_num_proc"],
        ),
        (
            "sdp_attention: true\nattn_implementation: sdpa\n",
            "0.21.0",
            "attn_implementation: sdpa\n",
            ["MIG002 Delete it; attn_implementation has the same value"],
        ),
        (
            "sdp_attention: true\nattn_implementation: eager\n",
            "0.21.0",
            "attn_implementation: eager\n",
            [
                "MIG002 unsafe Delete it: `attn_implementation` has another value: is that the intended one?"
            ],
        ),
        (
            "sdp_attention: true\nattn_implementation:\n",
            "0.21.0",
            "attn_implementation: sdpa\n",
            ["MIG002 Use attn_implementation"],
        ),
        ("flash_attention: false\n", "0.21.0", "", ["MIG002 Delete it"]),
        ("flash_attention: 1\n", "0.21.0", "flash_attention: 1\n", []),
        (
            "team_number: 12\n",
            "0.21.0",
            "",
            [
                "MIG999 unsafe Delete it: Does another program read `team_number`, or does what it requests have to be set in another way?"
            ],
        ),
        ("team_number:\n", "0.21.0", "team_number:\n", []),
        (
            "team_number: 12\nplugins: [team.Plugin]\n",
            "0.21.0",
            "team_number: 12\nplugins: [team.Plugin]\n",
            [],
        ),
        ("seed: ''\n", "0.21.0", "", ["MIG998 Delete it"]),
        (
            "seed: abc\n",
            "0.21.0",
            "",
            [
                "MIG998 unsafe Delete it: What was the value meant to do? Without the line, the default of the release applies."
            ],
        ),
        (
            "sequence_len: {a: 1}\n",
            "0.21.0",
            "",
            [
                "MIG998 unsafe Delete it: What was the value meant to do? Without the line, the default of the release applies."
            ],
        ),
        ("wandb_name: 12\n", "0.21.0", 'wandb_name: "12"\n', ["TYP001 Quote it"]),
        (
            "base_model: [a]\n",
            "0.21.0",
            "base_model: [a]\n",
            ["left TYP001: no step can resolve it"],
        ),
        ("plugins: a.B, c.D\n", "0.21.0", "plugins: [a.B, c.D]\n", ["TYP001 Write [a.B, c.D]"]),
        (
            "attn_implementation: eager\n",
            "0.16.1",
            "eager_attention: true\n",
            ["MIG003 Use eager_attention"],
        ),
        ("attn_implementation: own\n", "0.16.1", "attn_implementation: own\n", []),
        ("attn_implementation:\n", "0.16.1", "attn_implementation:\n", []),
        (
            "dataset_num_proc: 8\ndataset_processes: 4\n",
            "0.12.2",
            "dataset_processes: 4\n",
            [
                "MIG003 unsafe Delete it: `dataset_processes` has another value: is that the intended one?"
            ],
        ),
        (
            "dataset_num_proc: 8\ndataset_processes: 8\n",
            "0.12.2",
            "dataset_processes: 8\n",
            ["MIG003 Delete it; dataset_processes has the same value"],
        ),
        (
            "dataset_num_proc: 8\ndataset_processes:\n",
            "0.12.2",
            "dataset_processes: 8\n",
            ["MIG003 Use dataset_processes"],
        ),
        (
            "coreweave: {a: 1}\n",
            "0.20.0",
            "coreweave: {a: 1}\n",
            ["left KEY006: no step can resolve it"],
        ),
        (
            "relora_steps: 10\n",
            "0.21.0",
            "",
            [
                "MIG999 unsafe Delete it: Does another program read `relora_steps`, or does what it requests have to be set in another way?"
            ],
        ),
        (
            "rl: grpo\ntrl: {use_vllm: true, nothing: 1}\n",
            "0.21.0",
            "rl: grpo\ntrl: {use_vllm: true}\n",
            [
                "MIG999 unsafe Delete it: Does another program read `nothing`, or does what it requests have to be set in another way?"
            ],
        ),
        (
            "sequence_parallel_degree: 2\n",
            "0.21.0",
            "context_parallel_size: 2\n",
            ["MIG002 Use context_parallel_size"],
        ),
        (
            "context_parallel_size: 2\n",
            "0.11.0",
            "context_parallel_size: 2\n",
            [
                "left KEY006: the release would refuse the file then: DST603",
                "left MIG003: the release would refuse the file then: DST603",
            ],
        ),
    ],
)
def test_steps(lines: str, release: str, expected: str, steps: list[str]) -> None:
    assert told(lines, release) == (expected, steps)
