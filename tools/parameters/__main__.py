"""Writes what transformers and PEFT count: `python -m tools.parameters --out FILE`.

Needs torch, transformers and peft. The models are built on the meta device, so nothing is
allocated and nothing is fetched.
"""

from __future__ import annotations

import argparse
import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
#: Each with the modules that it aims at (`attention`, `mlp`, `all`) and those that it copies.
SETUPS: tuple[dict[str, Any], ...] = (
    {"rank": 8, "targets": "attention"},
    {"rank": 32, "targets": "all"},
    {"rank": 16, "targets": "mlp"},
    {"rank": 64, "targets": "all", "dora": True},
    {"rank": 16, "targets": "attention", "saved": "embedding"},
    {"rank": 16, "targets": "all", "saved": "head"},
)
#: Modules within what transformers calls the attention of a layer.
_ATTENTION = ("attn", "attention")


def main() -> None:
    """Build every model of the table and record the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--only", default="", help="models whose first name has this in it")
    parser.add_argument("--part", default="1/1", help="such as 1/3, to share the work")
    options = parser.parse_args()
    table = yaml.safe_load((ROOT / "rules" / "shapes.yaml").read_text(encoding="utf-8"))
    first, parts = map(int, options.part.split("/"))
    rows = []
    for row in table[first - 1 :: parts]:
        name = row["names"][0]
        if options.only in name:
            print(name, flush=True)
            rows.append({"name": name, **counted(row["config"])})
            written = ",\n  ".join(map(json.dumps, rows))
            text = f'{{"versions": {json.dumps(versions())},\n "models": [\n  {written}\n ]}}\n'
            options.out.write_text(text, encoding="utf-8")


def versions() -> dict[str, str]:
    """The versions of the packages that counted."""
    import peft
    import torch
    import transformers

    packages = (torch, transformers, peft)
    return {package.__name__: package.__version__ for package in packages}


def counted(config: dict[str, Any]) -> dict[str, Any]:
    """The parameters of a model, and what each setup of an adapter trains."""
    text = config.get("text_config", config)
    setups = []
    whole = build(text)
    total = parameters(whole)
    for setup in SETUPS:
        model = deepcopy(whole)
        targets = sorted(chosen(model, setup["targets"]))
        saved = [copied(model, setup["saved"])] if "saved" in setup else []
        trained = adapted(model, setup, targets, saved)
        setups.append(
            {
                "rank": setup["rank"],
                "dora": setup.get("dora", False),
                "targets": targets,
                "saved": saved,
                "trainable": trained,
            }
        )
    return {"parameters": total, "setups": setups}


def build(config: dict[str, Any]) -> Any:
    """A model without storage."""
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM
    from transformers.initialization import no_init_weights

    stated = {key: value for key, value in config.items() if key != "quantization_config"}
    made = AutoConfig.for_model(**stated)
    # To fill tensors takes minutes, even where there is nothing to fill.
    with torch.device("meta"), no_init_weights():
        model = AutoModelForCausalLM.from_config(made)
    model.tie_weights()
    return model


def parameters(model: Any) -> int:
    return sum(parameter.numel() for parameter in model.parameters())


def matrices(model: Any) -> list[str]:
    """The full names of the modules that adapters can aim at, without the head."""
    from torch.nn import Linear
    from transformers.pytorch_utils import Conv1D

    head = model.get_output_embeddings()
    return [
        name
        for name, module in model.named_modules()
        if isinstance(module, (Linear, Conv1D)) and module is not head
    ]


def chosen(model: Any, which: str) -> set[str]:
    """The last parts of the names of a group of modules; of all where the group has none."""
    found = set()
    for name in matrices(model):
        inside = any(word in part for part in name.split(".")[:-1] for word in _ATTENTION)
        if which == "all" or inside == (which == "attention"):
            found.add(name.rpartition(".")[2])
    return found or chosen(model, "all")


def copied(model: Any, which: str) -> str:
    """The name of the embedding or the head."""
    wanted = model.get_input_embeddings() if which == "embedding" else model.get_output_embeddings()
    (name,) = [name for name, module in model.named_modules() if module is wanted]
    return str(name.rpartition(".")[2])


def adapted(model: Any, setup: dict[str, Any], targets: list[str], saved: list[str]) -> int:
    """The trainable parameters with an adapter as PEFT makes it."""
    from peft import LoraConfig, get_peft_model

    settings = LoraConfig(
        r=setup["rank"],
        target_modules=targets,
        modules_to_save=saved or None,
        use_dora=setup.get("dora", False),
        task_type="CAUSAL_LM",
        init_lora_weights=False,
    )
    made = get_peft_model(model, settings, low_cpu_mem_usage=True)
    return sum(item.numel() for item in made.parameters() if item.requires_grad)


if __name__ == "__main__":
    main()
