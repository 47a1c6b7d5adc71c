"""A table of very many configs: real ones with seeded changes. The same rows for the same seed.

    python -m tools.bench.scan_table OUT.parquet FOLDER... [--count 1000000] [--seed 0]

Each row is a file of the folders, as it is or with up to three of its lines doubled, taken out,
misspelt, or given another number. The table is written as it is made; it needs no memory.
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

SCHEMA = pa.schema([("path", pa.string()), ("content", pa.binary())])
_SUFFIXES = (".yml", ".yaml", ".json", ".sh")
#: Rows of a row group.
_GROUP = 10_000
_NUMBER = re.compile(rb"\d+")


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench.scan_table", description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    write(options.out, options.folders, options.count, options.seed)


def write(out: Path, folders: Sequence[Path], count: int, seed: int, *, start: int = 0) -> None:
    """Write a table of so many rows.

    Args:
        start: the first of the files that are there as they are.
    """
    files = [
        (path.relative_to(folder).as_posix(), path.read_bytes())
        for folder in folders
        for path in sorted(folder.rglob("*"))
        if path.suffix in _SUFFIXES and path.is_file()
    ]
    made = rows(files[start:] or files, count, seed)
    with pq.ParquetWriter(out, SCHEMA, compression="zstd") as writer:
        while group := list(islice(made, _GROUP)):
            paths, contents = zip(*group, strict=True)
            writer.write_table(pa.table([paths, contents], schema=SCHEMA))


def rows(files: Sequence[tuple[str, bytes]], count: int, seed: int) -> Iterator[tuple[str, bytes]]:
    """Names and contents: first each file as it is, then drawn ones that are changed."""
    chance = random.Random(seed)
    for number in range(count):
        if number < len(files):
            yield files[number]
            continue
        name, content = files[chance.randrange(len(files))]
        yield f"{number:07}/{name}", changed(content, chance)


def changed(content: bytes, chance: random.Random) -> bytes:
    """A content with up to three lines that are not as they were."""
    lines = content.split(b"\n")
    for _ in range(chance.randrange(4)):
        at = chance.randrange(len(lines))
        line = lines[at]
        change = chance.randrange(4)
        if change == 0:
            lines.insert(at, line)
        elif change == 1 and len(lines) > 1:
            del lines[at]
        elif change == 2 and len(line) > 3:
            place = chance.randrange(len(line) - 1)
            lines[at] = line[:place] + line[place + 1 :]
        else:
            lines[at] = _NUMBER.sub(b"%d" % chance.randrange(1, 5000), line, count=1)
    return b"\n".join(lines)


if __name__ == "__main__":
    main()
