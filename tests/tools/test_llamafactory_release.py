"""The reader of LLaMA-Factory's releases, on small invented sources."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tools.llamafactory_release.cli import main
from tools.llamafactory_release.keys import (
    UnreadableClassError,
    came_with,
    fitting,
    generating_fields,
    keys_of_classes,
    read_keys,
    spans,
    training_fields,
)
from tools.llamafactory_release.pins import read_pins
from tools.python_sources.sources import Release, read_release

MODEL = """
from dataclasses import dataclass, field
from enum import Enum
from typing import Literal, Optional

class Engine(str, Enum):
    HF = "huggingface"
    VLLM = "vllm"

@dataclass
class Base:
    model_name_or_path: Optional[str] = field(default=None, metadata={"help": "it"})
    infer_backend: Engine = field(default=Engine.HF)

@dataclass
class ModelArguments(Base):
    rank: int = field(default=2 * 4)
    targets: list[str] = field(default_factory=list)
    device_map: Optional[str] = field(default=None, init=False)
"""
OTHERS = {
    "data_args": ("DataArguments", "template: Optional[str] = field(default=None)"),
    "finetuning_args": (
        "FinetuningArguments",
        'stage: Literal["sft", "dpo"] = field(default="sft")',
    ),
    "generating_args": ("GeneratingArguments", "top_k: int = field(default=50)"),
    "evaluation_args": ("EvaluationArguments", "task: str = field()"),
}
TEMPLATES = (
    '_register_template(name="plain", x=1)\nregister_template(name="chat")\nother(name="no")\n'
)
TRAINING = """
from dataclasses import dataclass, field
from typing import Optional, Union
from .trainer_utils import Strategy

@dataclass
class TrainingArguments:
    output_dir: str = field(metadata={"help": "where"})
    eval_strategy: Union[Strategy, str] = field(default="no")
    _n_gpu: int = field(init=False, default=-1)
    framework = "pt"
    EXTRA

    def __post_init__(self):
        self.eval_strategy = Strategy(self.eval_strategy)
        self.count = int(self.output_dir)
"""
STRATEGIES = """
from .generic import ExplicitEnum

class Strategy(ExplicitEnum):
    NO = "no"
    STEPS = "steps"
    MORE
"""
SEQ2SEQ = """
from dataclasses import dataclass, field
from .training_args import TrainingArguments

@dataclass
class Seq2SeqTrainingArguments(TrainingArguments):
    predict_with_generate: bool = field(default=False)
"""


def transformers(folder: Path, extra: str = "", more: str = "") -> Path:
    home = folder / "transformers"
    home.mkdir(parents=True)
    (home / "training_args.py").write_text(TRAINING.replace("EXTRA", extra), encoding="utf-8")
    (home / "trainer_utils.py").write_text(STRATEGIES.replace("MORE", more), encoding="utf-8")
    (home / "training_args_seq2seq.py").write_text(SEQ2SEQ, encoding="utf-8")
    return folder


def factory(folder: Path, package: str = "llamafactory") -> Path:
    home = folder / "src" / package
    (home / "hparams").mkdir(parents=True)
    (home / "data").mkdir()
    (home / "hparams/parser.py").write_text("", encoding="utf-8")
    (home / "hparams/model_args.py").write_text(MODEL, encoding="utf-8")
    for name, (owner, line) in OTHERS.items():
        head = "from dataclasses import dataclass, field\nfrom typing import Literal, Optional\n"
        text = f"{head}@dataclass\nclass {owner}:\n    {line}\n"
        (home / f"hparams/{name}.py").write_text(text, encoding="utf-8")
    (home / "data/template.py").write_text(TEMPLATES, encoding="utf-8")
    (folder / "requirements.txt").write_text("transformers>=4.40,<=4.42.0\n", encoding="utf-8")
    return folder


def test_the_fields_of_dataclasses_are_keys(tmp_path: Path) -> None:
    older = training_fields(
        read_release(
            transformers(tmp_path / "a", "old: int = field(default=1)"), "transformers", "1"
        )
    )
    newer = training_fields(
        read_release(transformers(tmp_path / "b", "", 'EPOCH = "epoch"'), "transformers", "2")
    )
    release = read_release(factory(tmp_path / "c"), "llamafactory", "0.9.0")
    keys = read_keys(release, [older, newer]).keys
    assert {name: (one.type, one.default) for name, one in keys.items()} == {
        "model_name_or_path": ("str|null", None),
        "infer_backend": ("enum:Engine", "huggingface"),
        "rank": ("int", 8),
        "targets": ("list<str>", []),
        "template": ("literal|null", None),
        "stage": ("literal", "sft"),
        "top_k": ("int", 50),
        "task": ("str", None),
        "output_dir": ("str", None),
        "eval_strategy": ("enum:Strategy", "no"),
        "predict_with_generate": ("bool", False),
        "old": ("int", 1),
    }
    assert keys["template"].enum == ["chat", "plain"]
    assert keys["eval_strategy"].enum == ["epoch", "no", "steps"]
    assert not any(one.required for one in keys.values())


def test_a_class_that_is_missing_is_an_error(tmp_path: Path) -> None:
    home = tmp_path / "transformers"
    home.mkdir()
    (home / "training_args_seq2seq.py").write_text("x = 1\n", encoding="utf-8")
    with pytest.raises(UnreadableClassError, match="Seq2SeqTrainingArguments"):
        training_fields(read_release(tmp_path, "transformers", "1"))


@pytest.mark.parametrize(
    ("pin", "found"),
    [
        (">=4.41.2,<=4.45.0", ["4.41.2", "4.45.2"]),
        (">=4.41.2,<=4.46.1,!=4.45.*", ["4.41.2", "4.46.3"]),
        (">=4.37.2", ["4.37.2", "4.41.2", "4.45.2"]),
        (">=4.45.0", ["4.45.2"]),
    ],
)
def test_a_release_of_transformers_stands_for_its_series(pin: str, found: list[str]) -> None:
    training: dict[str, dict[str, object]] = {
        one: {} for one in ("4.46.3", "4.45.2", "4.41.2", "4.37.2")
    }
    assert fitting(pin, training, "4.45.2") == found  # type: ignore[arg-type]


def test_pins_are_read_from_whatever_states_them() -> None:
    files = {
        "requirements.txt": "torch>=2\npeft<=0.12,>=0.11\ntransformers<5 ; sys_platform == 'darwin'\n",
        "setup.py": 'extra = {"deepspeed": ["deepspeed>=0.10"], "metrics": ["nltk"]}\n',
        "pyproject.toml": 'dependencies = [\n    # one\n    "trl>=0.18",\n    "gradio",\n]\n',
        "METADATA": "Requires-Dist: accelerate>=1; extra == 'x'\nRequires-Dist: ???\n",
    }
    assert read_pins(Release("1", {}, packaging=files)) == {
        "torch": ">=2",
        "accelerate": ">=1",
        "peft": ">=0.11,<=0.12",
        "trl": ">=0.18",
        "deepspeed": ">=0.10",
    }


def test_both_tables_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        f"0.7.0={factory(tmp_path / 'c', 'llmtuner')}",
        f"0.9.0={factory(tmp_path / 'd')}",
        *("--transformers", f"4.41.2={transformers(tmp_path / 'a')}"),
        *("--table", str(tmp_path / "keys.json"), "--releases", str(tmp_path / "releases.json")),
        *("--date", "0.9.0=2024-09-09"),
    ]
    assert main(words) == 0
    assert "0.9.0: transformers 4.41.2 to 4.41.2" in capsys.readouterr().out
    table = json.loads((tmp_path / "keys.json").read_text("utf-8"))
    assert table["sections"][""] == {"since": "0.7.0", "forbids_unknown_since": "0.7.0"}
    assert table["keys"]["eval_strategy"]["since"] == "0.7.0"
    releases = json.loads((tmp_path / "releases.json").read_text("utf-8"))
    assert releases["newest"] == "0.9.0"
    assert releases["releases"]["0.9.0"]["date"] == "2024-09-09"
    assert main(["0.9.0=/nowhere/at/all", *words[2:]]) == 2


def test_a_date_is_a_date(tmp_path: Path) -> None:
    with pytest.raises(SystemExit):
        main(["0.9.0=x", "--transformers", "1=x", "--table", "x", "--date", "0.9.0=soon"])


def test_a_class_has_its_own_keys(tmp_path: Path) -> None:
    release = read_release(factory(tmp_path / "c"), "llamafactory", "0.9.0")
    found = keys_of_classes(release)
    assert "rank" in found["FinetuningArguments"] | found["ModelArguments"]
    assert found["GeneratingArguments"] == {"top_k"}
    assert found["EvaluationArguments"] == {"task"}
    training = read_release(transformers(tmp_path / "a", ""), "transformers", "1")
    assert "eval_strategy" not in generating_fields(training)
    assert "predict_with_generate" in generating_fields(training)


def test_from_when_to_when_a_class_has_a_key() -> None:
    releases = ["0.1", "0.2", "0.3"]
    assert spans({"b": ["0.1", "0.2"], "a": ["0.2", "0.3"]}, releases) == {
        "a": ["0.2", None],
        "b": ["0.1", "0.3"],
    }


@pytest.mark.parametrize(
    ("pin", "fit", "found"),
    [(">=4.40,<=4.42.0", ["4.41.2", "4.42.4"], "4.41.2"), ("<=4.40.0", ["4.40.2"], "4.40.2")],
)
def test_what_came_with_a_release(pin: str, fit: list[str], found: str) -> None:
    assert came_with(pin, fit) == found
