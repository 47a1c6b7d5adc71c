"""Files with LLaMA-Factory's keys that a program of the project reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint.api.linter import Linter
from cfglint.source.files.disk import Disk

KEYS = (
    "model_name_or_path: Qwen/Qwen2-7B\nstage: sft\ndo_train: true\nfinetuning_type: lora\n"
    "dataset: tickets\ntemplate: qwen\noutput_dir: out\n"
)
COMMAND = "# start: python -m ours.cli --config configs/first.yaml --backend fsdp\n"
HANDS_ON = 'import subprocess\nsubprocess.run(["llamafactory-cli", "train", path])\n'
TRAINER = 'for key, value in raw.items():\n    if key == "trainer":\n        pass\n'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "src/ours").mkdir(parents=True)
    (tmp_path / "configs").mkdir()
    (tmp_path / "src/ours/cli.py").write_text(HANDS_ON, encoding="utf-8")
    (tmp_path / "src/ours/more.py").write_text(TRAINER, encoding="utf-8")
    return tmp_path


def errors(project: Path, text: str) -> list[str]:
    path = project / "configs/first.yaml"
    path.write_text(text, encoding="utf-8")
    found = Linter(framework="llamafactory", files=Disk()).lint_file(path).diagnostics
    return [one.code for one in found if one.severity == "error"]


def test_a_key_of_the_program_that_a_comment_names(project: Path) -> None:
    own = "trainer:\n  backend: fsdp\n"
    assert "KEY001" in errors(project, KEYS + own)
    assert errors(project, COMMAND + KEYS + own) == []
    # It may hand the file on, and nothing in it is its own.
    assert "KEY001" in errors(project, COMMAND + KEYS + "notes: of mine\n")
    # A key that is its own shows that it does not.
    assert errors(project, COMMAND + KEYS + own + "notes: of mine\n") == []


def test_a_program_that_hands_nothing_on(project: Path) -> None:
    text = KEYS.replace("dataset: tickets\n", "")
    assert "LLF040" in errors(project, COMMAND + text)
    (project / "src/ours/cli.py").write_text("import torch\n", encoding="utf-8")
    assert errors(project, COMMAND + text) == []
    assert errors(project, COMMAND + KEYS + "notes: of mine\n") == []
    assert "LLF040" in errors(project, text)
    # Another module may do so for it.
    (project / "tools.py").write_text(HANDS_ON, encoding="utf-8")
    assert "LLF040" in errors(project, COMMAND + text)


def test_a_file_that_is_started_with_llama_factory_as_well(project: Path) -> None:
    own = "trainer:\n  backend: fsdp\n"
    assert errors(project, COMMAND + KEYS + own) == []
    script = project / "train.sh"
    script.write_text("llamafactory-cli train configs/first.yaml\n", encoding="utf-8")
    assert "KEY001" in errors(project, COMMAND + KEYS + own)


def test_a_key_of_a_program_that_loads_such_files(project: Path) -> None:
    text = KEYS + "save_name: out.jsonl\n"
    assert "KEY001" in errors(project, text)
    reads = 'cfg = yaml.safe_load(file)\ncfg.get("save_name"), cfg["dataset"], cfg["template"]\n'
    program = project / "src/ours/infer.py"
    program.write_text(reads, encoding="utf-8")
    assert "KEY001" in errors(project, text)
    program.write_text(reads + 'cfg["model_name_or_path"]\n', encoding="utf-8")
    assert errors(project, text) == []
    assert "KEY001" in errors(project, text + "notes: of mine\n")


def test_an_argument_that_a_class_of_the_project_adds(project: Path) -> None:
    text = KEYS + "history_length: 50\n"
    assert "KEY001" in errors(project, text)
    source = "from {} import hparams\n\n\n@dataclass\nclass Ours(hparams.{}):\n    history_length: int = 30\n"
    arguments = project / "src/ours/args.py"
    for package, base, is_known in (
        ("llamafactory", "DataArguments", True),
        ("llamafactory", "Anything", False),
        ("elsewhere", "DataArguments", False),
    ):
        arguments.write_text(source.format(package, base), encoding="utf-8")
        assert ("KEY001" in errors(project, text)) is not is_known
    arguments.write_text(source.format("llamafactory", "DataArguments"), encoding="utf-8")
    assert "KEY001" in errors(project, KEYS + "notes: of mine\n")


DECLARED = (
    "from dataclasses import dataclass\nfrom transformers import HfArgumentParser\n\n\n"
    "@dataclass\nclass Ours:\n    test_size: float = 0.1\n    train_file: str = ''\n    converter : str = ''\n"
)


def test_keys_that_classes_of_the_project_declare(project: Path) -> None:
    (project / "src/ours/cli.py").write_text(DECLARED, encoding="utf-8")
    assert errors(project, KEYS + "test_size: 0.1\n") == []
    # The list of datasets is theirs, too.
    (project / "data").mkdir()
    (project / "data/dataset_info.json").write_text('{"others": {"file_name": "a.json"}}')
    assert errors(project, KEYS + "test_size: 0.1\ndataset_dir: data\n") == ["LLF053"]
    (project / "data/dataset_info.json").unlink()
    # A field of theirs may have the name of an argument, and another type.
    assert errors(project, KEYS + "test_size: 0.1\nreward_model_type: custom\n") == []
    assert "KEY001" in errors(project, KEYS + "tset_size: 0.1\n")
    # Of two keys one that is not theirs speaks against it; of four it may be an old one.
    assert "KEY001" in errors(project, KEYS + "test_size: 0.1\nnotes: of mine\n")
    own = "test_size: 0.1\ntrain_file: a\nconverter: dpo\n"
    assert errors(project, KEYS + own + "notes: of mine\n") == []
    # What fills no classes reads no such file.
    (project / "src/ours/cli.py").write_text(
        DECLARED.replace("HfArgumentParser", "Trainer"), encoding="utf-8"
    )
    assert "KEY001" in errors(project, KEYS + "test_size: 0.1\n")


def test_a_program_that_only_speaks_of_llama_factory(project: Path) -> None:
    text = KEYS.replace("dataset: tickets\n", "")
    (project / "src/ours/cli.py").write_text('"""Follows LLaMA-Factory."""\n', encoding="utf-8")
    assert errors(project, COMMAND + text) == []
    (project / "src/ours/cli.py").write_text('REPOSITORY = "LLaMA-Factory/src"\n', encoding="utf-8")
    assert "LLF040" in errors(project, COMMAND + text)
