"""Adapters that Unsloth is to put on a model which its own kernels run, with options that it has no kernels for."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from cfglint.base.record import NamedTuple
from cfglint.base.type_names import TYPE_CHECKING, Any, Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.diagnostic import Related
from cfglint.frameworks.trl_programs.stated import surely
from cfglint.roles.model_facts import fact_of_model
from cfglint.source.python_names import named_keywords
from cfglint.source.python_program import program_of

if TYPE_CHECKING:
    from cfglint.source.python_names import Names
    from cfglint.source.python_program import PythonProgram

_CLASS: Final = "unsloth.FastLanguageModel"
#: The architectures with kernels; others are handed to PEFT as they are.
_FAMILIES: Final = frozenset({"llama", "mistral", "gemma", "gemma2", "qwen2", "qwen3"})
_TRAINED: Final = "modules_to_save"
_STARTS: Final = "init_lora_weights"
_EMBEDDINGS: Final = frozenset({"lm_head", "embed_tokens"})
#: Since this release normalization layers may be trained, too, and since the other one adapters may start in more ways.
_WITH_NORMS: Final = "<2026.10.6"
_MORE_STARTS: Final = "<2026.10.2"
#: In these all weights of a model cannot be trained. A program with one of these words may make an adapter.
_ADAPTERS_ONLY: Final = ">=2024.11.6,<2025.3.10"
_ADAPTERS: Final = ("get_peft_model", "peft", "Peft", "PEFT", "adapter")
#: From this release of those on, the run surely ends at its first batch.
_ENDS: Final = ">=2024.12.12"
_REFUSED_STARTS: Final = frozenset({"pissa", "olora", "lora_ga", "orthogonal"})
#: With one of these a model is loaded as those without kernels are.
_PAST_KERNELS: Final = frozenset({"full_finetuning", "load_in_8bit", "qat_scheme"})
#: With one of these a model may not be loaded in 4 bits, though nothing says so.
_OTHER_BITS: Final = frozenset({"load_in_16bit", "load_in_fp8", "quantization_config"})
#: Since this release `lm_head` stays an adapter that is not trained, where it is a target.
_HEAD_REFUSED: Final = "<2026.3.0"


class _Adapter(NamedTuple):
    """A call that puts an adapter on a model, and the call that loads it."""

    program: PythonProgram
    names: Names
    load: ast.Call
    call: ast.Call
    given: dict[str, ast.keyword]
    loaded: dict[str, ast.keyword]


def _adapters(ctx: CheckContext) -> Iterator[_Adapter]:
    """Those of a program that surely loads one model, of an architecture with kernels."""
    program = program_of(ctx.document.text)
    found = _only_load(program, ctx)
    if found is None:
        return
    names, load = found
    loaded = named_keywords(load)
    # The fourth value without a name is the number of bits.
    if len(load.args) > 3 or not _PAST_KERNELS.isdisjoint(loaded):
        return
    for call in _of_class(names, "get_peft_model"):
        yield _Adapter(program, names, load, call, named_keywords(call), loaded)


def _only_load(program: PythonProgram, ctx: CheckContext) -> tuple[Names, ast.Call] | None:
    """The one call of a program that loads a model, of an architecture with kernels; None if that is not certain."""
    if program.tree is None:
        return None
    names = program.names
    loads = _of_class(names, "from_pretrained")
    if len(loads) != 1 or any(one.arg is None for one in loads[0].keywords):
        return None
    is_of_kernels = _is_of_kernels(loads[0], named_keywords(loads[0]), names, ctx)
    return (names, loads[0]) if is_of_kernels else None


def _is_of_kernels(
    load: ast.Call, loaded: dict[str, ast.keyword], names: Names, ctx: CheckContext
) -> bool:
    written = loaded["model_name"].value if "model_name" in loaded else None
    written = load.args[0] if written is None and load.args else written
    if written is None:
        return False
    name = names.value(written, load)
    return fact_of_model("model.model_type", name, ctx.framework.knowledge, ctx.around) in _FAMILIES


def module_without_kernel(ctx: CheckContext) -> Iterator[Hit]:
    """`FastLanguageModel.get_peft_model(model, modules_to_save=["input_layernorm"])`."""
    for one in _adapters(ctx):
        listed = _texts(one, _TRAINED)
        for name in listed:
            leaf = name.rpartition(".")[2]
            may_be_norm = "norm" in leaf
            if leaf in _EMBEDDINGS or (may_be_norm and not surely(ctx, "unsloth", _WITH_NORMS)):
                continue
            yield Hit((), one.program.name_of(one.given[_TRAINED]), {"module": name})
            break


def start_without_kernel(ctx: CheckContext) -> Iterator[Hit]:
    """`FastLanguageModel.get_peft_model(model, init_lora_weights="pissa")`."""
    for one in _adapters(ctx):
        word = one.given.get(_STARTS)
        value = None if word is None else one.names.value(word.value, one.call)
        if (
            word is None
            or not isinstance(value, str)
            or value.partition("_niter_")[0] not in _REFUSED_STARTS
        ):
            continue
        if surely(ctx, "unsloth", _MORE_STARTS):
            yield Hit((), one.program.name_of(word), {"start": value})


def loftq_of_four_bits(ctx: CheckContext) -> Iterator[Hit]:
    """`init_lora_weights="loftq"` for a model that is loaded in 4 bits, as Unsloth does by default."""
    for one in _adapters(ctx):
        word = one.given.get(_STARTS)
        if word is None or one.names.value(word.value, one.call) != "loftq":
            continue
        bits = one.loaded.get("load_in_4bit")
        if not _OTHER_BITS.isdisjoint(one.loaded) or "-bf16" in ctx.document.text.lower():
            continue
        if bits is not None and one.names.value(bits.value, one.load) is not True:
            continue
        place = one.program.span_of(one.load.func) if bits is None else one.program.name_of(bits)
        related = Related(place, "loads the weights in 4 bits")
        yield Hit((), one.program.name_of(word), {}, related=(related,))


def engine_beside_embeddings(ctx: CheckContext) -> Iterator[Hit]:
    """Embeddings or biases that are trained beside `fast_inference=True`."""
    for one in _adapters(ctx):
        engine = one.loaded.get("fast_inference")
        if engine is None or one.names.value(engine.value, one.load) is not True:
            continue
        related = Related(one.program.name_of(engine), "generates with vLLM")
        trained = [name for name in _texts(one, _TRAINED) if name in _EMBEDDINGS]
        refused = _EMBEDDINGS if surely(ctx, "unsloth", _HEAD_REFUSED) else {"embed_tokens"}
        aimed = [name for name in _texts(one, "target_modules") if name in refused]
        bias = one.given.get("bias")
        value = None if bias is None else one.names.value(bias.value, one.call)
        if trained or aimed:
            key = one.given[_TRAINED if trained else "target_modules"]
            params = {"what": f"`{(trained or aimed)[0]}`"}
            yield Hit((), one.program.name_of(key), params, related=(related,))
        elif bias is not None and value in ("all", "lora_only"):
            yield Hit((), one.program.name_of(bias), {"what": "biases"}, related=(related,))


def whole_model_before_its_time(ctx: CheckContext) -> Iterator[Hit]:
    """A model of Unsloth that goes to the trainer without an adapter, in a release that trains adapters only."""
    if any(word in ctx.document.text for word in _ADAPTERS):
        return
    if not surely(ctx, "unsloth", _ADAPTERS_ONLY):
        return
    program = program_of(ctx.document.text)
    found = _only_load(program, ctx)
    if found is None:
        return
    names, load = found
    trainers = [
        call
        for call in names.calls
        if (names.imported(call.func) or "").endswith("Trainer")
        and (names.imported(call.func) or "").startswith(("trl.", "transformers.", "unsloth."))
    ]
    if trainers:
        related = Related(program.span_of(trainers[0].func), "trains the model as it is")
        place, ends = program.span_of(load.func), surely(ctx, "unsloth", _ENDS)
        yield Hit((), place, {}, related=(related,), severity=None if ends else "warning")


def _texts(adapter: _Adapter, key: str) -> list[str]:
    """The names in a list that is written out."""
    word = adapter.given.get(key)
    if word is None:
        return []
    value: Any = adapter.names.expression(word.value, adapter.call)
    items = value.elts if isinstance(value, (ast.List, ast.Tuple)) else []
    return [
        one.value for one in items if isinstance(one, ast.Constant) and isinstance(one.value, str)
    ]


def _of_class(names: Names, method: str) -> list[ast.Call]:
    return [
        call
        for call in names.calls
        if isinstance(call.func, ast.Attribute)
        and call.func.attr == method
        and names.imported(call.func.value) == _CLASS
    ]


CHECKS = {
    "whole-model-before-its-time": whole_model_before_its_time,
    "module-without-kernel": module_without_kernel,
    "start-without-kernel": start_without_kernel,
    "loftq-of-four-bits": loftq_of_four_bits,
    "engine-beside-embeddings": engine_beside_embeddings,
}
