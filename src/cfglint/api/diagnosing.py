"""The configs of a run whose log is read, checked with what the log states."""

from __future__ import annotations

import os
from collections.abc import Iterable

from cfglint.answers.logs.found import RunConfigs
from cfglint.answers.logs.stated import LogFacts
from cfglint.base.record import FrozenDict
from cfglint.engine.file_report import FileReport
from cfglint.engine.runner import Runner
from cfglint.engine.session import Options, RunError
from cfglint.engine.settings.nearest import SettingsFinder
from cfglint.source.files.disk import Disk
from cfglint.source.files.folders import is_inside
from cfglint.source.problems import SourceError
from cfglint.source.text import MAX_BYTES, SourceText


def versions_given(target: Iterable[str]) -> dict[str, str | None]:
    """Package -> the release that a target states; None for a commit."""
    given: dict[str, str | None] = {}
    for text in target:
        package, is_release, version = text.partition("==")
        given[package.partition("@")[0].strip().lower()] = version.strip() if is_release else None
    return given


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
) -> RunConfigs:
    """The configs, checked for what the options or else the log state.

    They have the findings of low confidence, too: the log may confirm one.

    Raises:
        RunError: a config cannot be read.
    """
    if not configs:
        return RunConfigs()
    versions = tuple(f"{name}=={version}" for name, (version, _) in stated.versions.items())
    with_log = options.replaced(
        target=options.target or versions,
        left=tuple(stated.ranges.items()),
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


def _checked(runner: Runner, configs: tuple[str, ...]) -> RunConfigs:
    reports: list[FileReport] = []
    unchecked: dict[str, SourceText] = {}
    for path in configs:
        report = runner.check_file(path, named=True)
        if report is not None:
            reports += [report, *report.elsewhere]
            continue
        try:
            unchecked[path] = SourceText.from_bytes(Disk().read(path, MAX_BYTES + 1))
        except (OSError, SourceError):
            continue  # nothing in it can be mentioned
    return RunConfigs(reports, FrozenDict(unchecked))
