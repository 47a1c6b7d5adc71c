"""The comparison of bounds with published measurements, on made-up rows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cfglint.runs.memory.estimate import FITTED, estimate
from cfglint.runs.memory.run import GIB
from tools.fit_rows.__main__ import main, table
from tools.fit_rows.compared import compare
from tools.fit_rows.configs import config_of
from tools.fit_rows.estimates import errors, fit, report, usable

LLAMA = "NousResearch/Meta-Llama-3-8B"


def row(**told: Any) -> dict[str, Any]:
    made = {
        "id": "made-up/1",
        "kind": "measured",
        "model": LLAMA,
        "method": "full",
        "gpus": 1,
        "peak": 70,
        "unit": "GiB",
        "quality": "high",
        "source": "acme/measured",
    }
    return {**made, **told}


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ({"model": "llama2-70b"}, {"base_model": "NousResearch/Llama-2-70b-hf"}),
        ({"model": "Qwen2.5-3B"}, {"base_model": "acme/Qwen2.5-3B"}),
        ({"precision": "fp32"}, {"bf16": False}),
        ({"precision": "bf16 weights, fp32 adapters"}, {"bf16": True}),
        ({"precision": "fp16"}, {"bf16": False, "fp16": True}),
        ({"method": "grpo full"}, {"rl": "grpo"}),
        ({"method": "dpo lora r16"}, {"rl": "dpo", "adapter": "lora", "lora_r": 16}),
        (
            {"method": "qlora", "lora_r": 8, "lora_targets": "all"},
            {
                "adapter": "qlora",
                "load_in_4bit": True,
                "quantize_moe_experts": True,
                "lora_r": 8,
                "lora_target_linear": True,
            },
        ),
        ({"method": "lora 8bit? target experts"}, {"adapter": "lora", "load_in_8bit": True}),
        ({"method": "vera"}, {"adapter": "vera", "quantize_moe_experts": None}),
        ({"method": "qlora", "config": {}}, {"quantize_moe_experts": None}),
        ({"method": "galore"}, {"optimizer": "galore_adamw"}),
        ({"optimizer": "AdamW"}, {"optimizer": "adamw_torch_fused"}),
        ({"id": "peft/1", "optimizer": "AdamW"}, {"optimizer": "adamw_torch"}),
        ({"id": "torchtune/1"}, {"optimizer": "not_told"}),
        ({"batch": 2, "packed": True}, {"micro_batch_size": 2, "pad_to_sequence_len": True}),
        ({"seq": 512, "ga": 4}, {"sequence_len": 512, "gradient_accumulation_steps": 4}),
        ({"compile": True}, {"torch_compile": True}),
        ({"stack": "+packed"}, {"pad_to_sequence_len": True}),
        (
            {"stack": "QLoRA", "method": "qlora"},
            {"chunked_cross_entropy": True, "torch_compile": True, "gradient_checkpointing": True},
        ),
        ({"id": "lf-wiki/seq512-a", "seq": 512}, {"pad_to_sequence_len": True}),
        ({"id": "axolotl/ling-3.0-flash-qlora"}, {"lora_r": 16, "optimizer": "adamw_torch_4bit"}),
        ({"config": {"sequence_len": 77}, "seq": 512}, {"sequence_len": 77}),
    ],
)
def test_configs(told: dict[str, Any], expected: dict[str, Any]) -> None:
    config = config_of(row(**told))
    assert {key: config.get(key) for key in expected} == expected


def test_settings_that_no_row_tells_are_absent() -> None:
    assert config_of(row()).keys() == {"base_model", "datasets", "bf16", "micro_batch_size"}


@pytest.mark.parametrize(
    ("told", "section"),
    [
        ({"sharding": "zero2"}, {"stage": 2}),
        ({"sharding": "zero?"}, {"stage": None}),
        (
            {"sharding": "zero2+cpu_offload"},
            {
                "stage": 2,
                "offload_optimizer": {"device": "cpu"},
                "offload_param": {"device": "cpu"},
            },
        ),
    ],
)
def test_deepspeed(told: dict[str, Any], section: dict[str, Any]) -> None:
    assert config_of(row(**told))["deepspeed"]["zero_optimization"] == section


@pytest.mark.parametrize(
    ("told", "version", "offload"),
    [
        ({"sharding": "fsdp2"}, 2, False),
        ({"sharding": "fsdp1+cpu_offload"}, 1, True),
        ({"sharding": "fsdp2", "note": "CPU offload and a fused optimizer"}, 2, True),
    ],
)
def test_fsdp(told: dict[str, Any], version: int, offload: bool) -> None:
    config = config_of(row(**told))
    assert config["fsdp_version"] == version
    assert config["fsdp_config"]["offload_params"] is offload


def test_ratios() -> None:
    (gib,) = compare([row()])
    (gb,) = compare([row(unit="GB")])
    assert gib.bound is not None
    assert gib.ratio == pytest.approx(gib.bound.total / (70 * 2**30))
    assert gb.ratio == pytest.approx(gib.ratio * 2**30 / 10**9)
    (unknown,) = compare([row(model="acme/unheard-of")])
    assert (unknown.bound, unknown.ratio) == (None, 0)
    assert compare([row(kind="estimate")]) == []


def test_gradients_that_are_gone_in_the_backward_pass() -> None:
    (kept,) = compare([row(optimizer="AdamW8bit")])
    (gone,) = compare([row(optimizer="AdamW8bit", stack="+optim in bwd")])
    assert kept.run is not None
    assert gone.bound is not None
    assert gone.bound.size("gradients") == 0
    assert gone.bound.size("states") == int(kept.run.trained * kept.run.state_bytes)


def test_examples_are_read(tmp_path: Path) -> None:
    (tmp_path / "llama.yml").write_text(
        f"base_model: {LLAMA}\nadapter: lora\nlora_r: 8\nlora_target_linear: true\n"
        "datasets: [{path: acme/tickets, type: alpaca}]\n",
        encoding="utf-8",
    )
    (told,) = compare([row(id="axolotl/llama.yml@1gpu")])
    (read,) = compare([row(id="axolotl/llama.yml@1gpu")], tmp_path)
    (other,) = compare([row(id="axolotl/other.yml@1gpu")], tmp_path)
    assert told.bound is not None
    assert read.bound is not None
    assert read.bound.size("adapter") > 0
    assert other.bound == told.bound


def test_table() -> None:
    packed = {"seq": 512, "packed": True}
    lines = table(compare([row(), row(peak=140), row(method="lora", **packed, peak=1)]))
    full, lora, everything, certain, other = lines[2:]
    assert full.startswith("| full | 2 | 0 | 0.43 | 0.64 | 0.85 |")
    assert lora.startswith("| lora | 1 | 1 |")
    assert everything.startswith("| all | 3 | 1 |")
    assert certain.startswith("| all, tokens certain | 1 |")
    assert other.startswith("| all, tokens not certain | 2 |")


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = tmp_path / "rows.jsonl"
    small = row(id="small", kind="does_not_fit", peak=None, gpu_mem_gib=24)
    large = row(id="large", kind="does_not_fit", peak=None, gpu_mem_gib=80)
    fine = "\n".join(json.dumps(one) for one in (row(), small, large)) + "\n"
    rows.write_text(fine, encoding="utf-8")
    assert main([str(rows), "--rows"]) == 0
    out = capsys.readouterr().out
    assert "Did not fit: 1 of 2 proven" in out
    assert "made-up/1 (full): weights 14.96, states 29.92, gradients 14.96" in out
    rows.write_text(fine + json.dumps(row(id="low", peak=10)) + "\n", encoding="utf-8")
    assert main([str(rows)]) == 1
    assert "above what was measured (high quality): 5.98" in capsys.readouterr().out


def lengths() -> list[dict[str, Any]]:
    """Rows of LoRA with more and more tokens, which need what is estimated with other constants."""
    made = []
    for seq in (512, 1024, 2048, 4096, 8192, 16384):
        told = row(id=f"made-up/{seq}", method="lora", lora_r=8, lora_targets="all", seq=seq)
        told["grad_ckpt"] = False
        run = compare([told])[0].run
        assert run is not None
        found = estimate(run, FITTED._replace(fixed=0.4, adapter=0.8))
        assert found is not None
        made.append({**told, "peak": found.likely / GIB})
    return made


def test_rows_that_do_not_tell_enough_are_not_fitted_to() -> None:
    told = [
        {**lengths()[0], "grad_ckpt": None},
        row(grad_ckpt=True),
        row(grad_ckpt=True, seq=512, optimizer="galore"),
        row(grad_ckpt=True, seq=512, kind="does_not_fit", gpu_mem_gib=1),
        row(grad_ckpt=True, seq=512, model="acme/unknown"),
        row(grad_ckpt=True, seq=512),
        row(id="made-up/unsloth", seq=512),
    ]
    assert [one.row["id"] for one in usable(compare(told))] == ["made-up/1", "made-up/unsloth"]


def test_constants_are_found_again() -> None:
    rows = usable(compare(lengths()))
    assert len(rows) == 6
    before, after = errors(rows, FITTED), errors(rows, fit(rows, seed=1, steps=2000))
    assert before.median > 0.03
    assert after.median < 0.01
    assert after.inside == 1
    lines = report(rows, steps=1)
    assert lines[0].startswith("Constants in use: Constants(hidden=")
    assert sum(line.startswith("Fitted to a half") for line in lines) == 5
