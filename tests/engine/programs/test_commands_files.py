"""The file that a command gives to a program: `python train.py --config sft.yaml`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engine.programs.test_fed_file import FOUND, YAML, found, project

HEAD = "import argparse\nimport yaml\nfrom trl import SFTConfig\np = argparse.ArgumentParser()\n"
END = "a = p.parse_args()\ncfg = yaml.safe_load(open(PATH))\nSFTConfig(output_dir='o', **cfg['training'])\n"


def program(option: str, path: str = "a.config") -> str:
    return HEAD + f"p.add_argument({option})\n" + END.replace("PATH", path)


@pytest.mark.parametrize(
    ("option", "command"),
    [
        ("'--config', required=True", "python train.py --config sft.yaml"),
        ("'-c', '--config'", "accelerate launch train.py -c sft.yaml --seed 1"),
        ("'--config', type=str", "torchrun --nproc_per_node=8 ./train.py --config=sft.yaml"),
        ("'config'", "python3 train.py sft.yaml --fast"),
        ("'--config'", "C=sft.yaml\npython -m train --config $C"),
    ],
)
def test_a_script_says_which_file(option: str, command: str, tmp_path: Path) -> None:
    project(tmp_path, {"sft.yaml": YAML, "train.py": program(option), "run.sh": command + "\n"})
    assert found(tmp_path, "train.py") == FOUND
    assert found(tmp_path, "sft.yaml") == FOUND


@pytest.mark.parametrize(
    ("option", "command"),
    [
        ("'--config', nargs='+'", "python train.py --config sft.yaml"),
        ("'--config'", "python train.py --config $1"),
        ("'--config'", "python other.py --config sft.yaml"),
        ("'--config'", "# python train.py --config sft.yaml"),
        ("'config'", "python train.py --fast sft.yaml"),
        ("'--config', default='none.yaml'", "python train.py --config sft.yaml"),
    ],
)
def test_it_is_not_known_which_file(option: str, command: str, tmp_path: Path) -> None:
    project(tmp_path, {"sft.yaml": YAML, "train.py": program(option), "run.sh": command + "\n"})
    assert found(tmp_path, "train.py") == []


def test_a_page_or_the_program_itself_says_it(tmp_path: Path) -> None:
    page = "Run\n\n```bash\npython train.py --config sft.yaml\n```\n"
    files = {"sft.yaml": YAML, "train.py": program("'--config'")}
    project(tmp_path, {**files, "README.md": page})
    assert found(tmp_path, "train.py") == FOUND
    (tmp_path / "README.md").unlink()
    assert found(tmp_path, "train.py") == []
    text = f'"""Usage: python train.py --config sft.yaml"""\n{files["train.py"]}'
    (tmp_path / "train.py").write_text(text)
    assert found(tmp_path, "train.py") == FOUND


def test_of_several_files_the_first_counts_unless_another_is_named(tmp_path: Path) -> None:
    commands = "python train.py --config sft.yaml\npython train.py --config other.yaml\n"
    other = YAML.replace("model: x\n", "")
    files = {"sft.yaml": YAML, "other.yaml": other, "train.py": program("'--config'")}
    project(tmp_path, {**files, "run.sh": commands})
    assert found(tmp_path, "train.py") == FOUND
    assert found(tmp_path, "other.yaml") == ["other.yaml:2 KEY005"]


def test_the_file_is_in_a_folder_of_the_program(tmp_path: Path) -> None:
    text = program("'--config'", "Path(__file__).parent / a.config")
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs" / "sft.yaml").write_text(YAML)
    project(tmp_path, {"train.py": text, "run.sh": "python train.py --config configs/sft.yaml\n"})
    assert found(tmp_path, "train.py") == FOUND
