"""Where the tools work: a folder, an index on this machine, and what they are called with."""

from __future__ import annotations

import contextlib
import functools
import http.server
import os
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

from tools.git import git
from tools.locks.packages import write_channel, write_simple, write_wheels

#: What is in the files instead of the index's address.
NOWHERE = "https://example.invalid"
#: The address of Axolotl's repository leads to a small one on this machine, and back in the files.
REPOSITORY = "https://github.com/axolotl-ai-cloud/axolotl.git"
#: What is in the files instead of its only commit: one of Axolotl's between 0.4.1 and 0.5.0.
COMMIT = "54673fd6ca39bf86addb20ba7d44a77071b4dc4f"
_CLONED = """\
[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"

[project]
name = "axolotl"
version = "0.13.0.dev0"
dependencies = ["trl==0.17.0"]
"""


class MissingToolError(Exception):
    """A tool is on none of the paths."""


class Workshop:
    """One tool's folder to work in."""

    def __init__(self, folder: Path, url: str, bins: list[Path], clone: Path) -> None:
        self.folder = folder
        self.url = url
        self._bins = bins
        self._clone = clone
        folder.mkdir(parents=True)
        git = f'[url "{clone}"]\n\tinsteadOf = {REPOSITORY}\n'
        (folder.parent / "gitconfig").write_text(git, encoding="utf-8")

    @property
    def commit(self) -> str:
        """The only commit of the repository on this machine."""
        return git(self._clone, "rev-parse", "HEAD").strip()

    def find(self, tool: str, folder: str = "") -> str:
        """The path of a tool; `folder` is a word in its path, when there are several."""
        for bin_folder in self._bins:
            path = bin_folder / tool
            if path.is_file() and folder in str(path):
                return str(path)
        raise MissingToolError(tool)

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, encoding="utf-8")

    def call(self, *command: str, **variables: str) -> str:
        """Run a tool here; what it prints."""
        kept = {
            name: value
            for name, value in os.environ.items()
            if not re.match("PIP_|UV_|POETRY_|PDM_|PIPENV_|CONDA_|VIRTUAL_ENV|HTTPS?_PROXY", name)
        }
        home = self.folder / ".home"
        home.mkdir(exist_ok=True)
        kept.update(HOME=str(home), NO_COLOR="1", COLUMNS="200", NO_PROXY="127.0.0.1")
        kept.update(GIT_CONFIG_GLOBAL=str(self.folder.parent / "gitconfig"))
        kept.update(PIP_CONFIG_FILE=os.devnull, PIP_INDEX_URL=f"{self.url}/simple")
        kept.update(variables)
        done = subprocess.run(
            command, cwd=self.folder, env=kept, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise RuntimeError(
                f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}{done.stderr}"
            )
        return done.stdout

    def cleaned(self, name: str) -> str:
        """A file that a tool wrote, without addresses and paths of this machine."""
        text = (self.folder / name).read_text(encoding="utf-8")
        return self.clean(text)

    def clean(self, text: str) -> str:
        text = text.replace(self.url, NOWHERE)
        text = text.replace(self.url.replace("http://", ""), NOWHERE.replace("https://", ""))
        text = text.replace(str(self.folder), "/tune").replace(self.commit, COMMIT)
        return text.replace("127.0.0.1", "example.invalid")


def write_clone(folder: Path) -> None:
    """A repository that holds no more than what Axolotl is called and needs."""
    folder.mkdir(parents=True)
    (folder / "pyproject.toml").write_text(_CLONED, encoding="utf-8")
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    settings = ("user.name=somebody", "user.email=somebody@example.invalid", "commit.gpgsign=false")
    own = [part for setting in settings for part in ("-c", setting)]
    git(folder, *own, "commit", "-q", "-m", "All of it")


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Nothing: the tools' own words are enough."""


@contextlib.contextmanager
def index(folder: Path) -> Iterator[str]:
    """An index for wheels (`/simple`) and a channel (`/conda-forge`); gives its address."""
    wheels = folder / "wheels"
    wheels.mkdir(parents=True)
    write_wheels(wheels)
    write_simple(wheels, folder / "simple")
    write_channel(folder / "conda-forge")
    handler = functools.partial(_Quiet, directory=str(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        shutil.rmtree(folder, ignore_errors=True)
