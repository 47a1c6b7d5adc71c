"""accelerate's settings for FSDP, and DeepSpeed for the trainer that they start: DeepSpeed counts.

The trainer's argument switches DeepSpeed on in the environment in which the launcher has switched FSDP on, and accelerate
looks for DeepSpeed first (`AcceleratorState`).
"""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.checks.launcher_options import is_script, lines_of
from cfglint.diagnostic import OtherFile, Related
from cfglint.environment.named_files import named_document, named_file
from cfglint.environment.project.program_starts import starts_of
from cfglint.frameworks.accelerate.launched_fsdp import FOR_FSDP, OTHERWISE
from cfglint.runs.starts.start import option_in
from cfglint.source.calls import call_of
from cfglint.source.document import Document, Mapping, Path
from cfglint.source.languages.named import language
from cfglint.source.values import to_python

if TYPE_CHECKING:
    from cfglint.runs.starts.start import Start

_MAX_BYTES: Final = 200_000
_AT: Final = "deepspeed"
_KIND: Final = ("distributed_type",)
_NOTE: Final = "accelerate starts the run for FSDP"


def other_strategy(ctx: CheckContext) -> Iterator[Hit]:
    """`accelerate launch --config_file fsdp.yaml train.py --deepspeed ds.json`, or the same in its config."""
    if is_script(ctx):
        for line, _ in lines_of(ctx):
            yield from _of_word(ctx, line)
        return
    project, folder = ctx.around.project, ctx.around.folder
    if project is None or folder is None or call_of(ctx.document.root) is not None:
        return
    # What the command itself lays over the file is in the document.
    if not _is_named(ctx.document, (_AT,)):
        return
    for line in project.launcher_lines(ctx.around.path, with_settings=False):
        if (found := _for_fsdp(ctx, line)) is not None:
            yield _hit(ctx, (_AT,), found)
            return


def other_strategy_of_program(ctx: CheckContext) -> Iterator[Hit]:
    """The same where a call of the program has the argument."""
    if is_script(ctx):
        yield from other_strategy(ctx)
        return
    for entry in ctx.document.root.entries:
        section, path = entry.value.target(), (entry.label, _AT)
        call = call_of(section) if isinstance(section, Mapping) else None
        if call is None or call.unreached or not _is_named(ctx.document, path):
            continue
        for start in starts_of(ctx.around):
            if (found := _for_fsdp(ctx, start.line)) is not None:
                yield _hit(ctx, path, found)
                return


def _is_named(document: Document, path: Path) -> bool:
    """Whether a value is the name of a file, or settings."""
    node = document.node(path)
    value = None if node is None else to_python(node)
    return isinstance(value, (str, dict)) and bool(value)


def _hit(ctx: CheckContext, path: Path, found: tuple[Related, ...]) -> Hit:
    span = ctx.document.span(path)
    assert span is not None
    return Hit(path, span, {}, related=found)


def _of_word(ctx: CheckContext, line: Start) -> Iterator[Hit]:
    word = option_in(line.words, (_AT,))
    found = _for_fsdp(ctx, line) if word is not None and word.text else None
    if word is not None and found is not None:
        yield Hit((), word.span, {}, related=found)


def _for_fsdp(ctx: CheckContext, line: Start) -> tuple[Related, ...] | None:
    """Where accelerate's own settings say FSDP; None where they do not, or that is not known."""
    words = {word.text for word in line.before}
    if words & OTHERWISE or not line.launcher.startswith("accelerate"):
        return None
    if words & FOR_FSDP:
        return ()
    if not line.config.end or line.config.open:
        return None
    path = named_file(line.config.text, ctx.around, _MAX_BYTES)
    if path is None:
        return None
    settings = named_document(path, language("yaml"), ctx.around, _MAX_BYTES)
    if settings is None:
        return None
    node, span = settings.node(_KIND), settings.span(_KIND)
    if node is None or span is None or str(to_python(node)).upper() != "FSDP":
        return None
    return (Related(span, _NOTE, OtherFile(path, settings.source)),)


CHECKS = {
    "launch-of-other-strategy": other_strategy,
    "program-of-other-strategy": other_strategy_of_program,
}
