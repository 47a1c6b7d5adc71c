"""Completion, in the shells themselves."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.files import CLEAN
from tests.cli.running import SOURCES, run

#: What is typed -> what the shell makes of it.
TYPED = {
    "cfglint tra": "cfglint train.yml",
    "cfglint --unsa": "cfglint --unsafe-fixes",
    "cfglint train.yml --unsa": "cfglint train.yml --unsafe-fixes",
    "cfglint train.yml --format sar": "cfglint train.yml --format sarif",
    "cfglint train.yml --select KEY001,PAK00": "cfglint train.yml --select KEY001,PAK00",
    "cfglint train.yml --ignore unknown-ke": "cfglint train.yml --ignore unknown-key",
    "cfglint train.yml --target axolotl==0.21": "cfglint train.yml --target axolotl==0.21.0",
    "cfglint train.yml --target inst": "cfglint train.yml --target installed",
    "cfglint expl": "cfglint explain",
    "cfglint explain packed-eval-dea": "cfglint explain packed-eval-deadlock",
    "cfglint schema --fram": "cfglint schema --framework",
    "cfglint completion fi": "cfglint completion fish",
}
DONE = "~~~"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    program = tmp_path / "bin" / "cfglint"
    program.parent.mkdir()
    program.write_text(
        f"#!/bin/sh\nPYTHONPATH='{SOURCES}' exec '{sys.executable}' -m cfglint \"$@\"\n",
        encoding="utf-8",
    )
    program.chmod(0o755)
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "train.yml").write_text(CLEAN, encoding="utf-8")
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("TERM", "dumb")
    return tmp_path


def needs(shell: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(
        os.name == "nt" or shutil.which(shell) is None, reason=f"needs {shell}"
    )


class Terminal:
    """A shell that believes to be used by a person."""

    def __init__(self, command: list[str], folder: Path) -> None:
        import pty

        self._screen, own = pty.openpty()
        self._process = subprocess.Popen(
            command, cwd=folder, stdin=own, stdout=own, stderr=own, start_new_session=True
        )
        os.close(own)

    def type(self, text: str) -> None:
        os.write(self._screen, text.encode())

    def until(self, pattern: str) -> str:
        """What is shown until a pattern is.

        Raises:
            AssertionError: that takes longer than a minute.
        """
        import select

        shown, end = "", time.monotonic() + 60
        while not re.search(pattern, shown):
            assert time.monotonic() < end, shown
            if select.select([self._screen], [], [], 1)[0]:
                shown += os.read(self._screen, 65536).decode("utf-8", "replace")
        return shown

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._screen)


@pytest.mark.parametrize(
    ("command", "ready"),
    [
        pytest.param(
            ["bash", "--norc", "--noprofile", "-i"],
            'eval "$(cfglint completion bash)"',
            marks=needs("bash"),
            id="bash",
        ),
        pytest.param(
            ["zsh", "-f", "-i"],
            'autoload -U compinit; compinit -u; eval "$(cfglint completion zsh)"',
            marks=needs("zsh"),
            id="zsh",
        ),
    ],
)
def test_a_shell_completes(home: Path, command: list[str], ready: str) -> None:
    terminal = Terminal(command, home / "work")
    try:
        # The line is run as a comment that shows what has become of it.
        terminal.type(
            f"PS1='> '; {ready}; cfglint() {{ printf '<%s' cfglint \"$@\"; echo '>'; }}\n"
        )
        terminal.type(f"echo {DONE[:1]}{DONE[1:]}\n")
        terminal.until(rf"\n{DONE}")
        # The script calls the program by its name, which must not be the function.
        terminal.type("unset -f cfglint\n")
        for typed, wanted in TYPED.items():
            terminal.type(f"{typed}\t")
            time.sleep(0.2)
            terminal.type("\x01printf '<%s' \x05; echo '>'\n")
            shown = terminal.until(r"<cfglint[^\r\n]*>\r")
            (words,) = re.findall(r"<(cfglint[^\r\n]*)>\r", shown)
            assert words.replace("<", " ") == wanted
    finally:
        terminal.close()


@needs("fish")
def test_fish_completes(home: Path) -> None:
    asked = [f"complete -C '{typed}'; echo {DONE}" for typed in TYPED]
    script = "; ".join(["cfglint completion fish | source", *asked])
    done = subprocess.run(
        ["fish", "--no-config", "-c", script],
        cwd=home / "work",
        capture_output=True,
        text=True,
        check=True,
    )
    *answers, rest = done.stdout.split(f"{DONE}\n")
    for (typed, line), answer in zip(TYPED.items(), answers, strict=True):
        offered = [one.split("\t")[0] for one in answer.splitlines()]
        assert any(one.startswith(line.split()[-1]) for one in offered), (typed, offered)
    assert (rest, done.stderr) == ("", "")


def test_an_unknown_shell_is_an_error() -> None:
    assert run("completion", "tcsh").code == 2


def test_the_help_has_a_line_for_each_shell() -> None:
    lines = run("completion", "--help").out.splitlines()
    for shell in ("bash", "zsh", "fish"):
        (line,) = [line for line in lines if line.strip().startswith(f"{shell}:")]
        assert f"cfglint completion {shell}" in line
    assert not [line for line in lines if "\\" in line]
