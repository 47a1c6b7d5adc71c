"""The JSON files of a model, and the YAML file of its data."""

from __future__ import annotations

from collections.abc import Mapping

from cfglint.frameworks.accessory.checks.named_files import CHECKS
from tests.draws import each
from tests.linting import lint_in, messages
from tests.shipped import codes_of

CODES = codes_of(CHECKS)
BASE = "torchrun --nproc_per_node 8 main_finetune.py --output_dir o "


def said(words: str, release: str, files: Mapping[str, str]) -> list[str]:
    target = (f"llama2-accessory=={release}",) if release else ()
    found = lint_in(
        files, BASE + words, name="run.sh", framework="accessory", select=CODES, target=target
    )
    return messages(found)


@each(
    ("words", "release", "files", "expected"),
    [
        (
            "--llama_type llama --llama_config p.json\n",
            "",
            {"p.json": '{"dim": 1, "n_layers": 2}'},
            [],
        ),
        (
            "--llama_type llama --llama_config p.json\n",
            "",
            {"p.json": '{"dim": 1, "rope_theta_x": 2, "other": 3}'},
            [
                "error: `rope_theta_x` is not a field of the `ModelArgs` of `llama`.",
                "error: `other` is not a field of the `ModelArgs` of `llama`.",
            ],
        ),
        ("--llama_type mine --llama_config p.json\n", "", {"p.json": '{"other": 3}'}, []),
        (
            "--llama_type llama_peft --llama_config p.json q.json\n",
            "",
            {"p.json": '{"dim": 3}', "q.json": '{"lora_rank": 1, "lora_rnk": 2}'},
            ["error: `lora_rnk` is not a field of the `ModelArgs` of `llama_peft`."],
        ),
        ("--data_config d.yaml\n", "", {"d.yaml": "META:\n  - path: a.json\n    type: text\n"}, []),
        (
            "--data_config d.yaml\n",
            "",
            {"d.yaml": "META:\n  - path: a.txt\n    type: text\n"},
            [
                "error: The dataset config cannot be used: `.txt` files are not supported; expected one of: .json, .jsonl, .csv."
            ],
        ),
        ("--data_config d.yaml\n", "", {"d.yaml": "META:\n  - path: a.csv\n    type: text\n"}, []),
        (
            "--data_config d.yaml --dialog\n",
            "",
            {"d.yaml": "META:\n  - path: a.csv\n    type: text\n"},
            [
                "error: The dataset config cannot be used: `.csv` files are not supported; expected one of: .json, .jsonl."
            ],
        ),
        (
            "--data_config d.yaml --dialog\n",
            "",
            {"d.yaml": "META:\n  - path: a.jsonl\n    type: text\n"},
            [],
        ),
        (
            "--data_config d.yaml\n",
            "",
            {"d.yaml": "META:\n  - type: text\n  - path: a.json\n  - {}\n"},
            [
                "error: The dataset config cannot be used: this entry of `META` has no `path`.",
                "error: The dataset config cannot be used: this entry of `META` has no `type`.",
                "error: The dataset config cannot be used: this entry of `META` has no `path`.",
                "error: The dataset config cannot be used: this entry of `META` has no `type`.",
            ],
        ),
        (
            "--data_config d.yaml\n",
            "",
            {"d.yaml": "META:\n  - x\n  - 3\n"},
            [
                "error: The dataset config cannot be used: each entry of `META` must be a mapping.",
                "error: The dataset config cannot be used: each entry of `META` must be a mapping.",
            ],
        ),
        (
            "--data_config d.yaml\n",
            "",
            {"d.yaml": "META: x\n"},
            ["error: The dataset config cannot be used: `META` must be a list."],
        ),
        (
            "--data_config d.yaml\n",
            "",
            {"d.yaml": "a: 1\n"},
            [
                "error: The dataset config cannot be used: `META`, the list of data files, is missing."
            ],
        ),
        (
            "--data_config d.yaml\n",
            "",
            {"d.yaml": "{}\n"},
            [
                "error: The dataset config cannot be used: `META`, the list of data files, is missing."
            ],
        ),
        (
            "--data_config d.yaml\n",
            "",
            {"d.yaml": "META:\n  - [a.json, text]\n  - [b.json, text]\n"},
            [
                "warning: The dataset config cannot be used: write each entry of `META` as `path: …` and `type: …`; pairs were read until August 2023."
            ],
        ),
        (
            "--data_config d.yaml\n",
            "",
            {
                "d.yaml": "META:\n  - [a.json, text]\n",
                "accessory/data/alpaca.py": "x = meta['path']\n",
            },
            [
                "error: The dataset config cannot be used: write each entry of `META` as `path: …` and `type: …`; pairs were read until August 2023."
            ],
        ),
        (
            "--data_config d.yaml\n",
            "",
            {"d.yaml": "META:\n  - [a.json, text]\n", "accessory/data/alpaca.py": "x = meta[0]\n"},
            [],
        ),
        ("--data_config d.yaml\n", "", {"d.yaml": "META:\n  - path: 3\n    type: text\n"}, []),
        ("--data_config gone.yaml\n", "", {}, []),
    ],
)
def test_findings(words: str, release: str, files: Mapping[str, str], expected: list[str]) -> None:
    assert said(words, release, files) == expected
