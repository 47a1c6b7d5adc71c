"""What is found in the commands that a program starts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run

HEAD = "import os\nimport subprocess\nimport sys\n\n"
OPTIONS = "--stage sft --model_name_or_path a/b --dataset x --output_dir out"
TRAIN = ", ".join(f'"{word}"' for word in f"llamafactory-cli train {OPTIONS}".split())


def found(folder: Path, code: str, *options: str, files: dict[str, str] | None = None) -> list[str]:
    """Line, severity and code of what is found in a program, and a word of it that is marked."""
    (folder / ".git").mkdir(exist_ok=True)
    for name, text in {"go.py": HEAD + code + "\n", **(files or {})}.items():
        (folder / name).write_text(text)
    target = "--target", "llamafactory==0.9.4"
    done = run(*target, "--select", "KEY,TYP", "--format", "json", *options, str(folder))
    lines = (HEAD + code).splitlines()
    rows = []
    for file in json.loads(done.out)["files"]:
        for one in file["diagnostics"]:
            start, end = one["range"]["start"], one["range"]["end"]
            marked = lines[start["line"] - 1][start["column"] - 1 : end["column"] - 1]
            rows.append(f"{one['severity']} {one['code']} {marked}")
    return rows


@pytest.mark.parametrize(
    "code",
    [
        f'subprocess.run([{TRAIN}, "--learning_rte", "1e-4"])',
        f'cmd = [{TRAIN}]\ncmd += ["--learning_rte", str(sys.argv[1])]\nsubprocess.run(cmd)',
        f'cmd = [{TRAIN}]\nif sys.argv:\n    cmd += ["--learning_rte", "1"]\nsubprocess.run(cmd)',
        f'os.system(f"llamafactory-cli train {OPTIONS} --learning_rte {{sys.argv[1]}}")',
    ],
)
def test_an_option_that_the_program_does_not_have(code: str, tmp_path: Path) -> None:
    assert found(tmp_path, code) == ["error KEY001 --learning_rte"]


def test_a_value_is_judged_where_it_is_known(tmp_path: Path) -> None:
    code = f'subprocess.run([{TRAIN}, "--num_train_epochs", VALUE])'
    assert found(tmp_path, code.replace("VALUE", '"many"')) == [
        'error TYP001 --num_train_epochs", "many'
    ]
    assert found(tmp_path, code.replace("VALUE", "sys.argv[1]")) == []


def test_branches_do_not_meet(tmp_path: Path) -> None:
    """What two branches add is not in one command, so that no option is given twice."""
    code = (
        f'cmd = [{TRAIN}]\nif sys.argv:\n    cmd += ["--learning_rate", "1e-4"]\n'
        'else:\n    cmd += ["--learning_rate", "2e-4"]\nsubprocess.run(cmd)'
    )
    assert found(tmp_path, code, "--extend-select", "LCH,LLF") == []


def test_comments_silence(tmp_path: Path) -> None:
    code = f'subprocess.run([\n    {TRAIN},\n    "--learning_rte", "1e-4",\n])'
    above = "# cfglint: ignore[KEY001] ours\n"
    assert found(tmp_path, above + code) == []
    beside = code.replace('"1e-4",', '"1e-4",  # cfglint: ignore[KEY001] ours')
    assert found(tmp_path, beside) == []


def test_nothing_is_repaired(tmp_path: Path) -> None:
    code = f'subprocess.run([{TRAIN}, "--evaluation_strategy", "no"])'
    assert found(tmp_path, code, "--fix") == ["error KEY005 --evaluation_strategy"]
    assert (tmp_path / "go.py").read_text() == HEAD + code + "\n"


def test_a_program_that_also_trains_itself(tmp_path: Path) -> None:
    code = (
        "from trl import SFTConfig\nSFTConfig(output_dir='o', sed=1)\n"
        f'subprocess.run([{TRAIN}, "--learning_rte", "1e-4"])'
    )
    assert found(tmp_path, code) == ["error KEY001 sed", "error KEY001 --learning_rte"]


@pytest.mark.parametrize(
    "code",
    [
        'subprocess.run(["llamafactory-cli", "train", "--help"])',
        'subprocess.run(["git", "status", "--learning_rte", "1"])',
        'print("llamafactory-cli train --learning_rte 1")',
        'subprocess.run(["llamafactory-cli", "train", sys.argv[1]])',
        'subprocess.run(["llamafactory-cli", *sys.argv])',
    ],
)
def test_what_is_no_command_with_options(code: str, tmp_path: Path) -> None:
    assert found(tmp_path, code) == []


def test_a_named_program_of_nothing_else_is_recognized(tmp_path: Path) -> None:
    code = f'subprocess.run([{TRAIN}, "--learning_rte", "1e-4"])'
    (tmp_path / "go.py").write_text(HEAD + code)
    assert "KEY001" in run("--format", "concise", str(tmp_path / "go.py")).out
    (tmp_path / "other.py").write_text(HEAD + 'subprocess.run(["git", "status"])')
    assert run(str(tmp_path / "other.py")).code == 2


AXOLOTL = (
    "base_model: Qwen/Qwen3-0.6B\ndatasets:\n  - {path: a.jsonl, type: alpaca}\n"
    "sequence_len: 2048\nmicro_batch_size: 1\nnum_epochs: 1\nlearning_rate: 0.0002\n"
)


@pytest.mark.parametrize("name", ["go.py", "scripts/go.py"])
def test_options_beside_a_config(name: str, tmp_path: Path) -> None:
    code = 'cmd = ["axolotl", "train", "x.yml"]\ncmd += ["--micro_batch_siz", "3"]\n'
    (tmp_path / ".git").mkdir()
    (tmp_path / "scripts").mkdir()
    (tmp_path / "x.yml").write_text(AXOLOTL)
    (tmp_path / name).write_text(f"{HEAD}{code}subprocess.run(cmd)\n")
    done = run("--format", "concise", "--target", "axolotl==0.16.0", str(tmp_path))
    assert f"{name}:6:" in done.out
    assert "`--micro_batch_siz` is not an option of `axolotl train`" in done.out


def test_settings_of_a_launcher(tmp_path: Path) -> None:
    """The processes of the command are those of the settings that it names."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "acc.yaml").write_text("compute_environment: LOCAL_MACHINE\nnum_processes: 8\n")
    command = (
        '["accelerate", "launch", "--config_file", "acc.yaml", "--num_proceses", "2", "train.py"]'
    )
    (tmp_path / "go.py").write_text(f"{HEAD}subprocess.run({command})\n")
    train = (
        "from trl import SFTConfig, SFTTrainer\nSFTTrainer('m', args=SFTConfig(output_dir='o'))\n"
    )
    (tmp_path / "train.py").write_text(train)
    assert "`--num_processes` meant" not in run(str(tmp_path)).out
    assert "go.py:5:" in run("--format", "concise", "--select", "LCH819", str(tmp_path)).out
