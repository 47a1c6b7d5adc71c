"""The calls of one run as one config: what is known of it, and what is left open."""

from __future__ import annotations

import pytest

from cfglint.base.logic import UNKNOWN
from cfglint.frameworks.trl.joined_calls import joined
from cfglint.knowledge.rules.views import View
from cfglint.roles.framework import load_framework
from cfglint.source.calls import call_of
from cfglint.source.document import Document, Mapping
from cfglint.source.text import SourceText
from tests.draws import each

HEAD = (
    "import torch\nfrom peft import LoraConfig, PeftModel, get_peft_model, prepare_model_for_kbit_training\n"
    "from transformers import AutoModelForCausalLM, BitsAndBytesConfig, Trainer, TrainingArguments\n"
    "from trl import SFTConfig, SFTTrainer\n"
)
LOAD = "m = AutoModelForCausalLM.from_pretrained('Qwen/Qwen3-8B', quantization_config=BitsAndBytesConfig(load_in_4bit=True))\n"
TRAIN = "SFTTrainer(model=m, args=SFTConfig(output_dir='o'))\n"


def run_of(body: str) -> Document:
    document = load_framework("trl_programs").language.read(SourceText(HEAD + body))
    sections = [one.value for one in document.root.entries if one.label.endswith("Trainer")]
    assert isinstance(sections[0], Mapping)
    found = joined(document.section(sections[0]))
    assert found is not None
    return found


def known(body: str, *keys: str) -> list[object]:
    """The values of some keys of a run: None for what is surely not set, ... for what is not known."""
    view = View(run_of(body))
    found = [view.value(tuple(key.split("."))) for key in keys]
    return [... if one is UNKNOWN else None if repr(one) == "MISSING" else one for one in found]


NAME = "Qwen/Qwen3-8B"
KEYS = ("model_name_or_path", "load_in_4bit", "use_peft")


@each(
    ("body", "expected"),
    [
        (LOAD + TRAIN, [NAME, True, None]),
        (LOAD + "m = prepare_model_for_kbit_training(m)\n" + TRAIN, [NAME, True, None]),
        (LOAD + "m = get_peft_model(m, LoraConfig(r=4))\n" + TRAIN, [NAME, True, True]),
        (LOAD + "if x:\n    m = get_peft_model(m, LoraConfig(r=4))\n" + TRAIN, [..., ..., ...]),
        (LOAD + "attach(m)\n" + TRAIN, [NAME, True, ...]),
        (LOAD + "m.add_adapter(c)\n" + TRAIN, [NAME, True, ...]),
        (LOAD + "m.config.use_cache = False\n" + TRAIN, [NAME, True, None]),
        (LOAD + "SFTTrainer(model=m, args=a, peft_config=None)", [NAME, True, None]),
        (LOAD + "SFTTrainer(model=m, args=a, peft_config=c)", [NAME, True, ...]),
        (LOAD + "SFTTrainer(model=m, args=a, peft_config=LoraConfig(r=4))", [NAME, True, True]),
        (LOAD + "Trainer(model=m, args=TrainingArguments('o'))", [NAME, True, None]),
        ("m = AutoModelForCausalLM.from_pretrained(name)\n" + TRAIN, [..., None, None]),
        (
            "m = AutoModelForCausalLM.from_pretrained('a/b', load_in_4bit=True)\n" + TRAIN,
            ["a/b", True, ...],
        ),
        (
            "m = AutoModelForCausalLM.from_pretrained('a/b', load_in_8bit=True)\n" + TRAIN,
            ["a/b", None, ...],
        ),
        ("m = AutoModelForCausalLM.from_pretrained('a/b', **more)\n" + TRAIN, [..., ..., ...]),
        ("m = AutoModelForCausalLM.from_pretrained('a/b', config=c)\n" + TRAIN, [..., ..., ...]),
        ("m = load('a/b')\n" + TRAIN, [..., ..., ...]),
        ("SFTTrainer(model='a/b', args=SFTConfig(output_dir='o'))", ["a/b", None, None]),
        (
            "SFTTrainer(model='a/b', args=SFTConfig(output_dir='o', model_init_kwargs=k))",
            ["a/b", ..., None],
        ),
        ("SFTTrainer('a/b', args=SFTConfig(output_dir='o'))", ["a/b", None, None]),
        (LOAD + "a = SFTConfig(output_dir='o')\nSFTTrainer(m, a)", [NAME, True, None]),
        (LOAD + "SFTTrainer(m, None, c, d, e, f, g, h, i, j, k)", [NAME, True, ...]),
    ],
)
def test_the_model_of_a_run(body: str, expected: list[object]) -> None:
    assert known(body, *KEYS) == expected


@each(("bits", "expected"), [(4, [True, None]), (8, [None, True])])
def test_bits_that_a_load_is_given(bits: int, expected: list[object]) -> None:
    load = f"m = AutoModelForCausalLM.from_pretrained('a/b', load_in_{bits}bit=True)\n"
    assert known(load + TRAIN, "load_in_4bit", "load_in_8bit") == expected


@pytest.mark.parametrize(
    ("given", "use_peft", "config"),
    [("LoraConfig(r=4)", True, {}), ("get_peft_config(a)", ..., ...), ("made(a)", ..., ...)],
)
def test_a_function_may_give_no_adapter(given: str, use_peft: object, config: object) -> None:
    body = (
        f"from trl import get_peft_config\n{LOAD}SFTTrainer(model=m, args=a, peft_config={given})"
    )
    assert known(body, "use_peft", "trainer.peft_config") == [use_peft, config]


def test_the_adapter_has_the_defaults_of_its_class() -> None:
    body = LOAD + "SFTTrainer(model=m, args=a, peft_config=LoraConfig(target_modules=['q_proj']))"
    keys = ("lora_r", "lora_alpha", "lora_dropout", "lora_task_type", "lora_target_modules")
    assert known(body, *keys) == [8, 8, 0.0, ..., ["q_proj"]]


def test_precision_is_a_word() -> None:
    for written in ("torch_dtype=torch.float16", "dtype='float16'", "dtype=torch.half"):
        load = f"m = AutoModelForCausalLM.from_pretrained('a/b', {written})\n"
        assert known(load + TRAIN, "dtype") == ["float16"]
    assert known("m = AutoModelForCausalLM.from_pretrained('a/b', dtype=t)\n" + TRAIN, "dtype") == [
        ...
    ]


UNSLOTH = "from unsloth import FastLanguageModel as F\nm, t = F.from_pretrained({})\n"


@each(
    ("load", "expected"),
    [
        ("'a/b', 512, load_in_4bit=True", ["a/b", True, 512]),
        ("model_name='a/b', max_seq_length=512, load_in_4bit=False", ["a/b", False, 512]),
        # What is not written, the release decides.
        ("'a/b'", ["a/b", ..., ...]),
        ("'a/b', full_finetuning=True, load_in_4bit=True", ["a/b", ..., ...]),
        ("'a/b', max_seq_length=options.length", ["a/b", ..., ...]),
        ("'a/b', **options", [..., ..., ...]),
    ],
)
def test_a_model_that_unsloth_loads(load: str, expected: list[object]) -> None:
    keys = ("model_name_or_path", "load_in_4bit", "trainer.model.max_seq_length")
    assert known(UNSLOTH.format(load) + TRAIN, *keys) == expected


def test_the_adapter_that_unsloth_puts_on_it() -> None:
    keys = ("use_peft", "lora_r", "lora_target_modules", "lora_dropout")
    adapt = "m = F.get_peft_model(m, r=4, target_modules=['q_proj'])\n"
    body = UNSLOTH.format("'a/b', 512")
    assert known(body + TRAIN, *keys) == [..., ..., ..., ...]
    assert known(body + adapt + TRAIN, *keys) == [True, 4, ["q_proj"], ...]
    assert known(body + adapt.replace("r=4", "**more") + TRAIN, *keys) == [..., ..., ..., ...]


def test_a_length_that_is_set_later() -> None:
    body = UNSLOTH.format("'a/b', 512") + "m.max_seq_length = 1024\n" + TRAIN
    assert known(body, "trainer.model.max_seq_length") == [...]


@each("name", ["'me/qwen3-8b-lora'", "'a/b'", "'./out'", "name"])
def test_a_quantized_model_of_another_name_may_bring_an_adapter(name: str) -> None:
    load = LOAD.replace("'Qwen/Qwen3-8B'", name)
    assert known(load + TRAIN, "load_in_4bit", "use_peft") == [True, ...]


@each(
    ("change", "is_altered"),
    [
        ("a.model_init_kwargs = None", True),
        ("setattr(a, 'model_init_kwargs', None)", True),
        ("complete(a)", True),
        ("a.seed = 1", False),
        ("print(a)", False),
    ],
)
def test_a_config_may_be_given_what_its_class_lacks(change: str, is_altered: bool) -> None:
    body = f"a = TrainingArguments('o')\n{change}\nSFTTrainer(model='a/b', args=a)"
    call = call_of(run_of(body).root)
    assert call is not None
    assert call.altered is is_altered


def test_a_run_is_guarded_with_each_of_its_calls() -> None:
    guard = "try:\n    {}\nexcept TypeError:\n    pass\n"
    config, trainer = "a = SFTConfig('o')", "SFTTrainer(model='a/b', args=a)"
    found = []
    for body in (
        f"{config}\n{trainer}",
        f"{config}\n{guard.format(trainer)}",
        f"{guard.format('x = SFTConfig()')}{config}\n{trainer}",
        guard.format(f"{config}; {trainer}"),
    ):
        call = call_of(run_of(body).root)
        assert call is not None
        found.append(call.guarded)
    assert found == [False, True, False, True]


def test_what_is_set_later_is_open() -> None:
    body = "a = SFTConfig('o', fp16=True, bf16=False)\n{}SFTTrainer(model='a/b', args=a)"
    keys = ("fp16", "bf16", "eval_steps")
    assert known(body.format(""), *keys) == [True, False, None]
    assert known(body.format("a.fp16 = x\n"), *keys) == [..., False, None]
    assert known(body.format("print(a)\n"), *keys) == [True, False, None]
    assert known(body.format("change(a)\n"), *keys) == [..., ..., ...]


def test_the_keywords_of_the_trainer_are_below_it() -> None:
    body = LOAD + "SFTTrainer(model=m, args=a, train_dataset=rows, peft_config=LoraConfig(r=4))"
    found = known(body, "trainer.eval_dataset", "trainer.train_dataset", "trainer.peft_config")
    assert found == [None, ..., {}]
    unnamed = known(LOAD + "SFTTrainer(m, a, c)", "trainer.eval_dataset", "trainer.data_collator")
    assert unnamed == [None, ...]
    assert known(LOAD + "SFTTrainer(m, a, c, d, e)", "trainer.eval_dataset") == [...]


@pytest.mark.parametrize(
    ("call", "length"),
    [
        ("SFTTrainer(m, SFTConfig('o', max_length=9))", 9),
        ("a = SFTConfig('o', max_length=9)\nSFTTrainer(m, a, None, rows)", 9),
        (
            "from trl import DPOConfig, DPOTrainer\na = DPOConfig('o', max_length=9)\nDPOTrainer(m, None, a)",
            ...,
        ),
        (
            "from trl import DPOConfig, DPOTrainer\na = DPOConfig('o', max_length=9)\nDPOTrainer(m, None, args=a)",
            9,
        ),
    ],
)
def test_arguments_without_names_count_where_their_order_is_always_the_same(
    call: str, length: object
) -> None:
    assert known(f"{LOAD}{call}", "max_length") == [length]
