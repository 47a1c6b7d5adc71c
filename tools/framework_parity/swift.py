"""Scripts that start ms-swift, and what the parser of a release says of them.

    python -m tools.framework_parity.swift_lines FOLDER --release 4.5.2 --count 1000 --seed 1
    python -m tools.framework_parity.swift words FOLDER --generated --release 4.5.2 --out WORDS.jsonl
    python tools/framework_parity/worker/swift_arguments.py WORDS.jsonl > ROWS.jsonl
    cfglint --target ms-swift==4.5.2 --format json FOLDER > CFGLINT.json
    python -m tools.framework_parity.launch_lines compare FOLDER --theirs ROWS.jsonl --ours CFGLINT.json

The third runs in an environment that has the release. It stops at the parser; what it takes and cfglint does not is given to
`worker/swift_checks.py`, which has the checks of the classes; its rows go to `compare --further`. What is refused when the
model is prepared is left out: `--later SWF041,SWF045,SWF098,SWF731`. With `--generated`, bash splits each script into words, its
programs being stand-ins; scripts of other people are not run, and the words are those that cfglint finds. A command
with words that it does not know is left out.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from cfglint.frameworks.for_files import variant
from cfglint.roles.framework import load_framework
from tools.framework_parity import scripts

_STAND_INS = ("swift", "megatron", "torchrun", "python")


def commands(text: str, release: str) -> Iterator[tuple[str, list[str], bool]]:
    """(command, its words, whether all of them are known) of each start in a script."""
    framework = variant(load_framework("swift"), language="shell")
    return scripts.starts_in(text, scripts.language_of(framework, text, release))


def rows(folder: Path, release: str, *, generated: bool) -> Iterator[dict[str, Any]]:
    """A row for each command of each script, and whether bash finds the same words."""
    for path in sorted(folder.glob("*.sh")):
        text = path.read_text(encoding="utf-8", errors="replace")
        found = list(commands(text, release))
        if not generated:
            for command, words, known in found:
                if known:
                    yield {"file": str(path), "command": command, "argv": words, "same": True}
            continue
        theirs = scripts.words_of(path, _STAND_INS)
        at = 3 if theirs[:2] == ["python", "-m"] else 2
        ours = found[0] if found else ("", [], True)
        yield {
            "file": str(path),
            "command": ours[0],
            "argv": theirs[at:],
            "same": not ours[2] or ours[1] == theirs[at:],
        }


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the rows; 1 when bash finds other words."""
    parser = argparse.ArgumentParser(prog="python -m tools.framework_parity.swift")
    split = parser.add_subparsers(dest="command", required=True).add_parser("words")
    split.add_argument("folder", type=Path)
    split.add_argument("--release", required=True)
    split.add_argument("--generated", action="store_true")
    split.add_argument("--out", type=Path, required=True)
    options = parser.parse_args(arguments)
    found = list(rows(options.folder, options.release, generated=options.generated))
    options.out.write_text("".join(json.dumps(row) + "\n" for row in found), encoding="utf-8")
    other = [row["file"] for row in found if not row["same"]]
    sys.stdout.write(f"{len(found)} commands, {len(other)} with other words: {other[:5]}\n")
    return 1 if other else 0


if __name__ == "__main__":
    sys.exit(main())
