"""What a trainer refuses of the objects that a program gives it, as far as the calls that make them show."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from cfglint.base.type_names import Any, Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.diagnostic import Related
from cfglint.frameworks.trl.given_objects import is_base_model
from cfglint.frameworks.trl_programs.class_names import ARGUMENTS, TRAINERS
from cfglint.frameworks.trl_programs.given_calls import given_calls, keywords_of
from cfglint.source.python_names import last_name

_WITH_REFERENCE: Final = frozenset({"trl.DPOTrainer"})
_LOAD: Final = "from_pretrained"
_HEADLESS: Final = "transformers.AutoModel"
_STOPS: Final = "transformers.EarlyStoppingCallback"
#: Each of these may give a trainer a metric to stop by; some schedulers need one themselves.
_MEASURES: Final = frozenset(
    {"load_best_model_at_end", "metric_for_best_model", "lr_scheduler_type"}
)
_CONFIGS: Final = ARGUMENTS | {"trl.SFTConfig"}
#: What gives an object; a name that something else makes may be the name of a model.
_MODELS: Final = frozenset({_LOAD, "get_peft_model", "prepare_model_for_kbit_training"})
#: What gives a classifier its number of outputs.
_OUTPUTS: Final = frozenset({"num_labels", "config", "id2label"})
#: The models that these publish under the names below have no head of their own.
_WITHOUT_HEAD: Final = re.compile(
    r"(Qwen|meta-llama|google|mistralai|microsoft|HuggingFaceTB|EleutherAI|tiiuae|allenai)/"
    r"[\w.-]+-\d+(\.\d+)?[bm](-(instruct|chat|base|it|hf|pt|v\d[\d.]*|\d{4}))*",
    re.IGNORECASE,
)
_COLLATOR: Final = "trl.DataCollatorForCompletionOnlyLM"
_HALF: Final = frozenset({"torch.float16", "torch.half"})
#: A program with one of these trains something else than the loaded weights, or leaves the scaling to another library.
_NOT_WHOLE: Final = frozenset(
    {
        *("peft", "lora", "LoRA", "deepspeed", "DeepSpeed", "fsdp", "quantization", "load_in_"),
        *(".float()", "float32", ".to(torch", "requires_grad", "accelerat"),
    }
)
#: A program with one of these keeps less than all logits, or none.
_KEEPS_LESS: Final = frozenset(
    {
        *("preprocess_logits_for_metrics", "prediction_loss_only", "batch_eval_metrics"),
        *("prediction_step", "eval_accumulation_steps", "evaluation_loop"),
        # A few rows are mostly chosen so.
        ".select(",
    }
)
#: A trainer leaves the rows as they are with some of these, or the switch is set later.
_UNFORMATTED: Final = frozenset({"dataset_kwargs", ".completion_only_loss", "image", "Image"})
_CLASSIFIER: Final = "transformers.AutoModelForSequenceClassification"


def reference_is_the_model(ctx: CheckContext) -> Iterator[Hit]:
    """`DPOTrainer(model=model, ref_model=model)`."""
    program = given_calls(ctx)
    for _, given in () if program is None else program.calls(_WITH_REFERENCE):
        assert program is not None
        model, other = given.get("model"), given.get("ref_model")
        if not isinstance(model, ast.Name) or not isinstance(other, ast.Name):
            continue
        # Two models are loaded by the name of one.
        made = program.made(model)
        if model.id == other.id and made is not None and last_name(made.func) in _MODELS:
            yield Hit((), program.span(other), {"name": model.id})


def model_without_head(ctx: CheckContext) -> Iterator[Hit]:
    """`Trainer(model=AutoModel.from_pretrained(…))`."""
    program = given_calls(ctx)
    for _, given in () if program is None else program.calls(TRAINERS):
        assert program is not None
        load = program.loads(given.get("model"), _HEADLESS)
        named = None if load is None else program.value(load.args[0] if load.args else None, load)
        if not _is_body(named) or "compute_loss" in ctx.document.text:
            continue
        words = None if load is None else keywords_of(load)
        if words is not None and "trust_remote_code" not in words:
            yield Hit((), program.span(given["model"]), {"model": named})


def stops_by_no_metric(ctx: CheckContext) -> Iterator[Hit]:
    """`EarlyStoppingCallback()` of a trainer whose arguments name nothing to stop by."""
    program = given_calls(ctx)
    for _, given in () if program is None else program.calls(TRAINERS | {"trl.SFTTrainer"}):
        assert program is not None
        listed = given.get("callbacks")
        arguments = program.made(given.get("args"))
        config = None if arguments is None else keywords_of(arguments)
        if arguments is None or config is None or not isinstance(listed, ast.List):
            continue
        if program.names.imported(arguments.func) not in _CONFIGS or _is_named(ctx, _MEASURES):
            continue
        for one in listed.elts:
            if isinstance(one, ast.Call) and program.names.imported(one.func) == _STOPS:
                yield Hit((), program.span(one), {})


def _is_named(ctx: CheckContext, names: frozenset[str]) -> bool:
    """Whether a program gives, or may set, one of some values."""
    return any(name in ctx.document.text for name in names)


def _is_body(named: Any) -> bool:
    """Whether the name of a model surely is that of one without a head for a task."""
    if not isinstance(named, str):
        return False
    return is_base_model(named) and _WITHOUT_HEAD.fullmatch(named) is not None


def answers_of_packed_rows(ctx: CheckContext) -> Iterator[Hit]:
    """`SFTTrainer(data_collator=DataCollatorForCompletionOnlyLM(…), packing=True)`."""
    program = given_calls(ctx)
    for call, given in () if program is None else program.calls(frozenset({"trl.SFTTrainer"})):
        assert program is not None
        collator = program.made(given.get("data_collator"))
        if collator is None or program.names.imported(collator.func) != _COLLATOR:
            continue
        arguments = program.made(given.get("args"))
        config = (None if arguments is None else keywords_of(arguments)) or {}
        if _is_named(ctx, frozenset({".packing"})):
            continue
        packed = program.value(given.get("packing"), call) is True
        if not packed and arguments is not None:
            packed = program.value(config.get("packing"), arguments) is True
        if packed:
            yield Hit((), program.span(given["data_collator"]), {})


def formatted_completions(ctx: CheckContext) -> Iterator[Hit]:
    """`SFTTrainer(formatting_func=shape, args=SFTConfig(completion_only_loss=True))`."""
    program = given_calls(ctx)
    for _, given in () if program is None else program.calls(frozenset({"trl.SFTTrainer"})):
        assert program is not None
        shape = given.get("formatting_func")
        arguments = program.made(given.get("args"))
        config = None if arguments is None else keywords_of(arguments)
        if shape is None or arguments is None or config is None or _is_named(ctx, _UNFORMATTED):
            continue
        is_on = program.value(config.get("completion_only_loss"), arguments) is True
        if is_on and program.is_function(shape):
            yield Hit((), program.span(shape), {})


def several_rewards(ctx: CheckContext) -> Iterator[Hit]:
    """`RewardTrainer(model=AutoModelForSequenceClassification.from_pretrained(…))` without `num_labels=1`."""
    program = given_calls(ctx)
    for _, given in () if program is None else program.calls(frozenset({"trl.RewardTrainer"})):
        assert program is not None
        load = program.loads(given.get("model"), _CLASSIFIER)
        words = None if load is None else keywords_of(load)
        if load is None or words is None or not _OUTPUTS.isdisjoint(words):
            continue
        named = program.value(load.args[0] if load.args else None, load)
        if _is_body(named) and "num_labels" not in ctx.document.text:
            yield Hit((), program.span(load), {"model": named})


def half_weights_scaled(ctx: CheckContext) -> Iterator[Hit]:
    """`TrainingArguments(fp16=True)` for a model that is loaded with `torch_dtype=torch.float16`, and trained whole."""
    program = given_calls(ctx)
    if program is None or _is_named(ctx, _NOT_WHOLE) or ".train(" not in ctx.document.text:
        return
    for _, given in program.calls(TRAINERS | {"trl.SFTTrainer"}):
        load = program.made(given.get("model"))
        arguments = program.made(given.get("args"))
        words = None if load is None else keywords_of(load)
        config = None if arguments is None else keywords_of(arguments)
        if load is None or words is None or arguments is None or config is None:
            continue
        if (
            last_name(load.func) != _LOAD
            or program.value(config.get("fp16"), arguments) is not True
        ):
            continue
        dtype = words.get("dtype", words.get("torch_dtype"))
        if dtype is not None and program.names.imported(dtype) in _HALF:
            related = (Related(program.whole_span(dtype), "loads the weights in half precision"),)
            yield Hit((), program.whole_span(config["fp16"]), {}, related=related)


def logits_kept_for_metrics(ctx: CheckContext) -> Iterator[Hit]:
    """`Trainer(compute_metrics=score)` of a language model without `preprocess_logits_for_metrics`."""
    program = given_calls(ctx)
    if program is None or _is_named(ctx, _KEEPS_LESS):
        return
    for _, given in program.calls(TRAINERS | {"trl.SFTTrainer"}):
        measure = given.get("compute_metrics")
        load = program.loads(given.get("model"), "transformers.AutoModelForCausalLM")
        if measure is None or load is None or "eval_dataset" not in given:
            continue
        named = program.value(load.args[0] if load.args else None, load)
        arguments = program.made(given.get("args"))
        config = None if arguments is None else keywords_of(arguments)
        if arguments is None or config is None or not program.is_function(measure):
            continue
        if _is_body(named) and program.value(
            config.get("eval_strategy", config.get("evaluation_strategy")), arguments
        ) in ("steps", "epoch"):
            yield Hit((), program.span(measure), {"model": named})


CHECKS = {
    "half-weights-scaled": half_weights_scaled,
    "logits-kept-for-metrics": logits_kept_for_metrics,
    "reference-is-the-model": reference_is_the_model,
    "model-without-head": model_without_head,
    "stops-by-no-metric": stops_by_no_metric,
    "answers-of-packed-rows": answers_of_packed_rows,
    "formatted-completions": formatted_completions,
    "several-rewards": several_rewards,
}
