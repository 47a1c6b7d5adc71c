"""Runs `trl COMMAND --config FILE` on a CPU."""

from __future__ import annotations

import copy
import importlib
import inspect
import json
import re
import types
from pathlib import Path
from typing import Any

import yaml

from tools.runs.worker import hooks, protocol, tiny
from tools.runs.worker.protocol import NotTried, Record

_COMMANDS = ("sft", "dpo", "grpo", "kto", "reward", "rloo")
_TRAINERS = (
    "SFTTrainer",
    "DPOTrainer",
    "GRPOTrainer",
    "KTOTrainer",
    "RewardTrainer",
    "RLOOTrainer",
)
#: Keys that need a GPU, other processes, the network or packages that are not here.
_DROPPED = (
    *("deepspeed", "fsdp", "fsdp_config", "parallelism_config", "tf32", "fp16", "fp16_full_eval"),
    *("torch_compile", "torch_compile_backend", "torch_compile_mode", "use_liger_kernel", "use_vllm"),
    *("use_liger_loss", "use_liger", "use_transformers_paged", "push_to_hub", "torch_empty_cache_steps", "activation_offloading"),
    *("accelerate_config", "num_processes", "config_file", "num_machines", "main_process_port"),
)  # fmt: skip
#: Optimizers whose kernels need a GPU.
_GPU_OPTIMIZERS = re.compile(
    r"(paged_)?(adamw|lion|ademamix)(_32bit|_8bit|_bnb_8bit)|rmsprop_bnb.*|paged_(adamw|lion|ademamix)|adamw_apex_fused"
    r"|adamw_torch_(npu_fused|xla|4bit|8bit)|galore_adamw_8bit.*"
)
_KERNELS = re.compile(r"(paged\|)?fl(ash|ex)_attention(_\d)?|.*/.*")
_NAMING_MODELS = (
    *("model_name_or_path", "reward_model_name_or_path", "ref_model_name_or_path"),
    *("teacher_model_name_or_path", "tokenizer_name_or_path", "chat_template_path"),
)
_STEPS, _ROWS, _LENGTH = 3, 24, 8


class Trl:
    """The framework for the protocol."""

    packages: tuple[str, ...] = ("trl", "transformers", "peft", "accelerate", "datasets")

    def __init__(self) -> None:
        self._models = Path()
        self._scripts: dict[str, Any] = {}

    def preload(self, models: Path) -> None:
        import datasets  # noqa: F401
        import peft  # noqa: F401
        import torch
        import transformers
        import trl
        from packaging.version import Version

        torch.set_num_threads(1)
        transformers.utils.logging.set_verbosity_error()
        self._models = models
        hooks.narrow_layers()
        # Since 1.2 SFT knows how to mark the answers in the usual templates; before, none of them does.
        tiny.make(models, marked=Version(trl.__version__) >= Version("1.2"))
        for name in _COMMANDS:
            try:
                self._scripts[name] = importlib.import_module(f"trl.scripts.{name}")
            except ModuleNotFoundError:
                # Not all releases have all commands.
                continue
            self._scripts[name].make_parser()
        for name in (*_TRAINERS, "get_dataset", "get_peft_config"):
            getattr(trl, name, None)
        importlib.import_module("trl.rewards") if "grpo" in self._scripts else None
        for family in tiny.FAMILIES:
            importlib.import_module(f"transformers.models.{family}.modeling_{family}")

    def run(self, job: dict[str, Any], record: Record) -> None:
        command = job["command"]
        script = self._scripts.get(command)
        if script is None:
            raise NotTried(f"this release has no command {command!r}")
        with record.within("parse"):
            config = Path(job["file"])
            parsed = _parse(script, command, _changed(config, record))
        self._surround(config, command, parsed)
        _watch(record)
        _shrink(parsed[1], record)
        again = parsed[1].resume_from_checkpoint
        if again and str(again).lower() != "false":
            self._first(script, parsed)
            with record.within("resume", reaches=False):
                script.main(*parsed)
        else:
            script.main(*parsed)

    def _first(self, script: types.ModuleType, parsed: list[Any]) -> None:
        """Make the checkpoint that a run resumes from."""
        first = copy.deepcopy(parsed)
        arguments = first[1]
        arguments.resume_from_checkpoint = None
        arguments.max_steps = arguments.save_steps = 1
        arguments.save_strategy = type(arguments.save_strategy)("steps")
        arguments.eval_strategy = type(arguments.eval_strategy)("no")
        arguments.load_best_model_at_end = arguments.save_only_model = False
        script.main(*first)
        if str(parsed[1].resume_from_checkpoint).lower() != "true":
            parsed[1].resume_from_checkpoint = str(Path(arguments.output_dir) / "checkpoint-1")

    def _surround(self, config: Path, command: str, parsed: list[Any]) -> None:
        """Put models and datasets where the names in the file find them."""
        here = Path.cwd()
        written = yaml.safe_load(config.read_text(encoding="utf-8"))
        arguments, training = parsed[0], parsed[1]
        for key in _NAMING_MODELS:
            for part in parsed:
                name = getattr(part, key, None)
                if isinstance(name, str) and tiny.family(name) is None:
                    raise NotTried(f"{name} is not a model for text alone")
                if isinstance(name, str):
                    tiny.place(self._models, name, here)
        splits = (arguments.dataset_train_split, arguments.dataset_test_split)
        rows = _rows(command, written, _wanted(training))
        _dataset(here, arguments.dataset_name, arguments.dataset_config, splits, rows)
        for mixed in getattr(parsed[-1], "datasets", None) or ():
            name = getattr(mixed, "path", None)
            _dataset(here, name, getattr(mixed, "name", None), (mixed.split or "train",), rows)


def _changed(file: Path, record: Record) -> Path:
    """The file without what cannot be on this machine."""
    read = yaml.safe_load(file.read_text(encoding="utf-8"))
    if not isinstance(read, dict):
        return file
    config = dict(read)
    for key in _DROPPED:
        if config.get(key) not in (None, False):
            record.replace(key, "no GPU, one process and no network here")
            del config[key]
    optimizer = config.get("optim")
    if isinstance(optimizer, str) and _GPU_OPTIMIZERS.fullmatch(optimizer):
        record.replace("optim", "needs a GPU")
        config["optim"] = "adamw_torch"
    attention = config.get("attn_implementation")
    if isinstance(attention, str) and _KERNELS.fullmatch(attention):
        record.replace("attn_implementation", "needs a GPU, or minutes on a CPU")
        config["attn_implementation"] = "sdpa"
    if config == read:
        return file
    changed = Path("changed.yaml").resolve()
    changed.write_text(yaml.safe_dump(config, sort_keys=False), encoding="utf-8")
    return changed


def _parse(script: Any, command: str, file: Path) -> list[Any]:
    """What the script's parser makes of the file, as the command calls it."""
    import trl

    parser = script.make_parser()

    def error(message: str) -> None:
        raise ValueError(message)

    parser.error = error
    given = ["--config", str(file), "--use_cpu", "true"]
    # Later releases hand what their parser does not know to accelerate's, which refuses it; so does
    # `sft` of the earlier ones. Some of their other scripts pass over it.
    passes_over = "return_remaining_strings=True" in inspect.getsource(script)
    strict = command == "sft" or not passes_over or (Path(trl.__file__).parent / "cli").is_dir()
    parsed = parser.parse_args_and_config(
        given, **({} if strict else {"return_remaining_strings": True})
    )
    return [part for part in parsed if not isinstance(part, (list, str))]


def _watch(record: Record) -> None:
    import trl

    hooks.watch(record)
    for name in _TRAINERS:
        if hasattr(trl, name):
            hooks.watch_trainer(record, getattr(trl, name))


def _shrink(training: Any, record: Record) -> None:
    """Make the parsed arguments small, so that the parser has judged the file's own numbers."""

    def above(name: str, most: int) -> bool:
        """Whether an argument is a whole number above another; other numbers are left to fail."""
        value = getattr(training, name, None)
        return type(value) is int and value > most

    def put(name: str, value: Any) -> None:
        if getattr(training, name, None) != value:
            record.facts.setdefault("smaller", []).append(name)
            setattr(training, name, value)

    training.output_dir = "out"
    training.report_to = []
    if getattr(training, "logging_dir", None):
        training.logging_dir = "log"
    if _number(training.max_steps) and not 0 < training.max_steps < _STEPS:
        put("max_steps", _STEPS)
    for name in ("eval_steps", "save_steps"):
        if _number(getattr(training, name, None)) and getattr(training, name) > _STEPS:
            put(name, 2)
    for name in ("dataloader_num_workers", "dataset_num_proc"):
        if above(name, 1):
            put(name, 1)
    if getattr(training, "num_generations", None) is None:
        for name in ("per_device_train_batch_size", "gradient_accumulation_steps", "per_device_eval_batch_size"):  # fmt: skip
            if above(name, 2):
                put(name, 2)
    if above("max_completion_length", _LENGTH):
        put("max_completion_length", _LENGTH)


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _wanted(training: Any) -> int:
    """How many rows three steps need."""
    batch = getattr(training, "generation_batch_size", None)
    return max(_ROWS, 3 * batch if isinstance(batch, int) and batch < 1000 else 0)


def _rows(command: str, config: dict[str, Any], count: int) -> list[dict[str, Any]]:
    """Rows with the columns that a command reads with this file."""
    field = config.get("dataset_text_field")
    prompt = config.get("dataset_prompt_column")
    rows: list[dict[str, Any]] = []
    for number in range(count):
        asked = [{"role": "user", "content": tiny.sentence(number)}]
        answer = [{"role": "assistant", "content": tiny.sentence(number + 1000)}]
        other = [{"role": "assistant", "content": tiny.sentence(number + 2000)}]
        if command in ("dpo", "reward"):
            rows.append({"prompt": asked, "chosen": answer, "rejected": other})
        elif command == "kto":
            rows.append({"prompt": asked, "completion": answer, "label": number % 2 == 0})
        elif command in ("grpo", "rloo"):
            name = prompt if isinstance(prompt, str) and prompt else "prompt"
            rows.append({name: asked, "solution": "$6$"})
        elif config.get("completion_only_loss") is True:
            rows.append({"prompt": asked, "completion": answer})
        elif isinstance(field, str) and field and field != "messages":
            rows.append({field: f"{tiny.sentence(number)} {tiny.sentence(number + 7)}"})
        else:
            rows.append({"messages": asked + answer})
    return rows


def _dataset(
    here: Path, name: Any, config: Any, splits: tuple[Any, ...], rows: list[dict[str, Any]]
) -> None:
    """Make a dataset of the name in the current folder, which `datasets` takes before the hub's."""
    if not isinstance(name, str) or not re.fullmatch(r"[\w-][\w.-]*(/[\w-][\w.-]*)?", name):
        return
    folder = here / name
    folder.mkdir(parents=True, exist_ok=True)
    named = list(
        dict.fromkeys(str(one).partition("[")[0] for one in splits if re.match(r"\w", str(one)))
    )
    files = []
    for split in named:
        few = rows if split == named[0] else rows[:4]
        lines = "".join(json.dumps(row) + "\n" for row in few)
        (folder / f"{split}.jsonl").write_text(lines, encoding="utf-8")
        files.append({"split": split, "path": f"{split}.jsonl"})
    described = {"configs": [{"config_name": str(config or "default"), "data_files": files}]}
    text = f"---\n{yaml.safe_dump(described)}---\n"
    (folder / "README.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    protocol.serve(Trl())
