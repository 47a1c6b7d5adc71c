"""A JSON config, for a release that cannot read one."""

from __future__ import annotations

from tests.draws import each
from tests.linting import lint_in

CONFIG = '\n{"model": "Qwen/Qwen3-0.6B", "model_class": "llm", "sample_backend": "hf"}'


@each(
    ("beside", "found"),
    [
        ({}, True),
        # The file of the same name is the one that is started.
        ({"configs/run.yaml": "a: 1"}, False),
        ({"configs/run.yml": "a: 1"}, False),
        ({"run.yaml": "a: 1", "configs/other.yaml": "a: 1", "configs/run.txt": ""}, True),
    ],
)
def test_a_file_of_that_name(beside: dict[str, str], found: bool) -> None:
    told = lint_in(
        beside,
        CONFIG,
        name="configs/run.json",
        framework="llamafactory",
        target=["llamafactory==0.9.4"],
        select=["LFV018"],
    )
    assert [CONFIG[one.span.start : one.span.end] for one in told] == ["{"] * found
