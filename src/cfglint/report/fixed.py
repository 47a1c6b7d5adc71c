"""Which fixes were made, finding by finding, and the report of a run that has nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cfglint.engine.file_report import FileReport
from cfglint.report.escaping import visible, visible_path
from cfglint.report.run import RunReport, plural

#: Why a report of repairs has no findings.
NOT_REPORTED = "--fix-only does not report what is left"


def render(files: Iterable[FileReport], *, dry: bool) -> str:
    """A line for each fix below the name of its file.

    Args:
        dry: the fixes were computed, and no file was changed.
    """
    lines = []
    for file in files:
        if file.fixed:
            lines.append(f"{'Would fix' if dry else 'Fixed'} in {visible_path(file.path)}:")
            lines += [f"  {visible(fix.code)}  {visible(fix.title)}" for fix in file.fixed]
    return "".join(f"{line}\n" for line in lines)


def lines(run: RunReport) -> Iterator[str]:
    """A line for each fix: `path:line: fixed CODE title`."""
    verb = "would fix" if run.dry else "fixed"
    for file, fix in run.applied():
        where = f"{visible_path(file.path)}:{fix.line}"
        yield f"{where}: {verb} {visible(fix.code)} {visible(fix.title)}"


def counted(run: RunReport) -> str:
    """`Fixed 2 findings in 1 file`; `Nothing was repaired in 3 files`."""
    made = run.applied()
    if not made:
        return f"Nothing was repaired in {plural(len(run.files), 'file')}"
    files = len({file.path for file, _ in made})
    verb = "Would fix" if run.dry else "Fixed"
    return f"{verb} {plural(len(made), 'finding')} in {plural(files, 'file')}"
