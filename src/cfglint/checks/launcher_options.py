"""Options of a launcher that it does not have: in a script that is checked, and in the commands that start a config or a program."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.base.spelling import is_one_slip
from cfglint.checks.context import CheckContext, Hit
from cfglint.diagnostic import Edit, Fix, OtherFile
from cfglint.environment.project.program_starts import starts_of
from cfglint.knowledge.marks import Launcher, launchers
from cfglint.knowledge.recognition import language_of
from cfglint.runs.starts.launcher_options import known_options, meant_option, unknown_options
from cfglint.runs.starts.launchers import read_all
from cfglint.runs.starts.start import Start
from cfglint.source.text import SourceText, Span


def misspelt_launcher_option(ctx: CheckContext) -> Iterator[Hit]:
    """`torchrun --nproc_per_nodes 8 …`."""
    by_name = {one.name: one for one in launchers() if known_options(one)}
    seen: set[tuple[str, int]] = set()
    for line, text in lines_of(ctx):
        launcher = by_name.get(line.launcher)
        if launcher is None or line.own or (line.path, line.at) in seen:
            continue
        seen.add((line.path, line.at))
        file = None if is_script(ctx) else OtherFile(line.path, SourceText(text))
        for hit in _in_line(line, text, launcher):
            if file is None:
                yield hit
            else:
                is_script_too = language_of(line.path) == "shell"
                yield hit.replaced(file=file, fixes=hit.fixes if is_script_too else ())


def is_script(ctx: CheckContext) -> bool:
    """Whether the file that is checked is a script itself."""
    return ctx.framework.in_scripts or ctx.document.language.structure == "words"


def lines_of(ctx: CheckContext) -> Iterator[tuple[Start, str]]:
    """The commands of a script, or those that start a config or a program, each with the text that it is in."""
    around, root = ctx.around, ctx.document.root
    if is_script(ctx):
        text = ctx.document.text
        for launcher in launchers():
            for line in read_all(around.path, text, launcher):
                if root.start <= line.at < root.end:
                    yield line, text
        return
    for start in starts_of(around):
        yield start.line, start.text
    for line in around.launches:
        if around.project is not None:
            yield line, around.project.text(line.path)


def _in_line(line: Start, text: str, launcher: Launcher) -> Iterator[Hit]:
    for place in unknown_options([word.text for word in line.before], launcher):
        word = line.before[place]
        written = word.text.partition("=")[0]
        meant = "" if word.open else meant_option(written, launcher)
        span = Span(word.start, word.start + len(written))
        if not meant or text[span.start : span.end] != written:
            continue
        shown = f"--{meant.replace('_', '-') if '-' in written[2:] else meant}"
        name = written[2:].replace("-", "_")
        # Those of torchrun are keys of the document.
        paths = tuple(("launcher", one) for one in (name, meant))
        edit = Edit(span.start, span.end, shown)
        is_sure = is_one_slip(name, meant)
        fix = Fix(f"Rename it to {shown}", "safe" if is_sure else "unsafe", (edit,), paths)
        params = {"option": written, "launcher": launcher.commands[0], "meant": shown}
        yield Hit((), span, params, fixes=(fix,))


CHECKS = {"misspelt-launcher-option": misspelt_launcher_option}
