"""Runs in the environment of a release: tokenizes rows with its own prompt strategies.

Reads one JSON object from standard input: `tokenizers` (name -> what `AutoTokenizer` would know
of it) and `tasks`, each with `tokenizer`, `file` (keys of the config), `dataset` and `rows`. Writes
a list with, for each task, one object a row: `ids` and `labels`, or `error`. Imports nothing of
this project, which the environment does not have.
"""

from __future__ import annotations

import contextlib
import copy
import io
import json
import logging
import sys
from typing import Any


def main() -> None:
    """Answer the one request."""
    request = json.load(sys.stdin)
    noise = io.StringIO()
    with contextlib.redirect_stdout(noise), contextlib.redirect_stderr(noise):
        logging.disable(logging.CRITICAL)
        answers = [_rows(task, request["tokenizers"]) for task in request["tasks"]]
    json.dump(answers, sys.stdout)


def _rows(task: dict[str, Any], tokenizers: dict[str, Any]) -> list[dict[str, Any]]:
    try:
        strategy = _strategy(task, _tokenizer(tokenizers[task["tokenizer"]]))
    except Exception as error:  # whatever a release says about a config is its answer
        return [{"error": _said(error)}] * len(task["rows"])
    return [_row(strategy, copy.deepcopy(row)) for row in task["rows"]]


def _row(strategy: Any, row: dict[str, Any]) -> dict[str, Any]:
    try:
        result = strategy.tokenize_prompt(row)
    except Exception as error:
        return {"error": _said(error)}
    if not result.get("input_ids"):
        return {"error": "no tokens"}
    return {"ids": list(result["input_ids"]), "labels": list(result["labels"])}


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".splitlines()[0][:120]


def _tokenizer(made: dict[str, Any]) -> Any:
    from tokenizers import Tokenizer
    from transformers import PreTrainedTokenizerFast

    core = Tokenizer.from_str(made["core"])
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=core, **made["special"])
    if made["chat_template"]:
        tokenizer.chat_template = made["chat_template"]
    return tokenizer


def _strategy(task: dict[str, Any], tokenizer: Any) -> Any:
    from axolotl import prompt_strategies
    from axolotl.utils.dict import DictDefault

    cfg = DictDefault({"train_on_inputs": False, "sequence_len": 2048, **task["file"]})
    dataset = DictDefault(task["dataset"])
    if str(dataset["type"]).startswith("sharegpt"):
        _register(cfg)
    kind = dataset["type"].partition(":")[0]
    strategy = prompt_strategies.load(kind, tokenizer, cfg, dataset)
    if strategy is None:
        raise LookupError(f"no prompt strategy {kind}")
    return strategy


def _register(cfg: Any) -> None:
    """Make the conversations known that the old command `train` makes known."""
    from axolotl.prompt_strategies import sharegpt
    from fastchat.conversation import conv_templates

    for name in ("chatml", "llama3"):
        register = getattr(sharegpt, f"register_{name}_template", None)
        if register is not None:  # 0.4.0 has chatml alone, registered on import
            for known in (name, f"{name}_glaive"):
                conv_templates.pop(known, None)  # of the task before
            own = cfg.chat_template == name and cfg.default_system_message
            register(*([cfg.default_system_message] if own else []))


if __name__ == "__main__":
    main()
