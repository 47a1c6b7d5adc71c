"""Read the metadata of releases and write what each asks for of other packages.

``python -m tools.release_bounds FOLDER rules/bounds.json`` takes a folder with a folder for each package by its name, and in that a
wheel of each release, or the report of ``pip install --dry-run --no-deps --report RELEASE.json PACKAGE==RELEASE``, for which pip loads no
more than the metadata. Nothing of a release is run, and what is known of releases that are not in the folder is kept.
"""

from __future__ import annotations

import argparse
import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from email.parser import HeaderParser
from pathlib import Path

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

#: The packages whose releases a run depends on.
ASKED = frozenset(
    {"accelerate", "bitsandbytes", "datasets", "huggingface-hub", "peft", "torch", "transformers"}
    | {"triton", "trl", "vllm"}
)

#: Release -> package -> what it asks for of it.
Bounds = dict[str, dict[str, str]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("releases", type=Path, help="a folder for each package")
    parser.add_argument("table", type=Path)
    options = parser.parse_args(arguments)
    known = json.loads(options.table.read_text("utf-8")) if options.table.is_file() else {}
    for folder in sorted(path for path in options.releases.iterdir() if path.is_dir()):
        read = dict(_read(folder))
        known[folder.name] = _rows(_releases(known.get(folder.name, {})) | read)
    options.table.write_text(_dump(known), encoding="utf-8")
    return 0


def _read(folder: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """(release, what it asks for) of the files in a folder."""
    for path in sorted(folder.iterdir()):
        if path.suffix == ".whl":
            with zipfile.ZipFile(path) as wheel:
                name = next(one for one in wheel.namelist() if one.endswith(".dist-info/METADATA"))
                message = HeaderParser().parsestr(wheel.read(name).decode("utf-8"))
            yield str(message["Version"]), asked(message.get_all("Requires-Dist") or [])
        elif path.suffix == ".json":
            (row,) = json.loads(path.read_text("utf-8"))["install"]
            metadata = row["metadata"]
            yield metadata["version"], asked(metadata.get("requires_dist", []))


def asked(requirements: Sequence[str]) -> dict[str, str]:
    """Package -> what some requirements ask for of it everywhere, without an extra."""
    found: dict[str, str] = {}
    for line in requirements:
        try:
            requirement = Requirement(line)
        except InvalidRequirement:
            continue
        name = canonicalize_name(requirement.name)
        if name in ASKED and requirement.marker is None and requirement.specifier:
            specs = sorted(
                {*found.get(name, "").split(","), *str(requirement.specifier).split(",")}
            )
            found[name] = ",".join(one for one in specs if one)
    return found


def _rows(bounds: Bounds) -> dict[str, object]:
    """The same with each package's bounds where they change: a release is written once."""
    releases = sorted(bounds, key=Version)
    asks: dict[str, dict[str, str]] = {}
    for name in sorted({name for one in bounds.values() for name in one}):
        last = None
        for release in releases:
            spec = bounds[release].get(name, "")
            if spec != (last or ""):
                asks.setdefault(name, {})[release] = spec
            last = spec
    return {"releases": releases, "asks": asks}


def _releases(rows: Mapping[str, object]) -> Bounds:
    """What `_rows` wrote, read again."""
    releases, asks = rows.get("releases", []), rows.get("asks", {})
    assert isinstance(releases, list)
    assert isinstance(asks, dict)
    found: Bounds = {release: {} for release in releases}
    for name, changes in asks.items():
        spec = ""
        for release in releases:
            spec = changes.get(release, spec)
            if spec:
                found[release][name] = spec
    return found


def _dump(table: Mapping[str, Mapping[str, object]]) -> str:
    lines = []
    for package, row in sorted(table.items()):
        asks = row["asks"]
        assert isinstance(asks, dict)
        of_packages = ",\n".join(
            f"   {json.dumps(name)}: {json.dumps(changes)}" for name, changes in asks.items()
        )
        lines.append(
            f' {json.dumps(package)}: {{\n  "releases": {json.dumps(row["releases"])},\n'
            f'  "asks": {{\n{of_packages}\n  }}\n }}'
        )
    return "{\n" + ",\n".join(lines) + "\n}\n"
