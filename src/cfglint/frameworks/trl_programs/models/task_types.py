"""Adapters that a program makes for another task than its model is of."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from cfglint.base.type_names import Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.diagnostic import Related
from cfglint.frameworks.trl_programs.given_calls import GivenCalls, given_calls, keywords_of
from cfglint.frameworks.trl_programs.stated import surely
from cfglint.source.python_names import last_name

_MAKES_ADAPTER: Final = "peft.get_peft_model"
_CLASSIFIERS: Final = (
    "transformers.AutoModelForSequenceClassification",
    "transformers.AutoModelForTokenClassification",
)
_GENERATES: Final = "CAUSAL_LM"
#: Since then only models that generate have what an adapter of one that generates asks for.
_REFUSED: Final = ">=4.52.0"


def adapter_of_other_task(ctx: CheckContext) -> Iterator[Hit]:
    """`get_peft_model(AutoModelForSequenceClassification…, LoraConfig(task_type="CAUSAL_LM"))`."""
    program = given_calls(ctx)
    for call in () if program is None else program.names.calls:
        assert program is not None
        given = keywords_of(call)
        if given is None or program.names.imported(call.func) != _MAKES_ADAPTER:
            continue
        model = given.get("model", call.args[0] if call.args else None)
        config = given.get("peft_config", call.args[1] if len(call.args) > 1 else None)
        load = next((one for kind in _CLASSIFIERS if (one := program.loads(model, kind))), None)
        adapter = program.made(config)
        task = _task(adapter, program)
        if load is None or task is None or adapter is None:
            continue
        words = keywords_of(load)
        # A class that a model brings along may generate.
        is_known = words is not None and "trust_remote_code" not in words
        is_refused = is_known and surely(ctx, "transformers", _REFUSED)
        if not is_refused and "modules_to_save" in (keywords_of(adapter) or {}):
            # The head is trained.
            continue
        kind = last_name(load.func.value) if isinstance(load.func, ast.Attribute) else ""
        yield Hit(
            (),
            program.whole_span(task),
            {"kind": kind},
            severity=None if is_refused else "warning",
            related=(Related(program.whole_span(load.func), "loads the model"),),
        )


def _task(config: ast.Call | None, program: GivenCalls) -> ast.expr | None:
    """The place where a config of an adapter says that the model generates text."""
    task = None if config is None else (keywords_of(config) or {}).get("task_type")
    if config is None or task is None:
        return None
    is_generating = last_name(task) == _GENERATES or program.value(task, config) == _GENERATES
    return task if is_generating else None


CHECKS = {"adapter-of-other-task": adapter_of_other_task}
