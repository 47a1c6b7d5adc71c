"""What an agent may ask: each function returns what the command of the same name prints for it.

Paths count from the current folder. Everything is read again for each call.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Sequence
from functools import wraps
from typing import ParamSpec

from cfglint.answers.preflight.judging import preflight as judged
from cfglint.answers.preflight.launched import of_command, of_path
from cfglint.answers.preflight.rendering import render_agent
from cfglint.api.explaining import explained, symptom_pages
from cfglint.cli.diagnose import agent_text
from cfglint.cli.effective import effective_text
from cfglint.cli.fit import fit_text
from cfglint.cli.keys import listed
from cfglint.cli.options import split_list
from cfglint.engine.files_together.discovery import discover
from cfglint.engine.launches.fixing_scripts import with_scripts_fixed
from cfglint.engine.runner import Runner
from cfglint.engine.session import Options, RunError, Session
from cfglint.engine.settings.nearest import SettingsError, SettingsFinder
from cfglint.report.escaping import visible
from cfglint.report.formats import agent
from cfglint.report.pages import key_list
from cfglint.report.run import RunReport
from cfglint.report.style import Style
from cfglint.source.files.disk import Disk
from cfglint.source.files.folders import is_inside

_P = ParamSpec("_P")
_PLAIN, _WIDTH = Style(color=False), 100


def _answering(function: Callable[_P, str]) -> Callable[_P, str]:
    """What keeps a function from answering becomes a ValueError, whose text the agent reads."""

    @wraps(function)
    def answer(*arguments: _P.args, **options: _P.kwargs) -> str:
        try:
            return function(*arguments, **options)
        except (RunError, SettingsError) as error:
            raise ValueError(visible(str(error))) from None

    return answer


@_answering
def preflight(
    command: str, target: str | Sequence[str] = (), gpus: int | None = None, gpu: str | None = None
) -> str:
    """Judge whether a run may start: its command line, or the path of its config or script.

    Nothing is run. The last line is the verdict: `start`, `do not start`, or `undecided` with what
    would decide it. Call this before every start of a training.

    Args:
        command: the whole command as it would be typed, or one path.
        target: versions as PACKAGE==VERSION, or `installed` for those of this Python environment.
        gpus: how many GPUs the run has, over all nodes.
        gpu: their kind, such as `h100`.
    """
    files = Disk()
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise RunError(f"the command cannot be split into words: {error}") from None
    if not words:
        raise RunError("the command is empty")
    one_path = len(words) == 1 and files.exists(words[0])
    launched = of_path(words[0], files) if one_path else of_command(words, files)
    return render_agent(judged(launched, _options(target, gpus, gpu), files))


@_answering
def check(
    path: str, target: str | Sequence[str] = (), gpus: int | None = None, gpu: str | None = None
) -> str:
    """Check a config, a launch script, a Python program, or all of them below a folder.

    One line for each finding: `path:line: CODE severity: message | replace "before" with "after" (safe)`.

    Args:
        path: a file or a folder.
        target: versions as PACKAGE==VERSION, or `installed` for those of this Python environment.
        gpus: how many GPUs the run has, over all nodes.
        gpu: their kind, such as `h100`.
    """
    return agent.render(_checked(path, _options(target, gpus, gpu)))


@_answering
def fix(path: str, unsafe: bool = False, target: str | Sequence[str] = ()) -> str:
    """Make the safe repairs of a file below the current folder, and check it again.

    Args:
        path: a file.
        unsafe: make also the repairs that change what the run does; ask the user first.
        target: versions as PACKAGE==VERSION, or `installed` for those of this Python environment.
    """
    files = Disk()
    if not is_inside(os.path.abspath(path), os.getcwd(), files):
        raise RunError(f"{path}: only files below {os.getcwd()} are repaired")
    if not files.is_file(path):
        raise RunError(f"{path}: no such file")
    options = _options(target, None, None).replaced(fix=True, unsafe_fixes=unsafe)
    run = _checked(path, options)
    made = [f"fixed {file.path}:{one.line}: {one.code} {one.title}" for file, one in run.applied()]
    return "".join(f"{visible(line)}\n" for line in made) + agent.render(run)


@_answering
def diagnose(
    path: str = "",
    text: str = "",
    configs: str | Sequence[str] = (),
    target: str | Sequence[str] = (),
    gpus: int | None = None,
    gpu: str | None = None,
) -> str:
    """Say why a run ended, from its log: one line for each failure, with its cause and what to do.

    Args:
        path: that of the log; empty when `text` is given.
        text: the log itself, or its last hundred lines.
        configs: the paths of the run's configs and of the script that started it; what the log names when none is given.
        target: versions as PACKAGE==VERSION; those that the log states when none is given.
        gpus: how many GPUs the run had, over all nodes.
        gpu: their kind, such as `h100`.
    """
    if bool(path) == bool(text):
        raise RunError("give either the path of a log or its text")
    paths = (configs,) if isinstance(configs, str) else tuple(configs)
    options = _options(target, gpus, gpu)
    named = tuple(map(_path, filter(None, paths)))
    return agent_text(_path(path) if path else "log", named, options, text or None)


@_answering
def explain(
    subject: str = "",
    symptom: str = "",
    target: str | Sequence[str] = (),
    framework: str | None = None,
) -> str:
    """Explain a rule or a key, or what an error message is a symptom of.

    Args:
        subject: a code, the name of a rule, or a key as in a file; empty when `symptom` is given.
        symptom: words of an error message.
        target: the release whose keys are explained, as PACKAGE==VERSION.
        framework: whose keys are explained; all that have the key when None.
    """
    if bool(subject) == bool(symptom):
        raise RunError("give either a subject or a symptom")
    if symptom:
        pages = symptom_pages(symptom, _targets(target), framework, _PLAIN, _WIDTH)
        return "\n".join(pages) or "no rule has a symptom with these words; try fewer of them\n"
    pages, wrong = explained((subject,), _targets(target), framework, _PLAIN, _WIDTH)
    return "\n".join(pages) if pages else visible("\n".join(wrong)) + "\n"


@_answering
def keys(subject: str, target: str | Sequence[str] = (), framework: str | None = None) -> str:
    """List what may be written, as `name:type=default`, in 2 kB.

    Args:
        subject: a framework, a command or a kind of its files, a class that programs call, or a section.
        target: the release, as PACKAGE==VERSION.
        framework: whose keys are listed, where the subject leaves that open.
    """
    words = tuple(subject.split())
    if not words:
        raise RunError("the subject is empty")
    lists, key = listed(words, _targets(target), framework)
    if key:
        return explain(key, target=target, framework=framework)
    if not lists:
        raise RunError(f"unknown subject {subject!r}")
    return "\n".join(map(key_list.render, lists))


@_answering
def effective(path: str, target: str | Sequence[str] = ()) -> str:
    """Print the configuration that the framework makes of a file, with the reason of each value.

    Args:
        path: a config.
        target: the release, as PACKAGE==VERSION.
    """
    return effective_text(_session(_options(target, None, None)), _path(path))


@_answering
def fit(
    path: str,
    gpu: str | None = None,
    gpus: int | None = None,
    target: str | Sequence[str] = (),
    advise: bool = False,
) -> str:
    """Print how much memory a run needs on each GPU, and what would need less.

    Args:
        path: a config, or a script or program that starts one run.
        gpu: the GPU to compare with, such as `h100`.
        gpus: how many of them, over all nodes; what the project states when None, or else 1.
        target: the release, as PACKAGE==VERSION.
        advise: print the cheapest changes of the file with which it probably fits the GPUs, as lines to
            remove and to add; it needs `gpu`.
    """
    return fit_text(_session(_options(target, gpus, gpu)), _path(path), _PLAIN, advise=advise)


#: The functions that only read, and the one that writes.
READING = (preflight, check, diagnose, explain, keys, effective, fit)
WRITING = fix


def _path(path: str) -> str:
    """A path; what commands read from their standard input is the protocol here."""
    if path == "-":
        raise RunError("standard input is not read; name a file")
    return path


def _targets(target: str | Sequence[str]) -> tuple[str, ...]:
    """The versions of a call: a list, or a text with one or several of them."""
    return split_list((target,) if isinstance(target, str) else tuple(target))


def _options(target: str | Sequence[str], gpus: int | None, gpu: str | None) -> Options:
    if gpus is not None and gpus < 1:
        raise RunError("gpus: at least 1")
    return Options(target=_targets(target), gpus=gpus, gpu=gpu)


def _session(options: Options) -> Session:
    return Session(options, SettingsFinder())


def _checked(path: str, options: Options) -> RunReport:
    """The report on a file, or on the files below a folder."""
    runner = Runner(options, SettingsFinder())
    runner.check_options()
    session = runner.session
    failures: list[str] = []
    found = list(
        discover(
            [path], lambda one: session.settings(one).excludes(one), failures.append, session.files
        )
    )
    runner.in_run = frozenset(one.real for one in found)
    run = RunReport([], [], options.unsafe_fixes, real=session.files.real)
    for one in found:
        report = runner.check_file(one.path, named=one.named)
        if report is not None:
            run.add(report)
        elif one.named:
            run.skipped.append(one.path)
    run.files = with_scripts_fixed(run.files, session)
    if failures and not run.files:
        raise RunError("; ".join(failures))
    return run
