"""Which framework's file each file of some folders is taken for.

    python -m tools.campaigns.recognition FOLDER=FRAMEWORK... [--others FOLDER...]

Prints a table: what the files are (`nobody` for those below the other folders), and what they are
taken for when a folder with them is checked. The exit code is 1 when a file of the other folders is
taken for anybody's, or when less than 99.5 % of a folder are taken for its own framework's.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from cfglint.knowledge.recognition import language_of, of_text
from cfglint.roles.framework import load_framework
from cfglint.source.problems import SourceError
from cfglint.source.text import SourceText

NOBODY = "nobody"
#: Share of a framework's own files that are taken for its own.
ENOUGH = 0.995
_SUFFIXES = (".yaml", ".yml", ".json", ".jsonc")
#: Larger files are data; nobody starts a run with them.
_LARGEST = 2_000_000


def taken_for(path: Path) -> str | None:
    """The framework that a file is taken for, `nobody`, or None when it cannot be read as text."""
    try:
        source = SourceText.from_bytes(path.read_bytes())
    except (OSError, SourceError):
        return None
    name = of_text(source.text, language_of(str(path)))
    if name is None:
        return NOBODY
    framework = load_framework(name)
    try:
        document = framework.language.read(source)
    except SourceError:
        return name  # what it looks like is said, with the error
    return name if framework.own_files.recognizes(document) else NOBODY


def files_below(folder: Path, most: int | None = None) -> Iterator[Path]:
    """The YAML and JSON files below a folder, at most so many of them."""
    found = 0
    for home, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = Path(home, name)
            if not name.lower().endswith(_SUFFIXES) or not path.is_file():
                continue
            if path.stat().st_size <= _LARGEST:
                yield path
                found += 1
                if found == most:
                    return


def confusion(
    groups: Sequence[tuple[str, Path]], most: int | None = None
) -> dict[str, Counter[str]]:
    """What the files of folders are -> what they are taken for -> how many.

    Args:
        groups: what the files below a folder are, and the folder.
        most: of each folder no more files are examined.
    """
    table: dict[str, Counter[str]] = {}
    for truth, folder in groups:
        counts = table.setdefault(truth, Counter())
        for path in files_below(folder, most):
            found = taken_for(path)
            if found is not None:
                counts[found] += 1
                if found != truth:
                    sys.stderr.write(f"{truth} recognized as {found}: {path}\n")
    return table


def in_order(table: dict[str, Counter[str]]) -> bool:
    """Whether nobody's files are nobody's, and (nearly) all others their framework's."""
    for truth, counts in table.items():
        total = sum(counts.values())
        wanted = total if truth == NOBODY else total * ENOUGH
        if counts[truth] < wanted:
            return False
    return True


def report(table: dict[str, Counter[str]]) -> str:
    """The table: a row for what files are, a column for what they are taken for."""
    columns = sorted({name for counts in table.values() for name in counts})
    rows = [["", "files", *columns]]
    for truth, counts in sorted(table.items()):
        rows.append([truth, str(sum(counts.values())), *(str(counts[name]) for name in columns)])
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    return "".join(
        "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        + "\n"
        for row in rows
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table of the folders that are named."""
    parser = argparse.ArgumentParser(prog="python -m tools.campaigns.recognition")
    parser.add_argument("folders", nargs="*", metavar="FOLDER=FRAMEWORK")
    parser.add_argument("--others", nargs="*", type=Path, default=[], metavar="FOLDER")
    parser.add_argument("--most", type=int, help="the most files of a folder to check")
    options = parser.parse_args(arguments)
    groups = [(NOBODY, folder) for folder in options.others]
    for word in options.folders:
        folder, equals, name = word.rpartition("=")
        if not equals:
            parser.error(f"{word}: write FOLDER=FRAMEWORK")
        groups.append((name, Path(folder)))
    table = confusion(groups, options.most)
    sys.stdout.write(report(table))
    return 0 if in_order(table) else 1


if __name__ == "__main__":
    sys.exit(main())
