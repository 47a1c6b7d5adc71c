"""Files that the tools themselves wrote (`python -m tools.locks`), against what the tools list."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cfglint.environment.project.file_kinds import kind_of
from cfglint.environment.project.projects import Projects
from cfglint.environment.project.readers.conda import package_of
from cfglint.environment.project.stated_versions import WANTED, Source
from cfglint.source.files.disk import Disk
from tests.draws import each

MADE = Path(__file__).parent / "files" / "made"
#: What a person writes before a tool locks it.
WRITTEN = {"Pipfile", "environment.from-history.yml", "pyproject.toml"}
LOCKS = sorted(
    path
    for path in MADE.rglob("*")
    if path.is_file() and path.name not in WRITTEN and path.name != "listed.json"
)
COMMIT = "54673fd6ca39bf86addb20ba7d44a77071b4dc4f"
#: Lists of addresses that conda fetches do not have what pip installed.
_BY_PIP = {"axolotl", "datasets", "peft", "trl"}


def read(path: Path, tmp_path: Path) -> Source:
    name = "pdm.lock" if path.name == "pdm.static-urls.lock" else path.name
    (tmp_path / ".git").mkdir(exist_ok=True)
    (tmp_path / name).write_bytes(path.read_bytes())
    project = Projects(Disk()).for_file(str(tmp_path / "config.yml"), "axolotl")
    assert project is not None
    (source,) = project.sources
    return source


def listed(path: Path) -> dict[str, str]:
    rows = json.loads((path.parent / "listed.json").read_text(encoding="utf-8"))
    named = {package_of(name): version for name, version in rows.items()}
    return {package: version for package, version in named.items() if package in WANTED}


@pytest.mark.parametrize("path", LOCKS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_versions_are_what_the_tool_lists(path: Path, tmp_path: Path) -> None:
    source = read(path, tmp_path)
    expected = listed(path)
    if path.name == "conda-explicit.txt":
        expected = {name: v for name, v in expected.items() if name not in _BY_PIP}
    found = {one.package: one for one in source.statements}
    if path.parent.name.endswith("-git"):
        assert found["axolotl"].commit == COMMIT
        assert "axolotl-ai-cloud/axolotl" in found["axolotl"].written
        if path.name == "requirements.txt":
            del expected["axolotl"], found["axolotl"]
    else:
        assert not any(one.commit for one in source.statements)
    assert {package: one.version for package, one in found.items()} == expected
    assert len(expected) >= 6
    assert not any(one.conditional or one.spec for one in source.statements)


@pytest.mark.parametrize("path", LOCKS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_the_place_is_the_package_s_line(path: Path, tmp_path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    for one in read(path, tmp_path).statements:
        line = lines[one.place.line - 1][one.place.column - 1 :].lower().replace("_", "-")
        assert one.package in line.replace("pytorch", "torch")


@pytest.mark.parametrize("path", LOCKS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_what_a_resolver_wrote_is_complete(path: Path, tmp_path: Path) -> None:
    # Without builds, a person may have written it; addresses leave out what pip installed.
    open_ended = path.name == "environment.no-builds.yml" or "@EXPLICIT" in path.read_text()
    assert read(path, tmp_path).complete is not open_ended


@pytest.mark.parametrize(
    "path",
    [p for p in LOCKS if p.parent.name.endswith("-git")],
    ids=lambda path: f"{path.parent.name}/{path.name}",
)
def test_a_commit_is_placed_in_the_history(path: Path, tmp_path: Path) -> None:
    read(path, tmp_path)
    project = Projects(Disk()).for_file(str(tmp_path / "config.yml"), "axolotl")
    assert project is not None
    assert project.pins["axolotl"].between == ("0.4.1", "0.5.0")


def test_what_people_write(tmp_path: Path) -> None:
    history = read(MADE / "conda" / "environment.from-history.yml", tmp_path)
    found = {one.package: (one.version, one.spec) for one in history.statements}
    assert found == {
        "accelerate": (None, ">=1.6"),
        "bitsandbytes": (None, None),
        "python": ("3.11", None),
        "torch": (None, "==2.6.*"),
        "transformers": ("4.51.3", None),
    }


def test_pipfile(tmp_path: Path) -> None:
    found = {one.package: one for one in read(MADE / "pipenv" / "Pipfile", tmp_path).statements}
    axolotl = found["axolotl"]
    assert (axolotl.version, axolotl.extras, axolotl.place.line) == ("0.9.2", ("deepspeed",), 7)
    assert (found["trl"].version, found["trl"].spec) == (None, ">=0.16")
    assert (found["flash-attn"].version, found["flash-attn"].spec) == (None, None)
    assert found["python"].version == "3.11"


@each("path", sorted(MADE.rglob("*")))
def test_nothing_of_the_machine_that_made_them(path: Path) -> None:
    if path.is_file():
        text = path.read_text(encoding="utf-8")
        assert "127.0.0.1" not in text
        assert "/tmp" not in text


@each(
    ("name", "kind"),
    [
        ("azure-pipelines.yml", "images"),
        ("Jenkinsfile", "images"),
        ("Pipfile.lock", "pipenv"),
        ("Pipfile", "pipenv"),
        ("pixi.lock", "conda_locks"),
        ("conda-lock.yml", "conda_locks"),
        ("gpu.conda-lock.yml", "conda_locks"),
        ("conda-linux-64.lock", "conda_locks"),
        ("spec-file.txt", "conda_locks"),
        ("environment.txt", "conda_locks"),
        ("environment.yaml", "conda"),
        ("environment-gpu.yml", "conda"),
        ("gpu_environment.yml", "conda"),
        ("conda_env.yml", "conda"),
        ("env.yml", "conda"),
        ("requirements-gpu.txt", "requirements"),
        ("pylock.gpu.toml", "toml_locks"),
        ("notes.txt", None),
        ("other.lock", None),
        ("environments.yml", None),
    ],
)
def test_names(name: str, kind: str | None) -> None:
    found = kind_of(name)
    assert (found[0] if found else None) == kind
