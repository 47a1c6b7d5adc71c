"""Records what cfglint says about many files, so that a refactoring can be held to it.

    python -m tools.campaigns.record OUT FOLDER...
    diff -r OUT_BEFORE OUT_AFTER

Everything goes through the command line and its JSON report, which stay while the code below them
moves: each folder's files under several targets, every example of every rule under its own target
and among its own files, and what is printed for people. OUT gets one file a run.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from cfglint.knowledge.compiling.examples import prepare, prepare_files
from cfglint.knowledge.compiling.loading import load_rules
from cfglint.knowledge.compiling.model import Example
from cfglint.knowledge.recognition import fallback

ROOT = Path(__file__).parents[2]
#: What the files of the folders are checked for: name -> options.
TARGETS = {
    "newest": [],
    "0.18.0-8-h100": ["--target", "axolotl==0.18.0", "--gpus", "8", "--gpu", "h100"],
    "0.12.2-8": ["--target", "axolotl==0.12.2", "--gpus", "8"],
    "0.8.1": ["--target", "axolotl==0.8.1"],
}
#: Files of one run: the report is one object, and a command line has a limit.
BATCH = 200
_SUFFIXES = (".yml", ".yaml")


def run(arguments: list[str], folder: Path, *, hidden: Path | None = None) -> str:
    """What the command prints on standard output, and its exit code.

    Args:
        hidden: a folder whose path must not be part of the record.
    """
    # An installed copy must not answer for this checkout.
    own = {"COLUMNS": "100", "NO_COLOR": "1", "PYTHONPATH": str(ROOT / "src")}
    environment = {**os.environ, **own}
    done = subprocess.run(
        [sys.executable, "-m", "cfglint", *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    said = f"{done.stdout}\nexit code {done.returncode}\n{done.stderr}"
    return said if hidden is None else said.replace(str(hidden), "FOLDER")


def folder_records(folder: Path) -> Iterator[tuple[str, str]]:
    """(name, what is said) for the files of a folder, batch by batch."""
    paths = sorted(
        str(path.relative_to(folder)) for path in folder.rglob("*") if path.suffix in _SUFFIXES
    )
    for name, options in TARGETS.items():
        for start in range(0, len(paths), BATCH):
            part = paths[start : start + BATCH]
            label = f"{folder.name}-{name}-{start}"
            yield f"{label}.json", run(["--format", "json", *options, "--", *part], folder)
            if name == "newest":
                yield f"{label}.txt", run(["--isolated", *options, "--", *part], folder)
                diff = ["--diff", "--unsafe-fixes", *options, "--", *part]
                yield f"{label}.diff", run(diff, folder)


def example_records(rules: Path) -> Iterator[tuple[str, str]]:
    """(name, what is said) for the examples of each target.

    The examples of one target are checked in one run, each in a folder of its own.
    """
    by_target: dict[tuple[str, ...], list[tuple[str, Example]]] = {}
    usual = fallback("yaml")
    for file in load_rules(rules):
        # A shared rule is there once for each framework that has it.
        of = "" if file.rule.framework in ("any", usual) else f"{file.rule.framework}-"
        for number, example in enumerate(file.rule.examples, 1):
            sweep = ["--sweep", "sweep.yml"] if file.rule.check == "sweep" else []
            key = (*_options(example), *sweep)
            by_target.setdefault(key, []).append((f"{file.rule.code}-{of}{number}", example))
    for position, (options, examples) in enumerate(sorted(by_target.items())):
        with tempfile.TemporaryDirectory() as temporary:
            base = Path(temporary)
            paths = [_written(base / name, example) for name, example in examples]
            for start in range(0, len(paths), BATCH):
                part = [str(path.relative_to(base)) for path in paths[start : start + BATCH]]
                if "--sweep" in options:
                    said = "".join(
                        run(["--format", "json", *options, Path(p).name], (base / p).parent)
                        for p in part
                    )
                else:
                    said = run(["--format", "json", *options, "--", *part], base, hidden=base)
                yield f"examples-{position:03}-{start}.json", f"{' '.join(options)}\n{said}"


def _options(example: Example) -> tuple[str, ...]:
    out: list[str] = []
    for name, value in example.target.items():
        if name in ("gpus", "gpu"):
            out += [f"--{name}", str(value)]
        else:
            operator = "" if str(value).startswith("@") else "=="
            out += ["--target", f"{name}{operator}{value}"]
    return tuple(out)


def _written(folder: Path, example: Example) -> Path:
    """The example's file, with the files around it, in a folder that ends the search for more."""
    folder.mkdir()
    (folder / ".git").mkdir()
    for name, content in prepare_files(example).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.data)
    config = folder / "train.yml"
    config.write_bytes(prepare(example).data)
    return config


def main(arguments: list[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="record", description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("folders", type=Path, nargs="*")
    parser.add_argument("--rules", type=Path, default=ROOT / "rules")
    options = parser.parse_args(arguments)
    options.out.mkdir(parents=True, exist_ok=True)
    for folder in options.folders:
        for name, said in folder_records(folder.resolve()):
            (options.out / name).write_text(said, encoding="utf-8")
    for name, said in example_records(options.rules):
        (options.out / name).write_text(said, encoding="utf-8")
    print(f"{len(list(options.out.iterdir()))} records in {options.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
