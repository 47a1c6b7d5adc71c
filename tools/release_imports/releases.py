"""The releases of a package: the wheels in a folder, or the tags of a clone."""

from __future__ import annotations

import io
import re
import subprocess
import tarfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from packaging.version import InvalidVersion, Version

from tools.git import git
from tools.python_sources.sources import Release, read_release

_TAG = re.compile(r"v?(\d+(?:\.\d+)+(?:\.post\d+)?)")


def releases(place: Path, module: str, since: str) -> Iterator[Release]:
    """The final releases from one on, the oldest first.

    Args:
        place: a folder of wheels, in which a bare clone may be, `git`.
    """
    clone = place / "git"
    tags = _tags(clone, since) if clone.is_dir() else {}
    wheels = {path.name.split("-")[1]: path for path in place.glob("*.whl")}
    known = sorted({*tags, *filter(_is_final, wheels)}, key=Version)
    known = [one for one in known if Version(one) >= Version(since)]
    for version in known:
        release = (
            read_release(wheels[version], module)
            if version in wheels
            else _of_tag(clone, tags[version], version, module)
        )
        if release.modules:
            yield release


def _tags(clone: Path, since: str) -> dict[str, str]:
    found = {}
    for tag in git(clone, "tag").split():
        match = _TAG.fullmatch(tag)
        if match is not None and Version(match[1]) >= Version(since):
            found[match[1]] = tag
    return found


def _of_tag(clone: Path, tag: str, version: str, module: str) -> Release:
    roots = [
        one
        for one in (module, f"src/{module}")
        if git(clone, "ls-tree", "--name-only", tag, f"{one}/__init__.py")
    ]
    if not roots:
        return Release(version, {})
    packed = subprocess.run(
        ["git", "-C", str(clone), "archive", tag, roots[0]], capture_output=True, check=True
    ).stdout
    modules: dict[str, str] = {}
    packages: set[str] = set()
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        for member in archive:
            pure = PurePosixPath(member.name.removeprefix("src/"))
            stream = archive.extractfile(member) if pure.suffix == ".py" else None
            if stream is None:
                continue
            parts = list(pure.with_suffix("").parts)
            if parts[-1] == "__init__":
                parts.pop()
                packages.add(".".join(parts))
            modules[".".join(parts)] = stream.read().decode("utf-8", "replace")
    return Release(version, modules, frozenset(packages))


def _is_final(version: str) -> bool:
    try:
        return not Version(version).is_prerelease
    except InvalidVersion:
        return False
