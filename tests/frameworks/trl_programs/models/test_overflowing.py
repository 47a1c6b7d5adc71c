"""Large models of T5 that a program trains in FP16."""

from __future__ import annotations

from cfglint import Linter
from tests.draws import each

PROGRAM = """\
from transformers import AutoModelForSeq2SeqLM, Seq2SeqTrainer, Seq2SeqTrainingArguments
NAME = "{name}"
model = AutoModelForSeq2SeqLM.from_pretrained(NAME)
args = Seq2SeqTrainingArguments(output_dir="out", fp16={fp16})
Seq2SeqTrainer(model=model, args=args, train_dataset=rows).train()
"""


@each(
    ("name", "fp16", "found"),
    [
        ("t5-large", "True", True),
        ("google-t5/t5-3b", "True", True),
        ("google/flan-t5-xl", "True", True),
        ("google/mt5-small", "True", True),
        ("t5-large", "False", False),
        ("t5-large", "torch.cuda.is_available()", False),
        ("t5-base", "True", False),
        ("google/flan-t5-base", "True", False),
        ("mine/flan-t5-xl-fp16", "True", False),
    ],
)
def test_only_what_overflows(name: str, fp16: str, found: bool) -> None:
    linter = Linter(settings=False, select=["TRP840"])
    report = linter.lint(PROGRAM.format(name=name, fp16=fp16), "train.py")
    assert [one.start.line for one in report.diagnostics] == ([4] if found else [])
