"""Which command runs, on which files."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

import cfglint
from cfglint.cli.options import GROUPS, OPTIONS
from tests.cli.files import CLEAN, FOREIGN, MISSPELT
from tests.cli.running import run


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(name: str, text: str) -> None:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_bytes(text.encode("utf-8"))


def found(*arguments: str) -> list[str]:
    """The files with findings, in the order of the report."""
    result = run(*arguments, "--format", "concise")
    assert result.err == ""
    return [line.split(":", 1)[0] for line in result.out.splitlines()]


def test_help_and_version() -> None:
    assert run().out == run("--help").out == run("-h").out
    assert run("--help").out.startswith("Usage: cfglint [PATHS]")
    assert run("check", "--help").out == run("check", "-h").out
    assert run("--version").out == run("-V").out == f"cfglint, version {cfglint.__version__}\n"
    for command in ("check", "effective", "explain", "rules", "settings"):
        assert f"\n  {command} " in run("--help").out


def test_the_help_lists_the_options_of_a_check() -> None:
    out = run("--help").out
    flags = re.findall(r"^  (?:-\w, )?(--[\w-]+)", out, re.MULTILINE)
    grouped = [flag for group in GROUPS.values() for flag in group]
    assert flags == [*grouped, "--help", "--version"]
    assert sorted(grouped) == sorted(option.flag for option in OPTIONS)
    titles = re.findall(r"^(\w[\w ]+):$", run("check", "--help").out, re.MULTILINE)
    assert titles == [*GROUPS, "General"]
    assert out.count("-h, --help") == out.count("-V, --version") == 1


@pytest.mark.parametrize("name", ["rules", "explain", "check"])
def test_a_file_that_is_named_like_a_command(name: str) -> None:
    write(name, MISSPELT)
    assert found(f"./{name}") == [f"./{name}"]
    assert found("check", name) == [name]
    assert found("--fail-on", "note", name) == [name]
    assert run("--", name, "--format").code in (1, 2)
    assert run("--format", "concise", "--", name).out.startswith(f"{name}:10:1: ")


@pytest.mark.parametrize("name", ["-x.yml", "--fix", "--help", "-h", "--format=json.yml"])
def test_a_file_that_is_named_like_an_option(name: str) -> None:
    write(name, MISSPELT)
    assert found(f"./{name}") == [f"./{name}"]
    result = run("--format", "concise", "--", name)
    assert result.out.startswith(f"{name}:10:1: ")
    assert Path(name).read_text(encoding="utf-8") == MISSPELT


def test_options_stand_anywhere() -> None:
    write("a.yml", MISSPELT)
    for arguments in (
        ("--format", "concise", "a.yml"),
        ("a.yml", "--format", "concise"),
        ("--format=concise", "a.yml", "--isolated"),
        ("check", "--format", "concise", "a.yml"),
    ):
        assert run(*arguments).out.startswith("a.yml:10:1: error KEY001")


def test_a_folder_whose_files_have_too_few_keys_says_which_would_be_checked() -> None:
    write("a.yml", "base_model: a/b\ndatasets:\n\t- path: x\n")
    write("b.yml", "model: a/b\nlr: 0.1\n")
    result = run(".")
    assert "\na.yml looked like one, and was not checked: a search needs more keys" in result.out
    assert result.code == 2  # as for a file that cannot be read
    assert run("a.yml").code == 1
    write("c.yml", MISSPELT)
    assert "if named" not in run(".").out


@pytest.mark.parametrize("name", FOREIGN)
def test_a_folder_is_quiet_about_foreign_yaml(name: str) -> None:
    write(name, FOREIGN[name])
    result = run(".")
    assert (result.code, result.err) == (0, "")
    assert result.out == (
        "No training configs found.\n"
        "Left out of the search: 1 (no training config); --show-files lists them.\n"
    )
    result = run(name, "--detect")
    assert (result.code, result.err) == (0, "")
    write("train.yml", MISSPELT)
    assert found(".") == ["train.yml"]


@pytest.mark.parametrize("name", FOREIGN)
def test_a_named_file_of_no_framework_is_not_checked(name: str) -> None:
    write(name, FOREIGN[name])
    for options in ((), ("--fix", "--unsafe-fixes"), ("--add-ignores",)):
        result = run(name, *options)
        assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
        assert result.err.startswith(f"cfglint: {name}: ")
        assert "not checked (--framework " in result.err
        assert Path(name).read_bytes() == FOREIGN[name].encode("utf-8")


@pytest.mark.parametrize("name", FOREIGN)
def test_a_file_of_a_stated_framework_is_checked_whatever_it_holds(name: str) -> None:
    write(name, FOREIGN[name])
    assert run(name, "--framework", "axolotl", "--fail-on", "warning").code == 1


def test_broken_configs_in_folders_are_distinguished_from_foreign_yaml() -> None:
    write("train.yml", MISSPELT + "datasets: [\n")
    write("tabs.yml", MISSPELT + "\tx: 1\n")
    assert sorted(set(found("."))) == ["tabs.yml", "train.yml"]


def test_a_folder_is_searched_in_order() -> None:
    for name in ("b/z.yml", "b/a.yaml", "a/x.YML", "top.yml", "b.yml", ".hidden/x.yml"):
        write(name, MISSPELT)
    write("notes.txt", MISSPELT)
    write("node_modules/x.yml", MISSPELT)
    names = ["b.yml", "top.yml", "a/x.YML", "b/a.yaml", "b/z.yml"]
    assert found(".") == names
    assert found("b", "a") == ["b/a.yaml", "b/z.yml", "a/x.YML"]
    assert found(".hidden") == [".hidden/x.yml"]
    assert found("notes.txt") == ["notes.txt"]
    assert found("b", "b/z.yml", ".")[:2] == ["b/a.yaml", "b/z.yml"]


def test_what_git_ignores_is_left_out() -> None:
    subprocess.run(["git", "init", "-q"], check=True)
    write(".gitignore", "out/\n*.tmp.yml\n/only-top.yml\n!kept.tmp.yml\n")
    write("sub/.gitignore", "here.yml\n!again.tmp.yml\n")
    for name in (
        "out/a.yml",
        "a.tmp.yml",
        "kept.tmp.yml",
        "only-top.yml",
        "sub/only-top.yml",
        "sub/here.yml",
        "sub/again.tmp.yml",
        "sub/out/x.yml",
    ):
        write(name, MISSPELT)
    assert found(".") == ["kept.tmp.yml", "sub/again.tmp.yml", "sub/only-top.yml"]
    assert found("sub") == ["sub/again.tmp.yml", "sub/only-top.yml"]
    # Naming a file is asking for it.
    assert found("a.tmp.yml") == ["a.tmp.yml"]


def test_links_to_folders_are_not_followed() -> None:
    write("real/a.yml", MISSPELT)
    Path("link").symlink_to("real", target_is_directory=True)
    Path("real/loop").symlink_to("..", target_is_directory=True)
    assert found(".") == ["real/a.yml"]
    assert found("link") == ["link/a.yml"]


def test_settings_leave_files_out() -> None:
    write("cfglint.toml", 'exclude = ["drafts/", "*.draft.yml"]\n')
    for name in ("a.yml", "drafts/b.yml", "c.draft.yml"):
        write(name, MISSPELT)
    assert found(".") == ["a.yml"]
    assert found("drafts/b.yml", "c.draft.yml") == ["drafts/b.yml", "c.draft.yml"]
    assert found(".", "--isolated") == ["a.yml", "c.draft.yml", "drafts/b.yml"]


def test_no_traceback_without_findings_or_files() -> None:
    write("a.yml", CLEAN)
    assert run("a.yml").out.startswith("No problems in 1 file · checked for axolotl ")
    for format_ in ("concise", "github"):
        assert run("a.yml", "--format", format_).out == ""


def test_the_list_of_commands_has_whole_sentences() -> None:
    listed = run("--help").out.partition("\nCommands:\n")[2]
    assert "rules" in listed
    assert "..." not in listed
    assert run("rules", "--help").out.startswith("Usage: cfglint rules")


def test_a_fix_that_would_be_refused_does_not_count() -> None:
    """`evaluation_strategy: "no"` does not go with `eval_steps`, so that `--fix` would leave the word as it is."""
    text = MISSPELT + "evaluation_strategy: no\neval_steps: 50\n"
    write("a.yml", text)
    checked, fixing = run("a.yml").out, run("a.yml", "--diff").err
    assert "fix by hand: Quote the word (It would lead to SAV105" in checked
    counted = re.search(r"\((\d+) fixable with --fix", checked)
    made = re.search(r"Would fix (\d+) finding", fixing)
    assert counted is not None
    assert made is not None
    assert counted[1] == made[1]


@pytest.mark.parametrize(
    ("options", "made"),
    [
        ((), {"KEY001", "YML023"}),
        (("--fixable", "KEY"), {"KEY001"}),
        (("--unfixable", "KEY001"), {"YML023"}),
        (("--fixable", "unknown-key,YML", "--unfixable", "YML023"), {"KEY001"}),
    ],
)
def test_whose_findings_are_repaired(options: tuple[str, ...], made: set[str]) -> None:
    write("a.yml", MISSPELT + "evaluation_strategy: no\n")
    shown = run("a.yml", "--diff", *options).err
    assert set(re.findall(r"a\.yml:\d+  (\w+)", shown)) == made
    assert {"KEY001", "YML023"} <= set(re.findall(r"[A-Z]{3}\d{3}", run("a.yml", *options).out))


def test_check_takes_the_same_words_with_and_without_its_name(tmp_path: Path) -> None:
    for name, text in (("a.yml", MISSPELT), ("b.yml", CLEAN)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    paths = [str(tmp_path / name) for name in ("a.yml", "b.yml")]
    for words in (paths, paths[:1], [*paths, "--format", "concise"], ["--isolated", *paths]):
        plain, named = run(*words), run("check", *words)
        assert (plain.code, plain.out) == (named.code, named.out)
        assert plain.code == 1
        assert plain.both.count("output_dirr") > 0
