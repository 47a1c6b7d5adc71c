"""The texts of a request of the playground's page, and places in them."""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from cfglint.engine.file_report import FileReport
from cfglint.engine.session import Options
from cfglint.roles.framework import frameworks
from cfglint.server.snapshot import OpenText, Snapshot, read_options
from cfglint.source.files.memory import InMemory
from cfglint.source.text import SourceText


class Refused(Exception):
    """The request cannot be answered; the message is for the reader of the page."""


class Texts:
    """The texts of a request, and the snapshots that they are checked in.

    Args:
        asked: `files` is a list of objects with `name` and `text`, the first of which is the
            config; `framework`, `target`, `gpus` and `gpu` may be missing.

    Raises:
        Refused: a name or an option cannot be used.
    """

    def __init__(self, asked: Mapping[str, Any]) -> None:
        self.paths: list[str] = []
        texts = {}
        for file in asked["files"]:
            path = _path(file["name"])
            if path in texts:
                raise Refused(f"Two files are called {file['name']}.")
            self.paths.append(path)
            texts[path] = OpenText(path, path, 0, file["text"])
        told = {name: asked.get(name) for name in ("target", "gpus", "gpu")}
        #: What was left out of the request because it is not understood.
        self.problems: list[str] = []
        chosen = asked.get("framework")
        if chosen and chosen not in frameworks():
            raise Refused(f"{chosen!r} is not a framework that cfglint knows.")
        try:
            options = self._options(told)
            self.snapshot = Snapshot(options, texts, InMemory({}))
            # Only the first file is said to be of that framework.
            forced = options.replaced(framework=chosen)
            self.first = Snapshot(forced, texts, InMemory({})) if chosen else self.snapshot
        except (TypeError, ValueError) as error:
            raise Refused(str(error)) from None

    def _options(self, told: dict[str, Any]) -> Options:
        """The options of the request, without a GPU that may be half typed.

        Raises:
            TypeError: a value is of the wrong type.
            ValueError: a version is not known.
        """
        try:
            return read_options(told)
        except ValueError as error:
            if not told["gpu"]:
                raise
            options = read_options({**told, "gpu": None})
            self.problems.append(str(error))
            return options

    def snapshot_of(self, path: str) -> Snapshot:
        """What a file is checked in."""
        return self.first if path == self.paths[0] else self.snapshot

    def report(self, path: str, *, fix: bool = False) -> FileReport | None:
        """The report on one file; None when it is not a config.

        Raises:
            UnrecognizedError: it is the first one, and not known to be of a framework.
            RunError: settings among the files cannot be used.
        """
        snapshot = self.snapshot_of(path)
        runner = snapshot.fixing if fix else snapshot.runner
        is_first = path == self.paths[0]
        return runner.check_bytes(snapshot.texts[path].data, path, named=is_first)

    def reports(self) -> list[FileReport]:
        """The reports on all files that are configs.

        Raises:
            UnrecognizedError: the first one is not known to be of a framework.
            RunError: settings among the files cannot be used.
        """
        found = (self.report(path) for path in self.together)
        return self.snapshot.merged(report for report in found if report is not None)

    @cached_property
    def together(self) -> list[str]:
        """The files that belong to the first one: it names them, or they name it, or others do.

        Raises:
            RunError: settings among the files cannot be used.
        """
        texts = {path: self.snapshot.texts[path].text for path in self.paths}
        found, waiting = {self.paths[0]}, [self.paths[0]]
        while waiting:
            one = waiting.pop()
            for other in texts.keys() - found:
                if _names(texts[one], other) or _names(texts[other], one):
                    found.add(other)
                    waiting.append(other)
        # What is no config, such as settings, is for all files around it.
        return [
            path for path in self.paths if path in found or self.snapshot.framework(path) is None
        ]

    @property
    def assumed(self) -> bool:
        """Whether the first file has too few keys to be certainly for its framework."""
        return self.first.framework(self.paths[0]) is None


def _path(name: str) -> str:
    """The path of a file of the page, below the current folder."""
    path = os.path.abspath(name)
    if not name.strip() or "\0" in name or not path.startswith(os.path.join(os.getcwd(), "")):
        raise Refused(f"{name!r} is not a valid file name.")
    return path


def _names(text: str, path: str) -> bool:
    """Whether a text has the name of a file."""
    return os.path.basename(path) in text


class Offsets:
    """The page's offsets for those of the engine, which counts code points after the mark."""

    def __init__(self, source: SourceText) -> None:
        self._mark = 1 if source.bom else 0
        # Only these take two code units.
        self._wide = (
            []
            if source.text.isascii()
            else [place for place, char in enumerate(source.text) if char > "\uffff"]
        )

    def __call__(self, offset: int) -> int:
        return self._mark + offset + bisect_left(self._wide, offset)

    def back(self, offset: int) -> int:
        """The engine's offset for one of the page."""
        low, high = 0, offset
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self(middle) <= offset else (low, middle - 1)
        return low
