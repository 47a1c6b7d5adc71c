"""Labels that a program makes of its rows: padding among them, none that counts, or those of masked words."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from cfglint.base.lazy import lazy_pattern
from cfglint.base.type_names import Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.diagnostic import Related
from cfglint.frameworks.trl_programs.given_calls import GivenCalls, given_calls, keywords_of
from cfglint.frameworks.trl_programs.rows.collators import COLLATOR, makes_labels
from cfglint.frameworks.trl_programs.rows.tokenizers import WHOLE, pads
from cfglint.source.python_names import last_name

_TRAINER: Final = frozenset({"transformers.Trainer"})
_MODEL: Final = "transformers.AutoModelForCausalLM"
_LABELS: Final = "labels"
_IDS: Final = "input_ids"
#: What leaves the labels of rows as they are.
_KEEPING: Final = frozenset(
    {
        *("transformers.default_data_collator", "transformers.DefaultDataCollator"),
        *("transformers.DataCollatorForSeq2Seq", "transformers.DataCollatorWithPadding"),
    }
)
#: What gives a list, or a tensor, with the same values.
_COPIES: Final = frozenset(
    {"copy", "clone", "deepcopy", "list", "tolist", "detach", "array", "tensor"}
)
#: What makes labels of all ids.
_ANEW: Final = frozenset({COLLATOR, "trl.DataCollatorForCompletionOnlyLM"})
#: What is written for a label that has no loss.
_NO_LOSS: Final = "-100"
#: A program with one of these may take padding out of the labels in a way of its own.
_TAKES_OUT: Final = (
    *(_NO_LOSS, "ignore_index", "IGNORE", "masked_fill", "compute_loss", "collate_fn", "where("),
)
#: Models whose tokenizers have no token that masks a word, and put none at the end of a text.
_DECODERS: Final = lazy_pattern(
    r"^(?:(?:openai-community/)?gpt2(?:-medium|-large|-xl)?|(?:distilbert/)?distilgpt2|EleutherAI/(?:pythia|gpt-(?:neo|j))-\S+"
    r"|meta-llama/(?:Meta-)?Llama-[23]\S*|mistralai/Mistral-7B-\S+|Qwen/Qwen(?:2(?:\.5)?|3)-\S+|TinyLlama/\S+"
    r"|bigscience/bloomz?(?:-\S+)?|facebook/opt-\S+|HuggingFaceTB/SmolLM\S*|tiiuae/falcon-\S+)$"
)

#: A program with one of these may end its rows, or the rows that it loads may have an end.
_ENDS: Final = ("</s>", "<|", "add_eos", "chat_template", "SFT", "append")
#: What a prompt has before the answer.
_BEGINS: Final = lazy_pattern(
    r"(?i)(?:(?:^|\n|### ?)(?:response|answer|output|assistant|completion):?|\[/INST\])\s*$"
)
#: A text with a prompt, what begins the answer, and the answer.
_MIN_PARTS: Final = 2


def padding_is_a_label(ctx: CheckContext) -> Iterator[Hit]:
    """`out = tokenizer(text, padding="max_length")`, and then `out["labels"] = out["input_ids"].copy()`."""
    program = given_calls(ctx)
    for place, tokenized, row in () if program is None else _copied_labels(program, ctx):
        assert program is not None
        padding, given = _padding(tokenized, program), keywords_of(tokenized) or {}
        if padding != WHOLE and "batched=True" not in ctx.document.text:
            # A row that is tokenized alone is as long as it is.
            continue
        if pads(padding, given) and (row is None or row is tokenized):
            related = (Related(program.whole_span(tokenized.func), "pads the rows"),)
            yield Hit((), program.whole_span(place), {}, related=related)


def labels_of_another_text(ctx: CheckContext) -> Iterator[Hit]:
    """`out = tokenizer(question)`, and then `out["labels"] = tokenizer(answer)["input_ids"]`."""
    program = given_calls(ctx)
    for place, tokenized, row in () if program is None else _copied_labels(program, ctx):
        assert program is not None
        if row is None or not row.args or not tokenized.args:
            continue
        if _text_of(row, program) != _text_of(tokenized, program):
            related = (Related(program.whole_span(row.func), "makes the ids that the model gets"),)
            yield Hit((), program.whole_span(place), {}, related=related)


def _copied_labels(
    program: GivenCalls, ctx: CheckContext
) -> Iterator[tuple[ast.expr, ast.Call, ast.Call | None]]:
    """Where the labels of a language model are the ids of a text as they are, and the calls that make these and the rows."""
    if any(word in ctx.document.text for word in _TAKES_OUT):
        return
    if not any(_keeps_labels(given, program) for _, given in program.calls(_TRAINER)):
        return
    if any(map(_is_of_labels, program.names.nodes)):
        # They may be others afterwards.
        return
    for labels, place in _made_labels(program):
        tokenized = _source(labels, program)
        if tokenized is not None:
            holder = place.value if isinstance(place, ast.Subscript) else None
            row = _tokenized(holder, program) if isinstance(holder, ast.Name) else None
            yield place, tokenized, row


def _is_of_labels(node: ast.AST) -> bool:
    """Whether something reads the labels of rows, or writes some of them: `out["labels"]`, `labels[i] = …`."""
    if not isinstance(node, ast.Subscript):
        return False
    if isinstance(node.ctx, ast.Load):
        return _key(node) == _LABELS
    return isinstance(node.value, ast.Name) and "label" in node.value.id.lower()


def _text_of(call: ast.Call, program: GivenCalls) -> str:
    """What a call of a tokenizer is given first, behind a name as well."""
    node = call.args[0]
    held = program.scopes.binding(node) if isinstance(node, ast.Name) else None
    is_set = held is not None and held.kind == "set" and isinstance(held.node, ast.expr)
    return ast.dump(held.node if held is not None and is_set else node)


def _source(node: ast.expr, program: GivenCalls) -> ast.Call | None:
    """The call of a tokenizer whose ids an expression is a copy of."""
    ids = _ids_of(node, program)
    return None if ids is None else _tokenized(ids, program)


def _keeps_labels(given: dict[str, ast.expr], program: GivenCalls) -> bool:
    """Whether a trainer of a language model takes the labels as the rows have them."""
    if program.loads(given.get("model"), _MODEL) is None or "compute_loss_func" in given:
        return False
    collator = given.get("data_collator")
    if collator is None:
        return True
    made = program.made(collator)
    kind = program.names.imported(collator if made is None else made.func)
    return kind in _KEEPING


def _made_labels(program: GivenCalls) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The values that rows get as their labels, each with its place."""
    for node in program.names.nodes:
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            if isinstance(node.targets[0], ast.Subscript) and _key(node.targets[0]) == _LABELS:
                yield node.value, node.targets[0]
        elif isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and key.value == _LABELS:
                    yield value, key


def _key(node: ast.Subscript) -> object:
    return node.slice.value if isinstance(node.slice, ast.Constant) else None


def _ids_of(node: ast.expr, program: GivenCalls) -> ast.Name | None:
    """The name of the tokenized rows whose ids an expression is a copy of."""
    for _ in range(8):
        if isinstance(node, ast.Name):
            held = program.scopes.binding(node)
            if held is None or held.kind != "set" or not isinstance(held.node, ast.expr):
                return None
            node = held.node
        elif isinstance(node, ast.Call) and last_name(node.func) in _COPIES:
            inner = node.func.value if isinstance(node.func, ast.Attribute) else None
            is_function = inner is None or program.names.imported(node.func) is not None
            if node.args and is_function:
                node = node.args[0]
            elif inner is not None and not node.args:
                node = inner
            else:
                return None
        elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
            node = node.value
        else:
            break
    if isinstance(node, ast.Subscript) and _key(node) == _IDS and isinstance(node.value, ast.Name):
        return node.value
    if isinstance(node, ast.Attribute) and node.attr == _IDS and isinstance(node.value, ast.Name):
        return node.value
    return None


def _tokenized(name: ast.Name, program: GivenCalls) -> ast.Call | None:
    """The call of a tokenizer that a name is surely set to."""
    held = program.scopes.binding(name)
    call = held.node if held is not None and held.kind == "set" else None
    is_call = isinstance(call, ast.Call) and "tokeniz" in last_name(call.func).lower()
    return call if is_call and isinstance(call, ast.Call) else None


def _padding(call: ast.Call, program: GivenCalls) -> object:
    """How a call of a tokenizer pads; empty if that is not certain."""
    value = program.value((keywords_of(call) or {}).get("padding"), call)
    return value if isinstance(value, (bool, str)) else ""


def every_label_left_out(ctx: CheckContext) -> Iterator[Hit]:
    """`labels[:len(prompt["input_ids"])] = -100`, with a prompt that is padded to the length of the labels."""
    program = given_calls(ctx)
    if program is None or _NO_LOSS not in ctx.document.text or _makes_labels_anew(program):
        return
    for node in program.names.nodes:
        cut = node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
        if not isinstance(cut, ast.Subscript) or not isinstance(cut.slice, ast.Slice):
            continue
        assert isinstance(node, ast.Assign)
        if ast.unparse(node.value) != _NO_LOSS or cut.slice.lower is not None:
            continue
        prompt = _measured(cut.slice.upper, program)
        row = _source(cut.value, program)
        if prompt is None or row is None or prompt is row or not _are_equal(prompt, row, program):
            continue
        related = (Related(program.whole_span(prompt.func), "pads the prompt, too"),)
        yield Hit((), program.whole_span(cut), {}, related=related)


def _makes_labels_anew(program: GivenCalls) -> bool:
    """Whether what makes the batches writes labels of its own over those of the rows."""
    return any(program.names.imported(call.func) in _ANEW for call in program.names.calls)


def labels_overwritten(ctx: CheckContext) -> Iterator[Hit]:
    """`row["labels"] = [-100] * n + ids`, and a `DataCollatorForLanguageModeling`, which makes labels of all ids."""
    program = given_calls(ctx)
    if program is None or _NO_LOSS not in ctx.document.text:
        return
    for _, given in program.calls(_TRAINER):
        collator = program.made(given.get("data_collator"))
        if collator is None or not makes_labels(collator, program):
            continue
        made = next(
            (
                place
                for value, place in _made_labels(program)
                if _has_none(value, program) and not _is_of_batches(place, program)
            ),
            None,
        )
        if made is not None:
            related = (Related(program.whole_span(made), "the labels of the rows"),)
            yield Hit((), program.whole_span(collator.func), {}, related=related)


def _is_of_batches(place: ast.expr, program: GivenCalls) -> bool:
    """Whether a place is in what makes batches of rows, of which another trainer may make use."""
    node = program.scopes.parent(place)
    while node is not None:
        name = node.name if isinstance(node, (ast.ClassDef, ast.FunctionDef)) else ""
        if "collat" in name.lower():
            return True
        node = program.scopes.parent(node)
    return False


def _has_none(value: ast.expr, program: GivenCalls) -> bool:
    """Whether -100 is written into labels: into the value itself, or into what it is made of."""
    if any(map(_is_none, ast.walk(value))):
        return True
    inner = value
    while isinstance(inner, (ast.Call, ast.Attribute)):
        inner = inner.func if isinstance(inner, ast.Call) else inner.value
    if not isinstance(inner, ast.Name):
        return False
    held = program.scopes.bindings(inner)
    if any(any(map(_is_none, ast.walk(one.node))) for one in held if one.kind == "set"):
        return True
    return any(
        isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Subscript)
        and isinstance(node.targets[0].value, ast.Name)
        and node.targets[0].value.id == inner.id
        and any(map(_is_none, ast.walk(node.value)))
        for node in program.names.nodes
    )


def _is_none(node: ast.AST) -> bool:
    """Whether a part of a program is the number -100."""
    is_negative = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
    inner = node.operand if isinstance(node, ast.UnaryOp) and is_negative else None
    return isinstance(inner, ast.Constant) and inner.value == int(_NO_LOSS[1:])


def _measured(node: ast.expr | None, program: GivenCalls) -> ast.Call | None:
    """The call of a tokenizer whose number of ids an expression is."""
    if isinstance(node, ast.Name):
        held = program.scopes.binding(node)
        node = held.node if held is not None and isinstance(held.node, ast.expr) else None
    if not isinstance(node, ast.Call) or last_name(node.func) != "len" or len(node.args) != 1:
        return None
    return _source(node.args[0], program)


def _are_equal(one: ast.Call, other: ast.Call, program: GivenCalls) -> bool:
    """Whether the rows of two calls surely have the same length, each being a list of ids."""
    lengths = set()
    for call in (one, other):
        given = keywords_of(call)
        if given is None or _padding(call, program) != WHOLE or "return_tensors" in given:
            return False
        if WHOLE not in given or program.value(given.get("truncation"), call) is not True:
            return False
        lengths.add(ast.dump(given[WHOLE]))
    return len(lengths) == 1


def end_not_written(ctx: CheckContext) -> Iterator[Hit]:
    """`tokenizer(f"### Response: {row['answer']}")`, and nothing that ends the answer."""
    program = given_calls(ctx)
    text = ctx.document.text
    if program is None or any(word in text for word in _ENDS):
        return
    if "eos_token" in text and _LABELS in text and _NO_LOSS not in text:
        # Padding that is the token of an end, and part of the labels, tells the model where a text ends.
        return
    if not any(_of_decoder(given, program) for _, given in program.calls(_TRAINER)):
        return
    if any(map(program.is_end_of_text, program.names.nodes)):
        return
    for node in program.names.nodes:
        if (
            isinstance(node, ast.JoinedStr)
            and _ends_with_answer(node)
            and not isinstance(program.scopes.parent(node), ast.BinOp)
            and not program.is_shown(node)
        ):
            yield Hit((), program.span(node), {})
            return


def _ends_with_answer(node: ast.JoinedStr) -> bool:
    """Whether a text ends with a value behind a word that begins an answer."""
    last = node.values[-1]
    # What a program generates, or shows, mostly has a name of its own.
    if len(node.values) < _MIN_PARTS or not (
        isinstance(last, ast.FormattedValue) and isinstance(last.value, ast.Subscript)
    ):
        return False
    before = node.values[-2]
    return isinstance(before, ast.Constant) and _BEGINS.search(str(before.value)) is not None


def _of_decoder(given: dict[str, ast.expr], program: GivenCalls) -> bool:
    load = program.loads(given.get("model"), _MODEL)
    model = None if load is None or not load.args else program.value(load.args[0], load)
    return isinstance(model, str) and _DECODERS.search(model) is not None


def masked_words_of_causal_model(ctx: CheckContext) -> Iterator[Hit]:
    """`DataCollatorForLanguageModeling(tokenizer)` for a model that predicts the next word: `mlm` is on by default."""
    program = given_calls(ctx)
    if program is None or "mask_token" in ctx.document.text:
        return
    for _, given in program.calls(_TRAINER):
        collator = program.made(given.get("data_collator"))
        load = program.loads(given.get("model"), _MODEL)
        if collator is None or load is None or program.names.imported(collator.func) != COLLATOR:
            continue
        words = keywords_of(collator)
        if words is None or len(collator.args) > 1:
            continue
        is_on = "mlm" not in words or program.value(words["mlm"], collator) is True
        model = program.value(load.args[0] if load.args else None, load)
        tokenizer = program.made(
            words.get("tokenizer", collator.args[0] if collator.args else None)
        )
        if tokenizer is not None and (
            not tokenizer.args or program.value(tokenizer.args[0], tokenizer) != model
        ):
            # A tokenizer of another model, or one that the program makes, may have such a token.
            continue
        if is_on and isinstance(model, str) and _DECODERS.search(model):
            yield Hit((), program.whole_span(collator.func), {"model": model})


CHECKS = {
    "labels-overwritten": labels_overwritten,
    "labels-of-another-text": labels_of_another_text,
    "end-not-written": end_not_written,
    "padding-is-a-label": padding_is_a_label,
    "every-label-left-out": every_label_left_out,
    "masked-words-of-causal-model": masked_words_of_causal_model,
}
