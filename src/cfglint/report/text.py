"""The report that a person reads in a terminal."""

from __future__ import annotations

from collections import Counter

from cfglint.diagnostic import Diagnostic, Edit, Fix, Related
from cfglint.engine.needs import option_for
from cfglint.engine.paths import shown_path
from cfglint.engine.runner import FileReport
from cfglint.report import target
from cfglint.report.escaping import line_start, visible, visible_path
from cfglint.report.run import RunReport, count_phrase, plural, shown
from cfglint.report.snippet import Mark, clipped, snippet, wrapped
from cfglint.report.style import Style

#: When it goes wrong, in words.
BITES = {
    "start": "at start-up",
    "data": "while the data is prepared",
    "model-load": "while the model is loaded",
    "train": "during training",
    "evaluation": "at the first evaluation",
    "save": "at the first save",
    "silent": "silently",
}
#: What the framework does, in words.
UPSTREAM = {
    "rejects": "{framework} refuses it",
    "warns": "{framework} warns",
    "silent": "{framework} says nothing",
}
#: A fix that changes more lines is named, not shown.
_MAX_DIFF_LINES = 8
#: Targets of different frameworks that are all named.
_MAX_TARGETS = 3
#: Of files that name others so many are told.
_MAX_NAMED = 8


def render(run: RunReport, style: Style | None = None, width: int = 100) -> str:
    """All findings with their snippets, then the summary.

    Args:
        style: how to colour; plain when None.
        width: columns of the terminal.
    """
    style = style or Style(color=False)
    texts = [
        file.shown if file.shown is not None else findings(file, style, width) for file in run.files
    ]
    return "".join(texts) + summary(run, style, width)


def findings(file: FileReport, style: Style, width: int) -> str:
    """The findings of one file with their snippets."""
    return "".join(_finding(file, found, style, width) for found in file.diagnostics)


def _finding(file: FileReport, found: Diagnostic, style: Style, width: int) -> str:
    line, column = file.source.position(found.span.start)
    head = (
        f"{style.bold(visible_path(file.path))}:{line}:{column}  "
        f"{style.severity(shown(found.severity), found.severity)}  {style.bold(found.code)} {found.name}"
    )
    lines = [head]
    message = visible(found.message)
    lines.extend(f"  {line_start(part)}" for part in wrapped(message, width - 2))
    if found.severity != "info" and file.source.text:
        lines.extend(_snippet(file, found, style, width))
    gutter = " " * (len(str(line)) + 3)
    for related in found.related:
        if related.file is not None:
            text = _elsewhere(file, related)
            lines.extend(_labelled("beside:", text, 0, gutter, style, width))
    if found.severity != "info":
        said = UPSTREAM[found.upstream].format(framework=found.title or file.title)
        # Where nothing goes visibly wrong there is no moment to name.
        aside = f"({said})" if found.bites == "silent" else f"({BITES[found.bites]}; {said})"
        text = f"{visible(found.cost)} {aside}"
        lines.extend(_labelled("cost:", text, len(aside), gutter, style, width))
    if found.needs:
        text = visible(", ".join(found.needs))
        lines.extend(_labelled("decide it with:", text, 0, gutter, style, width))
    if found.fixes:
        lines.extend(_fix(file, found.fixes[0], gutter, style, width))
    return "\n".join(lines) + "\n\n"


def _elsewhere(file: FileReport, related: Related) -> str:
    """A place in another file that has part in a finding."""
    assert related.file is not None
    source = related.file.source
    line = source.position(related.span.start).line
    path = visible_path(shown_path(related.file.path, file.path))
    return f"{path}:{line}: {visible(source.line(line).strip())} ({visible(related.note)})"


def _labelled(label: str, text: str, dim: int, gutter: str, style: Style, width: int) -> list[str]:
    """A text behind its label, the last so many characters of it dim."""
    indent = gutter + " " * (len(label) + 1)
    rows = [line_start(part) for part in wrapped(text, width - len(indent))]
    lead = f"{gutter}{style.dim(label)} "
    lines = []
    for part in _dimmed_end(rows, dim, style):
        lines.append(lead + part)
        lead = indent
    return lines


def _dimmed_end(lines: list[str], count: int, style: Style) -> list[str]:
    """Wrapped lines whose last characters, over as many lines as it takes, are dim."""
    if not count or not style.color:
        return lines
    out: list[str] = []
    for line in reversed(lines):
        cut = max(0, len(line) - count)
        out.append(line[:cut] + (style.dim(line[cut:]) if cut < len(line) else ""))
        # The blank at which the line was broken is one of them.
        count = max(0, count - len(line) - 1)
    return out[::-1]


def _snippet(file: FileReport, found: Diagnostic, style: Style, width: int) -> list[str]:
    marks = [Mark(found.span, "", True)]
    marks += [
        Mark(related.span, related.note, False) for related in found.related if related.file is None
    ]
    last = max(file.source.position(mark.span.start).line for mark in marks)
    digits = len(str(last))
    lines = []
    for row in snippet(file.source, marks, width - digits - 6):
        label, text = "", row.text
        if row.number is not None:
            label = str(row.number)
        else:
            text = style.severity(text, found.severity) if row.primary else style.related(text)
        lines.append(f"  {style.dim(label.rjust(digits) + ' │')} {text}".rstrip())
    return lines


def _fix(file: FileReport, fix: Fix, gutter: str, style: Style, width: int) -> list[str]:
    title = visible(fix.title)
    if fix.refused is not None:
        reason = f"({visible(fix.refused)})"
        return _labelled("fix by hand:", f"{title} {reason}", len(reason), gutter, style, width)
    kind = "fix:" if fix.safety == "safe" else "unsafe fix:"
    lines = _labelled(kind, title, 0, gutter, style, width)
    removed, added = _changed_lines(file, fix)
    if 0 < len(removed) + len(added) <= _MAX_DIFF_LINES:
        room = width - len(gutter) - 4
        begins = [0] * max(len(removed), len(added))
        # Of a long line the part that changes is shown.
        fits = all(text.isascii() and len(text) <= room for text in (*removed, *added))
        if len(removed) == len(added) and not fits:
            begins = [_alike(*pair) for pair in zip(removed, added, strict=True)]
        for sign, paint, texts in (("- ", style.removed, removed), ("+ ", style.added, added)):
            for text, begin in zip(texts, begins, strict=False):
                lines.append(f"{gutter}  {paint(sign + clipped(text, room, begin))}")
    return lines


def _alike(before: str, after: str) -> int:
    """With how many characters two lines begin alike."""
    both = min(len(before), len(after))
    return next((at for at in range(both) if before[at] != after[at]), both)


def _changed_lines(file: FileReport, fix: Fix) -> tuple[list[str], list[str]]:
    """The lines that a fix takes away and those that it adds."""
    from cfglint.fixes.applying import apply_edits

    text = file.source.text
    # The lines that the edits touch are enough, and one more where an edit ends at a break.
    begin = text.rfind("\n", 0, fix.edits[0].start) + 1 if fix.edits else 0
    stop = text.find("\n", fix.edits[-1].end) if fix.edits else 0
    stop = len(text) if stop < 0 else stop
    moved = [Edit(edit.start - begin, edit.end - begin, edit.text) for edit in fix.edits]
    before = text[begin:stop].splitlines()
    after = apply_edits(text[begin:stop], moved).splitlines()
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    removed = before[start : len(before) - end]
    added = after[start : len(after) - end]
    # Two places apart: what is between them is not part of the fix.
    if not set(added).isdisjoint(removed) and sorted(removed) != sorted(added):
        kept = Counter(removed) & Counter(added)
        removed = [line for line in removed if not kept[line]]
        added = [line for line in added if not kept[line]]
    return removed, added


def summary(run: RunReport, style: Style, width: int = 100) -> str:
    """The last lines: counts, what it was checked against, what would decide more."""
    counts = run.counts()
    total = sum(counts.values())
    lines = []
    fixed = sum(len(file.fixed) for file in run.files if file.fixed_source is not None)
    if fixed:
        files = sum(bool(file.fixed) for file in run.files)
        verb = "Would fix" if run.dry else "Fixed"
        lines.append(style.added(f"{verb} {plural(fixed, 'finding')} in {plural(files, 'file')}."))
    for file in run.files:
        if file.not_written is not None:
            lines.append(f"{visible_path(file.path)}: not written: {visible(file.not_written)}")
        for code, reason in file.rejected:
            lines.append(f"{visible_path(file.path)}: {code} was not fixed: {visible(reason)}")
    lines += [style.dim(line) for line in _names(run)]
    for path in run.skipped:
        lines.append(f"{visible_path(path)}: no training config; not checked")
    if not run.files:
        lines.append("No training configs found." if not run.skipped else "Nothing was checked.")
        return "\n".join(lines) + "\n"
    counted = count_phrase(counts)
    where = plural(len(run.files), "file")
    if total:
        rest = f" in {where}"
        fixable, unsafe = run.fixable(), run.unsafely_fixable()
        hints = [f"{fixable} fixable with --fix"] if fixable else []
        hints += [f"{unsafe} more with --unsafe-fixes"] if unsafe else []
        if hints:
            rest += f" ({', '.join(hints)})"
        text, length = style.bold(counted) + rest, len(counted + rest)
    else:
        counted = f"No problems in {where}"
        text, length = style.added(counted), len(counted)
    targets = _targets(run)
    if length + len(" · ") + len(targets) <= width:
        lines.append(f"{text} · {targets}")
    else:
        lines += [text, targets[0].upper() + targets[1:]]
    suppressed = sum(file.suppressed for file in run.files)
    if suppressed:
        lines.append(style.dim(f"{plural(suppressed, 'finding')} suppressed by comments."))
    lines += [style.dim(visible(note)) for note in run.notes]
    open_facts = run.undecided()
    for fact, count in sorted(open_facts.items(), key=lambda pair: -pair[1]):
        lines.append(
            style.dim(f"{plural(count, 'more rule')} would be decided by {option_for(fact)}")
        )
    if total:
        lines.append(style.dim("`cfglint explain CODE` says why, with the evidence."))
    return "\n".join(lines) + "\n"


def _names(run: RunReport) -> list[str]:
    """Which file names which, when files of several frameworks belong together."""
    pairs = [
        f"{visible_path(file.path)} ({file.title}) names {visible_path(named.path)} ({named.title})"
        for file in run.files
        for named in file.names
    ]
    if len(pairs) > _MAX_NAMED:
        more = len(pairs) - _MAX_NAMED
        return [f"{line}." for line in pairs[:_MAX_NAMED]] + [f"{more} more files name others."]
    return [f"{line}." for line in pairs]


def _targets(run: RunReport) -> str:
    described = [target.described(file.target) for file in run.files]
    distinct = list(dict.fromkeys(described))
    if 1 < len(distinct) <= _MAX_TARGETS and len(distinct) == len(
        {file.target.releases.package for file in run.files}
    ):
        return visible("checked for " + ", ".join(distinct[:-1]) + f" and {distinct[-1]}")
    if len(distinct) > 1:
        return visible(f"checked for {distinct[0]} and {plural(len(distinct) - 1, 'other target')}")
    return visible(f"checked for {distinct[0]}")
