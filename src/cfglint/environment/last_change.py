"""When a file was written at the latest, as far as its repository shows it."""

from __future__ import annotations

from cfglint.environment.surroundings import Surroundings
from cfglint.source.files.git_index import Tracked
from cfglint.source.files.repository import repository_root


def last_change(around: Surroundings) -> str | None:
    """The day of the last commit of a file's repository, YYYY-MM-DD.

    Returns:
        None for a file that the repository does not track, that was changed since its checkout, or that is
        open in an editor.
    """
    folder, memory, files = around.folder, around.memory, around.files
    if folder is None or not files.writable:
        return None
    root = memory.once(("repository of", folder), lambda: repository_root(folder, files))
    if root is None:
        return None
    if not Tracked(root, files).is_unchanged(around.path):
        return None
    from cfglint.source.files.git import day_of_last_commit

    return memory.once(("last commit of", root), lambda: day_of_last_commit(root))
