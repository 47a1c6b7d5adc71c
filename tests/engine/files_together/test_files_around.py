"""Launch lines, sweep files and the requirement, which move along with a config."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cfglint.roles.framework import load_framework
from cfglint.runs.starts.start import Start, Word
from tests.cli.running import run
from tests.draws import each
from tests.engine.migration.test_migration import BASE

A_START = Start(
    path="run.sh",
    program="train",
    at=0,
    command="",
    trains=True,
    own=True,
    launcher="",
    before=(),
    words=(),
    handed=(),
    config=Word("train.yml", 0, 0, False),
    environment=(),
    copied=False,
)
CONFIG = BASE + "flash_attention: true\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train.yml").write_text(CONFIG, encoding="utf-8")
    (tmp_path / "requirements.txt").write_text(
        "torch\naxolotl[deepspeed]==0.12.2  # fixed\n", encoding="utf-8"
    )
    return tmp_path


def script(project: Path, text: str, name: str = "run.sh") -> Path:
    path = project / name
    path.write_text(f"#!/bin/bash\n{text}\n", encoding="utf-8")
    return path


def migrate(*arguments: str, to: str = "axolotl==0.21.0") -> str:
    result = run("migrate", "train.yml", "--to", to, *arguments)
    return result.out + result.err


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("axolotl train train.yml --dataset-processes 4", "--dataset-num-proc 4"),
        ("axolotl train train.yml --dataset-processes=4", "--dataset-num-proc 4"),
        (
            "accelerate launch -m axolotl.cli.train train.yml --flash_attention=True",
            "--attn_implementation=flash_attention_2",
        ),
    ],
)
def test_an_option_gets_the_name_of_the_release(project: Path, before: str, after: str) -> None:
    path = script(project, f"{before} \\\n  --learning-rate 0.1  # fast")
    told = migrate("--write")
    assert "run.sh: `--" in told
    command = before.partition(" --")[0]
    assert path.read_text(encoding="utf-8") == (
        f"#!/bin/bash\n{command} {after} \\\n  --learning-rate 0.1  # fast\n"
    )


@pytest.mark.parametrize(
    "line",
    [
        "axolotl train train.yml --learning-rate 0.1",
        'axolotl train train.yml --dataset-processes "$N"',
        "axolotl train other.yml --dataset-processes 4",
        "echo axolotl train train.yml --dataset-processes 4",
    ],
)
def test_other_options_stay(project: Path, line: str) -> None:
    path = script(project, line)
    assert "run.sh" not in migrate("--write")
    assert path.read_text(encoding="utf-8") == f"#!/bin/bash\n{line}\n"


def test_an_option_of_another_framework(project: Path) -> None:
    config = "model_name_or_path: a/b\ndataset_name: x/y\noutput_dir: ./out\n"
    (project / "train.yml").write_text(config, encoding="utf-8")
    path = script(project, "trl sft --config train.yml --max_seq_length 512")
    migrate("--write", to="trl==1.0.0")
    assert path.read_text(encoding="utf-8").endswith("--config train.yml --max_length 512\n")


@each(
    ("framework", "release", "value", "words"),
    [
        ("llamafactory", "0.9.4", True, "bf16=true"),
        ("llamafactory", "0.9.4", "a b", "bf16='a b'"),
        ("llamafactory", "0.9.4", [1], None),
        ("llamafactory", "0.9.1", True, None),
        ("trl", "1.0.0", True, "--bf16 True"),
        ("swift", "4.0.0", 1e-05, "--bf16 1e-05"),
        ("swift", "4.0.0", None, None),
    ],
)
def test_the_words_that_set_a_key(
    framework: str, release: str, value: Any, words: str | None
) -> None:
    launching = load_framework(framework).launching
    assert launching.option(A_START, "bf16", value, release) == words


def test_the_way_back(project: Path) -> None:
    (project / "train.yml").write_text(
        BASE + "attn_implementation: flash_attention_2\n", encoding="utf-8"
    )
    (project / "requirements.txt").write_text("axolotl==0.21.0\n", encoding="utf-8")
    path = script(project, "axolotl train train.yml --dataset-num-proc 4")
    migrate("--write", to="axolotl==0.12.2")
    assert "train.yml --dataset-processes 4\n" in path.read_text(encoding="utf-8")


def test_nothing_around_is_written_when_something_is_left(project: Path) -> None:
    path = script(project, "axolotl train train.yml --dataset-processes 4")
    before = path.read_bytes()
    (project / "train.yml").write_text(
        CONFIG.replace("learning_rate: 0.0001\n", ""), encoding="utf-8"
    )
    migrate("--write", "--pin")
    assert path.read_bytes() == before
    assert "0.12.2" in (project / "requirements.txt").read_text(encoding="utf-8")


def test_keys_of_a_sweep(project: Path) -> None:
    sweep = project / "sweep.yml"
    sweep.write_text(
        "learning_rate: [0.1, 0.2]\n# workers\ndataset_processes: [2, 4]  # two\n"
        "flash_attention: [true]\nsdp_attention: [true, null]\n"
        "_:\n  - dataset_processes: 8\n    lora_r: 4\n",
        encoding="utf-8",
    )
    script(project, "axolotl train train.yml --sweep sweep.yml")
    told = migrate("--write")
    assert "sweep.yml: `dataset_processes` becomes `dataset_num_proc`" in told
    # A key whose values do not all have a counterpart stays.
    assert sweep.read_text(encoding="utf-8") == (
        "learning_rate: [0.1, 0.2]\n# workers\ndataset_num_proc: [2, 4]  # two\n"
        "attn_implementation: [flash_attention_2]\nsdp_attention: [true, null]\n"
        "_:\n  - dataset_num_proc: 8\n    lora_r: 4\n"
    )


def test_the_requirement_moves_along_on_demand(project: Path) -> None:
    path = project / "requirements.txt"
    assert "requirements.txt:" not in migrate()
    migrate("--write", "--pin")
    assert path.read_text(encoding="utf-8") == "torch\naxolotl[deepspeed]==0.21.0  # fixed\n"


@pytest.mark.parametrize(
    "requirement",
    ["axolotl>=0.12", "axolotl==0.12.2 --hash=sha256:00", "axolotl==0.21.0", "axolotl-tools==1"],
)
def test_other_requirements_stay(project: Path, requirement: str) -> None:
    path = project / "requirements.txt"
    path.write_text(f"{requirement}\n", encoding="utf-8")
    migrate("--write", "--pin")
    assert path.read_text(encoding="utf-8") == f"{requirement}\n"


def test_a_script_of_several_configs_is_one_change(project: Path) -> None:
    (project / "two.yml").write_text(CONFIG, encoding="utf-8")
    path = script(
        project,
        "axolotl train train.yml --dataset-processes 4\naxolotl train two.yml --dataset-processes 8",
    )
    told = migrate("two.yml", "--write")
    assert told.count("run.sh:") == 1
    assert path.read_text(encoding="utf-8") == (
        "#!/bin/bash\naxolotl train train.yml --dataset-num-proc 4\n"
        "axolotl train two.yml --dataset-num-proc 8\n"
    )


def test_the_patch_and_the_report_have_them(project: Path) -> None:
    script(project, "axolotl train train.yml --dataset-processes 4")
    patch = migrate("--diff", "--pin")
    assert "+++ b/run.sh" in patch
    assert "+axolotl[deepspeed]==0.21.0  # fixed" in patch
    report = migrate("--report", "markdown")
    assert "## Files around" in report
    assert "run.sh" in report
