"""Scans folders in every way there is, and holds each file's row to a single run of the command.

    python -m tools.campaigns.scan_equal FOLDER... [--engine local] [--engine ray]

The files of the folders become a Parquet table, lines of JSON, Arrow IPC as a file and as a stream,
a folder, and a commit of a git repository. What a scan says of each file, finding by finding and
member by member, must be what `cfglint --detect --format json FILE` says in a process that does
nothing else: with `--isolated` for tables, and in a checkout for folders and commits. Exit code 1
when something differs.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from cfglint.cli import main as cfglint
from tools.current_folder import inside

_SUFFIXES = (".yml", ".yaml", ".json", ".sh")
_ENGINES = ("local", "ray")
#: Findings as the JSON report has them, each with the other file that it stands in.
Said = list[tuple[str | None, dict[str, Any]]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Scan and compare; 1 when something differs."""
    parser = argparse.ArgumentParser(prog="python -m tools.campaigns.scan_equal")
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--engine", choices=_ENGINES, action="append")
    options = parser.parse_args(arguments)
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="scan-") as name, inside(name):
        folder = Path(name)
        files = copied(options.folders, folder / "files")
        tables = write_tables(files, folder)
        commit = committed(folder / "files")
        alone = {path: single(path, "--isolated") for path in files}
        around = {path: single(path) for path in files}
        for engine in options.engine or ("local",):
            for table in tables:
                wrong += _compared(engine, table.name, alone)
            wrong += _compared(engine, "files", around)
            wrong += _compared(engine, f"files@{commit}", _seen_from_top(files))
    return 1 if wrong else 0


def copied(folders: Sequence[Path], to: Path) -> list[str]:
    """Copy all files of folders into a folder; the configs among them, as relative paths."""
    for folder in folders:
        shutil.copytree(folder, to / folder.name)
    (to / ".git").mkdir()  # a search in folders above ends here
    found = (path for path in sorted(to.rglob("*")) if path.suffix in _SUFFIXES)
    return [os.path.relpath(path) for path in found]


def write_tables(files: Sequence[str], folder: Path) -> list[Path]:
    """The files as tables of every form."""
    rows: list[dict[str, Any]] = [
        {"path": path, "content": Path(path).read_bytes()} for path in files
    ]
    schema = pa.schema([("path", pa.string()), ("content", pa.binary())])
    table = pa.Table.from_pylist(rows, schema=schema)
    made = [folder / name for name in ("t.parquet", "t.arrow", "t.arrows", "t.jsonl")]
    pq.write_table(table, made[0], row_group_size=700)
    with pa.OSFile(str(made[1]), "wb") as sink, pa.ipc.new_file(sink, schema) as writer:
        writer.write_table(table, max_chunksize=900)
    with pa.OSFile(str(made[2]), "wb") as sink, pa.ipc.new_stream(sink, schema) as writer:
        writer.write_table(table, max_chunksize=900)
    with made[3].open("w", encoding="utf-8") as lines:
        for row in rows:
            try:
                text = row["content"].decode("utf-8")
            except UnicodeDecodeError:
                # JSON has no bytes: such a file cannot be a line.
                text = None
            lines.write(json.dumps({"path": row["path"], "content": text}) + "\n")
    return made


def committed(folder: Path) -> str:
    """Make a repository of a folder; its commit."""
    shutil.rmtree(folder / ".git")
    git = ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@b"]
    for arguments in (["init", "-q"], ["add", "-A", "-f"], ["commit", "-qm", "all"]):
        subprocess.run([*git, *arguments], check=True)
    done = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True)
    return done.stdout.strip()


def single(path: str, *options: str) -> Said | None:
    """What the command says of one file; None when it takes it for no config."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.suppress(SystemExit):
        cfglint(["check", "--detect", "--format", "json", "--exit-zero", *options, path])
    files = json.loads(out.getvalue())["files"]
    if not files:
        return None
    return [
        (file["path"] if file["path"] != path else None, found)
        for file in files
        for found in file["diagnostics"]
    ]


def _seen_from_top(files: Sequence[str]) -> dict[str, Said | None]:
    """What the command says of each file when it is run at the top of the repository."""
    with inside("files"):
        return {
            inner: single(inner) for path in files for inner in (os.path.relpath(path, "files"),)
        }


def _compared(engine: str, source: str, expected: Mapping[str, Said | None]) -> int:
    """Scan a source; how many files differ."""
    command = [sys.executable, "-m", "cfglint", "scan", source, "--out", "out.parquet"]
    command += ["--engine", engine]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        print(f"{engine} {source}: exit code {done.returncode}: {done.stderr}")
        return 1
    files = {row["path"]: row for row in pq.read_table("out.files.parquet").to_pylist()}
    found: dict[str, Said] = {path: [] for path in files}
    for row in pq.read_table("out.parquet").to_pylist():
        found[row["path"]].append((row["in_file"], as_reported(row)))
    wrong = list(_differences(source, files, found, expected))
    for line in wrong[:10]:
        print(f"{engine} {source}: {line}")
    number = sum(map(len, found.values()))
    print(f"{engine} {source}: {len(files)} files, {number} findings, {len(wrong)} differ")
    return len(wrong)


def _differences(
    source: str,
    files: Mapping[str, dict[str, Any]],
    found: Mapping[str, Said],
    expected: Mapping[str, Said | None],
) -> Iterator[str]:
    if files.keys() != expected.keys():
        yield f"other files: {sorted(files.keys() ^ expected.keys())[:5]}"
    for path in files.keys() & expected.keys():
        said, status = expected[path], files[path]["status"]
        if source.endswith(".jsonl") and files[path]["reason"] == "`content` is null":
            continue
        if (status == "checked") != (said is not None) or status not in ("checked", "skipped"):
            yield f"{path}: {status}, {files[path]['reason']}"
        elif found[path] != [(file, flat(one)) for file, one in said or ()]:
            yield f"{path}: {found[path]} is not {said}"


def flat(found: dict[str, Any]) -> dict[str, Any]:
    """A finding of the report without what a column cannot tell: the types of keys."""
    return {**found, "path": [str(part) for part in found["path"]]}


def as_reported(row: dict[str, Any]) -> dict[str, Any]:
    """A row as the JSON report has the finding."""
    fixes = [
        {name: value for name, value in fix.items() if name != "refused" or value is not None}
        for fix in row["fixes"]
    ]
    related = [
        {
            "range": _range(one),
            "message": one["message"],
            **({"path": one["path"]} if one["path"] is not None else {}),
        }
        for one in row["related"]
    ]
    same = (
        *("code", "name", "severity", "confidence", "upstream", "bites", "message", "cost"),
        *("undecided", "other_releases", "needs", "url"),
    )
    return {
        **{name: row[name] for name in same},
        "path": row["key"],
        "range": _range(row),
        "related": related,
        "fixes": fixes,
    }


def _range(row: dict[str, Any]) -> dict[str, dict[str, int]]:
    ends = {"start": "", "end": "end_"}
    return {
        end: {name: row[prefix + name] for name in ("line", "column", "offset")}
        for end, prefix in ends.items()
    }


if __name__ == "__main__":
    sys.exit(main())
