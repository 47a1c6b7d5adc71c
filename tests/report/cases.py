"""The runs whose whole output is stored, in every format."""

from __future__ import annotations

from collections.abc import Callable

from cfglint.diagnostic import Edit, Fix, SeverityName
from cfglint.engine.runner import AppliedFix
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
                fixed=(AppliedFix("AAA001", "Write 2"), AppliedFix("AAA002", "Write 2")),
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


CASES: dict[str, Callable[[], RunReport]] = {
    case.__name__: case for case in (mixed, wide, long, edges, several, nothing, skipped, clean)
}
