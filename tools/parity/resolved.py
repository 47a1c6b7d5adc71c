"""What releases make of files: their answers, kept by content so that they are asked only once."""

from __future__ import annotations

import hashlib
import json
import tempfile
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from tools.parity.workers import Worker

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tools.parity.machine import Machine
    from tools.parity.release import Prepared

_MODULE = "tools.parity.worker.effective"


def resolve(
    release: Prepared,
    python: Path,
    files: Sequence[Path],
    machine: Machine,
    kept: Path | None = None,
) -> list[dict[str, Any] | None]:
    """The configuration that a release ends with for each file; None where it refuses the file.

    Args:
        kept: a folder for the answers, read before the release is asked.
    """
    name = "-".join(map(str, (release.version, *machine)))
    store = kept / f"{name}.json" if kept is not None else None
    known: dict[str, Any] = {}
    if store is not None and store.is_file():
        known = json.loads(store.read_text(encoding="utf-8"))
    names = [hashlib.sha256(file.read_bytes()).hexdigest() for file in files]
    missing = {name: file for name, file in zip(names, files, strict=True) if name not in known}
    if missing:
        known.update(_ask(release, python, missing, machine))
        if store is not None:
            store.parent.mkdir(parents=True, exist_ok=True)
            store.write_text(json.dumps(known), encoding="utf-8")
    return [known[name] for name in names]


def _ask(
    release: Prepared, python: Path, files: dict[str, Path], machine: Machine
) -> dict[str, Any]:
    answers: dict[str, Any] = {}
    capabilities = machine.capabilities()
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="cfglint-parity-"))
        worker: Worker | None = None
        for name, file in files.items():
            worker = worker or Worker(release, python, folder, _MODULE)
            answer = worker.ask({"path": str(file.resolve()), "capabilities": capabilities})
            if answer is None:
                worker.close()
                worker = None
            answers[name] = (answer or {}).get("config")
        if worker is not None:
            worker.close()
    return answers
