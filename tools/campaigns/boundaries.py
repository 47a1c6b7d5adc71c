"""What every command opens, lists, starts and asks for in a hostile repository, as the system saw it.

    python -m tools.campaigns.boundaries

Lays out a repository whose files lead outside in every way that is known (`hostile_repository.py`), runs each command
under `strace`, in the repository and in a folder with the same files that is none, and reports every file that is
opened outside of it, and every folder that is listed, by whatever links, that is not Python's, the system's or
cfglint's own; every program that is started; and every socket. Also reported is a command that ends with an error where
none is expected: what refuses to run opens nothing. Exit code 1 when there is one; 2 without strace.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import cfglint
from tools.campaigns.hostile_repository import OUTSIDE, lay_out

#: The commands that find what they need.
USED = (
    ("train.yml",),
    ("linked.yml",),
    (".",),
    (".", "--fix", "--unsafe-fixes"),
    ("train.yml", "--diff"),
    ("train.yml", "--add-ignores"),
    ("train.yml", "--write-baseline", "--baseline", "new.json"),
    (".", "--changed-since", "HEAD"),
    (".", "--staged"),
    (".", "--format", "sarif"),
    (".", "--statistics"),
    (".", "--show-files"),
    (".", "--format", "agent"),
    ("sft.yaml", "recipes/sft.yaml", "--framework", "trl"),
    ("lora.yaml", "lora_linked.yaml", "lora_data.yaml"),
    ("train.sh", "--fix", "--unsafe-fixes"),
    ("ppo.sh", "--fix", "--unsafe-fixes"),
    ("more_ppo.sh",),
    ("copy/run.sh",),
    ("openrlhf.sh",),
    ("swift.sh",),
    ("accessory.sh",),
    ("others.sh",),
    ("sft.py", "--fix", "--unsafe-fixes"),
    ("loads.py", "--fix", "--unsafe-fixes"),
    ("data/dataset_info.json", "--framework", "llamafactory"),
    ("settings/itself/train.yml",),
    ("settings",),
    ("effective", "train.yml"),
    ("effective", "linked.yml"),
    ("effective", "train.sh"),
    ("diagnose", "run.log"),
    ("diagnose", "up.log"),
    ("diagnose", "via.log"),
    ("diagnose", "run.log", "train.yml", "--format", "json"),
    ("diagnose", "nb.ipynb"),
    ("preflight", "run.sh"),
    ("preflight", "ppo.sh"),
    ("preflight", "--", "axolotl", "train", "train.yml"),
    ("migrate", "train.yml", "--to", "axolotl==0.21.0", "--write"),
    ("migrate", "linked.yml", "train.yml", "--to", "axolotl==0.21.0"),
    ("settings", "train.yml"),
    ("init",),
    ("explain", "KEY001"),
    ("keys", "axolotl"),
    ("rules", "KEY"),
    ("schema",),
    ("scan", ".", "--out", "found.parquet"),
)
#: Those that are refused, or cannot say anything for certain without what lies outside.
REFUSED = (
    ("init", "--write"),
    ("preflight", "others.sh"),
    ("fit", "linked.yml"),
    ("fit", "train.yml"),
    ("effective", "loads.py"),
    ("effective", "ppo.sh"),
    ("link.yml", "--fix"),
    ("chain.yml",),
    ("environment.yml",),
    ("folder/secret.yml", "--fix"),
    ("chain/secret.yml",),
    ("link.py", "--fix"),
    ("train.yml", "--output", "sarif:report.sarif"),
    ("train.yml", "--write-baseline", "--baseline", "known.json"),
    ("train.yml", "--sweep", "link.yml"),
    ("train.yml", "--config", "folder/secret.txt"),
    ("effective", "link.yml"),
    ("fit", "up.yml"),
    ("diagnose", "link.log"),
    ("diagnose", "run.log", "link.yml"),
    ("preflight", "train_more.sh"),
    ("migrate", "link.yml", "--to", "axolotl==0.21.0", "--write", "--partial"),
    ("settings/baseline/train.yml",),
    ("settings/schema/train.yml",),
    ("settings/schema_beside/train.yml",),
    ("settings/schema_linked/train.yml",),
    ("settings/rules/train.yml",),
    ("settings/rules_folder/train.yml",),
    ("settings/extend/train.yml",),
    ("settings/extend_outside/train.yml",),
    ("rules", "test", "settings/rules/own"),
)
COMMANDS = (*USED, *REFUSED)
_OPENED = re.compile(
    r'open(?:at)?\((?:AT_FDCWD|\d+[^,]*)?,? ?"([^"]*)", ([A-Z_|]+)(?:, \d+)?\) = (-?\d+)'
)
_STARTED = re.compile(r'execve\("([^"]*)"')
_SOCKET = re.compile(r"\b(?:socket|connect)\((.*)")
#: What the system and Python open by themselves.
_USUAL = (
    "/proc/self/cgroup",
    "/proc/self/maps",
    "/proc/sys",
    "/etc/",
    "/usr/",
    "/lib",
    "/dev/",
    "/sys/",
)
#: Found by name, which says nothing about its contents.
_SECRETS = ("hunter2", "root:x:0")


class Breach(NamedTuple):
    """What a command did that it must not do."""

    words: tuple[str, ...]
    what: str


def _temporary(top: Path) -> Path:
    """The folder for temporary files: Python finds out whether it can write there."""
    folder = top / "temporary"
    folder.mkdir(exist_ok=True)
    return folder


def breaches(words: tuple[str, ...], top: Path, *, in_git: bool = True) -> list[Breach]:
    """What a command does outside of the repository, whose folder is made anew.

    Args:
        in_git: whether the folder is one; else its project reaches two folders above it.
    """
    strace = shutil.which("strace")
    if strace is None:
        raise FileNotFoundError("strace")
    repository = lay_out(top, in_git=in_git)
    log = top / "strace.log"
    # With a filter of the kernel's, other system calls take no longer than usual.
    filtered = ("-f", "--seccomp-bpf", "-e", "trace=%file,%network,execve")
    seen = (*filtered, "-qq", "-s", "4096", "-o", str(log))
    done = subprocess.run(
        [strace, *seen, sys.executable, "-I", "-B", "-m", "cfglint", *words],
        cwd=repository,
        env={**os.environ, "TMPDIR": str(_temporary(top)), "HOME": str(_temporary(top))},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=300,
    )
    border = repository if in_git else repository.parents[1]
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    # A file may be opened often.
    seen_there = dict.fromkeys(_breach(line, top, repository, border) for line in lines)
    found = [Breach(words, what) for what in seen_there if what is not None]
    # What needs a commit or a file of the repository's own fails in a folder without git.
    if done.returncode not in (0, 1) and words in USED and in_git:
        found.append(Breach(words, f"exit code {done.returncode}: {done.stderr.decode()[:300]}"))
    elif done.returncode not in (0, 1, 2):
        found.append(Breach(words, f"exit code {done.returncode}"))
    printed = (done.stdout + done.stderr).decode("utf-8", "replace")
    found += [Breach(words, f"prints {secret}") for secret in _SECRETS if secret in printed]
    changed = [
        name for name, text in OUTSIDE.items() if (top / "outside" / name).read_text() != text
    ]
    found += [Breach(words, f"changes {name} outside") for name in changed]
    if (top / "hook-was-run").exists():
        found.append(Breach(words, "ran a hook of the repository"))
    return found


def _breach(line: str, top: Path, repository: Path, border: Path) -> str | None:
    """What a line of the log says that must not happen.

    Args:
        repository: the current folder of the command.
        border: what it may open.
    """
    if (started := _STARTED.search(line)) is not None:
        name = os.path.basename(started[1])
        ours = started[1].startswith(str(Path(sys.executable).parent)) or name in ("git", "python3")
        return None if ours else f"starts {started[1]}"
    if (socket := _SOCKET.search(line)) is not None:
        return f"asks for a socket: {socket[1][:80]}"
    opened = _OPENED.search(line)
    if opened is None or opened[3].startswith("-"):
        return None
    path, flags = opened[1], opened[2]
    absolute = os.path.join(repository, path)
    # What a link leads to counts, not where it is.
    real = os.path.normpath(absolute) if path.startswith("/proc") else os.path.realpath(absolute)
    writes = "O_WRONLY" in flags or "O_RDWR" in flags
    if _is_below(real, border) or _is_below(real, top / "temporary") or real == "/dev/null":
        return None
    by = "" if real == os.path.normpath(absolute) else f" by {path}"
    if writes:
        return f"writes {real}{by}"
    own = (sys.prefix, sys.base_prefix, str(Path(cfglint.__file__).parents[2]))
    if real.startswith((*_USUAL, *own)) and not _is_below(real, top):
        return f"opens {real}{by}" if real in ("/etc/passwd", "/etc/shadow") else None
    return f"{'lists' if 'O_DIRECTORY' in flags else 'opens'} {real}{by}"


def _is_below(path: str, folder: Path) -> bool:
    return path == str(folder) or path.startswith(f"{folder}{os.sep}")


def _in_a_new_folder(case: tuple[tuple[str, ...], bool]) -> list[Breach]:
    """The breaches of a command, with or without git."""
    words, in_git = case
    with tempfile.TemporaryDirectory(prefix="cfglint-") as folder:
        return breaches(words, Path(os.path.realpath(folder)), in_git=in_git)


def main() -> int:
    """Run every command from the command line."""
    # The tables of a checkout are written when they are first needed.
    subprocess.run(
        [sys.executable, "-m", "cfglint", "explain", "KEY001"], capture_output=True, check=True
    )
    # Without git, what the user names is read, wherever a link leads.
    cases = [(words, True) for words in COMMANDS] + [(words, False) for words in USED]
    count = 0
    try:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for (words, in_git), found in zip(
                cases, pool.map(_in_a_new_folder, cases), strict=True
            ):
                count += len(found)
                where = "" if in_git else " (without git)"
                for breach in found:
                    print(f"cfglint {' '.join(words)}{where}: {breach.what}")
    except FileNotFoundError as error:
        print(f"{error} is not installed", file=sys.stderr)
        return 2
    print(f"{len(COMMANDS)} commands in two folders, {count} breaches")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
