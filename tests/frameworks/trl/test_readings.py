"""What follows from one of TRL's files, or from a command of TRL."""

from __future__ import annotations

from typing import Any

from cfglint.base.logic import UNKNOWN
from cfglint.frameworks.for_files import for_document
from cfglint.frameworks.trl.fit.planner import TrlPlanner
from cfglint.knowledge.rules.views import View
from cfglint.roles.parts import Asked
from tests.draws import each
from tests.linting import case_in

CONFIG = (
    "model_name_or_path: Qwen/Qwen3-8B\ndataset_name: a/b\noutput_dir: out\nlearning_rate: 1.0e-5\n"
)
#: A key of the alignment-handbook, whose programs read it.
HANDBOOK = f"{CONFIG}dataset_mixer: {{a/b: 1.0}}\ndataset_splits: [train]\n"
COMMAND = "trl {} --model_name_or_path Qwen/Qwen3-8B --dataset_name a/b --output_dir out"


def read(text: str, name: str = "train.yaml", **files: str) -> tuple[Any, Any, Any]:
    every = {".git/HEAD": "", "ds.json": "{}", **{n.replace("_", "."): t for n, t in files.items()}}
    case, source = case_in(every, f"{text}\n", name=name, framework="trl", target=("trl==1.0.0",))
    language = case.framework.parsing.language_for(source.text, case.target, case.around)
    document = language.read(source)
    return for_document(case.framework, document, case.around).readings, document, case


@each(
    ("text", "name", "run", "command", "extended"),
    [
        (COMMAND.format("sft"), "run.sh", "", "sft", False),
        (COMMAND.format("dpo"), "run.sh", "", "dpo", False),
        (CONFIG, "train.yaml", "trl sft --config train.yaml\n", "sft", False),
        (CONFIG, "train.yaml", "", UNKNOWN, False),
        (HANDBOOK, "train.yaml", "", UNKNOWN, True),
    ],
)
def test_derived_values(text: str, name: str, run: str, command: Any, extended: bool) -> None:
    readings, document, case = read(text, name, **({"other_sh": run} if run else {}))
    asked, view = Asked(case.target, case.around), View(document)

    def derived(one: str) -> Any:
        return readings.derived(one, view, asked, assume=False)

    assert derived("command") == command
    assert derived("extended") is extended
    assert derived("patched") is False
    assert [derived(one) for one in ("call", "adapter", "trainer", "processes")] == [None] * 4


@each(
    ("text", "name", "planned"),
    [
        (CONFIG, "train.yaml", True),
        (HANDBOOK, "train.yaml", True),
        (COMMAND.format("sft"), "run.sh", True),
        (COMMAND.format("vllm-serve"), "run.sh", False),
    ],
)
def test_planners(text: str, name: str, planned: bool) -> None:
    readings, document, case = read(text, name)
    planner = readings.planner(document, case.target, case.around)
    assert isinstance(planner, TrlPlanner) is planned


@each(
    ("text", "name", "expected"),
    [
        (CONFIG, "train.yaml", []),
        (f"{CONFIG}deepspeed: ds.json", "train.yaml", [("deepspeed", "ds.json")]),
        (COMMAND.format("sft"), "run.sh", []),
        (f"{COMMAND.format('sft')} --deepspeed ds.json", "run.sh", [("deepspeed", "ds.json")]),
        (f"{COMMAND.format('sft')}\n{COMMAND.format('dpo')}", "run.sh", [("trl", "")]),
    ],
)
def test_files_and_commands_that_go_with_it(
    text: str, name: str, expected: list[tuple[str, str]]
) -> None:
    readings, document, case = read(text, name)
    assert [
        (one.framework, (one.path or "").rpartition("/")[2])
        for one in readings.references(document, case.around)
    ] == expected
