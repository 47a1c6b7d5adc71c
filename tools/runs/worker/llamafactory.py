"""Runs `llamafactory-cli train FILE` on a CPU, resumes what it saved, and exports an adapter."""

from __future__ import annotations

import contextlib
import copy
import importlib
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tools.runs.worker import hooks, llamafactory_data, protocol, tiny
from tools.runs.worker.protocol import NotTried, Record

_STAGES = ("pt", "sft", "rm", "dpo", "kto")
#: Keys that need a GPU, other processes, the network or packages that are not here.
_DROPPED = (
    *("deepspeed", "fsdp", "fsdp_config", "parallelism_config", "tf32", "fp16", "fp16_full_eval", "fp8"),
    *("torch_compile", "torch_compile_backend", "torch_compile_mode", "push_to_hub", "no_cuda", "use_ipex"),
    *("use_liger_kernel", "enable_liger_kernel", "use_unsloth", "use_unsloth_gc", "use_ray", "use_swanlab"),
    *("use_kt", "use_v1_kernels", "use_hyper_parallel", "use_mca", "jit_mode_eval", "report_to"),
    *("adapter_name_or_path", "ref_model_adapters", "reward_model", "reward_model_adapters"),
)  # fmt: skip
#: Optimizers whose kernels need a GPU.
_GPU_OPTIMIZERS = re.compile(
    r"(paged_)?(adamw|lion|ademamix)(_32bit|_8bit|_bnb_8bit)|rmsprop_bnb.*|paged_(adamw|lion|ademamix)|ademamix"
    r"|adamw_apex_fused|adamw_torch_(npu_fused|xla|fp8|4bit|8bit)"
)
_FOLDERS = ("output_dir", "logging_dir", "tokenized_path", "cache_dir", "media_dir")
#: The parts of a run, by the names under which the stages' workflows call them.
_PARTS = {
    "get_dataset": "data",
    "get_template_and_fix_tokenizer": "data",
    "load_tokenizer": "model",
    "load_model": "model",
    "create_ref_model": "model",
    "create_reward_model": "model",
}
#: Whether to leave out what comes after a run that completes, which takes as long as the run.
_ONCE = bool(os.environ.get("RUNS_ONCE"))
_STEPS, _LENGTH, _GENERATED, _SAMPLES = 3, 256, 8, 24


class LlamaFactory:
    """The framework for the protocol."""

    packages: tuple[str, ...] = (
        "llamafactory",
        *("transformers", "trl", "peft", "accelerate", "datasets", "bitsandbytes"),
    )

    def __init__(self) -> None:
        self._models = Path()
        self._tuner: Any = None
        self._parser: Any = None

    def preload(self, models: Path) -> None:
        import torch

        torch.set_num_threads(1)
        # The kernels for AVX-512 want wider layers than the tiny models have.
        quantized = importlib.import_module("bitsandbytes.nn.modules")
        if hasattr(quantized, "has_avx512bf16"):
            vars(quantized)["has_avx512bf16"] = lambda: False
        self._models = models
        tiny.make(models)
        self._tuner = importlib.import_module("llamafactory.train.tuner")
        self._parser = importlib.import_module("llamafactory.hparams.parser")
        # The parser asks the machine whether `pure_bf16` may be.
        self._parser.is_torch_bf16_gpu_available = lambda: True
        with contextlib.suppress(ImportError):
            # The scores of generated texts want its dictionary.
            importlib.import_module("jieba").initialize()
        for family in tiny.FAMILIES:
            importlib.import_module(f"transformers.models.{family}.modeling_{family}")

    def run(self, job: dict[str, Any], record: Record) -> None:
        _watch(record)
        with record.within("parse"):
            written = self._read(job["file"])
        given = self._surrounded(written, record)
        checkpoint = given.get("resume_from_checkpoint")
        if checkpoint:
            self._train(_first(given), record, steps=1)
            if isinstance(checkpoint, str):
                given["resume_from_checkpoint"] = str(Path("out/checkpoint-1").resolve())
            with record.within("resume", reaches=False):
                self._train(given, record, steps=_STEPS)
        else:
            self._train(given, record, steps=_STEPS)
            if not _ONCE:
                self._resume(given, record)
        if not _ONCE:
            self._export(given, record)

    def _read(self, file: str) -> dict[str, Any]:
        """The file as the release reads it."""
        sys.argv = ["llamafactory-cli", file]
        if hasattr(self._parser, "read_args"):
            read = self._parser.read_args()
        else:
            # Before 0.9.3 it is read inside transformers, in this way.
            import yaml

            read = yaml.safe_load(Path(file).read_text(encoding="utf-8"))
        if not isinstance(read, dict):
            raise TypeError(f"the file has a {type(read).__name__} where keys are expected")
        return dict(read)

    def _surrounded(self, written: dict[str, Any], record: Record) -> dict[str, Any]:
        """The arguments without what cannot be here, and models and datasets where they are named."""
        given = _changed(written, record)
        here = Path.cwd()
        for key in ("model_name_or_path", "ref_model"):
            name = given.get(key)
            if isinstance(name, str) and tiny.family(name) is None:
                raise NotTried(f"{name} reads more than texts")
            if isinstance(name, str):
                tiny.place(self._models, name, here)
        names = [
            name
            for key in ("dataset", "eval_dataset")
            for name in llamafactory_data.named(given.get(key))
        ]
        for name in names:
            if not llamafactory_data.known(name):
                record.facts.setdefault("stand-ins", []).append(name)
        llamafactory_data.write(names, given.get("stage", "sft"), here / "data")
        if "dataset_dir" in given:
            given["dataset_dir"] = "data"
        for key in _FOLDERS:
            if isinstance(given.get(key), str):
                given[key] = "out" if key == "output_dir" else key
        return given

    def _train(self, given: dict[str, Any], record: Record, steps: int) -> None:
        def parsed(arguments: Any = None) -> Any:
            with record.within("parse"):
                parts = parse(arguments)
            _shrink(parts, record, steps)
            return parts

        parse = self._parser.get_train_args
        self._tuner.get_train_args = parsed
        self._tuner.run_exp(copy.deepcopy(given))

    def _resume(self, given: dict[str, Any], record: Record) -> None:
        """Go on from the last checkpoint of a run that has come to its end."""
        from transformers.trainer_utils import get_last_checkpoint

        last = get_last_checkpoint("out") if Path("out").is_dir() else None
        if last is not None:
            again = {**given, "resume_from_checkpoint": last}
            _afterwards(record, "resumed", lambda: self._train(again, record, steps=_STEPS + 2))

    def _export(self, given: dict[str, Any], record: Record) -> None:
        """Merge an adapter into the model, as `llamafactory-cli export` does."""
        if not Path("out/adapter_config.json").exists():
            return
        words = {
            "model_name_or_path": given["model_name_or_path"],
            "adapter_name_or_path": "out",
            "finetuning_type": "lora",
            "export_dir": "exported",
        }
        words.update({key: given[key] for key in ("template",) if key in given})
        _afterwards(record, "exported", lambda: self._tuner.export_model(words))


def _changed(written: dict[str, Any], record: Record) -> dict[str, Any]:
    given = dict(written)
    for key in _DROPPED:
        if given.get(key) not in (None, False, "none"):
            record.replace(key, "no GPU, one process, no network and no earlier run here")
            del given[key]
    if written.get("fp16") is True:
        given.setdefault("bf16", True)
    optimizer = given.get("optim")
    if isinstance(optimizer, str) and _GPU_OPTIMIZERS.fullmatch(optimizer):
        record.replace("optim", "needs a GPU")
        given["optim"] = "adamw_torch"
    if given.get("flash_attn") in ("fa2", "fa3"):
        record.replace("flash_attn", "needs a GPU")
        given["flash_attn"] = "sdpa"
    given["report_to"] = "none"
    given["use_cpu"] = True
    return given


def _first(given: dict[str, Any]) -> dict[str, Any]:
    """The arguments of the run that a file resumes."""
    first = {key: value for key, value in given.items() if key != "resume_from_checkpoint"}
    first.update(save_strategy="steps", save_steps=1, load_best_model_at_end=False)
    return {**first, "save_only_model": False}


def _afterwards(record: Record, name: str, call: Callable[[], None]) -> None:
    """Do something with what a run has left; its end is a fact and not the run's."""
    before = copy.deepcopy(record.facts)
    try:
        call()
        end = "yes"
    except Exception as error:
        where = protocol.frame_of(error, LlamaFactory.packages)
        end = f"{type(error).__name__}: {str(error)[:300]} [{where}]"
    record.facts.clear()
    record.facts.update(before, **{name: end})


def _watch(record: Record) -> None:
    hooks.watch(record)
    for stage in _STAGES:
        workflow = importlib.import_module(f"llamafactory.train.{stage}.workflow")
        for name, part in _PARTS.items():
            record.wrap(workflow, name, part)
        for name, value in list(vars(workflow).items()):
            if isinstance(value, type) and name.endswith("Trainer"):
                hooks.watch_trainer(record, value)


def _shrink(parts: Any, record: Record, steps: int) -> None:
    """Make the parsed arguments small, so that the parser has judged the file's own numbers."""
    _, data, training, _, generating = parts

    def at_most(owner: Any, name: str, most: int, put: int | None = None) -> None:
        value = getattr(owner, name, None)
        if isinstance(value, (int, float)) and not isinstance(value, bool) and value > most:
            record.facts.setdefault("smaller", {})[name] = value
            setattr(owner, name, most if put is None else put)

    at_most(training, "max_steps", steps)
    if training.max_steps in (-1, 0):
        training.max_steps = steps
    for name in ("eval_steps", "save_steps"):
        at_most(training, name, _STEPS, 2)
    for name in ("per_device_train_batch_size", "gradient_accumulation_steps"):
        at_most(training, name, 2)
    at_most(training, "per_device_eval_batch_size", 2)
    at_most(training, "dataloader_num_workers", 1)
    at_most(training, "logging_steps", 1)
    at_most(training, "generation_max_length", _LENGTH + _GENERATED)
    if isinstance(data.cutoff_len, int):
        # What is left of a multiple of 8, to which rows are padded, stays the same.
        at_most(data, "cutoff_len", _LENGTH, _LENGTH - (8 - data.cutoff_len % 8) % 8)
    at_most(data, "max_samples", _SAMPLES)
    at_most(data, "val_size", 8, 4)
    at_most(data, "preprocessing_num_workers", 1)
    at_most(generating, "max_new_tokens", _GENERATED)
    at_most(generating, "max_length", _LENGTH + _GENERATED)


if __name__ == "__main__":
    protocol.serve(LlamaFactory())
