"""Project files that are made to take long are read in time that grows with their size."""

from __future__ import annotations

import time

import pytest

from cfglint.environment.project.readers import launch, requirements, toml_locks
from tests.draws import each

ROWS = [
    ("an open address in uv.lock", "uv.lock", '[[package]]\nname = "peft"\nsource = { url = "x/', ".whl#"),
    ("fragments of an address", "requirements.txt", "https://a/b", "#&"),
    ("extras that are open", "requirements.txt", "https://a/b#", "&egg=a["),
    ("the name of a wheel", "requirements.txt", "https://a/", "a"),
    ("versions in the name of a wheel", "requirements.txt", "https://a/", "a-1-"),
    ("a marker", "requirements.txt", "peft==1; a", " )"),
]  # fmt: skip


@each(("file", "start", "pump"), [r[1:] for r in ROWS])
def test_it_takes_no_longer_than_its_size(file: str, start: str, pump: str) -> None:
    text = start + pump * (100_000 // len(pump)) + "x.whl\n"
    started = time.process_time()
    if file == "uv.lock":
        toml_locks.read(file, text)
    else:
        requirements.read(file, text, lambda _: None)
    assert time.process_time() - started < 2


@pytest.mark.parametrize("start", ["resources:\n  accelerators: A100", "  nvidia.com/gpu: 1"])
def test_blanks_behind_a_number_of_gpus(start: str) -> None:
    text = start + " " * 20_000 + "x\n"
    patterns = (launch._SKY, launch._KUBERNETES)
    started = time.process_time()
    assert not any(list(pattern.finditer(text)) for pattern in patterns)
    assert time.process_time() - started < 1
