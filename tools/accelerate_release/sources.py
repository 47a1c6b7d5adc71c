"""Where a release's text comes from: a wheel, a source archive, or an unpacked folder."""

from __future__ import annotations

import ast
import tarfile
import zipfile
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

PACKAGE = "accelerate"

#: The modules that decide what a config file may hold, below the package.
_WANTED = (
    "__init__.py",
    "commands/config/config_args.py",
    "commands/launch.py",
    "parallelism_config.py",
    "utils/constants.py",
    "utils/dataclasses.py",
    "utils/launch.py",
)
#: Files beside the package that say what a release requires.
_PACKAGING = ("METADATA", "PKG-INFO", "setup.py")
_NEEDED = ("commands/config/config_args.py", "commands/launch.py", "utils/dataclasses.py")


class UnreadableReleaseError(Exception):
    """The given path holds no release of accelerate that can be read."""


@dataclass(frozen=True)
class Release:
    """One release: its version, and its modules by path below the package (`utils/launch.py`)."""

    version: str
    modules: Mapping[str, ast.Module]
    packaging: Mapping[str, str] = field(default_factory=dict)
    """`setup.py` or the core metadata, by file name."""

    def module(self, path: str) -> ast.Module:
        """The syntax tree of a module, an empty one when the release does not have it."""
        return self.modules.get(path) or ast.Module([], [])


def read_release(path: Path, version: str | None = None) -> Release:
    """Read a wheel (``.whl``), a source archive (``.tar.gz``) or a folder with the package in it.

    Raises:
        UnreadableReleaseError: it is none of these, or lacks a module.
    """
    if path.is_dir():
        texts = dict(_folder(path))
    elif path.suffix in {".whl", ".zip"}:
        texts = dict(_zip(path))
    elif path.name.endswith((".tar.gz", ".tgz", ".tar")):
        texts = dict(_tar(path))
    else:
        raise UnreadableReleaseError(f"{path}: neither a wheel, a source archive nor a folder")
    missing = [name for name in _NEEDED if name not in texts]
    if missing:
        raise UnreadableReleaseError(f"{path}: {PACKAGE} without {', '.join(missing)}")
    packaging = {name: texts.pop(name) for name in _PACKAGING if name in texts}
    modules = {name: ast.parse(text) for name, text in texts.items()}
    found = version or _stated_version(modules.get("__init__.py"))
    if not found:
        raise UnreadableReleaseError(f"{path}: the version is not stated; give it as VERSION=PATH")
    return Release(found, modules, packaging)


def _inside(name: str) -> str | None:
    """The path below the package of a file in an archive; None for what is not wanted."""
    parts = PurePosixPath(name).parts
    for place, part in enumerate(parts[:-1]):
        below = "/".join(parts[place + 1 :])
        if part == PACKAGE and below in _WANTED:
            return below
    if parts and parts[-1] in _PACKAGING and len(parts) <= 2:
        return parts[-1]
    return None


def _zip(path: Path) -> Iterator[tuple[str, str]]:
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            inside = _inside(name)
            if inside is not None:
                yield inside, archive.read(name).decode("utf-8", errors="replace")


def _tar(path: Path) -> Iterator[tuple[str, str]]:
    with tarfile.open(path) as archive:
        for member in archive:
            inside = _inside(member.name)
            stream = archive.extractfile(member) if inside and member.isfile() else None
            if inside is not None and stream is not None:
                yield inside, stream.read().decode("utf-8", errors="replace")


def _folder(path: Path) -> Iterator[tuple[str, str]]:
    root = path / "src" if (path / "src" / PACKAGE).is_dir() else path
    for name in _WANTED:
        file = root / PACKAGE / name
        if file.is_file():
            yield name, file.read_text(encoding="utf-8", errors="replace")
    for name in _PACKAGING:
        for file in (path / name, *sorted(path.glob(f"{PACKAGE}-*.dist-info/{name}"))):
            if file.is_file():
                yield name, file.read_text(encoding="utf-8", errors="replace")


def _stated_version(module: ast.Module | None) -> str | None:
    for node in module.body if module is not None else ():
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
            target = node.targets[0]
            if isinstance(target, ast.Name) and target.id == "__version__":
                return str(node.value.value)
    return None
