"""The stages of a training with a trainer of transformers, and what it does in them."""

from __future__ import annotations

import contextlib
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tools.runs.worker.protocol import Record

#: How many values of each kind are kept.
_KEPT = 8


def watch(record: Record) -> None:
    """Note the stages that all trainers share, and what a training does, in `record`."""
    import datasets
    import transformers

    # Runs have the same rows; one must not take what another has prepared of them.
    datasets.config.HF_DATASETS_CACHE = Path.cwd() / "datasets-cache"
    facts = record.facts
    trainer = transformers.Trainer
    record.wrap(transformers.PreTrainedModel, "from_pretrained", "model")
    record.wrap(datasets.Dataset, "map", "data", reaches=False)
    record.wrap(trainer, "train", "step")
    record.wrap(trainer, "training_step", "step", after=lambda loss: _add(facts, "losses", loss))
    for name in ("evaluate", "predict"):
        record.wrap(trainer, name, "eval")
    for name in ("_save_checkpoint", "save_model"):
        record.wrap(trainer, name, "save")
    for name in ("_load_from_checkpoint", "_load_optimizer_and_scheduler"):
        record.wrap(trainer, name, "resume", reaches=False)
    transformers.trainer.DEFAULT_CALLBACKS.append(_callback(record))


def narrow_layers() -> None:
    """Keep bitsandbytes from kernels of this processor that need wider layers than a tiny model's."""
    with contextlib.suppress(ImportError):
        from bitsandbytes.nn import modules

        if hasattr(modules, "has_avx512bf16"):
            modules.has_avx512bf16 = lambda: False


def watch_trainer(record: Record, trainer: type) -> None:
    """Note the stages that a trainer of a framework has of its own."""
    record.wrap(trainer, "__init__", "trainer")
    for name in ("_prepare_dataset", "_tokenize"):
        record.wrap(trainer, name, "data", reaches=False)
    for name, stage in (("evaluate", "eval"), ("training_step", "step"), ("save_model", "save")):
        record.wrap(trainer, name, stage)


def _callback(record: Record) -> type:
    """A callback for transformers that counts what a training does."""
    import transformers

    facts = record.facts

    class Counting(transformers.TrainerCallback):  # type: ignore[misc]
        def on_train_begin(self, args: Any, state: Any, control: Any, **more: Any) -> None:
            weights = list(more["model"].parameters())
            facts["trainable"] = sum(one.numel() for one in weights if one.requires_grad)
            facts["weights"] = sum(one.numel() for one in weights)
            facts["steps_before"] = state.global_step

        def on_pre_optimizer_step(self, args: Any, state: Any, control: Any, **more: Any) -> None:
            gradients = [one.grad for one in more["model"].parameters() if one.grad is not None]
            _add(
                facts, "gradients", math.sqrt(sum(float(g.float().norm()) ** 2 for g in gradients))
            )
            if more.get("optimizer") is not None:
                _add(facts, "rates", more["optimizer"].param_groups[0]["lr"])

        def on_step_end(self, args: Any, state: Any, control: Any, **more: Any) -> None:
            facts["steps"] = state.global_step

        def on_evaluate(self, args: Any, state: Any, control: Any, **more: Any) -> None:
            facts["evaluations"] = facts.get("evaluations", 0) + 1
            facts["metrics"] = sorted(more.get("metrics") or ())

        def on_save(self, args: Any, state: Any, control: Any, **more: Any) -> None:
            facts["checkpoints"] = facts.get("checkpoints", 0) + 1

    return Counting


def _add(facts: dict[str, Any], name: str, value: Any) -> None:
    kept = facts.setdefault(name, [])
    if len(kept) < _KEPT:
        with contextlib.suppress(TypeError, ValueError):
            number = float(value)
            # JSON has neither.
            kept.append(number if math.isfinite(number) else str(number))
