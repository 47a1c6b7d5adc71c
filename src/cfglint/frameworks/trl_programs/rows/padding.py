"""Padding in programs that tokenize their rows themselves: none is there, none is known, or it hides the end."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from cfglint.base.lazy import lazy_pattern
from cfglint.base.type_names import Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.diagnostic import Related
from cfglint.frameworks.trl_programs.class_names import TRAINERS
from cfglint.frameworks.trl_programs.given_calls import GivenCalls, given_calls, keywords_of
from cfglint.frameworks.trl_programs.rows.collators import makes_labels
from cfglint.frameworks.trl_programs.rows.tokenizers import (
    WHOLE,
    Tokenizer,
    is_padding,
    only_tokenizer,
)
from cfglint.frameworks.trl_programs.stated import surely
from cfglint.source.python_names import last_name

_WITH_COLLATOR: Final = TRAINERS | {"trl.SFTTrainer"}
_OF_ANSWERS: Final = "trl.DataCollatorForCompletionOnlyLM"
_CLASSIFIER: Final = "transformers.AutoModelForSequenceClassification"
_END: Final = "eos_token"
_TEMPLATE: Final = "apply_chat_template"
#: A call of the template with one of these may be one for generation, or of another template.
_NOT_TRAINED: Final = ("add_generation_prompt", "chat_template", "return_tensors", None)
#: Models of which neither the published config nor the code has a token for padding.
_UNPADDED: Final = lazy_pattern(
    r"^(?:(?:openai-community/)?gpt2(?:-medium|-large|-xl)?|meta-llama/(?:Meta-)?Llama-3(?:\.[123])?-\d+B(?:-Instruct)?"
    r"|mistralai/Mistral-7B-(?:Instruct-)?v0\.[123]"
    r"|Qwen/Qwen(?:2|2\.5|3)-[\d.]+B(?:-Instruct|-Base)?)$"
)
#: Models that have exactly as many embeddings as their tokenizer has tokens.
_FULL: Final = lazy_pattern(
    r"^(?:(?:openai-community/)?gpt2(?:-medium|-large|-xl)?|meta-llama/(?:Meta-)?Llama-3(?:\.[123])?-\d+B(?:-Instruct)?"
    r"|meta-llama/Llama-2-\d+b(?:-chat)?-hf|mistralai/Mistral-7B-(?:Instruct-)?v0\.[123])$"
)
#: A program with one of these may give the tokenizer a token, or the model embeddings for it.
_PADDED: Final = ("pad_token", "add_special_tokens", "add_tokens")
_EMBEDS: Final = ("embed", "wte", "setup_chat", "save_embedding")
_BATCH: Final = "per_device_train_batch_size"


def end_masked_as_padding(ctx: CheckContext) -> Iterator[Hit]:
    """`tokenizer.pad_token = tokenizer.eos_token` beside `DataCollatorForLanguageModeling(tokenizer, mlm=False)`."""
    program = given_calls(ctx)
    tokenizer = None if program is None else only_tokenizer(program, ctx)
    if program is None or tokenizer is None:
        return
    padding = tokenizer.ends_with_padding
    ended = _writes_end(program, tokenizer)
    if padding is None or ended is None:
        return
    for _, given in program.calls(_WITH_COLLATOR):
        collator = program.made(given.get("data_collator"))
        if collator is None or not _hides_padding(collator, program):
            continue
        related = (
            Related(program.whole_span(ended), "ends the rows with that token"),
            Related(program.whole_span(collator.func), "gives padding no loss"),
        )
        yield Hit((), program.whole_span(padding.node), {}, related=related)
        return


def _hides_padding(collator: ast.Call, program: GivenCalls) -> bool:
    """Whether what makes the batches surely leaves the token for padding out of the loss."""
    kind, words = program.names.imported(collator.func), keywords_of(collator)
    if words is None:
        return False
    if kind == _OF_ANSWERS:
        return "mlm" not in words
    return makes_labels(collator, program)


def _writes_end(program: GivenCalls, tokenizer: Tokenizer) -> ast.expr | None:
    """What surely puts the token that ends a text at the end of the rows."""
    added = (keywords_of(tokenizer.load) or {}).get("add_eos_token")
    if added is not None and program.value(added, tokenizer.load) is True:
        return added
    names = set()
    for node in program.names.nodes:
        if isinstance(node, ast.Attribute) and node.attr == _END and isinstance(node.ctx, ast.Load):
            parent = program.scopes.parent(node)
            if _is_last(node, program):
                return node
            if isinstance(parent, ast.Assign) and isinstance(parent.targets[0], ast.Name):
                names.add(parent.targets[0].id)
    for node in program.names.nodes:
        is_read = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
        if not isinstance(node, ast.Name) or not is_read or node.id not in names:
            continue
        if _is_last(node, program):
            return node
    if not tokenizer.ends_answers:
        return None
    for call in program.names.calls:
        if last_name(call.func) == _TEMPLATE and not any(
            word.arg in _NOT_TRAINED for word in call.keywords
        ):
            return call.func
    return None


def _is_last(node: ast.expr, program: GivenCalls) -> bool:
    """Whether a text that is not only shown surely ends with a value."""
    parent = program.scopes.parent(node)
    if isinstance(parent, ast.FormattedValue):
        text = program.scopes.parent(parent)
        if not isinstance(text, ast.JoinedStr) or text.values[-1] is not parent:
            return False
        node = text
    elif not isinstance(parent, ast.BinOp) or parent.right is not node:
        return False
    return not program.is_shown(node)


def no_padding_token(ctx: CheckContext) -> Iterator[Hit]:
    """`tokenizer(rows, padding=True)` with the tokenizer of GPT-2, which has no token for that."""
    program = given_calls(ctx)
    tokenizer = None if program is None else only_tokenizer(program, ctx)
    if program is None or tokenizer is None or not tokenizer.has_no_padding:
        return
    if any(word in ctx.document.text for word in (*_PADDED, "SFTTrainer", "unsloth")):
        return
    for call in program.names.calls:
        if is_padding(call, program) and _is_of(call, tokenizer, program):
            related = (Related(program.whole_span(tokenizer.load.func), "loads it"),)
            yield Hit(
                (), program.whole_span(call.func), {"model": tokenizer.model}, related=related
            )
            return


def _is_of(call: ast.Call, tokenizer: Tokenizer, program: GivenCalls) -> bool:
    """Whether a call surely pads with the tokenizer: it is called, or given to what makes batches, which a trainer has."""
    given = keywords_of(call) or {}
    holder = call.func
    if program.names.imported(call.func) is not None:
        first = call.args[0] if call.args else None
        holder = given.get("tokenizer", first) or call.func
    return program.made(holder) is tokenizer.load


def padding_without_embedding(ctx: CheckContext) -> Iterator[Hit]:
    """`tokenizer.add_special_tokens({"pad_token": "[PAD]"})`, and the model keeps its embeddings."""
    program = given_calls(ctx)
    tokenizer = None if program is None else only_tokenizer(program, ctx)
    if program is None or tokenizer is None or not _FULL.search(tokenizer.model):
        return
    if any(word in ctx.document.text for word in (*_EMBEDS, "SFTTrainer", "unsloth")):
        return
    added = [one for one in tokenizer.paddings if one.kind == "new"]
    if len(added) != 1 or len(tokenizer.paddings) != 1 or _loads_other(program, tokenizer):
        return
    # A row that is tokenized alone is as long as it is.
    is_batched = "batched=True" in ctx.document.text
    found = [call for call in program.names.calls if is_padding(call, program)]
    # Batches of rows that have one length are not padded.
    whole = [
        call
        for call in found
        if program.value((keywords_of(call) or {}).get("padding"), call) == WHOLE
    ]
    others = [call for call in found if is_batched or program.names.imported(call.func) is not None]
    if whole or others:
        related = (Related(program.whole_span((whole or others)[0].func), "pads rows with it"),)
        params = {"model": tokenizer.model}
        place = program.whole_span(added[0].node)
        yield Hit((), place, params, related=related, severity=None if whole else "warning")


def _loads_other(program: GivenCalls, tokenizer: Tokenizer) -> bool:
    """Whether the model that a program loads may be another one than the tokenizer is of."""
    loads = [
        call
        for call in program.names.calls
        if last_name(call.func) == "from_pretrained"
        and call is not tokenizer.load
        and _names_model(call)
    ]
    return not loads or any(
        program.value(call.args[0] if call.args else None, call) != tokenizer.model
        for call in loads
    )


def _names_model(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and "Model" in last_name(call.func.value)


def classifier_without_padding(ctx: CheckContext) -> Iterator[Hit]:
    """`Trainer(model=AutoModelForSequenceClassification.from_pretrained("gpt2"))` with batches of several rows."""
    program = given_calls(ctx)
    text = ctx.document.text
    if program is None or "pad_token_id" in text or ".train(" not in text:
        return
    for _, given in program.calls(TRAINERS):
        load = program.loads(given.get("model"), _CLASSIFIER)
        words = None if load is None else keywords_of(load)
        if load is None or words is None or "config" in words:
            continue
        if program.is_handed_on(given.get("model")):
            continue
        named = program.value(load.args[0] if load.args else None, load)
        if not isinstance(named, str) or not _UNPADDED.search(named):
            continue
        has_tokenizer = "tokenizer" in given or "processing_class" in given
        if has_tokenizer and not surely(ctx, "transformers", "<4.56.0"):
            continue
        arguments = program.made(given.get("args"))
        options = None if arguments is None else keywords_of(arguments)
        if arguments is None or options is None:
            continue
        rows = program.value(options.get(_BATCH), arguments)
        if rows is None or (isinstance(rows, int) and rows > 1):
            yield Hit((), program.whole_span(load.func), {"model": named})


def prompts_without_padding(ctx: CheckContext) -> Iterator[Hit]:
    """`GRPOTrainer(model="gpt2", reward_funcs=reward)`, which loads a tokenizer without a token for padding."""
    program = given_calls(ctx)
    if program is None or "pad_token" in ctx.document.text:
        return
    for call, given in program.calls(frozenset({"trl.GRPOTrainer"})):
        model = call.args[0] if call.args else given.get("model")
        if model is None or "processing_class" in given:
            continue
        named = program.value(model, call)
        # They have as many embeddings as tokens, none of which is for padding.
        if isinstance(named, str) and _FULL.search(named):
            yield Hit((), program.whole_span(model), {"model": named})


CHECKS = {
    "prompts-without-padding": prompts_without_padding,
    "end-masked-as-padding": end_masked_as_padding,
    "no-padding-token": no_padding_token,
    "padding-without-embedding": padding_without_embedding,
    "classifier-without-padding": classifier_without_padding,
}
