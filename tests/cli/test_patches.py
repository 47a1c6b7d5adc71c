"""What `--diff` prints is taken by the real `git apply`, and gives what `--fix` writes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.files import CLEAN, MISSPELT
from tests.cli.running import run, spawn
from tests.draws import drawn, product

posix = pytest.mark.skipif(sys.platform == "win32", reason="such names are for POSIX")

LONG = MISSPELT + "".join(f"# line {number}\n" for number in range(40)) + "sample_pakcing: true\n"
#: Name -> the bytes of the file.
FILES = {
    "plain.yml": MISSPELT.encode(),
    "two-places.yml": LONG.encode(),
    "crlf.yml": MISSPELT.replace("\n", "\r\n").encode(),
    "mixed.yml": MISSPELT.replace("\n", "\r\n", 3).encode(),
    "mac.yml": MISSPELT.replace("\n", "\r").encode(),
    "no-newline.yml": MISSPELT[:-1].encode(),
    "no-newline-crlf.yml": MISSPELT.replace("\n", "\r\n")[:-2].encode(),
    "mark.yml": b"\xef\xbb\xbf" + MISSPELT.encode(),
    "mark-crlf.yml": b"\xef\xbb\xbf" + MISSPELT.replace("\n", "\r\n").encode(),
    "last-line.yml": (CLEAN + "sample_pakcing: true").encode(),
    "first-line.yml": MISSPELT.replace("base_model", "base_modell", 1).encode(),
    "wide.yml": (MISSPELT + "wandb_name: 数据 🚀 é  # 训练\n").encode(),
    "form-feed-like.yml": (MISSPELT + "wandb_name: x\u00a0\u3000y\u1680  # \u2003\n").encode(),
    "dashes.yml": (MISSPELT + "# --- a/b\n# +++ c\n# @@ -1 +1 @@\n").encode(),
    "blanks.yml": MISSPELT.replace("\nseq", "\n\n   \n\nseq").encode(),
    "with space.yml": MISSPELT.encode(),
    "a b/c d.yml": MISSPELT.encode(),
    "größe-数-🚀.yml": MISSPELT.encode(),
}
NAMES = {
    'quo"te.yml': MISSPELT.encode(),
    "apostrophe's.yml": MISSPELT.encode(),
    "back\\slash.yml": MISSPELT.encode(),
    "tab\there.yml": MISSPELT.encode(),
    "new\nline.yml": MISSPELT.encode(),
    "escape\x1b[2J.yml": MISSPELT.encode(),
    " leading.yml": MISSPELT.encode(),
    "trailing .yml": MISSPELT.encode(),
    "-dash.yml": MISSPELT.encode(),
    "::error::x.yml": MISSPELT.encode(),
    "dollar$(id).yml": MISSPELT.encode(),
}


def git(*arguments: str, stdin: bytes = b"", cwd: Path | None = None) -> None:
    """A git that knows nothing of the machine's settings."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    done = subprocess.run(
        ["git", *arguments],
        input=stdin,
        capture_output=True,
        cwd=cwd,
        env={**kept, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"},
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode("utf-8", "replace")


def fill(folder: Path, files: dict[str, bytes]) -> None:
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)


def contents(folder: Path, files: dict[str, bytes]) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in files}


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    work = tmp_path / "work"
    work.mkdir()
    git("init", "-q", cwd=work)
    monkeypatch.chdir(work)
    return work


def check(repository: Path, files: dict[str, bytes], *options: str) -> None:
    """The patch for all files, applied, gives what fixing writes."""
    fill(repository, files)
    names = [f"./{name}" for name in files]
    result = run(*names, "--diff", "--isolated", *options)
    assert contents(repository, files) == files
    assert result.code == 1
    git("apply", "-", stdin=result.stdout, cwd=repository)
    patched = contents(repository, files)
    fill(repository, files)
    run(*names, "--fix", "--isolated", *options)
    assert patched == contents(repository, files)
    assert all(patched[name] != files[name] for name in files)


def test_a_patch_for_many_files(repository: Path) -> None:
    check(repository, FILES)


@pytest.mark.parametrize("name", FILES)
def test_a_patch_for_one_file(repository: Path, name: str) -> None:
    check(repository, {name: FILES[name]})


@posix
@pytest.mark.parametrize("name", NAMES)
def test_a_patch_for_an_odd_name(repository: Path, name: str) -> None:
    check(repository, {name: NAMES[name]})


@posix
def test_a_patch_for_a_name_that_is_no_text(repository: Path) -> None:
    name = os.fsdecode(b"latin-\xe9.yml")
    check(repository, {name: MISSPELT.encode()})


def test_a_patch_with_unsafe_fixes(repository: Path) -> None:
    text = (CLEAN + "output_dir: ./other\n").encode()
    check(repository, {"twice.yml": text}, "--unsafe-fixes")


def test_a_patch_from_a_runner_with_commands_in_it(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = MISSPELT.replace("\noutput", "\n::error::x: 1\noutput").encode()
    fill(repository, {"a.yml": text})
    result = run("a.yml", "--diff", "--select", "KEY001", env={"GITHUB_ACTIONS": "true"})
    assert result.out.startswith("::stop-commands::")
    git("apply", "-", stdin=result.stdout, cwd=repository)
    assert (repository / "a.yml").read_bytes() == text.replace(b"dirr", b"dir")


def test_a_patch_below_the_top(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(repository, {"sub/a.yml": MISSPELT.encode()})
    monkeypatch.chdir(repository / "sub")
    for argument in ("a.yml", "./a.yml", ".", str(repository / "sub" / "a.yml"), "../sub/a.yml"):
        fill(repository, {"sub/a.yml": MISSPELT.encode()})
        result = run(argument, "--diff", "--isolated")
        git("apply", "-", stdin=result.stdout, cwd=repository / "sub")
        assert (repository / "sub" / "a.yml").read_text(encoding="utf-8") == CLEAN


def test_a_patch_of_standard_input(repository: Path) -> None:
    fill(repository, {"a.yml": MISSPELT.encode()})
    result = run("-", "--stdin-filename", "a.yml", "--diff", stdin=MISSPELT.encode())
    git("apply", "-", stdin=result.stdout, cwd=repository)
    assert (repository / "a.yml").read_text(encoding="utf-8") == CLEAN


@product
@pytest.mark.parametrize(
    "env",
    drawn([{}, {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"}, {"PYTHONIOENCODING": "latin-1"}], 1),
)
def test_a_patch_from_a_real_process(repository: Path, env: dict[str, str]) -> None:
    fill(repository, FILES)
    result = spawn("--diff", "--isolated", "--", *FILES, cwd=repository, env=env)
    assert b"Would fix" in result.stderr
    git("apply", "-", stdin=result.stdout, cwd=repository)
    assert run(".", "--isolated", "--ignore", "YML028").code == 0


def test_nothing_to_fix_is_an_empty_patch(repository: Path) -> None:
    fill(repository, {"a.yml": CLEAN.encode()})
    result = run("a.yml", "--diff", "--isolated")
    assert (result.code, result.stdout) == (0, b"")


def test_fix_and_diff_together_change_nothing(repository: Path) -> None:
    fill(repository, {"a.yml": MISSPELT.encode()})
    for options in (["--fix"], ["--unsafe-fixes"], ["--fix", "--unsafe-fixes"]):
        assert run("a.yml", "--diff", *options).out.startswith("--- a/a.yml\n+++ b/a.yml\n")
        assert (repository / "a.yml").read_text(encoding="utf-8") == MISSPELT
