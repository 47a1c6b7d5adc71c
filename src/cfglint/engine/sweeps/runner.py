"""A run with a sweep file: every config is also checked as each combination would run it.

What a combination causes is reported at the values in the sweep file that make it so.
"""

from __future__ import annotations

from collections.abc import Mapping

from cfglint.base.record import Record
from cfglint.base.type_names import Any
from cfglint.checks.context import CheckContext, Hit
from cfglint.diagnostic import Diagnostic, OtherFile, Related
from cfglint.engine.case import Case
from cfglint.engine.file_report import FileReport
from cfglint.engine.files_together.other_files import as_settings_have_it, split
from cfglint.engine.findings import filled, finding_of
from cfglint.engine.runner import Runner
from cfglint.engine.session import Options, RunError
from cfglint.engine.settings.nearest import SettingsFinder
from cfglint.engine.silencing.suppressions import Suppressions
from cfglint.engine.sweeps.blame import Accusation, accusations
from cfglint.engine.sweeps.combinations import Combinations
from cfglint.engine.sweeps.formats import format_of, sweep_option
from cfglint.engine.sweeps.reading import read_sweep
from cfglint.engine.unreadable import reading_problem
from cfglint.runs.settings.sweeps import SweepFile, Swept
from cfglint.source.document import Document, Path
from cfglint.source.problems import SourceError
from cfglint.source.text import Span

#: The whole sweep file is asked for these, since a combination has parts of it only.
_OF_THE_FILE = ("duplicate-key",)
_MAX_SHOWN = 40
_MAX_LINES = 3


class SweepFindings(Record):
    """What a sweep file adds to the findings of one config."""

    #: Most are in the sweep file, some in a further one that a combination names.
    diagnostics: list[Diagnostic]
    suppressed: int


class SweepRunner(Runner):
    """Checks files together with the combinations of a sweep file."""

    def __init__(self, options: Options, finder: SettingsFinder, sweep: str) -> None:
        super().__init__(options, finder)
        self._path = sweep
        self._sweep: SweepFile | None = None

    @property
    def sweep(self) -> SweepFile:
        """The sweep file.

        Raises:
            RunError: it cannot be read.
        """
        if self._sweep is None:
            try:
                self._sweep = read_sweep(self._path, self.session.files)
            except OSError as error:
                raise RunError(f"{self._path}: cannot be read: {error.strerror}") from None
        return self._sweep

    def check_options(self) -> None:
        super().check_options()
        _ = self.sweep

    def check_file(self, path: str, *, named: bool) -> FileReport | None:
        real = self.session.files.real
        if not named and real(path) == real(self.sweep.path):
            return None  # found in a folder; it may look like a config
        return super().check_file(path, named=named)

    def check_bytes(
        self, data: bytes, path: str, *, named: bool, write: bool = False
    ) -> FileReport | None:
        report = super().check_bytes(data, path, named=named, write=write)
        if report is None:
            return None
        assert report.framework is not None
        case = self.session.case(report.framework, path)
        if not sweep_option(case.framework):
            return report
        try:
            config = case.framework.language.read(report.source) if report.source.text else None
        except SourceError:
            config = None
        found = sweep_findings(self.sweep, config, case, config_path=path)
        apart = split(
            report.replaced(diagnostics=tuple(found.diagnostics), elsewhere=()),
            unsilenced=case.selection.unsilenced,
        )
        return report.replaced(
            elsewhere=report.elsewhere
            + as_settings_have_it(apart.elsewhere, self.session, case, path),
            suppressed=report.suppressed + found.suppressed,
        )


def sweep_findings(
    sweep: SweepFile,
    config: Document | None,
    case: Case,
    *,
    config_path: str = "the config",
) -> SweepFindings:
    """What is wrong with a sweep file, and with a config in the combinations that it defines.

    Args:
        config: None when it cannot be read; then only the sweep file itself is examined.
        config_path: what the config is called in messages.
    """
    framework = case.framework
    if config is not None:
        case = case.replaced(target=framework.parsing.shown(config, case.target))
    sweeps = format_of(framework)
    assert sweeps is not None
    sweep_report = _SweepReport(sweep, case)
    if sweep.document is None:
        assert sweep.error is not None
        why = reading_problem(sweep.error, framework).message
        sweep_report.report(*sweeps.unreadable(sweep, why))
        return sweep_report.result(config, None)
    own = CheckContext(sweep.document, framework, case.target, case.around)
    literal: set[Path] = set()
    for name, hit in sweeps.problems(sweep.document, config, own):
        if name == "sweep-key-literal":
            literal.add(hit.path)
        sweep_report.report(name, hit)
    if config is not None and not sweeps.is_config(sweep.document, config, own):
        all_ = Combinations(config, sweep, sweeps, case)
        if len(all_.chosen) < all_.total:
            sweep_report.report(
                "sweep-cut",
                Hit((), next(iter(sweep.document.root.lookup.values())).key.span, _cut(all_)),
            )
        for accusation in accusations(all_):
            found = accusation.found
            owned = found.owner is not None
            if owned and found.diagnostic.name in _OF_THE_FILE:
                continue
            if found.at_key and found.diagnostic.path in literal:
                continue
            sweep_report.accuse(accusation, all_, config, config_path)
    return sweep_report.result(config, sweep.document)


def _cut(all_: Combinations) -> dict[str, Any]:
    """How much of a sweep was examined, in words."""
    seen = "each value is in at least one of them"
    if all_.unseen is not None:
        seen = f"not every value of `{all_.unseen}` is in one of them"
    total = f"{all_.total:,}" if all_.total < 10**12 else "more than 10¹²"
    return {"looked": len(all_.chosen), "total": total, "seen": seen}


class _SweepReport:
    """The findings of one config and one sweep file."""

    def __init__(self, sweep: SweepFile, case: Case) -> None:
        self._sweep = sweep
        self._file = OtherFile(sweep.path, sweep.source)
        self._knowledge = case.framework.knowledge
        self._rules = {rule.name: rule for rule in self._knowledge.all_rules()}
        self._target = case.target
        self._selection = case.selection
        #: Each with the place in the config that it also has, if any.
        self._found: list[tuple[Diagnostic, Span | None]] = []

    def report(self, name: str, hit: Hit) -> None:
        """A finding about the sweep file itself."""
        rule = self._rules[name]
        if not self._selection.has(rule.code, rule.name):
            return
        if self._target.applies(rule.applies, assume=True) is False:
            return
        words = self._knowledge.words(rule.code)
        found = finding_of(hit, rule, words, lambda text: filled(text, hit.params))
        reported = self._selection.filtered([found.replaced(file=self._file)])
        self._found += [(one, None) for one in reported]

    def accuse(
        self, accusation: Accusation, all_: Combinations, config: Document, config_path: str
    ) -> None:
        """A finding that some values of the sweep cause."""
        found = accusation.found
        old, owner = found.diagnostic, found.owner
        own_file = old.file is not None
        primary = owner or accusation.guilty[0]
        related = [
            Related(all_.in_sweep(swept.value.span), f"beside this `{swept.label[:_MAX_SHOWN]}`")
            for swept in accusation.guilty
            if swept is not primary
        ]
        in_config = [] if owner is not None or own_file or not old.path else [old.span]
        for place in () if own_file else old.related:
            if all_.is_in_sweep(place.span):
                related.append(Related(all_.in_sweep(place.span), place.note))
            else:
                in_config.append(place.span)
        lines = {config.source.position(place.start).line for place in in_config}
        path, span = primary.path, all_.in_sweep(primary.value.span)
        if primary is accusation.any_of:
            span = all_.in_sweep(primary.key.span)
            path = path[:-1] if isinstance(path[-1], int) else path
        if owner is not None and all_.is_in_sweep(old.span):
            path += old.path[1:]
            span = all_.in_sweep(old.span)
        where = _where(accusation, all_, _at_lines(config_path, sorted(lines)))
        diagnostic = old.replaced(
            message=f"{old.message} {where}",
            path=old.path if own_file else path,
            span=old.span if own_file else span,
            related=tuple(one for one in old.related if one.file is None)
            if own_file
            else _distinct(related, span),
            fixes=(),
            file=old.file or self._file,
            title="",
            other_releases=False,
        )
        in_own = old.span if owner is None and not own_file and old.path else None
        self._found.append((diagnostic, in_own))

    def result(self, config: Document | None, sweep: Document | None) -> SweepFindings:
        """The findings that the comments of both files do not silence."""
        if self._selection.unsilenced:
            config = sweep = None
        own = _suppressions(config, self._knowledge.renamed)
        theirs = _suppressions(sweep, self._knowledge.renamed)
        kept = []
        for found, in_config in self._found:
            silenced = own is not None and own.cover(found, self._sweep.source)
            if own is not None and config is not None and in_config is not None:
                silenced = (
                    own.cover(found.replaced(span=in_config, file=None), config.source) or silenced
                )
            if theirs is not None and found.file is self._file:
                silenced = theirs.cover(found.replaced(file=None), self._sweep.source) or silenced
            if not silenced:
                kept.append(found)
        kept.sort(key=lambda found: (found.file is not self._file, found.span, found.code))
        unique = {found.key: found for found in kept}
        return SweepFindings(list(unique.values()), len(self._found) - len(kept))


def _suppressions(document: Document | None, renamed: Mapping[str, str]) -> Suppressions | None:
    if document is None or "cfglint:" not in document.text:
        return None
    return Suppressions.read(document, renamed)


def _distinct(related: list[Related], span: Span) -> tuple[Related, ...]:
    places = {other.span: other for other in reversed(related) if other.span != span}
    return tuple(reversed(places.values()))


def _where(accusation: Accusation, all_: Combinations, lines: str) -> str:
    """In which combinations, in words."""
    found, looked, total = accusation.found, len(all_.chosen), all_.total
    named = [
        f"any `{swept.label[:_MAX_SHOWN]}`"
        if swept is accusation.any_of
        else _value_words(swept, all_)
        for swept in accusation.guilty
        if swept is not found.owner or not found.at_key
    ]
    if accusation.count == looked == total:
        count = "the only combination" if total == 1 else f"all {total} combinations"
    elif looked == total:
        count = f"{accusation.count} of {total} combinations"
    elif accusation.count == looked:
        count = f"all of the {looked} combinations that were checked"
    else:
        count = f"{accusation.count} of the {looked} combinations that were checked"
    more = f"; {accusation.further} more with other values" if accusation.further else ""
    lead = f"With {_listed(named)}, in" if named else "In"
    return f"{lead} {count}{more}{lines}."


def _value_words(swept: Swept, all_: Combinations) -> str:
    """A swept value in words: as it is written, or where it is when it is long."""
    text = getattr(swept.value.target(), "text", None)
    if text is None:
        line = all_.line(swept.value)
        return f"the `{swept.label[:_MAX_SHOWN]}` of line {line}"
    whole = f"{swept.label}: {' '.join(text.split())}"
    return f"`{whole if len(whole) <= _MAX_SHOWN else whole[: _MAX_SHOWN - 1] + '…'}`"


def _listed(parts: list[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def _at_lines(config_path: str, lines: list[int]) -> str:
    if not lines:
        return ""
    word = "line" if len(lines) == 1 else "lines"
    return f" ({config_path}, {word} {_listed([str(line) for line in lines[:_MAX_LINES]])})"
