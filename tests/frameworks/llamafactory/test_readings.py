"""What follows from one of LLaMA-Factory's files."""

from __future__ import annotations

from typing import Any

from cfglint.frameworks.for_files import for_document
from cfglint.frameworks.llamafactory.fit.planner import LLaMAFactoryPlanner
from cfglint.frameworks.llamafactory.reading import LLaMAFactoryReading, V1Reading
from tests.draws import each
from tests.linting import case_in

CONFIG = (
    "model_name_or_path: a/b\nstage: sft\ntemplate: qwen\nfinetuning_type: lora\ndataset: own\n"
)
LIST = '{"own": {"file_name": "own.json"}}'
V1 = "model: a/b\ntrain_dataset: data/x.yaml\ntemplate: qwen3_nothink\ndist_config: {name: fsdp2}\n"
FILES = {".git/HEAD": "", "ds.json": "{}", "data/dataset_info.json": LIST}


def readings(text: str, name: str = "train.yaml") -> tuple[Any, Any, Any]:
    case, source = case_in(
        FILES, text, name=name, framework="llamafactory", target=("llamafactory==0.9.4",)
    )
    language = case.framework.parsing.language_for(source.text, case.target, case.around)
    document = language.read(source)
    return for_document(case.framework, document, case.around).readings, document, case


@each(
    ("text", "name", "reading", "planned"),
    [
        (CONFIG, "train.yaml", LLaMAFactoryReading, True),
        (V1, "train.yaml", V1Reading, False),
        (LIST, "data/dataset_info.json", None, False),
        (
            "llamafactory-cli train --model_name_or_path a/b --stage sft",
            "run.sh",
            LLaMAFactoryReading,
            True,
        ),
    ],
)
def test_readers_and_planners(text: str, name: str, reading: Any, planned: bool) -> None:
    found, document, case = readings(f"{text}\n", name)
    made = found.reading(case.target)
    assert (type(made) if made is not None else None) is reading
    planner = found.planner(document, case.target, case.around)
    assert isinstance(planner, LLaMAFactoryPlanner) is planned


@each(
    ("text", "expected"),
    [
        (f"{CONFIG}do_train: false\n", True),
        (f"{CONFIG}do_train: true\n", False),
        (f"{CONFIG}do_train: 'false'\n", False),
        (f"{CONFIG}do_train: [false]\n", False),
        (CONFIG, False),
        (f"{V1}do_train: false\n", False),
    ],
)
def test_files_that_train_nothing(text: str, expected: bool) -> None:
    found, document, case = readings(text)
    assert found.trains_nothing(document, case.around) is expected


@each(
    ("text", "expected"),
    [
        (CONFIG, [("llamafactory", "dataset_info.json")]),
        (
            f"{CONFIG}deepspeed: ds.json\n",
            [("deepspeed", "ds.json"), ("llamafactory", "dataset_info.json")],
        ),
        (f"{CONFIG}dataset_dir: none\n", []),
        (V1, []),
        (f"{V1}deepspeed: ds.json\n", []),
    ],
)
def test_files_that_go_with_it(text: str, expected: list[tuple[str, str]]) -> None:
    found, document, case = readings(text)
    assert [
        (one.framework, (one.path or "").rpartition("/")[2])
        for one in found.references(document, case.around)
    ] == expected
