"""Collects the hashes of the example files that projects of frameworks publish, from clones of theirs.

    python -m tools.upstream_files TITLE=CLONE... --out rules/upstream.json
    python -m tools.upstream_files --programs TITLE=CLONE... --out rules/upstream.json
    python -m tools.upstream_files --examples TITLE=CLONE... --out rules/upstream.json

Every version of a YAML, JSON or shell file counts that the main branch or a release of a clone has had: what others
copy is often a state between two releases. Only the names of git's blobs are read, so a clone without contents
will do. Rows of other titles stay in the file. Of a project whose programs are copied whole into others, such as a
harness for evaluation, the Python files count as well: `--programs`. Of one whose examples are programs, and copied
one by one, those count: `--examples`.
"""

from __future__ import annotations

import argparse
import base64
import json
import subprocess
from collections.abc import Sequence
from pathlib import Path

#: So much of a hash is kept: of 10,000 files, one in ten billion is taken for another.
BYTES = 6
_PATHS = ("*.yaml", "*.yml", "*.json", "*.sh", "*.slurm", "*.sbatch")
_PROGRAMS = ("*.py",)
_EXAMPLES = ("examples/*.py", "*/scripts/*.py")
#: What no config is among, in any of the projects.
_LEFT_OUT = (".github/", "data/", "docs/", "tests/", "test/", "docker/")
_DELETED = "0" * 40
_EMPTY = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"


def blobs(clone: Path, paths: Sequence[str] = _PATHS) -> set[str]:
    """The names of all blobs that such files have had in the history of a clone."""
    command = ["git", "-C", str(clone), "log", "HEAD", "--tags", "-m", "--raw"]
    command += ["--no-renames", "--no-abbrev", "--format="]
    done = subprocess.run([*command, "--", *paths], capture_output=True, text=True, check=True)
    found = set()
    for line in done.stdout.splitlines():
        facts, _, path = line.partition("\t")
        name = facts.split()[3] if facts.startswith(":") else _DELETED
        if name not in (_DELETED, _EMPTY) and not path.rpartition("\t")[2].startswith(_LEFT_OUT):
            found.add(name)
    return found


def packed(names: set[str]) -> str:
    """Truncated hashes, in order, as text."""
    return base64.b64encode(b"".join(sorted({bytes.fromhex(n)[:BYTES] for n in names}))).decode()


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the file anew, with the rows of the clones that are named."""
    parser = argparse.ArgumentParser(prog="python -m tools.upstream_files")
    parser.add_argument("clones", nargs="+", metavar="TITLE=CLONE")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--programs", action="store_true", help="Python files, too")
    parser.add_argument("--examples", action="store_true", help="Python files of examples, too")
    options = parser.parse_args(arguments)
    programs = _PROGRAMS if options.programs else _EXAMPLES if options.examples else ()
    paths = (*_PATHS, *programs)
    rows = json.loads(options.out.read_text(encoding="utf-8")) if options.out.is_file() else {}
    for word in options.clones:
        title, _, clone = word.partition("=")
        names = blobs(Path(clone), paths)
        rows[title] = packed(names)
        print(f"{title}: {len(names)} files")
    options.out.write_text(json.dumps(rows, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
