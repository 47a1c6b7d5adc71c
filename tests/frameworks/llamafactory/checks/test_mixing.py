"""Shares of datasets, and places for media in their rows."""

from __future__ import annotations

from collections.abc import Mapping

from cfglint.frameworks.llamafactory.checks.dataset_media import CHECKS as MEDIA
from cfglint.frameworks.llamafactory.checks.mixing import CHECKS
from tests.draws import each
from tests.linting import lint_in, messages
from tests.shipped import codes_of

CODES = codes_of(CHECKS) + codes_of(MEDIA)
BASE = "model_name_or_path: Qwen/Qwen3-8B\ntemplate: qwen3\nstage: sft\ndo_train: true\nfinetuning_type: lora\ncutoff_len: 2048\noutput_dir: ./out\n"


def said(words: str, release: str, files: Mapping[str, str]) -> list[str]:
    target = (f"llamafactory=={release}",) if release else ()
    found = lint_in(
        files,
        BASE + words,
        name="train.yaml",
        framework="llamafactory",
        select=CODES,
        target=target,
    )
    return messages(found)


@each(
    ("words", "release", "files", "expected"),
    [
        (
            "dataset: a,b\nmix_strategy: interleave_under\ninterleave_probs: 0.5,0.5\n",
            "0.9.3",
            {},
            [],
        ),
        (
            "dataset: a,b\nmix_strategy: interleave_under\ninterleave_probs: 0.5,0.6\n",
            "0.9.3",
            {},
            [
                "error: Make the shares of `interleave_probs` add up to 1 exactly: they add up to 1.1, and no sample can be drawn."
            ],
        ),
        (
            "dataset: a,b\nmix_strategy: interleave_over\ninterleave_probs: [0.3, 0.3]\n",
            "0.9.3",
            {},
            [
                "error: Make the shares of `interleave_probs` add up to 1 exactly: they add up to 0.6, and no sample can be drawn."
            ],
        ),
        ("dataset: a,b\nmix_strategy: concat\ninterleave_probs: 0.5,0.6\n", "0.9.3", {}, []),
        ("dataset: a,b\ninterleave_probs: 0.5,0.6\n", "0.9.3", {}, []),
        (
            "dataset: a,b,c\nmix_strategy: interleave_under\ninterleave_probs: 0.5,0.5\n",
            "0.9.3",
            {},
            [
                "error: Write one share for each dataset, or none: `interleave_probs` has 2, `dataset` names 3, and the shares hold for `dataset` and for `eval_dataset`."
            ],
        ),
        (
            "dataset: [a, b]\neval_dataset: c\nmix_strategy: interleave_under\ninterleave_probs: 0.5,0.5\n",
            "0.9.3",
            {},
            [
                "error: Write one share for each dataset, or none: `interleave_probs` has 2, `eval_dataset` names 1, and the shares hold for `dataset` and for `eval_dataset`."
            ],
        ),
        ("dataset: a\nmix_strategy: interleave_under\ninterleave_probs: 0.5,x\n", "0.9.3", {}, []),
        (
            "dataset: a,b\nmix_strategy: interleave_under\ninterleave_probs: 0.1,0.9000000001\n",
            "0.9.3",
            {},
            [],
        ),
        ("dataset: a\nmix_strategy: interleave_under\ninterleave_probs: '0.5'\n", "0.9.3", {}, []),
        (
            "dataset: a,b\nmix_strategy: interleave_under\ninterleave_probs: {a: 1}\n",
            "0.9.3",
            {},
            [],
        ),
        (
            "dataset: 3\nmix_strategy: interleave_under\ninterleave_probs: 0.5,0.5\n",
            "0.9.3",
            {},
            [],
        ),
        (
            "dataset: one\n",
            "0.9.3",
            {
                "data/dataset_info.json": '{"one": {"file_name": "a.json", "columns": {"prompt": "p", "response": "r", "images": "i", "videos": "v"}}}',
                "data/a.json": '{"p": "<image> a", "r": "b", "i": ["x"]}\n',
            },
            [],
        ),
        (
            "dataset: one\n",
            "0.9.3",
            {
                "data/dataset_info.json": '{"one": {"file_name": "a.json", "columns": {"prompt": "p", "response": "r", "images": "i", "videos": "v"}}}',
                "data/a.json": '{"p": "a", "r": "b", "i": ["x"]}\n',
            },
            [
                "error: Write one `<image>` into the texts of row 1 of `a.json` for each of its `images`: it has 1 of them, and 0 marks."
            ],
        ),
        (
            "dataset: one\n",
            "0.9.3",
            {
                "data/dataset_info.json": '{"one": {"file_name": "a.json", "columns": {"prompt": "p", "response": "r", "images": "i", "videos": "v"}}}',
                "data/a.json": '{"p": "a", "r": "b", "i": ["x"]}\n{"p": "<image>", "r": "b", "i": []}\n',
            },
            [
                "error: Write one `<image>` into the texts of row 1 of `a.json` for each of its `images`: it has 1 of them, and 0 marks."
            ],
        ),
        (
            "dataset: one\n",
            "0.9.3",
            {
                "data/dataset_info.json": '{"one": {"file_name": "a.json", "columns": {"prompt": "p", "response": "r", "images": "i", "videos": "v"}}}',
                "data/a.json": '{"p": "<image>", "r": "<image>", "i": ["x", "y"]}\n{"p": "a", "r": "<image>", "i": ["x", "y"]}\n',
            },
            [
                "error: Write one `<image>` into the texts of row 2 of `a.json` for each of its `images`: it has 2 of them, and 1 marks."
            ],
        ),
        (
            "dataset: one\n",
            "0.9.3",
            {
                "data/dataset_info.json": '{"one": {"file_name": "a.json", "columns": {"prompt": "p", "response": "r", "images": "i", "videos": "v"}}}',
                "data/a.json": '{"p": "<video>", "r": "b", "i": ["x"], "v": []}\n',
            },
            [
                "error: Write one `<image>` into the texts of row 1 of `a.json` for each of its `images`: it has 1 of them, and 0 marks.",
                "error: Write one `<video>` into the texts of row 1 of `a.json` for each of its `videos`: it has 0 of them, and 1 marks.",
            ],
        ),
        (
            "dataset: one\n",
            "0.9.3",
            {
                "data/dataset_info.json": '{"one": {"file_name": "a.json", "columns": {"prompt": "p", "response": "r", "images": "i", "videos": "v"}}}',
                "data/a.json": '{"p": "a", "r": "b", "i": "x"}\n',
            },
            [],
        ),
        (
            "dataset: one\n",
            "0.8.3",
            {
                "data/dataset_info.json": '{"one": {"file_name": "a.json", "columns": {"prompt": "p", "response": "r", "images": "i", "videos": "v"}}}',
                "data/a.json": '{"p": "a", "r": "b", "i": ["x"]}\n',
            },
            [],
        ),
        (
            "dataset: one\n",
            "0.9.3",
            {
                "data/dataset_info.json": '{"one": {"file_name": "a.json", "columns": {"prompt": "p", "response": "r", "images": "i", "videos": "v"}, "ranking": true}}',
                "data/a.json": '{"p": "a", "r": "b", "i": ["x"]}\n',
            },
            [],
        ),
        (
            "dataset: one\n",
            "0.9.3",
            {
                "data/dataset_info.json": '{"one": {"file_name": "a.json", "formatting": "sharegpt", "columns": {"messages": "m", "images": "i"}}}',
                "data/a.json": '{"m": [{"from": "human", "value": "<image>"}, {"from": "gpt", "value": "b"}], "i": ["x"], "p": "<image>"}\n{"m": [{"from": "human", "value": "<image><image>"}], "i": ["x"]}\n',
            },
            [
                "error: Write one `<image>` into the texts of row 2 of `a.json` for each of its `images`: it has 1 of them, and 2 marks."
            ],
        ),
    ],
)
def test_findings(words: str, release: str, files: Mapping[str, str], expected: list[str]) -> None:
    assert said(words, release, files) == expected
