"""The findings in one text: reading it, trying the rules, and what comments silence."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from cfglint.base.record import FrozenDict, Record
from cfglint.base.type_names import TYPE_CHECKING
from cfglint.diagnostic import Diagnostic, OtherFile, kin_joined, unique
from cfglint.engine.case import Case
from cfglint.engine.checked_document import CheckedDocument
from cfglint.environment.environment import Environment
from cfglint.source.document import Document, Mapping, Scalar
from cfglint.source.problems import TWICE, ProblemKind, SourceError
from cfglint.source.text import SourceText

if TYPE_CHECKING:
    from cfglint.engine.severity.releases.assumed import OtherReleases

#: The check of keys that the stated release does not have yet.
LATER = "key-of-later-release"
#: So many slips that keep a file from being read are looked behind.
_MOST_SLIPS = 8
#: The rule that says that a shell cuts off the options of a command.
_CUT_OFF = "lines-not-joined"
#: The check of keys that a release no longer has; one is due where nothing states the release.
_REMOVED = "removed-key"
#: A list of all options has at least so many keys.
_MANY_KEYS = 40


class LintResult(Record):
    """All that was found in one text."""

    #: Those that are in another file come last (see `Diagnostic.file`).
    diagnostics: list[Diagnostic]
    #: Fact -> the codes of the rules that it would decide.
    open_rules: dict[str, tuple[str, ...]]
    suppressed: int
    #: None when the text could not be read as a configuration.
    document: Document | None
    #: How many more are due at an upgrade, and only counted.
    due: int = 0
    #: The keys of which only the assumed release says that they are not read.
    due_if_assumed: tuple[str, ...] = ()

    @property
    def undecided(self) -> FrozenDict[str, int]:
        """Fact -> how many rules it would decide."""
        return FrozenDict({fact: len(codes) for fact, codes in self.open_rules.items()})


def lint_source(source: SourceText, case: Case) -> LintResult:
    """Check one text.

    Never raises because of the text: what cannot be read is a diagnostic, and so is a
    rule that fails.
    """
    parsing = case.framework.parsing
    try:
        document = parsing.language_for(source.text, case.target, case.around).read(source)
    except SourceError as error:
        return LintResult(_of_unreadable(source, error, case), {}, 0, None)
    result = lint_document(document, case)
    if any(found.name == _CUT_OFF for found in result.diagnostics):
        from cfglint.engine.cut_off import beyond_cuts

        whole = beyond_cuts(
            document, result.diagnostics, lambda mended: lint_document(mended, case).diagnostics
        )
        return result.replaced(diagnostics=sorted(whole, key=_order))
    return result


def _of_unreadable(source: SourceText, error: SourceError, case: Case) -> list[Diagnostic]:
    """What keeps a text from being read, and what else is wrong in it."""
    from cfglint.engine.unreadable import problem_with, reading_problem

    selection = case.selection
    problem = reading_problem(error, case.framework)
    certain = _as_certain_as_the_release(
        [problem], case, lambda target: problem_with(target, source, problem, case)
    )
    kept = [d for d in selection.filtered(certain) if selection.has(d.code, d.name)]
    if error.cause == TWICE:
        return kept + _beyond_repeated_keys(source, case)
    if error.kind is not ProblemKind.ROOT_NOT_MAPPING:
        kept += _beyond_slips(source, problem, case)
    return kept


def _beyond_repeated_keys(source: SourceText, case: Case) -> list[Diagnostic]:
    """What else is wrong in a file that is refused for a key written twice, as if the last one counted.

    Nothing of it can be repaired before the file can be read.
    """
    from cfglint.source.languages.named import language

    try:
        document = language("yaml").read(source)
    except SourceError:
        return []
    found = lint_document(document, case).diagnostics
    return [d.replaced(fixes=()) for d in found if d.name != "duplicate-key"]


def _beyond_slips(source: SourceText, problem: Diagnostic, case: Case) -> list[Diagnostic]:
    """What else is wrong in a file that cannot be read, if the repair of each slip is certain.

    Behind one whose repair is only the likeliest, that is what is wrong with the names and values of other keys.
    """
    from cfglint.engine.unreadable import Mended, reading_problem

    parsing = case.framework.parsing
    mended = Mended(source)
    found: list[Diagnostic] = []
    for _ in range(_MOST_SLIPS):
        fix = problem.fix(unsafe=True)
        if fix is None:
            return found
        mended.mend(fix, is_certain=fix.safety == "safe")
        try:
            language = parsing.language_for(mended.source.text, case.target, case.around)
            document = language.read(mended.source)
        except SourceError as error:
            if error.cause == TWICE:
                return found
            problem = reading_problem(error, case.framework)
            found += [mended.back(one) for one in case.selection.filtered([problem])]
            continue
        beyond = lint_document(document, case).diagnostics
        return found + [mended.back(one) for one in beyond if mended.holds(one, document)]
    return found


def lint_document(document: Document, case: Case) -> LintResult:
    """Check a document that has already been read."""
    checked = CheckedDocument(document, case)
    selection = case.selection
    diagnostics = _found_with_arguments(checked)
    suppressed = 0
    if "cfglint:" in document.text:
        diagnostics, suppressed = _silenced(diagnostics, checked)
    later = [found for found in diagnostics if found.due and not selection.reports(found)]
    if_assumed = tuple(
        document.text[span.start : span.end].strip("\"'")
        for found in later
        if found.name == _REMOVED
        for span in (found.span, *(one.span for one in found.related))
    )
    if case.around.folder is not None and diagnostics:
        from cfglint.engine.severity.filled_in.laid_over import that_hold

        diagnostics = that_hold(diagnostics, checked)
    diagnostics = kin_joined(selection.filtered(diagnostics))
    if any(_may_be_of_template(found, document) for found in diagnostics):
        from cfglint.engine.severity.filled_in.templates import as_template

        diagnostics = selection.filtered(as_template(diagnostics, checked))
    if len(diagnostics) > 1 and any(found.meant for found in diagnostics):
        from cfglint.engine.causes import with_causes

        diagnostics = with_causes(
            diagnostics,
            document,
            document.language.read,
            lambda mended: selection.filtered(_found(CheckedDocument(mended, case))),
        )
    if case.around.launches or (
        not case.around.is_started and case.framework.launching.own_starts(case.around)
    ):
        from cfglint.engine.launches.overrides import adjusted

        diagnostics = adjusted(
            diagnostics,
            document,
            case.replaced(target=checked.target),
            lambda started, there: lint_document(started, there).diagnostics,
        )
    diagnostics.sort(key=_order)
    open_rules = {fact: tuple(codes) for fact, codes in checked.open_rules.items()}
    return LintResult(diagnostics, open_rules, suppressed, document, len(later), if_assumed)


def _silenced(
    diagnostics: list[Diagnostic], checked: CheckedDocument
) -> tuple[list[Diagnostic], int]:
    """The findings as the comments of a document leave them, and how many they silence."""
    from cfglint.engine.silencing.suppressions import Suppressions

    document, case = checked.document, checked.case
    suppressions = Suppressions.read(document, case.framework.knowledge.renamed)
    is_off = [
        suppressions.cover(_in_own_file(one, document), document.source) for one in diagnostics
    ]
    found = zip(diagnostics, is_off, strict=True)
    if case.selection.unsilenced:
        # They are shown; what a person has decided on is not rewritten.
        return [one.replaced(fixes=()) if off else one for one, off in found], 0
    kept = [one for one, off in found if not off]
    extra = suppressions.findings(case.framework.knowledge, case.selection)
    own = [checked.diagnostic(rule, hit) for rule, hit in extra]
    return kept + own, len(diagnostics) - len(kept)


def _may_be_of_template(found: Diagnostic, document: Document) -> bool:
    """Whether a finding may be about a placeholder, or about what a template leaves open."""
    if (found.refuses and not found.fixes) or len(document.root.entries) >= _MANY_KEYS:
        return True
    node = None if found.severity == "note" or not found.path else document.node(found.path)
    value = node.target() if node is not None else None
    if not isinstance(value, Scalar):
        return isinstance(value, Mapping) and value.flow
    text = value.value
    return text is None or (
        isinstance(text, str) and (text.isupper() or any(sign in text for sign in "<{_"))
    )


def unsilenced(document: Document, case: Case) -> list[Diagnostic]:
    """What is found in a document, whatever its comments silence, and whichever commands start it."""
    found = _found_with_arguments(CheckedDocument(document, case))
    return sorted(kin_joined(case.selection.filtered(found)), key=_order)


def _found_with_arguments(checked: CheckedDocument) -> list[Diagnostic]:
    """The findings in a document, whether or not a script is given more arguments."""
    diagnostics, document = _found(checked), checked.document
    if document.language.structure != "words" or not any(
        sign in document.text for sign in ("@", "$*", "{*")
    ):
        return diagnostics
    from cfglint.engine.severity.filled_in.further_arguments import with_conflicts

    def check(source: SourceText) -> list[Diagnostic]:
        return _found(CheckedDocument(document.language.read(source), checked.case))

    return with_conflicts(diagnostics, document, check)


def _found(checked: CheckedDocument) -> list[Diagnostic]:
    """The findings in a document, at its edges, and of its format."""
    case = checked.case
    diagnostics = checked.findings()
    if case.edges is not None:
        diagnostics = unique([*diagnostics, *case.edges(checked)])
    if checked.document.problems:
        has = case.selection.has
        diagnostics += [found for found in checked.of_format() if has(found.code, found.name)]
    if checked.target.assumed:
        there = case.replaced(target=checked.target)
        diagnostics = _as_certain_as_the_release(
            diagnostics, there, lambda target: _with_release(checked, target)
        )
    else:
        if any(found.name == LATER for found in diagnostics):
            diagnostics = _without_consequences(diagnostics, checked)
        if any(found.severity == "error" for found in diagnostics):
            diagnostics = _as_certain_as_companions(diagnostics, checked)
    if any(found.removed for found in diagnostics):
        diagnostics = _that_hold_before(diagnostics, checked)
    if any(found.later for found in diagnostics):
        from cfglint.engine.severity.releases.behind_the_file import as_far_as_stated

        diagnostics = as_far_as_stated(diagnostics, case.replaced(target=checked.target))
    return diagnostics


def _as_certain_as_the_release(
    diagnostics: list[Diagnostic], case: Case, check: Callable[[Environment], list[Diagnostic]]
) -> list[Diagnostic]:
    """The findings, where nothing states the release as severe as other releases that may run let them be.

    Args:
        check: the findings with another target.
    """
    if not case.target.assumed or all(found.severity == "note" for found in diagnostics):
        return diagnostics
    from cfglint.engine.severity.releases.assumed import OtherReleases
    from cfglint.engine.severity.releases.older import is_before_all
    from cfglint.environment.last_change import last_change
    from cfglint.knowledge.rules.knowledge import packages_of

    title, day = case.framework.release_title, last_change(case.around)
    if is_before_all(case.target, day):
        rests = case.framework.own_code.rests_on_release
        named = case.framework.knowledge.named
        diagnostics = [
            one
            for one in diagnostics
            if one.severity == "note" or one.title or not rests(named(one.name), one)
        ]

    def is_installed() -> bool:
        from cfglint.environment.project.installs import is_installed_by_project

        return is_installed_by_project(case.around, case.target.releases.package)

    def packages(found: Diagnostic) -> Iterable[str]:
        return packages_of(found.code, case.framework.name)

    others = OtherReleases(case.target, title, check, packages)
    return others.milder_unless_certain(diagnostics, day, is_installed)


def _as_certain_as_companions(
    diagnostics: list[Diagnostic], checked: CheckedDocument
) -> list[Diagnostic]:
    """The findings; those that hang on the release of a package beside the stated framework are warnings."""
    return _other_releases(checked).milder_unless_companions_agree(diagnostics)


def _that_hold_before(diagnostics: list[Diagnostic], checked: CheckedDocument) -> list[Diagnostic]:
    """The findings in a file with keys that newer releases removed, and that are left alone because an older one may run.

    What is wrong with the newer ones alone is left alone with them.
    """
    if all(found.severity == "note" for found in diagnostics):
        return diagnostics
    from cfglint.engine.severity.releases.older import before_removals

    removed = [release for found in diagnostics for release in found.removed]
    older = before_removals(checked.target, removed)
    if older is None:
        return diagnostics
    return _other_releases(checked).that_hold_in(older, diagnostics)


def _other_releases(checked: CheckedDocument) -> OtherReleases:
    """What other releases than the one in use find in a document."""
    from cfglint.engine.severity.releases.assumed import OtherReleases
    from cfglint.knowledge.rules.knowledge import packages_of

    framework = checked.framework
    return OtherReleases(
        checked.target,
        framework.release_title,
        lambda target: _with_release(checked, target),
        lambda found: packages_of(found.code, framework.name),
    )


def _without_consequences(
    diagnostics: list[Diagnostic], checked: CheckedDocument
) -> list[Diagnostic]:
    """The findings in a file with keys of later releases than the stated one, which may have been left behind."""
    from cfglint.engine.severity.releases.stale_pins import is_contradicted, without_consequences

    if not is_contradicted(diagnostics, checked.target):
        return diagnostics
    target, keys = checked.target, checked.framework.keys
    first = keys.earliest_release(checked.document, target.releases.versions)
    releases = [target.at(one) for one in (first, target.newest) if one is not None]
    return without_consequences(
        diagnostics, releases, lambda target: _with_release(checked, target)
    )


def _with_release(checked: CheckedDocument, target: Environment) -> list[Diagnostic]:
    """What is found in a document with another release."""
    document, case = checked.document, checked.case
    if case.framework.in_scripts:  # which words are options depends on the release
        parsing = case.framework.parsing
        language = parsing.language_for(document.text, target, case.around)
        document = language.read(document.source)
    there = CheckedDocument(document, case.replaced(target=target))
    found = [*there.findings(), *(case.edges(there) if case.edges is not None else ())]
    return found + there.of_format() if document.problems else found


def _in_own_file(found: Diagnostic, document: Document) -> Diagnostic:
    """A finding where comments of the file itself may refer to it, though another one has its place."""
    span = document.own_span(found.span, found.path) if found.file is None else found.span
    if span is None:
        return found.replaced(file=OtherFile("", document.source))
    return found if span is found.span else found.replaced(span=span)


def _order(found: Diagnostic) -> tuple[str, int, int, str]:
    """The config's own findings by line, then those of each other file."""
    return (found.file.path if found.file else "", found.span.start, found.span.end, found.code)
