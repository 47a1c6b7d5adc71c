"""A file that programs of the project load: what is found when the file itself is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run

HEAD = "import yaml\nfrom trl import SFTConfig, DPOConfig\n"
PROGRAM = (
    HEAD + "cfg = yaml.safe_load(open('sft.yaml'))\nSFTConfig(output_dir='o', **cfg['training'])\n"
)
YAML = "model: x\ntraining:\n  max_seq_length: 1024\n  seed: 1\n"
FOUND = ["sft.yaml:3 KEY005"]


def project(folder: Path, files: dict[str, str]) -> None:
    (folder / ".git").mkdir()
    for name, text in files.items():
        (folder / name).write_text(text)


def found(folder: Path, *arguments: str) -> list[str]:
    """Line and code of what is found in the files that are named."""
    paths = [one if one[0] == "-" else str(folder / one) for one in arguments]
    done = run("--target", "trl==1.9.0", "--format", "json", *paths)
    return [
        f"{Path(file['path']).name}:{one['range']['start']['line']} {one['code']}"
        for file in json.loads(done.out)["files"]
        for one in file["diagnostics"]
    ]


@pytest.mark.parametrize("named", [["sft.yaml"], ["train.py"], ["."], ["sft.yaml", "train.py"]])
def test_it_is_checked_once_whatever_is_named(named: list[str], tmp_path: Path) -> None:
    project(tmp_path, {"sft.yaml": YAML, "train.py": PROGRAM})
    assert found(tmp_path, *named) == FOUND


def test_it_is_fixed(tmp_path: Path) -> None:
    project(tmp_path, {"sft.yaml": YAML, "train.py": PROGRAM})
    assert found(tmp_path, "--fix", "sft.yaml") == []
    assert (tmp_path / "sft.yaml").read_text() == YAML.replace("max_seq_length", "max_length")
    assert (tmp_path / "train.py").read_text() == PROGRAM


def test_what_its_comments_silence(tmp_path: Path) -> None:
    silenced = YAML.replace("1024", "1024  # cfglint: ignore[KEY005]")
    project(tmp_path, {"sft.yaml": silenced, "train.py": PROGRAM})
    assert found(tmp_path, "sft.yaml") == []


def test_several_programs_show_a_finding_once(tmp_path: Path) -> None:
    other = PROGRAM + "SFTConfig('o', optim=cfg['optim'])\n"
    files = {"sft.yaml": YAML + "optim: adam\n", "a.py": PROGRAM, "b.py": other}
    project(tmp_path, files)
    assert found(tmp_path, "sft.yaml") == [*FOUND, "sft.yaml:5 TYP002"]


def test_a_file_without_findings_is_recognized(tmp_path: Path) -> None:
    project(tmp_path, {"sft.yaml": "training:\n  seed: 1\n", "train.py": PROGRAM})
    done = run("--target", "trl==1.9.0", str(tmp_path / "sft.yaml"))
    assert (done.code, "not recognized" in done.err) == (0, False)


@pytest.mark.parametrize(
    "program",
    [
        "import yaml\ncfg = yaml.safe_load(open('sft.yaml'))\nprint(cfg['training'])\n",
        HEAD
        + "cfg = yaml.safe_load(open('other.yaml'))\nprint('sft.yaml')\nSFTConfig(**cfg['a'])\n",
        "broken(",
    ],
)
def test_a_file_that_no_program_gives_to_a_call(program: str, tmp_path: Path) -> None:
    project(tmp_path, {"sft.yaml": YAML, "train.py": program})
    assert "not recognized" in run(str(tmp_path / "sft.yaml")).err


#: It looks like a config of `trl dpo`, which would refuse `compute_dtype`.
FLAT = (
    "output_dir: o\nlearning_rate: 2.0e-6\nper_device_train_batch_size: 1\nbeta: 0.3\n"
    "loss_type: sigmoid\ncompute_dtype: float32\n"
)
TAKEN = "".join(
    f"    {name}=cfg['{name}'],\n"
    for name in ("output_dir", "learning_rate", "per_device_train_batch_size", "beta")
)


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (f"DPOConfig(\n{TAKEN})\n", []),
        ("DPOConfig(**cfg)\n", ["dpo.yaml:6 KEY001"]),
    ],
)
def test_a_file_that_looks_like_a_frameworks(
    call: str, expected: list[str], tmp_path: Path
) -> None:
    program = f"{HEAD}from loading import load_config\ncfg = load_config('dpo.yaml')\n{call}"
    loader = "import yaml\ndef load_config(path):\n    return yaml.safe_load(open(path))\n"
    project(tmp_path, {"dpo.yaml": FLAT, "train.py": program, "loading.py": loader})
    assert found(tmp_path, "dpo.yaml") == expected
    assert found(tmp_path, ".") == expected


def test_a_value_that_another_program_converts(tmp_path: Path) -> None:
    text = "training:\n  learning_rate: 1e-5\n"
    converting = "import yaml\nt = yaml.safe_load(open('sft.yaml'))['training']\nrate = float(t['learning_rate'])\n"
    project(tmp_path, {"sft.yaml": text, "train.py": PROGRAM, "other.py": converting})
    done = run("--target", "trl==1.9.0", "--format", "json", str(tmp_path))
    shown = [one for file in json.loads(done.out)["files"] for one in file["diagnostics"]]
    assert [(one["code"], one["severity"]) for one in shown] == [("TYP001", "note")]
