"""New releases are read into the tables by one command, and told as a change to review."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from cfglint.knowledge.compiling.frameworks import described
from cfglint.roles.framework import frameworks
from tools.axolotl_release.history import main as axolotl_history
from tools.python_sources import table
from tools.release_names.cli import main as release_names
from tools.upkeep import archives as archives_module
from tools.upkeep import compared
from tools.upkeep.archives import Archives, NoSuchArchiveError, day_of
from tools.upkeep.change import Change, body, differences, title
from tools.upkeep.cli import main
from tools.upkeep.packages import packages

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ROOT / "tools"
SCHEMA = """
class AxolotlInputConfig(BaseModel):
    base_model: str
    {line}

    @model_validator(mode="before")
    @classmethod
    def check_{check}(cls, data):
        raise ValueError("no {check}")
"""


def wheel(folder: Path, version: str, line: str, check: str = "sizes", year: int = 2030) -> Path:
    """A release of a package that is called axolotl."""
    path = folder / "axolotl" / f"axolotl-{version}-py3-none-any.whl"
    path.parent.mkdir(parents=True, exist_ok=True)
    files = {
        "axolotl/__init__.py": "",
        "axolotl/utils/schemas/config.py": SCHEMA.format(line=line, check=check),
        f"axolotl-{version}.dist-info/METADATA": (
            f"Metadata-Version: 2.1\nName: axolotl\nVersion: {version}\nRequires-Dist: torch=={version}\n"
        ),
    }
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name, (year, 1, 31, 0, 0, 0)), text)
    return path


def git(folder: Path, *arguments: str) -> str:
    identity = (
        "-c",
        "user.name=x",
        "-c",
        "user.email=x@example.com",
        "-c",
        "init.defaultBranch=main",
    )
    command = ["git", *identity, *arguments]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


def history(clone: Path, known: Path) -> None:
    """A repository with two releases, and the table from when it had one."""
    clone.mkdir()
    git(clone, "init", "--quiet")
    for version in ("v1.0.0", "v1.1.0"):
        git(clone, "commit", "--quiet", "--allow-empty", "-m", version)
        git(clone, "tag", version)
        if not known.exists():
            assert axolotl_history([str(clone), str(known)]) == 0


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with archives of two releases, and rules in which the first one is known."""
    archives, rules = tmp_path / "archives", tmp_path / "rules" / "axolotl"
    wheel(archives, "1.0.0", "size: int", "sizes")
    wheel(archives, "1.1.0", "size: str\n    color: int = 3", "colors")
    (rules / "tables").mkdir(parents=True)
    (rules / "releases.json").write_text('{"newest": "1.0.0", "releases": {}}', encoding="utf-8")
    history(archives / "axolotl.git", rules / "history.json")
    from tools.axolotl_release.cli import main as axolotl

    source = f"{archives}/axolotl/axolotl-1.0.0-py3-none-any.whl"
    assert (
        axolotl(["keys", "--wheel", source, "--table", str(rules / "tables" / "axolotl.json")]) == 0
    )
    assert axolotl(["pins", "--wheel", source, "--table", str(rules / "releases.json")]) == 0
    return tmp_path


def upkeep(project: Path, *arguments: str) -> int:
    where = (
        "--rules",
        str(project / "rules"),
        "--archives",
        str(project / "archives"),
        "--offline",
    )
    return main([*arguments, *where, "--change", str(project)])


def test_new_releases_of_every_documented_framework_are_read() -> None:
    tools = {
        path.parent.name.removesuffix("_release") for path in TOOLS.glob("*_release/upkeep.py")
    }
    assert {package.name for package in packages()} == tools
    for name in frameworks():
        row = described(ROOT / "rules" / name)
        if "documented" in row:
            assert (name in tools) is not bool(row["no_upkeep"]), name


def test_known_packages_have_releases_and_tables() -> None:
    for package in packages():
        assert package.known(ROOT / "rules")
        assert package.tables(ROOT / "rules")


def test_a_new_release_is_read_and_told(project: Path) -> None:
    assert upkeep(project, "axolotl") == 0
    rules = project / "rules" / "axolotl"
    keys = json.loads((rules / "tables" / "axolotl.json").read_text(encoding="utf-8"))["keys"]
    assert keys["color"]["since"] == "1.1.0"
    assert keys["size"]["types"] == [["1.0.0", "int"], ["1.1.0", "str"]]
    releases = json.loads((rules / "releases.json").read_text(encoding="utf-8"))
    assert releases["newest"] == "1.1.0"
    assert releases["releases"]["1.1.0"] == {"date": "2030-01-31", "pins": {"torch": "==1.1.0"}}
    assert (project / "title").read_text(encoding="utf-8") == "Read axolotl 1.1.0\n"
    assert (project / "releases").read_text(encoding="utf-8") == "axolotl==1.1.0\n"
    told = (project / "body.md").read_text(encoding="utf-8")
    for line in (
        "## axolotl 1.1.0 (after 1.0.0)",
        "### New keys (1)",
        "- `color` (int)",
        "- `size`: type, types",
        "- `torch` ==1.0.0 → ==1.1.0",
        "### Commits and images (2)",
        "- commits since the last look: 1",
        "- [ ] the table of releases in README.md",
    ):
        assert line in told.splitlines()
    commits = json.loads((rules / "history.json").read_text(encoding="utf-8"))["releases"]
    assert f"- `1.1.0` is {commits['1.1.0']['commit']}, images: none" in told.splitlines()
    assert "the day on which it came out" not in told
    assert "check_colors" in told
    assert "check_sizes" in told
    assert upkeep(project, "axolotl") == 0


def with_names(project: Path, releases: dict[str, str]) -> Path:
    """The archives of some releases of a package, and a table with the names of the first."""
    folder, path = project / "archives" / "peft", project / "rules" / "names.json"
    folder.mkdir()
    for version, text in releases.items():
        with zipfile.ZipFile(folder / f"peft-{version}-py3-none-any.whl", "w") as archive:
            archive.writestr("peft/__init__.py", text)
            archive.writestr(
                f"peft-{version}.dist-info/METADATA", f"Name: peft\nVersion: {version}\n"
            )
        if not path.exists():
            assert release_names([str(project / "archives"), str(path)]) == 0
    return path


def test_the_names_of_a_package_are_brought_up_to_new_releases(project: Path) -> None:
    (project / "archives" / "axolotl" / "axolotl-1.1.0-py3-none-any.whl").unlink()
    for name in [one.name for one in packages() if one.name != "axolotl"]:
        folder = project / "rules" / name
        folder.mkdir()
        (folder / "releases.json").write_text('{"releases": {"1.0.0": {}}}', encoding="utf-8")
    path = with_names(
        project, {"1.0.0": "Old = 1\n", "1.1.0": "Old = 1\nNew = 1\n", "1.2.0": "New = 1\n"}
    )
    assert upkeep(project) == 0
    known = json.loads(path.read_text(encoding="utf-8"))["peft"]
    assert known["releases"] == ["1.0.0", "1.1.0", "1.2.0"]
    assert known["names"] == {"New": ["1.1.0", None], "Old": [None, "1.2.0"]}
    told = (project / "body.md").read_text(encoding="utf-8").splitlines()
    for line in (
        "## peft 1.2.0 (after 1.0.0)",
        "### New keys (1)",
        "- `New`",
        "### Keys that are gone (1)",
        "- `Old`",
    ):
        assert line in told
    assert (project / "title").read_text(encoding="utf-8") == "Read peft 1.2.0\n"
    # No release of it is to be compared with a validator.
    assert (project / "releases").read_text(encoding="utf-8") == ""
    before = path.read_bytes()
    (project / "archives" / "peft" / "peft-1.3.0-py3-none-any.whl").write_bytes(
        b"PK\5\6" + b"\0" * 18
    )
    assert upkeep(project) == 1
    assert path.read_bytes() == before


def test_a_repository_that_cannot_be_had_is_a_question(project: Path) -> None:
    shutil.rmtree(project / "archives" / "axolotl.git")
    assert upkeep(project, "axolotl") == 0
    told = (project / "body.md").read_text(encoding="utf-8")
    assert "- [ ] its commits and images (history.json): axolotl: there is no clone of it" in told
    assert "### Commits and images" not in told


def test_a_day_that_nobody_tells_is_asked_for(project: Path) -> None:
    wheel(project / "archives", "1.1.0", "size: str", year=2020)
    assert upkeep(project, "axolotl") == 0
    assert "- [ ] the day on which it came out" in (project / "body.md").read_text(encoding="utf-8")


def test_nothing_new_writes_nothing(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "archives" / "axolotl" / "axolotl-1.1.0-py3-none-any.whl").unlink()
    wheel(project / "archives", "2.0.0rc1", "size: int")
    before = (project / "rules" / "axolotl" / "releases.json").read_bytes()
    assert upkeep(project, "axolotl") == 0
    assert capsys.readouterr().out == "Nothing is new.\n"
    assert not (project / "body.md").exists()
    assert (project / "rules" / "axolotl" / "releases.json").read_bytes() == before


def test_what_cannot_be_read_is_told_and_the_rest_goes_on(project: Path) -> None:
    wheel(project / "archives", "1.2.0", "other: int").write_bytes(b"PK\5\6" + b"\0" * 18)
    wheel(project / "archives", "1.3.0", "size: int")
    assert upkeep(project, "axolotl") == 1
    told = (project / "body.md").read_text(encoding="utf-8")
    assert "Could not be read: error: " in told
    assert "## axolotl 1.3.0 (after 1.1.0)" in told
    assert upkeep(project, "axolotl==7.0.0") == 1
    said = (project / "body.md").read_text(encoding="utf-8")
    assert "Could not be read: axolotl 7.0.0: there is no archive of it" in said
    assert (project / "releases").read_text(encoding="utf-8") == ""


def test_a_package_that_is_not_known(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["torch"])
    assert caught.value.code == 2
    assert "none of the known packages: accelerate, axolotl, " in capsys.readouterr().err


# -------------------------------------------------------------------------------- archives


def test_releases_are_those_that_pip_lists(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    said = (
        "own (1.10)\nAvailable versions: 1.10, 1.9.post1, 1.9, 2.0rc1, 2.0.dev3\n  INSTALLED: 1.9\n"
    )
    monkeypatch.setattr(archives_module, "_pip", lambda *_: said)
    assert Archives(tmp_path).versions("own") == ["1.9", "1.9.post1", "1.10"]
    monkeypatch.setattr(archives_module, "_pip", lambda *_: "")
    with pytest.raises(NoSuchArchiveError, match="own: pip lists no releases"):
        Archives(tmp_path).versions("own")


def test_an_archive_is_fetched_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked = []

    def pip(*arguments: str) -> str:
        asked.append(arguments)
        (Path(arguments[arguments.index("--dest") + 1]) / "own_name-1.2-py3-none-any.whl").touch()
        return ""

    monkeypatch.setattr(archives_module, "_pip", pip)
    archives = Archives(tmp_path)
    first = archives.fetch("own-name", "1.2")
    assert first == archives.fetch("own-name", "1.2")
    (asked_once,) = asked
    assert asked_once[:2] == ("download", "--no-deps")
    assert asked_once[-1] == "own-name==1.2"
    with pytest.raises(NoSuchArchiveError, match=r"^own-name 1\.3: there is no archive of it$"):
        Archives(tmp_path, offline=True).fetch("own-name", "1.3")


def test_a_repository_is_cloned_and_brought_up_to_date(tmp_path: Path) -> None:
    repository = tmp_path / "repository"
    repository.mkdir()
    git(repository, "init", "--quiet")
    git(repository, "commit", "--quiet", "--allow-empty", "-m", "first")
    archives = Archives(tmp_path / "archives")
    clone = archives.clone("own", repository.as_uri())
    assert git(clone, "log", "--format=%s") == "first\n"
    git(repository, "commit", "--quiet", "--allow-empty", "-m", "second")
    git(repository, "tag", "v1")
    assert archives.clone("own", repository.as_uri()) == clone
    assert git(clone, "log", "--format=%s", "v1") == "second\nfirst\n"
    assert git(clone, "log", "--format=%s") == "second\nfirst\n"
    with pytest.raises(NoSuchArchiveError, match=r"^git: "):
        archives.clone("other", (tmp_path / "nothing").as_uri())


def test_what_pip_says_is_passed_on(tmp_path: Path) -> None:
    with pytest.raises(NoSuchArchiveError, match=r"^pip download not a name==1: "):
        Archives(tmp_path).fetch("not a name", "1")


def test_the_day_of_an_archive(tmp_path: Path) -> None:
    assert day_of(wheel(tmp_path, "1.0", "size: int")) == "2030-01-31"
    assert day_of(wheel(tmp_path, "1.0", "size: int", year=2020)) is None
    path = tmp_path / "own-1.0.tar.gz"
    with tarfile.open(path, "w:gz") as tar:
        for name, seconds in (("a", 0), ("b", 1_900_000_000)):
            info = tarfile.TarInfo(name)
            info.mtime = seconds
            tar.addfile(info, io.BytesIO())
    assert day_of(path) == "2030-03-17"


# -------------------------------------------------------------------------------- the text


def test_what_is_new_changed_and_gone() -> None:
    old: dict[str, Any] = {
        "a": {"since": "1", "type": "int"},
        "b": {"since": "1", "type": "int"},
        "c": {"since": "1", "removed": "2", "type": "int"},
        "d": {"since": "1", "type": "int"},
    }
    now: dict[str, Any] = {
        "a": {"since": "1", "type": "str", "types": [["1", "int"], ["3", "str"]]},
        "b": {"since": "1", "removed": "3", "type": "int"},
        "c": {"since": "1", "removed": "2", "type": "int"},
        "d": {"since": "1", "alias_since": "3", "type": "int"},
        "e": {"since": "3", "type": "bool"},
    }
    new, changed, gone = differences({"keys": old}, {"keys": now}, "keys", "3")
    assert (new, changed, gone) == (["`e` (bool)"], ["`a`: type, types"], ["`b`", "`d`"])


def test_what_a_release_says_is_no_markdown() -> None:
    hostile = "x`\n# y <img src=z> @someone \u202e\x1b[0m" + "long" * 200
    after = {"keys": {hostile: {"since": "2", "type": hostile}}, "plugins": {}}
    change = Change(
        "own", "2", "1", tables=({}, {"own": after}), pins=({}, {hostile: hostile}),
        questions=[hostile], validators=[hostile],
    )  # fmt: skip
    told = body([change, Change("own", "3", "2", problem=hostile)])
    assert "<img" not in told
    assert "\n# y" not in told
    assert "@someone" not in told
    assert "\x1b" not in told
    assert "\u202e" not in told
    assert max(map(len, told.splitlines())) < 800
    assert title([change]) == "Read own 2"


def test_long_lists_are_counted() -> None:
    after = {"keys": {f"k{n}": {"since": "2", "type": "int"} for n in range(100)}, "plugins": {}}
    told = body([Change("own", "2", "1", tables=({}, {"own": after}))])
    assert "### New keys (100)" in told
    assert "- … and 40 more" in told
    # As many more releases as it takes to have shorter lists, and to have none.
    for releases, more in ((20, "- … and 85 more"), (300, "… and more than fits here.")):
        changes = [Change("own", "2", "1", tables=({}, {"own": after}))] * releases
        changes[0].questions = ["what?"] * 100
        told = body(changes)
        assert len(told) < 50_000
        assert more in told.splitlines()


# -------------------------------------------------------------------------------- the workflow


@pytest.mark.skipif(os.name == "nt", reason="the workflow runs on Linux")
def test_the_steps_of_the_workflow(project: Path, tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    shutil.move(project / "rules", work / "rules")
    (work / "other.txt").write_text("as it was\n", encoding="utf-8")
    git(work, "init", "--quiet")
    git(work, "add", ".")
    git(work, "commit", "--quiet", "-m", "first")
    remote = tmp_path / "remote.git"
    git(tmp_path, "clone", "--quiet", "--bare", str(work), str(remote))
    said = tmp_path / "outputs"
    said.touch()
    change = tmp_path / "change"
    environment = {
        **os.environ,
        "UPKEEP_PYTHON": sys.executable,
        "GITHUB_OUTPUT": str(said),
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "src")]),
    }
    # A table that is new, and more than an environment or an output of a step would hold.
    large = work / "rules" / "axolotl" / "tables" / "large.json"
    large.write_text(json.dumps({"keys": {}, "noise": os.urandom(500_000).hex()}), encoding="utf-8")
    where = ("--rules", "rules", "--archives", project / "archives", "--offline", "axolotl")
    scripts = ROOT / "tools" / "upkeep"
    subprocess.run([scripts / "read.sh", change, *where], cwd=work, env=environment, check=True)
    assert said.read_text(encoding="utf-8") == "changed=true\n"
    names = {"title", "body.md", "releases", "patch"}
    assert {path.name for path in change.iterdir()} == names

    # Another machine, with a `gh` that writes down what it is asked.
    git(tmp_path, "clone", "--quiet", str(remote), "clone")
    called = tmp_path / "called"
    fake = tmp_path / "bin" / "gh"
    fake.parent.mkdir()
    fake.write_text(
        f'#!/bin/sh\necho "$@" >>"{called}"\n[ "$2" != list ] || cat "{tmp_path}/open"\n'
        f'while [ $# -gt 1 ]; do [ "$1" != --body-file ] || cat "$2" >"{tmp_path}/text"; shift; done\n',
        encoding="utf-8",
    )
    fake.chmod(0o755)
    proposing = {
        **os.environ,
        "PATH": f"{fake.parent}{os.pathsep}{os.environ['PATH']}",
    }
    comparison = tmp_path / "comparison.txt"
    for number, verb in (("", "pr create --head upkeep"), ("17", "pr edit 17")):
        (tmp_path / "open").write_text(number, encoding="utf-8")
        called.write_text("", encoding="utf-8")
        git(tmp_path / "clone", "checkout", "--quiet", "-B", "main", "origin/main")
        propose = (scripts / "propose.sh", change, comparison)
        subprocess.run(propose, cwd=tmp_path / "clone", env=proposing, check=True)
        assert f"{verb} --title Read axolotl 1.1.0 --body-file" in called.read_text(
            encoding="utf-8"
        )
        assert git(remote, "log", "-1", "--format=%s", "upkeep") == "Read axolotl 1.1.0\n"
        changed = git(remote, "diff", "--name-only", "main", "upkeep").split()
        assert changed == [
            f"rules/axolotl/{name}.json"
            for name in ("history", "releases", "tables/axolotl", "tables/large")
        ]
        written = git(remote, "show", "upkeep:rules/axolotl/tables/axolotl.json")
        assert written == (work / "rules/axolotl/tables/axolotl.json").read_text(encoding="utf-8")
        text = (tmp_path / "text").read_text(encoding="utf-8")
        assert text.startswith((change / "body.md").read_text(encoding="utf-8"))
        compared = text.partition("\n## Compared with the releases\n\n")[2]
        if number:
            block = compared.removeprefix("```text\n").removesuffix("\n```\n")
            assert block == "=== x\n\n" + "@someone said " * 900
        else:
            assert compared == "The comparison did not come to an end.\n"
        # For the second round; a release must not end the block that holds what it says.
        comparison.write_text("=== x\n```\x1b\n" + "@someone said " * 900, encoding="utf-8")


@pytest.mark.skipif(os.name == "nt", reason="the workflow runs on Linux")
def test_a_change_reaches_no_file_outside_of_the_rules(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet")
    for name in ("rules/a.json", "tools/b.py"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text("1\n", encoding="utf-8")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "-m", "first")
    for name in ("rules/a.json", "tools/b.py"):
        (tmp_path / name).write_text("2\n", encoding="utf-8")
    patch = git(tmp_path, "diff", "--binary")
    git(tmp_path, "checkout", "--quiet", ".")
    (tmp_path / "patch").write_text(patch, encoding="utf-8")
    script = (ROOT / "tools" / "upkeep" / "propose.sh").read_text(encoding="utf-8")
    (applying,) = [line for line in script.splitlines() if "git apply" in line]
    environment = {**os.environ, "change": str(tmp_path)}
    subprocess.run(["bash", "-c", applying], cwd=tmp_path, env=environment, check=True)
    assert git(tmp_path, "diff", "--cached", "--name-only").split() == ["rules/a.json"]


def test_the_workflow_runs_these_steps_and_only_the_last_has_a_token() -> None:
    path = ROOT / ".github" / "workflows" / "upkeep.yml"
    workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert workflow["permissions"] == {}
    jobs = workflow["jobs"]
    assert list(jobs) == ["read", "compare", "propose"]
    for name, job in jobs.items():
        (run,) = [step["run"] for step in job["steps"] if "tools/upkeep" in step.get("run", "")]
        assert run.startswith(f"tools/upkeep/{name}.sh ")
        assert os.access(ROOT / "tools" / "upkeep" / f"{name}.sh", os.X_OK)
        if name != "propose":
            assert job["permissions"] == {"contents": "read"}
            assert "token" not in json.dumps(job)
        # The change is that of the first job, whatever the second one does.
        if name != "read":
            taken = [step["with"] for step in job["steps"] if "download" in step.get("uses", "")]
            assert taken[0]["artifact-ids"] == "${{ needs.read.outputs.change }}"


# -------------------------------------------------------------------------------- comparisons


def test_comparisons_are_told_with_how_they_ended(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def steps(releases: Sequence[str], count: int, work: Path) -> Iterator[tuple[str, list[Any]]]:
        made = work / "made.txt"
        program = (sys.executable, "-c")
        yield (
            "first",
            [
                (*program, f"open({str(made)!r}, 'w').write('kept')"),
                (*program, f"print(open({str(made)!r}).read(), 'for', {releases}, {count})"),
                (*program, "print('\\n'.join(map(str, range(100)))); raise SystemExit(3)"),
                (*program, "print('never')"),
            ],
        )
        yield "second", [(work / "nothing",)]
        yield "third", [(*program, "print('reached')")]

    monkeypatch.setattr(compared, "_comparisons", steps)
    out = tmp_path / "comparison.txt"
    assert compared.main(["own==1", "--out", str(out), "--count", "7"]) == 1
    told = out.read_text(encoding="utf-8").splitlines()
    assert told[0] == "=== first"
    assert "kept for ['own==1'] 7" in told
    assert [line.split(",")[0] for line in told if line.startswith(("exit", "cannot"))] == [
        *("exit code 0", "exit code 0", "exit code 3"),
        *("cannot be run: No such file or directory", "exit code 0"),
    ]
    assert told[told.index("39") :][:3] == ["39", "... 50 lines ...", "90"]
    assert "reached" in told
    assert "never" not in [line for line in told if not line.startswith("$")]


def test_every_package_has_its_comparisons(tmp_path: Path) -> None:
    names = [f"{package.name}==1.2.3" for package in packages()]
    found = dict(compared._comparisons(names, 5, tmp_path))
    assert len(found) == len(packages()) + 2
    commands = {" ".join(map(str, step[1:])) for steps in found.values() for step in steps}
    assert f"-m tools.parity --release 1.2.3 fixtures/good {tmp_path / 'made'}" in commands
    assert "-m pip install --quiet deepspeed==1.2.3" in commands
    assert "-m cfglint rules test" in commands


# -------------------------------------------------------------------------------- a real release

#: What the command has to find again.
HELD_BACK = ("axolotl", "0.21.0")


def hold_back(rules: Path, name: str, version: str) -> None:
    """Take away what is known of the newest release of a package, as if it had not come out."""
    path = rules / name / "tables" / f"{name}.json"
    history = table.load(path)
    assert history.releases.pop() == version
    for columns in (history.keys, history.sections, history.plugins):
        del columns[version]
    reviewed = json.loads((ROOT / "tools" / f"{name}_release" / "reviewed.json").read_text("utf-8"))
    before = {
        key: {fact: value for fact, value in facts.items() if version not in json.dumps(value)}
        for key, facts in reviewed["keys"].items()
    }
    path.write_text(table.dump(table.fold(history, {**reviewed, "keys": before}, name)), "utf-8")
    path = rules / name / "releases.json"
    data = json.loads(path.read_text(encoding="utf-8"))
    del data["releases"][version]
    data["newest"] = list(data["releases"])[-1]
    path.write_text(json.dumps(data), encoding="utf-8")


@pytest.mark.doors
def test_a_release_that_is_held_back_is_found_again(tmp_path: Path) -> None:
    name, version = HELD_BACK
    rules = tmp_path / "rules"
    shutil.copytree(ROOT / "rules" / name, rules / name)
    hold_back(rules, name, version)
    ours = {
        path.relative_to(ROOT / "rules"): path.read_bytes()
        for path in (ROOT / "rules" / name).rglob("*.json")
    }
    differing = [path for path, data in ours.items() if (rules / path).read_bytes() != data]
    assert sorted(path.name for path in differing) == ["axolotl.json", "releases.json"]
    where = ("--rules", str(rules), "--archives", str(tmp_path / "archives"))
    assert main([f"{name}=={version}", *where, "--change", str(tmp_path)]) == 0
    for path, data in ours.items():
        if path.name != "history.json":
            assert (rules / path).read_bytes() == data, path
    # The repository has gone on.
    before, after = (
        json.loads((folder / name / "history.json").read_text(encoding="utf-8"))
        for folder in (ROOT / "rules", rules)
    )
    assert after["commits"][: len(before["commits"])] == before["commits"]
    assert before["releases"].items() <= after["releases"].items()
    text = (tmp_path / "body.md").read_text(encoding="utf-8")
    assert f"## {name} {version} (after 0.20.0)" in text
    for heading in ("### New keys", "### New plugins", "### Requirements", "### Validators"):
        assert heading in text
