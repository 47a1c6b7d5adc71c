"""Texts on which a regular expression or a glob once took minutes are checked at once."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from cfglint import lint_file
from tests.cli.running import run
from tests.draws import drawn, product

CONFIG = "base_model: a/b\ndatasets:\n  - {path: c/d, type: alpaca}\nmicro_batch_size: 1\n"
SCRIPT = "#!/bin/bash\ntorchrun main_finetune.py --llama_type llama --data_config a.yaml\n"
PACKAGE = '[[package]]\nname = "peft"\nversion = "0.17.0"\nsource = { url = "x/'
ROWS = [
    ("a number of 64 kB", "train.yml", CONFIG + f"learning_rate: {'9' * 64_000}x\n"),
    ("blanks behind let", "train.sh", f"{SCRIPT}let{' ' * 80_000}\n"),
    ("an open address in uv.lock", "uv.lock", PACKAGE + ".whl#" * 36_000 + "\n"),
    ("fragments in requirements", "requirements.txt", "https://a/b" + "#&" * 64_000 + "\n"),
    (
        "signs of a comment",
        "train.yml",
        CONFIG + "# " + "#" * 900_000 + "\nflash_attention: true\n",
    ),
    (
        "codes in a comment",
        "train.yml",
        CONFIG + "x: 1  # cfglint: ignore[" + "A1," * 300_000 + "]\n",
    ),
    ("dots in a script", "run.sh", "axolotl train $1\n" + "." * 900_000 + "\n"),
    ("stars in a glob", ".gitignore", "*a" * 30 + "*b\n"),
]


@pytest.fixture(scope="module")
def _loaded(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What the first run alone loads, or makes in a new checkout."""
    folder = tmp_path_factory.mktemp("loaded")
    for name, text in (("train.yml", CONFIG + "typo: 1\n"), ("train.sh", SCRIPT)):
        (folder / name).write_text(text)
        lint_file(folder / name)
    run(str(folder))


@product
@pytest.mark.usefixtures("_loaded")
@pytest.mark.parametrize("what", drawn([row[0] for row in ROWS], 3))
def test_it_takes_less_than_two_seconds(tmp_path: Path, what: str) -> None:
    [(_, name, text)] = [row for row in ROWS if row[0] == what]
    (tmp_path / ".git").mkdir()
    # A glob is tried on a name that nearly fits it.
    config = "a" * 200 + ".yml"
    (tmp_path / config).write_text(CONFIG)
    (tmp_path / name).write_text(text)
    checked = name if name.startswith("train") else config
    started = time.process_time()
    lint_file(tmp_path / checked)
    run(str(tmp_path))
    # Two seconds on a quiet machine; one that is shared takes half as long again.
    assert time.process_time() - started < 3
