"""The only tokenizer of a program, and what gives it a token for padding."""

from __future__ import annotations

import ast
from types import SimpleNamespace
from typing import Any, cast

from cfglint.checks.context import CheckContext
from cfglint.environment.surroundings import nowhere
from cfglint.frameworks.trl_programs.given_calls import GivenCalls
from cfglint.frameworks.trl_programs.rows.tokenizers import is_padding, only_tokenizer, pads
from cfglint.source.python_program import program_of
from tests.draws import each

HEAD = (
    "from transformers import AutoTokenizer, AutoProcessor, DataCollatorWithPadding\n"
    "from trl import SFTTrainer\nfrom other import change\n"
)
LOAD = 'tokenizer = AutoTokenizer.from_pretrained("{}")\n'
MISTRAL, QWEN = LOAD.format("mistralai/Mistral-7B-v0.1"), LOAD.format("Qwen/Qwen2.5-7B-Instruct")
END = "tokenizer.pad_token = tokenizer.eos_token\n"


def program(text: str) -> GivenCalls:
    found = program_of(HEAD + text)
    assert found.tree is not None
    return GivenCalls(found, found.tree)


def context(text: str) -> CheckContext:
    """What is looked at of a check: the text, and that no other file is around it."""
    found = SimpleNamespace(document=SimpleNamespace(text=text), around=nowhere())
    return cast("CheckContext", found)


def known(text: str) -> Any:
    """The model, what is published of its tokens, and what gives padding; None without one tokenizer."""
    found = only_tokenizer(program(text), context(HEAD + text))
    if found is None:
        return None
    paddings = sorted((one.kind, one.if_missing) for one in found.paddings)
    sure = found.ends_with_padding is not None
    return (found.model, found.has_no_padding, found.ends_answers, paddings, sure)


def padded(text: str) -> bool:
    """Whether the last call of a program surely pads."""
    calls = program(text)
    call = next(
        reversed([one for one in ast.walk(ast.parse(HEAD + text)) if isinstance(one, ast.Call)])
    )
    own = [one for one in calls.names.calls if ast.dump(one) == ast.dump(call)]
    return is_padding(own[-1], calls)


@each(
    ("text", "expected"),
    [
        ("x = 1\n", None),
        (MISTRAL, ("mistralai/Mistral-7B-v0.1", True, False, [], False)),
        (QWEN, ("Qwen/Qwen2.5-7B-Instruct", False, True, [], False)),
        (LOAD.format("acme/model"), ("acme/model", False, False, [], False)),
        (LOAD.format("gpt2"), ("gpt2", True, False, [], False)),
        (
            LOAD.format("/models/Mistral-7B-v0.1"),
            ("/models/Mistral-7B-v0.1", False, False, [], False),
        ),
        ("tokenizer = AutoTokenizer.from_pretrained(name)\n", ("", False, False, [], False)),
        (
            "tokenizer = AutoTokenizer.from_pretrained(pretrained_model_name_or_path='gpt2')\n",
            ("gpt2", True, False, [], False),
        ),
        ("tokenizer = AutoProcessor.from_pretrained('a/b')\n", ("a/b", False, False, [], False)),
        ("tokenizer = AutoModel.from_pretrained('a/b')\n", None),
        ("tokenizer = AutoTokenizer.from_pretrained('gpt2', pad_token='x')\n", None),
        ("tokenizer = AutoTokenizer.from_pretrained('gpt2', **more)\n", None),
        (MISTRAL + MISTRAL, ("mistralai/Mistral-7B-v0.1", True, False, [], False)),
        (MISTRAL + QWEN, None),
        (MISTRAL + "change(tokenizer)\n", None),
        (MISTRAL + "change(t=tokenizer)\n", None),
        (
            MISTRAL + "print(tokenizer)\nlen(tokenizer)\n",
            ("mistralai/Mistral-7B-v0.1", True, False, [], False),
        ),
        (
            MISTRAL + "SFTTrainer(processing_class=tokenizer)\n",
            ("mistralai/Mistral-7B-v0.1", True, False, [], False),
        ),
        (
            MISTRAL + "def own(t): pass\nown(tokenizer)\n",
            ("mistralai/Mistral-7B-v0.1", True, False, [], False),
        ),
        (MISTRAL + "setattr(tokenizer, 'pad_token', 'x')\n", None),
        (MISTRAL + "m, t = setup_chat_format(m, tokenizer)\n", None),
        (MISTRAL + END, ("mistralai/Mistral-7B-v0.1", True, False, [("end", False)], True)),
        (LOAD.format("acme/model") + END, ("acme/model", False, False, [("end", False)], True)),
        (
            MISTRAL + f"if tokenizer.pad_token is None:\n    {END}",
            ("mistralai/Mistral-7B-v0.1", True, False, [("end", True)], True),
        ),
        (
            LOAD.format("acme/model") + f"if tokenizer.pad_token is None:\n    {END}",
            ("acme/model", False, False, [("end", True)], False),
        ),
        (
            MISTRAL + "tokenizer.pad_token_id = tokenizer.eos_token_id\n",
            ("mistralai/Mistral-7B-v0.1", True, False, [("end", False)], True),
        ),
        (
            MISTRAL + "tokenizer.pad_token = tokenizer.unk_token\n",
            ("mistralai/Mistral-7B-v0.1", True, False, [("other", False)], False),
        ),
        (
            MISTRAL + END + "tokenizer.pad_token = '<pad>'\n",
            ("mistralai/Mistral-7B-v0.1", True, False, [("end", False), ("other", False)], False),
        ),
        (
            MISTRAL + "model.config.pad_token_id = tokenizer.eos_token_id\n",
            ("mistralai/Mistral-7B-v0.1", True, False, [], False),
        ),
        (
            MISTRAL + "model.pad_token_id = tokenizer.eos_token_id\n",
            ("mistralai/Mistral-7B-v0.1", True, False, [], False),
        ),
        (
            MISTRAL + "model.generation_config.pad_token_id = 3\n",
            ("mistralai/Mistral-7B-v0.1", True, False, [], False),
        ),
        (
            MISTRAL + "tokenizer.add_special_tokens({'pad_token': '[PAD]'})\n",
            ("mistralai/Mistral-7B-v0.1", True, False, [("new", False)], False),
        ),
        (
            MISTRAL + "tokenizer.add_special_tokens({'pad_token': '</s>'})\n",
            ("mistralai/Mistral-7B-v0.1", True, False, [("other", False)], False),
        ),
        (
            MISTRAL + "tokenizer.add_special_tokens({'pad_token': '[PAD]', 'x': 'y'})\n",
            ("mistralai/Mistral-7B-v0.1", True, False, [("other", False)], False),
        ),
        (
            MISTRAL + "tokenizer.add_special_tokens({'bos_token': '[PAD]'})\n",
            ("mistralai/Mistral-7B-v0.1", True, False, [("other", False)], False),
        ),
        (
            MISTRAL + "tokenizer.add_special_tokens(table)\n",
            ("mistralai/Mistral-7B-v0.1", True, False, [("other", False)], False),
        ),
        (
            MISTRAL + "tokenizer.add_tokens(['a'])\n",
            ("mistralai/Mistral-7B-v0.1", True, False, [("other", False)], False),
        ),
        (
            MISTRAL + f"def f():\n    {END}",
            ("mistralai/Mistral-7B-v0.1", True, False, [("end", False)], True),
        ),
        (
            MISTRAL + f"for x in y:\n    {END}",
            ("mistralai/Mistral-7B-v0.1", True, False, [("end", True)], True),
        ),
        (
            MISTRAL + f"try:\n    {END}except E:\n    pass\n",
            ("mistralai/Mistral-7B-v0.1", True, False, [("end", True)], True),
        ),
    ],
)
def test_what_is_known_of_it(text: str, expected: Any) -> None:
    assert known(text) == expected


@each(
    ("text", "expected"),
    [
        ("tokenizer(x, padding=True)\n", True),
        ("tokenizer(x, padding='longest')\n", True),
        ("tokenizer(x, padding='max_length')\n", False),
        ("tokenizer(x, padding='max_length', max_length=9)\n", True),
        ("tokenizer(x, padding=False)\n", False),
        ("tokenizer(x, padding=flag)\n", False),
        ("tokenizer(x)\n", False),
        ("tokenizer(x, **more)\n", False),
        ("self.tokenizer(x, padding=True)\n", True),
        ("other(x, padding=True)\n", False),
        ("make_tokenizer()(x, padding=True)\n", False),
        ("DataCollatorWithPadding(tokenizer)\n", True),
        ("DataCollatorWithPadding(tokenizer, padding=False)\n", False),
        ("DataCollatorWithPadding(tokenizer, padding='max_length')\n", True),
        ("DataCollatorWithPadding(tokenizer, padding=True)\n", True),
    ],
)
def test_what_pads(text: str, expected: bool) -> None:
    assert padded(text) is expected


def test_values_that_pad() -> None:
    assert pads(True, {})
    assert not pads(1.5, {})
    assert not pads("max_length", {})
    assert pads("max_length", {"max_length": ast.Constant(3)})
    assert not pads("do_not_pad", {})
