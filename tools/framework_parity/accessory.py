"""Scripts of LLaMA2-Accessory: command lines of every kind, written as a shell reads them.

    python -m tools.framework_parity.accessory generate --count 5000 --seed 1 FOLDER
    python -m tools.framework_parity.accessory judge FOLDER --checkout CHECKOUT --out ROWS.jsonl
    python -m tools.framework_parity.accessory compare FOLDER --theirs ROWS.jsonl --ours CFGLINT.json
    python -m tools.framework_parity.accessory record FOLDER --theirs ROWS.jsonl --out FIXTURE.json.gz

`generate` writes scripts and `manifest.jsonl`, which says what was changed in each. `judge` lets bash
split each of them into words (the programs are stand-ins that write down what they get; run it on
generated scripts alone) and gives these to the parsers of a checkout; its rows hold the values of the
arguments, too, for `tools.framework_parity.effective`. Ours is the output of
`cfglint --format json FOLDER`.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import io
import json
import random
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tools.framework_parity import folders, scripts
from tools.framework_parity.commands import add_compared, add_recorded
from tools.framework_parity.recorded import record
from tools.framework_parity.verdicts import compare, read_ours, read_theirs, report

_TABLES = Path("rules/accessory/tables")
#: What is refused only behind the parser.
LATER = "LAC007,LAC027,LAC043,LAC060,LAC062,LAC063,LAC064,LAC080,LAC081,LAC083,LAC090,LAC091"
_BASE = {
    "finetune": {
        "llama_type": ["llama"],
        "llama_config": ["params.json"],
        "tokenizer_path": ["tokenizer.model"],
        "no_visual": [],
        "pretrained_path": ["models/7B"],
        "data_config": ["data.yaml"],
        "output_dir": ["output/run"],
        "epochs": ["3"],
        "lr": ["2e-5"],
        "min_lr": ["0"],
        "warmup_epochs": ["0.1"],
    },
    "pretrain": {
        "llama_type": ["llama"],
        "llama_config": ["params.json"],
        "tokenizer_path": ["tokenizer.model"],
        "data_meta_path": ["meta.json"],
        "packed_data": [],
        "lr": ["3e-4"],
        "warmup_iters": ["2000"],
        "lr_decay_iters": ["100000"],
    },
}
_WORDS = (
    *("8", "0", "-1", "-0.5", "0.5", "1e3", "1e-5", "-1e-5", "1_000", " 5", "+4", "007", "nan"),
    *("inf", "-.5", "", "-", "--", "true", "False", "sdp", "fsdp", "ddp", "bf16", "fp16", "tf32"),
    *("FP16", "consolidated", "meta_ori", "a b", "x=y", "-x", "--x y", "a.json", "\u0663", "-5 x"),
)
#: A script as (name, text, options that were changed).
Script = tuple[str, str, list[str]]


def generate(count: int, seed: int, tables: Path = _TABLES) -> list[Script]:
    """Scripts; the same ones for the same seed."""
    chance = random.Random(seed)
    known = {
        kind: json.loads((tables / f"{kind}.json").read_text(encoding="utf-8"))["keys"]
        for kind in _BASE
    }
    out = []
    for number in range(count):
        kind = chance.choice(("finetune", "finetune", "pretrain"))
        groups = [[f"--{name}", *words] for name, words in _BASE[kind].items()]
        changes: list[str] = []
        for _ in range(chance.choice((0, 1, 1, 1, 2, 3)) if number > 1 else 0):
            changes.append(_change(groups, known[kind], chance))
        text = _written(kind, [word for group in groups for word in group], chance)
        out.append((f"{number:05d}-{kind}.sh", text, sorted(set(changes))))
    return out


def _change(groups: list[list[str]], table: dict[str, Any], chance: random.Random) -> str:
    """One change of one kind; the option that it is about."""
    name = chance.choice(sorted(table))
    value = chance.choice(_WORDS)
    kind = chance.choice(
        ("value", "value", "joined", "short", "unknown", "missing", "stray", "list", "dash")
    )
    place = chance.randrange(len(groups) + 1)
    if kind == "joined":
        groups.insert(place, [f"--{name}={value}"])
    elif kind == "short":
        cut = chance.randrange(2, len(name) + 1)
        joined = chance.random() < 0.3
        groups.insert(place, [f"--{name[:cut]}={value}"] if joined else [f"--{name[:cut]}", value])
    elif kind == "unknown":
        odd = name + chance.choice(("s", "_x", "1"))
        groups.insert(place, [f"--{odd}", value])
        return odd
    elif kind == "missing":
        groups.insert(place, [f"--{name}"])
    elif kind == "stray":
        chance.choice(groups).append(value)
    elif kind == "list":
        lists = [one for one in ("llama_config", "pretrained_path") if one in table]
        name = chance.choice(lists)
        words = [chance.choice(_WORDS) for _ in range(chance.randrange(4))]
        groups.insert(place, [f"--{name}", *words])
    elif kind == "dash":
        groups.insert(place, [f"-{name}", value])
        return f"-{name}"
    else:
        switch = table[name]["type"] == "bool"
        groups.insert(place, [f"--{name}"] if switch else [f"--{name}", value])
    return name


def _written(kind: str, words: list[str], chance: random.Random) -> str:
    """A script that gives these words to a program."""
    lines: list[str] = []
    written = [scripts.quoted(word, lines, chance) for word in words]
    rows: list[str] = []
    while written:
        size = chance.randrange(1, 7)
        rows.append(" ".join(written[:size]))
        written = written[size:]
    launcher = chance.choice(
        (
            "torchrun --nproc_per_node=8",
            "torchrun --master_port=1112 --nproc_per_node 8",
            "python -u",
        )
    )
    command = " \\\n".join([f"{launcher} main_{kind}.py", *rows])
    tail = chance.choice(("", " 2>&1 | tee -a output.log", " > output.log 2>&1", "  # the run"))
    return "\n".join(["#!/bin/bash", "", *lines, "", command + tail, ""])


def judge(folder: Path, checkout: Path) -> list[dict[str, Any]]:
    """What the parsers of a checkout say of the words that bash makes of each script."""
    parsers = {kind: parser_of(checkout, kind) for kind in _BASE}
    return [
        {"file": str(path), "stage": "argparse", **_verdict(parsers, words_of(path))}
        for path in sorted(folder.glob("*.sh"))
    ]


def words_of(path: Path) -> list[str]:
    """What a script gives to its program, which is not run."""
    words = scripts.words_of(path, ("torchrun", "python"))
    at = next(number for number, word in enumerate(words) if word.startswith("main_"))
    return words[at:]


def parser_of(checkout: Path, kind: str) -> Callable[[], argparse.ArgumentParser]:
    """The function of a checkout that makes a parser; nothing else of its source is run."""
    path = checkout / "accessory" / f"main_{kind}.py"
    tree = ast.parse(path.read_text(encoding="utf-8"))
    (function,) = [
        node
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name == "get_args_parser"
    ]
    names: dict[str, Any] = {"argparse": argparse}
    exec(compile(ast.Module([function], []), str(path), "exec"), names)
    made: Callable[[], argparse.ArgumentParser] = names["get_args_parser"]
    return made


def _verdict(
    parsers: dict[str, Callable[[], argparse.ArgumentParser]], words: list[str]
) -> dict[str, Any]:
    kind = words[0].removeprefix("main_").removesuffix(".py")
    said = io.StringIO()
    try:
        with contextlib.redirect_stderr(said):
            found = parsers[kind]().parse_args(words[1:])
    except SystemExit:
        return {"ok": False, "error": said.getvalue().strip().rpartition("error: ")[2]}
    return {"ok": True, "values": vars(found)}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; `compare` ends with 1 when a verdict differs."""
    options = _parser().parse_args(arguments)
    if options.command == "generate":
        folders.write(options.folder, generate(options.count, options.seed))
    elif options.command == "judge":
        rows = judge(options.folder, options.checkout)
        options.out.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    elif options.command == "record":
        theirs = {"2024.5.24": read_theirs(options.theirs)}
        sys.stdout.write(f"{record(options.folder, theirs, options.count, options.out)} files\n")
    else:
        ours = read_ours(options.ours, frozenset(options.later.split(",")))
        result = compare(read_theirs(options.theirs), ours, folders.changes(options.folder))
        sys.stdout.write(report(result, options.show))
        return 1 if result.differing else 0
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tools.framework_parity.accessory")
    commands = parser.add_subparsers(dest="command", required=True)
    make = commands.add_parser("generate", help="write scripts and what was changed in each")
    make.add_argument("folder", type=Path)
    make.add_argument("--count", type=int, default=5000)
    make.add_argument("--seed", type=int, default=1)
    ask = commands.add_parser("judge", help="what the programs' own parsers say of each")
    ask.add_argument("folder", type=Path)
    ask.add_argument("--checkout", type=Path, required=True)
    ask.add_argument("--out", type=Path, required=True)
    check = commands.add_parser("compare", help="their verdicts with ours")
    add_compared(check, LATER)
    check.add_argument("--theirs", type=Path, required=True, help="JSON lines: file, ok, error")
    keep = commands.add_parser("record", help="scripts and their verdicts for the test")
    add_recorded(keep, 400)
    keep.add_argument("--theirs", type=Path, required=True)
    return parser


if __name__ == "__main__":
    sys.exit(main())
