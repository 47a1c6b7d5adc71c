"""What every command opens, starts and asks for in a hostile repository, as the system saw it.

    python -m tools.campaigns.boundaries

Lays out a repository whose files lead outside in every way that is known (links, absolute paths, `..`, git
hooks and filters, requirements of other files, references of schemas), runs each command under `strace`, and
reports every file that is opened outside of it and is not Python's, the system's or cfglint's own, every
program that is started, and every socket. Exit code 1 when there is one; 2 without strace.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import cfglint

CONFIG = """\
base_model: ../outside/model
datasets: [{{path: {outside}/secret.json, type: alpaca}}, {{path: ../outside/secret.json, type: alpaca}}]
deepspeed: {outside}/secret.json
accelerator_config: /etc/passwd
output_dir: ./out
sequence_lenn: 2048
micro_batch_size: 1
learning_rate: 1e-5
"""
FILES = {
    "train.yml": CONFIG,
    "requirements.txt": "-r /etc/passwd\n-r {outside}/secret.txt\n-c ../outside/secret.txt\ntorch==2.6.0\n",
    "pyproject.toml": '[project]\nname = "x"\ndependencies = ["axolotl==0.12.2"]\n',
    "cfglint.toml": 'baseline = "known.json"\n[schemas]\n"schema.json" = ["*.yml"]\n',
    "schema.json": '{{"$ref": "file://{outside}/secret.json", "properties": {{"a": {{"$ref": "../outside/secret.json"}}}}}}',
    "run.sh": "source ../outside/secret.txt\nexport X=$(cat {outside}/secret.txt)\naxolotl train train.yml\n",
    "sft.yaml": "model_name_or_path: {outside}/model\ndataset_name: a/b\noutput_dir: ./o\nmax_seq_length: 5\n",
    "lora.yaml": "model_name_or_path: a/b\nstage: sft\ndo_train: true\ndataset: x\ndataset_dir: {outside}\noutput_dir: ./o\n",
    "train.sh": "llamafactory-cli train --stage sft --do_train --dataset_dir {outside} --dataset secret \\\n --model_name_or_path {outside}/model --output_dir o $(cat {outside}/secret.txt)\n",
    "sft.py": "import sys; sys.path.insert(0, '{outside}')\nfrom trl import SFTConfig\nSFTConfig(open('{outside}/secret.txt').read(), max_seq_length=1, deepspeed='{outside}/secret.json')\n",
    "nb.ipynb": '{{"cells": [{{"cell_type": "code", "source": ["%run {outside}/secret.txt\\n", "!cat {outside}/secret.txt\\n", "from trl import SFTConfig\\n", "SFTConfig(deepspeed=\'{outside}/secret.json\', max_seq_length=1)\\n"]}}]}}',
    "run.log": "+ axolotl train {outside}/secret.yml\ntorch==2.6.0\nValueError: x\n",
    "up.log": "+ axolotl train ../outside/secret.yml\nTraceback (most recent call last):\n  File \"{outside}/secret.txt\", line 1, in f\nKeyError: 'x'\n",
    "via.log": "+ axolotl train link.yml\nKeyError: 'x'\n",
    ".git/HEAD": "ref: refs/heads/main\n",
    ".git/config": (
        "[core]\n\tfsmonitor = {trace}\n\thooksPath = {hooks}\n\tpager = {trace}\n"
        '[diff]\n\texternal = {trace}\n[filter "x"]\n\tsmudge = {trace}\n\tclean = {trace}\n'
    ),
    ".gitattributes": "* filter=x diff=x\n",
}
LINKS = {
    "link.yml": "{outside}/secret.yml",
    "up.yml": "../outside/secret.yml",
    "link.log": "{outside}/secret.yml",
    "link.py": "{outside}/secret.py",
    "environment.yml": "/proc/self/environ",
    "known.json": "{outside}/secret.json",
    "report.sarif": "{outside}/victim",
    "uv.lock": "{outside}/secret.txt",
    "folder": "{outside}",
}
COMMANDS = (
    ("train.yml",),
    (".",),
    (".", "--fix", "--unsafe-fixes"),
    ("link.yml", "--fix"),
    ("environment.yml",),
    ("folder/secret.yml", "--fix"),
    ("train.yml", "--diff"),
    ("train.yml", "--add-ignores"),
    ("train.yml", "--output", "sarif:report.sarif"),
    ("train.yml", "--write-baseline", "--baseline", "known.json"),
    ("train.yml", "--sweep", "link.yml"),
    ("train.yml", "--config", "folder/secret.txt"),
    (".", "--changed-since", "HEAD"),
    (".", "--format", "sarif"),
    (".", "--statistics"),
    ("effective", "train.yml"),
    ("effective", "link.yml"),
    ("fit", "train.yml"),
    ("fit", "up.yml"),
    ("diagnose", "run.log"),
    ("diagnose", "up.log"),
    ("diagnose", "via.log"),
    ("diagnose", "link.log"),
    ("diagnose", "run.log", "link.yml"),
    ("diagnose", "run.log", "train.yml", "--format", "json"),
    ("diagnose", "nb.ipynb"),
    ("train.sh", "--fix", "--unsafe-fixes"),
    ("effective", "train.sh"),
    ("sft.py", "nb.ipynb", "--fix", "--unsafe-fixes"),
    ("link.py", "--fix"),
    (".", "--format", "agent"),
    ("migrate", "train.yml", "--to", "axolotl==0.21.0", "--write"),
    ("migrate", "link.yml", "--to", "axolotl==0.21.0", "--write", "--partial"),
    ("settings", "train.yml"),
    ("init",),
    ("init", "--write"),
    ("explain", "KEY001"),
    ("rules", "KEY"),
    ("schema",),
)
_OPENED = re.compile(
    r'open(?:at)?\((?:AT_FDCWD|\d+[^,]*)?,? ?"([^"]*)", ([A-Z_|]+)(?:, \d+)?\) = (-?\d+)'
)
_STARTED = re.compile(r'execve\("([^"]*)"')
_SOCKET = re.compile(r"\b(?:socket|connect)\((.*)")
#: What the system and Python open by themselves.
_USUAL = ("/proc/self/maps", "/proc/sys", "/etc/", "/usr/", "/lib", "/dev/", "/sys/")
#: Found by name, which says nothing about its contents.
_SECRETS = ("hunter2", "root:x:0")


class Breach(NamedTuple):
    """What a command did that it must not do."""

    words: tuple[str, ...]
    what: str


def lay_out(top: Path) -> Path:
    """The hostile repository, next to a folder that it may not reach."""
    outside, repository = top / "outside", top / "repository"
    outside.mkdir(parents=True)
    for name in ("secret.yml", "secret.json", "secret.txt"):
        (outside / name).write_text("base_model: a/hunter2\nsequence_lenn: 1\n")
    (outside / "secret.py").write_text(
        "from trl import SFTConfig\nSFTConfig('hunter2', max_lenth=1)\n"
    )
    (outside / "victim").write_text("precious\n")
    hook = top / "hook"
    hook.write_text(f"#!/bin/sh\ntouch {top}/hook-was-run\n")
    hook.chmod(0o755)
    known = {"outside": str(outside), "trace": str(hook), "hooks": str(top)}
    for name, text in FILES.items():
        (repository / name).parent.mkdir(parents=True, exist_ok=True)
        (repository / name).write_text(text.format(**known))
    git = shutil.which("git")
    if git is not None:
        _commit(git, repository)
        (repository / ".git/config").write_text(FILES[".git/config"].format(**known))
    for name, target in LINKS.items():
        (repository / name).symlink_to(target.format(**known))
    return repository


def _temporary(top: Path) -> Path:
    """The folder for temporary files: Python finds out whether it can write there."""
    folder = top / "temporary"
    folder.mkdir(exist_ok=True)
    return folder


def _commit(git: str, repository: Path) -> None:
    shutil.rmtree(repository / ".git")
    identity = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    for words in (("init", "-q"), ("add", "train.yml", "sft.yaml"), ("commit", "-qm", "all")):
        subprocess.run([git, *identity, *words], cwd=repository, check=True, capture_output=True)


def breaches(words: tuple[str, ...], top: Path) -> list[Breach]:
    """What a command does outside of the repository, whose folder is made anew."""
    strace = shutil.which("strace")
    if strace is None:
        raise FileNotFoundError("strace")
    repository = lay_out(top)
    log = top / "strace.log"
    done = subprocess.run(
        [
            *(
                strace,
                "-f",
                "-qq",
                "-s",
                "4096",
                "-o",
                str(log),
                "-e",
                "trace=%file,%network,execve",
            ),
            *(sys.executable, "-I", "-B", "-m", "cfglint", *words),
        ],
        cwd=repository,
        env={**os.environ, "TMPDIR": str(_temporary(top)), "HOME": str(_temporary(top))},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=300,
    )
    found = [
        Breach(words, what)
        for line in log.read_text(encoding="utf-8", errors="replace").splitlines()
        if (what := _breach(line, top)) is not None
    ]
    if done.returncode not in (0, 1, 2):
        found.append(Breach(words, f"exit code {done.returncode}"))
    printed = (done.stdout + done.stderr).decode("utf-8", "replace")
    found += [Breach(words, f"prints {secret}") for secret in _SECRETS if secret in printed]
    if (top / "outside/victim").read_text() != "precious\n":
        found.append(Breach(words, "wrote over a file outside"))
    if "sequence_lenn" not in (top / "outside/secret.yml").read_text():
        found.append(Breach(words, "repaired a file outside"))
    if (top / "hook-was-run").exists():
        found.append(Breach(words, "ran a hook of the repository"))
    return found


def _breach(line: str, top: Path) -> str | None:
    """What a line of the log says that must not happen."""
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
    absolute = os.path.normpath(os.path.join(top, "repository", path))
    writes = "O_WRONLY" in flags or "O_RDWR" in flags
    if (
        absolute.startswith((str(top / "repository"), str(top / "temporary")))
        or path == "/dev/null"
    ):
        return None
    if absolute.startswith(str(top)):
        return None if "O_DIRECTORY" in flags and not writes else f"opens {absolute} ({flags})"
    own = (sys.prefix, sys.base_prefix, str(Path(cfglint.__file__).parents[2]))
    if absolute.startswith((*_USUAL, *own)) and not writes:
        return f"opens {absolute}" if absolute in ("/etc/passwd", "/etc/shadow") else None
    return f"writes {absolute}" if writes else f"opens {absolute}"


def main() -> int:
    """Run every command from the command line."""
    count = 0
    try:
        for words in COMMANDS:
            with tempfile.TemporaryDirectory(prefix="cfglint-") as folder:
                for breach in breaches(words, Path(os.path.realpath(folder))):
                    count += 1
                    print(f"cfglint {' '.join(breach.words)}: {breach.what}")
    except FileNotFoundError as error:
        print(f"{error} is not installed", file=sys.stderr)
        return 2
    print(f"{len(COMMANDS)} commands, {count} breaches")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
