"""Which files differ from those of a commit.

git is used only to resolve a commit and to list the names and hashes of its files: it does
not read the work tree, so that nothing which a repository configures (hooks, filters, monitors,
diff programs) is run. The files are hashed here.
"""

from __future__ import annotations

import os
import subprocess
from hashlib import sha1, sha256

from cfglint.engine.session import RunError
from cfglint.source.files import git
from cfglint.source.files.base import Files
from cfglint.source.files.links import read_inside


class ChangedSince:
    """The files that differ from a commit.

    Args:
        revision: a commit in git's words. What the current branch has in common with it counts,
            where there is such a thing.
        files: where they are read.

    Raises:
        RunError: git is not installed, or does not know the commit.
    """

    def __init__(self, revision: str, files: Files) -> None:
        self._files = files
        if revision.startswith("-") or "\0" in revision:
            raise RunError(f"--changed-since {revision}: not a revision")
        top = _git("rev-parse", "--show-toplevel")
        if top is None:
            raise RunError("--changed-since: not inside a git work tree")
        self._top = files.real(os.fsdecode(top.rstrip(b"\r\n")))
        commit = _git("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
        if commit is None:
            raise RunError(f"--changed-since {revision}: unknown to git as a commit")
        name = commit.decode("ascii").strip()
        common = _git("merge-base", name, "HEAD")
        if common is not None:
            name = common.decode("ascii").split()[0]
        listed = _git("ls-tree", "-r", "-z", "--full-tree", name)
        if listed is None:
            raise RunError(f"--changed-since {revision}: git cannot list the files of {name}")
        #: Path from the top -> hash of the contents.
        self._hashes: dict[bytes, str] = {}
        for row in listed.split(b"\0"):
            facts, _, path = row.partition(b"\t")
            if path:
                self._hashes[path] = facts.split()[2].decode("ascii")

    def __call__(self, path: str) -> bool:
        """Whether a file has changed or is new; true if that is not known."""
        try:
            relative = os.path.relpath(self._files.real(path), self._top)
            state = self._files.state(path)
            data = read_inside(path, state.size + 1 if state is not None else 1, self._files)
        except (OSError, ValueError):
            return True
        known = self._hashes.get(os.fsencode(relative.replace(os.sep, "/")))
        if known is None:
            return True
        # A checkout may have written line ends of its own.
        return known not in (_hash(data, known), _hash(data.replace(b"\r\n", b"\n"), known))


class Staged:
    """The files of the next commit that differ from the last one.

    Args:
        files: where they are read.

    Raises:
        RunError: git is not installed, or the current folder is not in a work tree.
    """

    def __init__(self, files: Files) -> None:
        self._files = files
        top = _git("rev-parse", "--show-toplevel", option="--staged")
        if top is None:
            raise RunError("--staged: not inside a git work tree")
        self._top = files.real(os.fsdecode(top.rstrip(b"\r\n")))
        listing = ("--cached", "--name-only", "--no-renames", "--diff-filter=d", "-z")
        listed = _git("diff-index", *listing, "HEAD", option="--staged")
        if listed is None:  # there is no commit yet
            listed = _git("ls-files", "--full-name", "--cached", "-z", option="--staged")
        if listed is None:
            raise RunError("--staged: git cannot list the staged files")
        self._paths = frozenset(listed.split(b"\0"))

    def __call__(self, path: str) -> bool:
        """Whether a file is staged."""
        relative = os.path.relpath(self._files.real(path), self._top)
        return os.fsencode(relative.replace(os.sep, "/")) in self._paths


def _hash(data: bytes, like: str) -> str:
    """The hash that git gives these contents."""
    made = (sha1 if len(like) == 40 else sha256)(b"blob %d\0" % len(data), usedforsecurity=False)
    made.update(data)
    return made.hexdigest()


def _git(*arguments: str, option: str = "--changed-since") -> bytes | None:
    """What git prints; None when it has no answer.

    Raises:
        RunError: git cannot be started, or takes too long.
    """
    try:
        return git.ask(None, *arguments)
    except OSError as error:
        raise RunError(f"{option} needs git: {error.strerror}") from None
    except subprocess.TimeoutExpired:
        raise RunError(f"{option}: git did not answer in {git.PATIENCE} seconds") from None
