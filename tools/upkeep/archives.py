"""Releases as pip knows them: which there are, and their archives.

Wheels are downloaded and opened as text. Of a release that has none, pip fetches the source archive
and asks it for its metadata, which runs what the archive has for that: where this is done, nothing
should lie around that is worth taking.
"""

from __future__ import annotations

import datetime
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

from packaging.version import InvalidVersion, Version

#: Before this day lie the times that builds put in to be the same each time.
_FIRST_DAY = datetime.date(2021, 1, 1)


class NoSuchArchiveError(Exception):
    """pip does not know a package or cannot fetch a release, or git cannot fetch a repository."""


class Archives:
    """The archives of releases, in a folder for each package.

    Args:
        folder: where they are kept.
        offline: nothing is fetched: the releases are those that lie there.
    """

    def __init__(self, folder: Path, *, offline: bool = False) -> None:
        self._folder = folder
        self._offline = offline

    def folder(self, package: str) -> Path:
        """Where the archives of a package lie."""
        return self._folder / package

    def versions(self, package: str) -> list[str]:
        """The final releases of a package, the oldest first.

        Raises:
            NoSuchArchiveError: pip does not know the package.
        """
        if self._offline:
            found = [_version_of(path.name) for path in self._there(package)]
        else:
            said = _pip("index", "versions", "--ignore-requires-python", package)
            listed = re.search(r"^Available versions: (.*)$", said, re.M)
            if listed is None:
                raise NoSuchArchiveError(f"{package}: pip lists no releases")
            found = listed.group(1).split(", ")
        return sorted(filter(_is_final, found), key=Version)

    def fetch(self, package: str, version: str) -> Path:
        """The archive of a release.

        Raises:
            NoSuchArchiveError: it cannot be had.
        """
        for path in self._there(package):
            if _version_of(path.name) == version:
                return path
        if not self._offline:
            folder = self.folder(package)
            folder.mkdir(parents=True, exist_ok=True)
            known = set(self._there(package))
            wanted = ("--no-deps", "--ignore-requires-python", "--dest", str(folder))
            _pip("download", *wanted, f"{package}=={version}")
            for path in self._there(package):
                if path not in known:
                    return path
        raise NoSuchArchiveError(f"{package} {version}: there is no archive of it")

    def clone(self, package: str, address: str) -> Path:
        """A bare clone of a package's repository, as it is today; files are fetched when they are read.

        Raises:
            NoSuchArchiveError: it cannot be had.
        """
        folder = self._folder / f"{package}.git"
        there = folder.is_dir()
        if self._offline:
            if not there:
                raise NoSuchArchiveError(f"{package}: there is no clone of it")
        elif there:
            _git("-C", folder, "fetch", "--quiet", "--tags", "origin", "+refs/heads/*:refs/heads/*")
        else:
            _git("clone", "--quiet", "--bare", "--filter=blob:none", address, folder)
        return folder

    def _there(self, package: str) -> list[Path]:
        return sorted(
            path for suffix in ("*.whl", "*.tar.gz") for path in self.folder(package).glob(suffix)
        )


def day_of(archive: Path) -> str | None:
    """The day on which an archive was made, as its files have it; None when they do not tell."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            # Some of the files may be older than the archive.
            newest = max(datetime.date(*one.date_time[:3]) for one in wheel.infolist())
    else:
        with tarfile.open(archive) as tar:
            seconds = max(one.mtime for one in tar.getmembers())
        newest = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).date()
    return newest.isoformat() if newest >= _FIRST_DAY else None


def _version_of(name: str) -> str:
    """`1.2.3` of `own_name-1.2.3-py3-none-any.whl` and of `own-name-1.2.3.tar.gz`."""
    if name.endswith(".whl"):
        return name.split("-")[1]
    return name.removesuffix(".tar.gz").rpartition("-")[2]


def _is_final(version: str) -> bool:
    try:
        return not Version(version).is_prerelease
    except InvalidVersion:
        return False


def _pip(*arguments: str) -> str:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:]
        raise NoSuchArchiveError(f"pip {arguments[0]} {arguments[-1]}: {' '.join(last)}")
    return done.stdout


def _git(*arguments: str | Path) -> None:
    command = ["git", *map(str, arguments)]
    # Nobody is there to be asked for a password.
    environment = {**os.environ, "GIT_TERMINAL_PROMPT": "0"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:]
        raise NoSuchArchiveError(f"git: {' '.join(last)}")
