"""FIT501: what is certain against the memory of the GPU that is known."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from cfglint.checks import fit
from cfglint.diagnostic import Diagnostic
from tests.cli.running import run
from tests.linting import lint_result

TEXT = """\
base_model: NousResearch/Meta-Llama-3-8B
datasets:
  - path: acme/tickets
    type: alpaca
sequence_len: 2048
micro_batch_size: 1
gradient_accumulation_steps: 2
optimizer: adamw_torch_fused
bf16: true
output_dir: ./out
"""
LORA = TEXT.replace("8B", "70B") + "adapter: lora\nlora_r: 16\nlora_target_linear: true\n"


def found(text: str, gpus: int | None = 1, gpu: str | None = "rtx4090") -> list[Diagnostic]:
    result = lint_result(text, gpus=gpus, gpu=gpu, select=["FIT"])
    return [one for one in result.diagnostics if one.code == "FIT501"]


@pytest.fixture(autouse=True)
def _no_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fit, "_spills", lambda: False)


def test_place_terms_and_remedies() -> None:
    (one,) = found(TEXT)
    assert one.severity == "error"
    assert one.path == ("optimizer",)
    assert "59.8 GiB" in one.message
    assert "optimizer states 29.9 GiB" in one.message
    assert "`adapter: qlora`" in one.message
    assert any("weights 15.0 GiB" in related.note for related in one.related)


def test_a_folder_elsewhere_is_taken_for_the_model_that_it_is_called_as() -> None:
    (one,) = found(TEXT.replace("NousResearch/", "/srv/models/"))
    assert one.severity == "warning"
    assert one.message.startswith("If `Meta-Llama-3-8B` is the model of that name, 59.8 GiB are")
    # Neither a folder of the project, which is not there, nor an unknown name is taken for one.
    assert found(TEXT.replace("NousResearch/", "./")) == []
    assert found(TEXT.replace("NousResearch/", "/srv/models/our-")) == []


def test_only_terms_and_remedies_that_make_a_difference() -> None:
    offloaded = TEXT.replace("8B", "70B")
    offloaded += "deepspeed: deepspeed_configs/zero3_bf16_cpuoffload_params.json\n"
    (one,) = found(offloaded, gpus=4, gpu="h100")
    assert " 0.0 GiB" not in one.message
    # The weights are not on the GPU in any case, so 4 bits save nothing more.
    assert "`adapter: lora`" in one.message
    assert "`adapter: qlora`" not in one.message


def test_the_model_when_weights_alone_are_too_much() -> None:
    (one,) = found(LORA.replace("adapter: lora", "adapter: qlora\nload_in_4bit: true"))
    assert one.path == ("base_model",)
    assert "Nothing" in one.message or "64 GPUs" not in one.message


def test_a_warning_where_layers_may_move() -> None:
    assert [one.severity for one in found(LORA)] == ["warning"]
    assert [one.severity for one in found(LORA, gpus=8)] == ["error"]


@pytest.mark.parametrize(
    ("gpus", "gpu"),
    [(None, "rtx4090"), (1, None), (1, "sm_89"), (1, "gb10"), (1, "gh200"), (1, "h100")],
)
def test_silent(gpus: int | None, gpu: str | None) -> None:
    assert found(TEXT, gpus, gpu) == []


def test_stated_memory_counts() -> None:
    assert found(TEXT, 1, "sm_89:59GB") != []
    assert found(TEXT, 1, "sm_89:60GB") == []


def test_mig_is_no_known_gpu() -> None:
    from cfglint.environment.hardware import gpu_facts
    from cfglint.environment.pins import TargetError

    with pytest.raises(TargetError):
        gpu_facts("NVIDIA A100-SXM4-40GB MIG 1g.5gb", "a test")


def test_drivers_of_windows_spill(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    monkeypatch.setattr(sys, "platform", "win32")
    assert found(TEXT) == []


def test_cut_cross_entropy_is_a_remedy_where_its_kernels_run() -> None:
    text = TEXT.replace("sequence_len: 2048", "sequence_len: 16384")
    text += "adapter: qlora\nload_in_4bit: true\nlora_r: 8\nlora_target_linear: true\n"
    text += "sample_packing: true\ngradient_checkpointing: true\n"
    remedy = "the plugin for cut cross-entropy"
    for gpu, said in (("sm_80:24GB", True), ("sm_75:24GB", False)):
        (one,) = found(text, gpu=gpu)
        assert (remedy in one.message) is said, one.message


SCRIPT = (
    "llamafactory-cli train --stage sft --do_train --model_name_or_path Qwen/Qwen2.5-14B-Instruct "
    "--finetuning_type full --dataset a --template qwen --output_dir out --bf16\n"
)


@pytest.mark.parametrize(
    ("before", "each"),
    [
        ("CUDA_VISIBLE_DEVICES=0,1 ", "each GPU"),
        ("export CUDA_VISIBLE_DEVICES=0,1\n", "each GPU"),
        ("CUDA_VISIBLE_DEVICES=3 ", "the GPU"),
        ("FORCE_TORCHRUN=1 NPROC_PER_NODE=4 ", "each GPU"),
        # How many GPUs there are is not known.
        ("", None),
    ],
)
def test_a_script_is_judged_with_the_gpus_of_its_command(
    tmp_path: Path, before: str, each: str | None
) -> None:
    (tmp_path / "run.sh").write_text(before + SCRIPT)
    done = run(str(tmp_path / "run.sh"), "--gpu", "rtx4090", "--select", "FIT", "--format", "json")
    found = [hit for file in json.loads(done.out)["files"] for hit in file["diagnostics"]]
    assert [hit["severity"] for hit in found] == ([] if each is None else ["error"])
    assert all(f"on {each}," in hit["message"] for hit in found)
    assert all("`--finetuning_type lora` with `--quant" in hit["message"] for hit in found)


@pytest.mark.parametrize(
    ("text", "severity", "words"),
    [
        (
            "deepspeed --num_gpus 2 --module openrlhf.cli.train_dpo --data.dataset d"
            " --model.model_name_or_path meta-llama/Meta-Llama-3-8B\n",
            "error",
            "`--ds.lora.rank 16`",
        ),
        (
            "NPROC_PER_NODE=2 CUDA_VISIBLE_DEVICES=0,1 swift sft --model LLM-Research/Meta-Llama-3-8B"
            " --tuner_type full --dataset d\n",
            "error",
            "`--tuner_type lora`",
        ),
        # What does not fit may be laid into the memory of the machine.
        (
            "CUDA_VISIBLE_DEVICES=0,1 swift sft --model LLM-Research/Meta-Llama-3-70B"
            " --tuner_type lora --dataset d\n",
            "warning",
            "`--quant_method bnb` and `--quant_bits 4`",
        ),
    ],
)
def test_scripts_of_other_frameworks(tmp_path: Path, text: str, severity: str, words: str) -> None:
    (tmp_path / "run.sh").write_text(text)
    options = ("--gpu", "a6000", "--select", "FIT", "--target", "openrlhf==0.11.2,ms-swift==4.5.2")
    done = run(str(tmp_path / "run.sh"), *options, "--format", "json")
    (found,) = (hit for file in json.loads(done.out)["files"] for hit in file["diagnostics"])
    assert found["severity"] == severity
    assert "on each GPU," in found["message"]
    assert words in found["message"]


def test_each_command_of_a_script_has_its_own_gpus(tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_text(
        f"CUDA_VISIBLE_DEVICES=0 {SCRIPT}CUDA_VISIBLE_DEVICES=0,1 {SCRIPT}"
    )
    done = run(str(tmp_path / "run.sh"), "--gpu", "rtx4090", "--select", "FIT", "--format", "json")
    found = [hit for file in json.loads(done.out)["files"] for hit in file["diagnostics"]]
    assert ["on the GPU," in hit["message"] for hit in found] == [True, False]


def _of_trl(folder: Path, options: str) -> list[str]:
    (folder / "run.sh").write_text(
        f"trl sft --model_name_or_path Qwen/Qwen2.5-14B-Instruct --dataset_name a/b --output_dir o {options}\n"
    )
    done = run(str(folder / "run.sh"), "--gpu", "rtx4090", "--select", "FIT", "--format", "json")
    return [
        hit["severity"] for file in json.loads(done.out)["files"] for hit in file["diagnostics"]
    ]


@pytest.mark.parametrize(
    ("options", "severities"),
    [
        ("--num_processes 2", ["error"]),
        ("--num_processes 2 --use_deepspeed --zero_stage 2", ["error"]),
        # What the launcher is told may lie elsewhere, or what is not known may say so.
        (
            "--num_processes 2 --use_deepspeed --zero_stage 3 --offload_optimizer_device cpu --offload_param_device cpu",
            [],
        ),
        ("--num_processes 2 --accelerate_config zero3", ["error"]),
        ("--num_processes 2 --accelerate_config mine.yaml", []),
        ('--num_processes 2 "$@"', []),
        ("--num_processes 2 $MORE", []),
    ],
)
def test_what_the_command_of_a_script_tells_its_launcher_counts(
    tmp_path: Path, options: str, severities: list[str]
) -> None:
    assert _of_trl(tmp_path, options) == severities
