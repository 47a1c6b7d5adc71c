"""Compares `cfglint effective` with the configuration that a release really ends up with.

Only files that the release accepts count. The same facts go to both sides: the release, its
torch and transformers, and the GPUs.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from cfglint.answers.resolved.resolve import Effective, resolve
from cfglint.environment.building import build_environment
from cfglint.environment.environment import Environment
from cfglint.frameworks.axolotl.framework import Axolotl
from cfglint.source.document import format_path
from cfglint.source.languages.yaml import compose
from cfglint.source.problems import SourceError
from cfglint.source.text import SourceText
from tools.parity.environments import environment
from tools.parity.machine import add_options, machine_of
from tools.parity.release import ReleaseError, prepare
from tools.parity.report import say
from tools.parity.resolved import resolve as ask

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

#: The configuration that a release ends with; None when it refuses the file.
Answer = dict[str, Any] | None

#: What a file must reach, in per cent of the accepted files.
BAR = 99.0
#: Values that cfglint does not know, and why nobody can who has the file alone.
EXCLUDED = {
    "dataset_num_proc": "the number of CPU cores of the machine",
    "dataset_processes": "the number of CPU cores of the machine",
}
#: The caller of the validator sets it, whatever the file says.
_SET_BY_CALLER = "axolotl_config_path"
_EXAMPLES = 3


class Difference(NamedTuple):
    """A value that is not the same on both sides; None where there is none."""

    path: str
    ours: Any
    theirs: Any

    @property
    def key(self) -> str:
        """The path without positions in lists."""
        parts = self.path.split("[")
        return parts[0] + "".join("[]" + part.partition("]")[2] for part in parts[1:])


def main(arguments: Sequence[str]) -> int:
    """Run the comparison."""
    options = _parser().parse_args(arguments)
    files = list(_files(options.folders))
    worst = 100.0
    answers: dict[str, list[Answer]] = {}
    try:
        for release in options.release:
            share, answers[release] = _compare(release, files, options)
            worst = min(worst, share)
    except ReleaseError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    if options.record is not None:
        names = [file.name for file in files]
        options.record.write_text(dump(names, answers), encoding="utf-8")
    return int(worst < BAR)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tools.parity effective", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, help="YAML files, or folders of them")
    parser.add_argument("--release", action="append", required=True, metavar="VERSION")
    parser.add_argument("--wheels", type=Path, help="a folder with wheels and source archives")
    add_options(parser)
    parser.add_argument("--torch", metavar="VERSION", help="the torch that the run would have")
    parser.add_argument("--python", action="append", default=[], help="a Python to try first")
    parser.add_argument("--cache", type=Path, required=True, help="for what is built")
    parser.add_argument("--every-file", action="store_true", help="name all files that differ")
    parser.add_argument("--record", type=Path, help="write the releases' answers to this file")
    return parser


def _files(folders: Sequence[Path]) -> Iterator[Path]:
    for folder in folders:
        if folder.is_file():
            yield folder
        else:
            yield from sorted(p for p in folder.rglob("*") if p.suffix in {".yml", ".yaml"})


def _compare(
    version: str, files: Sequence[Path], options: argparse.Namespace
) -> tuple[float, list[Answer]]:
    """Compare all files with one release and print what is found.

    Returns:
        the share that is equal, and the release's answers
    """
    machine = machine_of(options)
    release = prepare(version, options.wheels, options.cache, options.torch)
    python = environment(release, options.cache, options.python)
    theirs = ask(release, python, files, machine, options.cache / "resolved")
    framework = Axolotl()
    target = build_environment(
        framework.releases,
        pins=(f"axolotl=={version}", *release.told()),
        gpus=machine.gpus,
        gpu=machine.gpu,
    )
    accepted = 0
    differing: dict[Path, list[Difference]] = {}
    for file, config in zip(files, theirs, strict=True):
        if config is not None:
            accepted += 1
            found = differences(file.read_bytes(), config, framework, target)
            if found:
                differing[file] = found
    share = 100 * (accepted - len(differing)) / accepted if accepted else 100.0
    equal = accepted - len(differing)
    say(f"{version:10}{accepted:6} accepted{equal:6} equal  {share:6.2f} %")
    _report(differing, every_file=options.every_file)
    return share, theirs


def differences(
    data: bytes, theirs: dict[str, Any], framework: Axolotl, target: Environment
) -> list[Difference]:
    """Where cfglint's answer about a file is not the release's."""
    try:
        document = compose(SourceText.from_bytes(data))
    except SourceError as error:
        return [Difference("(the file)", str(error), "read")]
    found = resolve(document, framework, target)
    left = _excluded(found)
    ours = {path: value for path, value in leaves(found.data) if path not in left}
    real = {path: value for path, value in leaves(theirs) if path not in left}
    return [
        Difference(path, ours.get(path), real.get(path))
        for path in sorted(ours.keys() | real.keys())
        if _text(ours.get(path)) != _text(real.get(path))
    ]


def _excluded(found: Effective) -> set[str]:
    unknown = {format_path(one.path) for one in found.undecided}
    return (unknown & EXCLUDED.keys()) | {_SET_BY_CALLER}


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Dotted paths and the values that are not made of others."""
    if isinstance(value, dict) and (value or not path):
        for key, item in value.items():
            yield from leaves(item, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list) and any(isinstance(item, (dict, list)) for item in value):
        for index, item in enumerate(value):
            yield from leaves(item, f"{path}[{index}]")
    else:
        yield path, value


def _text(value: Any) -> str:
    """Values are the same when they are so in JSON: 1 is neither true nor 1.0."""
    return json.dumps(value, sort_keys=True, default=str)


def dump(names: Sequence[str], answers: dict[str, list[Answer]]) -> str:
    """Answers for later: the first file's whole, of the others what differs from it."""
    out: dict[str, Any] = {}
    for release, configs in answers.items():
        flat = [None if config is None else dict(leaves(config)) for config in configs]
        first = flat[0] or {}
        out[release] = {"first": first}
        for name, one in zip(names[1:], flat[1:], strict=True):
            if one is not None:
                changed = {
                    k: v for k, v in one.items() if k not in first or _text(first[k]) != _text(v)
                }
                gone = [key for key in first if key not in one]
                out[release][name] = {"changed": changed, "gone": gone}
    rows = [
        f'"{release}": {{\n'
        + ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in part.items())
        for release, part in out.items()
    ]
    return "{\n" + "\n},\n".join(rows) + "\n}\n}\n"


def _report(differing: dict[Path, list[Difference]], *, every_file: bool) -> None:
    counts: Counter[str] = Counter()
    examples: dict[str, list[tuple[Path, Difference]]] = defaultdict(list)
    for file, found in differing.items():
        for one in found:
            counts[one.key] += 1
            examples[one.key].append((file, one))
    for key, count in counts.most_common():
        say(f"  {count:5}  {key}")
        for file, one in examples[key] if every_file else examples[key][:_EXAMPLES]:
            say(f"           {_text(one.ours)[:60]} should be {_text(one.theirs)[:60]}  {file}")
