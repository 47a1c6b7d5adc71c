"""Texts made to be slow: every reader of a project's files takes about as long as the text is."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable

from cfglint.environment.project.readers import (
    clones,
    conda,
    conda_locks,
    images,
    pip_commands,
    pipenv,
    pyproject,
    requirements,
    toml_locks,
)
from cfglint.environment.project.stated_versions import UnreadableFileError
from tests.draws import drawn, each, product

SIZE = 150_000
URL = "https://github.com/a/axolotl"
READERS: dict[str, Callable[[str], object]] = {
    "clones": lambda text: clones.read("run.sh", f"git clone {URL}\nrepository: a/axolotl\n{text}"),
    "clone": lambda text: clones.read("run.sh", f"git clone {URL} {text} pip install -e ."),
    "commands": lambda text: pip_commands.read("run.sh", f"pip install {text}"),
    "conda": lambda text: conda.read("environment.yml", f"dependencies:\n  - {text}"),
    "conda-lock": lambda text: conda_locks.read("conda-lock.yml", f"package:\n- name: {text}"),
    "list": lambda text: conda_locks.read("conda.txt", text),
    "images": lambda text: images.read("Dockerfile", text),
    "pipfile": lambda text: pipenv.read("Pipfile", f'[packages]\ntorch = "{_plain(text)}"'),
    "pixi": lambda text: conda_locks.read("pixi.lock", f"packages:\n- pypi: {text}"),
    "pyproject": lambda text: pyproject.read(
        "pyproject.toml", f'[project]\ndependencies = ["torch{_plain(text)}"]'
    ),
    "requirements": lambda text: requirements.read("requirements.txt", text, lambda _: None),
    "toml": lambda text: toml_locks.read("uv.lock", f'[[package]]\nname = "torch"\n{text}'),
}
PARTS = (
    "a", "a-1", "a=", "a[", "-\t", "a/", " \n", "- a  \n", "axolotlai/axolotl:", "axolotlai/axolotl-",
    "axolotlai/axolotl:$A$B$C$D$E ", "A=1 ", "A = ", '"', "${", "a>=1,", "git clone a/axolotl && git checkout $A && ", "@", " #", "1.", "pip install ",
)  # fmt: skip


def _plain(text: str) -> str:
    return text.replace('"', "").replace("\n", " ")


@product
@each("reader", READERS)
def test_no_text_takes_long(reader: str) -> None:
    texts = ["a" + " " * SIZE + "b", "git+https://a/" + "a/" * (SIZE // 2) + "@"]
    texts += [part * (SIZE // len(part)) for part in PARTS]
    for text in drawn(texts, 6, reader):
        started = time.process_time()
        with contextlib.suppress(UnreadableFileError):
            READERS[reader](text)
        assert time.process_time() - started < 1, text[:30]
