"""What is read of ms-swift's dataclasses, as its parser sees them."""

from __future__ import annotations

import json
from pathlib import Path

from tools.python_sources.facts import KeyFacts
from tools.python_sources.sources import read_release
from tools.swift_release.cli import main, newest_admitted
from tools.swift_release.keys import read_commands

BASE = """
from dataclasses import dataclass, field
from typing import Dict, List, Literal, Optional, Union

@dataclass
class BaseArguments:
    seed: int = 42
    packing: bool = False
    model_kwargs: Optional[Union[dict, str]] = None
    columns: Optional[Union[str, dict]] = None
    rope: Optional[dict] = None
    dtype: Literal['float16', 'bfloat16', None] = None
    adapters: List[str] = field(default_factory=list)
    lazy: Optional[bool] = None
    hidden: int = field(default=1, init=False)
"""
TRAIN = """
from dataclasses import dataclass
from typing import List, Optional
from transformers.training_args_seq2seq import Seq2SeqTrainingArguments as HfArguments
from swift.arguments.base import BaseArguments

@dataclass
class TrainMixin:
    logging_steps: int = 5

@dataclass
class Seq2SeqTrainingArguments(TrainMixin, HfArguments):
    pass

@dataclass
class SftArguments(BaseArguments, Seq2SeqTrainingArguments):
    output_dir: Optional[str] = None
"""
BELOW = {
    "logging_steps": KeyFacts("float", default=500),
    "optim": KeyFacts("literal", default="adamw_torch", enum=["adamw_torch"]),
    "seed": KeyFacts("float"),
}


def release(folder: Path) -> Path:
    home = folder / "swift" / "arguments"
    home.mkdir(parents=True)
    for path in (folder / "swift" / "__init__.py", home / "__init__.py"):
        path.write_text("", encoding="utf-8")
    (home / "base.py").write_text(BASE, encoding="utf-8")
    (home / "sft_args.py").write_text(TRAIN, encoding="utf-8")
    (folder / "DATE").write_text("2026-01-02\n", encoding="utf-8")
    (folder / "requirements.txt").write_text("transformers>=4.33,<5.17.0\n", encoding="utf-8")
    return folder


def test_each_type_is_the_one_that_words_are_converted_to(tmp_path: Path) -> None:
    commands = read_commands(read_release(release(tmp_path / "4.0.0"), "swift", "4.0.0"), BELOW)
    keys = {name: facts.type for name, facts in commands["sft"].keys.items()}
    assert keys == {
        "adapters": "list<str>",
        "columns": "str|null",
        "dtype": "literal|null",
        "lazy": "bool|null",
        "logging_steps": "int",
        "model_kwargs": "str|null",
        "optim": "literal",
        "output_dir": "str|null",
        "packing": "bool",
        "rope": "dict<any,any>|null",
        "seed": "int",
    }
    assert set(commands) == {"sft", "pt"}


def test_the_newest_transformers_that_is_admitted_counts() -> None:
    assert newest_admitted(">=4.33,<5.17", ["4.9.0", "5.16.1", "5.17.0"]) == "5.16.1"


def test_the_tables_are_written(tmp_path: Path) -> None:
    release(tmp_path / "releases" / "4.0.0")
    rules = tmp_path / "rules"
    (rules / "swift" / "tables").mkdir(parents=True)
    (rules / "trl" / "tables").mkdir(parents=True)
    below = Path("rules/trl/tables/transformers.json")
    (rules / "trl/tables/transformers.json").write_text(below.read_text("utf-8"), encoding="utf-8")
    assert main(["--swift", str(tmp_path / "releases"), "--rules", str(rules)]) == 0
    table = json.loads((rules / "swift/tables/sft.json").read_text("utf-8"))
    assert table["keys"]["logging_steps"]["type"] == "int"
    assert "warmup_steps" in table["keys"]
    named = json.loads((rules / "swift/tables/ms-swift.json").read_text("utf-8"))
    assert named["beside"] == {"4.0.0": "5.16.1"}
    rows = json.loads((rules / "swift/data/transformers.json").read_text("utf-8"))
    assert rows["keys"]["evaluation_strategy"][1] is not None


def test_a_known_release_keeps_its_day(tmp_path: Path) -> None:
    rules = tmp_path / "rules"
    for name in ("swift", "trl"):
        (rules / name / "tables").mkdir(parents=True)
    below = Path("rules/trl/tables/transformers.json")
    (rules / "trl/tables/transformers.json").write_text(below.read_text("utf-8"), encoding="utf-8")
    releases = rules / "swift" / "releases.json"
    for version, day in (("4.0.0", "2026-01-02"), ("4.0.1", "2026-01-09")):
        (release(tmp_path / "releases" / version) / "DATE").write_text(day, encoding="utf-8")
        assert main(["--swift", str(tmp_path / "releases"), "--rules", str(rules)]) == 0
        (tmp_path / "releases" / version / "DATE").write_text("2027-01-01", encoding="utf-8")
    days = {name: row["date"] for name, row in json.loads(releases.read_text())["releases"].items()}
    assert days == {"4.0.0": "2026-01-02", "4.0.1": "2026-01-09"}


CONSTANTS = """
class LLMModelType:
    qwen3 = 'qwen3'
    nothing = ''

class ModelType(LLMModelType):
    pass
"""
TEMPLATES = """
class LLMTemplateType:
    chatml = 'chatml'

register_template(QwenTemplateMeta('qwen3_own', prefix=[]))
"""


def test_registered_types_are_the_choices_of_what_names_one(tmp_path: Path) -> None:
    """A constant or a text registers one; those of Megatron's models are other ones; a default is none."""
    folder = release(tmp_path / "4.0.0")
    for place, text in (
        ("model/constant.py", CONSTANTS),
        ("template/all.py", TEMPLATES),
        ("megatron/constant.py", "class MegatronModelType:\n    gpt = 'gpt'\n"),
    ):
        (folder / "swift" / place).parent.mkdir(exist_ok=True)
        (folder / "swift" / place).write_text(text, encoding="utf-8")
    more = "    model_type: Optional[str] = None\n    template: str = 'AUTO'\n"
    path = folder / "swift" / "arguments" / "base.py"
    path.write_text(BASE + more, encoding="utf-8")
    keys = read_commands(read_release(folder, "swift", "4.0.0"), BELOW)["sft"].keys
    assert (keys["model_type"].type, keys["model_type"].enum) == ("literal|null", ["qwen3"])
    assert (keys["template"].type, keys["template"].enum) == (
        "literal",
        ["AUTO", "chatml", "qwen3_own"],
    )
