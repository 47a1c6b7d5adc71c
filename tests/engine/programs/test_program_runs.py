"""What the calls of a program show together: where it is reported, and what is repaired."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint import Linter
from cfglint.diagnostic import Diagnostic
from cfglint.fixes.applying import apply_edits
from tests.cli.running import run

HEAD = (
    "from peft import LoraConfig, get_peft_model\n"
    "from transformers import AutoModelForCausalLM, Trainer, TrainingArguments\nfrom trl import SFTConfig, SFTTrainer\n"
)
ADAPTED = (
    "m = AutoModelForCausalLM.from_pretrained('a/b')\nm = get_peft_model(m, LoraConfig(r=8))\n"
)
TARGET = ("trl==0.24.0", "transformers==4.57.1")


def findings(body: str, *target: str) -> list[Diagnostic]:
    report = Linter(target=target or TARGET, settings=False).lint(HEAD + body, "train.py")
    return list(report.diagnostics)


def test_a_finding_is_where_its_keyword_is() -> None:
    body = "c = SFTConfig('o', eval_strategy='steps')\nSFTTrainer(model=m, args=c)\n"
    (found,) = findings(body)
    assert (found.code, found.path) == ("TRT002", ("SFTConfig", "eval_strategy"))
    assert found.start is not None
    assert found.start.line == 4


def test_a_finding_about_the_trainer_is_in_its_call() -> None:
    body = f"{ADAPTED}SFTTrainer(model=m, args=SFTConfig('o'), peft_config=LoraConfig(r=4))\n"
    (found,) = findings(body, "trl==1.9.0")
    assert (found.code, found.path) == ("TRT004", ("SFTTrainer", "peft_config"))


def test_what_one_call_shows_is_said_once() -> None:
    body = "c = SFTConfig('o', warmup_steps=-5)\nSFTTrainer(model='a/b', args=c)\n"
    assert [found.code for found in findings(body)] == ["TRL040"]


def test_names_of_keys_are_not_judged_together() -> None:
    body = f"{ADAPTED}SFTTrainer(model=m, args=SFTConfig('o', max_length=4))\n"
    assert findings(body) == []


def test_the_config_is_repaired_where_it_is_written() -> None:
    body = f"{ADAPTED}c = TrainingArguments('o', gradient_checkpointing=True)\nTrainer(model=m, args=c)\n"
    (found,) = findings(body)
    (fix,) = found.fixes
    fixed = apply_edits(HEAD + body, list(fix.edits))
    assert (
        "'o', gradient_checkpointing=True, gradient_checkpointing_kwargs={\"use_reentrant\": False})"
        in fixed
    )


def test_a_comment_silences_a_finding_of_the_run() -> None:
    body = "c = SFTConfig('o', eval_strategy='steps')  # cfglint: ignore[TRT002]\nSFTTrainer(model=m, args=c)\n"
    assert findings(body) == []


def test_the_page_shows_a_real_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = Path(__file__).resolve().parents[3] / "docs" / "python-programs.md"
    text = page.read_text(encoding="utf-8")
    name = "train_quantized.py"
    begin = text.index(f"```python\n# {name}") + len("```python\n")
    monkeypatch.chdir(tmp_path)
    Path(name).write_text(text[begin:].partition("```")[0], encoding="utf-8")
    command, _, shown = (
        text[begin:].partition("```console\n$ cfglint ")[2].partition("```")[0].partition("\n")
    )
    assert run(*command.split()).out == shown
