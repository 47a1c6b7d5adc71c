"""What a trainer refuses of the objects that a program gives it, as far as the calls that make them show."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from cfglint.base.type_names import TYPE_CHECKING, Any, Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.frameworks.trl.given_objects import is_base_model
from cfglint.frameworks.trl.patched import is_patched_program
from cfglint.source.python_names import last_name, names_of
from cfglint.source.python_objects import Objects
from cfglint.source.python_program import PythonProgram, program_of
from cfglint.source.python_scopes import Scopes
from cfglint.source.text import Span

if TYPE_CHECKING:
    from cfglint.source.python_names import Names

_TRAINERS: Final = frozenset({"transformers.Trainer", "transformers.Seq2SeqTrainer"})
_WITH_REFERENCE: Final = frozenset({"trl.DPOTrainer"})
_LOAD: Final = "from_pretrained"
_HEADLESS: Final = "transformers.AutoModel"
_STOPS: Final = "transformers.EarlyStoppingCallback"
#: Each of these may give a trainer a metric to stop by; some schedulers need one themselves.
_MEASURES: Final = frozenset(
    {"load_best_model_at_end", "metric_for_best_model", "lr_scheduler_type"}
)
_ARGUMENTS: Final = frozenset(
    {"transformers.TrainingArguments", "transformers.Seq2SeqTrainingArguments", "trl.SFTConfig"}
)
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
#: A trainer leaves the rows as they are with some of these, or the switch is set later.
_UNFORMATTED: Final = frozenset({"dataset_kwargs", ".completion_only_loss", "image", "Image"})
_CLASSIFIER: Final = "transformers.AutoModelForSequenceClassification"


class _GivenCalls:
    """A program with a trainer.

    Args:
        program: its text, which can be parsed.
        tree: what that is.
    """

    def __init__(self, program: PythonProgram, tree: ast.Module) -> None:
        self.names: Names = names_of(tree)
        self._program = program
        self._scopes = Scopes(tree)
        self._objects = Objects(self._scopes, frozenset(), frozenset({"to", "cuda", "train"}))

    def calls(self, trainers: frozenset[str]) -> Iterator[tuple[ast.Call, dict[str, ast.expr]]]:
        """The calls of some trainers, with their keywords, of which there are no others."""
        for call in self.names.calls:
            given = _keywords(call)
            if given is not None and self.names.imported(call.func) in trainers:
                yield call, given

    def made(self, node: ast.expr | None) -> ast.Call | None:
        """The call that makes an object, if nothing but that does."""
        origin = None if node is None else self._objects.made(node)
        return None if origin is None or origin.item is not None else origin.call

    def loads(self, node: ast.expr | None, kind: str) -> ast.Call | None:
        """The call that loads a model of a class."""
        call = self.made(node)
        if call is None or not isinstance(call.func, ast.Attribute) or call.func.attr != _LOAD:
            return None
        return call if self.names.imported(call.func.value) == kind else None

    def is_function(self, node: ast.expr) -> bool:
        """Whether an expression surely is a function, not a name that may stand for none."""
        is_own = self._scopes.function(node) is not None
        return is_own or isinstance(node, ast.Lambda) or self.names.imported(node) is not None

    def value(self, node: ast.expr | None, call: ast.Call) -> Any:
        return None if node is None else self.names.value(node, call)

    def span(self, node: ast.expr) -> Span:
        """A place that begins with an expression."""
        start = self._program.place(self._program.offset(node.lineno, node.col_offset))
        return Span(start, start + 1)


def _keywords(call: ast.Call) -> dict[str, ast.expr] | None:
    """The keywords of a call; None if others may be among them."""
    given = {one.arg: one.value for one in call.keywords if one.arg is not None}
    return given if len(given) == len(call.keywords) else None


def _program(ctx: CheckContext) -> _GivenCalls | None:
    program = program_of(ctx.document.text)
    if program.tree is None:
        return None
    calls = _GivenCalls(program, program.tree)
    return None if is_patched_program(calls.names.packages, ctx) else calls


def reference_is_the_model(ctx: CheckContext) -> Iterator[Hit]:
    """`DPOTrainer(model=model, ref_model=model)`."""
    program = _program(ctx)
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
    program = _program(ctx)
    for _, given in () if program is None else program.calls(_TRAINERS):
        assert program is not None
        load = program.loads(given.get("model"), _HEADLESS)
        named = None if load is None else program.value(load.args[0] if load.args else None, load)
        if not _is_body(named) or "compute_loss" in ctx.document.text:
            continue
        words = None if load is None else _keywords(load)
        if words is not None and "trust_remote_code" not in words:
            yield Hit((), program.span(given["model"]), {"model": named})


def stops_by_no_metric(ctx: CheckContext) -> Iterator[Hit]:
    """`EarlyStoppingCallback()` of a trainer whose arguments name nothing to stop by."""
    program = _program(ctx)
    for _, given in () if program is None else program.calls(_TRAINERS | {"trl.SFTTrainer"}):
        assert program is not None
        listed = given.get("callbacks")
        arguments = program.made(given.get("args"))
        config = None if arguments is None else _keywords(arguments)
        if arguments is None or config is None or not isinstance(listed, ast.List):
            continue
        if program.names.imported(arguments.func) not in _ARGUMENTS or _is_named(ctx, _MEASURES):
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
    program = _program(ctx)
    for call, given in () if program is None else program.calls(frozenset({"trl.SFTTrainer"})):
        assert program is not None
        collator = program.made(given.get("data_collator"))
        if collator is None or program.names.imported(collator.func) != _COLLATOR:
            continue
        arguments = program.made(given.get("args"))
        config = (None if arguments is None else _keywords(arguments)) or {}
        if _is_named(ctx, frozenset({".packing"})):
            continue
        packed = program.value(given.get("packing"), call) is True
        if not packed and arguments is not None:
            packed = program.value(config.get("packing"), arguments) is True
        if packed:
            yield Hit((), program.span(given["data_collator"]), {})


def formatted_completions(ctx: CheckContext) -> Iterator[Hit]:
    """`SFTTrainer(formatting_func=shape, args=SFTConfig(completion_only_loss=True))`."""
    program = _program(ctx)
    for _, given in () if program is None else program.calls(frozenset({"trl.SFTTrainer"})):
        assert program is not None
        shape = given.get("formatting_func")
        arguments = program.made(given.get("args"))
        config = None if arguments is None else _keywords(arguments)
        if shape is None or arguments is None or config is None or _is_named(ctx, _UNFORMATTED):
            continue
        is_on = program.value(config.get("completion_only_loss"), arguments) is True
        if is_on and program.is_function(shape):
            yield Hit((), program.span(shape), {})


def several_rewards(ctx: CheckContext) -> Iterator[Hit]:
    """`RewardTrainer(model=AutoModelForSequenceClassification.from_pretrained(…))` without `num_labels=1`."""
    program = _program(ctx)
    for _, given in () if program is None else program.calls(frozenset({"trl.RewardTrainer"})):
        assert program is not None
        load = program.loads(given.get("model"), _CLASSIFIER)
        words = None if load is None else _keywords(load)
        if load is None or words is None or not _OUTPUTS.isdisjoint(words):
            continue
        named = program.value(load.args[0] if load.args else None, load)
        if _is_body(named) and "num_labels" not in ctx.document.text:
            yield Hit((), program.span(load), {"model": named})


CHECKS = {
    "reference-is-the-model": reference_is_the_model,
    "model-without-head": model_without_head,
    "stops-by-no-metric": stops_by_no_metric,
    "answers-of-packed-rows": answers_of_packed_rows,
    "formatted-completions": formatted_completions,
    "several-rewards": several_rewards,
}
