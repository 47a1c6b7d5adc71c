"""Which programs the checks are tried on, by their words alone."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from cfglint.frameworks.trl_programs.checks import CHECKS
from tests.draws import each


def is_tried(check: str, text: str, *, in_scripts: bool = False) -> bool:
    context: Any = SimpleNamespace(
        document=SimpleNamespace(text=text), framework=SimpleNamespace(in_scripts=in_scripts)
    )
    file = CHECKS[check].file
    return file is None or file(context)


@each(
    ("check", "text", "expected"),
    [
        ("field-of-two-classes", "HfArgumentParser(A)", True),
        ("field-of-two-classes", "TrlParser(A)", True),
        ("field-of-two-classes", "ArgumentParser()", False),
        ("dtype-of-later-release", "AutoModel.from_pretrained(a, dtype=b)", True),
        ("dtype-of-later-release", "AutoModel.from_pretrained(a, torch_kind=b)", False),
        ("dtype-of-later-release", "load(a, dtype=b)", False),
        ("assigned-too-late", "args.deepspeed = x", True),
        ("assigned-too-late", "args.fsdp = x", True),
        ("assigned-too-late", "deepspeed = x", False),
        ("program-and-launch-differ", "gradient_accumulation_steps=2", True),
        ("program-and-launch-differ", "max_grad_norm=2", True),
        ("program-and-launch-differ", "gradient_norm=2", False),
        ("program-of-other-strategy", "deepspeed=x", True),
        ("program-of-other-strategy", "fsdp=x", False),
        ("imported-but-not-listed", "import trl", True),
        ("imported-but-not-listed", "from peft import x", True),
        ("imported-but-not-listed", "import torch", False),
        ("no-padding-token", "AutoTokenizer.from_pretrained(a)(b, padding=True)", True),
        ("no-padding-token", "tokenizer.from_pretrained(a, DataCollator)", True),
        ("no-padding-token", "AutoTokenizer.from_pretrained(a)", False),
        ("no-padding-token", "padding = DataCollator()", False),
        ("trainer-in-one-process", "if rank == 0: Trainer()", True),
        ("trainer-in-one-process", "if is_main_process: Trainer()", True),
        ("trainer-in-one-process", "Trainer()", False),
        ("every-label-left-out", "max_length input_ids -100", True),
        ("every-label-left-out", "max_length input_ids", False),
    ],
)
def test_the_words_of_a_check(check: str, text: str, expected: bool) -> None:
    assert is_tried(check, text) is expected


#: What a script may be checked for as well as a program.
IN_SCRIPTS = {"missing-program", "program-of-other-strategy"}


def test_scripts_have_few_of_the_checks() -> None:
    """With every word in it, a script is still no program."""
    words = (
        "import trl deepspeed .deepspeed AutoModel from_pretrained dtype= HfArgumentParser"
        " gradient_accumulation_steps missing"
    )
    with_words = [name for name in CHECKS if CHECKS[name].module.startswith("cfglint.frameworks.")]
    tried = {
        name
        for name in with_words
        if CHECKS[name].file is not None and is_tried(name, words, in_scripts=True)
    }
    assert tried == {"program-of-other-strategy"}
    assert is_tried("missing-program", words, in_scripts=True)
    assert not is_tried("missing-program", words)
