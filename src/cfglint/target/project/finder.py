"""Finds the files of a project that state versions or hardware, folder by folder, each read once."""

from __future__ import annotations

import os
import re
import stat
from importlib import import_module

from cfglint.target.project.statements import (
    Hardware,
    Source,
    Statement,
    UnreadableFileError,
)

#: How many folders above the config are looked at, in a repository and outside of one.
MAX_LEVELS = 12
MAX_LEVELS_WITHOUT_REPOSITORY = 2
MAX_LOCK_BYTES = 20_000_000
MAX_BYTES = 2_000_000
#: Files of one folder that are read; the nearest in rank first.
_MAX_FILES = 40

#: (what the name looks like, the module that reads it), the files that count most first.
_NAMES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), kind)
    for pattern, kind in (
        (r"uv\.lock", "toml_locks"),
        (r"poetry\.lock", "toml_locks"),
        (r"pdm\.lock", "toml_locks"),
        (r"pylock(\.[^.]+)?\.toml", "toml_locks"),
        (r"requirements\.txt", "requirements"),
        (r"requirements[\w.-]*\.txt|[\w.-]+[-_]requirements\.txt", "requirements"),
        (r"pyproject\.toml", "pyproject"),
        (r"environment\.ya?ml|environment[-_.][\w.-]+\.ya?ml|conda[\w.-]*\.ya?ml", "conda"),
        (r"(dockerfile|containerfile)([-_.][\w.-]*)?|[\w.-]+\.dockerfile", "images"),
        (r"(docker-)?compose[\w.-]*\.ya?ml", "launch"),
        (
            r"(?:.*[-_.])?(sky|skypilot|k8s|kube|kubernetes|job|pod|deploy|deployment|launch|runpod)"
            r"(?:[-_.].*)?\.(ya?ml|json)",
            "launch",
        ),
        (r"(?:.*[-_.])?(modal|runpod)(?:[-_.].*)?\.py", "launch"),
        (r"accelerate[\w.-]*\.ya?ml|default_config\.ya?ml", "accelerate"),
        (r"(train|run|launch|start|finetune)[\w-]*\.sh|makefile|justfile", "launch"),
        (r"\.gitlab-ci\.ya?ml", "images"),
    )
)
_ONE = re.compile("|".join(f"(?:{pattern.pattern})" for pattern, _ in _NAMES), re.IGNORECASE)
_WORKFLOWS = (".github", "workflows")


class Finder:
    """The files around configs. Folders are listed, and files read, once."""

    def __init__(self) -> None:
        self._levels: dict[str, tuple[str, tuple[str, ...]]] = {}
        self._folders: dict[str, tuple[tuple[str, str, int], ...]] = {}
        self._texts: dict[str, str] = {}

    def sources(self, folder: str) -> list[Source]:
        """The files of a folder's project, the nearest first."""
        root, levels = self._chain(folder)
        found: list[Source] = []
        for distance, level in enumerate(levels):
            files = self._files(level)
            if distance == len(levels) - 1:
                files += self._workflows(level)
            for path, kind, _ in files[:_MAX_FILES]:
                if kind == "accelerate" and distance:
                    continue
                source = self._read(path, kind, distance, root)
                if source is not None:
                    found.append(source)
        return found

    def text(self, path: str) -> str:
        """The text of a file that was read."""
        return self._texts.get(path, "")

    def _chain(self, folder: str) -> tuple[str, tuple[str, ...]]:
        """(root, folders from a config's own up to it)."""
        known = self._levels.get(folder)
        if known is None:
            known = self._levels[folder] = _climb(folder)
        return known

    def _files(self, folder: str) -> tuple[tuple[str, str, int], ...]:
        """(path, kind, rank) of the files of a folder that are of interest, by rank."""
        known = self._folders.get(folder)
        if known is None:
            found = []
            try:
                with os.scandir(folder) as entries:
                    for entry in entries:
                        if _ONE.fullmatch(entry.name):
                            kind, rank = _kind(entry.name)
                            found.append((entry.path, kind, rank))
            except OSError:
                found = []
            known = tuple(sorted(found, key=lambda row: (row[2], row[0])))
            self._folders[folder] = known
        return known

    def _workflows(self, root: str) -> tuple[tuple[str, str, int], ...]:
        folder = os.path.join(root, *_WORKFLOWS)
        try:
            names = sorted(os.listdir(folder))
        except OSError:
            return ()
        return tuple(
            (os.path.join(folder, name), "images", len(_NAMES))
            for name in names
            if name.endswith((".yml", ".yaml"))
        )

    def _read(self, path: str, kind: str, distance: int, root: str) -> Source | None:
        """What a file states; None when it states nothing of interest."""
        limit = MAX_LOCK_BYTES if kind == "toml_locks" else MAX_BYTES
        try:
            text = self._text_of(path, root, limit)
            if text is None:
                return None
            source = self._parse(path, text, kind, distance, root)
        except UnreadableFileError as error:
            self._texts.setdefault(path, "")
            return Source(path, kind, distance, problem=str(error))
        return source if source.statements or source.hardware else None

    def _parse(self, path: str, text: str, kind: str, distance: int, root: str) -> Source:
        statements: list[Statement] = []
        hardware: list[Hardware] = []
        complete = kind == "toml_locks"
        if kind == "requirements":
            from cfglint.target.project import requirements

            def load(inner: str, _outer: str) -> str | None:
                try:
                    return self._text_of(inner, root, MAX_BYTES)
                except UnreadableFileError:
                    return None

            statements, complete = requirements.read(path, text, load)
        elif kind in ("toml_locks", "pyproject", "conda"):
            statements = import_module(f"cfglint.target.project.{kind}").read(path, text)
        else:
            if kind != "accelerate" and "axolotl" in text:
                from cfglint.target.project import images

                statements = images.read(path, text)
            if kind != "images":
                from cfglint.target.project import launch

                hardware = launch.read(path, text)
        return Source(path, kind, distance, tuple(statements), tuple(hardware), complete)

    def _text_of(self, path: str, root: str, limit: int) -> str | None:
        """The text of a file inside the project; None when it is not there or not a file.

        Raises:
            UnreadableFileError: it is too large, or no text.
        """
        try:
            if not _inside(path, root):
                return None
            status = os.stat(path)
            if not stat.S_ISREG(status.st_mode):
                return None
            if status.st_size > limit:
                raise UnreadableFileError(f"it is larger than {limit:,} bytes")
            with open(path, "rb") as file:
                data = file.read(limit + 1)
        except (OSError, ValueError):
            return None
        if data.startswith((b"\xff\xfe", b"\xfe\xff")):
            encoding = "utf-16"  # what `>` writes in one well-known shell
        else:
            encoding = "utf-8-sig"
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            raise UnreadableFileError("it is not UTF-8") from None
        self._texts[path] = text
        return text


def _inside(path: str, root: str) -> bool:
    real, base = os.path.realpath(path), os.path.realpath(root)
    return real.startswith(base.rstrip(os.sep) + os.sep)


def _kind(name: str) -> tuple[str, int]:
    for rank, (pattern, kind) in enumerate(_NAMES):
        if pattern.fullmatch(name):
            return kind, rank
    return "launch", len(_NAMES)


def _climb(folder: str) -> tuple[str, tuple[str, ...]]:
    levels = []
    home = os.path.expanduser("~")
    current = folder
    for _ in range(MAX_LEVELS):
        levels.append(current)
        if os.path.lexists(os.path.join(current, ".git")):
            return current, tuple(levels)
        parent = os.path.dirname(current)
        if parent == current:
            break
        current = parent
    # No repository: only what is close, and nothing of the whole machine's or account's.
    close = [
        level
        for at, level in enumerate(levels[: MAX_LEVELS_WITHOUT_REPOSITORY + 1])
        if at == 0 or (level not in (home, os.path.dirname(level)) and not _shared(level))
    ]
    return close[-1], tuple(close)


def _shared(folder: str) -> bool:
    """Whether anybody may put files into a folder (such as the one for temporary files)."""
    try:
        return bool(os.stat(folder).st_mode & stat.S_IWOTH)
    except OSError:
        return True
