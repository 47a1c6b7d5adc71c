"""The keys of LLaMA-Factory's v1 layout, read from small invented sources."""

from __future__ import annotations

import json
from pathlib import Path

from tests.tools.test_llamafactory_release import factory, transformers
from tools.llamafactory_release.cli import main
from tools.llamafactory_release.v1_keys import read_v1_keys
from tools.python_sources.sources import read_release

_HEAD = "from dataclasses import dataclass, field\n@dataclass\nclass {}:\n"
CLASSES = {
    "model_args": (
        "ModelArguments",
        "    model: str = field()\n    template: str = field(default='plain')\n"
        "    peft_config: dict | None = field(default=None)\n"
        "    quant_config: dict | None = field(default=None)\n",
    ),
    "data_args": ("DataArguments", "    train_dataset: str | None = field(default=None)\n"),
    "training_args": ("TrainingArguments", "    dist_config: dict | None = field(default=None)\n"),
    "sample_args": ("SampleArguments", "    max_new_tokens: int = field(default=128)\n"),
}
PEFT = """
from typing import Literal, TypedDict

class LoraConfigDict(TypedDict, total=False):
    name: Literal["lora"]
    r: int

class Unrelated(TypedDict):
    name: Literal["other"]
    x: int

@PeftPlugin("lora").register()
def lora(model, config):
    return config.get("alpha", 16) + other.get("beta")
"""
TRAINER = """
class Trainer:
    def __init__(self, args):
        self.size = args.dist_config.get("cp_size", 1)
        args.dist_config.get(name)
"""


def with_v1(folder: Path) -> Path:
    """A release that has the layout."""
    home = factory(folder) / "src/llamafactory/v1"
    for name, (owner, lines) in CLASSES.items():
        (home / "config").mkdir(parents=True, exist_ok=True)
        (home / f"config/{name}.py").write_text(_HEAD.format(owner) + lines, encoding="utf-8")
    plugins = home / "plugins/model_plugins"
    (plugins / "templates").mkdir(parents=True)
    (plugins / "peft.py").write_text(PEFT, encoding="utf-8")
    (plugins / "templates/plain.py").write_text("", encoding="utf-8")
    (home / "trainer.py").write_text(TRAINER, encoding="utf-8")
    return folder


def test_arguments_plugins_and_what_they_read_are_keys(tmp_path: Path) -> None:
    found = read_v1_keys(read_release(with_v1(tmp_path), "llamafactory", "1"))
    assert found is not None
    keys = found.keys
    assert keys["model"].required
    assert keys["max_new_tokens"].default == 128
    assert keys["template"].enum == ["chatml", "plain"]
    assert (keys["peft_config.name"].enum, keys["peft_config.name"].required) == (["lora"], True)
    assert {key for key in keys if key.startswith("peft_config.")} == {
        *("peft_config.name", "peft_config.r", "peft_config.alpha")
    }
    assert keys["dist_config.name"].type == "any"
    assert "dist_config.cp_size" in keys
    assert found.forbidding == {"": True, "peft_config": False, "dist_config": False}


def test_a_section_that_no_plugin_reads_is_not_described(tmp_path: Path) -> None:
    found = read_v1_keys(read_release(with_v1(tmp_path), "llamafactory", "1"))
    assert found is not None
    assert found.keys["quant_config"].type == "dict<str,any>|null"
    assert "quant_config.name" not in found.keys


def test_a_release_without_the_layout_has_no_keys_of_it(tmp_path: Path) -> None:
    assert read_v1_keys(read_release(factory(tmp_path), "llamafactory", "1")) is None


def test_the_table_is_written_beside_the_other(tmp_path: Path) -> None:
    words = [
        *("--transformers", f"4.41.2={transformers(tmp_path / 'a')}"),
        *("--table", str(tmp_path / "keys.json"), "--releases", str(tmp_path / "releases.json")),
        *("--date", "0.9.3=2025-06-16"),
    ]
    assert main([f"0.9.3={factory(tmp_path / 'b')}", *words]) == 0
    assert not (tmp_path / "v1.json").exists()
    assert main([f"0.9.3={with_v1(tmp_path / 'c')}", *words]) == 0
    table = json.loads((tmp_path / "v1.json").read_text("utf-8"))
    assert table["keys"]["model"] == {"since": "0.9.3", "type": "str", "required": True}
