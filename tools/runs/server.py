"""Starts a worker in a release's environment and feeds it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import IO, Any, NamedTuple

from tools.runs.outcome import Outcome, from_answer

#: Where the environments are, unless an option says it.
VARIABLE = "CFGLINT_RUNS"
FRAMEWORKS = ("trl", "llamafactory", "axolotl")
#: No run may ask anything of the network, and one thread is enough for a tiny model.
_VARIABLES = {
    "ACCELERATE_USE_CPU": "true",
    "CUDA_VISIBLE_DEVICES": "",
    "DISABLE_VERSION_CHECK": "1",
    "HF_DATASETS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_OFFLINE": "1",
    "MPLBACKEND": "Agg",
    "OMP_NUM_THREADS": "1",
    "PYTHONNOUSERSITE": "1",
    "PYTHONWARNINGS": "ignore",
    "TOKENIZERS_PARALLELISM": "false",
    "TQDM_DISABLE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "TRL_EXPERIMENTAL_SILENCE": "1",
    "WANDB_MODE": "disabled",
}
_ROOT = Path(__file__).resolve().parents[2]


class EnvironmentMissing(Exception):
    """There is no environment for a release; the message says where it was looked for."""


class Environment(NamedTuple):
    """A Python that has a release."""

    framework: str
    release: str
    python: Path
    #: Folders that come before the packages of the Python.
    paths: tuple[Path, ...]
    #: Variables that its worker needs besides.
    variables: Mapping[str, str]
    #: Where its tiny models are.
    models: Path


class Job(NamedTuple):
    """A config to run."""

    #: Its name in the campaign.
    id: str
    file: Path
    command: str = ""
    seconds: float = 60


def find(folder: Path, stated: str) -> Environment:
    """The environment of `FRAMEWORK==RELEASE` in a folder of them.

    `FRAMEWORK-RELEASE` there is a virtual environment, or has an `environment.json` with a
    `python`, folders in `paths` and environment `variables`.

    Raises:
        EnvironmentMissing: there is none, or the framework is not known.
    """
    framework, _, release = stated.partition("==")
    if framework not in FRAMEWORKS or not release:
        raise EnvironmentMissing(f"{stated}: write one of {', '.join(FRAMEWORKS)} and ==RELEASE")
    place = folder / f"{framework}-{release}"
    described: dict[str, Any] = {"python": str(place / "bin" / "python")}
    if (place / "environment.json").exists():
        described = json.loads((place / "environment.json").read_text(encoding="utf-8"))
    python = Path(described["python"])
    if not python.exists():
        raise EnvironmentMissing(f"{place} does not have {stated}; see docs/runs.md")
    paths = tuple(map(Path, described.get("paths", ())))
    variables = described.get("variables", {})
    return Environment(framework, release, python, paths, variables, place / "models")


class Server:
    """A worker, started at once and ended at the end of the `with` block."""

    #: What is installed in the environment.
    packages: Mapping[str, str]

    def __init__(self, environment: Environment, log: Path | None = None) -> None:
        self._environment = environment
        self._scratch = Path(tempfile.mkdtemp(prefix="cfglint-runs-"))
        self._log: IO[bytes] | None = log.open("ab") if log is not None else None
        command = [str(environment.python), "-m", f"tools.runs.worker.{environment.framework}"]
        paths = (*environment.paths, _ROOT)
        environment.models.mkdir(parents=True, exist_ok=True)
        self._process = subprocess.Popen(
            [*command, str(environment.models)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log or subprocess.DEVNULL,
            text=True,
            env={
                **os.environ,
                **_VARIABLES,
                "HF_HOME": str(self._scratch / "hub"),
                "PYTHONPATH": os.pathsep.join(map(str, paths)),
                **environment.variables,
            },
            cwd=self._scratch,
        )
        try:
            self.packages = self._answer()["ready"]
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Server:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        place: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the worker; its folder goes."""
        if self._process.poll() is None:
            if self._process.stdin is not None:
                self._process.stdin.close()
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
        if self._log is not None:
            self._log.close()
        shutil.rmtree(self._scratch, ignore_errors=True)

    def run(self, job: Job) -> Outcome:
        """Train once.

        Raises:
            EnvironmentMissing: the worker has ended.
        """
        folder = Path(tempfile.mkdtemp(dir=self._scratch))
        asked = {
            "id": job.id,
            "file": str(job.file.resolve()),
            "folder": str(folder),
            "command": job.command,
            "seconds": job.seconds,
        }
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(asked) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError as error:
            raise EnvironmentMissing("the worker has ended") from error
        try:
            return from_answer(self._answer(), job.command)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            stated = f"{self._environment.framework}=={self._environment.release}"
            raise EnvironmentMissing(
                f"the worker of {stated} has ended; `--log FILE` has its words"
            )
        answer: dict[str, Any] = json.loads(line)
        return answer
