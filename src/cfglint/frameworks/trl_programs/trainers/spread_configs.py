"""A config whose attributes a program gives a class one by one, with those that only an instance has."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from cfglint.base.lazy import lazy_pattern
from cfglint.base.type_names import Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.diagnostic import Related
from cfglint.frameworks.trl_programs.given_calls import GivenCalls, given_calls
from cfglint.source.python_names import last_name

#: Classes whose instances hold `distributed_state`, as all that extend `TrainingArguments`.
_CONFIGS: Final = lazy_pattern(
    r"transformers\.(?:Seq2Seq)?TrainingArguments"
    r"|trl\.(?:BCO|CPO|DPO|GKD|GRPO|KTO|NashMD|ORPO|OnlineDPO|PRM|RLOO|Reward|SFT|XPO)Config"
)
#: Classes that take only what they name.
_TAKING: Final = lazy_pattern(
    rf"{_CONFIGS.pattern}|transformers\.(?:Seq2Seq)?Trainer|trl\.(?:BCO|CPO|DPO|GRPO|KTO|ORPO|RLOO|Reward|SFT)Trainer"
)


def config_spread_into_call(ctx: CheckContext) -> Iterator[Hit]:
    """`DPOTrainer(model=model, beta=config.beta, **config.__dict__)`."""
    program = given_calls(ctx)
    if program is None:
        return
    for call in program.names.calls:
        kind = program.names.imported(call.func)
        if kind is None or not _TAKING.fullmatch(kind):
            continue
        for word in call.keywords:
            spread = _spread(word.value, program) if word.arg is None else None
            made = program.made(spread)
            config = None if made is None else program.names.imported(made.func)
            if spread is None or made is None or config is None or not _CONFIGS.fullmatch(config):
                continue
            written = ast.unparse(spread)
            params = {
                "written": ast.unparse(word.value),
                "callee": kind.rpartition(".")[2],
                "advice": (
                    f"Give the trainer `args={written}` in its place"
                    if kind.endswith("Trainer")
                    else f"Write `**{written}.to_dict()` in its place"
                ),
            }
            related = (Related(program.whole_span(made.func), "makes the config"),)
            yield Hit((), program.whole_span(word.value), params, related=related)
            return


def _spread(node: ast.expr, program: GivenCalls) -> ast.expr | None:
    """The object whose attributes a mapping has: `config.__dict__`, `vars(config)`."""
    if isinstance(node, ast.Attribute):
        return node.value if node.attr == "__dict__" else None
    is_vars = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    if isinstance(node, ast.Call) and is_vars and last_name(node.func) == "vars":
        is_own = program.scopes.function(node.func) is not None
        return node.args[0] if len(node.args) == 1 and not is_own else None
    return None


CHECKS = {"config-spread-into-call": config_spread_into_call}
