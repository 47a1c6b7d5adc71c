"""Findings that are in another file than the config: a report of its own for each such file.

A check gives its hit a `file`; from here on every output format treats that file like any other.
"""

from __future__ import annotations

from cfglint.base.lazy import lazy_pattern
from cfglint.base.record import FrozenDict
from cfglint.base.type_names import TYPE_CHECKING
from cfglint.diagnostic import Diagnostic, OtherFile
from cfglint.engine.paths import shown_path

if TYPE_CHECKING:
    from cfglint.engine.case import Case
    from cfglint.engine.file_report import FileReport
    from cfglint.engine.session import Session

_IGNORE = lazy_pattern(r"cfglint:\s*ignore(-file)?\[([^\[\]]*)\]")


def split(report: FileReport, *, unsilenced: bool = False) -> FileReport:
    """The report with its other files apart, each in `elsewhere`.

    Args:
        unsilenced: whether what comments silence is there, too, without its repairs.
    """
    own = [found for found in report.diagnostics if found.file is None]
    files: dict[str, tuple[OtherFile, list[Diagnostic]]] = {}
    for found in report.diagnostics:
        if found.file is not None:
            files.setdefault(found.file.path, (found.file, []))[1].append(found)
    elsewhere = []
    for file, diagnostics in files.values():
        silenced = [is_silenced(found, file) for found in diagnostics]
        kept = [
            found.replaced(fixes=()) if is_off else found
            for found, is_off in zip(diagnostics, silenced, strict=True)
            if unsilenced or not is_off
        ]
        path = shown_path(file.path, report.path)
        elsewhere.append(
            report.replaced(
                path=path,
                framework=None,
                found_with=((report.path, report.framework),) if report.framework else (),
                source=file.source,
                diagnostics=tuple(kept),
                undecided=FrozenDict(),
                open_rules=FrozenDict(),
                suppressed=len(diagnostics) - len(kept),
                fixed=(),
                rejected=(),
                fixed_source=None,
                original=None,
                not_written=None,
                names=(),
                elsewhere=(),
            )
        )
    kept_reports = tuple(other for other in elsewhere if other.diagnostics or other.suppressed)
    return report.replaced(diagnostics=tuple(own), elsewhere=kept_reports)


def as_settings_have_it(
    reports: tuple[FileReport, ...], session: Session, case: Case, path: str = ""
) -> tuple[FileReport, ...]:
    """The reports of other files without what a config's settings leave out of those files.

    Args:
        path: the config, if it is called otherwise than in its case.
    """
    from cfglint.engine.settings.selection import Selection

    settings = session.settings(path or case.around.path)
    left = []
    for report in reports:
        there = Selection(silenced=session.silenced(settings, case.framework, report.path))
        kept = [one for one in report.diagnostics if there.has(one.code, one.name)]
        left.append(report.replaced(diagnostics=kept))
    return tuple(left)


def is_silenced(found: Diagnostic, file: OtherFile) -> bool:
    """Whether a comment silences a finding: on its line, or for the whole file."""
    text = file.source.text
    if "cfglint:" not in text:
        return False
    line = file.source.position(found.span.start).line
    for match in _IGNORE.finditer(text):
        codes = match.group(2).replace(",", " ").split()
        here = match.group(1) or file.source.position(match.start()).line == line
        if here and any(
            found.code.startswith(code.upper()) or found.name == code.lower() for code in codes
        ):
            return True
    return False
