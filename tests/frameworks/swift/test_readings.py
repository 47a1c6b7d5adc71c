"""What follows from a script of ms-swift's."""

from __future__ import annotations

from typing import Any

from cfglint.base.logic import UNKNOWN
from cfglint.frameworks.for_files import for_document
from cfglint.knowledge.rules.views import View
from cfglint.roles.parts import Asked
from tests.draws import each
from tests.linting import case_in

SFT = "swift sft --model Qwen/Qwen3-8B --dataset d.jsonl"


def script(text: str) -> tuple[Any, Any, Asked]:
    files = {"ds.json": "{}", ".git/HEAD": ""}
    case, source = case_in(files, f"{text}\n", name="run.sh", framework="swift")
    language = case.framework.parsing.language_for(source.text, case.target, case.around)
    document = language.read(source)
    readings = for_document(case.framework, document, case.around).readings
    return readings, document, Asked(case.target, case.around)


@each(
    ("text", "command", "one", "processes"),
    [
        (SFT, "sft", True, UNKNOWN),
        ("swift rlhf --model a/b --dataset d --rlhf_type dpo", "rlhf", True, UNKNOWN),
        (f"NPROC_PER_NODE=4 {SFT}", "sft", UNKNOWN, 4),
        (f"NNODES=2 NPROC_PER_NODE=4 {SFT}", "sft", UNKNOWN, 8),
        (f"export NPROC_PER_NODE=4\n{SFT}", "sft", UNKNOWN, 4),
        (f"NPROC_PER_NODE=$N {SFT}", "sft", UNKNOWN, UNKNOWN),
        # How many machines there are, only the run knows.
        (f"echo $NNODES\nNPROC_PER_NODE=4 {SFT}", "sft", UNKNOWN, UNKNOWN),
        (f"# torchrun\n{SFT}", "sft", UNKNOWN, UNKNOWN),
    ],
)
def test_derived_values(text: str, command: str, one: Any, processes: Any) -> None:
    readings, document, asked = script(text)
    view = View(document)
    for name, expected in (("command", command), ("one_process", one), ("processes", processes)):
        found = readings.derived(name, view, asked, assume=False)
        assert found is expected or found == expected, name


@each(
    ("text", "expected"),
    [
        (SFT, []),
        (f"{SFT} --deepspeed ds.json", [("deepspeed", ("deepspeed",), "/project/ds.json")]),
        (f"{SFT} --deepspeed zero3", []),
    ],
)
def test_files_that_go_with_it(text: str, expected: list[Any]) -> None:
    readings, document, asked = script(text)
    found = [
        (one.framework, one.at, one.path) for one in readings.references(document, asked.around)
    ]
    assert found == expected
    assert readings.reading(asked.environment) is None
