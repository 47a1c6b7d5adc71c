"""Adapters for another task than the model's."""

from __future__ import annotations

from cfglint import Linter
from tests.draws import each

TEXT = """\
from peft import LoraConfig, TaskType, get_peft_model
from transformers import AutoModelForSequenceClassification, AutoModelForCausalLM
model = {kind}.from_pretrained("Qwen/Qwen3-0.6B")
model = get_peft_model(model, LoraConfig(task_type={task}))
"""
CLASSIFIER = "AutoModelForSequenceClassification"


@each(
    ("kind", "task", "target", "severities"),
    [
        (CLASSIFIER, '"CAUSAL_LM"', "transformers==4.57.1", ["error"]),
        (CLASSIFIER, "TaskType.CAUSAL_LM", "transformers==4.57.1", ["error"]),
        (CLASSIFIER, '"CAUSAL_LM"', "transformers==4.49.0", ["warning"]),
        (CLASSIFIER, '"SEQ_CLS"', "transformers==4.57.1", []),
        (CLASSIFIER, "task", "transformers==4.57.1", []),
        ("AutoModelForCausalLM", '"CAUSAL_LM"', "transformers==4.57.1", []),
    ],
)
def test_the_task_is_that_of_the_model(
    kind: str, task: str, target: str, severities: list[str]
) -> None:
    linter = Linter(target=[target], settings=False, select=["TRP887"])
    result = linter.lint(TEXT.format(kind=kind, task=task), "train.py")
    assert [one.severity for one in result.diagnostics] == severities
