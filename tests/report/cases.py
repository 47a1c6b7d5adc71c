"""The runs whose whole output is stored, in every format."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cfglint.diagnostic import Edit, Fix, SeverityName
from cfglint.engine.file_report import AppliedFix
from cfglint.report.run import RunReport
from cfglint.source.text import SourceText, Span
from tests.report.building import at, finding, related, report, swap, target

_MIXED = """\
base_model: a/b  # the model
datasets:
  - path: data.jsonl
    type: alpaca
val_set_size: 0.05
sample_packing: true
eval_sample_packing: true
lora_modules:
  - q_proj
  - k_proj

learning_rate: 1e-5
"""


def mixed() -> RunReport:
    """Findings of every kind in one file."""
    text = _MIXED
    pair = Fix(
        "Move both",
        "unsafe",
        (
            Edit(*at(text, "base_model: a/b"), "base_model: c/d"),
            Edit(*at(text, "learning_rate: 1e-5"), "learning_rate: 0.00001"),
        ),
        (),
    )
    refused = Fix("Delete the list", "safe", (), (), refused="an anchor is on it")
    return RunReport(
        [
            report(
                "configs/train.yml",
                text,
                finding(
                    "PAK001",
                    at(text, "eval_sample_packing: true"),
                    name="packed-eval-deadlock",
                    bites="evaluation",
                    related=(
                        related(text, "val_set_size: 0.05", "evaluation runs because of this"),
                        related(text, "base_model", "with this model"),
                    ),
                    fixes=(swap(text, "g: true\nlora", "g: false\nlora"),),
                ),
                finding(
                    "PAK002",
                    at(text, "sample_packing: true"),
                    severity="warning",
                    undecided=True,
                    needs=("--target axolotl==VERSION", "--gpus N"),
                    message="On some builds, with more than one GPU, this may hang.",
                    bites="evaluation",
                    upstream="warns",
                ),
                finding(
                    "KEY001",
                    at(text, "lora_modules:\n  - q_proj\n  - k_proj"),
                    name="unknown-key",
                    fixes=(refused,),
                    bites="silent",
                    message="No release has a key `lora_modules` at the top level. " * 3,
                ),
                finding(
                    "OPT001", at(text, "1e-5"), severity="warning", fixes=(pair,), bites="start"
                ),
                finding(
                    "YML021",
                    at(text, "1e-5"),
                    severity="note",
                    name="number-as-string",
                    fixes=(swap(text, "1e-5", "1.0e-5"),),
                    message="It is text.",
                ),
                undecided={"gpus": 3, "torch": 1},
                suppressed=2,
            )
        ],
        [],
    )


def wide() -> RunReport:
    """Characters that take two columns or none; tabs."""
    text = (
        "数据集: 训练/数据.jsonl  # 注释\n"
        'wandb_name: "🚀 rocket 👩‍👩‍👧 family" # emoji\n'
        "e\u0301te\u0301: café  # combining\n"
        'tabbed: "a\tb"\t# tab\n'
    )
    return RunReport(
        [
            report(
                "配置/训练 🚀.yml",
                text,
                finding(
                    "AAA001", at(text, "训练/数据.jsonl"), message="`训练/数据.jsonl` 不存在。"
                ),
                finding(
                    "AAA002",
                    at(text, "family"),
                    related=(related(text, "🚀", "火箭"),),
                    fixes=(swap(text, "family", "家族"),),
                ),
                finding("AAA003", at(text, "café")),
                finding("AAA004", at(text, "\tb"), related=(related(text, "# tab", "a tab"),)),
            )
        ],
        [],
    )


def long() -> RunReport:
    """Lines, words and fixes that do not fit."""
    text = (
        "first: "
        + "x" * 130
        + " END # comment\n"
        + "second: "
        + "字" * 80
        + "\n"
        + "".join(f"key_{number}: {number}\n" for number in range(12))
    )
    many = "".join(f"key_{number}: {number}\n" for number in range(12))
    return RunReport(
        [
            report(
                "a/" * 60 + "train.yml",
                text,
                finding("AAA001", at(text, "END"), related=(related(text, "first", "here"),)),
                finding("AAA002", at(text, "字" * 80), message="word" * 40),
                finding(
                    "AAA003",
                    at(text, many),
                    message="It goes on and on. " * 12,
                    cost="and it costs " * 12,
                    related=(related(text, "second", "a note that is long " * 8),),
                    fixes=(swap(text, many, many.replace("key", "name"), title="Rename all"),),
                ),
            )
        ],
        [],
    )


def edges() -> RunReport:
    """First line, last line, no line at all; line ends of every kind."""
    lf = "a: 1\nb: 2\nlast: 3"
    crlf = "a: 1\r\nb: two\r\nlast: 3\r\n"
    mac = "a: 1\rb: 2\r"
    return RunReport(
        [
            report(
                "no-final-newline.yml",
                lf,
                finding("AAA001", at(lf, "a"), fixes=(swap(lf, "a: 1\n", ""),)),
                finding("AAA002", Span(0, 0), path=()),
                finding("AAA003", at(lf, "3"), fixes=(swap(lf, "last: 3", "last: 4\nnew: 5"),)),
                finding("AAA004", Span(len(lf), len(lf)), severity="warning", path=()),
            ),
            report(
                "windows.yml",
                crlf,
                finding("AAA001", at(crlf, "a: 1"), related=(related(crlf, "last", "see here"),)),
                finding("AAA002", at(crlf, "two\r\nlast: 3")),
                finding("AAA003", Span(len(crlf), len(crlf)), path=()),
                bom=True,
            ),
            report("mac.yml", mac, finding("AAA001", at(mac, "b: 2"))),
            report("empty.yml", "", finding("YML007", Span(0, 0), path=(), upstream="rejects")),
            report("newline.yml", "\n", finding("AAA001", Span(0, 0), path=())),
        ],
        [],
    )


_SEVERITIES: tuple[SeverityName, ...] = ("warning", "note", "warning", "error", "note")


def several() -> RunReport:
    """Several files, after fixing."""
    before, after = "a: 1\nb: 2\n", "a: 2\nb: 2\n"
    return RunReport(
        [
            report("clean.yml", "a: 1\n", target=target("axolotl==0.18.0", gpus=8, gpu="h100")),
            report(
                "fixed.yml",
                after,
                fixed=(AppliedFix("AAA001", "Write 2", 1), AppliedFix("AAA002", "Write 2", 1)),
                rejected=(("AAA003", "a comment would be lost"),),
                fixed_source=SourceText(after),
                original=SourceText(before),
            ),
            report(
                "locked.yml",
                before,
                finding("AAA001", at(before, "1"), fixes=(swap(before, "1", "2"),)),
                not_written="The file is write-protected.",
                target=target("axolotl==0.4.1", "torch==2.4.0"),
                suppressed=1,
            ),
            *(
                report(f"more-{number}.yml", before, finding("AAA002", at(before, "b"), severity=s))
                for number, s in enumerate(_SEVERITIES)
            ),
            *(
                report(f"full-{number}.yml", before, finding("AAA002", at(before, "b: 2")))
                for number in range(6)
            ),
        ],
        ["notes.yml"],
        unsafe_fixes=True,
    )


def nothing() -> RunReport:
    """No file at all."""
    return RunReport([], [])


def skipped() -> RunReport:
    """One file that is none of ours."""
    return RunReport([], ["compose.yml"])


def clean() -> RunReport:
    """Nothing to say."""
    return RunReport([report("a.yml", "a: 1\n"), report("b.yml", "b: 1\n")], [])


_GROUPED = """\
base_model: a/b
lora_r: many
lora_alpha: twice
optim: adamw_torch
learning_rate: 1e-5
adam_epsilon: 1e-8
sample_packing: true
rl: orpo
image: nvidia/cuda
task: train
runpod: true
pod_name: p
volume: v
region: eu
queue: q
disk: 100
weight_decay: 1e-2
"""


def grouped() -> RunReport:
    """Rules that fire several times, notes, what holds on other releases: written in disorder."""
    text = _GROUPED
    tool = ("task", "runpod", "pod_name", "volume", "region", "queue", "disk")
    drops = "Axolotl silently ignores it"
    elsewhere: dict[str, Any] = {
        "severity": "note",
        "own_severity": "error",
        "undecided": True,
        "other_releases": True,
    }
    return RunReport(
        [
            report(
                "train.yml",
                text,
                finding(
                    "RLH001",
                    at(text, "rl: orpo"),
                    name="reference-free-logits-gather-hang",
                    message="Axolotl 0.7.0 and 0.7.1 hang at the first step of `rl: orpo`. With TRL.",
                    needs=("--target axolotl==VERSION",),
                    **elsewhere,
                ),
                finding(
                    "PAK001",
                    at(text, "sample_packing: true"),
                    name="packed-eval-deadlock",
                    message="Source builds of autumn 2024 hang in packed evaluation. Others do not.",
                    **elsewhere,
                ),
                finding(
                    "KEY001",
                    at(text, "image"),
                    severity="warning",
                    name="unknown-key",
                    bites="silent",
                    message=f"No release of Axolotl has a key `image` at the top level; {drops}.",
                    cost="the setting has no effect",
                    related=tuple(related(text, f"{key}:", "the same here") for key in tool),
                ),
                *(
                    finding(
                        "TYP001",
                        at(text, value),
                        name="wrong-type",
                        upstream="rejects",
                        bites="start",
                        message=f"`{key}` expects a number but got the text '{value}'.",
                        cost="the run does not start",
                    )
                    for key, value in (("lora_r", "many"), ("lora_alpha", "twice"))
                ),
                finding(
                    "KEY002",
                    at(text, "optim"),
                    severity="warning",
                    name="foreign-key",
                    bites="silent",
                    fixes=(swap(text, "optim:", "optimizer:", title="Use optimizer"),),
                    message=f"`optim` is a key of transformers; {drops}.",
                    cost="the setting has no effect",
                ),
                *(
                    finding(
                        "YML021",
                        at(text, value),
                        severity="note",
                        name="number-as-string",
                        message=f"{value} is text to YAML 1.1, but Axolotl turns it into a number.",
                        fixes=(swap(text, value, value.replace("e", ".0e")),),
                    )
                    for value in ("1e-5", "1e-8", "1e-2")
                ),
                finding(
                    "DAT203",
                    at(text, "sample_packing"),
                    severity="note",
                    name="older-name",
                    message="`sample_packing` has had another name since 0.13.0, e.g. `packing`. Both work.",
                    fixes=(swap(text, "sample_packing", "packing", title="Use the new name"),),
                ),
            )
        ],
        [],
    )


CASES: dict[str, Callable[[], RunReport]] = {
    case.__name__: case
    for case in (mixed, grouped, wide, long, edges, several, nothing, skipped, clean)
}
