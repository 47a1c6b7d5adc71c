"""What a program surely gives its trainers."""

from __future__ import annotations

import ast

from cfglint.frameworks.trl_programs.given_calls import GivenCalls, keywords_of
from cfglint.source.python_program import program_of
from tests.draws import each

HEAD = (
    "import math\nfrom other import change, reward\nfrom peft import get_peft_model\n"
    "from transformers import AutoModelForCausalLM, AutoTokenizer\nfrom trl import SFTTrainer\n"
    "def own(x):\n    return x\n"
)
MODEL = "transformers.AutoModelForCausalLM"
LOAD = 'model = AutoModelForCausalLM.from_pretrained("a/b")\n'


def program(text: str) -> GivenCalls:
    return with_attributes(text)[0]


def with_attributes(text: str) -> tuple[GivenCalls, list[ast.Attribute]]:
    """A program, and every `a.b` in it."""
    found = program_of(HEAD + text)
    assert found.tree is not None
    nodes = [node for node in ast.walk(found.tree) if isinstance(node, ast.Attribute)]
    return GivenCalls(found, found.tree), nodes


def given(text: str, keyword: str) -> tuple[GivenCalls, ast.expr]:
    """The program, and what the first trainer gets as a keyword."""
    calls = program(text)
    _, keywords = next(calls.calls(frozenset({"trl.SFTTrainer"})))
    return calls, keywords[keyword]


@each(
    ("text", "count"),
    [
        ("SFTTrainer(model=m)\nSFTTrainer(m, args=a)\n", 2),
        ("SFTTrainer(model=m, **more)\n", 0),
        ("OtherTrainer(model=m)\n", 0),
        ("SFTTrainer\n", 0),
    ],
)
def test_calls_of_a_trainer(text: str, count: int) -> None:
    assert len(list(program(text).calls(frozenset({"trl.SFTTrainer"})))) == count


@each(("text", "names"), [("f(1, a=2, b=3)", ["a", "b"]), ("f(1)", []), ("f(a=1, **b)", None)])
def test_keywords_of_a_call(text: str, names: list[str] | None) -> None:
    call = ast.parse(text, mode="eval").body
    assert isinstance(call, ast.Call)
    found = keywords_of(call)
    assert found is None if names is None else found is not None and list(found) == names


@each(
    ("text", "is_loaded"),
    [
        (f"{LOAD}SFTTrainer(model=model)", True),
        (f"{LOAD}model = get_peft_model(model, c)\nSFTTrainer(model=model)", True),
        (f"{LOAD}SFTTrainer(model=model.to(d))", True),
        ('SFTTrainer(model=AutoModelForCausalLM.from_pretrained("a/b"))', True),
        ('SFTTrainer(model=AutoTokenizer.from_pretrained("a/b"))', False),
        ('SFTTrainer(model=AutoModelForCausalLM.from_config("a/b"))', False),
        ("SFTTrainer(model=change())", False),
        ('SFTTrainer(model="a/b")', False),
        (f"{LOAD}if x:\n    model = change()\nSFTTrainer(model=model)", False),
    ],
)
def test_the_load_of_a_model(text: str, is_loaded: bool) -> None:
    calls, node = given(text, "model")
    assert (calls.loads(node, MODEL) is not None) is is_loaded


def test_nothing_is_no_object() -> None:
    calls = program("")
    assert calls.made(None) is None
    assert calls.loads(None, MODEL) is None
    assert not calls.is_handed_on(None)
    assert calls.value(None, ast.Call(ast.Name("f"), [], [])) is None


@each(
    ("between", "expected"),
    [
        ("", False),
        ("print(model)\n", False),
        ("len(model)\nstr(model)\n", False),
        ("model.eval()\n", False),
        ("change(model)\n", True),
        ("OtherTrainer(model)\n", False),
    ],
)
def test_what_something_else_may_change(between: str, expected: bool) -> None:
    calls, node = given(f"{LOAD}{between}SFTTrainer(model=model)", "model")
    assert calls.is_handed_on(node) is expected


@each(
    ("written", "expected"),
    [
        ("own", True),
        ("reward", True),
        ("math.sqrt", True),
        ("lambda x: x", True),
        ("name", False),
        ("name.part", False),
        ("3", False),
    ],
)
def test_a_function(written: str, expected: bool) -> None:
    calls, node = given(f"SFTTrainer(model=m, formatting_func={written})", "formatting_func")
    assert calls.is_function(node) is expected


@each(
    ("text", "expected"),
    [
        ("x = row + t.eos_token\n", True),
        ("x = t.eos_token_id\n", True),
        ("x = t.pad_token\n", False),
        ("t.pad_token = t.eos_token\n", False),
        ("t.pad_token_id = t.eos_token_id\n", False),
        ("generate(eos_token_id=t.eos_token_id)\n", False),
        ("generate(t.eos_token_id)\n", True),
    ],
)
def test_the_token_that_ends_a_text(text: str, expected: bool) -> None:
    calls, nodes = with_attributes(text)
    assert any(map(calls.is_end_of_text, nodes)) is expected


@each(
    ("text", "expected"),
    [
        ("print(f'{x.mark}')\n", True),
        ("log.info('a' + x.mark)\n", True),
        ("sys.exit([x.mark])\n", True),
        ("y = x.mark\n", False),
        ("change(x.mark)\n", False),
        ("print('a') if x.mark else None\n", False),
        # What is too deep to be looked at is taken for a message.
        (f"y = {'-' * 50}x.mark\n", True),
        (f"y = {'-' * 20}x.mark\n", False),
    ],
)
def test_part_of_a_message(text: str, expected: bool) -> None:
    calls, nodes = with_attributes(text)
    marks = [node for node in nodes if node.attr == "mark"]
    assert [calls.is_shown(node) for node in marks] == [expected]


def test_places() -> None:
    text = "SFTTrainer(model=models[0])\n"
    calls, node = given(text, "model")
    whole = HEAD + text
    span, start = calls.whole_span(node), whole.index("models[0]")
    assert whole[span.start : span.end] == "models[0]"
    assert (calls.span(node).start, calls.span(node).end) == (start, start + 1)
