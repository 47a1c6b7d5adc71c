"""Trains each case with TRL on a GPU, and writes what it took: `python -m tools.accelerator_runs`.

Needs a GPU, torch, transformers, peft, trl, bitsandbytes and liger-kernel. The models have random
weights, and the sequences of the dataset are longer than `max_length`, so that each is cut to it.
`allocated` and `reserved` are the most that torch's allocator gave out and held, in bytes. A result
is written as soon as it is there.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import time
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from tools.accelerator_runs.cases import CASES, MODELS, NEW_CASES, WORDS, Case

#: Sequences in a dataset: enough for three steps of the largest batch.
_ROWS = 32
_PACKAGES = ("torch", "transformers", "peft", "trl", "accelerate", "bitsandbytes", "liger-kernel")


def write_dataset(folder: Path, program: str, length: int) -> None:
    """Rows that are longer than `length` tokens."""
    folder.mkdir(parents=True, exist_ok=True)
    drawn = random.Random(7)

    def text(words: int) -> str:
        return " ".join(f"w{drawn.randrange(WORDS)}" for _ in range(words))

    with (folder / "train.jsonl").open("w", encoding="utf-8") as stream:
        for _ in range(_ROWS):
            row = {"text": text(length + 64)}
            if program == "dpo":
                row = {"prompt": text(64), "chosen": text(length), "rejected": text(length)}
            stream.write(json.dumps(row) + "\n")


def waiting() -> subprocess.Popen[str]:
    """A worker, which imports while the one before it runs."""
    command = [sys.executable, "-m", "tools.accelerator_runs.worker"]
    return subprocess.Popen(command, stdin=subprocess.PIPE, text=True)


def run(worker: subprocess.Popen[str], case: Case, scratch: Path, small: bool) -> dict[str, Any]:
    """Has the worker run a case: what it took, or how it ended."""
    result = scratch / "result.json"
    result.unlink(missing_ok=True)
    dataset = scratch / "data" / f"{case.program}-{case.config['max_length']}"
    if not dataset.exists():
        write_dataset(dataset, case.program, int(case.config["max_length"]))
    config = MODELS[case.model]
    order = {
        "case": list(case),
        "model": str(scratch / "models" / case.model),
        "model_config": smaller(config) if small else config,
        "dataset": str(dataset),
        "scratch": str(scratch / "out"),
        "result": str(result),
    }
    worker.communicate(json.dumps(order) + "\n")
    if not result.exists():
        return {"outcome": "failed", "error": f"the process ended with {worker.returncode}"}
    found: dict[str, Any] = json.loads(result.read_text(encoding="utf-8"))
    return found


def versions() -> dict[str, str]:
    """The releases of the packages that are installed."""
    found = {}
    for name in _PACKAGES:
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


def write(file: Path, runs: list[dict[str, Any]]) -> None:
    """One run a line, so that a change of one shows as one."""
    lines = ",\n".join("  " + json.dumps(run) for run in runs)
    models = ",\n".join(f"  {json.dumps(name)}: {json.dumps(MODELS[name])}" for name in MODELS)
    text = (
        f'{{"versions": {json.dumps(versions())},\n "models": {{\n{models}\n }},\n'
        f' "runs": [\n{lines}\n ]}}\n'
    )
    file.write_text(text, encoding="utf-8")


def smaller(config: dict[str, Any]) -> dict[str, Any]:
    """A model of the same kind for a try without a GPU."""
    return {**config, "num_hidden_layers": 2, "hidden_size": 256, "intermediate_size": 512,
            "vocab_size": 2000, "num_experts": 8, "head_dim": 64, "num_attention_heads": 8, "num_key_value_heads": 4}  # fmt: skip


def main(arguments: list[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="accelerator_runs", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="the JSON file to write")
    parser.add_argument("--scratch", type=Path, required=True, help="a folder for 50 GB")
    parser.add_argument("--seconds", type=float, default=3600, help="begin no case after these")
    parser.add_argument("--new", action="store_true", help="the runs that nothing was fitted to")
    parser.add_argument("--small", action="store_true", help="tiny models: a try without a GPU")
    options = parser.parse_args(arguments)
    start = time.monotonic()
    runs: list[dict[str, Any]] = []
    following = waiting()
    for case in NEW_CASES if options.new else CASES:
        if time.monotonic() - start > options.seconds:
            break
        worker, following = following, waiting()
        before = time.monotonic()
        found = run(worker, case, options.scratch, options.small)
        runs.append({"name": case.name, "program": case.program, "model": case.model,
                     "config": case.config, **found})  # fmt: skip
        write(options.out, runs)
        print(f"{time.monotonic() - before:.0f} s  {case.model}: {case.name}: {found}", flush=True)
    following.communicate("")
    return 0


if __name__ == "__main__":
    sys.exit(main())
