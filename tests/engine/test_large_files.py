"""Checking time grows with the file and not with its square."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from cfglint import lint_file
from cfglint.source.text import MAX_BYTES
from tests.draws import drawn, product
from tests.linting import lint

MAKERS: dict[str, Callable[[int], str]] = {
    "duplicates": lambda count: "base_model: x\n" + "seed: 1\n" * count,
    "misspelt": lambda count: "base_model: x\n" + "".join(f"lora_rr{n}: 1\n" for n in range(count)),
    "suppressions": lambda count: (
        "base_model: x\n" + "".join(f"k{n}: 1 # cfglint: ignore[KEY001]\n" for n in range(count))
    ),
    "datasets": lambda count: "base_model: x\ndatasets:\n" + "- {path: x, typ: y}\n" * count,
    "plain": lambda count: (
        "base_model: x\nlr_scheduler_kwargs:\n" + "".join(f"  k{n}: 1e-5\n" for n in range(count))
    ),
}


def seconds(text: str) -> float:
    started = time.process_time()
    lint(text)
    return time.process_time() - started


@product
@pytest.mark.parametrize("name", drawn(MAKERS, 2))
def test_time(name: str) -> None:
    """Eight times the findings take far less than 64 times as long."""
    make = MAKERS[name]
    seconds(make(10))
    small = min(seconds(make(100)) for _ in range(2))
    assert seconds(make(800)) < max(0.25, 25 * small)


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    config = tmp_path / "train.yml"
    config.write_bytes(b"base_model: x\n" + b"#" * (MAX_BYTES - 13))
    (found,) = lint_file(config).diagnostics
    assert (found.name, found.severity, tuple(found.span)) == ("file-too-large", "error", (0, 0))
    assert str(MAX_BYTES + 1) in found.message
    config.write_bytes(b"base_model: x\n" + b"#" * (MAX_BYTES - 14))
    assert "file-too-large" not in [d.name for d in lint_file(config).diagnostics]
