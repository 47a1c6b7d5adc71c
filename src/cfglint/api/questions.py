r"""The public questions about a run: what its file means, whether it fits, how it moves on, why it ended.

Each function answers as the command of the same name does, and returns what that prints as values.

Example:
    >>> from cfglint import effective
    >>> text = "base_model: a/b\ndatasets: [{path: c/d, type: alpaca}]\nmicro_batch_size: 1\n"
    >>> report = effective("train.yml", text=text)
    >>> report.value("sequence_len")
    512
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterable

from cfglint.answers.logs.diagnosis import RunDiagnosis
from cfglint.answers.logs.diagnosis import diagnose as diagnosed
from cfglint.answers.resolved.made import made
from cfglint.api.diagnosing import config_of_log, reports_on, versions_given
from cfglint.api.explaining import explained, symptom_pages
from cfglint.api.fitting import Fitting
from cfglint.api.linter import NAMELESS, encoded, number, string, strings
from cfglint.api.migrating import Ends, migrated
from cfglint.api.reports import EffectiveReport, ExplainReport, FitReport, MigrationReport
from cfglint.engine.one_file import config_of
from cfglint.engine.session import Options, RunError, Session
from cfglint.engine.settings.nearest import SettingsError, SettingsFinder
from cfglint.report.style import Style
from cfglint.source.files.disk import open_stream
from cfglint.source.files.links import read_inside
from cfglint.source.text import MAX_BYTES

_PLAIN, _WIDTH = Style(color=False), 100


def effective(
    path: str | os.PathLike[str] | None = None,
    *,
    text: str | None = None,
    target: str | Iterable[str] = (),
    gpus: int | None = None,
    gpu: str | None = None,
) -> EffectiveReport:
    """The configuration that the framework makes of a file.

    Args:
        path: the file, or what the text is called: its suffix tells JSON and scripts from YAML.
        text: its contents; then nothing around it is read. None: it is read from the disk, with
            the project around it.
        target: versions as PACKAGE==VERSION; the newest release when none is given.
        gpus: how many GPUs the run has, over all nodes.
        gpu: their kind, such as `h100`.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: it is not a config whose configuration is known, or a version or a GPU is not.
        OSError: the file cannot be read.
    """
    name, data, session = _opened(path, text, target, gpus, gpu)
    try:
        document, framework = config_of(session, name, data, any_release=True)
        return EffectiveReport.of(name, document, made(session, document, framework, name))
    except (RunError, SettingsError) as error:
        raise ValueError(str(error)) from None


def fit(
    path: str | os.PathLike[str] | None = None,
    *,
    text: str | None = None,
    target: str | Iterable[str] = (),
    gpus: int | None = None,
    gpu: str | None = None,
    advise: bool = False,
) -> FitReport:
    """How much memory a run needs on each GPU, with the measured runs that are the nearest.

    Args:
        advise: also find the changes of the file with which the run fits; needs `gpu`.

    The other arguments are those of `effective`; without `gpus`, one is assumed.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: nothing is certain about the run, or a version or a GPU is not known.
        OSError: the file cannot be read.
    """
    name, data, session = _opened(path, text, target, gpus, gpu)
    try:
        found = Fitting.of_document(session, name, *config_of(session, name, data))
        advice = found.advice() if advise else None
    except (RunError, SettingsError) as error:
        raise ValueError(str(error)) from None
    return FitReport(name, found.release, found.answer, found.measured(), advice)


def migrate(
    path: str | os.PathLike[str] | None = None,
    *,
    text: str | None = None,
    to: str | Iterable[str] = (),
    from_: str | Iterable[str] = (),
    unsafe: bool = False,
    gpus: int | None = None,
) -> MigrationReport:
    """Migrate a config to another release of its framework. No file is written.

    Args:
        to: the release, as PACKAGE==VERSION or VERSION; the newest when none is given.
        from_: the release that it is from; found in the project, or from keys and values, when None.
        unsafe: take also the steps that a person should review.

    The other arguments are those of `effective`.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: it is not a config of a framework, or a version is not known.
        OSError: the file cannot be read.
    """
    name, data = _contents(path, text)
    finder = SettingsFinder(isolated=text is not None)
    try:
        ends = Ends(strings("from_", from_), strings("to", to), number("gpus", gpus), finder)
        return MigrationReport.of(migrated(name, data, ends, unsafe=unsafe))
    except (RunError, SettingsError) as error:
        raise ValueError(str(error)) from None


def explain(
    subject: str = "",
    *,
    symptom: str = "",
    target: str | Iterable[str] = (),
    framework: str | None = None,
) -> ExplainReport:
    """Explain a rule, a family of rules or a key, or what an error message is a symptom of.

    Args:
        subject: a code, a prefix of codes, the name of a rule, or a key as in a file.
        symptom: words of an error message, instead of a subject.
        target: the release whose keys are explained.
        framework: whose keys are explained; all that have the key when None.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: there is no such rule or key, nothing has the symptom, or a version is not known.
    """
    if bool(string("subject", subject)) == bool(string("symptom", symptom)):
        raise ValueError("give either a subject or a symptom")
    releases, only = strings("target", target), string("framework", framework)
    try:
        if symptom:
            pages = symptom_pages(symptom, releases, only, _PLAIN, _WIDTH)
            wrong = [] if pages else ["no rule has a symptom with these words"]
        else:
            pages, wrong = explained((subject,), releases, only, _PLAIN, _WIDTH)
    except (RunError, SettingsError) as error:
        raise ValueError(str(error)) from None
    if wrong:
        raise ValueError(wrong[0])
    return ExplainReport(subject or symptom, tuple(pages))


def diagnose(
    log: str | os.PathLike[str] | None = None,
    configs: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] = (),
    *,
    text: str | None = None,
    target: str | Iterable[str] = (),
    gpus: int | None = None,
    gpu: str | None = None,
) -> RunDiagnosis:
    """The probable causes of the end of a run, from its log.

    Args:
        log: the log's path.
        configs: the files of the run; the one that the log names when none is given.
        text: the log itself, instead of its path.

    The other arguments are those of `effective`; the log's own statements count without them.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: a version or a GPU is not known, or a config cannot be used.
        OSError: the log cannot be read.
    """
    listed = [configs] if isinstance(configs, (str, os.PathLike)) else configs
    files = tuple(os.fspath(path) for path in listed)
    options = Options(
        target=strings("target", target), gpus=number("gpus", gpus), gpu=string("gpu", gpu)
    )
    if (log is None) == (text is None):
        raise TypeError("give either the path of a log or its text")
    try:
        with io.BytesIO(encoded(text)) if log is None else open_stream(os.fspath(log)) as stream:
            return diagnosed(
                stream,
                lambda stated: reports_on(
                    files or (() if log is None else config_of_log(stated)),
                    options,
                    SettingsFinder(),
                    stated,
                ),
                versions_given(options.target),
            )
    except (RunError, SettingsError) as error:
        raise ValueError(str(error)) from None


def _opened(
    path: str | os.PathLike[str] | None,
    text: str | None,
    target: str | Iterable[str],
    gpus: int | None,
    gpu: str | None,
) -> tuple[str, bytes, Session]:
    """The name and the contents of a file, and what it is checked with.

    Raises:
        ValueError: the options are not understood.
        OSError: the file cannot be read.
    """
    options = Options(
        target=strings("target", target), gpus=number("gpus", gpus), gpu=string("gpu", gpu)
    )
    name, data = _contents(path, text)
    return name, data, Session(options, SettingsFinder(isolated=text is not None))


def _contents(path: str | os.PathLike[str] | None, text: str | None) -> tuple[str, bytes]:
    """What a file is called, and its bytes: those of the text, or of the file on the disk."""
    if text is not None:
        return NAMELESS if path is None else os.fspath(path), encoded(text)
    if path is None:
        raise TypeError("give the path of a file, or its text")
    name = os.fspath(path)
    return name, read_inside(name, MAX_BYTES + 1, SettingsFinder().files)
