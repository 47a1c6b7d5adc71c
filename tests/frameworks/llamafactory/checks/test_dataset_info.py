"""Whether the list of datasets has those of a config, of the kind that its stage wants."""

from __future__ import annotations

import json

from cfglint.frameworks.llamafactory.checks.dataset_info import CHECKS
from tests.draws import each
from tests.linting import lint_in, messages
from tests.shipped import codes_of

CONFIG = (
    "model_name_or_path: Qwen/Qwen3-8B\ntemplate: qwen3\ndo_train: true\n"
    "finetuning_type: lora\ncutoff_len: 2048\noutput_dir: ./out\n"
)

CODES = codes_of(CHECKS)
INFO = json.dumps(
    {
        "tickets": {"file_name": "a.json"},
        "pairs": {
            "hf_hub_url": "acme/pairs",
            "ranking": True,
            "columns": {"chosen": "c", "rejected": "r"},
        },
        "flat": {"hf_hub_url": "acme/flat", "ranking": False},
        "odd": {"ranking": "yes"},
        "no_entry": 3,
        "unmarked": {"ms_hub_url": "acme/ms", "columns": {"chosen": "c", "rejected": "r"}},
    }
)


def said(words: str, info: str | None = INFO, folder: str = "data") -> list[str]:
    around = {} if info is None else {f"{folder}/dataset_info.json": info}
    target = ("llamafactory==0.9.3",)
    text = f"{CONFIG}{words}\n"
    return messages(lint_in(around, text, framework="llamafactory", select=CODES, target=target))


@each(
    ("words", "expected"),
    [
        ("dataset: tickets", []),
        (
            "dataset: tikets",
            [
                "error: Add `tikets` to `data/dataset_info.json`, which has no such dataset, or correct the name. The closest name is `tickets`."
            ],
        ),
        (
            "dataset: tickets,nothing\neval_dataset: pairs2",
            [
                "error: Add `nothing` to `data/dataset_info.json`, which has no such dataset, or correct the name.",
                "error: Add `pairs2` to `data/dataset_info.json`, which has no such dataset, or correct the name. The closest name is `pairs`.",
            ],
        ),
        (
            "dataset: [tickets, other/name]",
            [
                "error: Add `other/name` to `data/dataset_info.json`, which has no such dataset, or correct the name. One of the Hub needs an entry with `hf_hub_url`, or `dataset_dir: ONLINE`."
            ],
        ),
        (
            "dataset: acme/pairs",
            [
                "error: Add `acme/pairs` to `data/dataset_info.json`, which has no such dataset, or correct the name. `pairs` is the entry of this dataset of the Hub."
            ],
        ),
        (
            "dataset: acme/pear",
            [
                "error: Add `acme/pear` to `data/dataset_info.json`, which has no such dataset, or correct the name. One of the Hub needs an entry with `hf_hub_url`, or `dataset_dir: ONLINE`."
            ],
        ),
        (
            "dataset: acme/ms",
            [
                "error: Add `acme/ms` to `data/dataset_info.json`, which has no such dataset, or correct the name. `unmarked` is the entry of this dataset of the Hub."
            ],
        ),
        (
            "stage: dpo\ndataset: tickets",
            [
                "error: `tickets` has single answers (`ranking` in dataset_info.json), which `stage: dpo` does not take."
            ],
        ),
        ("stage: dpo\ndataset: pairs", []),
        (
            "stage: dpo\ndataset: flat",
            [
                "error: `flat` has single answers (`ranking` in dataset_info.json), which `stage: dpo` does not take."
            ],
        ),
        (
            "stage: rm\ndataset: unmarked",
            [
                "error: `unmarked` has single answers (`ranking` in dataset_info.json), which `stage: rm` does not take. It has their columns: `ranking: true` is missing in its entry."
            ],
        ),
        (
            "stage: sft\ndataset: pairs",
            [
                "error: `pairs` has pairs of a better and a worse answer (`ranking` in dataset_info.json), which `stage: sft` does not take."
            ],
        ),
        (
            "stage: kto\ndataset: pairs,tickets,odd,no_entry",
            [
                "error: `pairs` has pairs of a better and a worse answer (`ranking` in dataset_info.json), which `stage: kto` does not take."
            ],
        ),
        (
            "dataset: pairs",
            [
                "error: `pairs` has pairs of a better and a worse answer (`ranking` in dataset_info.json), which `stage: sft` does not take."
            ],
        ),
        ("stage: $STAGE\ndataset: pairs", []),
        ("stage: nothing\ndataset: pairs", []),
        (
            "dataset: tickets\nstreaming: true\nmax_steps: 10",
            [
                "error: Add `dataloader_num_workers: 1` or more, or remove `streaming`: `tickets` is a local file, which is cut into one stream for each worker process, and without workers the stream is empty."
            ],
        ),
        (
            "dataset: tickets\nstreaming: true\nmax_steps: 10\ndataloader_num_workers: 0",
            [
                "error: Add `dataloader_num_workers: 1` or more, or remove `streaming`: `tickets` is a local file, which is cut into one stream for each worker process, and without workers the stream is empty."
            ],
        ),
        ("dataset: tickets\nstreaming: true\nmax_steps: 10\ndataloader_num_workers: 2", []),
        ("dataset: tickets\nstreaming: false", []),
        (
            "dataset: flat,tickets\nstreaming: true\nmax_steps: 10",
            [
                "error: Add `dataloader_num_workers: 1` or more, or remove `streaming`: `tickets` is a local file, which is cut into one stream for each worker process, and without workers the stream is empty."
            ],
        ),
        ("dataset: flat\neval_dataset: tickets\nstreaming: true\nmax_steps: 10", []),
    ],
)
def test_findings(words: str, expected: list[str]) -> None:
    assert said(words) == expected


@each(
    ("words", "info", "folder", "expected"),
    [
        ("dataset: nothing", None, "data", []),
        ("dataset: nothing", "{}", "elsewhere", []),
        (
            "dataset: nothing\ndataset_dir: elsewhere",
            "{}",
            "elsewhere",
            [
                "error: Add `nothing` to `elsewhere/dataset_info.json`, which has no such dataset, or correct the name."
            ],
        ),
        (
            "dataset: nothing",
            '{"nothing": {"file_name": "a.json"},}',
            "data",
            [
                "error: Correct `data/dataset_info.json`, which is not valid JSON (line 1: extra comma): LLaMA-Factory can load no dataset that is named in it."
            ],
        ),
        (
            "dataset: nothing",
            '{"a": NaN}',
            "data",
            [
                "error: Add `nothing` to `data/dataset_info.json`, which has no such dataset, or correct the name."
            ],
        ),
        ("max_steps: 3", "{", "data", []),
        ("dataset: nothing\ndataset_dir: ONLINE", "{}", "data", []),
    ],
)
def test_lists(words: str, info: str | None, folder: str, expected: list[str]) -> None:
    assert said(words, info, folder) == expected


def test_for_so_many_names_the_closest_is_looked_for() -> None:
    found = said("dataset: " + ",".join(["tikets"] * 1 + [f"tickets{n}" for n in range(25)]))
    assert sum("The closest name" in message for message in found) == 20
    assert len(found) == 26


ADDS = "python - <<'PY'\nimport json\np = 'data/dataset_info.json'\nd = json.load(open(p))\nd['late'] = {}\njson.dump(d, open(p, 'w'))\nPY\n"


@each(
    ("script", "severities"),
    [
        (ADDS, ["warning"]),
        (f"{ADDS}llamafactory-cli train train.yaml\n", []),
        (f"# For train.yaml.\n{ADDS}", ["warning"]),
        (f"{ADDS}llamafactory-cli train other.yaml\n", ["warning"]),
        ("llamafactory-cli train train.yaml\n", ["error"]),
    ],
)
def test_what_a_script_adds_to_the_list_before_the_run(script: str, severities: list[str]) -> None:
    files = {".git/HEAD": "", "data/dataset_info.json": INFO, "run.sh": script}
    text = f"{CONFIG}dataset: late\n"
    found = lint_in(files, text, name="train.yaml", framework="llamafactory", select=CODES)
    assert [one.severity for one in found] == severities


@each("others", ["nothing", "no_entry", "odd", "tickets", "flat"])
def test_each_dataset_is_looked_at(others: str) -> None:
    alone = said("dataset: pairs")
    assert len(alone) == 1
    found = said(f"dataset: {others},pairs")
    assert [one for one in found if "`pairs`" in one] == alone
