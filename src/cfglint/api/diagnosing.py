"""The configs of a run whose log is read, checked with what the log states."""

from __future__ import annotations

import os

from cfglint.answers.logs.stated import LogFacts
from cfglint.engine.file_report import FileReport
from cfglint.engine.runner import Runner
from cfglint.engine.session import Options, RunError
from cfglint.engine.settings.nearest import SettingsFinder
from cfglint.files.disk import Disk
from cfglint.files.folders import is_inside


def config_of_log(stated: LogFacts) -> tuple[str, ...]:
    """The config that the log names, if it is a file below the current folder."""
    if stated.config is None:
        return ()
    path, files = stated.config[0], Disk()
    return (
        (path,)
        if is_inside(os.path.abspath(path), os.getcwd(), files) and files.is_file(path)
        else ()
    )


def reports_on(
    configs: tuple[str, ...], options: Options, finder: SettingsFinder, stated: LogFacts
) -> list[FileReport]:
    """The reports on the configs, for what the options or else the log state.

    They have the findings of low confidence, too: the log may confirm one.

    Raises:
        RunError: a config cannot be read.
    """
    if not configs:
        return []
    versions = tuple(f"{name}=={version}" for name, (version, _) in stated.versions.items())
    with_log = options.replaced(
        target=options.target or versions,
        min_confidence="low",
        gpus=options.gpus or (stated.gpus[0] if stated.gpus is not None else None),
    )
    try:
        return _checked(Runner(with_log, finder), configs)
    except RunError:
        # The log may state a version that is newer than all that are known.
        if options.target or not versions:
            raise
    return _checked(Runner(with_log.replaced(target=()), finder), configs)


def _checked(runner: Runner, configs: tuple[str, ...]) -> list[FileReport]:
    reports = []
    for path in configs:
        report = runner.check_file(path, named=True)
        if report is not None:
            reports += [report, *report.elsewhere]
    return reports
