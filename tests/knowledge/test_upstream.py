"""Files that are byte for byte those of a framework's project."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from cfglint.knowledge import compiled, upstream
from tests.cli.files import MISSPELT
from tests.cli.running import run


def blob(data: bytes) -> bytes:
    """The beginning of the name that git gives to a file."""
    import hashlib

    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).digest()[:6]


START = "accelerate launch -m axolotl.cli.train copy.yml\n"


@pytest.fixture
def published(monkeypatch: pytest.MonkeyPatch) -> None:
    """`MISSPELT` is a file of a project, among others."""
    files = {"A": blob(b"a: 1\n"), "B": blob(b"b: 1\n") + blob(MISSPELT.encode())}
    files["C"] = blob(START.encode() + b"# published\n")
    real = compiled.load
    table = SimpleNamespace(BYTES=6, FILES=files)
    monkeypatch.setattr(compiled, "load", lambda name: table if name == "upstream" else real(name))


@pytest.mark.usefixtures("published")
def test_whose_file_it_is() -> None:
    assert upstream.origin_of(b"a: 1\n") == "A"
    assert upstream.origin_of(MISSPELT.encode()) == "B"
    assert upstream.origin_of(MISSPELT.replace("\n", "\r\n").encode()) == "B"
    assert upstream.origin_of(MISSPELT.encode() + b"# mine\n") is None


def test_names_are_compared_from_their_first_byte(monkeypatch: pytest.MonkeyPatch) -> None:
    names = b"xxx" + blob(b"a: 1\n") + b"yyy"
    monkeypatch.setattr(compiled, "load", lambda name: SimpleNamespace(BYTES=6, FILES={"A": names}))
    assert upstream.origin_of(b"a: 1\n") is None


def test_the_table_of_this_release() -> None:
    table = compiled.load("upstream")
    assert {"LLaMA-Factory", "Axolotl", "TRL"} <= set(table.FILES)
    assert all(len(names) % table.BYTES == 0 for names in table.FILES.values())
    # An empty file is nobody's.
    assert upstream.origin_of(b"") is None


@pytest.mark.usefixtures("published")
def test_findings_in_a_copy_are_counted_not_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "copy.yml"
    path.write_text(MISSPELT, encoding="utf-8")
    result = run(".")
    assert result.code == 0
    assert "KEY001" not in result.out
    assert "1 finding in 1 file of B is not shown; see --all." in result.out
    assert run(".", "--fix").code == 0
    assert path.read_text(encoding="utf-8") == MISSPELT
    # Who names it asks about it, and so does who asks for all.
    assert run("copy.yml").code == 1
    assert run(".", "--all").code == 1
    path.write_text(MISSPELT + "# mine\n", encoding="utf-8")
    assert run(".").code == 1


@pytest.mark.usefixtures("published")
def test_a_copy_that_the_project_trains_with_is_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "copy.yml").write_text(MISSPELT, encoding="utf-8")
    script = tmp_path / "run.sh"
    script.write_text("accelerate launch -m axolotl.cli.train other.yml\n", encoding="utf-8")
    assert "KEY001" not in run(".").out
    # The script was published beside it.
    script.write_text(f"{START}# published\n", encoding="utf-8")
    assert "KEY001" not in run(".").out
    script.write_text(START, encoding="utf-8")
    result = run(".")
    assert (result.code, "KEY001" in result.out) == (1, True)
    # Axolotl's own repository has commands for its examples.
    (tmp_path / "src" / "axolotl").mkdir(parents=True)
    (tmp_path / "src" / "axolotl" / "__init__.py").write_text("")
    (tmp_path / "VERSION").write_text("0.9.2\n")
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "axolotl"\nversion = "0.9.2"\n')
    assert "in 1 file of B are not shown" in run(".").out
