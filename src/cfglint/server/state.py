"""The state of a server: open texts, options, and what was found in the texts as they are now."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from cfglint.diagnostic import Diagnostic
from cfglint.engine.checked_document import CheckedDocument
from cfglint.engine.file_report import FileReport
from cfglint.engine.files_together.discovery import discover
from cfglint.engine.session import Options, RunError
from cfglint.engine.silencing.suppressions import begun_code
from cfglint.server.cursor import Cursor, cursors_at
from cfglint.server.half_typed import Readable
from cfglint.server.readable_texts import ReadableTexts, Shown, as_shown, broken_at
from cfglint.server.repairs import line_edits, touches
from cfglint.server.snapshot import OpenText, Snapshot, read_options
from cfglint.server.texts import OpenTexts
from cfglint.source.files.base import Files
from cfglint.source.files.disk import Disk
from cfglint.source.text import BOM, SourceText, Span

#: Files of a folder that are checked before the server handles other requests.
_BATCH = 5


class ServerState:
    """The open texts, the options and the results of the last check, independent of the protocol.

    Args:
        files: the files below the open texts; those of the disk when None.
    """

    def __init__(self, files: Files | None = None) -> None:
        self.texts = OpenTexts()
        self._files: Files = files if files is not None else Disk()
        self._options = Options()
        self._readable = ReadableTexts()
        self._snapshot: Snapshot | None = None
        #: What the last check found, by path; None when something has changed since.
        self._reports: dict[str, FileReport] | None = None
        self._failures: list[str] = []

    def configure(self, given: Mapping[str, Any]) -> None:
        """Take other options.

        Raises:
            TypeError: a value is of the wrong type.
            ValueError: a version, a GPU or a rule is not known.
        """
        self._options = read_options(given)
        self.look_again()

    def take_folders(self, folders: Iterable[str]) -> None:
        """Take the folders that the editor shows: a project without a repository ends at them, as if they were named."""
        self._files.tops = frozenset(map(os.path.abspath, folders))
        self.look_again()

    def look_again(self) -> None:
        """Discard all results, because a text or a file has changed."""
        self._snapshot = None
        self._reports = None

    def close(self, uri: str) -> None:
        """Take a text for closed."""
        self.texts.close(uri)
        self._readable.forget(uri)
        self.look_again()

    def save(self, uri: str) -> None:
        """Take a text for saved."""
        text = self.texts.get(uri)
        if text is not None:
            self._readable.saved(text)
        self.look_again()

    @property
    def snapshot(self) -> Snapshot:
        """The texts and files as they are now, the texts without half-typed lines.

        Raises:
            RunError: the texts cannot be taken for files.
        """
        if self._snapshot is None:
            self._snapshot = Snapshot(self._options, self._read_texts(), self._files)
        return self._snapshot

    def readable(self, text: OpenText) -> Readable:
        """An open text as it can be read; `run` and `snapshot` have the places of that."""
        return self._readable.of(text)

    def _read_texts(self) -> dict[str, OpenText]:
        """Path -> the text as it can be read."""
        found = {}
        for path, text in self.texts.by_path().items():
            read = self.readable(text)
            if read.changes:
                source = SourceText.from_str(text.text)
                text = text.replaced(text=(BOM if source.bom else "") + read.text)
            found[path] = text
        return found

    def check(self) -> dict[str, FileReport]:
        """The findings in all open texts and in the files that they name, by path."""
        if self._reports is None:
            try:
                reports, self._failures = self.snapshot.reports(self.texts.by_path())
                reports = self._with_half_typed(reports)
            except RunError as error:
                reports, self._failures = [], [str(error)]
            self._reports = {report.path: report for report in reports}
        return self._reports

    def _with_half_typed(self, reports: list[FileReport]) -> list[FileReport]:
        """The reports at the places that are shown, and why texts cannot be read as they are.

        Raises:
            RunError: settings are broken.
        """
        texts = {
            text.path: Shown(SourceText.from_str(text.text), self.readable(text))
            for text in self.texts.by_path().values()
            if self.readable(text).changes
        }
        if not texts:
            return reports
        found = []
        for report in reports:
            shown = as_shown(report, texts)
            if report.path in texts and report.framework is not None:
                data = self.texts.by_path()[report.path].data
                problem = self.snapshot.problem(report.framework, data, report.path)
                shown = shown.replaced(diagnostics=(*problem, *shown.diagnostics))
            found.append(shown)
        return found

    @property
    def failures(self) -> list[str]:
        """Why texts were not checked the last time."""
        return self._failures

    def report(self, text: OpenText) -> FileReport | None:
        """The findings in an open text as it is now; None when it is not a config."""
        return self.check().get(text.path)

    def run(self, text: OpenText) -> CheckedDocument | None:
        """What an open text is checked with; None when it is not a config that can be read."""
        try:
            return self.snapshot.run(text.path)
        except RunError:
            return None

    def word_of_command(self, text: OpenText, offset: int) -> tuple[str, Span] | None:
        """What is known about the key that a word of a command sets, if an open text is a script that starts a config."""
        from cfglint.server.started_files import hover_of_word

        try:
            return hover_of_word(self.snapshot, text.path, offset)
        except RunError:
            return None

    def cursors(self, text: OpenText, offset: int) -> Iterator[Cursor]:
        """What may be being written at an offset of an open text, the likeliest first.

        Args:
            offset: in code points, as in `SourceText.from_str`.
        """
        try:
            snapshot = self.snapshot
            framework = snapshot.framework(text.path)
            own = SourceText.from_str(text.text).text
            if framework is not None:
                yield from cursors_at(
                    own,
                    offset,
                    framework.language.structure,
                    lambda other: snapshot.read(text.path, other),
                    broken_at(framework),
                )
            from cfglint.server.started_files import cursors_in_words

            yield from cursors_in_words(snapshot, text.path, own, offset)
        except RunError:
            return

    def codes(self, text: OpenText, offset: int) -> tuple[Span, list[tuple[str, str]]] | None:
        """The codes that may follow in a comment that ignores findings, those of the file first.

        Returns the span of what is written of one, and (code, name of the rule) each; None where no
        such comment is open.
        """
        own = SourceText.from_str(text.text).text
        start = begun_code(own, offset)
        if start is None:
            return None
        try:
            framework = self.snapshot.framework(text.path)
        except RunError:
            return None
        report = self.report(text)
        span = Span(start, offset)
        # Not what is wrong with the comment itself.
        found = [one for one in report.diagnostics if not touches(one, span)] if report else []
        here = [(one.code, one.name) for one in found]
        every = framework.knowledge.all_rules() if framework is not None else []
        codes = {**dict(here), **{rule.code: rule.name for rule in every}}
        return span, list(codes.items())

    def fixed(self, text: OpenText) -> tuple[tuple[Any, ...], list[Diagnostic]]:
        """The edits of all safe fixes together, and the findings that have one.

        There are none while a line is half typed.
        """
        report = self.report(text) if not self.readable(text).changes else None
        found = [one for one in report.diagnostics if one.fix()] if report is not None else []
        if not found or report is None:
            return (), []
        try:
            after = self.snapshot.fixed(text.path)
        except RunError:
            return (), []
        return (line_edits(report.source, after), found) if after is not None else ((), [])

    def check_folders(
        self, folders: list[str], progress: Callable[[int, int], None]
    ) -> Iterator[list[FileReport]]:
        """Check every config in some folders, and yield after every few files for other requests.

        Only the last item has findings, and it has all; the items before it are empty.

        Args:
            progress: is called with the number of checked files and their total.
        """
        snapshot = Snapshot(self._options, self.texts.by_path(), self._files)

        def excludes(path: str) -> bool:
            try:
                return snapshot.session.settings(path).excludes(path)
            except RunError:
                return False  # reported when the file is checked

        failures: list[str] = []
        paths = [
            found.path for found in discover(folders, excludes, failures.append, snapshot.files)
        ]
        reports: list[FileReport] = []
        for start in range(0, len(paths), _BATCH):
            progress(start, len(paths))
            yield []
            found, failed = snapshot.reports(paths[start : start + _BATCH], apart=True)
            reports += found
            failures += failed
        self._failures = list(dict.fromkeys(failures))
        yield snapshot.merged(reports)
