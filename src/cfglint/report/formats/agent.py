"""One line per finding for coding agents: what to replace, and where the evidence is."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.diagnostic import Diagnostic, Edit, Fix
from cfglint.engine.file_report import FileReport
from cfglint.engine.needs import option_for
from cfglint.report import fixed
from cfglint.report.escaping import line_start, quoted, visible, visible_path
from cfglint.report.run import RunReport, count_phrase, plural
from cfglint.report.summary import counts_phrase, not_reported, started_instead
from cfglint.source.text import SourceText

#: An agent pays for each line that it reads; what follows is counted.
MAX_FINDINGS = 60
#: Longer replacements, in characters, are left to `--fix`.
_MAX_REPLACEMENT = 800


def render(run: RunReport) -> str:
    """The most important findings first, then the counts and the options that decide more.

    `path:line: CODE severity: message | replace "a" with "b" (safe) | see ADDRESS`. The texts to
    replace are whole lines of the file, as JSON strings.
    """
    if run.only_fixes and run.files:
        made = [*fixed.lines(run), *_not_fixed(run)]
        made.append(f"{fixed.counted(run)}; {fixed.NOT_REPORTED}, a check does")
        return "".join(f"{line}\n" for line in made)
    found = [(file, one) for file, one in run.by_importance() if not one.other_releases]
    lines = [_line(file, one) for file, one in found[:MAX_FINDINGS]]
    if len(found) > MAX_FINDINGS:
        counts: dict[str, int] = {"error": 0, "warning": 0, "note": 0}
        for _, one in found[MAX_FINDINGS:]:
            counts[one.severity] += 1
        lines.append(f"{count_phrase(counts)} more: fix these first and check again")
    lines += _not_fixed(run)
    lines.append(_counted(run))
    lines += [
        f"undecided: {visible_path(file.path)}: {not_reported(package, file.target.release, keys)}"
        for file in run.files
        if (keys := list(file.due_if_assumed)) and (package := file.target.releases.package)
    ]
    lines += [
        f"undecided: state {option_for(fact)} to check {plural(count, 'more rule')}"
        for fact, count in sorted(run.undecided().items(), key=lambda pair: (-pair[1], pair[0]))
    ]
    return "".join(f"{line}\n" for line in lines)


def _line(file: FileReport, found: Diagnostic) -> str:
    at = file.source.position(found.span.start).line
    message = visible(found.message)
    parts = [f"{visible_path(file.path)}:{at}: {found.code} {found.severity}: {message}"]
    fix = found.fix(unsafe=True)
    if fix is not None:
        parts.append(_remedy(file.source, fix))
    if found.needs:
        parts.append(f"undecided: state {visible(', '.join(found.needs))}")
    address = _evidence(file, found)
    if address:
        parts.append(f"see {visible(address)}")
    return " | ".join(parts)


def _remedy(source: SourceText, fix: Fix) -> str:
    """The replacements of a fix, or the command that makes them where they are long."""
    option = "--fix" if fix.safety == "safe" else "--fix --unsafe-fixes"
    changes = [
        f"replace {quoted(before)}{_place(source, at, before)} with {quoted(after)}"
        for at, before, after in replacements(source.text, fix.edits)
    ]
    text = " and ".join(changes)
    if len(text) > _MAX_REPLACEMENT:
        text = f"{visible(fix.title)}: run with {option}"
    return f"{text} ({fix.safety})"


def _place(source: SourceText, at: int, before: str) -> str:
    """The line of a text that the file has more than once; empty for any other."""
    if source.text.count(before) == 1:
        return ""
    return f" at line {source.position(at).line}"


def replacements(text: str, edits: tuple[Edit, ...]) -> Iterator[tuple[int, str, str]]:
    """The lines that edits touch: their offset, before, after.

    Edits that share a line are one change.
    """
    from cfglint.fixes.applying import apply_edits

    groups: list[tuple[int, int, list[Edit]]] = []
    for edit in edits:
        begin = text.rfind("\n", 0, edit.start) + 1
        # An edit that ends with a line needs nothing of the next.
        whole = edit.end > edit.start and text[edit.end - 1] == "\n" and edit.start == begin
        stop = edit.end if whole else text.find("\n", edit.end)
        stop = len(text) if stop < 0 else stop
        if groups and begin <= groups[-1][1]:
            first, last, known = groups[-1]
            groups[-1] = (first, max(last, stop), [*known, edit])
        else:
            groups.append((begin, stop, [edit]))
    for begin, stop, group in groups:
        moved = [Edit(one.start - begin, one.end - begin, one.text) for one in group]
        before, after = text[begin:stop], apply_edits(text[begin:stop], moved)
        if before.endswith("\r") and after.endswith("\r"):
            before, after = before[:-1], after[:-1]  # it belongs to the line break
        yield begin, before, after


def _evidence(file: FileReport, found: Diagnostic) -> str:
    """The address of the rule's evidence; empty where there is none."""
    if file.framework is None:
        return ""
    from cfglint.knowledge.rules.knowledge import evidence

    return evidence(found.code, file.framework)


def _not_fixed(run: RunReport) -> Iterator[str]:
    """Which fixes were tried and not made, and which files could not be checked or written."""
    for file in run.files:
        path = visible_path(file.path)
        if file.not_written is not None:
            yield f"{path}: not written: {visible(file.not_written)}"
        for code, reason in file.rejected:
            yield f"{path}: {code} was not fixed: {visible(reason)}"
    for path in run.skipped:
        why = started_instead(path, run) or "not a training config; not checked"
        yield f"{visible_path(path)}: {why}"


def _counted(run: RunReport) -> str:
    if not run.files:
        return line_start(visible(run.nothing)) if not run.skipped else "Nothing was checked."
    repaired = len(run.applied())
    verb = "would fix" if run.dry else "fixed"
    made = f"; {verb} {plural(repaired, 'finding')}" if repaired else ""
    return counts_phrase(run, other_releases=False) + made
