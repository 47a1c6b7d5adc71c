"""Readers that go away, terminals that are none, and arguments nobody meant."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cfglint.cli import main
from tests.cli.files import CLEAN, MISSPELT, TWICE
from tests.cli.running import environment, run, spawn
from tests.draws import drawn, examples, product


@product
@pytest.mark.parametrize(
    "arguments",
    drawn(
        [
            ["many.yml"],
            ["many.yml", "--format", "concise"],
            ["many.yml", "--format", "json"],
            ["many.yml", "--diff"],
            ["-", "--fix"],
            ["rules", "--schema"],
            ["explain", "PAK001"],
        ],
        4,
    ),
)
@pytest.mark.skipif(sys.platform == "win32", reason="POSIX pipes")
def test_a_reader_that_leaves(arguments: list[str], tmp_path: Path) -> None:
    many = "base_model: a/b\n" + "".join(f"unknown_key_{n}: {n}\n" for n in range(1000))
    (tmp_path / "many.yml").write_text(many + MISSPELT, encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, "-m", "cfglint", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        env=environment(),
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        if arguments[0] == "-":
            process.stdin.write(many.encode())
        process.stdin.close()
        said = process.stderr.read()
        code = process.wait(timeout=60)
    for word in (b"Traceback", b"Exception", b"BrokenPipe"):
        assert word not in said
    assert code in (0, 1, 2)


_CLOSING = "import os, sys; os.close(1); os.execv(sys.executable, sys.argv[1:])"


def test_a_closed_standard_output(tmp_path: Path) -> None:
    (tmp_path / "a.yml").write_text(MISSPELT, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", _CLOSING, sys.executable, "-m", "cfglint", "a.yml"],
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        env=environment(),
        check=False,
    )
    assert b"Traceback" not in done.stderr
    assert done.returncode in (1, 2)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a full device")
def test_a_full_disk(tmp_path: Path) -> None:
    (tmp_path / "a.yml").write_text(MISSPELT, encoding="utf-8")
    result = spawn("a.yml", "--output", "/dev/full", cwd=tmp_path)
    assert result.code == 2
    assert result.err.startswith("cfglint: /dev/full: cannot be written: ")
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "cfglint", "a.yml"],
            stdout=full,
            stderr=subprocess.PIPE,
            cwd=tmp_path,
            env=environment(),
            check=False,
        )
    assert b"Traceback" not in done.stderr
    assert done.returncode == 2


_WORDS = st.one_of(
    st.sampled_from(
        [
            *("check", "explain", "rules", "test", "--", "-", "."),
            *("clean.yml", "misspelt.yml", "twice.yml", "sub", "missing.yml", "cfglint.toml"),
            *("--fix", "--unsafe-fixes", "--diff", "--statistics", "--isolated", "--detect"),
            *("--target", "axolotl==0.4.1", "axolotl@4e5400c73", "torch==2.4", "==", "axolotl=="),
            *("--gpus", "8", "0", "--gpu", "h100", "--select", "KEY", "ALL", "PAK001,YML"),
            *("--ignore", "--fail-on", "info", "error", "--format", "json", "text", "github"),
            *(
                "markdown",
                "concise",
                "--output",
                "out.txt",
                "--config",
                "--stdin-filename",
                "x.yml",
            ),
            *("--color", "always", "auto", "KEY001", "unknown-key", "--schema", "--format=json"),
        ]
    ),
    st.text(
        st.characters(exclude_characters="/\x00", exclude_categories=["Cs"]), max_size=6
    ).filter(lambda text: ".." not in text),
)


@settings(
    max_examples=examples(150),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(arguments=st.lists(_WORDS, max_size=7), data=st.sampled_from([MISSPELT, "", "a: [", "\t"]))
def test_any_arguments(monkeypatch: pytest.MonkeyPatch, arguments: list[str], data: str) -> None:
    with tempfile.TemporaryDirectory() as folder, monkeypatch.context() as patch:
        patch.chdir(folder)
        for name, text in {"clean": CLEAN, "misspelt": MISSPELT, "twice": TWICE}.items():
            Path(f"{name}.yml").write_text(text, encoding="utf-8")
        Path("sub").mkdir()
        result = run(*arguments, stdin=data.encode())
    assert result.code in (0, 1, 2)
    if result.code == 2:
        assert result.err


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_interrupted(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("cfglint.cli.checking.CommandLineCheck.run", interrupted)
    with pytest.raises(SystemExit) as stop:
        main(["x.yml"])
    assert stop.value.code == 130
    assert "Traceback" not in capsys.readouterr().err


_CLOSING_ERRORS = "import os, sys; os.close(2); os.execv(sys.executable, sys.argv[1:])"


def test_a_closed_standard_error(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _CLOSING_ERRORS, sys.executable, "-m", "cfglint", "none.yml"],
        cwd=tmp_path,
        env=environment(),
        check=False,
    )
    assert done.returncode == 2


@pytest.mark.skipif(os.name == "nt", reason="such a folder cannot be deleted")
@pytest.mark.parametrize(
    "words", [("init",), ("init", "--write"), ("settings", "a.yml"), ("a.yml",)]
)
def test_a_current_folder_that_is_gone(tmp_path: Path, words: tuple[str, ...]) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    leaving = "import os, sys; os.rmdir(os.getcwd()); os.execv(sys.executable, sys.argv[1:])"
    done = subprocess.run(
        [sys.executable, "-c", leaving, sys.executable, "-m", "cfglint", *words],
        cwd=folder,
        env=environment(),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr
    assert done.stderr.startswith(b"cfglint: ")
