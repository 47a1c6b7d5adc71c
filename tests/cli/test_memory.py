"""Large files around a config take limited memory."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from cfglint.cli import baseline
from cfglint.environment.project import finder
from tests.cli.files import CLEAN
from tests.cli.running import peak_memory, run
from tests.draws import drawn, product

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")

#: Of one run, in megabytes.
MOST = 250


def pipfile_lock(size: int) -> str:
    """What takes the most memory for its size: an empty object has 60 bytes or more."""
    return '{"_meta": {}, "default": [' + "{}," * (size // 3 - 10) + "{}]}"


def conda_lock(size: int) -> str:
    row = "- name: package-{}\n  version: 1.0\n  manager: conda\n  platform: linux-64\n  dependencies: {{}}\n  url: https://a/b.conda\n"
    return "package:\n" + "".join(row.format(n) for n in range(size // len(row)))


def known_findings(size: int) -> str:
    rows = ",".join(f'"{n:06}":1' for n in range(size // 11 - 10))
    return f'{{"version":1,"files":{{"train.yml":{{"KEY001":{{{rows}}}}}}}}}'


@pytest.mark.parametrize("size", [5_000_000, 16_700_000])
def test_of_pipfile_lock(tmp_path: Path, size: int) -> None:
    (tmp_path / "train.yml").write_text(CLEAN)
    (tmp_path / "Pipfile.lock").write_text(pipfile_lock(size))
    assert peak_memory("train.yml", cwd=tmp_path) < MOST


def test_of_conda_lock(tmp_path: Path) -> None:
    (tmp_path / "train.yml").write_text(CLEAN)
    (tmp_path / "conda-lock.yml").write_text(conda_lock(17_000_000))
    assert peak_memory("train.yml", cwd=tmp_path) < MOST / 3


@product
@pytest.mark.parametrize("size", drawn([6_200_000, 15_000_000], 1))
def test_of_baseline(tmp_path: Path, size: int) -> None:
    (tmp_path / "train.yml").write_text(CLEAN)
    (tmp_path / "known.json").write_text(known_findings(size))
    assert peak_memory("--baseline", "known.json", "train.yml", cwd=tmp_path) < MOST


ROWS = {
    "errors": b"Error: \n",
    "errors far apart": b"a\n" * 12_000 + b"Error: \n",
    "one long line": b"KeyError: 1 " * 100_000,
    "errors that differ": b"".join(b"KeyError: %d\n" % n for n in range(100_000)),
}


@product
@pytest.mark.parametrize("name", drawn(ROWS, 2))
def test_of_a_log(tmp_path: Path, name: str) -> None:
    row = ROWS[name]
    (tmp_path / "run.log").write_bytes(row * (50_000_000 // len(row)))
    assert peak_memory("diagnose", "run.log", cwd=tmp_path) < MOST / 4


def test_a_pipfile_lock_that_is_too_large_is_a_note(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finder, "_MAX_JSON_LOCK_BYTES", 10)
    (tmp_path / "train.yml").write_text(CLEAN)
    (tmp_path / "Pipfile.lock").write_text(pipfile_lock(1_000))
    assert "larger than 10 bytes" in " ".join(run(str(tmp_path / "train.yml")).out.split())


def test_a_baseline_that_could_not_be_read_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(baseline, "_MAX_BYTES", 10)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train.yml").write_text(CLEAN + "lora_rr: 1\n")
    done = run("--write-baseline", "train.yml")
    assert done.code == 2
    assert ".cfglint-baseline.json: the baseline would be larger than 10 bytes" in done.err
    assert not (tmp_path / ".cfglint-baseline.json").exists()
