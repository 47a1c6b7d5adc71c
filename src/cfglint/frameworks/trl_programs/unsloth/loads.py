"""Models that Unsloth loads without the engine of vLLM that the program's trainer, or the program itself, asks for."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from cfglint.base.type_names import TYPE_CHECKING, Any, Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.diagnostic import Related
from cfglint.frameworks.trl_programs.models.loads import Load, loads
from cfglint.frameworks.trl_programs.stated import surely
from cfglint.source.python_names import named_keywords
from cfglint.source.python_program import program_of

if TYPE_CHECKING:
    from cfglint.source.python_names import Names

_CLASSES: Final = frozenset(
    {"unsloth.FastLanguageModel", "unsloth.FastModel", "unsloth.FastVisionModel"}
)
_ENGINE: Final = "fast_inference"
_WHOLE: Final = "full_finetuning"
_CONFIG: Final = "trl.GRPOConfig"
_USE: Final = "use_vllm"
_MODE: Final = "vllm_mode"


def engine_of_whole_model(ctx: CheckContext) -> Iterator[Hit]:
    """`FastLanguageModel.from_pretrained(…, fast_inference=True, full_finetuning=True)`."""
    program = program_of(ctx.document.text)
    if program.tree is None:
        return
    names = program.names
    for load in _loads(names):
        call, given = load.call, load.given
        if _is(given.get(_ENGINE), True, call, names) and _is(given.get(_WHOLE), True, call, names):
            related = Related(program.name_of(given[_WHOLE]), "all weights are trained")
            yield Hit((), program.name_of(given[_ENGINE]), {}, related=(related,))


def vllm_without_engine(ctx: CheckContext) -> Iterator[Hit]:
    """`GRPOConfig(use_vllm=True)` beside a model that is loaded without `fast_inference=True`."""
    program = program_of(ctx.document.text)
    if program.tree is None:
        return
    names = program.names
    models = _loads(names)
    if not models or not all(_has_no_engine(one, names) for one in models):
        return
    for call in names.calls:
        if names.imported(call.func) != _CONFIG:
            continue
        given = named_keywords(call)
        mode = given.get(_MODE)
        if not _is(given.get(_USE), True, call, names):
            continue
        if mode is not None and not _is(mode, "colocate", call, names):
            continue
        place = program.span_of(models[0].call.func)
        engine = models[0].given.get(_ENGINE)
        related = Related(place if engine is None else program.name_of(engine), "without an engine")
        # Later releases may wait for a server instead.
        certain = mode is not None or surely(ctx, "trl", "<0.18.0")
        yield Hit(
            (),
            program.name_of(given[_USE]),
            {},
            related=(related,),
            severity=None if certain else "warning",
        )


def _loads(names: Names) -> list[Load]:
    """The calls with which Unsloth loads a model."""
    return [load for load in loads(names) if load.of in _CLASSES]


def _has_no_engine(load: Load, names: Names) -> bool:
    """Whether a model is surely loaded without an engine."""
    if any(one.arg is None for one in load.call.keywords):
        return False
    given = load.given.get(_ENGINE)
    return given is None or _is(given, False, load.call, names)


def _is(word: ast.keyword | None, value: Any, call: ast.Call, names: Names) -> bool:
    """Whether a keyword is given and surely has a value."""
    return word is not None and names.value(word.value, call) == value


CHECKS = {
    "engine-of-whole-model": engine_of_whole_model,
    "vllm-without-engine": vllm_without_engine,
}
