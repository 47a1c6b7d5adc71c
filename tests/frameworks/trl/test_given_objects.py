"""What a program shows of the objects that a trainer is given."""

from __future__ import annotations

from cfglint.frameworks.trl.given_objects import (
    full_name,
    is_base_model,
    is_handed_on,
    is_object,
    is_plain,
    last_part,
    part_of,
    stored_in,
)
from cfglint.source.calls import Call, GivenObject
from cfglint.source.document import Mapping
from cfglint.source.python_objects import ANYTHING
from tests.draws import each


def made(name: str, *parts: GivenObject) -> Mapping:
    """What a program shows of an object that the call of a name makes."""
    mapping = Mapping(0, 0, None, None, flow=False)
    if name:
        mapping.about = Call(name, open=False, imports=frozenset(), parts=parts)
    return mapping


def given(name: str = "peft.LoraConfig", *used: str, parameter: str = "args") -> GivenObject:
    return GivenObject(parameter, made(name), (), frozenset(used))


@each(
    ("name", "expected"),
    [
        ("peft.LoraConfig", True),
        ("transformers.AutoModel.from_pretrained", True),
        ("trl.create_reference_model", True),
        ("trl.get_peft_config", False),
        # Without a package it is the program's own.
        ("LoraConfig", False),
        ("", False),
    ],
)
def test_what_surely_gives_an_object(name: str, expected: bool) -> None:
    assert is_object(given(name)) is expected


@each(
    ("used", "handed_on", "plain"),
    [
        ((), False, True),
        (("print",), False, True),
        ((".config",), False, True),
        ((".to", ".eval", "get_peft_model", "print"), False, True),
        (("=use_cache",), False, False),
        (("=config",), False, True),
        ((".merge_and_unload",), False, False),
        (("add_adapter",), True, False),
        (("SFTTrainer",), False, False),
        (("from_pretrained",), False, False),
        ((".set_training",), True, False),
        ((".__dict__",), True, False),
        ((ANYTHING,), True, False),
        (("print", "own"), True, False),
    ],
)
def test_what_may_have_changed_it(used: tuple[str, ...], handed_on: bool, plain: bool) -> None:
    one = given("peft.LoraConfig", *used)
    assert is_handed_on(one) is handed_on
    assert is_plain(one) is plain


def test_what_is_stored_in_it() -> None:
    assert stored_in(given("a.B", "=r", ".r", "r", "=lora_alpha")) == {"r", "lora_alpha"}


def test_parts() -> None:
    args, model = given("trl.SFTConfig"), given("a.B.from_pretrained", parameter="model")
    trainer = made("trl.SFTTrainer", args, model)
    assert [part_of(trainer, name) for name in ("args", "model", "none")] == [args, model, None]
    assert part_of(made(""), "args") is None
    assert (full_name(trainer), last_part(trainer)) == ("trl.SFTTrainer", "SFTTrainer")
    assert (full_name(made("")), last_part(made(""))) == ("", "")


@each(
    ("name", "expected"),
    [
        ("meta-llama/Llama-3.1-8B", True),
        ("Llama-3.1-8B/", True),
        ("./models/Llama-3.1-8B", True),
        ("me/Llama-3.1-8B-lora", False),
        ("me/Llama-3.1-8B-SFT", False),
        ("me/of-my-own", False),
        ("sft-runs/Llama-3.1-8B", False),
    ],
)
def test_a_whole_model_that_is_known(name: str, expected: bool) -> None:
    assert is_base_model(name) is expected
