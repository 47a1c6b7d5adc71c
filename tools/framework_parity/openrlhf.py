"""OpenRLHF's own programs against cfglint: scripts of a release, of other people, and generated ones.

    python -m tools.framework_parity.openrlhf RELEASE_FOLDER --release 0.9.0 --scripts FOLDER
    python -m tools.framework_parity.openrlhf RELEASE_FOLDER --release 0.9.0 --generate 500 --seed 1

bash splits generated scripts and those of releases into words; the scripts of other people (`--foreign`) are not run,
and the words are those that cfglint finds. A command with words that are not known is left out.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cfglint.roles.framework import load_framework
from tools.framework_parity import scripts
from tools.framework_parity.verdicts import is_refusal

_WORKER = Path(__file__).parent / "worker" / "openrlhf_programs.py"
_STAND_INS = ("deepspeed", "python", "python3", "torchrun", "ray", "accelerate")
_MODULES = "openrlhf.cli."
#: Asserted by `DeepspeedStrategy`, which is a stand-in here.
_BEHIND = frozenset({"ORL734"})
_VALUES = {
    "int": ("1", "2", "8", "-1", "0", "x", "1.5", "1_000", "1e3", ""),
    "float": ("1e-6", "0", "0.5", "-2", "x", "inf", "1"),
    "str": ("a", "a b", "./x", "-1", "0.1,0.9"),
}


def by_bash(path: Path) -> tuple[str, list[str]] | None:
    """(program, its words) as bash finds them; None when the script starts none."""
    try:
        words = scripts.words_of(path, _STAND_INS)
    except (OSError, subprocess.TimeoutExpired):
        return None
    for at, word in enumerate(words):
        if word.startswith(_MODULES):
            return word.removeprefix(_MODULES), words[at + 1 :]
    return None


def generated(options: dict[str, Any], chance: random.Random) -> str:
    """A script with a few options of a program, some of which have something wrong."""
    program = chance.choice([name for name in sorted(options) if name.startswith("train")])
    rows = options[program]
    lines: list[str] = []
    words: list[str] = []
    for row in chance.sample(rows, chance.randrange(1, min(len(rows), 12))):
        option = row["option"]
        slip = chance.random()
        if slip < 0.03:
            option = option[: -chance.randrange(1, 4)]
        elif slip < 0.05:
            option += chance.choice(("x", "_", ".lr"))
        elif slip < 0.06:
            other = chance.choice([one for name in options for one in options[name]])
            option = other["option"]
        values = _values(row, chance)
        if len(values) == 1 and chance.random() < 0.15:
            words.append(scripts.quoted(f"{option}={values[0]}", lines, chance))
            continue
        words += [scripts.quoted(one, lines, chance) for one in (option, *values)]
    start = f"deepspeed --module {_MODULES}{program}"
    if chance.random() < 0.3:
        start = f"ray job submit --address=x -- python3 -m {_MODULES}{program}"
    return "\n".join([*lines, " \\\n  ".join([start, *words])]) + "\n"


def _values(row: dict[str, Any], chance: random.Random) -> list[str]:
    if row["nargs"] == 0:
        return [] if chance.random() < 0.97 else ["true"]
    count = row["nargs"] if isinstance(row["nargs"], int) else 1
    if row["nargs"] in ("*", "+"):
        count = chance.randrange(0, 3)
    if chance.random() < 0.03:
        count = max(0, count + chance.choice((-1, 1)))
    pool = row["choices"] or _VALUES.get(row["type"], _VALUES["str"])
    usual = list(pool[:3]) if row["type"] != "str" else list(pool)
    found = [chance.choice(usual if chance.random() < 0.9 else list(pool)) for _ in range(count)]
    return ["wrong"] * count if row["choices"] and chance.random() < 0.05 else found


def judged(release_folder: Path, rows: list[dict[str, Any]]) -> dict[str, str]:
    """File -> why the release refuses it; empty for one that it takes."""
    done = subprocess.run(
        [sys.executable, _WORKER, release_folder],
        input="".join(json.dumps(row) + "\n" for row in rows),
        check=True,
        capture_output=True,
        text=True,
    )
    found: dict[str, str] = {}
    for line in done.stdout.splitlines():
        row = json.loads(line)
        found[row["file"]] = found.get(row["file"]) or row["error"]
    return found


def ours(folder: Path, release: str) -> dict[str, list[str]]:
    """File -> the findings that say that the release refuses it when it starts.

    What DeepSpeed refuses when the model is loaded is past the end of what the programs are run for here.
    """
    done = subprocess.run(
        [
            *(
                sys.executable,
                "-m",
                "cfglint",
                "--isolated",
                "--all",
                "--target",
                f"openrlhf=={release}",
            ),
            *("--format", "json", str(folder)),
        ],
        check=False,
        capture_output=True,
        text=True,
    )
    report = json.loads(done.stdout)
    return {
        file["path"]: [
            f"{one['code']} {one['message']}"
            for one in file["diagnostics"]
            if one["bites"] == "start"
            and one["code"] not in _BEHIND
            and is_refusal(one["code"], one.get("severity", ""), one["upstream"])
        ]
        for file in report["files"]
    }


def rows_of(folder: Path, release: str, *, foreign: bool) -> tuple[list[dict[str, Any]], list[str]]:
    """The commands of the scripts of a folder, and the files in which bash finds other words."""
    rows, other = [], []
    for path in sorted(folder.rglob("*.sh")):
        text = path.read_text(encoding="utf-8", errors="replace")
        language = scripts.language_of(load_framework("openrlhf"), text, release)
        own = list(scripts.starts_in(text, language))
        theirs = None if foreign else by_bash(path)
        for program, words, known in own:
            # A fork's own program is called by its module: no release can say anything of it.
            if not known or program.startswith(_MODULES):
                continue
            if theirs is not None and len(own) == 1:
                if theirs != (program, words):
                    other.append(str(path))
                words = theirs[1]
            rows.append({"file": str(path), "program": program, "argv": words})
        if not own and theirs is not None:
            other.append(str(path))
    return rows, other


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare; 1 when cfglint refuses what the release takes."""
    parser = argparse.ArgumentParser(prog="python -m tools.framework_parity.openrlhf")
    parser.add_argument("release_folder", type=Path)
    parser.add_argument("--release", required=True)
    parser.add_argument("--scripts", type=Path)
    parser.add_argument("--foreign", action="store_true", help="do not run the scripts")
    parser.add_argument("--generate", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.scripts or Path(temporary)
        if options.generate:
            listed = subprocess.run(
                [sys.executable, _WORKER, options.release_folder, "--options"],
                check=True,
                capture_output=True,
                text=True,
            )
            chance = random.Random(options.seed)
            for number in range(options.generate):
                script = generated(json.loads(listed.stdout), chance)
                (folder / f"{number:05}.sh").write_text(script, encoding="utf-8")
        rows, other = rows_of(folder, options.release, foreign=options.foreign)
        theirs, found = judged(options.release_folder, rows), ours(folder, options.release)
    return _report(theirs, found, other)


def _report(theirs: dict[str, str], found: dict[str, list[str]], other: list[str]) -> int:
    wrongly = [
        (name, found[name][0]) for name, why in theirs.items() if not why and found.get(name)
    ]
    missed = [(name, why) for name, why in theirs.items() if why and not found.get(name)]
    refused = sum(bool(why) for why in theirs.values())
    same = 100 * (1 - (len(wrongly) + len(missed)) / max(len(theirs), 1))
    print(
        f"{len(theirs)} files, {refused} refused; {same:.2f} % the same verdict, "
        f"{len(wrongly)} refused wrongly, {len(missed)} missed, {len(other)} with other words"
    )
    for title, rows in (
        ("wrongly", wrongly),
        ("missed", missed),
        ("words", [(o, "") for o in other]),
    ):
        for name, why in rows[:12]:
            print(f"  {title}: {Path(name).name}: {why}")
    return 1 if wrongly or other else 0


if __name__ == "__main__":
    sys.exit(main())
