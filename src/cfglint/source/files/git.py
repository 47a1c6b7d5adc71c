"""The files of a commit in a git repository: nothing is checked out.

git is asked only for names, hashes and contents. It uses no work tree, so no program that a
repository configures (hooks, filters, file system monitors, diff drivers) is run.
"""

from __future__ import annotations

import errno
import os
import subprocess
from collections.abc import Iterator
from datetime import datetime, timezone

from cfglint.base.record import NamedTuple
from cfglint.source.files.base import Files, FileStat, FolderEntry, Kind, Recent

#: The time limit for git, in seconds.
PATIENCE = 60
_ENVIRONMENT = {
    # Missing objects are not fetched: the address, and the program for it, are not trustworthy.
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    # On Windows a `git.exe` of the current folder is not meant.
    "NoDefaultCurrentDirectoryInExePath": "1",
}
#: Variables that would make git use another repository than that of the command line.
_ELSEWHERE = (
    *("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_NAMESPACE"),
    *("GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_CEILING_DIRECTORIES"),
)
_OPTIONS = ("-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}")
#: Links that lead to each other; as many as Linux follows.
_MAX_LINKS = 40
#: The length of the longest path, in bytes.
_MAX_LINK = 4096
#: The digits of a time in seconds; eleven last until the year 5138.
_SECONDS = 11
#: What is left of an object is skipped in pieces of so many bytes.
_PIECE = 65_536


def _command(repository: str | None, *arguments: str) -> list[str]:
    """The command line of git, for the repository of a folder or of the current one."""
    return ["git", *(("-C", repository) if repository is not None else ()), *_OPTIONS, *arguments]


def _environment(repository: str | None) -> dict[str, str]:
    found = {**os.environ, **_ENVIRONMENT}
    if repository is not None:
        for name in _ELSEWHERE:
            found.pop(name, None)
    return found


def ask(repository: str | None, *arguments: str) -> bytes | None:
    """The output of git; None when it fails.

    Raises:
        OSError: git cannot be started.
        subprocess.TimeoutExpired: it takes too long.
    """
    os.environ.setdefault("NoDefaultCurrentDirectoryInExePath", "1")
    done = subprocess.run(  # noqa: S603 - no shell, and the callers see to the arguments
        _command(repository, *arguments),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        env=_environment(repository),
        timeout=PATIENCE,
    )
    return done.stdout if done.returncode == 0 else None


class _GitObject(NamedTuple):
    """The object of a name in a commit."""

    kind: Kind
    name: str
    size: int


class GitTree(Files):
    """The files of a commit, as if they were in a folder.

    Args:
        repository: a clone, with a work tree or without.
        commit: its whole name.
        root: the folder that the files appear to be in; the real one is not read.

    Raises:
        OSError: git is not there, or has no such commit.
    """

    writable = False

    def __init__(self, repository: str, commit: str, root: str) -> None:
        self.recent = Recent()
        self._repository = repository
        self._root = os.path.abspath(root)
        #: Path -> object, of all that is no folder.
        self._objects: dict[str, _GitObject] = {}
        self._folders: dict[str, dict[str, Kind]] = {self._root: {}}
        self._process: subprocess.Popen[bytes] | None = None
        for path, found in _listed(repository, commit):
            self._enter(os.path.join(self._root, *path.split("/")), found)
        # It is the top of a repository, which is where a search in folders above ends.
        self._folders[self._root][".git"] = "folder"
        self._folders[os.path.join(self._root, ".git")] = {}

    def _enter(self, path: str, found: _GitObject) -> None:
        kind = found.kind
        if kind == "folder":  # a submodule, which the commit only names
            self._folders.setdefault(path, {})
        else:
            self._objects[path] = found
        while path != self._root:
            above = os.path.dirname(path)
            names = self._folders.setdefault(above, {})
            known = os.path.basename(path) in names
            names[os.path.basename(path)] = kind
            if known:
                return
            path, kind = above, "folder"

    def read(self, path: str, limit: int, *, pipes: bool = False) -> bytes:
        found = self._objects.get(self.real(path))
        if found is None or found.kind != "file":
            number = errno.EISDIR if self.real(path) in self._folders else errno.ENOENT
            raise OSError(number, os.strerror(number), path)
        return self._content(found, path, limit) if limit > 0 else b""

    def state(self, path: str) -> FileStat | None:
        try:
            real = self.real(path)
        except OSError:
            return None
        found = self._objects.get(real)
        if found is not None:
            return FileStat("file", found.size, 0) if found.kind == "file" else None
        return FileStat("folder", 0, 0) if real in self._folders else None

    def has(self, path: str) -> bool:
        path = os.path.abspath(path)
        if path == self._root:
            return True
        try:
            folder = self.real(os.path.dirname(path))
        except OSError:
            return False
        return os.path.basename(path) in self._folders.get(folder, ())

    def names(self, folder: str) -> list[str]:
        return list(self._folder(folder))

    def entries(self, folder: str) -> list[FolderEntry]:
        return [FolderEntry(name, kind) for name, kind in self._folder(folder).items()]

    def _folder(self, folder: str) -> dict[str, Kind]:
        real = self.real(folder)
        known = self._folders.get(real)
        if known is not None:
            return known
        number = errno.ENOTDIR if real in self._objects else errno.ENOENT
        raise OSError(number, os.strerror(number), folder)

    def real(self, path: str) -> str:
        if "\0" in path:
            raise OSError(errno.EINVAL, "it is not a valid path", path)
        path = os.path.abspath(path)
        for _ in range(_MAX_LINKS):
            link = self._first_link(path)
            if link is None:
                return path
            place, rest = link
            target = os.fsdecode(self._content(self._objects[place], place, _MAX_LINK))
            if not target or "\0" in target:
                return path
            path = os.path.abspath(os.path.join(os.path.dirname(place), target, rest))
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)

    def _first_link(self, path: str) -> tuple[str, str] | None:
        """The first link on the way to a path, and what comes behind it."""
        if not path.startswith(self._root.rstrip(os.sep) + os.sep):
            return None
        parts = os.path.relpath(path, self._root).split(os.sep)
        place = self._root
        for number, part in enumerate(parts, 1):
            place = os.path.join(place, part)
            found = self._objects.get(place)
            if found is not None:
                return (place, os.path.join("", *parts[number:])) if found.kind == "link" else None
            if place not in self._folders:
                return None
        return None

    def _content(self, found: _GitObject, path: str, limit: int) -> bytes:
        """The first bytes of an object, `limit` of them at most.

        Raises:
            OSError: the clone lacks it, or git has ended.
        """
        process = self._process
        if process is None:
            process = self._process = subprocess.Popen(  # noqa: S603 - nothing of a file is in it
                _command(self._repository, "cat-file", "--batch"),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=_environment(self._repository),
            )
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(found.name.encode("ascii") + b"\n")
        process.stdin.flush()
        head = process.stdout.readline().split()
        if len(head) != 3 or head[1] != b"blob":
            raise OSError(errno.EIO, "git does not have its content", path)
        size = int(head[2])
        data = process.stdout.read(min(size, limit))
        rest = size - len(data) + 1  # a line feed ends each object
        while rest and (skipped := process.stdout.read(min(rest, _PIECE))):
            rest -= len(skipped)
        if rest:
            raise OSError(errno.EIO, "git has ended", path)
        return data

    def close(self) -> None:
        """End the git that was asked for contents."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    pipe.close()
            process.wait()


def _listed(repository: str, commit: str) -> Iterator[tuple[str, _GitObject]]:
    """All that a commit has but its folders."""
    try:
        listed = ask(repository, "ls-tree", "-r", "-z", "-l", "--full-tree", commit)
    except subprocess.TimeoutExpired:
        raise OSError(errno.ETIMEDOUT, "git did not answer", repository) from None
    if listed is None:
        raise OSError(errno.ENOENT, f"git cannot list the files of {commit}", repository)
    kinds: dict[bytes, Kind] = {b"120000": "link", b"160000": "folder"}
    for row in listed.split(b"\0"):
        facts, _, path = row.partition(b"\t")
        if path:
            mode, _, name, size = facts.split()
            found = _GitObject(kinds.get(mode, "file"), name.decode("ascii"), _size(size))
            yield os.fsdecode(path), found


def _size(text: bytes) -> int:
    return int(text) if text.isdigit() else 0


def day_of_last_commit(repository: str) -> str | None:
    """The day of the newest commit, YYYY-MM-DD; None where git knows of none."""
    try:
        answer = ask(repository, "rev-list", "-1", "--timestamp", "HEAD")
    except (OSError, subprocess.TimeoutExpired):
        return None
    seconds = (answer or b"").partition(b" ")[0]
    # A longer number is no time of a real commit.
    if not seconds.isdigit() or len(seconds) > _SECONDS:
        return None
    return datetime.fromtimestamp(int(seconds), timezone.utc).date().isoformat()


def commit_of(repository: str, revision: str) -> str | None:
    """The whole name of a commit; None when the repository has none of this name.

    Raises:
        OSError: git cannot be started, or takes too long.
    """
    if revision.startswith("-") or "\0" in revision:
        return None
    try:
        found = ask(repository, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
    except subprocess.TimeoutExpired:
        raise OSError(errno.ETIMEDOUT, "git did not answer", repository) from None
    return found.decode("ascii").strip() if found is not None else None
