"""Folders and commits of git repositories as sources: the files that `cfglint check` would check."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import pyarrow as pa

from cfglint.api.scan.model import BATCH, SHARD, ScanError, Shard, SourceContext
from cfglint.api.scan.schema import ITEMS
from cfglint.engine.files_together.discovery import discover
from cfglint.engine.session import Options, RunError, Session
from cfglint.engine.settings.nearest import SettingsError, SettingsFinder
from cfglint.source.files.base import Files
from cfglint.source.files.disk import Disk
from cfglint.source.files.git import GitTree, commit_of

#: Called with an error message for each folder that cannot be read; the folder is left out.
Fail = Callable[[str], object]


def plan_folder(folder: str, settings: str | bool, alone: bool, fail: Fail) -> Iterator[Shard]:
    """The shards of a folder, numbered from 0.

    Args:
        settings: as for `Linter`; they may leave files out.
        alone: check each file without its surroundings.
        fail: called with the error message for each folder that cannot be read.
    """
    yield from _shards(Disk(), folder, folder, SourceContext("folder", alone), settings, fail)


def plan_commit(
    repository: str, revision: str, settings: str | bool, alone: bool, fail: Fail
) -> Iterator[Shard]:
    """The shards of a commit, numbered from 0. Paths count from the top of the repository.

    Raises:
        ScanError: git is not there, or there is no such commit.
    """
    try:
        commit = commit_of(repository, revision)
        if commit is None:
            raise ScanError(f"{repository}@{revision}: git knows no such commit")
        tree = GitTree(os.path.abspath(repository), commit, os.getcwd())
    except OSError as error:
        raise ScanError(f"{repository}@{revision}: {error.strerror or error}") from None
    context = SourceContext("git", alone, os.path.abspath(repository), commit)
    with closing(tree):
        yield from _shards(tree, os.curdir, f"{repository}@{commit}", context, settings, fail)


def _shards(
    files: Files, root: str, source: str, context: SourceContext, settings: str | bool, fail: Fail
) -> Iterator[Shard]:
    excludes = _excludes(files, settings, context.alone)
    base = Shard(number=0, source=source, context=context, form="files", first=0, rows=0)
    waiting: list[tuple[str, int, int]] = []
    number = first = 0

    def shard() -> Shard:
        return base.replaced(number=number, first=first, rows=len(waiting), files=tuple(waiting))

    for found in discover([root], excludes, fail, files):
        state = files.state(found.path)
        size, changed = (state.size, state.changed) if state is not None else (0, 0)
        waiting.append((os.path.normpath(found.path), size, changed))
        if len(waiting) == SHARD:
            yield shard()
            number, first, waiting = number + 1, first + SHARD, []
    if waiting:
        yield shard()


def _excludes(files: Files, settings: str | bool, alone: bool) -> Callable[[str], bool]:
    config = settings if isinstance(settings, str) else None
    # The settings file that the user names is on the disk, even if the files are in a commit.
    finder = SettingsFinder(config=config, isolated=alone, files=None if config else files)
    session = Session(Options(), finder)

    def excludes(path: str) -> bool:
        try:
            return session.settings(path).excludes(path)
        except (RunError, SettingsError):
            return False  # checking the file reports the reason

    return excludes


def batches(shard: Shard) -> Iterator[tuple[int, pa.RecordBatch]]:
    """The files of a shard for a worker, each batch with the row that it begins with."""
    for at in range(0, shard.rows, BATCH):
        paths = [os.fsencode(path) for path, _, _ in shard.files[at : at + BATCH]]
        columns: list[Any] = [paths, [None] * len(paths), [None] * len(paths)]
        arrays = [pa.array(one, field.type) for one, field in zip(columns, ITEMS, strict=True)]
        yield shard.first + at, pa.RecordBatch.from_arrays(arrays, schema=ITEMS)
