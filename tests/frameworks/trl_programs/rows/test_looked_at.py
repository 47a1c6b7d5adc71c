"""A tokenizer that a function of another module gets."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint import lint_file

PROGRAM = """\
from transformers import AutoModelForCausalLM, AutoTokenizer, DataCollatorForLanguageModeling, Trainer
from tools.lengths import measure

tokenizer = AutoTokenizer.from_pretrained("acme/base")
tokenizer.pad_token = tokenizer.eos_token
model = AutoModelForCausalLM.from_pretrained("acme/base")
rows = rows.map(lambda row: tokenizer(row["text"] + tokenizer.eos_token))
print({call})
collator = DataCollatorForLanguageModeling(tokenizer, mlm=False)
Trainer(model=model, train_dataset=rows, data_collator=collator).train()
"""


@pytest.mark.parametrize(
    ("call", "module", "is_found"),
    [
        ("measure(tokenizer, rows)", "def measure(t, rows): return [t(r, x=t.pad_token) for r in rows]", True),
        ("measure(rows, t=tokenizer)", "def measure(rows, t): return t.encode(rows)", True),
        ("measure(tokenizer)", "def measure(t): t.pad_token = '[PAD]'", False),
        ("measure(tokenizer)", "def measure(t): t.add_special_tokens({})", False),
        ("measure(tokenizer)", "def measure(t): prepare(t)", False),
        ("measure(tokenizer)", "def measure(t):\\n  u = t\\n  u.pad_token = '[PAD]'", False),
        ("measure(tokenizer)", "def measure(*all): return len(all)", False),
        ("measure(*rows, tokenizer)", "def measure(a, t): return t(a)", False),
        ("measure(tokenizer)", "def other(t): return t", False),
        ("measure(tokenizer)", "def measure(t", False),
    ],
)  # fmt: skip
def test_functions(
    call: str, module: str, *, is_found: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(".git").mkdir()
    Path("tools").mkdir()
    Path("tools/lengths.py").write_text(module.replace("\\n", "\n") + "\n")
    Path("train.py").write_text(PROGRAM.format(call=call))
    found = [one.code for one in lint_file("train.py").diagnostics]
    assert ("TRP880" in found) is is_found
