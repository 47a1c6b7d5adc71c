"""Runs many files through a release, in processes that stay warm."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tools.parity.release import Prepared, ReleaseError
from tools.parity.verdicts import Upstream

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tools.parity.machine import Machine

_PROJECT = Path(__file__).resolve().parents[2]
#: What of our environment a release may see. No tokens, no proxies, no WORLD_SIZE.
_PASSED_ON = ("PATH", "HOME", "LANG", "TMPDIR")


def judge(
    release: Prepared, python: Path, files: Sequence[Path], machine: Machine, jobs: int
) -> list[Upstream]:
    """The release's verdicts about the files, in their order."""
    count = max(1, min(jobs, len(files)))
    shares = [files[start::count] for start in range(count)]
    verdicts: dict[Path, Upstream] = {}
    with ThreadPoolExecutor(count) as pool:
        for share in pool.map(lambda some: _share(release, python, some, machine), shares):
            verdicts.update(share)
    return [verdicts[file] for file in files]


def _share(
    release: Prepared, python: Path, files: Sequence[Path], machine: Machine
) -> dict[Path, Upstream]:
    verdicts: dict[Path, Upstream] = {}
    capabilities = machine.capabilities()
    with tempfile.TemporaryDirectory(prefix="cfglint-parity-") as folder:
        worker: Worker | None = None
        for file in files:
            worker = worker or Worker(release, python, folder)
            answer = worker.ask({"path": str(file.resolve()), "capabilities": capabilities})
            if answer is None:
                worker.close()
                worker = None
                answer = {"outcome": "failed", "message": "the process ended on this file"}
            verdicts[file] = Upstream.from_json(answer)
        if worker is not None:
            worker.close()
    return verdicts


class Worker:
    """One process with the release loaded, in an empty folder."""

    def __init__(
        self, release: Prepared, python: Path, folder: str, module: str = "tools.parity.worker"
    ) -> None:
        environment = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
        environment.update(
            PYTHONPATH=str(_PROJECT),
            PYTHONDONTWRITEBYTECODE="1",
            AXOLOTL_DO_NOT_TRACK="1",
            DO_NOT_TRACK="1",
            HF_HUB_OFFLINE="1",
        )
        command = [str(python), "-m", module, str(release.root), str(release.facts)]
        self._process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
        )
        hello = self._read()
        if not (hello and hello.get("ready")):
            self.close()
            problem = (hello or {}).get("problem", "the process ended")
            raise ReleaseError(f"{release.version} cannot be loaded:\n{problem}")

    def ask(self, request: dict[str, Any]) -> dict[str, Any] | None:
        """The answer, or None when the process is gone."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
        except OSError:
            return None
        return self._read()

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()

    def _read(self) -> dict[str, Any] | None:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            return None
        answer: dict[str, Any] = json.loads(line)
        return answer
