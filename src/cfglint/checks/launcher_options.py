"""Options of a launcher that it does not have, in the scripts that start a framework with it."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.base.spelling import is_one_slip
from cfglint.checks.context import CheckContext, Hit
from cfglint.diagnostic import Edit, Fix
from cfglint.knowledge.marks import launchers
from cfglint.runs.starts.launcher_options import known_options, meant_option, unknown_options
from cfglint.runs.starts.launchers import read_all
from cfglint.source.text import Span


def misspelt_launcher_option(ctx: CheckContext) -> Iterator[Hit]:
    """`torchrun --nproc_per_nodes 8 …`."""
    root, text = ctx.document.root, ctx.document.text
    for launcher in launchers():
        if not known_options(launcher):
            continue
        for line in read_all(ctx.around.path, text, launcher):
            if not root.start <= line.at < root.end:
                continue
            for place in unknown_options([word.text for word in line.before], launcher):
                word = line.before[place]
                written = word.text.partition("=")[0]
                meant = "" if word.open else meant_option(written, launcher)
                span = Span(word.start, word.start + len(written))
                if not meant or text[span.start : span.end] != written:
                    continue
                shown = f"--{meant.replace('_', '-') if '-' in written[2:] else meant}"
                one_slip = is_one_slip(written[2:].replace("-", "_"), meant)
                edit = Edit(span.start, span.end, shown)
                # Those of torchrun are keys of the document.
                names = (written[2:].replace("-", "_"), meant)
                paths = tuple(("launcher", name) for name in names)
                fix = Fix(f"Rename it to {shown}", "safe" if one_slip else "unsafe", (edit,), paths)
                params = {"option": written, "launcher": launcher.commands[0], "meant": shown}
                yield Hit((), span, params, fixes=(fix,))


CHECKS = {"misspelt-launcher-option": misspelt_launcher_option}
