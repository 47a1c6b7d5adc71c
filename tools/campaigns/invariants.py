"""What must hold for every input: the judge of the fuzzers.

No exception and no input that takes long; our value equals `yaml.safe_load`'s or both refuse;
every span lies in the text and findings are sorted; every format renders, without a raw control
or bidirectional character; fixing changes nothing that the fixes do not declare, and fixing again
changes nothing.
"""

from __future__ import annotations

import importlib
import json
import re
import signal
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

from cfglint.cli.options import FORMATS
from cfglint.engine.file_report import FileReport
from cfglint.engine.runner import Runner
from cfglint.engine.session import Options
from cfglint.engine.settings.nearest import SettingsFinder
from cfglint.report.run import RunReport
from cfglint.source.document import Document, Mapping, Sequence
from cfglint.source.languages.yaml import compose
from cfglint.source.problems import SourceError
from cfglint.source.text import SourceText
from tools.campaigns.corpus import fixing_problem, reading_problem

#: Anything that would steer a terminal or a log: controls but LF, bidirectional marks, breaks.
_RAW = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]"
)
#: An input of a few kilobytes that takes longer than this is a failure.
SLOW_SECONDS = 8.0


class Failure(NamedTuple):
    """An input for which something does not hold."""

    problem: str
    data: bytes


class TooLong(BaseException):
    """An input takes longer than it may; no `except Exception` on the way holds it up."""


def _too_long(_number: int, frame: FrameType | None) -> None:
    places: list[str] = []
    while frame is not None and len(places) < 6:
        places.append(f"{Path(frame.f_code.co_filename).name}:{frame.f_code.co_name}")
        frame = frame.f_back
    raise TooLong(" < ".join(places))


class Judge:
    """Checks everything that must hold for one input."""

    def __init__(self) -> None:
        self.runner = Runner(Options(framework="axolotl"), SettingsFinder(isolated=True))
        session = self.runner.session
        self.framework = session.framework("axolotl")
        self.target = session.environment(self.framework, session.settings("-"))[0]
        self.counts: Counter[str] = Counter()
        self._renderers: list[tuple[str, Callable[[RunReport], str]]] = [
            (name, importlib.import_module(f"cfglint.report.formats.{name}").render)
            for name in FORMATS
        ]

    def problem(self, data: bytes) -> str | None:
        """What does not hold for an input; None when everything does."""
        # Time of the processor, so that a busy machine makes no input slow.
        previous = signal.signal(signal.SIGVTALRM, _too_long)
        signal.setitimer(signal.ITIMER_VIRTUAL, SLOW_SECONDS)
        try:
            return self._problem(data)
        except TooLong as error:
            if str(error).startswith("constructor.py:flatten_mapping"):
                self.counts["oracle too slow"] += 1  # merges of merges, which we refuse
                return None
            return f"takes too long: {error}"
        except Exception as error:  # whatever an input does to us is a failure
            frames = traceback.extract_tb(error.__traceback__)
            last = frames[-1]
            place = f"{Path(last.filename).name}:{last.lineno} {last.name}"
            return f"{type(error).__name__} in {place}: {str(error)[:200]}"
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            signal.signal(signal.SIGVTALRM, previous)

    def _problem(self, data: bytes) -> str | None:
        report = self.runner.check_bytes(data, "a.yml", named=True)
        if report is None:
            return "a named file is skipped"
        self.counts["findings"] += len(report.diagnostics)
        if any(found.name == "rule-failed" for found in report.diagnostics):
            return "a rule failed: " + next(
                found.message for found in report.diagnostics if found.name == "rule-failed"
            )
        problem = _findings_problem(report) or self._rendering_problem(report)
        if problem is not None:
            return problem
        try:
            source = SourceText.from_bytes(data)
        except SourceError:
            self.counts["no text"] += 1
            return None
        problem = reading_problem(source)
        if problem is not None:
            return problem
        try:
            document = compose(source)
        except SourceError:
            self.counts["unreadable"] += 1
            return None
        self.counts["read"] += 1
        problem = _document_problem(document)
        if problem is not None:
            return problem
        for unsafe in (False, True):
            problem, counts = fixing_problem(source, self.framework, self.target, unsafe=unsafe)
            self.counts.update(counts)
            if problem is not None:
                return problem
        return None

    def _rendering_problem(self, report: FileReport) -> str | None:
        run = RunReport([report], [])
        for name, render in self._renderers:
            text = render(run)
            if _RAW.search(text):
                found = _RAW.search(text)
                assert found is not None
                return f"{name}: a raw {found.group()!r} in the report"
            if name == "github" and not all(
                line.startswith("::") for line in text.splitlines() if line
            ):
                return "github: a line that is not a command"
            if name == "json":
                json.loads(text)
        return None


def _findings_problem(report: FileReport) -> str | None:
    """What is wrong with the places of the findings."""
    size = len(report.source.text)
    last: tuple[Any, ...] = ()
    for found in report.diagnostics:
        for start, end in (found.span, *(related.span for related in found.related)):
            if not 0 <= start <= end <= size:
                return f"{found.code}: the span {start}-{end} leaves the text of {size}"
        order = (found.span.start, found.span.end, found.code)
        if order < last:
            return "the findings are not sorted"
        last = order
        for fix in found.fixes:
            position = 0
            for edit in fix.edits:
                if not position <= edit.start <= edit.end <= size:
                    return f"{found.code}: the edit {edit.start}-{edit.end} does not fit"
                position = edit.end
            if fix.refused and fix.edits:
                return f"{found.code}: a refused fix with edits"
    return None


def _document_problem(document: Document) -> str | None:
    """What is wrong with the spans of a document."""
    size = len(document.text)
    for path, _, node in document.walk():
        if not 0 <= node.start <= node.end <= size:
            return f"the span {node.span} of {path} leaves the text"
        children: list[tuple[int, int]] = []
        if isinstance(node, Mapping):
            for entry in node.entries:
                children += [entry.key.span, entry.value.span]
        elif isinstance(node, Sequence):
            children += [item.span for item in node.items]
        position = node.start
        for start, end in children:
            if start < position or end > node.end:
                return f"{path}: a child at {start}-{end} overlaps or leaves {node.span}"
            position = max(position, end)
    return None


def shortened(judge: Judge, failure: Failure, seconds: float = 20.0) -> Failure:
    """A smaller input with the same kind of failure."""
    kind = kind_of(failure.problem)
    data = failure.data
    deadline = time.monotonic() + seconds
    for separator in (b"\n", b""):
        chunk = 64
        while chunk >= 1 and time.monotonic() < deadline:
            parts = (
                data.splitlines(keepends=True)
                if separator
                else [data[i : i + 1] for i in range(len(data))]
            )
            index = 0
            while index < len(parts) and time.monotonic() < deadline:
                smaller = b"".join(parts[:index] + parts[index + chunk :])
                problem = judge.problem(smaller)
                if problem is not None and kind_of(problem) == kind:
                    failure = Failure(problem, smaller)
                    data = smaller
                    del parts[index : index + chunk]
                else:
                    index += chunk
            chunk //= 2
    return failure


def kind_of(problem: str) -> str:
    """A problem without the particulars of its input."""
    return re.sub(r"[\d'\"(].*", "", problem)[:60]
