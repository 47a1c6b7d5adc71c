"""Recomputed activations of a model whose inputs need no gradient, since an adapter was put on it before.

Reentrant checkpoints have gradients only where an input of the layer needs one. `get_peft_model` sees to that for a
model which recomputes already; a trainer that turns recomputing on later does not, in the releases below.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from cfglint.base.logic import UNKNOWN
from cfglint.base.type_names import TYPE_CHECKING, Any, Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.frameworks.trl.patched import is_patched_program
from cfglint.frameworks.trl_programs.class_names import ARGUMENTS
from cfglint.frameworks.trl_programs.stated import surely
from cfglint.source.python_program import program_of

if TYPE_CHECKING:
    from cfglint.source.python_names import Names

#: Before, the default is reentrant, and only an adapter of transformers' own made inputs need gradients.
_TRANSFORMERS: Final = "<5.0.0.dev0"
#: Trainer -> the releases of TRL in which it leaves a model alone that is given with its adapter.
_TRAINERS: Final = {
    "trl.SFTTrainer": "<0.20.0",
    "trl.GRPOTrainer": "<0.16.0",
}
#: Those that put the adapter on it themselves, and do not see to it either.
_WRAPPING: Final = frozenset({"trl.GRPOTrainer"})
_CONFIGS: Final = frozenset(
    {
        *ARGUMENTS,
        *("trl.SFTConfig", "trl.GRPOConfig"),
    }
)
_MAKES_ADAPTER: Final = "peft.get_peft_model"
_ADAPTER: Final = "peft.LoraConfig"
#: What is done with a model without making its inputs need gradients.
_HARMLESS: Final = frozenset({"print", "len", "type", "isinstance", "print_trainable_parameters"})
_KNOWN: Final = ("peft.", "trl.", "transformers.")
_SWITCH: Final = "gradient_checkpointing"
#: A program with one of these words may make the inputs need gradients, or train more than the adapter.
_HELPS: Final = (
    *("require_grad", "requires_grad", "kbit", "int8_training", "gradient_checkpointing_enable"),
    *("register_forward", "modules_to_save", "trainable_token", "SEQ_CLS", "TOKEN_CLS", "embed"),
    "wte",
    *("use_reentrant=False", "every_n_layers"),
)


def checkpoints_without_gradient(ctx: CheckContext) -> Iterator[Hit]:
    """`Trainer(get_peft_model(…), args=TrainingArguments(gradient_checkpointing=True))`."""
    program = program_of(ctx.document.text)
    if program.tree is None or any(word in ctx.document.text for word in _HELPS):
        return
    names = program.names
    if not surely(ctx, "transformers", _TRANSFORMERS) or is_patched_program(names.packages, ctx):
        return
    with_adapter = _names_with_adapter(program.tree, names)
    for call in names.calls:
        trainer = names.imported(call.func)
        releases = _TRAINERS.get(trainer or "")
        if releases is None or not surely(ctx, "trl", releases):
            continue
        given = {one.arg: one.value for one in call.keywords if one.arg}
        model = given.get("model", call.args[0] if call.args else None)
        wraps = trainer in _WRAPPING and names.is_made_by(_ADAPTER, given.get("peft_config"), call)
        if not wraps and not (isinstance(model, ast.Name) and model.id in with_adapter):
            continue
        config = names.expression(given["args"], call) if "args" in given else None
        if not isinstance(config, ast.Call):
            continue
        switch = _switch(config, names)
        if switch is not None and _is_reentrant(config, names):
            params = {"trainer": (trainer or "").rpartition(".")[2]}
            yield Hit((), program.name_of(switch), params)


def _names_with_adapter(tree: ast.Module, names: Names) -> frozenset[str]:
    """The names that are set to a model with an adapter on it, and given to no function that may do more to the model."""
    found: dict[str, bool] = {}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Assign) or len(node.targets) != 1:
            continue
        target, value = node.targets[0], node.value
        if not isinstance(target, ast.Name) or not isinstance(value, ast.Call):
            continue
        if names.imported(value.func) == _MAKES_ADAPTER:
            given = {one.arg: one.value for one in value.keywords}
            config = given.get("peft_config", value.args[1] if len(value.args) > 1 else None)
            is_of = names.is_made_by(_ADAPTER, config, value)
            found[target.id] = is_of and found.get(target.id, True)
    handed = {name for call in names.calls if _may_help(call, names) for name in _arguments(call)}
    return frozenset(name for name, is_of in found.items() if is_of) - handed


def _may_help(call: ast.Call, names: Names) -> bool:
    """Whether a call is one of a function that is not known."""
    imported = names.imported(call.func)
    if imported is not None and imported.startswith(_KNOWN):
        return False
    return not (isinstance(call.func, ast.Name) and call.func.id in _HARMLESS)


def _arguments(call: ast.Call) -> list[str]:
    given = (*call.args, *(one.value for one in call.keywords))
    return [one.id for one in given if isinstance(one, ast.Name)]


def _switch(config: ast.Call, names: Names) -> ast.keyword | None:
    """The keyword that surely turns recomputing on."""
    if names.imported(config.func) not in _CONFIGS or any(
        one.arg is None for one in config.keywords
    ):
        return None
    given = {one.arg: one for one in config.keywords}
    switch = given.get(_SWITCH)
    is_on = switch is not None and names.value(switch.value, config) is True
    return switch if is_on else None


def _is_reentrant(config: ast.Call, names: Names) -> bool:
    """Whether nothing in a config says, or may say, that its checkpoints are not reentrant."""
    options = {one.arg: one for one in config.keywords}.get(f"{_SWITCH}_kwargs")
    chosen: Any = None if options is None else names.value(options.value, config)
    if chosen is UNKNOWN:
        return False
    return not isinstance(chosen, dict) or bool(chosen.get("use_reentrant", True))


CHECKS = {
    "checkpoints-without-gradient": checkpoints_without_gradient,
}
