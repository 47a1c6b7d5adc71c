"""The engine of a cluster gives the tables of the local one."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="needs the extra [scan]")

from cfglint.api.scan.model import SHARD
from tests.api.scan.tables_of_files import MIXED, read, write
from tests.cli.files import MISSPELT
from tests.cli.running import Result, environment, run

pytestmark = [
    pytest.mark.doors,
    pytest.mark.skipif(
        find_spec("ray") is None or find_spec("pandas") is None, reason="needs the extra [ray]"
    ),
]


def spawn(*arguments: str, cwd: Path, **variables: str) -> Result:
    """The command in a process of its own; to start a cluster takes its time."""
    done = subprocess.run(
        [sys.executable, "-m", "cfglint", *arguments],
        capture_output=True,
        cwd=cwd,
        env=environment(**variables),
        check=False,
        timeout=400,
    )
    return Result(done.returncode, done.stdout, done.stderr)


def test_both_engines_write_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    write(Path("t.parquet"), MIXED)
    rows: list[tuple[str | None, bytes | None]] = [
        (f"{number}.yml", MISSPELT.encode()) for number in range(SHARD + 5)
    ]
    write(Path("many.parquet"), rows)
    Path("runs").mkdir()
    Path("runs/train.yml").write_text(MISSPELT + "deepspeed: ds.json\n")
    Path("runs/ds.json").write_text('{"zero_optimizatio": {}}')
    sources = ("t.parquet", "many.parquet", "runs")
    assert run("scan", *sources, "--out", "local.parquet").code == 0
    command = ("scan", *sources, "--out", "ray.parquet", "--engine", "ray", "--format", "json")
    done = spawn(*command, cwd=tmp_path)
    assert (done.code, done.err) == (0, "")
    assert json.loads(done.out)["files"] == len(MIXED) + len(rows) + 2
    assert read(Path("ray.parquet")) == read(Path("local.parquet"))
    ours, theirs = read(Path("local.files.parquet")), read(Path("ray.files.parquet"))
    for row in (*ours, *theirs):
        del row["seconds"]
    assert ours == theirs
    assert not Path("ray.parquet.shards").exists()


def test_a_cluster_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    write(tmp_path / "t.parquet", MIXED)
    command = ("scan", "t.parquet", "--out", "ray.parquet", "--engine", "ray")
    done = spawn(*command, "--address", "auto", cwd=tmp_path, RAY_ADDRESS="")
    assert done.code == 2
    assert done.err.startswith("cfglint: ray: ")
    assert "Traceback" not in done.err
