"""The steps of a migration and what remains to be done: for a terminal, and for a pull request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import unified_diff

from cfglint.base.record import Record
from cfglint.engine.files_together.files_around import Around
from cfglint.engine.migration.one_text import Migration
from cfglint.engine.migration.steps import NO_STEP, Left, Step
from cfglint.report.escaping import (
    line_start,
    markdown,
    markdown_message,
    visible,
    visible_path,
)
from cfglint.report.run import plural
from cfglint.report.snippet import wrapped
from cfglint.report.style import Style
from cfglint.source.text import SourceText

#: A step that changes more lines is cut.
_MAX_DIFF_LINES = 24


class MigratedFile(Record):
    """One file, and the result of its migration."""

    path: str
    #: The name of the framework in sentences; empty where the releases name their packages.
    title: str
    #: The release that it was written for, and how that is known; both may be empty.
    source: str
    source_origin: str
    target: str
    migration: Migration
    #: The changes that it needs in other files.
    around: tuple[Around, ...] = ()
    written: bool = False
    #: Why it was not written, although that was asked for.
    not_written: str | None = None

    @property
    def original(self) -> SourceText:
        """The text before."""
        return self.migration.original

    @property
    def fixed_source(self) -> SourceText | None:
        """The text after the steps that were taken; None when there was none."""
        return self.migration.result if self.migration.steps else None

    @property
    def heading(self) -> str:
        """From where to where."""
        words = (self.title, self.source_and_origin, "to", self.target)
        return " ".join(word for word in words if word)

    @property
    def source_and_origin(self) -> str:
        """The release that it was written for, and in brackets how that is known."""
        return f"{self.source} ({self.source_origin})" if self.source_origin else self.source


def render(
    files: Sequence[MigratedFile],
    around: Sequence[Around] = (),
    style: Style | None = None,
    width: int = 100,
) -> str:
    """Each step with its diff and its reason; for several files one line each.

    Args:
        around: the changes that they need in other files.
    """
    style = style or Style(color=False)
    others = [line for change in around for line in _around(change)]
    if len(files) == 1:
        lines = [*_whole(files[0], style, width), *others]
        return "".join(f"{line}\n" for line in lines)
    lines = [f"{visible_path(file.path)}: {summary(file)}" for file in files]
    done = sum(file.migration.complete for file in files)
    lines += others
    lines.append(f"{plural(len(files), 'file')}, {done} with nothing left to do")
    return "".join(f"{line}\n" for line in lines)


def _around(change: Around) -> Iterator[str]:
    changes = "; ".join(change.changes)
    yield f"{visible_path(change.path)}: {visible(changes)}"
    if change.not_written is not None:
        yield f"{visible_path(change.path)}: not written: {visible(change.not_written)}"


def summary(file: MigratedFile) -> str:
    """One line: what was done, what was not."""
    migration = file.migration
    if migration.complete and not migration.steps:
        return f"nothing to do for {f'{file.title} {file.target}'.strip()}"
    way = f"{file.source} to {file.target}".strip()
    parts = [way, plural(len(migration.steps), "step")]
    if migration.proposed:
        parts.append(f"{len(migration.proposed)} more to review (--unsafe-fixes takes them)")
    if migration.left:
        parts.append(f"{len(migration.left)} left")
    if file.not_written is not None:
        parts.append(f"not written: {visible(file.not_written)}")
    elif file.written:
        parts.append("written")
    return ", ".join(parts)


def _whole(file: MigratedFile, style: Style, width: int) -> Iterator[str]:
    migration = file.migration
    yield f"{style.bold(visible_path(file.path))}: {visible(file.heading)}"
    for number, step in enumerate(migration.steps, 1):
        yield from _step(number, step, style, width)
    if migration.proposed:
        yield ""
        yield style.bold("To review; --unsafe-fixes also takes these steps:")
        for number, step in enumerate(migration.proposed, len(migration.steps) + 1):
            yield from _step(number, step, style, width)
    if migration.left:
        yield ""
        yield style.bold("Left, because no step can resolve it:")
        for left in migration.left:
            line = migration.whole.position(left.start).line
            yield from _wrapped(f"line {line}: {left.code} {left.message}{_why(left)}", "  ", width)
    yield ""
    yield summary(file)


def _why(left: Left) -> str:
    """Why no step can resolve a problem, where more is known than the heading says."""
    return "" if left.why == NO_STEP else f" ({left.why})"


def _step(number: int, step: Step, style: Style, width: int) -> Iterator[str]:
    yield ""
    yield f"{number}. {style.bold(step.code)} {visible(step.title)}"
    if not step.safe:
        yield from _to_answer(step, style, width)
        return
    yield from _wrapped(step.reason, "   ", width)
    yield from _painted(_diff(step), style)


def _to_answer(step: Step, style: Style, width: int) -> Iterator[str]:
    """A step that a person decides on: what is there, what would be, why, and the question."""
    lines = _diff(step)
    removed = [line for line in lines if line[:1] == "-"]
    other = [line for line in lines if line[:1] != "-"]
    if removed:
        yield "   before:"
        yield from _painted(removed, style)
    yield "   after:" if other else "   after: nothing"
    yield from _painted(other, style)
    yield from _wrapped(f"why: {step.reason}", "   ", width)
    yield from _wrapped(f"question: {step.look_at}", "   ", width)


def _painted(lines: Sequence[str], style: Style) -> Iterator[str]:
    for line in lines:
        shown = f"   {line_start(visible(line))}"
        paint = {"-": style.removed, "+": style.added}.get(line[:1])
        yield paint(shown) if paint is not None else shown


def _wrapped(text: str, indent: str, width: int) -> Iterator[str]:
    for part in wrapped(visible(text), width - len(indent)):
        yield f"{indent}{line_start(part)}"


def _diff(step: Step) -> list[str]:
    """The lines that a step changes, without those around."""
    before, after = step.before.text.splitlines(), step.after.text.splitlines()
    # `unified_diff` is slow on long texts, of which a step changes little.
    same = _common(before, after)
    before, after = before[same:], after[same:]
    same = _common(before[::-1], after[::-1])
    before, after = before[: len(before) - same], after[: len(after) - same]
    lines = [
        line
        for line in list(unified_diff(before, after, n=0, lineterm=""))[2:]
        if not line.startswith("@@")
    ]
    if len(lines) > _MAX_DIFF_LINES:
        more = len(lines) - _MAX_DIFF_LINES
        lines = [*lines[:_MAX_DIFF_LINES], f"… {more} more lines"]
    return lines


def _common(one: Sequence[str], two: Sequence[str]) -> int:
    """How many lines both texts begin with."""
    pairs = enumerate(zip(one, two, strict=False))
    return next((at for at, (left, right) in pairs if left != right), min(len(one), len(two)))


def render_markdown(files: Sequence[MigratedFile], around: Sequence[Around] = ()) -> str:
    """A report for a pull request."""
    out = ["# Migration", ""]
    if len(files) > 1:
        out += ["| file | from | to | steps | to review | left |", "|---|---|---|---|---|---|"]
        for file in files:
            migration = file.migration
            unsafe = sum(not step.safe for step in (*migration.steps, *migration.proposed))
            cells = (
                markdown(file.path),
                markdown(file.source_and_origin),
                markdown(file.target),
                str(len(migration.steps)),
                str(unsafe),
                str(len(migration.left)),
            )
            out.append(f"| {' | '.join(cells)} |")
        out.append("")
    for file in files:
        out += _section(file)
    if around:
        out += ["## Files around", ""]
        out += [f"- {markdown(line)}" for change in around for line in _around(change)]
        out.append("")
    return "\n".join(out)


def _section(file: MigratedFile) -> Iterator[str]:
    migration = file.migration
    yield f"## {markdown(file.path)}"
    yield ""
    yield f"{markdown(file.heading)}: {markdown(summary(file))}."
    yield ""
    taken = [step for step in migration.steps if step.safe]
    unsafe = [step for step in migration.steps if not step.safe]
    for title, steps in (
        ("Changed", taken),
        ("Changed, to review", unsafe),
        ("Not changed: to review first", migration.proposed),
    ):
        if steps:
            yield f"### {title}"
            yield ""
            for step in steps:
                yield from _markdown_step(step)
    if migration.left:
        yield "### Not changed: no step can resolve it"
        yield ""
        for left in migration.left:
            yield _markdown_left(left, migration)
        yield ""


def _markdown_step(step: Step) -> Iterator[str]:
    box = "" if step.safe else "[ ] "
    yield f"- {box}**{step.code} {markdown(step.title)}.** {markdown_message(step.reason)}"
    if step.look_at:
        yield f"  *Question:* {markdown(step.look_at)}"
    yield ""
    # Longer than any run of backticks in the file, so that nothing in it ends the block.
    lines = _diff(step)
    fence = "`" * max([3, *(line.count("`") + 1 for line in lines)])
    yield f"  {fence}diff"
    for line in lines:
        yield f"  {visible(line)}"
    yield f"  {fence}"
    yield ""


def _markdown_left(left: Left, migration: Migration) -> str:
    line = migration.whole.position(left.start).line
    effect = "the file is refused" if left.refused else "it has no effect"
    why = "" if left.why == NO_STEP else f"{markdown(left.why)}; "
    return f"- line {line}: **{left.code}** {markdown_message(left.message)} ({why}{effect})"
