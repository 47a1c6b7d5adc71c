"""Exported environments beside the list that a page has everybody install."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import run

EXPORT = (
    "name: mine\nchannels:\n  - defaults\ndependencies:\n"
    + "".join(f"  - lib{number}=1.0=h0\n" for number in range(6))
    + "  - pip:\n      - transformers==4.37.2\n      - trl==0.8.0\nprefix: /opt/conda/envs/mine\n"
)
LIST = "git+https://github.com/huggingface/transformers\naccelerate\n"
PAGE = "```sh\npip install -r requirements.txt\n```\n"
PROGRAM = (
    "from transformers import TrainingArguments\n\n"
    "args = TrainingArguments(output_dir='out', dataloader_prefetch_factor=1)\n"
)


def is_held(folder: Path, **files: str) -> bool:
    """Whether the release of the export counts; `run_dot_sh` is the file `run.sh`."""
    (folder / ".git").mkdir()
    every = {
        "environment_dot_yml": EXPORT,
        "requirements_dot_txt": LIST,
        "README_dot_md": PAGE,
        "train_dot_py": PROGRAM,
        **files,
    }
    for name, text in every.items():
        path = folder / name.replace("_dot_", ".")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return "KEY006" in run(str(folder / "train.py")).out


def test_the_list_of_the_page_is_what_is_installed(tmp_path: Path) -> None:
    assert not is_held(tmp_path)


@pytest.mark.parametrize(
    "files",
    [
        {"README_dot_md": "A program.\n"},
        {"README_dot_md": PAGE.replace("requirements", "docs")},
        {"README_dot_md": PAGE + "`conda env create` works as well.\n"},
        {"README_dot_md": PAGE + "Or take `environment.yml`.\n"},
        {"setup_dot_sh": "mamba env create -f $FILE\n"},
        {"Dockerfile": "FROM condaforge/miniforge3\nRUN mamba env update -f environment.yml\n"},
        # It lists something else.
        {"requirements_dot_txt": "flask\ntransformers\n"},
        # That is written by hand.
        {"environment_dot_yml": EXPORT.replace("=h0", "")},
    ],
)
def test_others(tmp_path: Path, files: dict[str, str]) -> None:
    assert is_held(tmp_path, **files)
