"""The same settings, written for ms-swift, for LLaMA-Factory and for TRL: they need the same memory."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product as every
from typing import Any

from cfglint.runs.memory.estimate import estimate
from cfglint.runs.memory.planning import Planner
from cfglint.runs.memory.run import MemoryRun
from cfglint.runs.memory.terms import sizes
from tests.draws import drawn, product
from tests.runs.memory.planners import planner_of

MODELS = (
    "NousResearch/Meta-Llama-3-8B", "Qwen/Qwen3-8B", "Qwen/Qwen2.5-0.5B", "Qwen/Qwen3-30B-A3B",
    "mistralai/Mistral-7B-v0.3", "google/gemma-2-2b",
)  # fmt: skip
OPTIMIZERS = (
    None,
    "adamw_torch",
    "adamw_torch_fused",
    "adamw_8bit",
    "paged_adamw_8bit",
    "adafactor",
)
STAGES = (None, 1, 2, 3)
TARGETS = (None, ("q_proj", "v_proj"), ("o_proj",))
#: `swift sft` starts so many processes, `llamafactory-cli` one for each GPU.
SWIFT = "NPROC_PER_NODE={0} CUDA_VISIBLE_DEVICES={1} swift sft train.yaml\n"
FACTORY, TRL = "llamafactory-cli train train.yaml\n", "trl sft --config sft.yaml\n"


class Setting:
    """One run, in words of no framework."""

    def __init__(self, numbers: tuple[Any, ...]) -> None:
        self.model, self.trains, self.bits, self.targets, self.optimizer = numbers[:5]
        self.stage, self.gpus, self.batch, self.checkpoints, self.rank = numbers[5:]

    @property
    def common(self) -> dict[str, Any]:
        """What all three call the same."""
        return {
            "optim": self.optimizer,
            "per_device_train_batch_size": self.batch,
            "gradient_accumulation_steps": 4,
            "output_dir": "out",
            "learning_rate": 1e-4,
            "deepspeed": None
            if self.stage is None
            else {"zero_optimization": {"stage": self.stage, "overlap_comm": True}},
        }

    def swift(self) -> Planner:
        """As a file of ms-swift."""
        quantized = {"quant_method": "bnb", "quant_bits": self.bits} if self.bits else {}
        config = {
            "model": self.model,
            "tuner_type": self.trains,
            "dataset": ["acme/tickets"],
            "max_length": 2048,
            "lora_rank": self.rank,
            "torch_dtype": "bfloat16",
            "gradient_checkpointing": self.checkpoints,
            **quantized,
            **({"target_modules": list(self.targets)} if self.targets else {}),
            **self.common,
        }
        devices = ",".join(map(str, range(self.gpus)))
        return planned("swift", "4.5.2", config, SWIFT.format(self.gpus, devices))

    def factory(self) -> Planner:
        """As a file of LLaMA-Factory."""
        config = {
            "model_name_or_path": self.model,
            "stage": "sft",
            "do_train": True,
            "finetuning_type": self.trains,
            "dataset": "tickets",
            "template": "default",
            "cutoff_len": 2048,
            "lora_rank": self.rank,
            "quantization_bit": self.bits,
            # As ms-swift does by itself where everything is trained.
            **({"pure_bf16": True} if self.trains == "full" else {"bf16": True}),
            "disable_gradient_checkpointing": not self.checkpoints,
            **({"lora_target": ",".join(self.targets)} if self.targets else {}),
            **self.common,
        }
        return planned("llamafactory", "0.9.4", config, FACTORY)

    def trl(self) -> Planner:
        """As a file of TRL."""
        config = {
            "model_name_or_path": self.model,
            "dataset_name": "acme/tickets",
            "dtype": "bfloat16",
            "max_length": 2048,
            "loss_type": "nll",
            "gradient_checkpointing": self.checkpoints,
            **self.common,
        }
        return planner_of("trl", "1.9.0", written(config), "sft.yaml", script=TRL.encode())

    def __repr__(self) -> str:
        return repr(sorted(self.__dict__.items()))


def written(config: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in config.items() if value is not None}


def planned(framework: str, release: str, config: dict[str, Any], script: str) -> Planner:
    return planner_of(framework, release, written(config), script=script.encode())


def settings() -> Iterator[Setting]:
    """All that the frameworks can do alike."""
    sizes_of_run = (STAGES, (1, 4), (1, 4), (True, False))
    for numbers in every(MODELS, ("full",), (None,), (None,), OPTIMIZERS, *sizes_of_run, (8,)):
        yield Setting(numbers)
    few = (None, "adamw_8bit")
    for of_adapter in every(MODELS, ("lora",), (None, 4, 8), TARGETS, few, *sizes_of_run, (16,)):
        yield Setting(of_adapter)


def held(run: MemoryRun | None) -> dict[str, int]:
    assert run is not None
    return sizes(run)


def expected(run: MemoryRun | None) -> tuple[int, ...] | None:
    found = None if run is None else estimate(run)
    return None if found is None else (found.likely, found.low, found.high)


@product
def test_as_in_llama_factory() -> None:
    for setting in drawn(settings(), 60):
        swift, factory = setting.swift(), setting.factory()
        for usual in (False, True):
            one, other = (
                made.usual(setting.gpus) if usual else made.run(setting.gpus)
                for made in (swift, factory)
            )
            assert held(one) == held(other), setting
            # Of weights in 8 bits, one has no estimate.
            assert setting.bits == 8 or expected(one) == expected(other), setting


@product
def test_as_in_trl() -> None:
    """Of all parameters, as TRL has adapters in 16 bits, and without what torch's Adam copies in DeepSpeed's step."""
    everything = (
        one
        for one in settings()
        if one.trains == "full" and not (one.stage and one.optimizer == "adamw_torch")
    )
    for setting in drawn(everything, 40):
        one, other = setting.swift().usual(setting.gpus), setting.trl().usual(setting.gpus)
        assert held(one) == held(other), setting
        assert expected(one) == expected(other), setting
