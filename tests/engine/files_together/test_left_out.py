"""Files that look like a framework's, and that a search leaves out for what is around them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run

CONFIG = "base_model: a/b\nadapter: lora\ndatasets:\n  - path: a/b\n    type: alpaca\nsequence_len: 512\nmicro_batch_sise: 1\n"
#: Axolotl has no `dataset`, and no `task_instruction`.
OWN = (
    "base_model: a/b\ndataset:\n  name: a/b\ntask_instruction: Answer.\nload_in_4bit: true\nlora_r: 8\n"
    "lora_alpha: 16\nnum_epochs: 1\nbatch_size: 4\ngradient_accumulation_steps: 4\nsequence_len: 512\n"
)
LOADS = "import yaml\ndef load(path):\n    return yaml.safe_load(open(path))\n"
READS = (
    'cfg = load()\nfirst = cfg["task_instruction"], cfg["dataset"], cfg["base_model"]\n'
    'steps = cfg["num_epochs"], cfg["batch_size"], cfg.get("sequence_len", 512)\n'
)


def checked(folder: Path, files: dict[str, str], *paths: str) -> tuple[dict[str, int], str]:
    """File -> how many findings it has, and the remarks on the run."""
    (folder / ".git").mkdir()
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    done = run("--format", "json", *(str(folder / path) for path in paths or (".",)))
    rows = json.loads(done.out)["files"]
    return {Path(row["path"]).name: len(row["diagnostics"]) for row in rows}, done.err


@pytest.mark.parametrize("name", ["lora-old.yml", "lora_bak2.yml"])
def test_a_file_that_was_set_aside(tmp_path: Path, name: str) -> None:
    found, _ = checked(tmp_path, {name: CONFIG, "lora.yml": CONFIG})
    assert list(found) == ["lora.yml"]


@pytest.mark.parametrize(
    ("others", "paths"),
    [
        ({"run.sh": "axolotl train lora-old.yml\n"}, ()),
        ({"README.md": "Then take `lora-old.yml`.\n"}, ()),
        ({"run.py": 'start("lora-old")\n'}, ()),
        # Who names it means it.
        ({}, ("lora-old.yml",)),
    ],
)
def test_a_file_that_is_in_use_after_all(
    tmp_path: Path, others: dict[str, str], paths: tuple[str, ...]
) -> None:
    found, _ = checked(tmp_path, {"lora-old.yml": CONFIG, **others}, *paths)
    assert found["lora-old.yml"] > 0


def test_a_config_of_a_program_of_the_project(tmp_path: Path) -> None:
    files = {"config_b.yaml": OWN, "loading.py": LOADS, "train.py": READS}
    assert "config_b.yaml" not in checked(tmp_path, files)[0]


def test_a_config_of_a_program_that_is_named(tmp_path: Path) -> None:
    files = {"config_b.yaml": OWN, "loading.py": LOADS, "train.py": READS}
    found, remarks = checked(tmp_path, files, "config_b.yaml")
    assert found == {"config_b.yaml": 0}
    assert "a program of the project asks for its keys" in remarks


@pytest.mark.parametrize(
    "files",
    [
        {"loading.py": LOADS},
        {"train.py": READS},
        # One key of its own, and few of the others, are no sign.
        {"loading.py": LOADS, "train.py": READS.replace("task_instruction", "task")},
        {"loading.py": LOADS, "train.py": READS.partition("steps")[0]},
        {"loading.py": LOADS, "train.py": READS, "run.sh": "axolotl train config_b.yaml\n"},
    ],
)
def test_a_config_that_axolotl_may_get(tmp_path: Path, files: dict[str, str]) -> None:
    found, remarks = checked(tmp_path, {"config_b.yaml": OWN, **files})
    assert found["config_b.yaml"] > 0
    assert "asks for its keys" not in remarks


#: LLaMA-Factory has no `lora_modules`, and no `train_file`.
OTHER = (
    "model_name_or_path: a/b\nstage: sft\nfinetuning_type: lora\ntemplate: qwen3\nlora_modules: all\n"
    "train_file: a.json\noutput_dir: out\n"
)
READS_OTHER = (
    'cfg = load()\nfirst = cfg["model_name_or_path"], cfg["lora_modules"], cfg["train_file"]\n'
    'out = cfg["output_dir"]\n'
)


@pytest.mark.parametrize(
    ("program", "is_checked"),
    [
        (READS_OTHER, False),
        # Of a copy of it, or one that hands the file on.
        (f"from llamafactory.train import run_exp\n{READS_OTHER}", True),
    ],
)
def test_configs_of_other_frameworks(tmp_path: Path, program: str, is_checked: bool) -> None:
    files = {"sft.yaml": OTHER, "loading.py": LOADS, "train.py": program}
    assert ("sft.yaml" in checked(tmp_path, files)[0]) is is_checked


@pytest.mark.parametrize(
    ("start", "is_checked"),
    [
        # The name alone is the framework's.
        ("from ours import main\nmain()\n", False),
        ("from llamafactory.train.tuner import run_exp\nrun_exp()\n", True),
    ],
)
def test_a_program_with_the_name_of_the_framework_s(
    tmp_path: Path, start: str, is_checked: bool
) -> None:
    (tmp_path / "src").mkdir()
    files = {
        "sft.yaml": f"{OTHER}learning_rate: 5e-5\n",
        "loading.py": LOADS,
        "ours.py": READS_OTHER,
        "src/train.py": start,
        "run.sh": "deepspeed src/train.py --yaml_config sft.yaml\n",
        "requirements.txt": "llamafactory==0.8.3\n",
    }
    assert ("sft.yaml" in checked(tmp_path, files)[0]) is is_checked
    # Who names it hears of no number that the program may convert.
    named = run("--format", "concise", str(tmp_path / "sft.yaml"))
    assert ("YML021" in named.out) is is_checked
