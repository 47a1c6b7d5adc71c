"""The files that `migrate` is about: those that are named, and in a folder those that a check of it reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cfglint.engine.files_together.discovery import discover
from cfglint.engine.runner import Runner
from cfglint.engine.session import Options, RunError
from cfglint.engine.settings.nearest import SettingsFinder
from cfglint.environment.pins import is_version
from cfglint.roles.framework import load_framework


def migrated_files(
    paths: Iterable[str], to: Iterable[str], finder: SettingsFinder
) -> dict[str, bool]:
    """The files to migrate -> whether they are named.

    Args:
        to: the releases to migrate to; of a folder, the files of other packages are left out.

    Raises:
        RunError: a folder has no such file, or a release does not tell whose it is.
    """
    found: dict[str, bool] = {}
    for path in paths:
        if not finder.files.is_folder(path):
            found[path] = True
            continue
        inside = dict(_inside(path, to, finder))
        if not inside:
            what = " ".join(to) or "a framework that cfglint knows"
            raise RunError(f"{path}: a check of this folder reads no file that is for {what}")
        if any(map(is_version, to)) and len(set(inside.values())) > 1:
            titles = sorted({load_framework(one).title for one in inside.values()})
            raise RunError(
                f"{path}: its files are for {', '.join(titles)}; give --to as PACKAGE==VERSION"
            )
        for one in inside:
            found.setdefault(one, False)
    return found


def _inside(folder: str, to: Iterable[str], finder: SettingsFinder) -> Iterator[tuple[str, str]]:
    """The files below a folder that are migrated to these releases, each with its framework."""
    runner = Runner(Options(), finder)
    files, session = finder.files, runner.session
    packages = {one.partition("==")[0].strip().lower() for one in to if not is_version(one)}

    def excludes(path: str) -> bool:
        return session.settings(path).excludes(path)

    for one in discover([folder], excludes, lambda _error: None, files):
        try:
            report = runner.check_file(one.path, named=False)
        except RunError:
            continue  # a check says why
        if report is None or report.framework is None or report.copy_of:
            continue
        own = load_framework(report.framework).packages
        if not packages or packages.intersection(own):
            yield one.path, report.framework
