"""Random command lines over small hostile projects: every command, every kind of file.

    python -m tools.campaigns.commands [--inputs 5000] [--seed 0] [--jobs 2] [--keep FOLDER]

A project is an example of a rule with the files beside it, or a script, a program or a notebook that
starts a run, with made-up settings, locks and logs. One to three of its files are mutated as text, or get
a value of a type that does not belong there. For every
command line must hold: exit code 0, 1 or 2, no exception, no failed rule, no file changed unless it was
asked for, less than two seconds of CPU time and 250 MB. Exit code 1 when something did not hold.
"""

from __future__ import annotations

import argparse
import io
import multiprocessing
import random
import resource
import shutil
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple
from unittest import mock

from cfglint.cli import main as cfglint
from cfglint.cli.options import FORMATS
from cfglint.knowledge.compiling.examples import prepare, prepare_files
from cfglint.knowledge.compiling.loading import load_rules
from tools.campaigns.fuzz import mutated
from tools.campaigns.run_files import log, script_program_or_notebook
from tools.current_folder import inside

#: Seconds of CPU time.
SLOW = 2.0
#: In kB, for the whole process.
LARGE = 250_000
#: In bytes; larger examples are about size, and have campaigns of their own.
_MAX_SEED = 20_000
#: Values of every type that YAML and JSON have, written so that both take most of them.
ODD = (
    *("null", "true", "0", "-1", "1e400", "0.1", '""', '"x"', "[]", "{}", "[[]]", '{"a": null}'),
    *(
        "2025-03-01",
        "2025-03-01 10:00:00",
        "12:30",
        "!!binary aGk=",
        "!!set {a, b}",
        "0x1f",
        ".nan",
    ),
    *(
        "[1, two, null]",
        '{"a": {"b": [1]}}',
        '"\\u202e"',
        "*x",
        "&x 1",
        "? [a]",
        "${a}",
        "${oc.env:X}",
    ),
    *("{2025-03-01: 1}", "{1: 2}", "{true: x}", "[2025-03-01]", "9" * 400, '"' + "k" * 2000 + '"'),
    *(
        "[" * 60 + "]" * 60,
        "//host/share/x.json",
        "..",
        "/",
        "~",
        "a\\b",
        "!!python/name:os.system x",
    ),
)
#: Two releases of the same package.
_RELEASES = (
    ("axolotl==0.8.1", "axolotl==0.21.0"),
    ("trl==0.15.2", "trl==1.16.0"),
    ("llamafactory==0.9.1", "llamafactory==0.9.5"),
)
#: The name of a project's log.
LOG = "run.log"
_EXTRA = {
    "cfglint.toml": 'select = ["KEY"]\nexclude = ["*.bak"]\n[per-file-ignores]\n"a*" = ["TYP"]\n',
    "requirements.txt": "torch==2.6.0\ntransformers>=4.50\ntrl==0.19.1\naxolotl==0.12.2\n",
    "pyproject.toml": '[project]\nname = "x"\ndependencies = ["trl==0.24.0"]\n[tool.cfglint]\n',
    "run.sh": "export N=4\naccelerate launch --num_processes $N -m axolotl.cli.train train.yml\n",
    "uv.lock": 'version = 1\n[[package]]\nname = "trl"\nversion = "0.24.0"\n',
    "config.json": '{"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 2}\n',
    "dataset_info.json": '{"a": {"file_name": "a.json", "formatting": "sharegpt"}}\n',
    "accelerate.yaml": "compute_environment: LOCAL_MACHINE\ndistributed_type: FSDP\nnum_processes: 8\n",
}


class Project(NamedTuple):
    """The files of a small project; the first one is what commands are about."""

    config: str
    files: dict[str, bytes]


class Failure(NamedTuple):
    """A command line that broke a promise, and on which files."""

    problem: str
    words: tuple[str, ...]
    project: Project


def projects(rules: Path) -> list[Project]:
    """A project for each example of a rule that is not large."""
    found = []
    for file in load_rules(rules):
        for example in file.rule.examples:
            data, _ = prepare(example)
            others = {name: content.data for name, content in prepare_files(example).items()}
            if len(data) + sum(map(len, others.values())) < _MAX_SEED:
                config = example.named or "train.yml"
                found.append(Project(config, {config: data, **others}))
    return found


def command_line(rng: random.Random, config: str) -> tuple[str, ...]:
    """Words behind `cfglint`."""
    target = rng.choice(
        ((), ("--target", "axolotl==0.8.1"), ("--target", "trl==0.24.0"), ("--gpus", "4"))
    )
    return rng.choice(
        (
            (config, "--format", rng.choice(FORMATS), *target),
            (".", "--format", rng.choice(FORMATS), *target),
            (config, "--fix", *target),
            (config, "--fix", "--unsafe-fixes"),
            (config, "--diff", "--unsafe-fixes", *target),
            (config, "--add-ignores"),
            (config, "--write-baseline", "--baseline", "known.json"),
            (".", "--statistics"),
            ("effective", config, *target),
            ("effective", config, "--format", "json"),
            ("fit", config, *target, "--gpu", "h100"),
            ("fit", config, "--format", "json"),
            ("effective", config, "--compare", *rng.choice(_RELEASES)),
            ("migrate", config, "--to", rng.choice(_RELEASES)[1]),
            (
                *("migrate", config, "--to", rng.choice(_RELEASES)[1]),
                *("--unsafe-fixes", "--partial", "--write"),
            ),
            (config, "--sweep", rng.choice(("train.yml", "accelerate.yaml", "config.json"))),
            ("diagnose", LOG),
            ("diagnose", LOG, "--format", "json"),
            ("diagnose", LOG, config, *target),
            ("diagnose", config),
            ("settings", config),
            ("init",),
        )
    )


def mutated_project(rng: random.Random, project: Project, texts: list[str]) -> Project:
    """The project with other files beside it, and some files changed."""
    config = project.config
    files = dict(project.files)
    if rng.random() < 0.25:
        config, text = script_program_or_notebook(rng)
        files[config] = text.encode()
    files[LOG] = log(rng, config).encode("utf-8", "surrogatepass")
    for name in rng.sample(sorted(_EXTRA), rng.randint(0, 3)):
        files.setdefault(name, _EXTRA[name].encode())
    changed = rng.sample(sorted(files), rng.randint(1, min(len(files), 3)))
    if config == project.config and config not in changed:
        changed.append(config)
    for name in changed:
        text = files[name].decode("utf-8", "replace")
        seeds = [text, *texts] if name.endswith((".yml", ".yaml")) else [text]
        files[name] = with_odd_value(rng, text) if rng.random() < 0.5 else mutated(rng, seeds)
    return Project(config, files)


def with_odd_value(rng: random.Random, text: str) -> bytes:
    """The text with another value behind the colon, or the equals sign, of a line."""
    lines = text.split("\n")
    places = [at for at, line in enumerate(lines) if ":" in line or "=" in line]
    for at in rng.sample(places, min(len(places), rng.randint(1, 3))):
        line = lines[at]
        split = line.find(":") if ":" in line else line.find("=")
        end = "," if line.rstrip().endswith(",") else ""
        lines[at] = f"{line[: split + 1]} {rng.choice(ODD)}{end}"
    return "\n".join(lines).encode("utf-8", "surrogatepass")


def problem(words: tuple[str, ...], project: Project, folder: Path) -> str | None:
    """What does not hold for a command line on a project, which is laid out in a folder."""
    _lay_out(project, folder)
    out = _Kept()
    err = _Kept()
    code: object = 0
    start = time.process_time()
    with (
        inside(folder),
        mock.patch.object(sys, "stdin", _stream(io.BytesIO())),
        mock.patch.object(sys, "stdout", _stream(out)),
        mock.patch.object(sys, "stderr", _stream(err)),
    ):
        try:
            cfglint(list(words))
        except SystemExit as stop:
            code = stop.code
        except BaseException as error:
            frames = traceback.extract_tb(error.__traceback__)
            last = frames[-1]
            return f"{type(error).__name__} in {Path(last.filename).name}:{last.lineno}: {error!s:.200}"
        sys.stdout.flush()
        sys.stderr.flush()
    took = time.process_time() - start
    if code not in (None, 0, 1, 2):
        return f"exit code {code}"
    if b"CFG003" in out.getvalue():
        return f"a rule failed: {_line_of(out.getvalue(), b'CFG003')}"
    if took > SLOW:
        return f"{took:.1f} s of CPU time"
    writes = {"--fix", "--add-ignores", "--write"} & set(words)
    changed = [name for name, data in project.files.items() if (folder / name).read_bytes() != data]
    return f"changed {', '.join(changed)}" if changed and not writes else None


class _Kept(io.BytesIO):
    """What was written stays readable when the stream over it is gone."""

    def close(self) -> None:
        pass


def _stream(raw: io.BytesIO) -> io.TextIOWrapper:
    return io.TextIOWrapper(raw, "utf-8", "backslashreplace")


def _line_of(output: bytes, part: bytes) -> str:
    line = next(line for line in output.splitlines() if part in line)
    at = line.index(part)
    return line[max(0, at - 100) : at + 300].decode("utf-8", "replace")


def _lay_out(project: Project, folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    (folder / ".git").mkdir(parents=True)
    for name, data in project.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)


def trial(rules: Path, seed: int, inputs: int) -> Iterator[Failure | tuple[str, ...]]:
    """The command lines of one worker: those that hold as their words, the others as failures."""
    rng = random.Random(seed)
    seeds = projects(rules)
    texts = [one.files[one.config].decode("utf-8", "replace") for one in rng.sample(seeds, 200)]
    with tempfile.TemporaryDirectory(prefix="cfglint-") as top:
        folder = Path(top, "project")
        for _ in range(inputs):
            project = mutated_project(rng, rng.choice(seeds), texts)
            words = command_line(rng, project.config)
            found = problem(words, project, folder)
            yield words if found is None else Failure(found, words, project)


def _work(task: tuple[Path, int, int]) -> tuple[Counter[str], list[Failure]]:
    counts: Counter[str] = Counter()
    failures = []
    for outcome in trial(*task):
        if isinstance(outcome, Failure):
            failures.append(outcome)
            continue
        counts[outcome[0] if "." not in outcome[0] else "check"] += 1
        # Of a process that has done nothing else.
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        if memory > LARGE:
            failures.append(Failure(f"{memory // 1000} MB", outcome, Project("", {})))
            break
    return counts, failures


def run(rules: Path, inputs: int, seed: int, jobs: int) -> tuple[Counter[str], list[Failure]]:
    """Try so many command lines in several processes."""
    # Short tasks: what one process keeps in memory does not add up over the whole campaign.
    share = 250
    tasks = [(rules, seed * 1_000_003 + number, share) for number in range(-(-inputs // share))]
    counts: Counter[str] = Counter()
    failures: list[Failure] = []
    with multiprocessing.get_context("spawn").Pool(jobs, maxtasksperchild=4) as pool:
        for done, failed in pool.imap_unordered(_work, tasks):
            counts.update(done)
            failures += failed
    return counts, failures


def main(arguments: Iterable[str] | None = None) -> int:
    """Run the campaign from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--inputs", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", type=Path, help="where projects of failures are written")
    asked = parser.parse_args(None if arguments is None else list(arguments))
    counts, failures = run(Path("rules"), asked.inputs, asked.seed, asked.jobs)
    kinds = Counter(failure.problem for failure in failures)
    for number, (kind, count) in enumerate(kinds.most_common()):
        first = next(failure for failure in failures if failure.problem == kind)
        print(f"{count} x {kind}\n    cfglint {' '.join(first.words)}")
        if asked.keep is not None:
            _lay_out(first.project, asked.keep / str(number))
    held = ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))
    print(f"{sum(counts.values())} held ({held}), {len(failures)} did not")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
