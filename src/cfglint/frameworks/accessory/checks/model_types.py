"""Whether there is a model of the name that `--llama_type` gives."""

from __future__ import annotations

import os
from collections.abc import Iterator

from cfglint.base.shortened import shortened
from cfglint.base.spelling import Speller
from cfglint.checks.context import CheckContext, Hit, Repair
from cfglint.diagnostic import ANY, SeverityName
from cfglint.fixes.actions import SetValue
from cfglint.frameworks.accessory.models import FIELDS
from cfglint.frameworks.accessory.options import value_of
from cfglint.source.files.nearby import search

#: The module of each model lies here; a project may have some of its own.
_FOLDERS = ("accessory/model/LLM", "model/LLM")


def model_type(ctx: CheckContext) -> Iterator[Hit]:
    """A name for which neither the project nor the repository has a module."""
    name = value_of(ctx.document.root, "llama_type")
    span = ctx.document.span(("llama_type",))
    if not isinstance(name, str) or name in FIELDS or span is None:
        return
    looked = _own_models(ctx)
    if looked is not None and name in looked:
        return
    known = tuple(sorted(looked if looked is not None else FIELDS))
    guess = Speller(known).closest(name)
    repairs: tuple[Repair, ...] = ()
    if guess is not None:
        action = SetValue(("llama_type",), guess.name)
        safety = "safe" if guess.sure else "unsafe"
        repairs = (Repair(f"Write {guess.name}", safety, (action,), (ANY,)),)
    params = {
        "name": shortened(name, 80),
        "hint": f" Did you mean `{guess.name}`?" if guess else "",
    }
    is_sure = looked is not None or guess is not None
    severity: SeverityName = "error" if is_sure else "warning"
    yield Hit(("llama_type",), span, params, repairs=repairs, severity=severity)


def _own_models(ctx: CheckContext) -> frozenset[str] | None:
    """The models of the project; None when it has no folder of them."""
    folder, files = ctx.around.folder, ctx.around.files
    if folder is None:
        return None
    for place in _FOLDERS:
        for path in search(place, folder, files).found:
            try:
                names = files.names(path)
            except OSError:
                continue
            found = frozenset(os.path.splitext(name)[0] for name in names if name.endswith(".py"))
            if found:
                return found
    return None


CHECKS = {"model-type": model_type}
