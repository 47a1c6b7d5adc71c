"""Loops around an `Accelerator` that a program writes itself."""

from __future__ import annotations

from cfglint import Linter
from tests.draws import each

CODES = ["TRP860", "TRP861", "TRP862", "TRP863", "TRP864", "TRP865"]
PROGRAM = """\
from accelerate import Accelerator
from torch.nn.utils import clip_grad_norm_

accelerator = Accelerator(gradient_accumulation_steps=4)
model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
for step, batch in enumerate(loader):
    with accelerator.accumulate(model):
        loss = model(**batch).loss
        accelerator.backward(loss)
        optimizer.step()
        optimizer.zero_grad()
if accelerator.is_main_process:
    print("done")
"""
BACKWARD = "accelerator.backward(loss)"
STEPS = "gradient_accumulation_steps"


def found(text: str) -> list[str]:
    linter = Linter(settings=False, select=CODES)
    shown = linter.lint(text, "train.py").diagnostics
    return [f"{one.code} {one.severity} {one.start.line}" for one in shown]


@each(
    ("old", "new", "findings"),
    [
        ("", "", []),
        ("loss = m", "optimizer.zero_grad()\n        loss = m", []),
        (f"{BACKWARD}\n", f"{BACKWARD} / {STEPS}\n", []),
        (f"{BACKWARD}\n", f"accelerator.backward(loss / {STEPS})\n", ["TRP861 warning 9"]),
        (f"{BACKWARD}\n", f"loss /= {STEPS}\n        {BACKWARD}\n", ["TRP861 warning 9"]),
        (f"{BACKWARD}\n", f"loss = loss / {STEPS}\n        {BACKWARD}\n", ["TRP861 warning 9"]),
        (f"{BACKWARD}\n", f"loss = loss / 4\n        {BACKWARD}\n", []),
        ("print(", "accelerator.gather(loss)  # ", ["TRP862 warning 13"]),
        ("print(", "accelerator.get_state_dict(model)  # ", []),
        ("print(", "accelerator.get_state_dict(model)  # fsdp", ["TRP862 warning 13"]),
        ('"done")', '"done")\nelse:\n    accelerator.wait_for_everyone()', ["TRP862 warning 15"]),
        ('print("done")', "accelerator.reduce(loss)\nelse:\n    accelerator.reduce(loss)", []),
        ('print("done")', "accelerator.reduce(loss)\n    raise SystemExit", []),
        (f"({STEPS}=4)", '(mixed_precision="fp16")', []),
        ("with accelerator.accumulate(model)", "if batch", ["TRP865 warning 4"]),
        ("with accelerator.accumulate(model)", "if step % 4 == 0", []),
    ],
)
def test_a_loop(old: str, new: str, findings: list[str]) -> None:
    assert found(PROGRAM.replace(old, new, 1) if old else PROGRAM) == findings


EARLY = PROGRAM.replace("        optimizer.zero_grad()\n", "").replace(
    "        loss = m", "        optimizer.zero_grad()\n        loss = m"
)


@each(
    ("steps", "findings"),
    [
        (f"{STEPS}=4", ["TRP860 warning 8"]),
        (f"{STEPS}=args.steps", ["TRP860 warning 8"]),
        (f"{STEPS}=1", []),
        ("", []),
        ("**options", []),
    ],
)
def test_gradients_that_are_cleared_early(steps: str, findings: list[str]) -> None:
    assert found(EARLY.replace(f"{STEPS}=4", steps)) == findings


SCALED = PROGRAM.replace(f"{STEPS}=4", 'mixed_precision="fp16"')


@each(
    ("old", "new", "findings"),
    [
        (BACKWARD, "loss.backward()", ["TRP863 warning 9"]),
        (BACKWARD, "scaler.scale(loss).backward()", []),
        # An optimizer that is not prepared asks no scaler.
        (BACKWARD, "loss.backward()\n        other.step()", ["TRP863 warning 9"]),
        (BACKWARD, f"{BACKWARD}\n        clip_grad_norm_(model, 1.0)", ["TRP864 warning 10"]),
        (BACKWARD, f"{BACKWARD}\n        accelerator.clip_grad_norm_(model, 1.0)", []),
        ('"fp16"', "precision", []),
    ],
)
def test_half_precision(old: str, new: str, findings: list[str]) -> None:
    assert found(SCALED.replace(old, new, 1)) == findings


SHARDED = """\
import torch
from accelerate import Accelerator, FullyShardedDataParallelPlugin
from transformers import AutoModelForCausalLM

accelerator = Accelerator(fsdp_plugin=FullyShardedDataParallelPlugin())
model = AutoModelForCausalLM.from_pretrained("gpt2", torch_dtype=torch.bfloat16)
model = accelerator.prepare(model)
"""


@each(
    ("release", "old", "new", "lines"),
    [
        ("0.24.1", "", "", [6]),
        ("0.30.0", "", "", []),
        ("0.24.1", "torch.bfloat16", "dtype", []),
        ("0.24.1", "import torch", "import peft, torch", []),
        ("0.24.1", "fsdp_plugin=FullyShardedDataParallelPlugin()", "", []),
    ],
)
def test_weights_under_fsdp(release: str, old: str, new: str, lines: list[int]) -> None:
    linter = Linter(target=[f"accelerate=={release}"], settings=False, select=["TRP866"])
    text = SHARDED.replace(old, new) if old else SHARDED
    assert [one.start.line for one in linter.lint(text, "train.py").diagnostics] == lines
