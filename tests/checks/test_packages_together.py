"""Releases of packages that are stated together, and cannot be imported together."""

from __future__ import annotations

import pytest

from cfglint import Linter

SFT = """\
model_name_or_path: Qwen/Qwen3-0.6B
stage: sft
dataset: alpaca_en_demo
template: qwen3
finetuning_type: lora
output_dir: out
"""


def found(*target: str, text: str = SFT, path: str = "sft.yaml") -> list[str]:
    linter = Linter(target=list(target), settings=False, select=["ENV700", "ENV701"])
    return [one.code for one in linter.lint(text, path).diagnostics]


@pytest.mark.parametrize(
    ("target", "codes"),
    [
        (("llamafactory==0.9.5", "transformers==5.0.0", "peft==0.17.1"), ["ENV700"]),
        (("llamafactory==0.9.5", "transformers==4.57.1", "peft==0.17.1"), []),
        (("llamafactory==0.9.5", "transformers==5.0.0", "peft==0.18.1"), []),
        # Nothing states the package that reads the file, or the other one.
        (("transformers==5.0.0", "peft==0.17.1"), []),
        (("llamafactory==0.9.5", "peft==0.17.1"), []),
        (("llamafactory==0.9.5", "transformers==4.56.2", "huggingface-hub==1.0.1"), ["ENV701"]),
        (("llamafactory==0.9.5", "transformers==4.56.2", "huggingface-hub==0.36.0"), []),
        (("llamafactory==0.9.5", "transformers==4.56.2", "tokenizers==0.21.0"), ["ENV701"]),
    ],
)
def test_stated_pairs(target: tuple[str, ...], codes: list[str]) -> None:
    assert found(*target) == codes


def test_the_message_names_both_and_what_goes_together() -> None:
    linter = Linter(
        target=["llamafactory==0.9.5", "transformers==5.0.0", "peft==0.17.1"],
        settings=False,
        select=["ENV700"],
    )
    (one,) = linter.lint(SFT, "sft.yaml").diagnostics
    assert one.message.startswith("Install peft 0.18.0 or newer, or transformers below 5.0.0: ")
    assert "`HybridCache` from `transformers`, which 5.0.0 removed" in one.message
