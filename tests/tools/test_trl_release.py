"""The reader of TRL's and transformers' releases, on small ones of its own."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from tools.python_sources.sources import read_release
from tools.trl_release import pins
from tools.trl_release.cli import main
from tools.trl_release.keys import NoCommandError, read_commands, read_training_arguments

CONFIG = """
from dataclasses import dataclass, field
from transformers import TrainingArguments

@dataclass
class SFTConfig(TrainingArguments):
    _VALID = ["a"]
    plain = "no field"
    packing: bool = field(default=False, metadata={"help": "x"})
    max_length: int | None = field(default=1024)
    strategy: str = field(default="bfd", metadata={"choices": ["bfd", "wrapped"]})
    hidden: int = field(init=False, default=3)
    config: str = field(default=None)
    kwargs: dict[str, int] | str | None = None
    names: list[str] = field(default_factory=lambda: ["x"])

@dataclass
class DPOConfig(TrainingArguments):
    beta: float = 0.1
    packing: bool | None = None
    strategy: str = "any"
"""
SCRIPT = """
from dataclasses import dataclass, field

@dataclass
class ScriptArguments:
    dataset_name: str = field(metadata={"help": "required"})

def make_parser():
    from trl import ScriptArguments as Other, %(config)s, TrlParser
    dataclass_types = (ScriptArguments, %(config)s)
    return TrlParser(dataclass_types)
"""
OLDER = """
from trl import SFTConfig, TrainingArguments
parser = TrlParser((SFTConfig, TrainingArguments))
"""
ARGUMENTS = """
from dataclasses import dataclass, field
from enum import Enum
from typing import Optional, Union

class SchedulerType(Enum):
    LINEAR = "linear"
    COSINE = "cosine"

@dataclass
class TrainingArguments:
    framework = "pt"
    output_dir: str = field(metadata={"help": "x"})
    lr_scheduler_type: Union[SchedulerType, str] = field(default="linear")
    deepspeed: Optional[str] = field(default=None)
    %s
"""


def wheel(folder: Path, package: str, version: str, files: dict[str, str], *asks: str) -> Path:
    folder.mkdir(exist_ok=True, parents=True)
    path = folder / f"{package}-{version}-py3-none-any.whl"
    metadata = "\n".join([f"Name: {package}", f"Version: {version}", *asks]) + "\n"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in {**files, f"{package}-{version}.dist-info/METADATA": metadata}.items():
            archive.writestr(zipfile.ZipInfo(name, (2026, int(version[0]) + 1, 2, 0, 0, 0)), text)
    return path


def newer(folder: Path) -> Path:
    files = {
        "trl/trainer/config.py": CONFIG,
        "trl/scripts/sft.py": SCRIPT % {"config": "SFTConfig"},
        "trl/scripts/dpo.py": SCRIPT % {"config": "DPOConfig"},
        "trl/cli.py": "parse_args(launch_args + [str(sft_training_script)])\n",
    }
    asks = (
        "Requires-Dist: transformers>=1.0",
        "Requires-Dist: transformers!=1.5",
        "Requires-Dist: x",
    )
    return wheel(folder, "trl", "2.0", files, *asks)


def test_the_classes_of_a_script_are_its_keys(tmp_path: Path) -> None:
    commands = read_commands(read_release(newer(tmp_path), "trl"), ["num_processes"])
    assert sorted(commands) == ["dpo", "sft"]
    keys = commands["sft"].keys
    assert sorted(keys) == [
        *("dataset_name", "env", "kwargs", "max_length"),
        *("names", "num_processes", "packing", "strategy"),
    ]
    assert keys["dataset_name"].required
    assert keys["max_length"].type == "int|null"
    assert keys["kwargs"].type == "dict<any,any>|str|null"
    assert (keys["strategy"].type, keys["strategy"].enum) == ("literal", ["bfd", "wrapped"])
    assert "num_processes" not in commands["dpo"].keys


def test_older_releases_hand_their_classes_over_at_once(tmp_path: Path) -> None:
    files = {"trl/trainer/config.py": CONFIG, "trl/commands/scripts/sft.py": OLDER}
    commands = read_commands(read_release(wheel(tmp_path, "trl", "1.0", files), "trl"))
    assert list(commands) == ["sft"]
    assert "packing" in commands["sft"].keys
    assert "dataset_name" not in commands["sft"].keys


def test_a_release_without_commands_is_told(tmp_path: Path) -> None:
    path = wheel(tmp_path, "trl", "1.0", {"trl/__init__.py": ""})
    with pytest.raises(NoCommandError, match=r"TRL 1\.0 has no command"):
        read_commands(read_release(path, "trl"))


def test_training_arguments(tmp_path: Path) -> None:
    files = {"transformers/training_args.py": ARGUMENTS % "seed: int = 42"}
    release = read_release(wheel(tmp_path, "transformers", "1.0", files), "transformers")
    keys = read_training_arguments(release).keys
    assert sorted(keys) == ["deepspeed", "lr_scheduler_type", "output_dir", "seed"]
    assert (keys["lr_scheduler_type"].type, keys["lr_scheduler_type"].enum) == (
        "literal",
        ["linear", "cosine"],
    )
    assert keys["deepspeed"].type == "dict<any,any>|str|null"
    assert keys["output_dir"].required


def test_the_tables_are_written(tmp_path: Path) -> None:
    newer(tmp_path / "trl")
    wheel(tmp_path / "trl", "trl", "1.0", {"trl/__init__.py": ""})
    for version, more in (("1.0", "seed: int = 1"), ("1.5", "seed: int = 1"), ("2.0", "")):
        files = {"transformers/training_args.py": ARGUMENTS % more}
        wheel(tmp_path / "below", "transformers", version, files)
    words = ["--trl", str(tmp_path / "trl"), "--transformers", str(tmp_path / "below")]
    assert main([*words, "--rules", str(tmp_path / "rules")]) == 0
    rules = tmp_path / "rules"
    releases = json.loads((rules / "releases.json").read_text())
    assert releases["releases"] == {
        "2.0": {"date": "2026-03-02", "pins": {"transformers": ">=1.0,!=1.5"}}
    }
    union = json.loads((rules / "tables" / "trl.json").read_text())
    assert union["beside"] == {"2.0": "2.0"}
    assert union["keys"]["strategy"]["type"] == "str"
    assert union["keys"]["packing"]["type"] == "bool|null"
    assert "enum" not in union["keys"]["strategy"]
    below = json.loads((rules / "tables" / "transformers.json").read_text())
    assert below["keys"]["seed"]["removed"] == "2.0"


def test_what_releases_below_ask_for(tmp_path: Path) -> None:
    newer(tmp_path / "trl")
    programs = tmp_path / "trl_programs"
    (programs / "tables").mkdir(parents=True)
    known = {"0.9": {"date": "", "pins": {}}, "1.0": {"date": "", "pins": {"tokenizers": "<2"}}}
    (programs / "releases.json").write_text(json.dumps({"newest": "1.0", "releases": known}))
    files = {"transformers/training_args.py": ARGUMENTS % ""}
    asks = [
        f"Requires-Dist: {one}" for one in ("huggingface-hub>=1.3,<2", "torch>=2", "tokenizers")
    ]
    wheel(tmp_path / "below", "transformers", "1.0", files)
    wheel(tmp_path / "below", "transformers", "2.0", files, *asks)
    words = ["--trl", str(tmp_path / "trl"), "--transformers", str(tmp_path / "below")]
    assert main([*words, "--rules", str(tmp_path / "trl_rules")]) == 0
    found = json.loads((programs / "releases.json").read_text())["releases"]
    assert {version: row["pins"] for version, row in found.items()} == {
        "1.0": {"tokenizers": "<2"},
        "2.0": {"huggingface-hub": "<2,>=1.3"},
    }


def test_a_folder_with_something_else_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "x.txt").write_text("")
    words = ["--trl", str(tmp_path), "--transformers", str(tmp_path / "below")]
    assert main([*words, "--rules", str(tmp_path / "rules")]) == 2
    assert "neither a wheel" in capsys.readouterr().err


def test_the_newest_release_below_is_one_that_was_out_and_is_admitted() -> None:
    dates = {"1.0": "2025-01-01", "1.5": "2025-02-01", "2.0": "2025-06-01"}
    row = {"date": "2025-03-01", "pins": {}}
    assert pins.newest_by(row, dates, last=False) == "1.5"
    assert pins.newest_by(row, dates, last=True) == "2.0"
    assert pins.newest_by({**row, "pins": {"transformers": "<1.5"}}, dates, last=True) == "1.0"
    assert pins.newest_by({**row, "date": "2024-01-01"}, dates, last=False) == "1.0"
