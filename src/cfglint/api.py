r"""The public API: check or fix a text or a file from Python.

Example:
    >>> from cfglint import lint_text
    >>> report = lint_text("base_model: a/b\nlearning_ratee: 0.1\n", select=["KEY"])
    >>> [finding.code for finding in report.diagnostics]
    ['KEY001']
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable

from cfglint.diagnostic import CONFIDENCES, ConfidenceName, Diagnostic
from cfglint.engine.runner import AppliedFix, FileReport, Options, RunError, Runner
from cfglint.engine.settings import SettingsFinder
from cfglint.record import Record
from cfglint.report.run import RunReport

__all__ = ["FileReport", "FixReport", "fix_text", "lint_file", "lint_text"]


class FixReport(Record):
    """The result of fixing a text."""

    #: The text after all fixes; the one that was given when there was nothing to fix.
    text: str
    #: What was done, in order.
    fixed: tuple[AppliedFix, ...]
    #: The findings that remain.
    diagnostics: list[Diagnostic]


def lint_text(
    text: str,
    *,
    target: Iterable[str] = (),
    gpus: int | None = None,
    gpu: str | None = None,
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    min_confidence: ConfidenceName | None = None,
) -> FileReport:
    """Check a configuration given as text. Settings files are not looked for.

    Args:
        text: YAML.
        target: versions, such as `torch==2.6.0`; the newest release when none is given.
        gpus: how many GPUs the run has, over all nodes.
        gpu: their kind, such as `h100`.
        select: codes, prefixes of codes or names of the only rules to use.
        ignore: codes, prefixes or names of rules to leave out.
        min_confidence: `high`, `medium` or `low`; None leaves out notes of low confidence only.

    Raises:
        ValueError: a version, a GPU or a rule is not known.
    """
    return _check_text(text, _options(target, gpus, gpu, select, ignore, min_confidence))


def lint_file(
    path: str | os.PathLike[str],
    *,
    target: Iterable[str] = (),
    gpus: int | None = None,
    gpu: str | None = None,
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    min_confidence: ConfidenceName | None = None,
) -> FileReport:
    """Check a configuration file, with the settings of the project around it.

    Arguments are those of `lint_text`.

    Raises:
        ValueError: a version, a GPU, a rule or the project's settings file is not usable.
        OSError: the file cannot be read.
    """
    name = os.fspath(path)
    finder = SettingsFinder()
    state = finder.files.state(name)
    if state is not None and state.kind != "file":
        raise OSError(errno.EINVAL, "not a regular file", name)
    finder.files.read(name, 0)  # raises what is wrong with it
    options = _options(target, gpus, gpu, select, ignore, min_confidence)
    try:
        report = Runner(options, finder).check_file(name, named=True)
    except RunError as error:
        raise ValueError(str(error)) from None
    own, *others = RunReport([_recognised(report)], [], real=finder.files.real).files
    return own.replaced(elsewhere=tuple(others))


def fix_text(
    text: str,
    *,
    unsafe: bool = False,
    target: Iterable[str] = (),
    gpus: int | None = None,
    gpu: str | None = None,
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    min_confidence: ConfidenceName | None = None,
) -> FixReport:
    """Fix a configuration given as text.

    Args:
        unsafe: apply also the fixes that a person should look at.

    The other arguments are those of `lint_text`.

    Raises:
        ValueError: a version, a GPU or a rule is not known.
    """
    options = _options(target, gpus, gpu, select, ignore, min_confidence)
    report = _check_text(text, options.replaced(fix=True, unsafe_fixes=unsafe))
    source = report.fixed_source
    if source is not None:
        # The text that was given stays when there is nothing to fix, or nothing can be read.
        text = ("\ufeff" if source.bom else "") + source.text
    return FixReport(text, report.fixed, report.diagnostics)


def _options(
    target: Iterable[str],
    gpus: int | None,
    gpu: str | None,
    select: Iterable[str],
    ignore: Iterable[str],
    min_confidence: ConfidenceName | None,
) -> Options:
    if min_confidence is not None and min_confidence not in CONFIDENCES:
        raise ValueError(f"min_confidence is one of {', '.join(CONFIDENCES)}")
    options = Options(tuple(target), gpus, gpu, tuple(select), tuple(ignore))
    return options.replaced(min_confidence=min_confidence)


def _check_text(text: str, options: Options) -> FileReport:
    runner = Runner(options, SettingsFinder(isolated=True))
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError:
        data = text.encode("utf-8", "surrogatepass")
    try:
        report = runner.check_bytes(data, "<text>", named=True)
    except RunError as error:
        raise ValueError(str(error)) from None
    return _recognised(report)


def _recognised(report: FileReport | None) -> FileReport:
    """The report of a file that some framework takes for one of its own.

    Raises:
        ValueError: none does.
    """
    if report is None:
        raise ValueError("this is no config of a framework that cfglint knows")
    return report
