"""Slips in real files: does the diagnosis name the line and the cause, and is its fix right?

    python -m tools.campaigns.slips FOLDER... [--slips 2000] [--seed 0] [--jobs 2]

Every YAML file below the folders that PyYAML reads as a mapping gets slips at random places, one
at a time. Where a slip goes is decided by PyYAML's own tokens of the unharmed file, so the true
line and the true cause are known without the diagnosis. A slip that leaves the value as it was
does not count. Exit code 1 when a bar is missed: the right line in 97 % and the right cause in
95 % of the files that can no longer be loaded, and no safe fix that gives another value than the
unharmed file has.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from cfglint.engine.case import Case
from cfglint.engine.fixing import fix_source
from cfglint.engine.lint import lint_source
from cfglint.engine.settings.selection import Selection
from cfglint.environment.building import build_environment
from cfglint.environment.environment import Environment
from cfglint.frameworks.axolotl.framework import Axolotl
from cfglint.source.languages.yaml import compose
from cfglint.source.problems import SourceError
from cfglint.source.text import SourceText
from tools.campaigns.corpus import REFUSALS, same, yaml_files

MAX_CHARS = 60_000
#: How often the files are gone through for slips that have few places.
_ROUNDS = 50
LINE_BAR = 0.97
CAUSE_BAR = 0.95

#: What the diagnosis may call each slip.
CAUSES: dict[str, frozenset[str]] = {
    "colon lost": frozenset({"missing-colon"}),
    "space after colon lost": frozenset({"missing-space"}),
    "= for :": frozenset({"equals-sign"}),
    "one space more": frozenset({"indentation"}),
    "one space fewer": frozenset({"indentation"}),
    "dash lost": frozenset({"missing-dash"}),
    "dash doubled": frozenset({"double-dash"}),
    "tab": frozenset({"tab"}),
    "open quote": frozenset({"open-quote"}),
    "open bracket": frozenset({"open-bracket"}),
    "text after quote": frozenset({"text-after-quote"}),
    "conflict marker": frozenset({"conflict-marker"}),
    "shell line": frozenset({"shell-line"}),
    "curly quotes": frozenset({"curly-quotes"}),
    "backslash in quotes": frozenset({"backslash"}),
}
#: Rules that tell of a slip in a file that still loads.
_LOADED_RULES = {
    "curly quotes": frozenset({"typographic-character"}),
}
#: The rules that can tell of a slip.
_READING = Selection(
    select=(
        "yaml-syntax-error",
        "tab-in-yaml",
        "unterminated-quote",
        "root-not-mapping",
        "typographic-character",
        "joined-line",
    )
)
_SHELL_LINES = (
    "$ axolotl train config.yml",
    "accelerate launch -m axolotl.cli.train config.yml",
    "CUDA_VISIBLE_DEVICES=0,1 python train.py --config config.yml",
    "export WANDB_PROJECT=llama",
    "pip install -U flash-attn --no-build-isolation",
    "cd /workspace/axolotl && axolotl train config.yml",
    "torchrun --nproc_per_node 8 train.py config.yml",
    "llamafactory-cli train examples/train_lora.yaml",
    "(venv) user@box:~/runs$ python -m trl sft --config sft.yaml",
    "root@7f3a:/workspace# nvidia-smi",
    "huggingface-cli login --token $HF_TOKEN",
    "deepspeed --num_gpus=4 train.py --deepspeed ds.json",
    "uv run axolotl preprocess config.yml",
    "git clone https://github.com/example/configs.git",
    "docker run --gpus all -it axolotl",
    "mkdir -p outputs/run1",
    "sbatch run_train.slurm",
    "./run.sh --debug",
    "tmux new -s train",
    "rm -rf ./last_run_prepared",
)
_TAILS = (" v2", " (old)", "-test", " and more", "/latest", " or 'other'", "x", " 3", " see below")
_WINDOWS_PATHS = (r"C:\Users\me\out", r"D:\data\train.jsonl", r"E:\models\Qwen3", r"..\data\mixed")


class Slip(NamedTuple):
    """One slip: the text with it, where it is (lines from 1), and the text that was meant."""

    kind: str
    text: str
    line: int
    meant: str


class Verdict(NamedTuple):
    """What was said about one slip.

    `fix`: "" without one, else "safe" or "unsafe"; `fixed`: whether it gives the value that was
    meant.
    """

    kind: str
    loads: bool
    said: bool
    line: bool
    cause: bool
    fix: str
    fixed: bool
    detail: str


# --------------------------------------------------------------------------- the slips


class Places(NamedTuple):
    """The places of a file that can be harmed, as offsets from PyYAML's tokens."""

    text: str
    #: Colons after keys in block mappings.
    colons: list[int]
    #: Dashes of block lists.
    dashes: list[int]
    #: The first tokens of lines, in block context.
    starts: list[int]
    #: (start, end, whether it is a value in block context) of quoted scalars on one line.
    quoted: list[tuple[int, int, bool]]
    #: (offset of the opening, offset of the closing) of flow collections.
    flows: list[tuple[int, int]]
    #: (start, end) of plain values in block mappings.
    plain: list[tuple[int, int]]
    #: Starts of lines that lie in no scalar and no flow collection of several lines.
    boundaries: list[int]

    def line(self, offset: int) -> int:
        """The line (from 1) of an offset."""
        return self.text.count("\n", 0, offset) + 1

    def line_start(self, offset: int) -> int:
        """Where the line of an offset begins."""
        return self.text.rfind("\n", 0, offset) + 1


def places(text: str) -> Places:
    """Where a text can be harmed."""
    found = Places(text, [], [], [], [], [], [], [])
    open_flows: list[int] = []
    inside: list[tuple[int, int]] = []
    after_value = False
    token: Any
    for token in yaml.scan(text, Loader=yaml.SafeLoader):
        start, end = token.start_mark.index, token.end_mark.index
        first = not text[found.line_start(start) : start].strip()
        kind = type(token)
        if kind in (yaml.FlowSequenceStartToken, yaml.FlowMappingStartToken):
            open_flows.append(start)
        elif kind in (yaml.FlowSequenceEndToken, yaml.FlowMappingEndToken):
            found.flows.append((open_flows.pop(), start))
            if not open_flows:
                inside.append((found.flows[-1][0], end))
        elif kind is yaml.ValueToken and not open_flows and end > start:
            found.colons.append(start)
        elif kind is yaml.BlockEntryToken and end > start:
            found.dashes.append(start)
        elif kind is yaml.ScalarToken:
            inside.append((start, end))
            one_line = "\n" not in text[start:end]
            if token.style in ("'", '"') and one_line:
                found.quoted.append((start, end, after_value and not open_flows))
            elif token.plain and one_line and after_value and not open_flows and end > start:
                found.plain.append((start, end))
        begins = kind in (yaml.BlockEntryToken, yaml.ScalarToken) and end > start
        if first and begins and not open_flows:
            found.starts.append(start)
        if kind not in (yaml.AnchorToken, yaml.TagToken):
            after_value = kind is yaml.ValueToken
    starts = [0, *(index + 1 for index, char in enumerate(text) if char == "\n")]
    found.boundaries.extend(
        at for at in starts if at < len(text) and not any(one < at < two for one, two in inside)
    )
    return found


def _cut(text: str, start: int, end: int, put: str = "") -> str:
    return text[:start] + put + text[end:]


def _colon_lost(rng: random.Random, at: Places) -> Slip:
    offset = rng.choice(at.colons)
    return Slip("colon lost", _cut(at.text, offset, offset + 1), at.line(offset), at.text)


def _space_lost(rng: random.Random, at: Places) -> Slip | None:
    offset = rng.choice(at.colons)
    end = offset + 1
    while at.text[end : end + 1] == " ":
        end += 1
    if end == offset + 1 or at.text[end : end + 1] in ("", "\n", "\r", "#"):
        return None
    return Slip("space after colon lost", _cut(at.text, offset + 1, end), at.line(offset), at.text)


def _equals(rng: random.Random, at: Places) -> Slip:
    offset = rng.choice(at.colons)
    put = rng.choice(("=", " =", " = "))
    end = offset + 1 if at.text[offset + 1 : offset + 2] in ("\n", "\r") else offset + 2
    if put == "=" and rng.random() < 0.5:
        end = offset + 1  # `key= value`
    if put == " =":
        end = offset + 1
    return Slip("= for :", _cut(at.text, offset, end, put), at.line(offset), at.text)


def _more(rng: random.Random, at: Places) -> Slip:
    offset = rng.choice(at.starts)
    return Slip("one space more", _cut(at.text, offset, offset, " "), at.line(offset), at.text)


def _fewer(rng: random.Random, at: Places) -> Slip | None:
    offset = rng.choice(at.starts)
    if at.text[offset - 1 : offset] != " ":
        return None
    return Slip("one space fewer", _cut(at.text, offset - 1, offset), at.line(offset), at.text)


def _dash_lost(rng: random.Random, at: Places) -> Slip | None:
    if not at.dashes:
        return None
    offset = rng.choice(at.dashes)
    how = rng.random()
    if how < 0.4:
        text = _cut(at.text, offset, offset + 1, " ")
    elif how < 0.6:
        text = _cut(at.text, offset, offset + 1)
    else:
        end = offset + 1
        while at.text[end : end + 1] == " ":
            end += 1
        text = _cut(at.text, offset, end)
    return Slip("dash lost", text, at.line(offset), at.text)


def _dash_doubled(rng: random.Random, at: Places) -> Slip | None:
    if not at.dashes:
        return None
    offset = rng.choice(at.dashes)
    put = rng.choice(("-", "- "))
    return Slip("dash doubled", _cut(at.text, offset, offset, put), at.line(offset), at.text)


def _tab(rng: random.Random, at: Places) -> Slip | None:
    if rng.random() < 0.4:
        offset = rng.choice(at.colons)
        if at.text[offset + 1 : offset + 2] != " ":
            return None
        text = _cut(at.text, offset + 1, offset + 2, "\t")
    else:
        offset = rng.choice(at.starts)
        start = at.line_start(offset)
        if offset == start:
            return None
        width = rng.choice((2, 4, 8))
        count = max(1, (offset - start) // width)
        if rng.random() < 0.5:
            text = _cut(at.text, start, offset, "\t" * count)
        else:
            text = _cut(at.text, offset - 1, offset, "\t")
    return Slip("tab", text, at.line(offset), at.text)


def _open_quote(rng: random.Random, at: Places) -> Slip | None:
    if not at.quoted:
        return None
    start, end, _ = rng.choice(at.quoted)
    return Slip("open quote", _cut(at.text, end - 1, end), at.line(start), at.text)


def _open_bracket(rng: random.Random, at: Places) -> Slip | None:
    if not at.flows:
        return None
    start, end = rng.choice(at.flows)
    return Slip("open bracket", _cut(at.text, end, end + 1), at.line(start), at.text)


def _after_quote(rng: random.Random, at: Places) -> Slip | None:
    values = [(start, end) for start, end, value in at.quoted if value]
    if not values:
        return None
    start, end = rng.choice(values)
    text = _cut(at.text, end, end, rng.choice(_TAILS))
    return Slip("text after quote", text, at.line(start), at.text)


def _conflict(rng: random.Random, at: Places) -> Slip:
    lines = at.text.splitlines(keepends=True)
    first = rng.choice(at.boundaries)
    number = at.line(first) - 1
    count = min(rng.randint(1, 3), len(lines) - number)
    ours = lines[number : number + count]
    if not ours[-1].endswith("\n"):
        ours[-1] += "\n"
    theirs = [line.replace("2", "3").replace("e", "a", 1) for line in ours][: rng.randint(0, 3)]
    base = ["||||||| 3f2a1bc\n", *ours] if rng.random() < 0.2 else []
    label = rng.choice(("main", "origin/main", "feature/lr-sweep", "8d2e4f1 (wip: sweep)"))
    whole = [
        *lines[:number],
        rng.choice(("<<<<<<< HEAD\n", "<<<<<<< Updated upstream\n")),
        *ours,
        *base,
        "=======\n",
        *theirs,
        f">>>>>>> {label}\n",
        *lines[number + count :],
    ]
    return Slip("conflict marker", "".join(whole), number + 1, at.text)


def _shell(rng: random.Random, at: Places) -> Slip:
    offset = rng.choice([*at.boundaries, len(at.text)])
    head = at.text[:offset]
    if head and not head.endswith("\n"):
        head += "\n"
    line = rng.choice(_SHELL_LINES)
    return Slip("shell line", f"{head}{line}\n{at.text[offset:]}", head.count("\n") + 1, at.text)


def _curly(rng: random.Random, at: Places) -> Slip | None:
    if not at.quoted:
        return None
    start, end, _ = rng.choice(at.quoted)
    pair = rng.choice(("“”", "‘’", "„“", "””"))  # noqa: RUF001
    if rng.random() < 0.4:
        pair = at.text[start] + pair[1]
    text = at.text[:start] + pair[0] + at.text[start + 1 : end - 1] + pair[1] + at.text[end:]
    return Slip("curly quotes", text, at.line(start), at.text)


def _backslash(rng: random.Random, at: Places) -> Slip | None:
    if not at.plain:
        return None
    start, end = rng.choice(at.plain)
    path = rng.choice(_WINDOWS_PATHS)
    tail = rng.choice(("", "", "\\"))
    return Slip(
        "backslash in quotes",
        _cut(at.text, start, end, f'"{path}{tail}"'),
        at.line(start),
        _cut(at.text, start, end, f"'{path}{tail}'"),
    )


#: Each slip and how it is made; the two lists have the same order.
MAKERS: dict[str, Callable[[random.Random, Places], Slip | None]] = dict(
    zip(
        CAUSES,
        (
            _colon_lost, _space_lost, _equals, _more, _fewer, _dash_lost, _dash_doubled, _tab,
            _open_quote, _open_bracket, _after_quote, _conflict, _shell, _curly, _backslash,
        ),
        strict=True,
    )
)  # fmt: skip


# --------------------------------------------------------------------------- the judgement


def load(text: str) -> tuple[bool, Any]:
    """Whether `yaml.safe_load` reads a text, and what it reads."""
    try:
        return True, yaml.load(text, Loader=yaml.SafeLoader)
    except REFUSALS:
        return False, None


@lru_cache(maxsize=1)
def _tools() -> tuple[Axolotl, Environment]:
    framework = Axolotl()
    return framework, build_environment(framework.releases)


def judge(slip: Slip, loads: bool, meant: Any) -> Verdict:
    """What is said about a slip, and whether it is right."""
    framework, target = _tools()
    source = SourceText(slip.text)
    found = lint_source(source, Case.of_text(framework, target, _READING)).diagnostics
    wanted = CAUSES[slip.kind]
    cause = None
    try:
        compose(source)
    except SourceError as error:
        cause = error.cause
    if cause is None:
        names = _LOADED_RULES.get(slip.kind, frozenset()) | {"joined-line"}
        found = [each for each in found if each.name in names]
    said = found[0] if found else None
    line = said is not None and source.position(said.span.start).line == slip.line
    right = said is not None and (cause in wanted if cause is not None else line)
    offered = said.fixes[0] if said is not None and said.fixes else None
    fix = offered.safety if offered is not None and offered.edits else ""
    fixed = False
    if said is not None and fix:
        outcome = fix_source(
            source,
            Case.of_text(framework, target, Selection(select=(said.code,))),
            unsafe=fix == "unsafe",
        )
        fixed = outcome.source.text != slip.text and same(load(outcome.source.text)[1], meant)
    at = source.position(said.span.start).line if said is not None else 0
    detail = f"{cause} at line {at}: {said.message if said is not None else 'nothing'}"
    return Verdict(slip.kind, loads, said is not None, line, right, fix, fixed, detail)


def run_file(task: tuple[str, str, int]) -> tuple[Verdict, str, int, str] | None:
    """One slip of a kind in a file: verdict, file, line, and the harmed text."""
    name, kind, seed = task
    rng = random.Random(f"{seed}:{name}:{kind}")
    read = _file(name)
    if read is None:
        return None
    slip = MAKERS[kind](rng, read)
    if slip is None:
        return None
    loads, harmed = load(slip.text)
    meant = load(slip.meant)[1]
    if loads and same(harmed, meant):
        return None
    return judge(slip, loads, meant), name, slip.line, slip.text


@lru_cache(maxsize=2048)
def _file(name: str) -> Places | None:
    """Where a file can be harmed; None for one that is not a readable mapping."""
    try:
        text = Path(name).read_bytes().decode()
        value = yaml.load(text, Loader=yaml.SafeLoader)
    except (*REFUSALS, UnicodeDecodeError):
        return None
    if not isinstance(value, dict) or len(text) > MAX_CHARS or not value or "\r" in text:
        return None
    at = places(text)
    return at if at.colons and at.starts else None


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:6.1f}" if whole else "     -"


def report(verdicts: Sequence[Verdict]) -> bool:
    """Print the tables; whether every bar is met."""
    met = True
    for loads, title in ((False, "can no longer be loaded"), (True, "loads as something else")):
        rows = [each for each in verdicts if each.loads is loads]
        print(f"\n{len(rows)} slips after which the file {title}")
        print(
            f"{'slip':24}{'n':>6}{'said':>6}{'line %':>8}{'cause %':>8}"
            f"{'safe fix':>10}{'right':>7}{'unsafe':>8}{'right':>7}"
        )
        for kind in (*CAUSES, "all"):
            part = [each for each in rows if kind in (each.kind, "all")]
            if not part:
                continue
            lines = sum(each.line for each in part)
            causes = sum(each.line and each.cause for each in part)
            said = sum(each.said for each in part)
            fixes = Counter((each.fix, each.fixed) for each in part)
            of = len(part) if not loads else said
            print(
                f"{kind:24}{len(part):6}{said:6}{_share(lines, of):>8}{_share(causes, of):>8}"
                f"{fixes['safe', True] + fixes['safe', False]:10}{fixes['safe', True]:7}"
                f"{fixes['unsafe', True] + fixes['unsafe', False]:8}{fixes['unsafe', True]:7}"
            )
            if kind == "all" and not loads:
                met &= lines >= LINE_BAR * len(part) and causes >= CAUSE_BAR * len(part)
        met &= not any(each.fix == "safe" and not each.fixed for each in rows)
    return met


def main() -> int:
    """Run the campaign and print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--slips", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--show", type=int, default=0, help="wrong cases to print")
    parser.add_argument("--only", default="", help="show wrong cases of this slip only")
    options = parser.parse_args()
    files = [path for _, path in yaml_files(options.folders)]
    if not files:
        print("no YAML files found")
        return 2
    started = time.monotonic()
    found: list[tuple[Verdict, str, int, str]] = []
    rng = random.Random(options.seed)
    share = -(-options.slips // len(MAKERS))
    with multiprocessing.Pool(options.jobs) as pool:
        for kind in MAKERS:
            # The same number of each, however rare the places for it are.
            missing = share
            for again in range(_ROUNDS):
                rng.shuffle(files)
                tasks = [(name, kind, options.seed * _ROUNDS + again) for name in files]
                # A few files at a time: enough of them have a place for most slips.
                for first in range(0, len(tasks), 2 * share):
                    made = pool.map(run_file, tasks[first : first + 2 * share], chunksize=8)
                    found += [each for each in made if each is not None][:missing]
                    missing = share - sum(each[0].kind == kind for each in found)
                    if not missing:
                        break
                if not missing:
                    break
    met = report([each[0] for each in found])
    print(f"\n{len(files)} files, {time.monotonic() - started:.0f} s")
    wrong = [each for each in found if _is_wrong(each[0]) and options.only in each[0].kind]
    for verdict, name, line, text in wrong[: options.show]:
        print(f"\nWRONG {verdict.kind} in {name}, line {line}; loads: {verdict.loads}")
        print(f"  said: {verdict.detail} [{verdict.fix} {verdict.fixed}]")
        for number, shown in _around(text, line):
            print(f"  {number:4} {'>' if number == line else ' '} {shown[:110]!r}")
    return 0 if met else 1


def _is_wrong(verdict: Verdict) -> bool:
    if verdict.loads and not verdict.said:
        return False
    return not (verdict.line and verdict.cause) or (verdict.fix == "safe" and not verdict.fixed)


def _around(text: str, line: int) -> Iterator[tuple[int, str]]:
    lines = text.split("\n")
    for number in range(max(1, line - 4), min(len(lines), line + 5) + 1):
        yield number, lines[number - 1]


if __name__ == "__main__":
    sys.exit(main())
