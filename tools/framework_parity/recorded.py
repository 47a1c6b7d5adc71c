"""Generated files with the verdicts of real releases, small enough to be a fixture."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import Any

from cfglint.engine.case import Case
from cfglint.engine.lint import lint_source
from cfglint.environment.building import build_environment
from cfglint.environment.surroundings import nowhere
from cfglint.roles.framework import load_framework
from cfglint.source.text import SourceText
from tools.framework_parity import folders
from tools.framework_parity.verdicts import Verdict, is_refusal, named_keys

#: A recorded file: its text, what was changed in it, and by release whether it is refused, with
#: the keys that the refusal names.
Recorded = dict[str, Any]


def record(folder: Path, theirs: dict[str, dict[str, Verdict]], count: int, out: Path) -> int:
    """Write the first files of a folder with their verdicts; how many there were.

    Args:
        theirs: release -> file name -> verdict.
    """
    rows: list[Recorded] = []
    for row in folders.rows(folder):
        name = Path(row["file"]).name
        verdicts = {
            version: [found[name].refused, named_keys(found[name].reason)]
            for version, found in theirs.items()
            if name in found
        }
        if verdicts and len(rows) < count:
            text = (folder / row["file"]).read_text(encoding="utf-8")
            rows.append({**row, "text": text, "verdicts": verdicts})
    data = json.dumps(rows, separators=(",", ":")).encode()
    out.write_bytes(gzip.compress(data, 9, mtime=0))
    return len(rows)


def read_recorded(path: Path) -> list[Recorded]:
    """The files of a fixture."""
    rows: list[Recorded] = json.loads(gzip.decompress(path.read_bytes()))
    return rows


def refused_keys(
    file: Recorded,
    name: str,
    release: str,
    later: Collection[str],
    gpus: int | None = None,
    others: Collection[str] = (),
) -> list[str]:
    """The keys of the findings that say that a release of a framework refuses a file.

    Args:
        later: the codes of what is refused only after the recorded verdicts have ended.
        others: versions of other packages (`transformers==5.6.0`).
    """
    framework = load_framework(name)
    target = build_environment(
        framework.releases, pins=[f"{framework.packages[0]}=={release}", *others], gpus=gpus
    )
    # The folder of a file may say what it is for.
    around = nowhere().replaced(path=file["file"])
    result = lint_source(SourceText(file["text"]), Case(framework, target, around))
    return [
        ".".join(map(str, one.path))
        for one in result.diagnostics
        if is_refusal(one.code, one.severity, one.upstream) and one.code not in later
    ]


def differing(
    files: Iterable[Recorded], release: str, refused_at: Callable[[Recorded], list[str]]
) -> list[tuple[str, Any, list[str]]]:
    """The files whose verdict is not the recorded one: name, what was changed, keys of ours.

    Args:
        refused_at: the keys of our findings that say that the release refuses a file.
    """
    found = []
    for file in files:
        if release in file["verdicts"]:
            refused, _ = file["verdicts"][release]
            keys = refused_at(file)
            if bool(keys) != refused:
                found.append((file["file"], file["changes"], keys))
    return found
