"""Options in, files out."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tools.locks.recipes import RECIPES
from tools.locks.workshop import MissingToolError, Workshop, index, write_clone


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tools and keep what they write."""
    parser = argparse.ArgumentParser(description="Make the lock files that tests read.")
    parser.add_argument("folder", type=Path, help="it gets one folder per tool")
    parser.add_argument(
        "--bin",
        action="append",
        type=Path,
        default=[],
        metavar="FOLDER",
        help="where tools are; folders whose path says poetry1, poetry2, newpip, rattler are "
        "looked at for these",
    )
    parser.add_argument("--only", action="append", choices=sorted(RECIPES), default=[])
    options = parser.parse_args(arguments)
    bins = [folder.absolute() for folder in options.bin]
    failed = 0
    with tempfile.TemporaryDirectory() as scratch, index(Path(scratch) / "index") as url:
        clone = Path(scratch) / "clone" / "axolotl"
        write_clone(clone)
        for name in options.only or sorted(RECIPES):
            shop = Workshop(Path(scratch) / "work" / name / "tune", url, bins, clone)
            try:
                files, listed = RECIPES[name](shop)
            except MissingToolError as error:
                print(f"{name}: no {error} here, nothing was made", file=sys.stderr)
                continue
            except RuntimeError as error:
                print(f"{name}: {error}", file=sys.stderr)
                failed += 1
                continue
            _keep(options.folder / name, files, listed)
            print(f"{name}: {', '.join(sorted(files))}")
    return 1 if failed else 0


def _keep(folder: Path, files: dict[str, str], listed: dict[str, str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    whole = json.dumps(listed, indent=1, sort_keys=True) + "\n"
    (folder / "listed.json").write_text(whole, encoding="utf-8")
