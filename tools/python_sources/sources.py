"""Where a release's text comes from: a wheel, a source archive, or an unpacked folder."""

from __future__ import annotations

import re
import tarfile
import zipfile
from dataclasses import dataclass, field
from email.parser import HeaderParser
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_WANTED_OUTSIDE_PACKAGE = (
    "METADATA",
    "PKG-INFO",
    "entry_points.txt",
    "requirements.txt",
    "setup.py",
    "pyproject.toml",
)


class UnreadableReleaseError(Exception):
    """The given path holds no release that can be read."""


@dataclass(frozen=True)
class Release:
    """One release: its version, its modules by dotted name, and its packaging files by name."""

    version: str
    modules: Mapping[str, str]
    packages: frozenset[str] = frozenset()
    """Dotted names of the modules that are packages, so that relative imports can be resolved."""
    packaging: Mapping[str, str] = field(default_factory=dict)


def read_release(path: Path, package: str, version: str | None = None) -> Release:
    """Read a wheel (``.whl``), a source archive (``.tar.gz``) or a folder with the package in it.

    Raises:
        UnreadableReleaseError: it is none of these, or does not hold the package or its version.
    """
    if path.is_dir():
        texts = _folder_texts(path, package)
    elif path.suffix in {".whl", ".zip"}:
        texts = _zip_texts(path, package)
    elif path.name.endswith((".tar.gz", ".tgz")):
        texts = _tar_texts(path, package)
    else:
        raise UnreadableReleaseError(f"{path}: neither a wheel, a source archive nor a folder")
    return _as_release(path, texts, package, version)


def _wanted(name: str, package: str) -> bool:
    pure = PurePosixPath(name)
    if pure.suffix == ".py" and package in pure.parts[:-1]:
        return True
    return pure.name in _WANTED_OUTSIDE_PACKAGE and len(pure.parts) <= 2


def _zip_texts(path: Path, package: str) -> dict[str, str]:
    with zipfile.ZipFile(path) as archive:
        names = [name for name in archive.namelist() if _wanted(name, package)]
        return {name: _decode(archive.read(name)) for name in names}


def _tar_texts(path: Path, package: str) -> dict[str, str]:
    texts: dict[str, str] = {}
    with tarfile.open(path) as archive:
        for member in archive:
            if not member.isfile() or not _wanted(member.name, package):
                continue
            stream = archive.extractfile(member)
            if stream is not None:
                texts[member.name] = _decode(stream.read())
    return texts


def _folder_texts(path: Path, package: str) -> dict[str, str]:
    root = path / "src" if (path / "src" / package).is_dir() else path
    texts: dict[str, str] = {}
    for file in sorted((root / package).rglob("*.py")):
        texts[file.relative_to(root).as_posix()] = _decode(file.read_bytes())
    for name in (*_WANTED_OUTSIDE_PACKAGE, "requirements/requirements.txt"):
        file = path / name
        if file.is_file():
            texts[name] = _decode(file.read_bytes())
    return texts


def _decode(data: bytes) -> str:
    return data.decode("utf-8", errors="replace")


def _as_release(path: Path, texts: Mapping[str, str], package: str, version: str | None) -> Release:
    modules: dict[str, str] = {}
    packages: set[str] = set()
    packaging: dict[str, str] = {}
    for name, text in texts.items():
        pure = PurePosixPath(name)
        if pure.suffix == ".py" and package in pure.parts[:-1]:
            parts = list(pure.parts[pure.parts.index(package) :])
            parts[-1] = parts[-1].removesuffix(".py")
            if parts[-1] == "__init__":
                parts.pop()
                packages.add(".".join(parts))
            modules[".".join(parts)] = text
        else:
            packaging.setdefault(pure.name, text)
    if not modules:
        raise UnreadableReleaseError(f"{path}: no package named {package!r} in it")
    found = version or _stated_version(packaging) or _version_in_name(path.name, package)
    if not found:
        raise UnreadableReleaseError(f"{path}: the version is not stated; give it as VERSION=PATH")
    return Release(found, modules, frozenset(packages), packaging)


def metadata_values(packaging: Mapping[str, str], header: str) -> list[str]:
    """All values of one header of the release's core metadata; empty when it carries none."""
    text = packaging.get("METADATA") or packaging.get("PKG-INFO")
    if not text:
        return []
    values: Iterable[str] = HeaderParser().parsestr(text).get_all(header) or []
    return [str(value) for value in values]


def _stated_version(packaging: Mapping[str, str]) -> str | None:
    return next(iter(metadata_values(packaging, "Version")), None)


def _version_in_name(name: str, package: str) -> str | None:
    match = re.match(rf"{re.escape(package)}-(\d[^-]*?)(?:-py|\.tar|\.tgz|$)", name)
    return match.group(1) if match else None
