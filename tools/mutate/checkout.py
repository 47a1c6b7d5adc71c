"""A copy of the checkout in which a module may be changed and the tests run."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tools.mutate.mutations import Mutation
from tools.mutate.plugin import TOO_LONG, VARIABLE, Plan

#: The package whose modules are changed, in a checkout.
PACKAGE = "src/cfglint"
_COMPILED = f"{PACKAGE}/knowledge/_compiled"
#: Real time that a run may take for each second of its processor's.
_PATIENCE = 8


class Outcome(NamedTuple):
    """What came of one run of pytest."""

    #: Its exit code; negative when it was ended by a signal.
    code: int
    #: What the plugin reported.
    report: dict[str, Any]

    @property
    def took_too_long(self) -> bool:
        return self.code in (TOO_LONG, -signal.SIGXCPU, -signal.SIGKILL)


class Copy:
    """A copy of a checkout, with all that is not ignored, and with its compiled rules.

    Args:
        checkout: what is copied.
        folder: an empty folder.
    """

    def __init__(self, checkout: Path, folder: Path) -> None:
        self.folder = folder
        for name in _files(checkout):
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(checkout / name, target)
        # Compiled once here, so that no test of a mutant has to.
        environment = self._environment() | {"PYTHONWARNINGS": "ignore"}
        compiling = "from cfglint.knowledge.compiled import ensure_compiled; ensure_compiled()"
        subprocess.run([sys.executable, "-c", compiling], cwd=folder, env=environment, check=True)
        self._compiled = folder.with_name(f"{folder.name}-compiled")
        shutil.copytree(folder / _COMPILED, self._compiled)

    def _environment(self) -> dict[str, str]:
        paths = [str(self.folder / "src"), os.environ.get("PYTHONPATH", "")]
        return {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(path for path in paths if path),
            # A failing example is enough; the smallest one is not wanted.
            "HYPOTHESIS_PROFILE": "first-failure",
        }

    @contextlib.contextmanager
    def changed(self, path: str, mutation: Mutation) -> Iterator[None]:
        """A module of the package is mutated; afterwards all is as it was."""
        module = self.folder / path
        text = module.read_bytes()
        times = module.stat()
        changed = mutation.apply(text.decode("utf-8")).encode("utf-8")
        self._write(module, changed)
        try:
            yield
        finally:
            self._write(module, text)
            os.utime(module, ns=(times.st_atime_ns, times.st_mtime_ns))
            # It may have had a part in compiling the rules.
            shutil.rmtree(self.folder / _COMPILED, ignore_errors=True)
            shutil.copytree(self._compiled, self.folder / _COMPILED)

    @staticmethod
    def _write(module: Path, text: bytes) -> None:
        # A text of the same length, written in the same second, would pass for the old one.
        for stale in (module.parent / "__pycache__").glob(f"{module.stem}.*.pyc"):
            stale.unlink()
        module.write_bytes(text)

    def pytest(self, paths: Sequence[str], plan: Plan) -> Outcome:
        """Run tests.

        Args:
            paths: test files or folders.
            plan: what is to be done; where its report goes is decided here.
        """
        with tempfile.TemporaryDirectory(prefix="mutate-") as folder:
            told, report = Path(folder, "plan.json"), Path(folder, "report.json")
            plan._replace(report=str(report)).write(told)
            command = [
                *(sys.executable, "-m", "pytest", "-m", "not doors", "--tb=no"),
                *("-p", "no:cacheprovider", "-p", "tools.mutate.plugin"),
                *(() if plan.measured is not None else ("-x",)),
                *paths,
            ]
            process = subprocess.Popen(
                command,
                cwd=self.folder,
                env=self._environment() | {VARIABLE: str(told)},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
            try:
                code = process.wait(None if plan.seconds is None else plan.seconds * _PATIENCE)
            except subprocess.TimeoutExpired:
                code = -signal.SIGXCPU
            finally:
                # What it started goes with it, a mutant's endless worker as well.
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            written = json.loads(report.read_text(encoding="utf-8")) if report.exists() else {}
            return Outcome(code, written)


def _files(checkout: Path) -> list[str]:
    """The files of a checkout that git does not ignore, whether they are committed or not."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=checkout,
        capture_output=True,
        check=True,
    )
    names = (os.fsdecode(name) for name in listed.stdout.split(b"\0") if name)
    return sorted({name for name in names if (checkout / name).is_file()})


@contextlib.contextmanager
def copies(checkout: Path, count: int) -> Iterator[list[Copy]]:
    """Copies of a checkout in a temporary folder."""
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="mutate-") as folder:
        made = []
        for number in range(count):
            place = Path(folder, f"copy-{number}")
            place.mkdir()
            made.append(Copy(checkout, place))
        print(f"{count} copies of {checkout.name} in {time.monotonic() - start:.0f} s")
        yield made
