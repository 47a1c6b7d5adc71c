"""The changelog's section of a release, which a tag needs before anything is published.

    python -m tools.release.notes v0.1.0

Prints the section. Ends with 1 when the tag is not the version of the package, or when the section is
missing, has no date, or is empty.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_HEADING = re.compile(r"^## (?P<version>\S+) \((?P<date>[^)]*)\)[ ]*$", re.MULTILINE)
_DAY = re.compile(r"20\d\d-[01]\d-[0-3]\d")
_VERSION = re.compile(r'^__version__ = "([^"]+)"$', re.MULTILINE)


class NotReady(Exception):
    """A tag that cannot be published; the text says why."""


def notes(tag: str, changelog: str, package: str) -> str:
    """The section of a tag.

    Args:
        changelog: the text of CHANGELOG.md.
        package: the module with the version of the package.

    Raises:
        NotReady: something about the release is not ready.
    """
    stated = _VERSION.search(package)
    version = tag.removeprefix("v")
    if not tag.startswith("v") or stated is None or stated[1] != version:
        raise NotReady(
            f"the tag {tag} is not v{stated[1] if stated else '?'}, the version of the package"
        )
    headings = list(_HEADING.finditer(changelog))
    found = next((one for one in headings if one["version"] == version), None)
    if found is None:
        raise NotReady(f"CHANGELOG.md has no section `## {version} (YYYY-MM-DD)`")
    if not _DAY.fullmatch(found["date"]):
        raise NotReady(
            f"the section of {version} in CHANGELOG.md has no date but `{found['date']}`"
        )
    after = next((one.start() for one in headings if one.start() > found.start()), len(changelog))
    text = changelog[found.end() : after].strip()
    if not text:
        raise NotReady(f"the section of {version} in CHANGELOG.md is empty")
    return text + "\n"


def main(arguments: list[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="tools.release.notes", description=__doc__)
    parser.add_argument("tag")
    tag = parser.parse_args(arguments).tag
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    package = (ROOT / "src" / "cfglint" / "__init__.py").read_text(encoding="utf-8")
    try:
        sys.stdout.write(notes(tag, changelog, package))
    except NotReady as error:
        print(f"not ready: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
