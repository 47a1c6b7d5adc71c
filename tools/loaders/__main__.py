"""Compares loaders of old releases with `chat_template` of a new one, on the migrated config.

    python -m tools.loaders --clone FOLDER --python PYTHON3.11 [--cache FOLDER] [--out FILE]

Every variant of `sharegpt` (`tools.loaders.variants`) is written as a config, migrated by cfglint
with all steps, and its rows are tokenized by the old release as the config was, and by 0.21.0 as it
is then, with each of the small tokenizers. A step is safe only if ids and labels are equal for all.
The first run installs the environments, some 3 GB.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import yaml

from cfglint.engine.migration.one_text import migrate
from cfglint.environment.building import build_environment
from cfglint.roles.framework import load_framework
from cfglint.source.text import SourceText
from tools.loaders.compare import compare
from tools.loaders.environments import LOADERS, LoaderError, ask
from tools.loaders.variants import ROWS, VARIANTS, Variant

_NEW = "0.21.0"
MEASURED = Path(__file__).with_name("measured.json")
_TOKENIZERS = ("base", "chatml", "llama2", "llama3")
#: What a config needs beside its data. The template of the tokenizer is meant where none is named.
_FILE = {
    "base_model": "acme/base-7b",
    "micro_batch_size": 1,
    "gradient_accumulation_steps": 1,
    "learning_rate": 0.0002,
    "output_dir": "./out",
}
_FIELDS = ("variant", "old", "tokenizer", "verdict", "difference", "rows")
_STRATEGY_KEYS = ("chat_template", "default_system_message", "train_on_inputs", "eot_tokens")


def migrated(variant: Variant) -> dict[str, Any] | None:
    """A variant's config as 0.21.0 is to read it; None when no step says how."""
    config = {**_FILE, **variant.file, "datasets": [{"path": "chats.jsonl", **variant.dataset}]}
    text = yaml.safe_dump(config, sort_keys=False)
    framework = load_framework("axolotl")
    target = build_environment(framework.releases, pins=[f"axolotl=={_NEW}"])
    result = migrate(SourceText.from_bytes(text.encode()), framework, target, unsafe=True)
    after = yaml.safe_load(result.result.text)
    return None if str(after["datasets"][0]["type"]).startswith("sharegpt") else after


def _task(config: dict[str, Any], rows: tuple[str, ...], tokenizer: str) -> dict[str, Any]:
    return {
        "tokenizer": tokenizer,
        "file": {key: config[key] for key in _STRATEGY_KEYS if key in config},
        "dataset": config["datasets"][0],
        "rows": [ROWS[row] for row in rows],
    }


def _texts() -> list[str]:
    found: list[str] = []
    pending: list[Any] = list(ROWS.values())
    while pending:
        value = pending.pop()
        if isinstance(value, dict):
            pending += value.values()
        elif isinstance(value, list):
            pending += value
        elif isinstance(value, str):
            found.append(value)
    frames = (
        "<|im_start|>system user assistant\n USER: ASSISTANT: ### Instruction:\n [INST] [/INST]"
    )
    return [*found, frames] * 4


def _measure(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Run the campaign: a record for each variant, old release, tokenizer and outcome."""
    where = {"cache": options.cache, "clone": options.clone, "python": options.python}
    new = LOADERS[_NEW]
    tokenizers = ask(new, "made_tokenizers.py", _texts(), **where)
    after = {variant.name: migrated(variant) for variant in VARIANTS}
    cases = [(v, name) for v in VARIANTS if after[v.name] for name in _TOKENIZERS]
    tasks = [_task(after[v.name] or {}, v.rows, name) for v, name in cases]
    news = ask(new, "worker.py", {"tokenizers": tokenizers, "tasks": tasks}, **where)
    texts = {name: _vocabulary(made) for name, made in tokenizers.items()}
    found: dict[tuple[str, ...], list[str]] = {}
    for release in ("0.4.0", "2024-11-08"):
        before = [{**v.file, "datasets": [v.dataset]} for v, _ in cases]
        tasks = [
            _task(config, v.rows, name) for config, (v, name) in zip(before, cases, strict=True)
        ]
        request = {"tokenizers": tokenizers, "tasks": tasks}
        olds = ask(LOADERS[release], "worker.py", request, **where)
        for (variant, name), old, young in zip(cases, olds, news, strict=True):
            for row, one, two in zip(variant.rows, old, young, strict=True):
                case = (variant.name, release, name, *compare(one, two, texts[name]))
                found.setdefault(case, []).append(row)
    return [dict(zip(_FIELDS, (*case, rows), strict=True)) for case, rows in found.items()]


def _vocabulary(made: dict[str, Any]) -> dict[int, str]:
    core = json.loads(made["core"])
    marks = {"Ġ": " ", "Ċ": "\n", "▁": " "}
    named = {ident: token for token, ident in core["model"]["vocab"].items()}
    named |= {added["id"]: added["content"] for added in core["added_tokens"]}
    return {
        ident: "".join(marks.get(character, character) for character in token)
        for ident, token in named.items()
    }


def main(arguments: list[str] | None = None) -> int:
    """Run it; 2 when an environment cannot be made."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--clone", type=Path, required=True, help="Axolotl's git repository")
    parser.add_argument("--python", default=sys.executable, help="a Python 3.11")
    parser.add_argument("--cache", type=Path, default=Path("build/loaders"))
    parser.add_argument("--out", type=Path, default=MEASURED)
    options = parser.parse_args(arguments)
    try:
        records = _measure(options)
    except LoaderError as error:
        print(error, file=sys.stderr)
        return 2
    lines = ",\n".join(json.dumps(record, ensure_ascii=False) for record in records)
    options.out.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    counts: dict[str, Counter[str]] = {}
    for record in records:
        counts.setdefault(record["variant"], Counter())[record["verdict"]] += len(record["rows"])
    for variant, counter in counts.items():
        print(f"{variant}: " + ", ".join(f"{kind} {n}" for kind, n in counter.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
