"""`--watch`: check again whenever a file changes."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator

from cfglint.cli.checking import check
from cfglint.cli.options import CheckOptions
from cfglint.engine.files_together.discovery import discover
from cfglint.report.escaping import visible_path
from cfglint.source.files.disk import Disk

#: How long to wait between two looks, in seconds.
_PAUSE = 0.5
#: Changed files that are named.
_MOST_NAMED = 3
_CLEAR = "\x1b[2J\x1b[3J\x1b[H"
#: What identifies a version of a file: its path, when it was written, how long it is.
_Version = tuple[str, int, int]


def _pause() -> None:
    time.sleep(_PAUSE)


def watch(
    paths: tuple[str, ...], options: CheckOptions, wait: Callable[[], object] = _pause
) -> int:
    """Check, and check again after each change, until the user interrupts; the last exit code.

    Args:
        wait: is called between two looks at the files.
    """
    seen: frozenset[_Version] | None = None
    code = 0
    try:
        while True:
            now = frozenset(_versions(paths))
            if now != seen:
                if sys.stdout.isatty():
                    sys.stdout.write(_CLEAR)
                if seen is not None:
                    sys.stdout.write(_changed(seen, now))
                seen = now
                code = check(paths, options)
                sys.stdout.write("Waiting for changes; Ctrl-C ends.\n")
                sys.stdout.flush()
            wait()
    except KeyboardInterrupt:
        return code


def _changed(before: frozenset[_Version], after: frozenset[_Version]) -> str:
    """Which files have changed, in a line between two checks."""
    names = sorted({os.path.normpath(path) for path, _, _ in before ^ after})
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return f"── {', '.join(map(visible_path, names[:_MOST_NAMED]))}{more} changed\n\n"


def _versions(paths: Iterable[str]) -> Iterator[_Version]:
    """The files that a check of the paths may read: those around them, and those that state versions."""
    files = Disk()
    folders = {path if files.is_folder(path) else os.path.dirname(path) or "." for path in paths}
    found = [one.path for one in discover(folders, lambda _: False, lambda _: None, files)]
    for folder in folders:
        try:
            entries = [one for one in files.entries(folder) if one.kind == "file"]
        except OSError:
            continue
        found += [os.path.join(folder, one.name) for one in entries]
    for path in {*found, *paths}:
        state = files.state(path)
        if state is not None:
            yield path, state.changed, state.size
