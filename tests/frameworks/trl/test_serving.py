"""`trl vllm-serve`: its own options, release by release, alone and beside a training."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run

START = "trl vllm-serve --model Qwen/Qwen3-0.6B"
TRAINS = "trl grpo --model_name_or_path a --dataset_name b --output_dir o --reward_funcs x"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def found(text: str, release: str) -> list[tuple[str, int]]:
    Path("run.sh").write_text(text)
    result = run("run.sh", "--format", "json", "--target", f"trl=={release}")
    report = json.loads(result.out)["files"][0]
    assert report["framework"] == "trl"
    return [
        (one["code"], one["range"]["start"]["line"])
        for one in report["diagnostics"]
        if one["severity"] != "note"
    ]


@pytest.mark.parametrize(
    ("options", "release", "codes"),
    [
        ("--tensor_parallel_size 2 --max-model-len 512 --enforce_eager true &", "0.19.0", []),
        ("--tensor_paralell_size 2", "0.19.0", ["KEY001"]),
        ("--tensor_paralell_size 2", "1.16.0", ["KEY001"]),
        ("--max_model_len long", "0.19.0", ["TYP001"]),
        ("--kv_cache_dtype fp8", "0.17.0", ["KEY006"]),
        ("--kv_cache_dtype fp8", "0.18.0", []),
        # what it does not know is vLLM's since 1.11
        ("--enable-chunked-prefill", "1.10.0", ["KEY001"]),
        ("--enable-chunked-prefill", "1.11.0", []),
        # the arguments are elsewhere, or not known
        ("--config serve.yaml --tensor_paralell_size 2", "0.19.0", []),
    ],
)
def test_options_by_release(options: str, release: str, codes: list[str]) -> None:
    text = f"{START} {options}\n"
    if "--config" in options:
        text += f"{TRAINS}\n"  # else nothing is checked
    of_words = [code for code, _ in found(text, release) if code[:3] in ("KEY", "TYP")]
    assert of_words == codes


@pytest.mark.parametrize("start", ["python -m trl.scripts.vllm_serve", "trl vllm-serve"])
def test_a_server_without_a_model(start: str) -> None:
    assert found(f"{start} --port 8000\n", "0.19.0") == [("TYP004", 1)]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_beside_a_training_both_are_read(order: tuple[int, int]) -> None:
    lines = [f"CUDA_VISIBLE_DEVICES=3 {START} --prt 1 &\n", f"{TRAINS} --learning_rte 1\n"]
    text = "".join(lines[one] for one in order)
    assert sorted(line for code, line in found(text, "0.19.0") if code == "KEY001") == [1, 2]
    # The run is the training's, wherever it is written.
    assert "learning_rte" in run("effective", "run.sh").out


def test_preflight_knows_the_command() -> None:
    good = run("preflight", "--", *START.split(), "--port", "8000")
    assert "is not a command" not in good.out
    assert good.code == 0
    assert run("preflight", "--", *START.split(), "--prt", "8000").code == 1


def test_its_options_are_listed() -> None:
    listed = run("keys", "vllm-serve", "--target", "trl==0.17.0").out
    assert "tensor_parallel_size" in listed
    assert "kv_cache_dtype" not in listed
