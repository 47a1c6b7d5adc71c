"""Commands that start more processes on a machine than they let see GPUs."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.checks.context import CheckContext, Hit
from cfglint.checks.launcher_options import is_script, lines_of
from cfglint.diagnostic import OtherFile
from cfglint.environment.project.machines import VISIBLE, devices_of, world
from cfglint.environment.project.own_processes import training_lines
from cfglint.knowledge.marks import launchers
from cfglint.runs.starts.start import Start
from cfglint.source.text import SourceText, Span


def more_processes_than_gpus(ctx: CheckContext) -> Iterator[Hit]:
    """`CUDA_VISIBLE_DEVICES=0,1 torchrun --nproc_per_node 4 …`."""
    overridden = {one.name for one in launchers() if one.every_device}
    seen: set[tuple[str, int]] = set()
    for line, text in (*lines_of(ctx), *_own(ctx)):
        each, devices = _on_each(line), devices_of(line)
        if line.launcher in overridden or line.copied or not devices or not each:
            continue
        if each <= devices or (line.path, line.at) in seen:
            continue
        seen.add((line.path, line.at))
        span = _assignment(text, line)
        file = None if is_script(ctx) else OtherFile(line.path, SourceText(text))
        shown = "1 GPU" if devices == 1 else f"{devices} GPUs"
        yield Hit((), span, {"processes": each, "devices": shown}, file=file)


def _own(ctx: CheckContext) -> Iterator[tuple[Start, str]]:
    """The commands of a script that start a framework's own command."""
    if is_script(ctx):
        for line in training_lines(ctx.document, ctx.around):
            yield line, ctx.document.text


def _on_each(line: Start) -> int | None:
    """The processes on each machine, as the words of a command state them."""
    found = world(line, lambda _written: ())
    if found.each is not None:
        return found.each
    return found.processes if (found.nodes or 1) == 1 else None


def _assignment(text: str, line: Start) -> Span:
    """Where the GPUs that a command sees are listed; the command itself if that is not found before it."""
    at = text.rfind(f"{VISIBLE}=", 0, line.at)
    if at < 0:
        return Span(line.at, line.at + len(line.program))
    end = next((i for i in range(at, len(text)) if text[i].isspace() or text[i] == ";"), len(text))
    return Span(at, end)


CHECKS = {"more-processes-than-gpus": more_processes_than_gpus}
