"""`key=value` behind the file on LLaMA-Factory's command line."""

from __future__ import annotations

import pytest

from tests.linting import case_in

CONFIG = "model_name_or_path: a/b\nstage: sft\n"


@pytest.mark.parametrize(
    ("release", "words", "option"),
    [("0.9.2", [], None), ("0.9.3", [("cutoff_len", 512)], "cutoff_len=512")],
)
def test_the_release_decides_whether_they_count(
    release: str, words: list[tuple[str, int]], option: str | None
) -> None:
    script = {"run.sh": "llamafactory-cli train train.yml cutoff_len=512\n"}
    case, source = case_in(script, CONFIG, framework="llamafactory")
    (line,) = case.around.launches
    launching, document = case.framework.launching, case.framework.language.read(source)
    found = list(launching.overrides(line, document, release))
    assert len(found) == len(words)
    assert launching.option(line, "cutoff_len", 512, release) == option
