"""A trainer's file against the settings of accelerate that start it, where one launch line names both.

Under DeepSpeed the trainer of transformers compares what accelerate hands on with its own arguments.
"""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.base.type_names import TYPE_CHECKING, Any, Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.diagnostic import OtherFile, Related
from cfglint.runs.starts.start import Word, option_in
from cfglint.source.document import Document
from cfglint.source.languages.named import language
from cfglint.source.problems import SourceError
from cfglint.source.text import SourceText
from cfglint.source.values import to_python

if TYPE_CHECKING:
    from cfglint.environment.project.project import Project
    from cfglint.runs.starts.start import Start

#: The trainer's argument -> accelerate's key in `deepspeed_config`, and its option.
_COMPARED: Final = {
    "gradient_accumulation_steps": "gradient_accumulation_steps",
    "max_grad_norm": "gradient_clipping",
}
_SECTION: Final = "deepspeed_config"
_OWN_FILE: Final = "deepspeed_config_file"
_WITH_DEEPSPEED: Final = frozenset({"--use_deepspeed", "--use-deepspeed"})
_OTHERWISE: Final = frozenset(
    f"--{name}"
    for one in ("multi_gpu", "use_fsdp", "use_megatron_lm")
    for name in (one, one.replace("_", "-"))
)


def settings_differ(ctx: CheckContext) -> Iterator[Hit]:
    """Values of a trainer that a launch line's settings of accelerate give otherwise."""
    project, folder = ctx.around.project, ctx.around.folder
    node = ctx.document.node(("deepspeed",))
    if project is None or folder is None or (node is not None and to_python(node) is not None):
        return
    done: set[str] = set()
    for line in project.launcher_lines(ctx.around.path):
        named = project.named(line.config.text, folder) if not line.config.open else None
        settings = _read(named[1]) if named is not None else None
        if named is None or settings is None or not _is_deepspeed(line, settings):
            continue
        other = OtherFile(named[0], SourceText(named[1]))
        for own, theirs in _COMPARED.items():
            hit = _differs(ctx, line, settings, own, theirs)
            if hit is not None and own not in done:
                done.add(own)
                span = settings.span((_SECTION, theirs))
                note = "accelerate hands this on" if span is not None else ""
                related = (Related(span, note, other),) if span is not None else ()
                place = _place(project, line)
                yield hit.replaced(related=related, params={**hit.params, "line": place})


def _differs(
    ctx: CheckContext, line: Start, settings: Document, own: str, theirs: str
) -> Hit | None:
    """The finding about one value; None where both agree, or one is not known."""
    span = ctx.document.span((own,))
    mine = _value(ctx.document, (own,), option_in(line.words, (own,)))
    other = _value(settings, (_SECTION, theirs), option_in(line.before, (theirs,)))
    if span is None or mine is None or other is None or mine == other:
        return None
    params = {"key": own, "value": _shown(mine), "other": theirs, "theirs": _shown(other)}
    return Hit((own,), span, params)


def _is_deepspeed(line: Start, settings: Document) -> bool:
    """Whether a line starts DeepSpeed by keys of accelerate's file, not by a file of DeepSpeed's own."""
    if settings.node((_SECTION, _OWN_FILE)) is not None:
        return False
    words = {word.text for word in line.before}
    if words & _OTHERWISE or option_in(line.before, (_OWN_FILE,)) is not None:
        return False
    node = settings.node(("distributed_type",))
    kind = to_python(node) if node is not None else None
    return bool(words & _WITH_DEEPSPEED) or (isinstance(kind, str) and kind.upper() == "DEEPSPEED")


def _value(document: Document, path: tuple[str, ...], option: Word | None) -> float | None:
    """The number that an option gives, or else the file; None for anything else."""
    value: Any
    if option is not None:
        value = None if option.open else option.text
    else:
        node = document.node(path)
        value = to_python(node) if node is not None else None
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        return float(value)
    except ValueError:
        return None


def _shown(value: float) -> str:
    return str(int(value)) if value == int(value) else str(value)


def _read(text: str) -> Document | None:
    try:
        return language("yaml").read(SourceText(text))
    except SourceError:
        return None


def _place(project: Project, line: Start) -> str:
    """Where a launch line is, as reports name it."""
    from cfglint.environment.project.stated_versions import place_at

    return project.name(place_at(line.path, project.text(line.path), line.at))


CHECKS = {"launch-settings-differ": settings_differ}
