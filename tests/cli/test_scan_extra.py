"""`cfglint scan` without its extra says what is missing; nothing else needs it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import environment

_PROGRAM = """\
import sys
for name in {missing!r}:
    sys.modules[name] = None
from cfglint.cli import main
main({arguments!r})
"""


@pytest.mark.parametrize(
    ("missing", "engine", "extra"),
    [
        (["pyarrow"], "local", "scan"),
        (["pyarrow", "ray"], "ray", "ray"),
    ],
)
def test_the_extra_is_named(missing: list[str], engine: str, extra: str, tmp_path: Path) -> None:
    arguments = ["scan", "t.parquet", "--out", "out.parquet", "--engine", engine]
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM.format(missing=missing, arguments=arguments)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=environment(),
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("cfglint: scan needs ")
    assert (
        f": pip install 'cfglint-llm[{extra}]', in a clone pip install '.[{extra}]'" in done.stderr
    )
    assert list(tmp_path.iterdir()) == []
