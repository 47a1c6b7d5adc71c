"""Whether a file of DeepSpeed's is for a training."""

from __future__ import annotations

from cfglint.roles.framework import load_framework
from cfglint.source.text import SourceText
from tests.draws import each
from tests.linting import case_in


@each(
    ("name", "text", "expected"),
    [
        ("ds.json", '{"train_batch_size": 8}', False),
        ("ds.json", '{"gradient_accumulation_steps": 8, "fp16": {}}', False),
        ("ds.json", '{"optimizer": {}}', False),
        ("ds.json", '{"fp16": {"enabled": true}}', True),
        ("ds.json", "{}", True),
        ("conf/ds_inference.json", '{"train_batch_size": 8}', True),
        ("Predict-zero3.json", '{"train_batch_size": 8}', True),
        ("generate.json", '{"train_batch_size": 8}', True),
        # Words count, not parts of them, and only of the file's own name.
        ("inferred.json", '{"train_batch_size": 8}', False),
        ("inference/ds.json", '{"train_batch_size": 8}', False),
    ],
)
def test_files_that_train_nothing(name: str, text: str, expected: bool) -> None:
    case, _ = case_in({}, text, name=name, framework="deepspeed")
    framework = load_framework("deepspeed")
    document = framework.language.read(SourceText(text))
    assert framework.readings.trains_nothing(document, case.around) is expected
    assert not framework.readings.has_run
