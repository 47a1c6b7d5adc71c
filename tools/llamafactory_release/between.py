"""Templates that only the main branch had, between two releases.

``python -m tools.llamafactory_release.between CLONE rules/llamafactory/data/between.json`` reads every commit
that changed the templates. A build between two releases may have a name that neither of the two has.
"""

from __future__ import annotations

import argparse
import itertools
import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from packaging.version import Version

from tools.git import git

_TAG = re.compile(r"v\d+(?:\.\d+)+(?:\.post\d+)?")
_FILES = (
    "src/llamafactory/data/template.py",
    "src/llmtuner/data/template.py",
)
_NAME = re.compile(r"register_template\(\s*name=\"([^\"]+)\"")


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the clone and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clone", type=Path, help="a clone with tags, bare or not")
    parser.add_argument("table", type=Path)
    parser.add_argument("--first", default="0.6.0", help="the oldest release of interest")
    options = parser.parse_args(arguments)
    found = templates_between(options.clone, options.first)
    options.table.write_text(json.dumps({"template": found}, indent=1) + "\n", encoding="utf-8")
    return 0


def templates_between(clone: Path, first: str) -> list[list[str]]:
    """Rows of (the release before, the one after, name), the oldest first."""
    found = filter(_TAG.fullmatch, git(clone, "tag").split())
    tags = sorted((tag for tag in found if Version(tag) >= Version(first)), key=Version)
    rows = []
    for before, after in itertools.pairwise(tags):
        released = _names(clone, before) | _names(clone, after)
        commits = git(clone, "log", "--format=%H", f"{before}..{after}", "--", *_FILES).split()
        seen = {name for commit in commits for name in _names(clone, commit)}
        rows += [[before[1:], after[1:], name] for name in sorted(seen - released)]
    return rows


def _names(clone: Path, commit: str) -> set[str]:
    for path in _FILES:
        try:
            return set(_NAME.findall(git(clone, "show", f"{commit}:{path}")))
        except subprocess.CalledProcessError:
            continue
    return set()


if __name__ == "__main__":
    sys.exit(main())
