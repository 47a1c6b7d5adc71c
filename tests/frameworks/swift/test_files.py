"""The YAML files that `swift sft FILE` makes words of."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import run

USUAL = "model: Qwen/Qwen3-0.6B\ntuner_type: lora\ndataset: [swift/self-cognition]\n"


def codes(tmp_path: Path, text: str, release: str = "4.5.2") -> list[str]:
    path = tmp_path / "sft.yaml"
    path.write_text(USUAL + text, encoding="utf-8")
    options = ("--isolated", "--format", "concise", "--target", f"ms-swift=={release}")
    lines = run(str(path), *options).out.splitlines()
    return [" ".join(line.split()[1:3]) for line in lines if line.count(":") > 2]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("lora_rank: 8\n", []),
        ("lora_rank: '8'\n", []),
        ("lora_rank: 8.0\n", ["error TYP001"]),
        ("packing: true\n", []),
        ("packing: 'no'\n", []),
        ("num_train_epochs: null\n", ["error TYP001"]),
        ("system: null\n", []),
        ("target_modules: [q_proj, v_proj]\n", []),
        ("target_modules: all-linear\n", []),
        # The command joins the words for its log.
        ("val_dataset: [1, 2]\n", ["error TYP001"]),
        ("val_dataset: []\n", ["error TYP001"]),
        ("lora_rank: [8]\n", ["error TYP001"]),
        ("model_kwargs: {a: 1}\n", []),
        ("ENV: {NPROC_PER_NODE: 2}\n", []),
        ("lora_ran: 8\n", []),  # an option may be abbreviated
        ("lora_rnk: 8\n", ["error KEY001"]),
    ],
)
def test_a_value_is_a_word(tmp_path: Path, text: str, expected: list[str]) -> None:
    assert codes(tmp_path, text) == expected


def test_items_of_lists_are_made_words_since_4_6(tmp_path: Path) -> None:
    for text in ("val_dataset: [1, 2]\n", "interleave_prob: [0.5, 0.5]\n"):
        assert codes(tmp_path, text, "4.5.3") == ["error TYP001"]
        assert codes(tmp_path, text, "4.6.0") == []
    for text in ("interleave_prob: [a]\n", "val_dataset: []\n", "lora_rank: [8, 9]\n"):
        assert codes(tmp_path, text, "4.6.0") == ["error TYP001"]
    codes(tmp_path, "interleave_prob: [0.5, 0.5]\n")
    out = run(str(tmp_path / "sft.yaml"), "--isolated", "--target", "ms-swift==4.5.3").out
    assert "expects a list of texts but got a list" in out


def test_the_line_that_starts_a_file_says_its_command(tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_text("megatron sft sft.yaml --lora_rank x\n", encoding="utf-8")
    path = tmp_path / "sft.yaml"
    path.write_text(USUAL + "micro_batch_size: 2\nuse_galore: true\n", encoding="utf-8")
    options = ("--format", "concise", "--target", "ms-swift==4.5.2")
    out = run(str(path), *options).out
    assert "`use_galore`" in out
    assert "`micro_batch_size`" not in out
    assert "run.sh:1:" in out


def test_a_file_for_ray_has_sections(tmp_path: Path) -> None:
    text = (
        "rlhf_type: grpo\nuse_vllm: false\nnnodes: 2\ncolocate_groups: [[train, rollout]]\n"
        "train: {gpus: 4}\nrollout: {gpus: 4}\n"
    )
    assert codes(tmp_path, text) == []
    assert codes(tmp_path, text.replace("colocate", "colocated")) == ["error KEY001"]
    alone = "rlhf_type: grpo\nmicro_batch_size: 1\nuse_vllm: false\nnnodes: 2\n"
    assert sorted(codes(tmp_path, alone)) == ["error KEY001", "error SWF068"]
