"""A framework is added by two folders and nothing else: the one of `docs/framework-in-an-afternoon.md`.

It is put into a checkout that has no other framework, so what is general needs none of them.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "framework-in-an-afternoon.md").read_text(encoding="utf-8")
#: The files that the page tells to write.
FILES = dict(
    re.findall(r"^<!-- file: (\S+) -->\n```\w+\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
)
#: The commands that it shows, with what they print.
TRANSCRIPTS = re.findall(
    r"^```console\n\$ cfglint (.*?)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL
)


@pytest.fixture(scope="module")
def empty_checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout without frameworks."""
    folder = tmp_path_factory.mktemp("checkout")
    packages, rules = ROOT / "src" / "cfglint" / "frameworks", ROOT / "rules"

    def ignored(place: str, names: list[str]) -> list[str]:
        left_out = [name for name in names if name in ("_compiled", "__pycache__")]
        if Path(place) == packages:
            left_out += [name for name in names if (packages / name).is_dir()]
        elif Path(place) == rules:
            left_out += [name for name in names if (rules / name / "framework.yaml").exists()]
        return left_out

    shutil.copytree(ROOT / "src" / "cfglint", folder / "src" / "cfglint", ignore=ignored)
    shutil.copytree(rules, folder / "rules", ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


@pytest.fixture(scope="module")
def checkout(empty_checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with what the page tells to write."""
    folder = tmp_path_factory.mktemp("toy") / "checkout"
    shutil.copytree(empty_checkout, folder, ignore=shutil.ignore_patterns("_compiled"))
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def cfglint(checkout: Path, *arguments: str) -> tuple[int, str]:
    """The command of a checkout, in its folder: exit code, and all that it prints."""
    return python(checkout, "-m", "cfglint", *arguments)


def python(checkout: Path, *arguments: str) -> tuple[int, str]:
    """Python with the package of a checkout, in its folder."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=checkout,
        env={
            **{name: value for name, value in os.environ.items() if name != "GITHUB_ACTIONS"},
            "PYTHONPATH": str(checkout / "src"),
            "PYTHONUTF8": "1",
            "COLUMNS": "100",
            "NO_COLOR": "1",
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
        timeout=60,
    )
    return done.returncode, done.stdout


def findings(checkout: Path, *arguments: str) -> dict[str, list[tuple[str, int]]]:
    """File -> the codes of its findings with their lines."""
    _, out = cfglint(checkout, *arguments, "--format", "json")
    report: dict[str, Any] = json.loads(out)
    return {
        Path(file["path"]).name: [
            (d["code"], d["range"]["start"]["line"]) for d in file["diagnostics"]
        ]
        for file in report["files"]
    }


def test_the_page_has_both_folders() -> None:
    places = {name.partition("/toy/")[0] for name in FILES if "/toy/" in name}
    assert places == {"rules", "src/cfglint/frameworks"}
    assert not any((ROOT / name).exists() for name in FILES)


def test_the_places_that_the_page_names_exist() -> None:
    named = set(re.findall(r"`((?:src|rules|tools)/[\w./-]+)`", PAGE))
    named = {name for name in named if "NAME" not in name and name not in FILES}
    assert len(named) > 3
    assert [name for name in named if not (ROOT / name).exists()] == []


@pytest.mark.parametrize(("command", "said"), TRANSCRIPTS, ids=[c for c, _ in TRANSCRIPTS])
def test_the_page_shows_what_is_printed(checkout: Path, command: str, said: str) -> None:
    pattern = re.escape(said).replace("…", r"\d+")
    printed = cfglint(checkout, *command.split())[1]
    assert re.fullmatch(pattern, printed), printed


def test_its_files_are_found_among_others(checkout: Path) -> None:
    found = findings(checkout, "configs")
    assert set(found) == {"train.yml", "large.yml"}
    assert found["train.yml"] == [("TOY002", 1), ("TYP001", 2), ("KEY001", 3)]
    assert found["large.yml"] == [("TOY001", 3)]


def test_a_misspelling_is_reported_with_the_key_that_was_meant(checkout: Path) -> None:
    _, out = cfglint(checkout, "configs/train.yml")
    assert "No release of Toy has a key `acumulate`" in " ".join(out.split())
    assert "Did you mean `accumulate`?" in " ".join(out.split())
    assert "checked for toy 1.1 (the newest known)" in out


def test_releases_count(checkout: Path) -> None:
    found = findings(checkout, "configs/large.yml", "--target", "toy==1.0")
    assert found["large.yml"] == [("KEY006", 3)]
    (checkout / "configs" / "requirements.txt").write_text("toy==1.0\n", encoding="utf-8")
    try:
        assert findings(checkout, "configs/large.yml") == found
    finally:
        (checkout / "configs" / "requirements.txt").unlink()


def test_what_is_wrong_is_repaired(checkout: Path) -> None:
    texts = {path: path.read_bytes() for path in (checkout / "configs").iterdir()}
    code, out = cfglint(checkout, "configs", "--fix")
    try:
        assert code == 1, out
        after = {path.name: path.read_text(encoding="utf-8") for path in texts}
        assert after["large.yml"] == "toy_model: tiny\nbatch: 32   # all that fits\naccumulate: 1\n"
        assert after["train.yml"].endswith('batch: "thirty"\naccumulate: 4\n')
        assert after["compose.yml"] == FILES["configs/compose.yml"]
    finally:
        for path, data in texts.items():
            path.write_bytes(data)


def test_a_rule_is_explained_and_listed(checkout: Path) -> None:
    code, out = cfglint(checkout, "explain", "TOY001")
    assert (code, out.splitlines()[0]) == (0, "TOY001 too-many-rows")
    assert "Toy says nothing" in out
    assert "Releases: toy >=1.1" in out
    code, out = cfglint(checkout, "explain", "KEY001")
    assert (code, "{" in out.split("Example")[0]) == (0, False)
    assert "TOY002" in cfglint(checkout, "rules")[1]


def test_what_a_file_comes_to(checkout: Path) -> None:
    code, out = cfglint(checkout, "effective", "configs/large.yml")
    assert code == 0, out
    assert re.search(r"^batch: 32\b", out, re.MULTILINE)


def test_a_broken_example_is_noticed(checkout: Path) -> None:
    path = checkout / "rules" / "toy" / "files" / "too-many-rows.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("gt: 64", "gt: 640"), encoding="utf-8")
    try:
        code, out = cfglint(checkout, "rules", "test")
    finally:
        path.write_text(text, encoding="utf-8")
    assert code == 1
    assert "TOY001 too-many-rows, example 1: fires at lines [], not at [3]" in out


def test_without_any_framework_nothing_is_checked(empty_checkout: Path) -> None:
    (empty_checkout / "train.yml").write_text("toy_model: tiny\n", encoding="utf-8")
    code, out = cfglint(empty_checkout, "train.yml")
    assert (code, "train.yml: not recognized" in out) == (2, True), out
    code, out = cfglint(empty_checkout, ".")
    assert (code, out.partition("\n")[0]) == (0, "No training configs found."), out
    code, out = cfglint(empty_checkout, "check", "--help")
    assert code == 0, out
    code, out = cfglint(empty_checkout, "rules", "test")
    assert (code, out.endswith(" 0 problems\n")) == (0, True), out
