"""The report that a person reads in a terminal."""

from __future__ import annotations

from cfglint.diagnostic import Diagnostic, Fix
from cfglint.engine.file_report import FileReport
from cfglint.engine.needs import option_for
from cfglint.report import target
from cfglint.report.escaping import line_start, visible, visible_path
from cfglint.report.run import RunReport, by_kind, count_phrase, plural
from cfglint.report.snippet import (
    Mark,
    changes,
    clipped,
    display_width,
    elsewhere,
    first_sentence,
    short_path,
    snippet,
    wrapped,
)
from cfglint.report.style import Style

#: The moment at which a problem shows, in words.
BITES = {
    "start": "at start-up",
    "data": "while the data is prepared",
    "model-load": "while the model is loaded",
    "train": "during training",
    "evaluation": "at the first evaluation",
    "save": "at the first save",
    "silent": "silently",
}
#: What the framework does about it, in words.
UPSTREAM = {
    "rejects": "{framework} refuses it",
    "warns": "{framework} warns",
    "silent": "{framework} says nothing",
}
#: At most so many targets of different frameworks are all named.
_MAX_TARGETS = 3
#: How many files that name others are listed.
_MAX_NAMED = 8
#: How many places of one finding are shown.
_MAX_PLACES = 6
#: How many line numbers a note about several lines lists.
_MAX_LINES = 4


def render(
    run: RunReport,
    style: Style | None = None,
    width: int = 100,
    *,
    verbose: bool = False,
    printed: frozenset[str] = frozenset(),
) -> str:
    """All findings with their snippets, then the summary.

    Args:
        style: how to color; plain when None.
        width: columns of the terminal.
        verbose: print notes in full, too.
        printed: paths of files whose findings are printed already.
    """
    style = style or Style(color=False)
    # In the order of checking: files about which other files may add findings come last.
    files = sorted(run.files, key=lambda file: file.is_second or file.framework is None)
    texts = [
        file.shown if file.shown is not None else findings(file, style, width, verbose=verbose)
        for file in files
        if file.path not in printed
    ]
    return "".join(texts) + summary(run, style, width)


def findings(file: FileReport, style: Style, width: int, *, verbose: bool = False) -> str:
    """The findings of one file: errors, warnings, notes, then what applies only to other releases."""
    costs: set[str] = set()
    blocks, notes = [], []
    for group in by_kind(file):
        if verbose or group[0].severity != "note":
            blocks.append("\n".join(_finding(file, group, costs, style, width, verbose)) + "\n\n")
        else:
            notes.append(group)
    if notes:
        lead = [] if blocks else [style.bold(short_path(visible_path(file.path), width))]
        lines = [line for group in notes for line in _note(file, group, style, width)]
        blocks.append("\n".join(lead + lines) + "\n\n")
    return "".join(blocks)


def _finding(
    file: FileReport,
    group: list[Diagnostic],
    costs: set[str],
    style: Style,
    width: int,
    verbose: bool,
) -> list[str]:
    """A finding with its lines, its remedy and its cost, and the other places of its kind.

    Args:
        costs: the codes whose cost is already printed.
    """
    found = group[0]
    lines = _head(file, found, style, width)
    lines.extend(f"  {line_start(part)}" for part in wrapped(visible(found.message), width - 2))
    marks = _marks(found, len(found.related) if verbose else _MAX_PLACES)
    last = max(file.source.position(mark.span.start).line for mark in marks)
    # Whatever follows the lines of the file is indented by the width of their numbers.
    gutter = " " * (len(str(last)) + 3)
    lines.extend(_snippet(file, found, marks, gutter, style, width))
    for related in found.related:
        if related.file is not None:
            lines.extend(_labelled("related:", elsewhere(related, file.path), gutter, style, width))
    most = len(group) if verbose else _MAX_PLACES
    for other in group[1:most]:
        lines.extend(_other_place(file, other, found, gutter, style, width))
    if len(group) > most:
        more = plural(len(group) - most, "more place")
        lines.append(f"{gutter}{style.dim(f'and in {more}, see --verbose')}")
    if found.cost and found.code not in costs:
        costs.add(found.code)
        text = visible(found.cost + aside(found, file.title))
        lines.extend(_labelled("cost:", text, gutter, style, width))
    if found.needs:
        text = visible(", ".join(found.needs))
        lines.extend(_labelled("decide it with:", text, gutter, style, width))
    return lines


def _head(file: FileReport, found: Diagnostic, style: Style, width: int) -> list[str]:
    """The place and the message; on two lines when they do not fit on one."""
    line, column = file.source.position(found.span.start)
    place = f":{line}:{column}"
    path = short_path(visible_path(file.path), width - len(place))
    where = f"{style.bold(path)}{place}"
    what = f"{style.severity(found.severity, found.severity)}  {_code(file, found, style)} {found.name}"
    length = display_width(path + place) + len(f"  {found.severity}  {found.code} {found.name}")
    return [f"{where}  {what}"] if length <= width else [where, f"  {what}"]


def _code(file: FileReport, found: Diagnostic, style: Style) -> str:
    """The code of a finding, on a terminal a link to the rule's page, or else to its evidence."""
    code = style.bold(found.code)
    if not style.links or file.framework is None:
        return code
    from cfglint.base.documentation import rule_page
    from cfglint.knowledge.rules.knowledge import evidence

    return style.link(code, rule_page(found.code) or evidence(found.code, file.framework))


def aside(found: Diagnostic, title: str) -> str:
    """When the problem shows and what the framework does about it, unless that is evident.

    Args:
        title: the name of the file's framework.
    """
    title = found.title or title
    refused = found.upstream == "rejects"
    # A silent problem has no moment at which it shows; often the cost names the moment.
    moment = BITES[found.bites]
    is_evident = refused or found.bites == "silent" or moment.split()[-1] in found.cost
    parts = [] if is_evident else [moment]
    # That a later crash is not announced is obvious; that nothing ever reports the problem is not.
    unseen = found.severity == "error" and found.bites == "silent"
    silent = found.upstream == "silent"
    if (unseen and "silently" not in found.message) if silent else title not in found.cost:
        parts.append(UPSTREAM[found.upstream].format(framework=title))
    return f" ({'; '.join(parts)})" if parts else ""


def _other_place(
    file: FileReport, found: Diagnostic, first: Diagnostic, gutter: str, style: Style, width: int
) -> list[str]:
    """One more place of a finding: its message or, if that is the same, its line."""
    line = file.source.position(found.span.start).line
    label = f"also line {line}:"
    if found.message == first.message:
        room = width - len(gutter) - len(label) - 1
        text = visible(clipped(file.source.line(line).strip(), room))
        return [f"{gutter}{style.dim(label)} {text}"]
    text = visible(found.message)
    if found.fixes:
        text += f" ({' '.join(_remedy(found, found.fixes[0]))})"
    return _labelled(label, text, gutter, style, width)


def _note(file: FileReport, group: list[Diagnostic], style: Style, width: int) -> list[str]:
    """A note on one line: where, and as much of the message as fits.

    What applies only to other releases may be as bad as an error there: its first sentence is not cut.
    """
    found = group[0]
    numbers = [str(file.source.position(one.span.start).line) for one in group]
    if len(numbers) > _MAX_LINES:
        numbers[_MAX_LINES:] = ["…"]
    place, sentence = ", ".join(numbers), visible(first_sentence(found.message))
    code = _code(file, found, style)
    if found.other_releases:
        label = "on other releases:"
        first = f"{label} line {place}  {found.code}  "
        rows = wrapped(first + sentence, width - 4)
        lead = f"  {style.dim(label)} line {place}  {code}  "
        return [lead + rows[0][len(first) :], *(f"    {line_start(row)}" for row in rows[1:])]
    room = width - len(f"  {place}  note  {found.code}  ")
    text, mark = visible(found.message), ""
    fix = next((fix for one in group if (fix := one.fix())), None)
    if fix is not None:
        mark = f" (fix: {visible(fix.title)})"
        if len(group) > 1 or display_width(sentence + mark) > room:
            mark = " (fixable)"
        elif display_width(text + mark) > room:
            text = sentence
    if display_width(text + mark) > room:
        text = f"{wrapped(text, max(room - display_width(mark) - 2, 10))[0]} …"
    text += mark
    return [f"  {place}  {style.severity('note', 'note')}  {code}  {text}"]


def _labelled(label: str, text: str, gutter: str, style: Style, width: int) -> list[str]:
    """A text after its label, its further lines indented."""
    rows = wrapped(f"{label} {text}", width - len(gutter) - 2)
    begin = len(label) + 1
    first = f"{gutter}{style.dim(label)} {rows[0][begin:]}".rstrip()
    return [first, *(f"{gutter}  {line_start(row)}" for row in rows[1:])]


def _remedy(found: Diagnostic, fix: Fix) -> tuple[str, str]:
    """The label of a fix, and its words."""
    if fix.refused is not None:
        return "fix by hand:", f"{visible(fix.title)} ({visible(fix.refused)})"
    if found.undecided:
        return "fix if it holds:", visible(fix.title)
    return "fix:" if fix.safety == "safe" else "unsafe fix:", visible(fix.title)


def _marks(found: Diagnostic, most: int) -> list[Mark]:
    """The place of a finding and its related places in the same file."""
    marks = [Mark(found.span, "", True)]
    notes: set[str] = set()
    here = [related for related in found.related if related.file is None]
    for number, related in enumerate(here[:most]):
        # The note of several places is shown once.
        note = "" if related.note in notes else related.note
        if number == most - 1 and len(here) > most:
            note = f"{note} and {len(here) - most} more".lstrip()
        marks.append(Mark(related.span, note, False))
        notes.add(related.note)
    return marks


def _snippet(
    file: FileReport, found: Diagnostic, marks: list[Mark], gutter: str, style: Style, width: int
) -> list[str]:
    """The marked lines of a file, and what a fix makes of them."""
    fix = found.fixes[0] if found.fixes else None
    below = []
    if fix is not None:
        label, words = _remedy(found, fix)
        remedy = f"{label} {words}"
        start, end = file.source.line_span(file.source.position(found.span.start).line)
        before = visible(file.source.text[start : max(start, min(found.span.end, end))])
        if display_width(f"{before} {remedy}") < width - len(gutter) and file.source.text:
            marks = [Mark(found.span, remedy, True), *marks[1:]]
        else:
            below = _labelled(label, words, gutter, style, width)
        for sign, text in changes(file.source, found.span, fix, width - len(gutter) - 2):
            paint = style.removed if sign == "-" else style.added
            below.append(gutter + paint(f"{sign} {text}"))
    lines = []
    for row in snippet(file.source, marks, width - len(gutter) - 2) if file.source.text else ():
        text = row.text
        if row.number is None:
            carets, note = text[: row.marks], text[row.marks :]
            if row.primary:
                text = style.severity(carets, found.severity) + note
            else:
                text = style.related(text)
        number = style.dim(str(row.number or "").rjust(len(gutter) - 1) + " │")
        lines.append(f"{number} {text}".rstrip())
    return lines + below


def summary(run: RunReport, style: Style, width: int = 100) -> str:
    """The last lines: fixes, counts, targets, and the options that would decide more rules."""
    lines = _fixed(run, style, width)
    lines += [style.dim(line) for name in _names(run) for line in _hanging(name, width)]
    for path in run.skipped:
        lines += _hanging(f"{visible_path(path)}: not a training config; not checked", width)
    if not run.files:
        lines.append(visible(run.nothing) if not run.skipped else "Nothing was checked.")
        return "\n".join(lines) + "\n"
    lines += _counted(run, style, width)
    for warning in target.warnings(file.target for file in run.files):
        rows = _hanging(f"warning: {visible(warning)}", width)
        lines += [style.severity(rows[0], "warning"), *rows[1:]]
    suppressed = sum(file.suppressed for file in run.files)
    if suppressed:
        lines.append(style.dim(f"{plural(suppressed, 'finding')} suppressed by comments."))
    lines += [style.dim(visible(note)) for note in run.notes]
    facts = sorted(run.undecided().items(), key=lambda pair: -pair[1])
    if facts:
        rest = "".join(f", {count} by {option_for(fact)}" for fact, count in facts[1:])
        more = plural(facts[0][1], "more rule")
        text = f"{more} would be decided by {option_for(facts[0][0])}{rest}"
        lines += [style.dim(line) for line in _hanging(text, width)]
    if any(file.diagnostics for file in run.files):
        lines.append(style.dim("`cfglint explain CODE` says why, with the evidence."))
    return "\n".join(lines) + "\n"


def _fixed(run: RunReport, style: Style, width: int) -> list[str]:
    """What fixing did, one line per fix, and what it could not do."""
    lines = []
    made = run.applied()
    if made:
        files = len({file.path for file, _ in made})
        verb = "Would fix" if run.dry else "Fixed"
        text = f"{verb} {plural(len(made), 'finding')} in {plural(files, 'file')}:"
        lines.append(style.added(text))
    for file, fix in made:
        text = f"{short_path(visible_path(file.path), width // 2)}:{fix.line}  {fix.code}  "
        lines += [f"  {line}" for line in _hanging(text + visible(fix.title), width - 2)]
    for file in run.files:
        path = visible_path(file.path)
        if file.not_written is not None:
            lines += _hanging(f"{path}: not written: {visible(file.not_written)}", width)
        for code, reason in file.rejected:
            lines += _hanging(f"{path}: {code} was not fixed: {visible(reason)}", width)
    return lines


def _counted(run: RunReport, style: Style, width: int) -> list[str]:
    """How many findings there are, and what for: on as few lines as possible."""
    counted, rest = count_phrase(run.counts()), f" in {plural(len(run.files), 'file')}"
    targets = _targets(run)
    capital = targets[0].upper() + targets[1:]
    if not counted:
        counted = f"No problems{rest}"
        if len(f"{counted} · {targets}") <= width:
            return [f"{style.added(counted)} · {targets}"]
        return [style.added(counted), *_hanging(capital, width)]
    fixable, unsafe = run.fixable(), run.unsafely_fixable()
    hints = [f"{fixable} fixable with --fix"] if fixable else []
    hints += [f"{unsafe} more with --unsafe-fixes"] if unsafe else []
    hint = f" ({', '.join(hints)})" if hints else ""
    first, length = style.bold(counted) + rest, len(counted + rest)
    if length + len(f"{hint} · {targets}") <= width:
        return [f"{first}{hint} · {targets}"]
    if length + len(hint) <= width:
        return [first + hint, *_hanging(capital, width)]
    return [first, *_hanging(", ".join(hints), width), *_hanging(capital, width)]


def _hanging(text: str, width: int) -> list[str]:
    """A text wrapped to the width, all lines but the first indented."""
    if display_width(text) <= width:
        return [text]
    return [
        "  " * (number > 0) + line_start(row) for number, row in enumerate(wrapped(text, width - 2))
    ]


def _names(run: RunReport) -> list[str]:
    """Which file names which, when files of several frameworks belong together."""
    pairs = [
        f"{visible_path(file.path)} ({file.title}) names {visible_path(named.path)} ({named.title})"
        for file in run.files
        for named in file.names
    ]
    if len(pairs) > _MAX_NAMED:
        more = len(pairs) - _MAX_NAMED
        return [f"{line}." for line in pairs[:_MAX_NAMED]] + [
            f"{more} more files name other files."
        ]
    return [f"{line}." for line in pairs]


def _targets(run: RunReport) -> str:
    packages = {file.target.releases.package for file in run.files}
    described = [target.described(file.target, packages) for file in run.files]
    distinct = list(dict.fromkeys(described))
    if 1 < len(distinct) <= _MAX_TARGETS and len(distinct) == len(packages):
        return visible("checked for " + ", ".join(distinct[:-1]) + f" and {distinct[-1]}")
    if len(distinct) > 1:
        return visible(f"checked for {distinct[0]} and {plural(len(distinct) - 1, 'other target')}")
    return visible(f"checked for {distinct[0]}")
