"""Where runs enter a package: what is imported whenever one starts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Importing(NamedTuple):
    """A package that imports others as it is imported."""

    #: The name of its module.
    module: str
    #: Name of an entry -> modules, or names in them, of which a release has the first that it has.
    entries: Mapping[str, Sequence[str]]
    #: The entries of which any may run with a file that does not tell which.
    unnamed: Sequence[str] = ()


#: What a file imports that does not tell which entry it is for.
UNNAMED = "-"
_TRAINERS = ("SFT", "DPO", "GRPO", "KTO", "Reward", "RLOO", "ORPO", "CPO")
IMPORTING: Mapping[str, Importing] = {
    "transformers": Importing(
        "transformers", {"Trainer": ("transformers:Trainer",), "*": ("transformers",)}
    ),
    "accelerate": Importing("accelerate", {"*": ("accelerate",)}),
    "peft": Importing("peft", {"*": ("peft",)}),
    "trl": Importing(
        "trl",
        {
            **{f"{one}Trainer": (f"trl:{one}Trainer",) for one in _TRAINERS},
            **{f"{one}Config": (f"trl:{one}Config",) for one in _TRAINERS},
        },
        # Those of its commands.
        [f"{one}Trainer" for one in _TRAINERS[:6]],
    ),
    "llamafactory": Importing("llamafactory", {"*": ("llamafactory.train.tuner",)}),
    "ms-swift": Importing("swift", {"*": ("swift.pipelines:sft_main", "swift.llm:sft_main")}),
    "axolotl": Importing("axolotl", {"*": ("axolotl.train", "axolotl.cli.train")}),
    "verl": Importing(
        "verl",
        {
            "ppo_trainer": ("verl.trainer.main_ppo",),
            "sft_trainer": ("verl.trainer.sft_trainer", "verl.trainer.fsdp_sft_trainer"),
        },
        ["ppo_trainer"],
    ),
    "openrlhf": Importing(
        "openrlhf",
        {
            f"train_{one}": (f"openrlhf.cli.train_{one}",)
            for one in ("sft", "rm", "dpo", "kto", "ppo_ray")
        },
    ),
}
#: Package -> the name of its module, of those whose names are looked up.
IMPORTED: Mapping[str, str] = {
    "transformers": "transformers",
    "trl": "trl",
    "peft": "peft",
    "accelerate": "accelerate",
    "datasets": "datasets",
    "huggingface-hub": "huggingface_hub",
}
#: The first release that is read.
SINCE: Mapping[str, str] = {
    "transformers": "4.37.0",
    "trl": "0.8.0",
    "peft": "0.8.0",
    "accelerate": "0.26.0",
    "datasets": "2.14.0",
    "huggingface-hub": "0.20.0",
    "llamafactory": "0.8.0",
    "ms-swift": "3.0.0",
    "axolotl": "0.5.0",
    "verl": "0.1",
    "openrlhf": "0.5.0",
}
