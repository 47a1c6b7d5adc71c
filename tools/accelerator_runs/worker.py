"""A process that runs one case: `python -m tools.accelerator_runs.worker`.

It imports what takes long, then reads from its standard input what to do, as JSON, and writes what
it found into the file that is named there. CUDA's memory is given back only with a process.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from tools.accelerator_runs.cases import WORDS, Case


def write_model(folder: Path, config: dict[str, Any]) -> None:
    """Random weights with their `config.json` and a tokenizer of a thousand words."""
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import (
        AutoConfig,
        AutoModelForCausalLM,
        AutoTokenizer,
        PreTrainedTokenizerFast,
    )

    kind = str(config["model_type"])
    rest = {key: value for key, value in config.items() if key != "model_type"}
    device = "cuda" if torch.cuda.is_available() else "cpu"
    with torch.device(device):
        model = AutoModelForCausalLM.from_config(
            AutoConfig.for_model(kind, **rest), dtype=torch.bfloat16
        )
    model.save_pretrained(folder)
    words = {"<eos>": 0, "<pad>": 1, "<unk>": 2}
    words |= {f"w{index}": index + len(words) for index in range(WORDS)}
    tokenizer = Tokenizer(models.WordLevel(words, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token="<eos>", pad_token="<pad>", unk_token="<unk>"
    )
    fast.save_pretrained(folder)
    # transformers replaces the tokenizer of some architectures, which then knows none of the words.
    if len(AutoTokenizer.from_pretrained(folder)("w1 w2 w3")["input_ids"]) != 3:
        raise RuntimeError(f"the tokenizer of a {kind} does not read the texts word by word")


def measure(case: Case, model: Path, dataset: Path, scratch: Path) -> dict[str, Any]:
    """Runs a case in this process, which is spent then: what it took, or how it ended."""
    import importlib

    import torch
    import yaml

    config = {"model_name_or_path": str(model), "dataset_name": str(dataset), **case.config}
    config["output_dir"] = str(scratch)
    if not torch.cuda.is_available():
        config |= {"use_cpu": True, "max_length": 128}
    file = scratch / "config.yaml"
    file.write_text(yaml.safe_dump(config), encoding="utf-8")
    program = importlib.import_module(f"trl.scripts.{case.program}")
    trainer = {"sft": "SFTTrainer", "dpo": "DPOTrainer"}[case.program]
    import trl

    # What a save takes is not measured, and takes longer than the run.
    setattr(getattr(trl, trainer), "save_model", lambda *_: None)  # noqa: B010 -- a lazy module's class
    outcome = {"outcome": "completed"}
    sys.argv = [case.program, "--config", str(file)]
    try:
        parser = program.make_parser()
        program.main(*parser.parse_args_and_config(fail_with_unknown_args=False)[:4])
    except torch.OutOfMemoryError as error:
        outcome = {"outcome": "out of memory", "error": str(error).splitlines()[0]}
    except Exception as error:
        outcome = {"outcome": "failed", "error": f"{type(error).__name__}: {error}"[:500]}
    if not torch.cuda.is_available():
        return outcome
    return {
        **outcome,
        "allocated": torch.cuda.max_memory_allocated(),
        "reserved": torch.cuda.max_memory_reserved(),
    }


def main() -> int:
    """Imports, waits for the order, and carries it out."""
    import peft  # noqa: F401
    import trl.scripts.dpo
    import trl.scripts.sft  # noqa: F401

    line = sys.stdin.readline()
    if not line:  # nothing more to do
        return 0
    order: dict[str, Any] = json.loads(line)
    model = Path(order["model"])
    if not (model / "config.json").exists():
        write_model(model, order["model_config"])
    scratch = Path(order["scratch"])
    scratch.mkdir(parents=True, exist_ok=True)
    found = measure(Case(*order["case"]), model, Path(order["dataset"]), scratch)
    Path(order["result"]).write_text(json.dumps(found), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
