"""From the options of a check to what checks the files."""

from __future__ import annotations

from cfglint.cli.options import CheckOptions
from cfglint.engine.runner import Runner
from cfglint.engine.session import Options, RunError
from cfglint.engine.settings.nearest import SettingsFinder
from cfglint.roles.framework import frameworks

#: Formats that have no place for a repair: their reader takes an empty list for a clean project.
_OF_FINDINGS_ALONE = frozenset({"gitlab", "sarif"})


def runner_for(options: CheckOptions) -> Runner:
    """What checks the files, with or without a sweep.

    Raises:
        RunError: options exclude each other, or one of them cannot be understood.
        SettingsError: the settings file that an option names cannot be used.
    """
    fixes = options.fix or options.fix_only
    if options.add_ignores and fixes:
        raise RunError("--add-ignores silences what --fix repairs; run one after the other")
    if options.add_ignores and options.ignore_suppressions:
        raise RunError("--add-ignores and --ignore-suppressions exclude each other")
    if options.fix_only and options.diff:
        raise RunError("--diff changes no file; it prints what --fix-only would write by itself")
    if options.fix_only:
        _check_shows_repairs(options)
    if options.framework not in (None, *frameworks()):
        known = ", ".join(frameworks())
        raise RunError(f"unknown framework {options.framework!r}; expected one of {known}")
    if options.staged and options.changed_since is not None:
        raise RunError("--staged and --changed-since exclude each other")
    _check_patterns(options.exclude)
    engine_options = Options(
        target=options.target,
        gpus=options.gpus,
        gpu=options.gpu,
        select=options.select,
        ignore=options.ignore,
        extend_select=options.extend_select,
        preview=options.preview,
        as_of=_day(options.as_of),
        fix=fixes,
        unsafe_fixes=options.unsafe_fixes,
        diff=options.diff,
        detect=options.detect,
        named_framework=options.framework,
        folds_copies=not options.all,
        min_confidence=options.min_confidence,
        min_severity=options.min_severity,
        per_file_ignores=options.per_file_ignores,
        severity=options.severity,
        add_ignores=options.add_ignores,
        fixable=options.fixable,
        unfixable=options.unfixable,
        ignore_suppressions=options.ignore_suppressions,
    )
    file, overrides = _settings(options.config)
    finder = SettingsFinder(config=file, isolated=options.isolated, overrides=overrides)
    if options.sweep is None:
        return Runner(engine_options, finder)
    from cfglint.engine.sweeps.runner import SweepRunner

    return SweepRunner(engine_options, finder, options.sweep)


def _check_shows_repairs(options: CheckOptions) -> None:
    """Raise an error for reports that say of what --fix-only leaves that it is not there.

    Raises:
        RunError: one of them is to be written.
    """
    formats = (options.format_, *(text.partition(":")[0] for text in options.output))
    for format_ in formats:
        if format_ in _OF_FINDINGS_ALONE:
            raise RunError(
                f"a report in the format {format_} without what is left says that all is well; use --fix, or"
                " check once more without --fix-only"
            )
    if options.statistics:
        raise RunError("--statistics counts findings, and --fix-only reports none; use --fix")


def _settings(given: tuple[str, ...]) -> tuple[str | None, tuple[str, ...]]:
    """The settings file and the single settings of `--config`.

    Raises:
        RunError: several files are named.
    """
    files = [one for one in given if "=" not in one or one.endswith(".toml")]
    if len(files) > 1:
        raise RunError(
            f"--config {files[1]}: {files[0]} is named already, and a check has one settings file"
        )
    return next(iter(files), None), tuple(one for one in given if one not in files)


def _day(text: str | None) -> str | None:
    """The day of `--as-of`.

    Raises:
        RunError: it is not one.
    """
    if text is not None:
        from cfglint.environment.environment import DAY

        if DAY.fullmatch(text) is None:
            raise RunError(f"--as-of {text}: expected a day such as 2026-11-01")
    return text


def _check_patterns(patterns: tuple[str, ...]) -> None:
    """Raise an error for what `--exclude` cannot use.

    Raises:
        RunError: a pattern is not valid.
    """
    for pattern in patterns:
        from cfglint.base.globs import is_glob

        if not is_glob(pattern):
            raise RunError(f"--exclude: {pattern!r} is not a valid pattern")
