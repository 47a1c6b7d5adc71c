"""The key that every file needs, where the line that starts it may have it."""

from __future__ import annotations

from tests.draws import each
from tests.linting import lint

CONFIG = "stage: sft\nfinetuning_type: lora\ntemplate: qwen3\ndataset: identity\noutput_dir: out\n"


@each(
    ("text", "release", "severity"),
    [
        (CONFIG, "0.9.3", "warning"),
        # Words behind the file came with 0.9.3.
        (CONFIG, "0.9.2", "error"),
        # It is there, under a name that has a slip.
        (f"{CONFIG}model_name_or_paht: a/b\n", "0.9.3", "error"),
    ],
)
def test_a_line_may_have_it(text: str, release: str, severity: str) -> None:
    found = lint(text, target=[f"llamafactory=={release}"], framework="llamafactory")
    assert {one.severity for one in found if one.name == "missing-required-key"} == {severity}
