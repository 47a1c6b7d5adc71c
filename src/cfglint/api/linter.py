r"""A linter that stays in memory: for many texts, for an editor, for a web page.

Example:
    >>> from cfglint import Linter
    >>> linter = Linter(select="KEY", gpus=8)
    >>> report = linter.lint("base_model: a/b\nlearning_ratee: 0.1\n")
    >>> [(found.code, found.line, found.column) for found in report.diagnostics]
    [('KEY001', 2, 1)]
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable
from typing import Any

from cfglint.base.record import Record
from cfglint.diagnostic import CONFIDENCES, ConfidenceName, Diagnostic
from cfglint.engine.file_report import AppliedFix, FileReport
from cfglint.engine.runner import Runner
from cfglint.engine.session import Options, RunError, UnrecognizedError
from cfglint.engine.settings.nearest import Settings, SettingsError, SettingsFinder
from cfglint.engine.unrecognized import unrecognized
from cfglint.report.run import RunReport
from cfglint.roles.framework import frameworks
from cfglint.source.files.base import Files
from cfglint.source.text import MAX_BYTES

#: A text that was given without a name.
NAMELESS = "<text>"


class FixReport(Record):
    """The result of fixing a text."""

    #: The text after all fixes; the one that was given when there was nothing to fix.
    text: str
    #: What was done, in order.
    fixed: tuple[AppliedFix, ...]
    #: The findings that remain.
    diagnostics: tuple[Diagnostic, ...]


class Linter:
    """Checks and fixes any number of texts and files with the same options.

    The surroundings of a file (settings, lock files, files that it names) are read once. After they
    have changed, or with other unsaved texts, get a linter that reads them again by `with_files`.
    A linter is not thread safe.

    Args:
        target: versions, such as `torch==2.6.0`; the newest release when none is given.
        gpus: how many GPUs the run has, over all nodes.
        gpu: their kind, such as `h100`, `NVIDIA A100-SXM4-80GB` or `sm_90:96GB`.
        select: codes, prefixes of codes or names of the only rules to use. One string is one of
            these.
        ignore: codes, prefixes or names of rules to leave out.
        min_confidence: `high`, `medium` or `low`; None leaves out
            low confidence only of notes and of findings about other releases.
        framework: whose files the texts are, as `FileReport.framework` has it; None finds out
            for each.
        settings: a settings file; True looks for one around each file, False uses none.
        files: where files lie: `Disk()`, `InMemory(…)`, `Overlay(…)`. None: a text has no
            surroundings, and `settings` finds nothing.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: a version, a GPU, a rule or a framework is not known, or the settings file
            cannot be used.
    """

    def __init__(
        self,
        *,
        target: str | Iterable[str] = (),
        gpus: int | None = None,
        gpu: str | None = None,
        select: str | Iterable[str] = (),
        ignore: str | Iterable[str] = (),
        min_confidence: ConfidenceName | None = None,
        framework: str | None = None,
        settings: str | os.PathLike[str] | bool = True,
        files: Files | None = None,
    ) -> None:
        options = Options(
            target=strings("target", target),
            gpus=number("gpus", gpus),
            gpu=string("gpu", gpu),
            select=strings("select", select),
            ignore=strings("ignore", ignore),
            min_confidence=_one_of("min_confidence", min_confidence, CONFIDENCES),
            framework=_one_of("framework", framework, frameworks()),
        )
        self._options = options
        self._settings = settings if isinstance(settings, bool) else os.fspath(settings)
        self._files = files
        try:
            self._runner = Runner(options, self._finder())
            self._runner.check_options()
        except (RunError, SettingsError) as error:
            raise ValueError(str(error)) from None

    def _finder(self) -> SettingsFinder:
        settings, files = self._settings, self._files
        finder = SettingsFinder if settings is not False else _NoSettings
        return finder(
            config=settings if isinstance(settings, str) else None,
            isolated=files is None,
            files=files,
        )

    def with_files(self, files: Files | None) -> Linter:
        """A linter with the same options that reads everything again, from these files."""
        other = object.__new__(Linter)
        other._options, other._settings, other._files = self._options, self._settings, files
        try:
            other._runner = Runner(other._options, other._finder())
        except SettingsError as error:
            raise ValueError(str(error)) from None
        return other

    def lint(self, text: str, path: str | os.PathLike[str] | None = None) -> FileReport:
        """Check a text.

        One that is not known to be a config of a framework has no findings: `framework` is None in
        its report. State the `framework` of the linter for such texts.

        Args:
            path: its name, whether or not such a file exists: the suffix tells JSON from YAML,
                and the folder is where settings and the files that it names are looked for.

        Raises:
            TypeError: it is not text.
            ValueError: the settings around it cannot be used.
        """
        return self._report(self._runner, encoded(text), _name(path))

    def lint_file(self, path: str | os.PathLike[str]) -> FileReport:
        """Check a file (see `lint`).

        Raises:
            ValueError: there are no files, or the settings around it cannot be used.
            OSError: it cannot be read.
        """
        if self._files is None:
            raise ValueError(
                "this linter has no access to files: pass it some, such as files=Disk()"
            )
        name = os.fspath(path)
        state = self._files.state(name)
        if state is not None and state.kind != "file":
            raise OSError(errno.EINVAL, "not a regular file", name)
        self._files.read(name, 0)  # raises what is wrong with it
        try:
            report = self._runner.check_file(name, named=True)
        except UnrecognizedError:
            return unrecognized(self._runner.session, self._files.read(name, MAX_BYTES), name)
        except RunError as error:
            raise ValueError(str(error)) from None
        if report is None and (reason := self._runner.reasons.pop(name, "")):
            raise ValueError(f"not checked: {reason}")
        return self._finished(report)

    def lint_found(self, data: bytes, path: str | os.PathLike[str]) -> FileReport | None:
        """Check the bytes of a file as a search in a folder does; None when it is no config.

        Args:
            path: as for `lint`.

        Raises:
            ValueError: the settings around it cannot be used.
        """
        try:
            report = self._runner.check_bytes(data, os.fspath(path), named=False)
        except RunError as error:
            raise ValueError(str(error)) from None
        return self._finished(report) if report is not None else None

    def fix(
        self, text: str, path: str | os.PathLike[str] | None = None, *, unsafe: bool = False
    ) -> FixReport:
        """Fix a text, as far as fixes are safe. No file is written.

        Args:
            path: as for `lint`.
            unsafe: apply also the fixes that a person should review.

        Raises:
            TypeError: it is not text.
            ValueError: the settings around it cannot be used.
        """
        report = self._report(self._runner.fixing(unsafe=unsafe), encoded(text), _name(path))
        source = report.fixed_source
        if source is not None:
            # The text that was given stays when there is nothing to fix, or nothing can be read.
            text = ("\ufeff" if source.bom else "") + source.text
        return FixReport(text, report.fixed, report.diagnostics)

    def _report(self, runner: Runner, data: bytes, name: str) -> FileReport:
        try:
            report = runner.check_bytes(data, name, named=True)
        except UnrecognizedError:
            return unrecognized(runner.session, data, name)
        except RunError as error:
            raise ValueError(str(error)) from None
        return self._finished(report)

    def _finished(self, report: FileReport | None) -> FileReport:
        """A report in the form that callers get.

        Raises:
            ValueError: no framework takes the file for one of its own.
        """
        if report is None:
            raise ValueError("not a config of a framework that cfglint knows")
        if report.names or report.elsewhere:
            # What several files report about one place is reported once.
            real = self._runner.session.files.real
            report, *others = RunReport([report], [], real=real).files
            report = report.replaced(elsewhere=tuple(_located(other) for other in others))
        return _located(report)


class _NoSettings(SettingsFinder):
    """For a linter that reads the project around a file, but not its settings."""

    def for_file(self, path: str) -> Settings:
        return Settings()


def _located(report: FileReport) -> FileReport:
    """The report, its findings with lines and columns."""
    if not report.diagnostics:
        return report
    found = tuple(found.located(report.source) for found in report.diagnostics)
    return report.replaced(diagnostics=found)


def _name(path: str | os.PathLike[str] | None) -> str:
    return NAMELESS if path is None else os.fspath(path)


def encoded(text: object) -> bytes:
    """A text as bytes.

    Raises:
        TypeError: it is none.
    """
    if not isinstance(text, str):
        raise TypeError(f"text expects a str but got {_shown(text)}; lint_file reads files")
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


def strings(name: str, value: object) -> tuple[str, ...]:
    """One or several strings, as a tuple; raises TypeError for anything else."""
    if isinstance(value, str):
        return (value,)
    if isinstance(value, Iterable) and not isinstance(value, (bytes, bytearray)):
        values = tuple(value)
        if all(isinstance(one, str) for one in values):
            return values
    raise TypeError(f"{name} expects a string or several strings but got {_shown(value)}")


def string(name: str, value: object) -> str | None:
    """A string, or None; raises TypeError for anything else."""
    if value is None or isinstance(value, str):
        return value
    raise TypeError(f"{name} expects a string but got {_shown(value)}")


def number(name: str, value: object) -> int | None:
    """A whole number, or None; raises TypeError for anything else."""
    if value is None or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    raise TypeError(f"{name} expects a whole number but got {_shown(value)}")


def _one_of(name: str, value: Any, choices: tuple[Any, ...]) -> Any:
    if string(name, value) is not None and value not in choices:
        raise ValueError(f"{name} expects one of {', '.join(choices)} but got {value!r}")
    return value


def _shown(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else f"{shown[:60]}…"
