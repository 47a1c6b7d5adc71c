"""Lists of datasets of LLaMA-Factory, each with one change, in projects of their own.

    python -m tools.framework_parity.llamafactory_datasets generate --count 400 --seed 1 FOLDER
    PYTHONPATH=RELEASE python tools/framework_parity/worker/loaded_datasets.py FOLDER > ROWS.jsonl
    cfglint --format json --target llamafactory==VERSION FOLDER > CFGLINT.json
    python -m tools.framework_parity.llamafactory_datasets compare FOLDER --theirs ROWS.jsonl --ours CFGLINT.json

Each project has a config that names one dataset, `data/dataset_info.json` and its data. Theirs is what the
release's own `get_dataset_list` and `_load_single_dataset` make of it. `compare` prints both verdicts
by kind of change, and ends with 1 when cfglint refuses a dataset that loads.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tools.framework_parity import folders

Entry = dict[str, Any]
Rows = list[dict[str, Any]]
_TALK = [{"from": "human", "value": "Hi"}, {"from": "gpt", "value": "Hello"}]
_ASKED = _TALK[:1]
_ROLES = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]
_TAGS = {"role_tag": "role", "content_tag": "content", "user_tag": "user"}
_TAGS["assistant_tag"] = "assistant"
_PLAIN = {"instruction": "Say hello", "input": "", "output": "Hello"}


class Project(NamedTuple):
    """A list with one entry, and the rows of its file."""

    entry: Entry
    rows: Rows
    #: The name of the file with the data; the entry may name another.
    file: str
    #: Further files, by their names.
    others: dict[str, str]


def _project(entry: Entry, row: dict[str, Any], file: str = "notes.jsonl") -> Project:
    return Project({"file_name": file, **entry}, [dict(row) for _ in range(4)], file, {})


BASES: dict[str, Callable[[], Project]] = {
    "alpaca": lambda: _project({}, _PLAIN),
    "array": lambda: _project({}, _PLAIN, "notes.json"),
    "columns": lambda: _project(
        {"columns": {"prompt": "q", "response": "a", "system": "s"}},
        {"q": "Hi", "a": "Yes", "s": "x"},
    ),
    "kto": lambda: _project(
        {"columns": {"prompt": "q", "response": "a", "kto_tag": "good"}},
        {"q": "Hi", "a": "Yes", "good": True},
    ),
    "pairs": lambda: _project(
        {"ranking": True, "columns": {"prompt": "q", "chosen": "yes", "rejected": "no"}},
        {"q": "Hi", "yes": "Yes", "no": "No"},
    ),
    "sharegpt": lambda: _project({"formatting": "sharegpt"}, {"conversations": _TALK}),
    "messages": lambda: _project(
        {"formatting": "sharegpt", "columns": {"messages": "talk", "tools": "tools"}},
        {"talk": _TALK, "tools": "[]"},
    ),
    "tags": lambda: _project(
        {"formatting": "sharegpt", "columns": {"messages": "messages"}, "tags": dict(_TAGS)},
        {"messages": _ROLES},
    ),
    "ranked": lambda: _project(
        {
            "formatting": "sharegpt",
            "ranking": True,
            "columns": {"messages": "talk", "chosen": "yes", "rejected": "no"},
        },
        {"talk": _ASKED, "yes": _TALK[1], "no": _TALK[1]},
    ),
}


def _paths(entry: Entry) -> list[tuple[str, ...]]:
    """The paths of all keys of an entry."""
    found: list[tuple[str, ...]] = []
    for key, value in entry.items():
        found.append((key,))
        found += [(key, inner) for inner in value] if isinstance(value, dict) else []
    return found


def _place(entry: Entry, path: tuple[str, ...]) -> dict[str, Any]:
    return entry if len(path) == 1 else entry[path[0]]


def _drop(project: Project, chance: random.Random) -> Project:
    path = chance.choice(_paths(project.entry))
    del _place(project.entry, path)[path[-1]]
    return project


def _misspell(project: Project, chance: random.Random) -> Project:
    path = chance.choice(_paths(project.entry))
    place = _place(project.entry, path)
    at = chance.randrange(len(path[-1]))
    place[path[-1][:at] + path[-1][at + 1 :]] = place.pop(path[-1])
    return project


def _other_name(project: Project, chance: random.Random) -> Project:
    """A column or tag of another name, or an added one."""
    section = chance.choice(("columns", "tags"))
    names = {
        "columns": [
            "prompt",
            "query",
            "response",
            "messages",
            "tools",
            "images",
            "system",
            "history",
        ],
        "tags": [*_TAGS, "system_tag"],
    }[section]
    given = project.entry.setdefault(section, {})
    given[chance.choice(names)] = chance.choice(["talks", "instruction", "output", "role", "from"])
    return project


def _format(project: Project, chance: random.Random) -> Project:
    names = ["alpaca", "sharegpt", "openai", "sharegp", "ShareGPT", "chatml", "alpca"]
    project.entry["formatting"] = chance.choice(names)
    return project


def _ranking(project: Project, _: random.Random) -> Project:
    project.entry["ranking"] = project.entry.get("ranking") is not True
    return project


def _file(project: Project, chance: random.Random) -> Project:
    names = ["note.jsonl", "missing.json", "NOTES.JSONL", "../elsewhere.json", "notes"]
    project.entry["file_name"] = chance.choice(names)
    return project


def _ending(project: Project, chance: random.Random) -> Project:
    name = "notes" + chance.choice([".txt2", ".xlsx", ".jsonlines", ".JSON", ".md", ""])
    project.entry["file_name"] = name
    return project._replace(file=name)


def _folder(project: Project, chance: random.Random) -> Project:
    project.entry["file_name"] = "notes"
    more = chance.choice([{}, {"notes/README.md": "Notes."}, {"notes/more.txt": "text"}, None])
    if more is None:
        return project._replace(file="notes/a.jsonl", others={"notes/.gitkeep": ""})
    return project._replace(file="notes/a.jsonl", others=more)


def _without_column(project: Project, chance: random.Random) -> Project:
    column = chance.choice(sorted(project.rows[0]))
    rows = [{key: value for key, value in row.items() if key != column} for row in project.rows]
    return project._replace(rows=[row or {"other": "x"} for row in rows])


def _more(project: Project, chance: random.Random) -> Project:
    key, value = chance.choice(
        [
            ("file_sha1", "abc"),
            ("num_samples", 2),
            ("num_samples", 9),
            ("num_samples", None),
            ("split", "train"),
            ("subset", "default"),
            ("description", "notes of May"),
            ("folder", None),
            ("weight", 0.5),
        ]
    )
    project.entry[key] = value
    return project


CHANGES: dict[str, Callable[[Project, random.Random], Project]] = {
    "dropped key": _drop,
    "misspelt key": _misspell,
    "other name": _other_name,
    "format": _format,
    "ranking": _ranking,
    "file": _file,
    "ending": _ending,
    "folder": _folder,
    "column of the data": _without_column,
    "added field": _more,
    "none": lambda project, _: project,
}


def projects(count: int, seed: int) -> Iterator[tuple[str, str, list[str]]]:
    """The files of all projects, with the base and the change of each config."""
    chance = random.Random(seed)
    for number in range(count):
        base, change = chance.choice(sorted(BASES)), chance.choice(sorted(CHANGES))
        # A copy, as the rows share their messages.
        made = json.loads(json.dumps(BASES[base]()._asdict()))
        project = CHANGES[change](Project(**made), chance)
        folder = f"p{number:04}"
        stage = "dpo" if project.entry.get("ranking") is True else "sft"
        config = (
            f"model_name_or_path: Qwen/Qwen2-7B\nstage: {stage}\ndo_train: true\nfinetuning_type: lora\n"
            "dataset: notes\ntemplate: qwen\noutput_dir: saves\ncutoff_len: 1024\nbf16: true\n"
        )
        as_array = project.file.endswith(".json")
        lines = [json.dumps(row) for row in project.rows]
        data = "[" + ",\n".join(lines) + "]\n" if as_array else "\n".join(lines) + "\n"
        info = json.dumps({"notes": project.entry}, indent=2) + "\n"
        what = [base, change]
        yield f"{folder}/train.yaml", config, what
        yield f"{folder}/data/dataset_info.json", info, what
        yield f"{folder}/data/{project.file}", data, what
        for name, text in {**project.others, "spare.jsonl": "{}\n"}.items():
            yield f"{folder}/data/{name}", text, what


def _folder_of(path: str) -> str:
    return next(part for part in Path(path).parts if part[:1] == "p" and part[1:].isdigit())


def compare(folder: Path, theirs: Path, ours: Path) -> int:
    """Print the table; the number of datasets that load and are refused."""
    # A release prints to standard output, too.
    lines = theirs.read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines if line.startswith('{"project"')]
    refused = {row["project"]: row["error"] for row in rows if not row["ok"]}
    said: dict[str, str] = {}
    for file in json.loads(ours.read_text("utf-8"))["files"]:
        for found in file["diagnostics"]:
            if found["severity"] == "error" and found["upstream"] == "rejects":
                said[_folder_of(file["path"])] = f"{found['code']}: {found['message']}"
    kinds = {_folder_of(row["file"]): row["changes"] for row in folders.rows(folder)}
    table: dict[str, Counter[str]] = {}
    for row in rows:
        name = row["project"]
        verdict = ("refused" if name in refused else "loads", "error" if name in said else "silent")
        table.setdefault(kinds[name][1], Counter())[" / ".join(verdict)] += 1
        if verdict == ("loads", "error"):
            sys.stdout.write(f"WRONG {name} {kinds[name]}: {said[name]}\n")
        elif verdict == ("refused", "silent"):
            sys.stdout.write(f"missed {name} {kinds[name]}: {refused[name][:160]}\n")
    columns = ("loads / silent", "refused / error", "refused / silent", "loads / error")
    for change, counts in sorted(table.items()):
        shown = "  ".join(f"{counts[column]:>4} {column}" for column in columns)
        sys.stdout.write(f"{change:<20}{shown}\n")
    total: Counter[str] = sum(table.values(), Counter())
    sys.stdout.write("all: " + ", ".join(f"{total[column]} {column}" for column in columns) + "\n")
    return total["loads / error"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command."""
    parser = argparse.ArgumentParser(prog="python -m tools.framework_parity.llamafactory_datasets")
    commands = parser.add_subparsers(dest="command", required=True)
    make = commands.add_parser("generate", help="write projects and what was changed in each")
    make.add_argument("folder", type=Path)
    make.add_argument("--count", type=int, default=400)
    make.add_argument("--seed", type=int, default=1)
    check = commands.add_parser("compare", help="their verdicts with ours, of one release")
    check.add_argument("folder", type=Path)
    check.add_argument("--theirs", type=Path, required=True, help="JSON lines: project, ok, error")
    check.add_argument("--ours", type=Path, required=True, help="the report of cfglint as JSON")
    options = parser.parse_args(arguments)
    if options.command == "generate":
        files = projects(options.count, options.seed)
        sys.stdout.write(f"{folders.write(options.folder, files)} files\n")
        return 0
    return 1 if compare(options.folder, options.theirs, options.ours) else 0


if __name__ == "__main__":
    sys.exit(main())
