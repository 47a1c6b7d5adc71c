"""The judgement on a run: its findings, its memory, and what both say about starting it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from cfglint.answers.preflight.as_written import as_written
from cfglint.answers.preflight.assuming import with_newest
from cfglint.answers.preflight.launched import MAX_SCRIPT_BYTES, Launched, RunPart
from cfglint.answers.preflight.opened import Absent, absent_files, in_words
from cfglint.base.record import Record
from cfglint.base.type_names import Any, Final, Literal
from cfglint.diagnostic import Diagnostic
from cfglint.engine.case import Case
from cfglint.engine.file_report import FileReport
from cfglint.engine.launches.overrides import as_started
from cfglint.engine.one_file import environment, known_facts
from cfglint.engine.runner import Runner
from cfglint.engine.session import Options, RunError, UnrecognizedError
from cfglint.engine.settings.nearest import SettingsFinder
from cfglint.frameworks.for_files import run_of
from cfglint.knowledge import compiled
from cfglint.knowledge.recognition import language_of
from cfglint.report.fit import Answer, answer
from cfglint.report.run import RunReport, plural
from cfglint.roles.reading.base import NotDeterminedError
from cfglint.roles.readings import Readings
from cfglint.runs.memory.planning import LEAST_SHOWN, Planner, gib
from cfglint.runs.memory.run import GIB
from cfglint.source.calls import call_of
from cfglint.source.document import Document
from cfglint.source.files.base import Files
from cfglint.source.files.nearby import decoded
from cfglint.source.files.overlay import Overlay
from cfglint.source.problems import SourceError
from cfglint.source.text import SourceText

Verdict = Literal["start", "do not start", "undecided"]
_Fits = Literal["no", "hardly", "perhaps"]
_PERHAPS: Final = "perhaps"
_NOTHING: Final = "it has nothing that cfglint reads"
_NOT_COUNTED: Final = "not counted, as the number of GPUs is not known; state --gpus N"
#: The rules for words that a command does not have.
_SLIPS: Final = ("misspelt-command", "misspelt-launcher-option")
#: The finding that says what the verdict on the memory of a file says.
_TOO_LARGE: Final = "does-not-fit"
#: The exit code of each verdict.
EXIT_CODES: dict[Verdict, int] = {"start": 0, "do not start": 1, "undecided": 2}


class MemoryVerdict(Record):
    """What is known about a config's need for memory."""

    path: str
    #: The package and the release that decide.
    release: str
    #: None where nothing is known, for the reason in `words`.
    answer: Answer | None
    document: Document
    #: The verdict in one line.
    words: str
    #: Whether it speaks against a start: certainly, or as far as an estimate goes.
    fits: _Fits


class Preflight(Record):
    """The judgement on a run."""

    launched: Launched
    run: RunReport
    memory: tuple[MemoryVerdict, ...]
    #: Path -> why a file of the run is not judged.
    unread: tuple[tuple[str, str], ...]
    #: What speaks against a start.
    against: tuple[str, ...]
    #: What could not be judged, each with what would decide it.
    doubts: tuple[str, ...]

    @property
    def verdict(self) -> Verdict:
        return "do not start" if self.against else "undecided" if self.doubts else "start"


def preflight(
    launched: Launched, options: Options, files: Files, *, config: str | None = None
) -> Preflight:
    """Judge a run.

    Args:
        config: the settings file to use; None looks for one around each file.

    Raises:
        RunError: an option cannot be understood.
        SettingsError: the settings file cannot be used.
    """
    texts = dict((*launched.texts, *launched.called))
    under = files
    if texts or launched.folder is not None:
        under = Overlay(texts, files, working=launched.folder)
    options = options.replaced(script=launched.script)
    finder = SettingsFinder(config=config, files=under)
    runner = Runner(options, finder)
    runner.check_options()
    run, unread = _checked(runner, launched)
    memory = tuple(found for file in run.files for found in _memory(runner, file))
    absent = tuple(_absent(runner, launched, run))
    against = (
        *_against(launched, run, memory),
        *in_words(absent, fails=True),
        *_too_large(memory),
    )
    doubts = [*_doubts(launched, run, unread), *in_words(absent, fails=False), *_unsure(memory)]
    if not against:
        doubts += _with_newest(launched, run, options, finder)
    _with_own_lines(run, launched, files)
    return Preflight(launched, run, memory, tuple(unread.items()), against, tuple(doubts))


def _checked(runner: Runner, launched: Launched) -> tuple[RunReport, dict[str, str]]:
    """The report on the files of a run, and why some are not judged."""
    real = runner.session.files.real
    present = [part for part in launched.parts if not part.missing]
    present.sort(key=_may_be_named)
    runner.in_run = frozenset(real(part.path) for part in present if not _may_be_named(part))
    run = RunReport([], [], real=real, fail_on="error")
    run.instead = {f"{os.path.basename(path)} line 1": "the command" for path, _ in launched.texts}
    unread: dict[str, str] = {}
    commands: list[RunPart] = []
    for part in present:
        named = (one.path for file in run.files for one in file.names)
        if _may_be_named(part) and any(real(part.path) == real(one) for one in named):
            continue  # it was checked with what names it, for the release that goes with that
        try:
            reader = runner.reading_as(part.framework) if part.framework else runner
            report = reader.check_file(part.path, named=_is_certain(part))
        except UnrecognizedError as error:
            unread[part.path] = str(error).removeprefix(f"{part.path}: ")
            continue
        except RunError as error:
            run.failures.append(str(error))
            continue
        if report is not None:
            run.add(report)
        elif part.role in ("command", "script"):
            commands.append(part)
            if len(launched.parts) == 1:
                unread[part.path] = _why_unread(reader, part)
        else:
            unread[part.path] = _why_unread(reader, part)
    for part in commands:
        for report in _with_programs(runner, part, run):
            run.add(report)
    return run, unread


def _with_own_lines(run: RunReport, launched: Launched, files: Files) -> None:
    """Have the findings in a script that was read as it is called fit the lines of the file."""
    called = {files.real(path): path for path, _ in launched.called}
    for place, file in enumerate(run.files):
        path = called.get(files.real(file.path))
        if path is None:
            continue
        try:
            written = SourceText.from_bytes(files.read(path, MAX_SCRIPT_BYTES))
        except (OSError, SourceError):
            run.files[place] = file.without_fixes()
            continue
        run.files[place] = file.without_fixes() if launched.filled else as_written(file, written)


def _may_be_named(part: RunPart) -> bool:
    """Whether another file of the run may be what has a file read."""
    return part.role == "file" and part.path.endswith(".json")


def _why_unread(reader: Runner, part: RunPart) -> str:
    why = reader.reasons.get(part.path)
    return f"{why}; not checked" if why else _NOTHING


def _with_programs(runner: Runner, part: RunPart, run: RunReport) -> Iterator[FileReport]:
    """The report on a command whose options are too few to tell whose they are, as its program reads them."""
    rows = compiled.load("frameworks").FRAMEWORKS
    readers = (file.framework for file in run.files if language_of(file.path) == "python")
    of_both = (name for name in readers if name and rows[name]["of_sections"])
    name = next((name for name in of_both if rows[name]["scripts"]), None)
    if name is not None:
        report = runner.reading_as(name).check_file(part.path, named=True)
        if report is not None:
            yield report


def _with_newest(
    launched: Launched, run: RunReport, options: Options, finder: SettingsFinder
) -> Iterator[str]:
    """The errors that there are if the newest releases run of what no file states."""

    def check(releases: tuple[str, ...]) -> RunReport:
        more = options.replaced(target=options.target + releases)
        return _checked(Runner(more, finder), launched)[0]

    return with_newest(run, check)


def _is_certain(part: RunPart) -> bool:
    """Whether a file is one that a framework reads, whatever its keys."""
    return part.role in ("config", "launcher settings") and not part.path.endswith(
        (".py", ".ipynb")
    )


def _absent(runner: Runner, launched: Launched, run: RunReport) -> Iterator[Absent]:
    """The files that those of the run have it open, and that are not there."""
    reported = frozenset(part.path for part in launched.parts if part.missing)
    is_script = any(part.role == "script" for part in launched.parts)
    script = None
    if is_script and launched.script is not None:
        script = decoded(launched.script, MAX_SCRIPT_BYTES, runner.session.files)
    for file in run.files:
        read = _run_in(runner, file)
        if read is not None:
            yield from absent_files(file.path, *read, script=script, reported=reported)


def _memory(runner: Runner, file: FileReport) -> Iterator[MemoryVerdict]:
    """What is known about the memory of a config or a program, as its command completes it."""
    read = _run_in(runner, file)
    if read is None:
        return
    case, document = read
    readings = case.framework.readings
    planner = readings.planner(document, case.target, case.around)
    facts = known_facts(document, case.target, case.around)
    release = f"{case.target.releases.package} {case.target.release}"
    if planner is None:
        is_never = readings.has_run and type(readings).planner is Readings.planner
        if is_never and "gpu" in facts:
            words = f"not counted: {readings.not_answered('fit')}"
            yield MemoryVerdict(file.path, release, None, document, words, _PERHAPS)
        return
    alone = call_of(document.root) is None and document.language.structure != "words"
    # A launcher may take all GPUs that there are.
    counted = "gpus" in facts or alone
    found, words, fits = _judged(planner, facts) if counted else (None, _NOT_COUNTED, _PERHAPS)
    yield MemoryVerdict(file.path, release, found, document, words, fits)


def _run_in(runner: Runner, file: FileReport) -> tuple[Case, Document] | None:
    """The config that a file is, or the one run of a program; None where it has none."""
    if file.framework is None:
        return None
    case = runner.session.case(file.framework, file.path)
    try:
        language = case.framework.parsing.language_for(file.source.text, case.target, case.around)
        document = language.read(file.source)
        run = run_of(document)
    except (SourceError, NotDeterminedError):
        return None
    if run is not None:
        target, around = environment(runner.session, run[0], file.path)
        case = case.replaced(framework=run[0], target=target, around=around)
        document = run[1]
    if case.target.foreign_version is not None:
        return None
    if run is None and case.around.launches and not case.framework.in_scripts:
        document = as_started(document, case)
    return case, document


def _judged(planner: Planner, facts: Mapping[str, Any]) -> tuple[Answer | None, str, _Fits]:
    """What a run needs, in words, and whether it fits."""
    found = answer(planner, facts)
    gpus = facts.get("gpus", 1)
    run = planner.run(gpus)
    if found is None or run is None:
        return (None, *_unknown(planner.obstacle(gpus)))
    if found.needed.total < LEAST_SHOWN and found.expected is None:
        return (found, *_unknown(found.divided.text))
    counted, folder = "gpus" in facts, run.shape.by_folder
    return (found, *_in_words(found, counted=counted, may_move=run.may_move, folder=folder))


def _unknown(reason: str) -> tuple[str, _Fits]:
    return f"nothing is certain: {reason}", _PERHAPS


def _in_words(found: Answer, *, counted: bool, may_move: bool, folder: str) -> tuple[str, _Fits]:
    """The verdict on a config's memory, and whether it fits.

    Args:
        counted: how many GPUs the run has is known.
        may_move: what does not fit may be put elsewhere.
        folder: the name of the folder that the model is known by alone.
    """
    each = "the GPU" if found.gpus == 1 else f"each of {found.gpus} GPUs"
    need = f"at least {gib(found.needed.total)}"
    if found.expected is not None:
        need += f", probably about {gib(found.expected.likely)}"
    need += f" on {each}"
    if found.memory is None:
        count = "" if counted else " and --gpus N"
        return f"{need}; state --gpu NAME{count} to compare that with what there is", _PERHAPS
    need += f"; {found.gpu} has {found.memory} GiB"
    if found.fits is False and may_move:
        return f"{need}: it fits only with a part of it elsewhere", "hardly"
    if found.fits is False and folder:
        return f"{need}: it does not fit if `{folder}` is the model of that name", "hardly"
    if found.fits is False:
        return f"{need}: it does not fit", "no"
    if found.expected is None:
        return f"{need}: it is not known whether the rest fits", _PERHAPS
    if found.expected.likely > found.memory * GIB:
        return f"{need}: it probably does not fit", "hardly"
    sure = found.expected.high <= found.memory * GIB
    return f"{need}: {'it probably fits' if sure else 'it may just fit'}", _PERHAPS


def _too_large(memory: tuple[MemoryVerdict, ...]) -> Iterator[str]:
    return (f"{one.path} does not fit" for one in memory if one.fits == "no")


def _unsure(memory: tuple[MemoryVerdict, ...]) -> Iterator[str]:
    for one in memory:
        if one.fits == "hardly":
            yield (
                f"{one.path} probably does not fit; `cfglint fit` lists what would need less, and a"
                " short run decides"
            )


def _against(
    launched: Launched, run: RunReport, memory: tuple[MemoryVerdict, ...]
) -> Iterator[str]:
    """What certainly makes the run fail, or makes it another one than was asked for."""
    yield from (one.text for one in launched.unknown if one.fails)
    for part in launched.parts:
        if part.fails:
            yield f"{part.path}: {part.missing}"
    too_large = {one.path for one in memory if one.fits == "no"}
    reported = _SLIPS if any(one.fails for one in launched.unknown) else ()
    errors = sum(
        run.fails(file, one)
        for file in run.files
        for one in file.diagnostics
        if one.name not in reported and (one.name != _TOO_LARGE or file.path not in too_large)
    )
    if errors:
        yield plural(errors, "error")


def _doubts(launched: Launched, run: RunReport, unread: dict[str, str]) -> Iterator[str]:
    """What could not be judged, with what would decide it."""
    yield from (one.text for one in launched.unknown if not one.fails)
    yield from run.failures
    for part in launched.parts:
        if part.missing and not part.fails:
            yield f"{part.path}: {part.missing}"
        elif part.path in unread and _is_certain(part):
            yield f"{part.path}: {unread[part.path]}"
    if not run.files and not run.failures:
        yield "nothing that cfglint reads was found; name the config, or the script that starts it"
    foreign = {
        f"{file.target.releases.package} {file.target.foreign_version}"
        for file in run.files
        if file.target.foreign_version is not None
    }
    if foreign:
        yield f"no data about {', '.join(sorted(foreign))}; its keys are not checked"
    lowered = [one for file in run.files for one in file.diagnostics if _is_doubtful(one)]
    needs = dict.fromkeys(need for one in lowered for need in one.needs)
    if lowered:
        options = f"; state {' and '.join(needs)}" if needs else ""
        yield f"{plural(len(lowered), 'finding')} may be an error{options}"


def _is_doubtful(found: Diagnostic) -> bool:
    """Whether a finding would be an error if more were known, and may be one now."""
    lowered = found.severity != "error" and found.own_severity == "error"
    return lowered and not found.other_releases and not found.preview
