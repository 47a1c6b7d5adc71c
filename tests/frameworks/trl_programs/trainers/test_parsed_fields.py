"""Two classes of one parser with a field of the same name, as argparse refuses it.

The verdicts were compared with those of the real parsers (transformers 4.46.1 and 4.52.4, TRL 0.12.2 and 0.19.1).
"""

from __future__ import annotations

from cfglint import Linter
from tests.draws import each

PINS = ("trl==0.19.1", "transformers==4.52.4")
HEAD = """\
from dataclasses import dataclass, field
from typing import ClassVar
from transformers import HfArgumentParser, TrainingArguments
from trl import ModelConfig, ScriptArguments, SFTConfig, SFTTrainer, TrlParser
"""
TAIL = "\nSFTTrainer('a/b', args=parser.parse_args_into_dataclasses()[0]).train()\n"
OWN = "@dataclass\nclass Own:\n    {}\n"


def found(body: str, *pins: str) -> list[tuple[str, str]]:
    report = Linter(target=pins or PINS, settings=False, select=["TRP001"]).lint(
        HEAD + body + TAIL, "train.py"
    )
    return [(one.severity, one.message.partition(":")[0]) for one in report.diagnostics]


def fields(body: str, *pins: str) -> list[str]:
    return [message.split("`")[1] for _, message in found(body, *pins)]


@each(
    ("own", "classes", "field"),
    [
        ("max_length: int = 8", "(Own, SFTConfig)", "max_length"),
        ("max_length: int = 8", "[SFTConfig, Own]", "max_length"),
        ("output_dir: str = ''", "(Own, TrainingArguments)", "output_dir"),
        ("model_name_or_path: str = ''", "(Own, ModelConfig)", "model_name_or_path"),
        ("dataset_name: str = ''", "(SFTConfig, ScriptArguments, Own)", "dataset_name"),
    ],
)
@each("parser", ["HfArgumentParser", "TrlParser"])
def test_a_field_of_two_classes(parser: str, own: str, classes: str, field: str) -> None:
    body = OWN.format(own) + f"parser = {parser}({classes})"
    assert fields(body) == [field]
    assert fields(body.replace(f"{parser}(", f"{parser}(description='x', dataclass_types=")) == [
        field
    ]


@each(
    "body",
    [
        OWN.format("max_length: int = field(default=8, init=False)")
        + "parser = HfArgumentParser((Own, SFTConfig))",
        OWN.format("max_length: ClassVar[int] = 8") + "parser = HfArgumentParser((Own, SFTConfig))",
        OWN.format("max_length = 8") + "parser = HfArgumentParser((Own, SFTConfig))",
        OWN.format("max_length: int = 8")
        + "parser = HfArgumentParser((Own, SFTConfig), conflict_handler='resolve')",
        OWN.format("max_length: int = 8") + "parser = HfArgumentParser((Own, SFTConfig), **more)",
        OWN.format("max_length: int = 8") + "parser = HfArgumentParser(Own)",
        # No dataclass: nothing is made of its names.
        "class Own:\n    max_length: int = 8\nparser = HfArgumentParser((Own, SFTConfig))",
        # Which class is meant is not known.
        "if x:\n    "
        + OWN.format("max_length: int = 8").replace("\n", "\n    ")
        + "\nparser = HfArgumentParser((Own, SFTConfig))",
        OWN.format("max_length: int = 8") + "Own = 1\nparser = HfArgumentParser((Own, SFTConfig))",
        # The class is one.
        "@dataclass\nclass Own(SFTConfig):\n    max_length: int = 8\nparser = TrlParser((Own, ModelConfig))",
        # Neither parser is of the libraries.
        OWN.format("max_length: int = 8")
        + "def HfArgumentParser(x): ...\nparser = HfArgumentParser((Own, SFTConfig))",
    ],
)
def test_what_argparse_accepts(body: str) -> None:
    assert fields(body) == []


def test_the_release_decides() -> None:
    body = OWN.format("max_length: int = 8") + "parser = HfArgumentParser((Own, SFTConfig))"
    assert fields(body, "trl==0.15.2") == []
    assert fields(body, "trl==0.16.0") == ["max_length"]
    body = OWN.format("torch_dtype: str = ''") + "parser = TrlParser((Own, ModelConfig))"
    assert fields(body, "trl==0.24.0") == ["torch_dtype"]
    assert fields(body, "trl==0.27.0") == []
    body = OWN.format("use_dora: bool = False") + "parser = TrlParser((Own, ModelConfig))"
    assert fields(body, "trl==0.15.2") == []
    assert fields(body, "trl==0.16.0") == ["use_dora"]


def test_without_a_stated_release_it_is_certain_of_what_all_have() -> None:
    body = OWN.format("max_length: int = 8") + "parser = HfArgumentParser((Own, SFTConfig))"
    assert [severity for severity, _ in found(body, "transformers==4.52.4")] == ["warning"]
    assert [severity for severity, _ in found(body)] == ["error"]
    body = OWN.format("learning_rate: float = 1") + "parser = TrlParser((Own, SFTConfig))"
    assert [severity for severity, _ in found(body, "peft==0.13.2")] == ["error"]


def test_what_a_class_of_the_program_inherits_counts() -> None:
    body = (
        "@dataclass\nclass Base:\n    length: int = 8\n    width: int = 1\n"
        "@dataclass\nclass First(Base):\n    width: ClassVar[int] = 1\n"
        "@dataclass\nclass Second(Base):\n    x: int = 1\n"
        "parser = HfArgumentParser((First, Second))"
    )
    assert fields(body) == ["length"]
    body = "@dataclass\nclass Own(TrainingArguments):\n    x: int = 1\nparser = TrlParser((Own, SFTConfig))"
    assert len(fields(body)) == 1


def test_a_class_replaces_an_imported_one_of_its_name() -> None:
    body = (
        "@dataclass\nclass ScriptArguments:\n    max_length: int = 8\n"
        "parser = HfArgumentParser((ScriptArguments, SFTConfig))"
    )
    assert fields(body) == ["max_length"]
    assert fields("parser = HfArgumentParser((ScriptArguments, SFTConfig, ModelConfig))") == []
