"""Trains from an Axolotl config on a CPU.

The config is read as it is. The child's folder is a hub of its own: `org/name` of a model is a link
to a tiny model there, and `org/name` of a dataset a file of rows, and Axolotl takes a path that is
there before it asks the hub. Validation is told of one H100; what no CPU can do is taken out after
it.

    python -m tools.runs.worker.axolotl MODELS_FOLDER
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import pkgutil
import re
import sys
from pathlib import Path
from typing import Any

from tools.runs.worker import hooks, tiny
from tools.runs.worker.axolotl_fit import STEPS, fit
from tools.runs.worker.axolotl_rows import rows
from tools.runs.worker.protocol import NotTried, Record, serve

_GPU = {"bf16": True, "fp8": True, "tf32": True, "n_gpu": 1, "compute_capability": "sm_90"}
_ROWS = 64
_VALIDATION_ROWS = 12
#: What every run imports. Names change between releases; one that is not there is left out.
_PRELOADED = (
    *("axolotl.cli.config", "axolotl.cli.train", "axolotl.cli.merge_lora", "axolotl.train"),
    *("axolotl.common.datasets", "axolotl.utils.data", "axolotl.loaders", "axolotl.core.builders"),
    *("axolotl.core.trainer_builder", "axolotl.core.trainers.dpo.trainer"),
    *("axolotl.core.trainers.trl", "axolotl.core.trainers.grpo.trainer", "axolotl.evaluate"),
    *(f"trl.trainer.{name}_trainer" for name in ("dpo", "grpo", "kto", "reward", "sft")),
    *(f"trl.experimental.{name}" for name in ("orpo", "cpo", "prm", "kto")),
    *("bitsandbytes", "peft", "evaluate", "schedulefree", "scipy.stats", "numba"),
    *("axolotl.prompt_strategies.chat_template", "axolotl.prompt_strategies.dpo.chatml"),
    *("axolotl.integrations.kernels", "peft.tuners.lora.bnb", "lomo_optim", "scipy.io"),
    *("transformers.models.gemma4.modeling_gemma4", "axolotl.loaders.nf4"),
    *("torch.nn.attention.varlen", "torch.utils.tensorboard", "torch._dynamo"),
)
_MODEL_KEYS = ("base_model", "base_model_config", "tokenizer_config", "processor_config")


class Axolotl:
    """The framework."""

    packages: tuple[str, ...] = ("axolotl", "transformers", "trl", "peft", "datasets", "accelerate")

    def __init__(self) -> None:
        self._models = Path()

    def preload(self, models: Path) -> None:
        """Import what a run imports, compile the packing code, and make the tiny models."""
        os.environ.update(AXOLOTL_DO_NOT_TRACK="1", DO_NOT_TRACK="1")
        # a variable that accelerate prefers to the arguments
        os.environ.pop("ACCELERATE_USE_CPU", None)
        import torch

        torch.set_num_threads(1)
        families = (f"transformers.models.{name}.modeling_{name}" for name in tiny.FAMILIES)
        for name in (*_PRELOADED, *families, *_model_support()):
            try:
                importlib.import_module(name)
            except Exception as error:
                print(f"{name}: {type(error).__name__}: {error}", file=sys.stderr)
        # the newest torchvision lacks what datasets of a year ago imports of it
        vars(importlib.import_module("datasets").config)["TORCHVISION_AVAILABLE"] = False
        self._models = models
        tiny.make(models)
        _compile_packing()

    def run(self, job: dict[str, Any], record: Record) -> None:
        """Read, train, and do what the file asks for besides: resume, merge."""
        import yaml

        sys.path.insert(0, str(Path.cwd()))
        with record.within("parse", reaches=False):
            text = Path(job["file"]).read_text(encoding="utf-8")
            config = yaml.safe_load(text)
        if isinstance(config, dict):
            before = json.dumps(config, default=str)
            self._lay_out(config, record)
            if json.dumps(config, default=str) != before:
                text = yaml.safe_dump(config, sort_keys=False)
        Path("config.yml").write_text(text, encoding="utf-8")
        _prepare(record, set(config) if isinstance(config, dict) else set())
        hooks.watch(record)
        if isinstance(config, dict) and (
            config.get("resume_from_checkpoint") or config.get("auto_resume_from_checkpoints")
        ):
            _resume(config, record)
        else:
            _train({}, record)
        if job.get("command") == "merge":
            _merge(record)

    def _lay_out(self, config: dict[str, Any], record: Record) -> None:
        """Put models and datasets where the config's names lead."""
        for key in _MODEL_KEYS:
            name = config.get(key)
            if isinstance(name, str) and name and not os.path.exists(name):
                family = tiny.family(name)
                if family is None:
                    raise NotTried(f"no tiny model stands for {name}")
                place = _inside(name)
                if place != name:
                    record.replace(key, "a path outside of the folder")
                    config[key] = place
                Path(place).parent.mkdir(parents=True, exist_ok=True)
                os.symlink(self._models / family, place)
        _lay_out_data(config, record)
        output = config.get("output_dir")
        if isinstance(output, str) and _inside(output) != output:
            config["output_dir"] = "./outputs"


def _lay_out_data(config: dict[str, Any], record: Record) -> None:
    laid: dict[str, list[Any]] = {}
    for key in ("datasets", "test_datasets", "pretraining_dataset"):
        for entry in _entries(config.get(key)):
            path = entry.get("path")
            kind = entry.get("type")
            if isinstance(kind, str) and kind.startswith("axolotl.integrations."):
                raise NotTried(f"no rows are known for {kind}")
            if not isinstance(path, str) or (os.path.exists(path) and path not in laid):
                continue
            if key == "pretraining_dataset":
                entry = {"type": "pretrain", **entry}
            count = _VALIDATION_ROWS if key == "test_datasets" else _ROWS
            made = rows(entry, config.get("rl"), count, 2 if key == "test_datasets" else 1)
            # two entries may read different columns of one dataset
            earlier = laid.get(path, [{}] * count)
            laid[path] = [{**old, **new} for old, new in zip(earlier, made, strict=False)]
            place = _inside(path)
            if place != path:
                record.replace(key, "a path outside of the folder")
                for same in _entries(config[key]):
                    if same.get("path") == path:
                        same["path"] = place
                laid[place] = laid[path]
            if key == "pretraining_dataset" or "name" in entry or not Path(place).suffix:
                # a folder is read with its name, split and streaming, as the hub's are
                place = os.path.join(place, "train.jsonl")
            Path(place).parent.mkdir(parents=True, exist_ok=True)
            lines = (json.dumps(row) for row in laid[path])
            Path(place).write_text("\n".join(lines) + "\n", encoding="utf-8")


def _entries(value: Any) -> list[dict[str, Any]]:
    if isinstance(value, str):
        return [{"path": value}]
    entries = value if isinstance(value, list) else [value]
    return [entry for entry in entries if isinstance(entry, dict)]


def _inside(path: str) -> str:
    """The path, or one in the folder that stands for it."""
    if os.path.isabs(path) or "://" in path or ".." in Path(path).parts or path.startswith("~"):
        return re.sub(r"[^\w.-]+", "_", path).strip("_.") or "outside"
    return path


def _prepare(record: Record, written: set[str]) -> None:
    """Change what is the machine's, and watch what is Axolotl's own."""
    import datasets
    from axolotl import train
    from axolotl.cli import config as cli_config
    from axolotl.common import datasets as axolotl_datasets
    from axolotl.utils import config as utils_config

    for name in ("map", "filter", "save_to_disk"):
        _without_workers(datasets.Dataset, name)
    _one_process_packing()
    _narrow_layers()
    for module in (utils_config, sys.modules.get("transformers.training_args"), cli_config):
        if hasattr(module, "is_torch_bf16_gpu_available"):
            vars(module)["is_torch_bf16_gpu_available"] = lambda *given, **named: True
    validate = cli_config.validate_config

    def validate_as_on_a_gpu(cfg: Any, *given: Any, **named: Any) -> Any:
        if named.get("capabilities") is not None:
            named["capabilities"] = dict(_GPU)
        with record.within("parse"):
            validated = validate(cfg, *given, **named)
        fit(validated, record, written)
        validated.update(record.facts.pop("forced", {}))
        return validated

    vars(cli_config)["validate_config"] = validate_as_on_a_gpu
    normalize = cli_config.normalize_config

    def normalize_without_half(cfg: Any) -> Any:
        import torch

        result = normalize(cfg)
        if cfg.fp16 or cfg.torch_dtype is torch.float16:
            # noted under the key that is written most
            record.replace("fp16", "needs a GPU")
            cfg.fp16 = cfg.bf16 = False
            cfg.float16 = None
            cfg.torch_dtype = torch.float32
        return result

    vars(cli_config)["normalize_config"] = normalize_without_half
    record.wrap(cli_config, "load_cfg", "parse")
    for name in ("load_datasets", "load_preference_datasets", "load_rl_datasets"):
        record.wrap(axolotl_datasets, name, "data")
    for name in ("setup_model_and_tokenizer", "load_model", "setup_reference_model"):
        record.wrap(train, name, "model")
    record.wrap(train, "setup_trainer", "trainer")
    record.wrap(train, "save_trained_model", "save")
    execute = vars(train).get("execute_training")
    if execute is not None:

        def execute_training(cfg: Any, trainer: Any, checkpoint: Any) -> Any:
            record.facts["resumed_from"] = str(checkpoint) if checkpoint else ""
            return execute(cfg, trainer, checkpoint)

        vars(train)["execute_training"] = execute_training


def _without_workers(owner: Any, name: str) -> None:
    function = vars(owner)[name]

    def alone(*given: Any, **named: Any) -> Any:
        if named.get("num_proc"):
            named["num_proc"] = None
        return function(*given, **named)

    # datasets looks at what it wrapped
    vars(alone).update(vars(function))
    alone.__wrapped__ = function  # type: ignore[attr-defined]
    setattr(owner, name, alone)


def _one_process_packing() -> None:
    samplers = sys.modules.get("axolotl.utils.samplers.multipack")
    pack = getattr(samplers, "pack_parallel", None)
    if samplers is not None and pack is not None:
        vars(samplers)["pack_parallel"] = lambda *given, **named: pack(
            *given, **{**named, "num_processes": 1}
        )


def _narrow_layers() -> None:
    """The 4-bit kernels for newer CPUs take layers of 64 and more only."""
    modules = sys.modules.get("bitsandbytes.nn.modules")
    if modules is not None and hasattr(modules, "has_avx512bf16"):
        vars(modules)["has_avx512bf16"] = lambda: False


def _model_support() -> list[str]:
    """The modules that each run asks whether they know its model."""
    found = importlib.util.find_spec("axolotl.model_support")
    places = found.submodule_search_locations if found is not None else None
    return [f"axolotl.model_support.{one.name}" for one in pkgutil.iter_modules(places or [])]


def _compile_packing() -> None:
    """Here, not in every child: it takes seconds."""
    try:
        numpy = importlib.import_module("numpy")
        from axolotl.utils.samplers import multipack

        for kind in (numpy.int32, numpy.int64):
            lengths = numpy.array([30, 40, 50, 60, 70, 90], dtype=kind)
            if hasattr(multipack, "pack_parallel"):
                multipack.pack_parallel(lengths, 256, 100, 200, num_processes=1)
                multipack.ffd_check(lengths, 256, 3)
            if hasattr(multipack, "allocate_sequentially"):
                multipack.allocate_sequentially(lengths, rank=0, bin_capacity=256, num_ranks=1)
    except Exception as error:
        print(f"packing: {type(error).__name__}: {error}", file=sys.stderr)


def _train(forced: dict[str, Any], record: Record) -> Any:
    """What `axolotl train` does after it has read its arguments."""
    from axolotl.cli import config as cli_config
    from axolotl.cli.args import TrainerCliArgs
    from axolotl.cli.train import do_train

    record.facts["forced"] = forced
    cfg = cli_config.load_cfg("config.yml")
    do_train(cfg, TrainerCliArgs())
    return cfg


def _resume(config: dict[str, Any], record: Record) -> None:
    """Train twice: for a checkpoint, and on from it."""
    first = {"resume_from_checkpoint": None, "auto_resume_from_checkpoints": False}
    _train({**first, "max_steps": 2, "save_steps": 1, "save_strategy": "steps"}, record)
    second: dict[str, Any] = {"max_steps": STEPS + 1}
    checkpoint = config.get("resume_from_checkpoint")
    if isinstance(checkpoint, str) and not os.path.isdir(checkpoint):
        output = Path(str(config.get("output_dir") or "./model-out"))
        record.replace("resume_from_checkpoint", "the checkpoint of a first run")
        second["resume_from_checkpoint"] = str(output / "checkpoint-2")
    with record.within("resume", reaches=False):
        _train(second, record)
    if record.facts.get("resumed_from"):
        record.reach("resume")


def _merge(record: Record) -> None:
    """What `axolotl merge-lora` does."""
    from axolotl.cli.merge_lora import do_cli

    with record.within("save"):
        do_cli(config="config.yml")
    record.facts["merged"] = True


if __name__ == "__main__":
    serve(Axolotl())
