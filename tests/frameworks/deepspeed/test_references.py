"""The DeepSpeed settings that files of transformers' trainer name, and what is filled in there."""

from __future__ import annotations

from cfglint.environment.surroundings import Memory, Surroundings
from cfglint.frameworks.deepspeed.filling import is_filled_in
from cfglint.frameworks.deepspeed.references import MAX_BYTES, deepspeed_settings
from cfglint.source.files.memory import InMemory
from cfglint.source.languages.named import language
from cfglint.source.text import SourceText
from tests.draws import each

AROUND = Surroundings(
    Memory(), InMemory({"/p/.git/HEAD": b"", "/p/ds.json": b"{}"}), "/p/train.yml", "/p"
)


@each(
    ("text", "expected"),
    [
        ("deepspeed: ds.json", [("deepspeed", ("deepspeed",), "/p/ds.json")]),
        ("deepspeed: {zero_optimization: {stage: 2}}", [("deepspeed", ("deepspeed",), None)]),
        ("deepspeed: {}", [("deepspeed", ("deepspeed",), None)]),
        ("deepspeed: none.json", []),
        ("deepspeed: 7", []),
        ("deepspeed: [ds.json]", []),
        ("seed: 1", []),
    ],
)
def test_what_is_named(text: str, expected: list[tuple[str, tuple[str, ...], str | None]]) -> None:
    document = language("yaml").read(SourceText(f"{text}\n"))
    found = deepspeed_settings(document, AROUND)
    assert [(one.framework, one.at, one.path) for one in found] == expected
    assert MAX_BYTES >= 5_000


@each(
    ("text", "expected"),
    [
        ('{"train_batch_size": "auto"}', True),
        ('{"fp16": {"enabled": "auto"}}', True),
        ('{"optimizer": {"params": {"lr": "auto"}}}', True),
        ('{"scheduler": {"params": {"total_num_steps": "auto"}}}', True),
        ('{"train_batch_size": 8, "zero_optimization": {"stage": "auto"}}', False),
        ('{"train_batch_size": "AUTO"}', False),
        ("{}", False),
    ],
)
def test_files_that_a_trainer_fills_in(text: str, expected: bool) -> None:
    assert is_filled_in(language("json").read(SourceText(text))) is expected
