"""The effect of a launch line's options on the findings of the config that it starts.

A config is also checked as each launch line would run it: with the words of the line as a layer on top of
the config's settings. What affects no such run is not a finding; what affects only such a run is reported
in the launch file, at the option that causes it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator

from cfglint.base.lazy import lazy_pattern
from cfglint.base.logic import UNKNOWN
from cfglint.base.record import Record
from cfglint.base.type_names import Any
from cfglint.checks.slips import SET_AS_WELL
from cfglint.diagnostic import Diagnostic, Edit, Fix, OtherFile, as_note, at_least
from cfglint.engine.case import Case
from cfglint.engine.launches.word_repairs import StartedRun
from cfglint.environment.project_texts import text_of_script
from cfglint.environment.surroundings import Surroundings
from cfglint.frameworks.for_files import for_document
from cfglint.knowledge.recognition import language_of
from cfglint.runs.settings.merged import merged, source_map
from cfglint.runs.settings.words import Override, layer_of_words
from cfglint.runs.starts.start import Start
from cfglint.source.document import Document, Path, format_path
from cfglint.source.languages.base import Unwritable
from cfglint.source.text import SourceText, Span

#: Runs with different options that are examined. Of more, those count as the same that differ only in
#: options with more values than this: a port, a seed, a rate that is tried out.
_MAX_RUNS = 6
#: Rules about how a file is written, and its comments; a launch line has no part in that.
_OF_THE_TEXT = ("CFG", "YML")
#: Rules about a key and its value alone, which the place of the finding states.
_OF_ONE_KEY = ("KEY", "TYP")
#: What a command that was taken out has, and no sentence.
_COMMAND = lazy_pattern(r"\.py\b|\\$|--\w[^\n]{0,200}[ \t]--\w|\b(?:launch|run|torchrun)[ \t]+-")
_SAYS = lazy_pattern(r"[^\W\d_]{2}")
_Key = tuple[str, Path, str]


class _Words(Record):
    """One launch line, and the words that it lays over the config."""

    line: Start
    overrides: tuple[Override, ...]
    #: The keys that it sets to values which are not known.
    unknown: tuple[Path, ...]


class _Started(Record):
    """One launch line, and what is found when it runs the config."""

    line: Start
    overrides: tuple[Override, ...]
    diagnostics: list[Diagnostic]
    #: The line that was examined for it, which has the same words.
    first: _Words


def adjusted(
    diagnostics: list[Diagnostic],
    document: Document,
    case: Case,
    check: Callable[[Document, Case], list[Diagnostic]],
) -> list[Diagnostic]:
    """The findings of a config as the project's launch lines run it.

    Args:
        check: finds what is wrong with the config as a launch line changes it.
    """
    around = case.around
    own_starts = case.framework.launching.own_starts(around)
    if case.target.foreign_version is not None or not (around.launches or own_starts):
        return diagnostics
    runs: list[_Started] = []
    known: dict[str, tuple[list[Diagnostic], _Words]] = {}
    # Its kind may follow from the lines, which are left out below.
    alone = case.replaced(
        around=around.replaced(launches=(), is_started=True),
        framework=for_document(case.framework, document, around),
    )
    for words in _to_examine([*_starts(document, case)]):
        line, overrides, unknown = words.line, words.overrides, words.unknown
        label = repr([unknown, *((one.path, one.value) for one in overrides)])
        if label not in known:
            if len(known) >= _MAX_RUNS:
                return diagnostics
            changed = _started(document, line, overrides, around) if overrides else None
            found = diagnostics if changed is None else check(changed, alone)
            known[label] = _decided(found, unknown, case) if unknown else found, words
        runs.append(_Started(line, overrides, *known[label]))
    if all(run.diagnostics is diagnostics for run in runs):
        return diagnostics
    starting = {line.path for line in (*around.launches, *own_starts)}
    of_runs = [{_key(found) for found in run.diagnostics} for run in runs]
    in_all = case.framework.row["in_all_runs"]
    met = set.intersection(*of_runs) if in_all else set[_Key]().union(*of_runs)
    own = {_key(found) for found in diagnostics}
    kept = [
        found
        for found in diagnostics
        if _key(found) in met or (found.file is not None and found.file.path in starting)
    ]
    for run in runs:
        kept += [
            _moved(found, run, around)
            for found in run.diagnostics
            if _key(found) not in own
            and _key(found) in met
            and _is_of_the_run(found)
            # The program may have the option in a class of its own.
            and not (run.line in own_starts and found.code.startswith("KEY"))
        ]
    unique = {found.key: found for found in kept}
    return list(unique.values())


def _decided(found: list[Diagnostic], unknown: tuple[Path, ...], case: Case) -> list[Diagnostic]:
    """The findings that do not depend on keys whose values in a run are not known."""
    knowledge = case.framework.knowledge
    names = dict(knowledge.labels())
    kept = []
    for one in found:
        clause = None
        if one.code in names:
            rule = knowledge.named(names[one.code])
            clause = knowledge.clause(rule) if rule.check is None else None
        if one.path not in unknown and not (
            clause is not None and any(clause.mentions(tuple(map(str, path))) for path in unknown)
        ):
            kept.append(one)
    return kept


def as_started(document: Document, case: Case) -> Document:
    """A config with what the commands that start it lay over it.

    Where they do not all lay the same over it, it is the config itself.
    """
    runs = {
        repr([(one.path, one.value) for one in words.overrides]): words
        for words in _starts(document, case)
    }
    if len(runs) != 1:
        return document
    (words,) = runs.values()
    if not words.overrides:
        return document
    return _started(document, words.line, words.overrides, case.around) or document


def _starts(document: Document, case: Case) -> Iterator[_Words]:
    """The commands that train with a config, each with what it lays over it."""
    around = case.around
    for line in (*around.launches, *case.framework.launching.own_starts(around)):
        if line.trains and _is_meant(line, around):
            given = [*case.framework.launching.overrides(line, document, case.target.release)]
            known = tuple(one for one in given if one.value is not UNKNOWN)
            yield _Words(line, known, tuple(one.path for one in given if one.value is UNKNOWN))


def _to_examine(runs: list[_Words]) -> list[_Words]:
    """The commands whose runs are examined: of those that count as the same, where there are many, the first."""
    values: dict[Path, set[str]] = {}
    for words in runs:
        for one in words.overrides:
            values.setdefault(one.path, set()).add(repr(one.value))
    if all(len(several) <= _MAX_RUNS for several in values.values()):
        return runs

    def kind(words: _Words) -> frozenset[tuple[Path, str]]:
        narrow = (
            (one.path, len(values[one.path]) <= _MAX_RUNS, one.value) for one in words.overrides
        )
        return frozenset((path, repr(value) if counts else "") for path, counts, value in narrow)

    return [*{kind(words): words for words in runs[::-1]}.values()][::-1]


def _is_meant(line: Start, around: Surroundings) -> bool:
    """Whether a line names this config, and not one of the same name in another folder."""
    folders = line.config.text.strip("./").count("/")
    return folders > 0 or os.path.dirname(line.path) == around.folder


def _started(
    document: Document, line: Start, overrides: tuple[Override, ...], around: Surroundings
) -> Document | None:
    """The settings of a run: the config, and the words of its command; None if they do not fit."""
    sources, begin = source_map(document).with_file(_file_of(line, around))
    try:
        layer = layer_of_words(line.path, overrides, document.language, begin)
    except Unwritable:
        return None
    run = merged(document, layer, sources)
    return StartedRun(run, run.root, sources)


def _file_of(line: Start, around: Surroundings) -> OtherFile:
    """The file that a command is written in."""
    return OtherFile(line.path, SourceText(text_of_script(line.path, around)))


def _key(found: Diagnostic) -> _Key:
    """The identity of a finding, in whichever run."""
    return (found.code, found.path, found.file.path if found.file is not None else "")


def _is_of_the_run(found: Diagnostic) -> bool:
    """Whether a finding is worth reporting for a run that differs from the config."""
    if found.file is not None or found.undecided or not at_least(found.severity, "warning"):
        return False
    return not found.code.startswith(_OF_THE_TEXT)


def _moved(found: Diagnostic, run: _Started, around: Surroundings) -> Diagnostic:
    """A finding of a run, at the option of the launch line that is most closely related."""
    named = next((o for o in run.overrides if o.path[:1] == found.path[:1]), None)
    option = named or run.overrides[0]
    # An option is meant to replace what the config has.
    message = found.message.removesuffix(SET_AS_WELL)
    if named is None or not found.code.startswith(_OF_ONE_KEY):
        shown = [f"`{format_path(o.path)}: {_shown(o.value)}`" for o in run.overrides[:4]]
        message = f"{message} It applies with {', '.join(shown)} from this line."
    file = _file_of(run.line, around)
    is_script = language_of(run.line.path) == "shell"
    if _is_explained(file.source.text, option):
        found = as_note(found, "A comment of the script says what this option is for.")
        message = found.message
    return found.replaced(
        message=message,
        path=(),
        span=Span(option.start, option.end),
        file=file,
        title="",
        related=(),
        fixes=_fixes(found, run, file.source.text, around) if is_script else (),
    )


def _is_explained(text: str, option: Override) -> bool:
    """Whether a comment of a script tells what an option is for: it has it amid a sentence, and is no command."""
    name = text[option.start : option.end].partition("=")[0].split()[:1]
    if not name or not name[0].startswith("--"):
        return False
    named = re.compile(rf"(?<![\w-]){re.escape(name[0])}(?![\w-])")
    for line in text.splitlines():
        if not line.lstrip().startswith("#") or _COMMAND.search(line) is not None:
            continue
        parts = named.split(line)
        if len(parts) == 2 and all(_SAYS.search(part) is not None for part in parts):
            return True
    return False


def _fixes(found: Diagnostic, run: _Started, text: str, around: Surroundings) -> tuple[Fix, ...]:
    """The fixes of a finding in the words of a line: those of the line that was examined for it, or of one that says the same."""
    first = run.first
    if first.line is run.line:
        return tuple(fix for fix in found.fixes if fix.edits)
    there = text_of_script(first.line.path, around)
    by = {
        (old.start, old.end): new.start - old.start
        for old, new in zip(first.overrides, run.overrides, strict=False)
        if there[old.start : old.end] == text[new.start : new.end]
    }
    moved = []
    for fix in found.fixes:
        edits = [
            Edit(edit.start + shift, edit.end + shift, edit.text)
            for edit in fix.edits
            for (start, end), shift in by.items()
            if start <= edit.start and edit.end <= end
        ]
        if edits and len(edits) == len(fix.edits):
            moved.append(fix.replaced(edits=tuple(edits)))
    return tuple(moved)


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "null" if value is None else str(value)[:40]
