"""A model and its optimizer that go to `Accelerator.prepare` apart, in a program that asks for FSDP2 itself."""

from __future__ import annotations

from cfglint import Linter
from tests.draws import each

PROGRAM = """\
from accelerate import Accelerator, FullyShardedDataParallelPlugin

plugin = FullyShardedDataParallelPlugin(fsdp_version=2)
accelerator = Accelerator(fsdp_plugin=plugin)
model = accelerator.prepare(model)
optimizer, loader = accelerator.prepare(optimizer, loader)
"""
MODEL = "model = accelerator.prepare(model)"


def found(text: str) -> list[int]:
    shown = Linter(settings=False, select=["TRP830"]).lint(text, "train.py").diagnostics
    return [one.start.line for one in shown]


@each(
    ("old", "new", "lines"),
    [
        ("", "", [5]),
        ("fsdp_version=2", "fsdp_version=1", []),
        ("fsdp_version=2", "", []),
        (MODEL, "if apart:\n    model = accelerator.prepare(model)", []),
        (MODEL, "model = accelerator.prepare(build())", []),
        (MODEL, "loader = accelerator.prepare(loader)", []),
        (MODEL, "model, optimizer = accelerator.prepare(model, optimizer)", []),
        ("accelerator = Accelerator(", "accelerator = Accelerator(**more, ", []),
        ("prepare(optimizer, loader)", "prepare(*parts)", []),
        ("fsdp_version=2)", "fsdp_version=2) if sharded else None", []),
        ("Accelerator(fsdp_plugin=plugin)", "Accelerator()", []),
        (MODEL, f"if both:\n    accelerator.prepare(model, optimizer)\n{MODEL}", []),
    ],
)
def test_calls(old: str, new: str, lines: list[int]) -> None:
    assert found(PROGRAM.replace(old, new) if old else PROGRAM) == lines
