"""The files as an editor has them at one moment: the open texts over the files of the disk."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from cfglint.answers.preflight.started import reports_on_script
from cfglint.api.linter import Linter
from cfglint.base.record import Record
from cfglint.diagnostic import Diagnostic
from cfglint.engine.case import Case
from cfglint.engine.checked_document import CheckedDocument
from cfglint.engine.file_report import FileReport
from cfglint.engine.runner import Runner
from cfglint.engine.session import Options, RunError, Session
from cfglint.engine.settings.nearest import Settings, SettingsFinder
from cfglint.frameworks.for_files import for_path
from cfglint.knowledge import recognition
from cfglint.report.run import RunReport
from cfglint.roles.framework import Framework
from cfglint.source.files.base import Files
from cfglint.source.files.overlay import Overlay
from cfglint.source.json_problems import JsonProblemKind
from cfglint.source.problems import ProblemKind, SourceError
from cfglint.source.text import SourceText

if TYPE_CHECKING:
    from cfglint.engine.migration.one_text import Migration

#: The options that a client may set, as `Linter` has them.
OPTIONS = ("target", "gpus", "gpu", "select", "ignore", "min_confidence")
#: The rules about texts that cannot be read.
_READING = frozenset(kind.value for kinds in (ProblemKind, JsonProblemKind) for kind in kinds)


class OpenText(Record):
    """A text that an editor shows."""

    uri: str
    #: Absolute; a name that is not a file for a text that was never saved.
    path: str
    version: int
    text: str

    @property
    def data(self) -> bytes:
        """The text as the bytes of a file."""
        return self.text.encode("utf-8", "surrogatepass")


def read_options(given: Mapping[str, Any]) -> Options:
    """The options that a client set; null and an empty string set nothing.

    Raises:
        TypeError: a value is of the wrong type.
        ValueError: a version, a GPU or a rule is not known.
    """
    options = {name: given[name] for name in OPTIONS if given.get(name) not in (None, "", [])}
    Linter(**options)  # raises if one of them is not valid
    for name in ("target", "select", "ignore"):
        if name in options:
            value = options[name]
            options[name] = (value,) if isinstance(value, str) else tuple(value)
    return Options(**options)


class Snapshot:
    """One state of all texts and files.

    The surroundings of a file are read once. After a change of a text, or of a file on the disk,
    a new snapshot is needed.

    Args:
        texts: the open texts, by path.
        under: the files of the disk.

    Raises:
        RunError: the texts cannot be taken for files.
    """

    def __init__(self, options: Options, texts: Mapping[str, OpenText], under: Files) -> None:
        self.options = options
        self.texts = texts
        try:
            files = Overlay({path: text.data for path, text in texts.items()}, under)
        except (OSError, ValueError) as error:
            raise RunError(
                f"the open files cannot be overlaid on those of the disk: {error}"
            ) from None
        self.runner = Runner(options, SettingsFinder(files=files))
        self.session = self.runner.session
        self.files = self.session.files
        self.runner.in_run = frozenset(self.files.real(path) for path in texts)

    def reports(
        self, paths: Iterable[str], *, apart: bool = False
    ) -> tuple[list[FileReport], list[str]]:
        """The findings in some files and in those that they name, and why others have none.

        Files that are not configs, or that the settings exclude, are not checked.

        Args:
            apart: do not merge the findings that several files have at one place; `merged` does so.
        """
        reports, failures = [], []
        for path in paths:
            try:
                report = self._report(path)
            except RunError as error:
                failures.append(str(error))
                continue
            if report is not None:
                reports.append(report)
            reports += reports_on_script(path, self.runner)
        failures = list(dict.fromkeys(failures))
        return (reports if apart else self.merged(reports)), failures

    def merged(self, reports: Iterable[FileReport]) -> list[FileReport]:
        """One report for each file, without duplicate findings."""
        return RunReport(reports, [], real=self.files.real).files

    def _report(self, path: str) -> FileReport | None:
        if self.session.settings(path).excludes(path):
            return None
        text = self.texts.get(path)
        if text is None:
            return self.runner.check_file(path, named=False)
        return self.runner.check_bytes(text.data, path, named=False)

    def problem(self, framework: str, data: bytes, path: str) -> tuple[Diagnostic, ...]:
        """Why other contents of a file cannot be read for a framework; empty when they can be.

        Raises:
            RunError: its settings are broken.
        """
        report = self.runner.reading_as(framework).check_bytes(data, path, named=True)
        found = report.diagnostics if report is not None else ()
        return tuple(one for one in found if one.name in _READING)

    def run(self, path: str) -> CheckedDocument | None:
        """What the open text at a path is checked with; None when it is not a config that can be read.

        Raises:
            RunError: its settings are broken.
        """
        return self.read(path, self.texts[path].text)

    def framework(self, path: str) -> Framework | None:
        """The framework that an open text is for; None when it is not a config.

        Raises:
            RunError: its settings are broken.
        """
        name = self.framework_of_text(path, self.texts[path].text)
        if not name:
            return None
        return for_path(self.session.framework(name, self.session.settings(path)), path)

    def framework_of_text(self, path: str, text: str) -> str | None:
        """The name of the framework that a file with a text is for; None when it is not a config."""
        language = recognition.language_of(path)
        return self.options.framework or recognition.of_file(path, text, language)

    def read(self, path: str, text: str) -> CheckedDocument | None:
        """As `run`, for another text in place of an open one.

        Raises:
            RunError: its settings are broken.
        """
        # The framework is decided by the open text, not by one derived from it.
        framework = self.framework(path)
        if framework is None:
            return None
        settings = self.session.settings(path)
        target, around = self.session.environment(framework, settings, path)
        try:
            # Which words of a script are options may depend on the release, and on the project's programs.
            language = framework.parsing.language_for(text, target, around)
            document = language.read(SourceText.from_str(text))
        except SourceError:
            return None
        return CheckedDocument(document, Case(framework, target, around))

    def fixed(self, path: str) -> SourceText | None:
        """The open text at a path with all safe fixes; None when there is nothing to fix.

        Raises:
            RunError: its settings are broken.
        """
        report = self.fixing.check_bytes(self.texts[path].data, path, named=False)
        return report.fixed_source if report is not None else None

    def newer(self, path: str) -> str | None:
        """The newest release, `package==1.2.3`, when the project of an open text states another.

        Raises:
            RunError: its settings are broken.
        """
        run = self.run(path)
        if run is None or run.target.assumed:
            return None
        known = run.target.releases
        return f"{known.package}=={known.newest}" if run.target.release != known.newest else None

    def migrated(self, path: str, release: str) -> Migration | None:
        """The migration of an open text to a release; None when it cannot be read.

        Raises:
            RunError: its settings are broken, or the release is not known.
        """
        from cfglint.engine.migration.one_text import migrate

        run = self.run(path)
        if run is None:
            return None
        hardware = Options(target=(release,), gpus=self.options.gpus, gpu=self.options.gpu)
        there = Session(hardware, SettingsFinder(isolated=True, files=self.files))
        target, _ = there.environment(run.framework, Settings(), path)
        return migrate(run.document.source, run.framework, target, unsafe=False)

    @cached_property
    def fixing(self) -> Runner:
        """The runner that makes safe fixes; it writes nothing."""
        return self.runner.fixing(unsafe=False)


def same_file(path: str) -> str:
    """A path in the form of the snapshot's texts: absolute, without dots."""
    return os.path.abspath(path)
