"""The parameters of the classes that programs call, read from releases as text."""

from __future__ import annotations

import json
from pathlib import Path

from tools.python_sources.sources import Release
from tools.trl_release.classes import BASE, Histories, read_classes

CONFIG = (
    "from dataclasses import dataclass, field\nfrom transformers import TrainingArguments\n"
    "@dataclass\nclass {name}(TrainingArguments):\n    beta: float = field(default=0.1)\n    {more}: int = 1\n"
)
TRAINER = (
    "from transformers import Trainer\nclass OwnTrainer(Trainer):\n"
    '    @deprecate_kwarg("tokenizer", "0.16.0", "processing_class")\n'
    "    def __init__(self, model, args=None, *, processing_class=None{more}): ...\n"
)


def release(version: str, package: str = "trl", **modules: str) -> Release:
    found = {f"{package}.{name.replace('__', '.')}": text for name, text in modules.items()}
    return Release(version, {package: "", **found}, frozenset({package}))


def test_configs_and_trainers() -> None:
    found = read_classes(
        release(
            "1.0",
            config=CONFIG.format(name="OwnConfig", more="size"),
            trainer=TRAINER.format(more=""),
            experimental__config=CONFIG.format(name="OwnConfig", more="other"),
            experimental__more=CONFIG.format(name="NewConfig", more="size"),
            hidden=CONFIG.format(name="_Hidden", more="size")
            + CONFIG.format(name="BaseConfig", more="size"),
        ),
        "trl",
    )
    assert {name: (set(keys.keys), above) for name, (keys, above) in found.items()} == {
        "OwnConfig": ({"beta", "size"}, True),
        "NewConfig": ({"beta", "size"}, True),
        "OwnTrainer": ({"model", "args", "processing_class", "tokenizer"}, False),
    }
    assert found["OwnConfig"][0].keys["beta"].type == "float"
    assert found["OwnTrainer"][0].forbidding == {"": True}


def test_a_class_that_takes_anything() -> None:
    (keys, _) = read_classes(release("1.0", trainer=TRAINER.format(more=", **kwargs")), "trl")[
        "OwnTrainer"
    ]
    assert keys.forbidding == {"": False}


def test_a_class_that_has_moved_has_the_parameters_of_its_new_place() -> None:
    moved = (
        "with suppress_experimental_warning():\n    from .experimental.own import OwnTrainer as _OwnTrainer\n"
        "class OwnTrainer(_OwnTrainer):\n    def __init__(self, *args, **kwargs):\n"
        "        warn()\n        super().__init__(*args, **kwargs)\n"
    )
    own = "class OwnTrainer:\n    def __init__(self, model, args=None): ...\n"
    found = read_classes(release("1.0", a=moved, experimental__own=own), "trl")
    (keys, _) = found["OwnTrainer"]
    assert (set(keys.keys), keys.forbidding) == ({"model", "args"}, {"": True})
    other = moved.replace("super().__init__(*args, **kwargs)", "super().__init__(*args)")
    (keys, _) = read_classes(release("1.0", a=other, experimental__own=own), "trl")["OwnTrainer"]
    assert (set(keys.keys), keys.forbidding) == (set(), {"": False})


def test_of_adapters_the_names_count() -> None:
    text = (
        "from dataclasses import dataclass\nclass PeftConfig: ...\n"
        "@dataclass\nclass LoraConfig(PeftConfig):\n    r: int = 8\n"
    )
    keys, above = read_classes(release("0.1", "peft", config=text), "peft")["LoraConfig"]
    assert (keys.keys["r"].type, above) == ("any", False)


def test_histories(tmp_path: Path) -> None:
    classes = Histories("trl")
    for version, more in (("0.9.0", "old"), ("0.10.0", "new")):
        classes.add(
            release(
                version,
                config=CONFIG.format(name="OwnConfig", more=more),
                trainer=TRAINER.format(more=""),
            )
        )
    assert classes.write(tmp_path) == 2
    config = json.loads((tmp_path / "OwnConfig.json").read_text())
    assert (config["class"], config["above"]) == ("trl.OwnConfig", BASE)
    assert config["keys"]["old"] == {
        "since": "0.9.0",
        "removed": "0.10.0",
        "type": "int",
        "default": 1,
    }
    assert config["sections"] == {"": {"since": "0.9.0", "forbids_unknown_since": "0.9.0"}}
    trainer = json.loads((tmp_path / "OwnTrainer.json").read_text())
    assert trainer["keys"]["tokenizer"]["rename"] == "processing_class"
