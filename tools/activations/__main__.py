"""Writes the peaks of small models' training steps: `python -m tools.activations --out FILE`.

Needs torch, transformers and peft; a GPU is not needed. Every storage that torch makes is followed
from its first tensor to its last, which gives the memory held at each moment without an allocator's
cache. The models are small, but the numbers of tensors per layer and token are those of large ones.
"""

from __future__ import annotations

import argparse
import json
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tools.parameters.__main__ import versions

#: What the models have in common, as in a `config.json`.
SIZES: dict[str, Any] = {
    "hidden_size": 256,
    "intermediate_size": 704,
    "num_hidden_layers": 6,
    "num_attention_heads": 8,
    "num_key_value_heads": 4,
    "vocab_size": 4000,
    "pad_token_id": 0,
}
_MIXTURE = {"num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 128}
_LATENT = {
    "num_key_value_heads": 8,
    "q_lora_rank": 64,
    "kv_lora_rank": 32,
    "qk_rope_head_dim": 16,
    "qk_nope_head_dim": 32,
    "v_head_dim": 32,
    "n_routed_experts": 8,
    "num_experts_per_tok": 2,
    "moe_intermediate_size": 64,
    "first_k_dense_replace": 1,
    "n_group": 2,
    "topk_group": 1,
}
MODELS: dict[str, dict[str, Any]] = {
    "apertus": {},
    "cohere": {},
    "deepseek_v3": _LATENT,
    "gemma2": {"head_dim": 32},
    "llama": {},
    "nemotron": {},
    "phi3": {},
    "qwen3": {"head_dim": 32},
    "qwen3_moe": {"head_dim": 32, **_MIXTURE},
}
RANK = 8
TOKENS = 1024


def main() -> None:
    """Train a step of every model, whole and with an adapter, with checkpoints and without."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    rows = []
    for model_type, own in MODELS.items():
        config = {"model_type": model_type, **SIZES, **own}
        for adapter in (False, True):
            for checkpointing in (False, True):
                found = measured(config, adapter=adapter, checkpointing=checkpointing)
                rows.append({"config": config, "checkpointing": checkpointing, **found})
                print(model_type, found, flush=True)
    written = ",\n  ".join(map(json.dumps, rows))
    text = f'{{"versions": {json.dumps(versions())},\n "tokens": {TOKENS},\n "steps": [\n  '
    options.out.write_text(f"{text}{written}\n ]}}\n", encoding="utf-8")


def measured(config: dict[str, Any], *, adapter: bool, checkpointing: bool) -> dict[str, Any]:
    """What a second training step holds at its start and at its peak, in bytes.

    As Axolotl trains: weights in bf16 under autocast, an adapter in 32 bits, checkpoints without
    reentry, and gradients that are given up after each step. A second peak is of a step without
    logits, as with a loss that never has all of them. Of a compiled model, what torch keeps for
    the backward pass is recorded, without what has the vocabulary as one of its sides.
    """
    import torch

    model, targets = _model(config, adapter=adapter, checkpointing=checkpointing)
    body = (model.get_base_model() if adapter else model).model
    trained = [item for item in model.parameters() if item.requires_grad]
    optimizer = torch.optim.AdamW(trained)
    tokens = torch.randint(0, config["vocab_size"], (1, TOKENS))

    def loss(train: Any) -> Any:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return train(input_ids=tokens, labels=tokens).loss

    def of_states(train: Any) -> Any:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return train(input_ids=tokens).last_hidden_state.float().mean()

    loss(model).backward()
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    states = [one for state in optimizer.state.values() for one in state.values()]
    there = [*(item.data for item in model.parameters()), *states]

    def followed(run: Callable[[], None]) -> tuple[int, int]:
        memory = _memory()
        for tensor in there:
            memory.follow(tensor)
        held = memory.held
        with memory:
            run()
        optimizer.zero_grad(set_to_none=True)
        return held, memory.peak

    held, peak = followed(lambda: loss(model).backward())
    return {
        "adapter": targets,
        "trained": sum(item.numel() for item in trained),
        "bytes": trained[0].element_size(),
        "held": held,
        "peak": peak,
        "peak_without_logits": followed(lambda: of_states(body).backward())[1],
        "kept_compiled": _kept(model, loss, config["vocab_size"]),
    }


def _kept(model: Any, loss: Callable[[Any], Any], vocabulary: int) -> int:
    """The bytes that a compiled model keeps for its backward pass.

    What torch's partitioner keeps does not hang on the backend that makes code of the parts.
    """
    import torch

    torch._dynamo.reset()
    compiled = torch.compile(model, backend="aot_eager_decomp_partition")
    loss(compiled).backward()
    own = {item.untyped_storage()._cdata for item in (*model.parameters(), *model.buffers())}
    kept: dict[int, tuple[int, Any]] = {}

    def keep(tensor: Any) -> Any:
        storage = tensor.untyped_storage()
        if storage._cdata not in own and vocabulary not in tensor.shape:
            kept[storage._cdata] = storage.nbytes(), storage
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
        result = loss(compiled)
    del result
    return sum(size for size, _ in kept.values())


def _model(
    config: dict[str, Any], *, adapter: bool, checkpointing: bool
) -> tuple[Any, list[str] | None]:
    """A model, and the modules that its adapter aims at."""
    import torch
    from peft import LoraConfig, get_peft_model
    from torch.nn import Linear
    from transformers import AutoConfig, AutoModelForCausalLM

    made = AutoConfig.for_model(**config)
    model = AutoModelForCausalLM.from_config(made, attn_implementation="sdpa").to(torch.bfloat16)
    targets = None
    if adapter:
        head = model.get_output_embeddings()
        linear = [(n, m) for n, m in model.named_modules() if isinstance(m, Linear)]
        targets = sorted({name.rpartition(".")[2] for name, module in linear if module is not head})
        settings = LoraConfig(r=RANK, target_modules=targets, task_type="CAUSAL_LM")
        model = get_peft_model(model, settings)
    if checkpointing:
        model.gradient_checkpointing_enable({"use_reentrant": False})
        if adapter:
            model.enable_input_require_grads()
    model.config.use_cache = False
    model.train()
    return model, targets


def _memory() -> Any:
    """A mode of torch that follows the storages of all tensors made under it."""
    import torch
    from torch.utils._python_dispatch import TorchDispatchMode
    from torch.utils._pytree import tree_leaves

    class Memory(TorchDispatchMode):  # type: ignore[misc,no-untyped-call,unused-ignore]
        def __init__(self) -> None:
            super().__init__()
            self.held = self.peak = 0
            self._known: set[int] = set()

        def follow(self, tensor: Any) -> None:
            if not isinstance(tensor, torch.Tensor):
                return
            storage = tensor.untyped_storage()
            key, size = storage._cdata, storage.nbytes()
            if key not in self._known:
                self._known.add(key)
                self.held += size
                self.peak = max(self.peak, self.held)
                weakref.finalize(storage, self._forget, key, size)

        def _forget(self, key: int, size: int) -> None:
            self._known.discard(key)
            self.held -= size

        def __torch_dispatch__(
            self, function: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            result = function(*args, **(kwargs or {}))
            for tensor in tree_leaves(result):
                self.follow(tensor)
            return result

    return Memory()


if __name__ == "__main__":
    main()
