"""What a file must have for a rule to be worth trying on it.

A file is summed up in tokens:

    key?            it is written, be it null
    key             it has a value (not null)
    key!            its value is true to Python's `if`
    key=word        its value is this string
    key.inner       the mapping under it has a value for this key
    key[].inner     an item of the list under it has a value for this key

A condition is summed up in sets of tokens: of each set a file has at least one, or the condition
cannot hold. (More may be tried than hold, never fewer.)
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import Any

from cfglint.rules.logic import Condition
from cfglint.rules.predicates import MAY_HOLD_WHEN_ABSENT
from cfglint.source.document import Document, Mapping, Scalar, Sequence

#: What derived keys are computed from: without one of these they are null or missing.
DERIVED_FROM = {
    "attention_backend": frozenset(
        {
            "attn_implementation!",
            "eager_attention!",
            "flash_attention!",
            "flex_attention!",
            "s2_attention!",
            "sage_attention!",
            "sdp_attention!",
            "xformers_attention!",
        }
    ),
    "fsdp_version": frozenset({"fsdp!", "fsdp_config!"}),
    "zero_stage": frozenset({"deepspeed!"}),
    "group_batch_size": frozenset({"micro_batch_size"}),
}
#: The checks of files that a config names, by the beginning of their names: what names the file.
NAMED_BY = {
    "chat-template-": frozenset(
        {
            "chat_template_jinja!",
            "datasets[].chat_template_jinja",
            "test_datasets[].chat_template_jinja",
        }
    ),
    "dataset-file-": frozenset({"datasets[].path", "test_datasets[].path"}),
    "deepspeed-file-": frozenset({"deepspeed!"}),
}
#: Keys that nearly every config has; to look a rule up by one of them is to try it always.
_COMMON = frozenset(
    [
        "base_model",
        "bf16",
        "dataset_prepared_path",
        "datasets",
        "datasets[].path",
        "datasets[].type",
        "flash_attention",
        "gradient_accumulation_steps",
        "gradient_checkpointing",
        "learning_rate",
        "logging_steps",
        "lr_scheduler",
        "micro_batch_size",
        "num_epochs",
        "optimizer",
        "output_dir",
        "saves_per_epoch",
        "sequence_len",
        "tf32",
        "val_set_size",
        "warmup_steps",
        "weight_decay",
    ]
)

Tokens = frozenset[str]


def file_tokens(document: Document) -> set[str]:
    """The tokens of a file."""
    tokens: set[str] = set()
    add = tokens.add
    for name, entry in document.root.lookup.items():
        if type(name) is not str:
            continue
        add(name + "?")
        node = entry.value.target()
        if type(node) is Scalar:
            value = node.value
            if value is None:
                continue
            add(name)
            if value:
                add(name + "!")
                if type(value) is str:
                    add(f"{name}={value}")
        else:
            add(name)
            _add_inner(node, name, add)
    return tokens


def _add_inner(node: Any, name: str, add: Any) -> None:
    if type(node) is Mapping:
        if node.entries:
            add(name + "!")
        _add_keys(node, name + ".", add)
    elif type(node) is Sequence and node.items:
        add(name + "!")
        for item in node.items:
            target = item.target()
            if type(target) is Mapping:
                _add_keys(target, name + "[].", add)


def _add_keys(node: Mapping, prefix: str, add: Any) -> None:
    for key, entry in node.lookup.items():
        if type(key) is str:
            value = entry.value.target()
            if type(value) is not Scalar or value.value is not None:
                add(prefix + key)


def needed_by_check(check: str) -> list[Tokens]:
    """The same for a check in code: nothing unless it looks at a file that the config names."""
    return [tokens for start, tokens in NAMED_BY.items() if check.startswith(start)]


def necessary(condition: Condition, each: str | None = None) -> list[Tokens]:
    """Sets of tokens of each of which a file has one, if the condition holds for it.

    Args:
        each: the list that `item.` stands for.
    """
    kind = condition[0]
    if kind == "all":
        return [tokens for part in condition[1] for tokens in necessary(part, each)]
    if kind == "any":
        union: set[str] = set()
        for part in condition[1]:
            sets = necessary(part, each)
            if not sets:
                return []
            union |= min(sets, key=cost)
        return [frozenset(union)]
    if kind == "plugin":
        return [frozenset({"plugins!"})]
    if kind == "test":
        if condition[1][0] == "expr":
            needs_value = _suffixes(condition[2]) not in (None, ("?",))
            return _of_expression(condition[1][1]) if needs_value else []
        found = _of_test(condition[1], condition[2], each)
        return [found] if found is not None else []
    return _of_count(condition, each) if kind == "count" else []


def _of_expression(expression: tuple[Any, ...]) -> list[Tokens]:
    """An expression has a value when all keys in it have one, but for what `default` replaces."""
    kind = expression[0]
    if kind in ("number", "default"):
        return []
    if kind == "subject":
        subject = expression[1]
        return [frozenset({subject[1][0]})] if subject[0] == "key" else []
    return [tokens for part in expression[1:] for tokens in _of_expression(part)]


def _of_count(condition: Condition, each: str | None) -> list[Tokens]:
    _, predicate, _, subjects, tests = condition
    if not any((test in ("ge", "eq") and n > 0) or (test == "gt" and n >= 0) for test, n in tests):
        return []
    union: set[str] = set()
    for subject in subjects:
        found = _of_test(subject, ((predicate, True),), each)
        if found is None:
            return []
        union |= found
    return [frozenset(union)]


def _of_test(
    subject: tuple[Any, ...], tests: tuple[tuple[str, Any], ...], each: str | None
) -> Tokens | None:
    kind = subject[0]
    suffixes = _suffixes(tests)
    if kind == "derived":
        return DERIVED_FROM.get(subject[1]) if suffixes not in (None, ("?",)) else None
    if kind == "item" and each is not None:
        path: tuple[str, ...] = (each, "[]", *subject[1])
    elif kind in ("key", "some", "every"):
        path = subject[1]
    else:
        return None
    top = path[0]
    if len(path) == 1:
        return frozenset(top + suffix for suffix in suffixes) if suffixes else None
    has_value = suffixes is not None and suffixes != ("?",)
    if "[]" in path:
        if has_value and len(path) == 3 and path[1] == "[]":
            return frozenset({f"{top}[].{path[2]}"})
        # Without an item there is nothing that a test could hold for.
        return frozenset({top + "!"})
    if not has_value:
        return frozenset({top + "!"}) if suffixes == ("?",) else None
    return frozenset({f"{top}.{path[1]}"})


def _suffixes(tests: tuple[tuple[str, Any], ...]) -> tuple[str, ...] | None:
    """The narrowest thing that the tests on one value say: suffixes of which one is there.

    None when they may hold for a value that is not written.
    """
    best: tuple[str, ...] | None = None
    for name, operand in tests:
        found = _suffix(name, operand)
        if found is not None and (best is None or _rank(found) > _rank(best)):
            best = found
    return best


def _rank(suffixes: tuple[str, ...]) -> int:
    return {"?": 0, "": 1, "!": 2}.get(suffixes[0], 3)


def _suffix(name: str, operand: Any) -> tuple[str, ...] | None:
    if name[0] == "@":
        return None if name[1:] in (*MAY_HOLD_WHEN_ABSENT, "eq") else ("",)
    if name in ("truthy", "set", "written"):
        return ({"truthy": "!", "set": "", "written": "?"}[name],) if operand is True else None
    if name == "is":
        return ("!",) if operand is True else ("",) if operand is False else None
    if name in ("eq", "in"):
        values = operand if name == "in" else (operand,)
        if any(value is None for value in values):
            return None
        if all(isinstance(value, str) and value for value in values) and values:
            return tuple(f"={value}" for value in values)
        return ("!",) if all(values) else ("",)
    if name in MAY_HOLD_WHEN_ABSENT:
        return None
    if (name == "gt" and operand >= 0) or (name == "ge" and operand > 0):
        return ("!",)
    if name == "type":
        kinds = operand if isinstance(operand, (list, tuple)) else (operand,)
        return None if "null" in kinds else ("",)
    return ("",)


def cost(tokens: AbstractSet[str]) -> float:
    """How many files, roughly, have one of the tokens."""
    return sum(
        0.3 if "=" in token else 1.0 if token.rstrip("?!") in _COMMON else 0.2 for token in tokens
    )


def split_token(token: str) -> tuple[str, str]:
    """A token's key and what it says of the value: `a.b` and `!`."""
    name, equals, word = token.partition("=")
    if equals:
        return name, equals + word
    name = token.rstrip("?!")
    return name, token[len(name) :]


def index(rules: dict[int, list[Tokens]]) -> tuple[dict[str, tuple[int, ...]], dict[int, Any]]:
    """Which rules to try for which token, and what else a file must have.

    Args:
        rules: number -> necessary sets; with none, the rule is tried on every file.

    Returns:
        Token -> rules ("" -> rules for every file), and rule -> its other sets.
    """
    table: dict[str, list[int]] = {"": []}
    others: dict[int, Any] = {}
    for number, sets in rules.items():
        unique = sorted(set(sets), key=lambda tokens: (cost(tokens), sorted(tokens)))
        if not unique:
            table[""].append(number)
            continue
        for token in sorted(unique[0]):
            table.setdefault(token, []).append(number)
        if len(unique) > 1:
            others[number] = tuple(tuple(sorted(tokens)) for tokens in unique[1:])
    return {token: tuple(numbers) for token, numbers in table.items()}, others


def matching(
    table: dict[str, tuple[int, ...]], others: dict[int, Any], tokens: set[str]
) -> list[int]:
    """The numbers that `index` has for a file with these tokens, in order."""
    numbers = set(table[""])
    for token in tokens & table.keys():
        for number in table[token]:
            if number in numbers:
                continue
            for needed in others.get(number, ()):
                if tokens.isdisjoint(needed):
                    break
            else:
                numbers.add(number)
    return sorted(numbers)
