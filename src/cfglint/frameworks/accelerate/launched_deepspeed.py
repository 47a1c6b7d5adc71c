"""The DeepSpeed file that accelerate's settings name, against the arguments of the trainer that they start.

The trainer compares it with its arguments as it does one that it names itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from cfglint.base.lazy import lazy_pattern
from cfglint.base.logic import UNKNOWN
from cfglint.base.shortened import shortened
from cfglint.base.type_names import TYPE_CHECKING, Any, Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.diagnostic import OtherFile, Related
from cfglint.environment.named_files import named_document, named_file
from cfglint.frameworks.accelerate.trainer_pair import (
    has_own_loop,
    starts_deepspeed,
    text_of_program,
)
from cfglint.frameworks.deepspeed.trainer_comparison import compares, differences
from cfglint.runs.starts.start import option_in
from cfglint.source.document import Path, format_path
from cfglint.source.languages.named import language
from cfglint.source.text import Span
from cfglint.source.values import to_python

if TYPE_CHECKING:
    from cfglint.environment.surroundings import Surroundings
    from cfglint.runs.starts.start import Start
    from cfglint.source.document import Document

_SECTION: Final = "deepspeed_config"
_FILE: Final = "deepspeed_config_file"
_MAX_BYTES: Final = 200_000
#: What the trainer takes where nothing is written, in all releases.
_DEFAULTS: Final = {"gradient_accumulation_steps": 1}
#: A class of the program, or words that are not known, may give others.
_OF_OWN_CLASS: Final = {"gradient_accumulation_steps": UNKNOWN, "max_grad_norm": UNKNOWN}
#: A word that sets a key to what is not known: `learning_rate=$LR`, `--learning_rate=$LR`.
_OPEN: Final = lazy_pattern(r"(?:--)?([A-Za-z_]\w{0,99})=.*", re.DOTALL)
#: All that a script, or a function of it, is given, or the items of a list.
_MANY: Final = ("$@", "$*", "${@", "${*", "[@]", "[*]")


def launched_with_other_settings(ctx: CheckContext) -> Iterator[Hit]:
    """Values of a file that each command gives to the trainer together with other ones of DeepSpeed's."""
    project = ctx.around.project
    written = to_python(ctx.document.root)
    if project is None or not isinstance(written, dict) or written.get("deepspeed") is not None:
        return
    known = {key: ctx.framework.parsing.coerce((key,), value) for key, value in written.items()}
    lines = project.launcher_lines(ctx.around.path)
    if ctx.around.is_started and len(lines) > 1:
        return  # whose words the document has is not known here
    done: set[tuple[str, Span]] = set()
    for line in lines:
        is_open = _may_set_any(line)
        given = ctx.framework.launching.overrides(line, ctx.document, ctx.target.release)
        config = {**known, **{str(one.path[0]): one.value for one in given}}
        config |= {
            match[1]: UNKNOWN
            for one in line.words
            if one.open and (match := _OPEN.fullmatch(one.text))
        }
        if config.get("deepspeed") is not None or not compares(ctx.framework.kind, config):
            continue
        is_own = is_open or "@dataclass" in text_of_program(line, ctx)
        defaults = _OF_OWN_CLASS if is_own else _DEFAULTS
        implied = {"bf16": False} if config.get("fp16") is True else {}
        for hit in differing_from_launch(ctx, line, (), config, {**defaults, **implied}):
            place = (hit.file.path if hit.file else "", hit.span)
            if place not in done:
                done.add(place)
                yield hit.replaced(severity="warning") if is_open else hit


def differing_from_launch(
    ctx: CheckContext, line: Start, at: Path, config: Mapping[str, Any], defaults: Mapping[str, Any]
) -> Iterator[Hit]:
    """Values of the DeepSpeed file that the settings of a command name, which the trainer finds different.

    Args:
        at: the mapping of the document that has the arguments.
        config: the arguments that are written.
        defaults: what arguments are that are not.
    """
    named = None if has_own_loop(line, ctx) else _named_by(line, ctx.around)
    settings = None if named is None else to_python(named[1].root)
    if named is None or not isinstance(settings, dict):
        return
    path, document = named
    file = OtherFile(path, document.source)
    gpus = ctx.target.facts.get("gpus")
    both = {**{key: value for key, value in defaults.items() if key not in config}, **config}
    for found in differences(settings, both, None if gpus is None else gpus.value):
        there = document.node(found.path)
        key = found.config.partition(":")[0]
        entry = ctx.document.entry((*at, key))
        # The file of the trainer is what a reader has named, and what the note leads back to.
        own = () if entry is None else (Related(entry.span, "the trainer's own value"),)
        params = {
            "key": format_path(found.path),
            "value": shortened(json.dumps(to_python(there) if there else None, default=str)),
            "config": f"{found.config}{'' if key in config or ':' not in found.config else ' by default'}",
        }
        yield Hit((), document.span(found.path) or Span(0, 0), params, own, file=file)


def _may_set_any(line: Start) -> bool:
    """Whether words of a command that are not known, such as `"$@"`, may set any argument."""
    is_value = False
    for word in line.words:
        if word.open:
            text = word.text
            if any(one in text for one in _MANY) or not (is_value or _OPEN.fullmatch(text)):
                return True
        is_value = word.text.startswith("--") and "=" not in word.text
    return False


def _named_by(line: Start, around: Surroundings) -> tuple[str, Document] | None:
    """The DeepSpeed file of a command of accelerate's, as it names it or as its settings do."""
    own = None if line.config.open else named_file(line.config.text, around, _MAX_BYTES)
    settings = None if own is None else named_document(own, language("yaml"), around, _MAX_BYTES)
    if not starts_deepspeed(line, settings):
        return None
    option = option_in(line.before, (_FILE,))
    written: object = None if option is None or option.open else option.text
    if option is None and settings is not None:
        node = settings.node((_SECTION, _FILE))
        written = None if node is None else to_python(node)
    path = named_file(written, around, _MAX_BYTES)
    document = path and named_document(path, language("json"), around, _MAX_BYTES)
    return (path, document) if path and document else None


CHECKS = {"launched-deepspeed-settings-differ": launched_with_other_settings}
