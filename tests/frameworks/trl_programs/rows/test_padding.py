"""Padding in programs that tokenize their rows themselves."""

from __future__ import annotations

from cfglint import Linter
from tests.draws import each

CODES = ["TRP880", "TRP881", "TRP882", "TRP883"]


def found(text: str, *target: str) -> list[str]:
    result = Linter(target=list(target), settings=False, select=CODES).lint(text, "train.py")
    return [one.code for one in result.diagnostics]


ENDED = """\
from transformers import AutoModelForCausalLM, AutoTokenizer, DataCollatorForLanguageModeling, Trainer
tokenizer = AutoTokenizer.from_pretrained("{model}"{options})
{padding}
model = AutoModelForCausalLM.from_pretrained("{model}")
rows = load().map(lambda row: tokenizer({text}))
collator = DataCollatorForLanguageModeling(tokenizer, mlm={mlm})
Trainer(model=model, train_dataset=rows, data_collator=collator).train()
"""
USUAL = {
    "model": "acme/base",
    "options": "",
    "padding": "tokenizer.pad_token = tokenizer.eos_token",
    "text": 'row["text"] + tokenizer.eos_token',
    "mlm": "False",
}


@each(
    ("changed", "codes"),
    [
        ({}, ["TRP880"]),
        ({"text": 'f"{row}{tokenizer.eos_token}"'}, ["TRP880"]),
        ({"text": 'row["text"]'}, []),
        ({"text": 'row["text"]', "options": ", add_eos_token=True"}, ["TRP880"]),
        ({"mlm": "True"}, []),
        ({"padding": "tokenizer.pad_token = tokenizer.unk_token"}, []),
        ({"padding": "tokenizer.pad_token_id = tokenizer.eos_token_id"}, ["TRP880"]),
        ({"padding": "model.config.pad_token_id = tokenizer.eos_token_id"}, []),
        # Only of a model that is known to have none is it certain that a branch runs.
        ({"padding": "if x:\n    tokenizer.pad_token = tokenizer.eos_token"}, []),
        (
            {
                "padding": "if x:\n    tokenizer.pad_token = tokenizer.eos_token",
                "model": "mistralai/Mistral-7B-v0.1",
            },
            ["TRP880"],
        ),
        # Another module may give it one.
        ({"padding": USUAL["padding"] + "\nmine.prepare(tokenizer)"}, []),
        ({"padding": USUAL["padding"] + "\nprint(tokenizer)"}, ["TRP880"]),
        # A second tokenizer may be the one that is meant.
        ({"padding": USUAL["padding"] + '\nother = AutoTokenizer.from_pretrained("b/c")'}, []),
    ],
)
def test_the_end_is_padding(changed: dict[str, str], codes: list[str]) -> None:
    assert found(ENDED.format(**{**USUAL, **changed})) == codes


@each(
    ("model", "codes"),
    [
        ("meta-llama/Llama-3.1-8B-Instruct", ["TRP880"]),
        ("Qwen/Qwen2.5-7B-Instruct", ["TRP880"]),
        # What a base model's template ends an answer with is not its end of a text.
        ("Qwen/Qwen2.5-7B", []),
        ("acme/Qwen2.5-7B-Instruct", []),
    ],
)
def test_a_chat_template_ends_the_answers(model: str, codes: list[str]) -> None:
    text = 'tokenizer.apply_chat_template(row["messages"], tokenize=False)'
    assert found(ENDED.format(**{**USUAL, "model": model, "text": text})) == codes
    given = text.replace("tokenize=False", 'return_tensors="pt"')
    assert not found(ENDED.format(**{**USUAL, "model": model, "text": given}))


PADDED = """\
from transformers import AutoModelForCausalLM, AutoTokenizer, Trainer
tokenizer = AutoTokenizer.from_pretrained("{model}")
{line}
model = AutoModelForCausalLM.from_pretrained("{model}")
rows = load().map(lambda row: tokenizer(row["text"], padding={padding}))
Trainer(model=model, train_dataset=rows).train()
"""


@each(
    ("model", "padding", "line", "codes"),
    [
        ("gpt2", '"max_length", max_length=64', "", ["TRP881"]),
        # Without a length, the tokenizer's own counts, of which most have none.
        ("gpt2", '"max_length"', "", []),
        ("openai-community/gpt2", "True", "", ["TRP881"]),
        ("gpt2", "False", "", []),
        ("gpt2", "how", "", []),
        ("acme/gpt2", "True", "", []),
        ("facebook/opt-1.3b", "True", "", []),
        ("gpt2", "True", "tokenizer.pad_token = tokenizer.eos_token", []),
        ("gpt2", "True", "mine.prepare(tokenizer)", []),
        (
            "gpt2",
            '"max_length", max_length=64',
            'tokenizer.add_special_tokens({"pad_token": "[PAD]"})',
            ["TRP882"],
        ),
        ("gpt2", "True", 'tokenizer.add_special_tokens({"pad_token": "[PAD]"})', []),
        ("gpt2", "True", 'tokenizer.add_special_tokens({"pad_token": "<|endoftext|>"})', []),
        ("Qwen/Qwen2-0.5B", "True", 'tokenizer.add_special_tokens({"pad_token": "[PAD]"})', []),
    ],
)
def test_there_is_no_token_for_padding(
    model: str, padding: str, line: str, codes: list[str]
) -> None:
    text = PADDED.format(model=model, padding=padding, line=line)
    assert found(text) == codes
    assert not found(text + "model.resize_token_embeddings(len(tokenizer))\n") or "TRP881" in codes


CLASSIFIER = """\
from transformers import AutoModelForSequenceClassification, Trainer, TrainingArguments
model = AutoModelForSequenceClassification.from_pretrained("{model}", num_labels=2)
args = TrainingArguments(output_dir="out"{options})
Trainer(model=model, args=args, train_dataset=rows{given}).train()
"""


@each(
    ("model", "options", "given", "target", "codes"),
    [
        ("gpt2", "", "", (), ["TRP883"]),
        ("Qwen/Qwen2.5-0.5B", "", "", (), ["TRP883"]),
        ("google-bert/bert-base-uncased", "", "", (), []),
        ("gpt2", ", per_device_train_batch_size=1", "", (), []),
        ("gpt2", ", per_device_train_batch_size=2", "", (), ["TRP883"]),
        ("gpt2", ", per_device_train_batch_size=size", "", (), []),
        ("gpt2", ", per_device_train_batch_size='two'", "", (), []),
        ("gpt2", ", **more", "", (), []),
        ("gpt2", "", ", processing_class=tokenizer", (), []),
        ("gpt2", "", ", tokenizer=tokenizer", ("transformers==4.46.1",), ["TRP883"]),
        ("gpt2", "", ", processing_class=tokenizer", ("transformers==4.57.1",), []),
    ],
)
def test_a_classifier_needs_padding(
    model: str, options: str, given: str, target: tuple[str, ...], codes: list[str]
) -> None:
    text = CLASSIFIER.format(model=model, options=options, given=given)
    assert found(text, *target) == codes
    assert not found(text + "model.config.pad_token_id = 0\n", *target)


PROMPTS = """\
from trl import GRPOConfig, GRPOTrainer
{before}
GRPOTrainer({model}, reward_funcs=reward, args=GRPOConfig(output_dir="out"), train_dataset=rows{more}).train()
"""


def prompted(model: str, before: str = "", more: str = "", trl: str = "0.16.1") -> list[str]:
    linter = Linter(target=[f"trl=={trl}"], settings=False, select=["TRP729"])
    text = PROMPTS.format(model=model, before=before, more=more)
    return [one.code for one in linter.lint(text, "train.py").diagnostics]


def test_prompts_of_a_model_without_a_token_for_padding() -> None:
    assert prompted('"gpt2"') == ["TRP729"]
    assert prompted('model="meta-llama/Llama-3.2-1B-Instruct"') == ["TRP729"]
    assert not prompted('"Qwen/Qwen2.5-0.5B"')
    assert not prompted('"gpt2"', trl="0.17.0")
    assert not prompted('"gpt2"', more=", processing_class=tokenizer")
    assert not prompted('"gpt2"', before="tokenizer.pad_token = tokenizer.eos_token")
    assert not prompted("model")


def test_each_call_is_looked_at() -> None:
    one = 'GRPOTrainer({}, reward_funcs=reward, args=GRPOConfig(output_dir="out"), train_dataset=rows)\n'
    for first in ("model", '"Qwen/Qwen2.5-0.5B"', '"gpt2", processing_class=tokenizer'):
        assert prompted('"gpt2"', before=one.format(first)) == ["TRP729"]
    text = CLASSIFIER.format(model="gpt2", options="", given="")
    for model, options, given in (
        ("google-bert/bert-base-uncased", "", ""),
        ("gpt2", ", per_device_train_batch_size=1", ""),
        ("gpt2", "", ", processing_class=tokenizer"),
    ):
        other = CLASSIFIER.format(model=model, options=options, given=given)
        assert found(other + text) == ["TRP883"]
    handed_on = CLASSIFIER.replace("Trainer(", "prepare(model)\nTrainer(")
    loaded = CLASSIFIER.replace("Trainer(model=model", "Trainer(model=loaded")
    named = CLASSIFIER.replace("num_labels=2", "config=config")
    for other in (handed_on, loaded, named):
        first = other.format(model="gpt2", options="", given="").replace("model", "other")
        assert found(first.replace("(other=", "(model=") + text) == ["TRP883"]
