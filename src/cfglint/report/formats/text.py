"""The report that a person reads in a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from cfglint.base.lazy import lazy_pattern
from cfglint.diagnostic import SEVERITIES, Diagnostic, Fix
from cfglint.engine.file_report import FileReport
from cfglint.engine.findings import REFUSED
from cfglint.report.blocks import Block, blocks
from cfglint.report.escaping import line_start, visible, visible_path
from cfglint.report.run import RunReport, plural
from cfglint.report.snippet import (
    Mark,
    changes,
    clipped,
    display_width,
    elsewhere,
    first_sentence,
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
_UPSTREAM = {
    "rejects": "{framework} refuses it",
    "warns": "{framework} warns",
    "silent": "{framework} says nothing",
}
#: The same where no framework reads a file, but a program calls libraries.
_OF_PROGRAMS = {
    "rejects": "an exception is raised",
    "warns": "a warning is logged",
    "silent": "nothing is reported",
}
#: Words of a cost that say themselves when it is due.
_MOMENT = lazy_pattern(
    r"\b(?:after|before|until|when|once|while|during|at the (?:first|next|end))\b"
)
#: The place of notes among the severities.
_NOTE = SEVERITIES.index("note")
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
    other_releases: bool = False,
) -> str:
    """All findings with their snippets, the most important first, then the summary.

    Args:
        style: how to color; plain when None.
        width: columns of the terminal.
        verbose: print notes and lists in full, too.
        other_releases: list what applies only to other releases.
    """
    from cfglint.report.summary import summary

    style = style or Style(color=False)
    listed = other_releases or verbose
    text = findings(run.files, style, width, verbose=verbose, other_releases=listed)
    return text + summary(run, style, width, verbose=verbose, other_releases=listed)


def findings(
    files: Sequence[FileReport],
    style: Style,
    width: int,
    *,
    verbose: bool = False,
    other_releases: bool = True,
) -> str:
    """The findings of files: by file, the one with the worst finding first."""
    texts = []
    lists: dict[frozenset[str], str] = {}
    for file, of_file in blocks(files, other_releases=other_releases):
        costs: set[str] = set()
        notes: list[str] = []
        for number, block in enumerate(of_file):
            if verbose or block.importance[1] < _NOTE:
                lines = _finding(block, costs, style, width, verbose)
                lines += _other_files(block, lists, style, width, verbose)
                texts.append("\n".join(lines) + "\n\n")
            else:
                notes += [] if number or notes else [style.bold(visible_path(file.path))]
                notes += _note(block, style, width)
                notes += _other_files(block, lists, style, width, verbose)
        if notes:
            texts.append("\n".join(notes) + "\n\n")
    return "".join(texts)


def _finding(block: Block, costs: set[str], style: Style, width: int, verbose: bool) -> list[str]:
    """A finding with its lines, its remedy and its cost, and the other places of its kind.

    Args:
        costs: the codes whose cost is already printed.
    """
    file, found, group = block.file, block.first, block.findings
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
    cost = cost_of(found, file.title)
    if cost and found.code not in costs:
        costs.add(found.code)
        lines.extend(_labelled("cost:", visible(cost), gutter, style, width))
    for settled in block.settled:
        text = f"{settled.severity} {settled.code}: {first_sentence(settled.message)}"
        lines.extend(_labelled("also settles", visible(text), gutter, style, width))
    if found.needs:
        text = visible(", ".join(found.needs))
        lines.extend(_labelled("decide it with:", text, gutter, style, width))
    return lines


def _other_files(
    block: Block, lists: dict[frozenset[str], str], style: Style, width: int, verbose: bool
) -> list[str]:
    """The other files that have the findings of a block, with their lines.

    Args:
        lists: the lists of files that are printed already -> the code that they are printed for.
    """
    if not block.others:
        return []
    count = plural(len(block.others), "other file")
    places, numbers = [], set()
    for file, group in block.others:
        lines = [str(file.source.position(one.span.start).line) for one in group]
        numbers.add(", ".join(lines))
        places.append(f"{visible_path(file.path)}:{', '.join(lines)}")
    names = frozenset(file.path for file, _ in block.others)
    code = lists.setdefault(names, block.first.code)
    if code != block.first.code and len(names) > _MAX_PLACES and len(numbers) == 1 and not verbose:
        text = f"in the same {count} as {code}, line {numbers.pop()}"
        return [f"    {style.dim('also')} {line_start(text)}"]
    if len(places) == 1:
        return [f"    {style.dim('also in')} {line_start(places[0])}"]
    lead = f"    {style.dim(f'also in {count}:')}"
    return [lead, *(f"      {line_start(place)}" for place in places)]


def _head(file: FileReport, found: Diagnostic, style: Style, width: int) -> list[str]:
    """The place and the message; on two lines when they do not fit on one."""
    line, column = file.source.position(found.span.start)
    place = f":{line}:{column}"
    cell = _cell(file, found)
    place += f" ({cell})" if cell else ""
    path = visible_path(file.path)
    where = f"{style.bold(path)}{place}"
    name = f"{found.name} (preview)" if found.preview else found.name
    what = f"{style.severity(found.severity, found.severity)}  {_code(file, found, style)} {name}"
    length = display_width(path + place) + len(f"  {found.severity}  {found.code} {name}")
    return [f"{where}  {what}"] if length <= width else [where, f"  {what}"]


def _cell(file: FileReport, found: Diagnostic) -> str:
    """The cell of a notebook, and the line in it; empty elsewhere."""
    if not file.path.endswith(".ipynb"):
        return ""
    from cfglint.source.notebook import cell_at

    at = cell_at(file.source.text, found.span.start)
    return f"cell {at[0]}, line {at[1]}" if at is not None else ""


def _code(file: FileReport, found: Diagnostic, style: Style) -> str:
    """The code of a finding, on a terminal a link to the rule's page, or else to its evidence."""
    code = style.bold(found.code)
    if not style.links or file.framework is None:
        return code
    from cfglint.base.documentation import rule_page
    from cfglint.knowledge.rules.knowledge import evidence

    return style.link(code, rule_page(found.code) or evidence(found.code, file.framework))


def cost_of(found: Diagnostic, title: str) -> str:
    """What a finding costs, and when; empty if its message says so already.

    Args:
        title: the name of the file's framework.
    """
    if found.cost == REFUSED and "refuse" in found.message:
        return ""
    return found.cost + aside(found, title) if found.cost else ""


def aside(found: Diagnostic, title: str) -> str:
    """When the problem shows and what the framework does about it, unless that is evident.

    Args:
        title: the name of the file's framework.
    """
    title = found.title or title
    refused = found.upstream == "rejects"
    # A silent problem has no moment at which it shows; often the cost names one itself.
    moment = BITES[found.bites]
    is_named = bool(_MOMENT.search(found.cost)) or moment.split()[-1] in found.cost
    is_evident = refused or found.bites == "silent" or is_named
    parts = [] if is_evident else [moment]
    # That a later crash is not announced is obvious; that nothing ever reports the problem is not.
    unseen = found.severity == "error" and found.bites == "silent"
    silent = found.upstream == "silent"
    if refused and " refuse" in found.message:
        return ""  # what does so is in the message
    if (unseen and "silently" not in found.message) if silent else title not in found.cost:
        parts.append(upstream_words(found.upstream, title))
    return f" ({'; '.join(parts)})" if parts else ""


def upstream_words(upstream: str, title: str) -> str:
    """What happens about a problem without cfglint.

    Args:
        title: of the framework, or of the class that is called.
    """
    return (_OF_PROGRAMS if title.endswith(" programs") else _UPSTREAM)[upstream].format(
        framework=title
    )


def _other_place(
    file: FileReport, found: Diagnostic, first: Diagnostic, gutter: str, style: Style, width: int
) -> list[str]:
    """One more place of a finding: its message or, if that is the same, its line."""
    line = file.source.position(found.span.start).line
    label = f"also {_cell(file, found) or f'line {line}'}:"
    if found.message == first.message:
        room = width - len(gutter) - len(label) - 1
        text = visible(clipped(file.source.line(line).strip(), room))
        return [f"{gutter}{style.dim(label)} {text}"]
    text = visible(found.message)
    if found.fixes:
        text += f" ({' '.join(_remedy(found, found.fixes[0]))})"
    return _labelled(label, text, gutter, style, width)


def _note(block: Block, style: Style, width: int) -> list[str]:
    """A note on one line: where, and as much of the message as fits.

    What applies only to other releases may be as bad as an error there: its first sentence is not cut.
    """
    file, found, group = block.file, block.first, block.findings
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
    # What to do comes first: the rest may be cut off.
    titles = {fix.title for one in group if (fix := one.fix()) is not None}
    mark = " (fixable)" if titles else ""
    says_it = found.message.startswith(("Write ", "Use ", "Leave out "))
    lead = f"{visible(titles.pop())}: " if len(titles) == 1 and not says_it else ""
    text = lead + visible(found.message)
    if display_width(text + mark) > room:
        text = lead + sentence
    if display_width(text + mark) > room:
        text = f"{wrapped(text, max(room - display_width(mark) - 2, 10))[0]} …"
    return [f"  {place}  {style.severity('note', 'note')}  {code}  {text}{mark}"]


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
