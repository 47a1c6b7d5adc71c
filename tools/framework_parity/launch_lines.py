"""Launch lines with options in place of a file, written as a shell reads them.

    python -m tools.framework_parity.launch_lines generate llamafactory --count 1000 --seed 1 FOLDER
    python -m tools.framework_parity.launch_lines generate program --count 1000 FOLDER
    python -m tools.framework_parity.launch_lines words FOLDER --out WORDS.jsonl
    python -m tools.framework_parity.launch_lines compare FOLDER --theirs ROWS.jsonl --ours CFGLINT.json

`generate` writes scripts and `manifest.jsonl`, which says what was changed in each; for `program` also the program that they
start, whose own classes extend transformers' (`worker/filled_classes.py` asks the real ones). `words` lets bash
split each of them into words (the programs are stand-ins that write down what they get; run it on
generated scripts alone), states whether cfglint finds the same ones, and writes rows `{file, command, argv}` for
the parser of a release (`HfArgumentParser` on the classes of the command, `TrlParser`). Its answers are
rows `{file, ok, stage, error}`. Ours is the output of `cfglint --format json FOLDER`.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from cfglint.frameworks.for_files import variant
from cfglint.roles.framework import load_framework
from tools.framework_parity import folders, scripts
from tools.framework_parity.commands import add_compared
from tools.framework_parity.verdicts import compare, read_ours, read_theirs, report

#: Framework -> (the file with its options, how its program is started).
_PROGRAMS = {
    "llamafactory": (
        ("llamafactory/tables/llamafactory.json", "train"),
        ("llamafactory-cli train", "torchrun --nproc_per_node=8 src/train.py"),
    ),
    "trl": (("trl/tables/sft.json", "sft"), ("trl sft", "accelerate launch -m trl.scripts.sft")),
    "swift-sft": (
        ("swift/tables/sft.json", "sft"),
        ("swift sft", "torchrun swift/cli/sft.py", "NPROC_PER_NODE=2 swift sft"),
    ),
    "swift-rlhf": (("swift/tables/rlhf.json", "rlhf"), ("swift rlhf",)),
    "swift-infer": (("swift/tables/infer.json", "infer"), ("swift infer",)),
    "swift-megatron": (("swift/tables/megatron_sft.json", "megatron_sft"), ("megatron sft",)),
    "program": (
        ("trl/tables/transformers.json", "train.py"),
        (
            *("torchrun --nproc_per_node=8 train.py", "python train.py", "deepspeed train.py"),
            *("accelerate launch ./train.py", "python3 -m torch.distributed.run train.py"),
        ),
    ),
}
#: The program of a project, with classes of its own.
_PROGRAM = """\
from dataclasses import dataclass, field
from typing import List, Optional

import transformers


@dataclass
class ModelArguments:
    model_name_or_path: str = field(default="facebook/opt-125m")
    use_flash_attention: bool = field(default=True)


@dataclass
class TrainingArguments(transformers.TrainingArguments):
    optim: str = field(default="adamw_torch")
    model_max_length: int = field(default=512)
    lora_modules: Optional[List[str]] = field(default=None)


def train():
    parser = transformers.HfArgumentParser((ModelArguments, TrainingArguments))
    model_args, training_args = parser.parse_args_into_dataclasses()


if __name__ == "__main__":
    train()
"""
_SWIFT = {
    "output_dir": ["out"],
    "max_length": ["2048"],
    "dataset": ["AI-ModelScope/alpaca-gpt4-data-en#500", "swift/self-cognition"],
    "seed": ["42"],
}
_BASE = {
    "llamafactory": {
        "stage": ["sft"],
        "do_train": [],
        "model_name_or_path": ["Qwen/Qwen3-8B"],
        "dataset": ["alpaca_en_demo"],
        "template": ["qwen3"],
        "finetuning_type": ["lora"],
        "output_dir": ["saves/run"],
        "per_device_train_batch_size": ["2"],
        "learning_rate": ["1e-4"],
    },
    "trl": {
        "model_name_or_path": ["Qwen/Qwen3-0.6B"],
        "dataset_name": ["trl-lib/Capybara"],
        "output_dir": ["out"],
        "per_device_train_batch_size": ["2"],
        "learning_rate": ["1e-4"],
    },
    **dict.fromkeys(("swift-sft", "swift-rlhf", "swift-megatron", "swift-infer"), _SWIFT),
    "program": {
        "model_name_or_path": ["Qwen/Qwen3-0.6B"],
        "model_max_length": ["2048"],
        "lora_modules": ["q_proj", "v_proj"],
        "output_dir": ["out"],
        "per_device_train_batch_size": ["2"],
        "learning_rate": ["1e-4"],
    },
}
#: Words that fit some options, and not others.
VALUES = (
    *("8", "0", "-1", "0.5", "1e3", "1e-5", "-1e-5", "1_000", " 5", "+4", "nan", "-.5", "", "-"),
    *("true", "False", "no", "T", "on", "none", "null", "auto", "steps", "linear", "adamw_torch"),
    *("a b", "x=y", "-x", '{"a": 1}', "[1, 2]", "a,b", "bf16", "\u0663", "lora", "sft"),
)
#: What a file may say: the fields of classes are choices for a parser of words alone.
_ON_LINES = frozenset({"LLF011"})
#: The programs that stand-ins take the place of.
_STAND_INS = ("torchrun", "python", "python3", "accelerate", "llamafactory-cli", "trl", "deepspeed")

#: A script as (name, text, options that were changed).
Row = tuple[str, Any, Any]


def generate(framework: str, count: int, seed: int, rules: Path) -> Iterator[Row]:
    """Scripts with what was changed in each; the same ones for the same seed."""
    chance = random.Random(seed)
    table, _ = _PROGRAMS[framework][0]
    keys = json.loads((rules / table).read_text(encoding="utf-8"))["keys"]
    shared = json.loads((rules / "trl/tables/transformers.json").read_text(encoding="utf-8"))
    names = sorted({*keys, *shared["keys"]})
    for number in range(count):
        groups = [[f"--{name}", *words] for name, words in _BASE[framework].items()]
        changes = [_change(groups, names, chance) for _ in range(chance.choice((0, 1, 1, 2, 3)))]
        program = chance.choice(_PROGRAMS[framework][1])
        text = written(program, [word for group in groups for word in group], chance)
        yield f"{number:05d}.sh", text, sorted(set(changes))


def _change(groups: list[list[str]], names: list[str], chance: random.Random) -> str:
    """One change of one kind; the option that it is about."""
    name, value = chance.choice(names), chance.choice(VALUES)
    place = chance.randrange(len(groups) + 1)
    kind = chance.choice(
        ("value", "value", "joined", "short", "unknown", "bare", "stray", "list", "dash", "no")
    )
    if kind == "joined":
        groups.insert(place, [f"--{name}={value}"])
    elif kind == "short":
        groups.insert(place, [f"--{name[: chance.randrange(2, len(name) + 1)]}", value])
    elif kind == "unknown":
        name += chance.choice(("s", "_x", "1"))
        groups.insert(place, [f"--{name}", value])
    elif kind == "bare":
        groups.insert(place, [f"--{name}"])
    elif kind == "stray":
        chance.choice(groups).append(value)
    elif kind == "list":
        groups.insert(place, [f"--{name}", *chance.sample(VALUES, 2)])
    elif kind == "no":
        groups.insert(place, [f"--no_{name}"])
    else:
        groups.insert(
            place, [f"--{name.replace('_', '-')}" if kind == "dash" else f"--{name}", value]
        )
    return name


def written(program: str, words: list[str], chance: random.Random) -> str:
    """A script that gives these words to a program."""
    lines: list[str] = []
    held: list[str] = []
    quoted = [scripts.quoted(word, lines, chance) for word in words]
    if chance.random() < 0.3:
        at = chance.randrange(len(quoted))
        held, quoted = quoted[at:], quoted[:at]
        lines += [f"ARGS=({' '.join(held[:2])}", *(f"  {one}" for one in held[2:]), ")"]
        quoted.append('"${ARGS[@]}"')
    rows = []
    while quoted:
        size = chance.randrange(1, 7)
        rows.append(" ".join(quoted[:size]))
        quoted = quoted[size:]
    tail = chance.choice(("", " 2>&1 | tee -a output.log", " > output.log 2>&1", "  # the run"))
    return "\n".join(["#!/bin/bash", "", *lines, "", " \\\n".join([program, *rows]) + tail, ""])


def ours_of(text: str, framework: str) -> Iterator[tuple[str, list[str], bool]]:
    """(sub-command, the words behind it, whether all of them are known) of each start in a script."""
    return scripts.starts_in(text, variant(load_framework(framework), language="shell").language)


def _framework_of(words: list[str], folder: Path) -> str:
    """The framework whose language a script of a folder is read in."""
    if (folder / "train.py").exists():
        return "trl_programs"
    return "trl" if any("trl" in word for word in words[:5]) else "llamafactory"


def _words(folder: Path) -> Iterator[dict[str, Any]]:
    for path in sorted(folder.glob("*.sh")):
        text = path.read_text(encoding="utf-8")
        theirs = scripts.words_of(path, _STAND_INS)
        framework = _framework_of(theirs, folder)
        found = list(ours_of(text, framework))
        command, own, known = found[0] if found else ("", [], True)
        same = bool(found) and own == theirs[len(theirs) - len(own) :]
        at = next(
            n
            for n, w in enumerate(theirs)
            if w in ("train", "sft") or w.endswith(("train.py", ".sft"))
        )
        yield {
            "file": str(path),
            "command": command,
            "argv": theirs[at + 1 :],
            "same": same and len(own) == len(theirs) - at - 1,
            "known": known,
        }


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; `compare` ends with 1 when a verdict differs, `words` when words do."""
    options = _parser().parse_args(arguments)
    if options.command == "generate":
        made = generate(options.framework, options.count, options.seed, options.rules)
        folders.write(options.folder, made)
        if options.framework == "program":
            (options.folder / "train.py").write_text(_PROGRAM, encoding="utf-8")
        return 0
    if options.command == "words":
        rows = list(_words(options.folder))
        options.out.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        other = [row["file"] for row in rows if row["known"] and not row["same"]]
        sys.stdout.write(f"{len(rows)} scripts, {len(other)} with other words: {other[:5]}\n")
        return 1 if other else 0
    ours = read_ours(options.ours, frozenset(options.later.split(",")), _ON_LINES)
    theirs = read_theirs(options.theirs)
    if options.further is not None:
        # Theirs ends at the parser; what is refused behind it is refused.
        later = read_theirs(options.further)
        refused = {name: one for name, one in later.items() if one.refused}
        theirs = {
            name: refused.get(name, one) if name in ours and ours[name].refused else one
            for name, one in theirs.items()
        }
    result = compare(theirs, ours, folders.changes(options.folder))
    sys.stdout.write(report(result, options.show))
    return 1 if result.differing else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tools.framework_parity.launch_lines")
    commands = parser.add_subparsers(dest="command", required=True)
    make = commands.add_parser("generate", help="write scripts and what was changed in each")
    make.add_argument("framework", choices=sorted(_PROGRAMS))
    make.add_argument("folder", type=Path)
    make.add_argument("--count", type=int, default=1000)
    make.add_argument("--seed", type=int, default=1)
    make.add_argument("--rules", type=Path, default=Path("rules"))
    split = commands.add_parser(
        "words", help="what bash gives to the programs, and whether we agree"
    )
    split.add_argument("folder", type=Path)
    split.add_argument("--out", type=Path, required=True)
    check = commands.add_parser("compare", help="their verdicts with ours")
    add_compared(check, "")
    check.add_argument("--theirs", type=Path, required=True, help="JSON lines: file, ok, error")
    check.add_argument("--further", type=Path, help="the same, of checks behind the parser")
    return parser


if __name__ == "__main__":
    sys.exit(main())
