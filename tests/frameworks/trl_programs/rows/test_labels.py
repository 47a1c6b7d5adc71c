"""Labels that a program makes of its rows."""

from __future__ import annotations

from cfglint import Linter
from tests.draws import each

CODES = ["TRP890", "TRP891", "TRP884", "TRP885", "TRP886", "TRP892"]


def found(text: str) -> list[str]:
    result = Linter(settings=False, select=CODES).lint(text, "train.py")
    return [one.code for one in result.diagnostics]


COPIED = """\
from transformers import AutoModelForCausalLM, AutoTokenizer, Trainer
import copy, transformers
tokenizer = AutoTokenizer.from_pretrained("acme/base")
model = AutoModelForCausalLM.from_pretrained("acme/base")
def encode(batch):
    out = tokenizer(batch["text"], padding={padding}, max_length=64)
    {labels}
    return out
Trainer(model=model, train_dataset=rows.map(encode){collator}).train()
"""


@each(
    ("labels", "codes"),
    [
        ('out["labels"] = out["input_ids"].copy()', ["TRP884"]),
        ('out["labels"] = out["input_ids"]', ["TRP884"]),
        ('out["labels"] = out.input_ids[:]', ["TRP884"]),
        ('out["labels"] = copy.deepcopy(out["input_ids"])', ["TRP884"]),
        ('out["labels"] = list(out["input_ids"])', ["TRP884"]),
        ('labels = out["input_ids"].copy()\n    out["labels"] = labels', ["TRP884"]),
        ('return {"input_ids": out["input_ids"], "labels": out["input_ids"]}', ["TRP884"]),
        ('out["labels"] = mask(out["input_ids"])', []),
        ('out["labels"] = batch["labels"]', []),
        ('out["labels"] = [-100 if i == 0 else i for i in out["input_ids"]]', []),
        # The name is something else by then.
        ('out = {k: v for k, v in out.items()}\n    out["labels"] = out["input_ids"]', []),
    ],
)
def test_padding_is_copied(labels: str, codes: list[str]) -> None:
    assert found(COPIED.format(padding='"max_length"', labels=labels, collator="")) == codes
    assert not found(COPIED.format(padding="False", labels=labels, collator=""))
    # A row that is tokenized alone is padded to its own length.
    alone = COPIED.format(padding="True", labels=labels, collator="")
    assert not found(alone)
    assert found(alone.replace("map(encode", "map(encode, batched=True")) == codes


@each(
    ("collator", "codes"),
    [
        ("transformers.default_data_collator", ["TRP884"]),
        ("transformers.DataCollatorForSeq2Seq(tokenizer)", ["TRP884"]),
        ("transformers.DataCollatorForLanguageModeling(tokenizer, mlm=False)", []),
        ("mine", []),
    ],
)
def test_what_makes_batches_may_make_labels(collator: str, codes: list[str]) -> None:
    labels = 'out["labels"] = out["input_ids"]'
    text = COPIED.format(
        padding='"max_length"', labels=labels, collator=f", data_collator={collator}"
    )
    assert found(text) == codes
    assert not found(text.replace("CausalLM", "Seq2SeqLM"))


@each(
    ("text", "codes"),
    [('batch["answer"]', ["TRP890"]), ('batch["text"]', [])],
)
def test_labels_are_of_the_same_text(text: str, codes: list[str]) -> None:
    labels = f'tokens = tokenizer({text}, padding=True)\n    out["labels"] = tokens["input_ids"]'
    assert found(COPIED.format(padding="True", labels=labels, collator="")) == codes


LEFT_OUT = """\
import numpy as np
from transformers import AutoTokenizer, Trainer
tokenizer = AutoTokenizer.from_pretrained("acme/base")
def encode(row):
    whole = tokenizer(row["text"], padding="max_length", truncation=True, max_length=512)
    asked = tokenizer(row["prompt"], {options})
    marked = np.array(whole["input_ids"])
    {cut}
    return {{**whole, "labels": marked}}
Trainer(model=model, train_dataset=rows.map(encode)).train()
"""
SAME = 'padding="max_length", truncation=True, max_length=512'


@each(
    ("options", "cut", "codes"),
    [
        (SAME, 'marked[:len(asked["input_ids"])] = -100', ["TRP885"]),
        (SAME, "n = len(asked.input_ids)\n    marked[:n] = -100", ["TRP885"]),
        (SAME, 'marked[len(asked["input_ids"]):] = -100', []),
        (SAME, 'marked[:len(asked["input_ids"])] = 0', []),
        (SAME + ', return_tensors="pt"', 'marked[:len(asked["input_ids"])] = -100', []),
        (SAME.replace("512", "256"), 'marked[:len(asked["input_ids"])] = -100', []),
        ("truncation=True, max_length=512", 'marked[:len(asked["input_ids"])] = -100', []),
    ],
)
def test_the_prompt_is_measured(options: str, cut: str, codes: list[str]) -> None:
    assert found(LEFT_OUT.format(options=options, cut=cut)) == codes


MASKED = """\
from transformers import AutoModelForCausalLM, DataCollatorForLanguageModeling, Trainer
model = AutoModelForCausalLM.from_pretrained("{model}")
collator = DataCollatorForLanguageModeling({given})
Trainer(model=model, train_dataset=rows, data_collator=collator).train()
"""


@each(
    ("model", "given", "codes"),
    [
        ("gpt2", "tokenizer", ["TRP886"]),
        ("Qwen/Qwen3-0.6B", "tokenizer=tokenizer, mlm=True", ["TRP886"]),
        ("gpt2", "tokenizer, mlm=False", []),
        ("gpt2", "tokenizer, False", []),
        ("gpt2", "tokenizer, mlm=masks", []),
        ("google-bert/bert-base-uncased", "tokenizer", []),
    ],
)
def test_words_are_masked(model: str, given: str, codes: list[str]) -> None:
    text = MASKED.format(model=model, given=given)
    assert found(text) == codes
    assert not found(text + 'tokenizer.mask_token = "x"\n')


ANSWERED = """\
from transformers import AutoModelForCausalLM, AutoTokenizer, Trainer
tokenizer = AutoTokenizer.from_pretrained("gpt2")
tokenizer.pad_token = tokenizer.eos_token
model = AutoModelForCausalLM.from_pretrained("gpt2")
rows = rows.map(lambda row: tokenizer({text}))
Trainer(model=model, train_dataset=rows, data_collator=collator).train()
"""


@each(
    ("text", "codes"),
    [
        ("f\"### Response: {row['a']}\"", ["TRP891"]),
        ("f\"[INST] {row['q']} [/INST] {row['a']}\"", ["TRP891"]),
        ("f\"Q: {row['q']}\\nAnswer: {row['a']}\"", ["TRP891"]),
        ("f\"### Response: {row['a']}{tokenizer.eos_token}\"", []),
        ("f\"### Response: {row['a']}</s>\"", []),
        ("f\"### Response: {row['a']}\" + tokenizer.eos_token", []),
        ("f\"{row['a']}\"", []),
        ("f\"The answer is {row['a']}\"", []),
    ],
)
def test_answers_have_an_end(text: str, codes: list[str]) -> None:
    assert found(ANSWERED.format(text=text)) == codes


ANEW = """\
from transformers import DataCollatorForLanguageModeling, Trainer
def encode(row):
    out = tokenizer(row["text"])
    ids = out["input_ids"]
    {labels}
    return out
collator = DataCollatorForLanguageModeling(tokenizer, mlm=False)
Trainer(model=model, train_dataset=rows.map(encode), data_collator=collator).train()
"""


@each(
    ("labels", "overwritten"),
    [
        ('out["labels"] = [-100] * 3 + ids[3:]', True),
        ('marked = [-100] * 3 + ids[3:]\n    out["labels"] = marked', True),
        ('marked = [-100] * 3 + ids[3:]\n    out["labels"] = marked.copy()', True),
        ('marked = ids.copy()\n    marked[:3] = [-100] * 3\n    out["labels"] = marked', True),
        ('marked = ids.copy()\n    out["labels"] = marked', False),
        # What is marked is another list.
        ('other = [-100] * 3\n    marked = ids.copy()\n    out["labels"] = marked', False),
        ('other[:3] = [-100] * 3\n    marked = ids.copy()\n    out["labels"] = marked', False),
        ('[ids][0][:3] = [-100] * 3\n    out["labels"] = [ids][0]', False),
    ],
)
def test_labels_that_the_collator_makes_anew(labels: str, overwritten: bool) -> None:
    text = ANEW.format(labels=labels)
    assert found(text) == (["TRP892"] if overwritten else [])
    assert not found(text.replace("mlm=False", "mlm=True"))


@each("name", ["collate", "AudioCollator"])
def test_labels_of_the_batches_of_another_trainer(name: str) -> None:
    head = f"class {name}:\n    def __call__(self, rows):\n        "
    if name == "collate":
        head = "def collate(rows):\n        "
    made = f'{head}batch = pad(rows)\n        batch["labels"] = batch["labels"].masked_fill(padded, -100)\n        return batch\n'
    assert found(made + ANEW.format(labels="pass")) == []
    row = made.replace(name, "Rows" if name == "AudioCollator" else "encode_all")
    assert found(row + ANEW.format(labels="pass")) == ["TRP892"]
