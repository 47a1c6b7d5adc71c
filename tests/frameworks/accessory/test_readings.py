"""The commands of a script behind the first one."""

from __future__ import annotations

from tests.linting import case_in

FIRST = "torchrun main_finetune.py --llama_type llama --lr 1\n"


def sections(text: str) -> list[tuple[str, ...]]:
    case, source = case_in({}, text, name="run.sh", framework="accessory")
    document = case.framework.language.read(source)
    found = case.framework.readings.references(document, case.around)
    assert {one.framework for one in found} <= {"accessory"}
    return [tuple(map(str, one.at)) for one in found]


def test_each_command_behind_the_first_is_a_section() -> None:
    assert sections(FIRST) == []
    assert len(sections(FIRST + FIRST.replace("finetune", "pretrain") + FIRST)) == 2
