"""What the options of a check do."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from cfglint.cli.options import FORMATS
from tests.cli.files import CLEAN, MISSPELT, NOTED, TWICE, TWICE_FIXED, WARNED
from tests.cli.running import run, spawn
from tests.report.schemas import checked


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "clean.yml": CLEAN,
        "misspelt.yml": MISSPELT,
        "twice.yml": TWICE,
        "warned.yml": WARNED,
        "noted.yml": NOTED,
    }.items():
        Path(name).write_text(text, encoding="utf-8")


def codes(*arguments: str) -> list[str]:
    result = run(*arguments, "--format", "json")
    assert result.err == ""
    return [d["code"] for file in json.loads(result.out)["files"] for d in file["diagnostics"]]


EVERYTHING = ("misspelt.yml", "twice.yml", "warned.yml")


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        ([], ["KEY001", "YML020", "CFG001"]),
        (["--select", "KEY"], ["KEY001"]),
        (["--select", "KEY,YML"], ["KEY001", "YML020"]),
        (["--select", "KEY YML"], ["KEY001", "YML020"]),
        (["--select", "KEY", "--select", "YML020"], ["KEY001", "YML020"]),
        (["--select", "duplicate-key"], ["YML020"]),
        (["--select", "ALL", "--ignore", "YML"], ["KEY001", "CFG001"]),
        (["--ignore", "KEY,CFG"], ["YML020"]),
        (["--ignore", "YML", "--select", "YML020"], ["YML020"]),
        (["--select", "YML", "--ignore", "YML020"], []),
        (["--ignore", "ALL"], []),
    ],
)
def test_select_and_ignore(options: list[str], wanted: list[str]) -> None:
    assert codes(*EVERYTHING, *options) == wanted


def test_statistics() -> None:
    result = run(*EVERYTHING, "misspelt.yml", "--statistics")
    lines = result.out.splitlines()
    assert [line.split()[-2:] for line in lines[:-1]] == [
        ["CFG001", "unused-suppression"],
        ["KEY001", "unknown-key"],
        ["YML020", "duplicate-key"],
    ]
    assert lines[-1] == "1 error, 2 warnings in 3 files"


def test_statistics_for_programs() -> None:
    result = run(*EVERYTHING, "misspelt.yml", "--statistics", "--format", "json")
    found = checked("json-statistics.schema.json", result.out)
    assert found["files"] == 3
    assert [row["code"] for row in found["rules"]] == ["CFG001", "KEY001", "YML020"]
    assert set(found["rules"][0]) == {
        *("code", "name", "severity", "findings", "files", "severities", "fixable")
    }


@pytest.mark.parametrize("format_", FORMATS)
def test_output(format_: str) -> None:
    printed = run("misspelt.yml", "--format", format_).out
    result = run("misspelt.yml", "--format", format_, "--output", "out.txt")
    assert (result.code, result.out, result.err) == (1, "", "")
    assert Path("out.txt").read_bytes() == printed.encode("utf-8")
    result = run("clean.yml", "--format", format_, "--output", "out.txt")
    assert Path("out.txt").read_text(encoding="utf-8") == run("clean.yml", "--format", format_).out


def test_reports_beside_the_text() -> None:
    printed = run("misspelt.yml")
    wanted = {format_: run("misspelt.yml", "--format", format_).out for format_ in FORMATS}
    outputs = [f"--output={format_}:out.{format_}" for format_ in FORMATS]
    result = run("misspelt.yml", *outputs)
    assert (result.code, result.out, result.err) == (1, printed.out, "")
    for format_ in FORMATS:
        assert Path(f"out.{format_}").read_bytes() == wanted[format_].encode("utf-8")


@pytest.mark.parametrize("others", [["--diff"], ["--statistics"], ["--format", "json"]])
def test_reports_beside_something_else(others: list[str]) -> None:
    printed = run("misspelt.yml", *others)
    result = run("misspelt.yml", *others, "--output", "gitlab:out.json")
    assert result == printed
    assert json.loads(Path("out.json").read_text(encoding="utf-8"))[0]["severity"] == "major"


def test_a_report_is_also_written_when_nothing_could_be_checked() -> None:
    result = run("missing.yml", "--output", "junit:out.xml")
    assert (result.code, result.out) == (2, "")
    assert 'errors="1"' in Path("out.xml").read_text(encoding="utf-8")


def test_a_format_without_a_file_is_an_error() -> None:
    for text in ("sarif", "sarif:"):
        result = run("misspelt.yml", "--output", text)
        assert (result.code, result.out) == (2, "")
        said = f"cfglint: --output {text}: the file name is missing; write sarif:FILE\n"
        assert result.err == said
    assert not Path("sarif").exists()


def test_an_unknown_format_is_an_error_before_anything_is_checked() -> None:
    result = run("misspelt.yml", "--fix", "--output", "sarf:out.sarif")
    assert result.code == 2
    assert "unknown format 'sarf'; expected one of text, " in result.err
    assert Path("misspelt.yml").read_text(encoding="utf-8") == MISSPELT
    assert not Path("sarf:out.sarif").exists()


@pytest.mark.parametrize("second", ["junit:./out.txt", "out.txt"])
def test_two_reports_do_not_share_a_file(second: str) -> None:
    result = run("misspelt.yml", "--output", "sarif:out.txt", "--output", second)
    said = f"cfglint: --output {second}: another report is written to this file\n"
    assert (result.code, result.out, result.err) == (2, "", said)
    assert not Path("out.txt").exists()
    if os.name != "nt":
        assert run("misspelt.yml", "--output", "/dev/null", "--output", "json:/dev/null").code == 1


@pytest.mark.skipif(os.name == "nt", reason="POSIX names and modes")
def test_a_name_with_a_colon_is_a_file() -> None:
    run("misspelt.yml", "--output", "./sarif:out")
    assert Path("sarif:out").read_text(encoding="utf-8").startswith("misspelt.yml:")


def test_output_has_no_colors() -> None:
    run("misspelt.yml", "--output", "out.txt", "--color", "auto", env={"FORCE_COLOR": "1"})
    assert "\x1b" not in Path("out.txt").read_text(encoding="utf-8")


def test_output_of_a_patch() -> None:
    result = run("misspelt.yml", "--diff", "--output", "out.patch")
    assert result.code == 1
    assert result.out == ""
    assert Path("out.patch").read_text(encoding="utf-8").startswith("--- a/misspelt.yml\n")


@pytest.mark.parametrize(
    ("choice", "env", "terminal", "colored"),
    [
        (None, {}, False, False),
        (None, {}, True, True),
        (None, {"TERM": "dumb"}, True, False),
        (None, {"NO_COLOR": "1"}, True, False),
        (None, {"NO_COLOR": ""}, True, True),
        (None, {"FORCE_COLOR": "1"}, False, True),
        (None, {"FORCE_COLOR": ""}, False, False),
        (None, {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, False),
        ("auto", {"FORCE_COLOR": "1"}, False, True),
        ("always", {}, False, True),
        ("always", {"NO_COLOR": "1"}, False, True),
        ("never", {"FORCE_COLOR": "1"}, True, False),
    ],
)
def test_color(choice: str | None, env: dict[str, str], terminal: bool, colored: bool) -> None:
    options = [] if choice is None else ["--color", choice]
    result = run("misspelt.yml", *options, terminal=terminal, env=env)
    assert ("\x1b[" in result.out) == colored
    for format_ in ("concise", "json", "github", "markdown"):
        result = run("misspelt.yml", *options, "--format", format_, terminal=terminal, env=env)
        assert "\x1b" not in result.out


def test_what_comments_silence_is_shown() -> None:
    Path("silenced.yml").write_text(f"# cfglint: ignore-file[KEY001] mine\n{MISSPELT}")
    usual = run("silenced.yml", "--format", "concise")
    shown = run("silenced.yml", "--format", "concise", "--ignore-suppressions")
    assert "KEY001" not in usual.out
    assert "KEY001" in shown.out
    assert "CFG001" not in shown.out
    both = run("silenced.yml", "--add-ignores", "--ignore-suppressions")
    assert (both.code, both.out) == (2, "")


@pytest.mark.parametrize("option", ["--fix", "--fix-only"])
def test_what_comments_silence_is_not_repaired(option: str) -> None:
    text = f"# cfglint: ignore-file[KEY001] mine\n{MISSPELT}"
    Path("silenced.yml").write_text(text)
    result = run("silenced.yml", "--ignore-suppressions", option, "--format", "concise")
    assert Path("silenced.yml").read_text() == text
    assert ("KEY001" in result.out) is (option == "--fix")
    assert "[*]" not in result.out


def test_repairs_alone() -> None:
    Path("fixed.yml").write_text(MISSPELT)
    Path("broken.yml").write_text("base_model: [\n")
    done = run("fixed.yml", "broken.yml", "--fix-only")
    assert done.code == 0
    assert "Fixed 1 finding in 1 file" in done.out
    assert "error" not in done.out
    again = run("fixed.yml", "broken.yml", "--fix-only", "-q")
    assert (again.code, again.out) == (0, "Nothing was repaired in 2 files\n")
    found = json.loads(run("fixed.yml", "broken.yml", "--fix-only", "--format", "json").out)
    assert [one["diagnostics"] for one in found["files"]] == [[], []]
    assert run("fixed.yml", "--fix-only", "--diff").code == 2
    assert run("fixed.yml", "--fix-only", "--add-ignores").code == 2
    assert run("missing.yml", "--fix-only").code == 2


@pytest.mark.parametrize(
    ("format_", "made", "nothing"),
    [
        ("agent", "fixed.yml:10: fixed KEY001 ", "Nothing was repaired in 2 files; --fix-only"),
        ("concise", "fixed.yml:10: fixed KEY001 ", "Nothing was repaired in 2 files\n"),
        ("github", "::notice file=fixed.yml,line=10,title=KEY001 fixed::", "Nothing was repaired"),
        ("markdown", "- fixed.yml:10 KEY001 ", "Nothing was repaired in 2 files (--fix-only"),
        ("junit", '<testcase name="fixed KEY001: ', '<skipped message="--fix-only'),
        ("json", '"only_fixes": true', '"only_fixes": true'),
    ],
)
def test_a_report_of_repairs_does_not_say_that_all_is_well(
    format_: str, made: str, nothing: str
) -> None:
    Path("fixed.yml").write_text(MISSPELT)
    Path("broken.yml").write_text("base_model: [\n")
    first = run("fixed.yml", "broken.yml", "--fix-only", "--format", format_).out
    again = run("fixed.yml", "broken.yml", "--fix-only", "--format", format_).out
    assert made in first
    assert nothing in again
    for text in (first, again):
        assert "No problems" not in text
        assert "no findings" not in text
        assert "nothing found" not in text


@pytest.mark.parametrize(
    "options", [("--format", "sarif"), ("--output", "gitlab:a.json"), ("--statistics",)]
)
def test_repairs_alone_are_no_list_of_findings(options: tuple[str, ...]) -> None:
    Path("fixed.yml").write_text(MISSPELT)
    result = run("fixed.yml", "--fix-only", *options)
    assert (result.code, result.out, "--fix-only" in result.err) == (2, "", True)
    assert Path("fixed.yml").read_text() == MISSPELT


def test_detect() -> None:
    Path("compose.yml").write_text("services: {}\n", encoding="utf-8")
    result = run("compose.yml")
    assert (result.code, "not recognized" in result.err) == (2, True)
    assert run("compose.yml", "--framework", "axolotl", "--fail-on", "warning").code == 1
    result = run("compose.yml", "--framework", "axolotI")
    assert (result.code, "expected one of accelerate, " in result.err) == (2, True)
    # It is for named files: those of a folder are recognized.
    assert "compose.yml" not in run(".", "--framework", "axolotl", "--format", "concise").out
    result = run("compose.yml", "misspelt.yml", "--detect", "--format", "concise")
    assert [line[:13] for line in result.out.splitlines()] == ["misspelt.yml:"]


# ---------------------------------------------------------------------------- settings


def settle(text: str, name: str = "cfglint.toml") -> None:
    Path(name).write_text(text, encoding="utf-8")


def test_settings_are_found_used_and_switched_off() -> None:
    settle(
        'ignore = ["KEY001", "OPT600"]\nfail-on = "warning"\ntarget = "axolotl==0.9.2"\ngpus = 4\n'
    )
    result = run("misspelt.yml")
    assert result.code == 0
    assert "axolotl 0.9.2 (cfglint.toml), 4 GPUs (cfglint.toml)" in result.out
    assert run("warned.yml").code == 1
    assert run("misspelt.yml", "--isolated").code == 1
    assert "0.18.0 (--target)" in run("clean.yml", "--target", "axolotl==0.18.0").out
    assert "8 GPUs (--gpus)" in run("clean.yml", "--gpus", "8").out


def test_the_nearest_settings_hold() -> None:
    settle('ignore = ["KEY001"]\n')
    Path("sub").mkdir()
    Path("sub/misspelt.yml").write_text(MISSPELT, encoding="utf-8")
    assert run("sub/misspelt.yml").code == 0
    settle("[tool.other]\n", "sub/pyproject.toml")
    assert run("sub/misspelt.yml").code == 0
    settle('[tool.cfglint]\nfail-on = "error"\n', "sub/pyproject.toml")
    assert run("sub/misspelt.yml").code == 1
    settle('ignore = ["unknown-key"]\n', "sub/cfglint.toml")
    assert run("sub/misspelt.yml").code == 0


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("fail-on = never", """texts need quotes: --config 'fail-on = "never"'"""),
        ("fail-on=never", """texts need quotes: --config 'fail-on = "never"'"""),
        ("target = axolotl==0.9.2", """--config 'target = "axolotl==0.9.2"'"""),
        ("ignore = [KEY001, OPT600]", """--config 'ignore = ["KEY001", "OPT600"]'"""),
        ("gpus = four", "--config gpus = four: gpus expects a whole number"),
        ('gpus = "4"', "gpus expects a whole number"),
        ("fail_on = never", "unknown setting 'fail_on'; did you mean 'fail-on'?"),
        ('ignore = ["a"', "not valid TOML"),
        ("\udcff = 1", "not valid TOML"),
        ("gpus", "a check takes a single setting with its value: --config 'gpus = …'"),
    ],
)
def test_a_single_setting_that_is_none(given: str, said: str) -> None:
    result = run("misspelt.yml", "--config", given)
    assert (result.code, result.out) == (2, "")
    assert said in result.err


@pytest.mark.parametrize(
    "command", [("settings", "clean.yml"), ("effective", "clean.yml"), ("preflight", "clean.yml")]
)
def test_single_settings_are_for_a_check(command: tuple[str, ...]) -> None:
    result = run(*command, "--config", "gpus = 4")
    assert result.code == 2
    assert "this command takes a settings file alone" in result.err
    assert "only a check takes single settings" in result.err


def test_a_named_settings_file_holds_for_all() -> None:
    settle('ignore = ["KEY001"]\n', "other.toml")
    settle("broken = 1\n")
    assert run("misspelt.yml", "--config", "other.toml").code == 0
    settle('[tool.cfglint]\nignore = ["KEY001"]\n', "pyproject.toml")
    assert run("misspelt.yml", "--config", "pyproject.toml").code == 0
    assert run("-", "--config", "other.toml", stdin=MISSPELT.encode()).code == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a = [", "not valid TOML"),
        ("\udcff", "not valid TOML"),
        ("a = " + "[" * 5000, "not valid TOML"),
        ("gpus = " + "1" * 5000, "cfglint.toml: "),
        ("gpus = '8'", "gpus expects a whole number"),
        ("gpus = true", "gpus expects a whole number"),
        ("gpus = 0", "at least 1"),
        ("gpus = -9", "at least 1"),
        ("gpu = 1", "gpu expects a string"),
        ("gpu = 'potato'", "potato"),
        ("select = 1", "select expects a list of strings"),
        ("select = [1]", "select expects a list of strings"),
        ("select = ['NOPE']", "unknown rule 'NOPE'"),
        ("ignore = ['nope']", "unknown rule 'nope'"),
        ("target = 'x'", "'x' is not a target"),
        ("fail-on = 'none'", "fail-on expects one of error, warning, note, never"),
        ("fail-on = []", "fail-on expects one of"),
        ("fail_on = 'error'", "unknown setting 'fail_on'; did you mean 'fail-on'?"),
        ("zzz = 1", "unknown setting 'zzz'; expected one of target, "),
        ("exclude = ['!']", "exclude"),
        ("exclude = [1]", "exclude expects a list of strings"),
        ("x = 1\n" * 200_000, "larger than"),
    ],
)
def test_broken_settings(text: str, said: str) -> None:
    Path("cfglint.toml").write_bytes(text.encode("utf-8", "surrogateescape"))
    result = run(".")
    assert result.code == 2
    assert said in result.err
    assert "cfglint.toml" in result.err
    # Once, not once a file.
    assert result.err.count("\n") == 1


def test_a_pyproject_that_is_not_ours_may_be_broken() -> None:
    settle("[tool.x\n", "pyproject.toml")
    assert run("misspelt.yml").code == 1
    settle("# cfglint\n[tool]\nx = 1\n", "pyproject.toml")
    assert run("misspelt.yml").code == 1
    settle("[tool.cfglint\n", "pyproject.toml")
    assert run("misspelt.yml").code == 2
    settle("tool = 1 # cfglint\n", "pyproject.toml")
    assert run("misspelt.yml").code == 1
    settle("[tool]\ncfglint = 1\n", "pyproject.toml")
    assert run("misspelt.yml").code == 2


# ---------------------------------------------------------------------------- standard input


def test_standard_input() -> None:
    result = run("-", "--format", "concise", stdin=MISSPELT.encode())
    assert (result.code, result.out[:8]) == (1, "-:10:1: ")
    result = run("-", "--stdin-filename", "a/b.yml", "--format", "concise", stdin=MISSPELT.encode())
    assert result.out.startswith("a/b.yml:10:1: ")
    settle('ignore = ["KEY001"]\n')
    assert run("-", "--stdin-filename", "b.yml", stdin=MISSPELT.encode()).code == 0
    assert run("-", "clean.yml", "warned.yml", stdin=MISSPELT.encode()).code == 0
    assert run("-", stdin=b"").code == 2


@pytest.mark.parametrize("options", [["--fix"], ["--fix", "--unsafe-fixes"]])
@pytest.mark.parametrize("format_", ["text", "concise", "json", "github", "markdown"])
def test_fixing_standard_input(options: list[str], format_: str) -> None:
    result = run("-", *options, "--format", format_, stdin=MISSPELT.encode())
    assert (result.code, result.out) == (0, CLEAN)
    assert (result.err == "") == (format_ in ("concise", "github"))


@pytest.mark.parametrize(
    "text",
    [
        CLEAN,
        TWICE,
        "a: [",
        "",
        "\ufeff" + TWICE.replace("\n", "\r\n"),
        "services: {}\n",
        CLEAN + "# x\n" * 300_000,
        "\udcff\udcfe\x00",
    ],
    ids=["clean", "unsafe", "syntax", "empty", "crlf", "foreign", "large", "binary"],
)
@pytest.mark.parametrize("options", [[], ["--detect"]])
def test_standard_input_that_is_not_fixed_comes_out_as_it_went_in(
    text: str, options: list[str]
) -> None:
    data = text.encode("utf-8", "surrogateescape")
    result = run("-", "--fix", "--isolated", "--ignore", "YML028", *options, stdin=data)
    assert result.stdout == data


def test_fixed_bytes_are_exact() -> None:
    data = ("\ufeff" + MISSPELT.replace("\n", "\r\n")[:-2] + "  # 数🚀").encode("utf-8")
    result = run("-", "--fix", "--isolated", "--ignore", "YML028", stdin=data)
    assert result.stdout == data.replace(b"dirr", b"dir")


# ---------------------------------------------------------------------------- real processes

ASCII = {
    "LC_ALL": "C",
    "PYTHONIOENCODING": "ascii",
    "PYTHONUTF8": "0",
    "PYTHONCOERCECLOCALE": "0",
}


@pytest.mark.parametrize("format_", ["text", "concise", "json", "github", "markdown"])
def test_a_locale_without_umlauts(format_: str) -> None:
    Path("größe-数.yml").write_text(MISSPELT + "x数: 🚀\n", encoding="utf-8")
    result = spawn("größe-数.yml", "--format", format_, env=ASCII)
    assert result.code == 1
    assert result.stdout.isascii()
    assert b"KEY001" in result.stdout
    assert result.stderr == b""


def test_a_locale_without_umlauts_and_fixes() -> None:
    text = MISSPELT.replace("\noutput", "  # 数🚀\noutput")
    Path("größe-数.yml").write_text(text, encoding="utf-8")
    result = spawn("größe-数.yml", "--output", "数.txt", env=ASCII)
    assert result.code == 1
    assert "KEY001" in Path("数.txt").read_text(encoding="utf-8")
    result = spawn("-", "--fix", stdin=text.encode("utf-8"), env=ASCII)
    assert result.stdout == text.replace("dirr", "dir").encode("utf-8")
    result = spawn("größe-数.yml", "--diff", env=ASCII)
    assert "数🚀".encode() in result.stdout
    assert spawn("größe-数.yml", "--fix", env=ASCII).code == 0
    assert Path("größe-数.yml").read_text(encoding="utf-8") == text.replace("dirr", "dir")
    assert spawn("explain", "KEY001", env=ASCII).code == 0
    assert spawn("missing-数.yml", env=ASCII).code == 2


# ---------------------------------------------------------------------------- repairs


def test_unsafe_fixes_alone_offer_more_and_write_nothing() -> None:
    result = run("twice.yml", "--unsafe-fixes")
    assert result.code == 0
    assert Path("twice.yml").read_text(encoding="utf-8") == TWICE
    assert "1 fixable with --fix" in result.out
    assert run("twice.yml", "--unsafe-fixes", "--fix").code == 0
    assert Path("twice.yml").read_text(encoding="utf-8") == TWICE_FIXED
    result = run("-", "--unsafe-fixes", "--format", "concise", stdin=TWICE.encode())
    assert result.out.startswith("-:10:1: ")


@pytest.mark.parametrize("format_", ["text", "json"])
def test_fixes_are_listed_when_asked_for(format_: str) -> None:
    said = "Fixed in misspelt.yml:\n  KEY001  Rename it to output_dir\n"
    result = run("misspelt.yml", "clean.yml", "--diff", "--show-fixes", "--format", format_)
    assert said.replace("Fixed", "Would fix") in result.err
    result = run("misspelt.yml", "clean.yml", "--fix", "--show-fixes", "--format", format_)
    # The text tells them anyway.
    assert result.err == (said if format_ == "json" else "")
    assert run("misspelt.yml", "--fix", "--show-fixes", "--format", format_).err == ""


def test_settings_ask_for_the_list_of_fixes() -> None:
    settle("show-fixes = true\n")
    assert "Rename it to output_dir" in run("misspelt.yml", "--fix", "--format", "json").err


# ---------------------------------------------------------------------------- comments


def test_comments_are_written_that_silence_what_is_found() -> None:
    Path("misspelt.yml").write_bytes(("\ufeff" + MISSPELT).replace("\n", "\r\n").encode())
    result = run("misspelt.yml", "--add-ignores")
    assert result.code == 0
    assert result.err == ("cfglint: misspelt.yml: wrote 2 comments; say why in place of <reason>\n")
    text = Path("misspelt.yml").read_bytes().decode()
    comment = "# cfglint: ignore[KEY001] <reason>\r\n"
    assert f"\r\n{comment}output_dirr: ./out\r\n" in text
    assert text.count("# cfglint") == 2
    assert text.startswith("\ufeff# cfglint: ignore-file[YML028] <reason>\r\nbase_model")
    assert text.count("\r\n") == text.count("\n") == MISSPELT.count("\n") + 2
    assert "2 findings suppressed" in run("misspelt.yml").out
    assert run("misspelt.yml", "--add-ignores").err == ""
    assert Path("misspelt.yml").read_bytes().decode() == text


def test_only_what_is_selected_is_silenced_and_a_patch_is_shown() -> None:
    before = Path("misspelt.yml").read_bytes()
    result = run("misspelt.yml", "--add-ignores", "--diff", "--select", "KEY")
    assert "+# cfglint: ignore[KEY001] <reason>\n" in result.out
    assert "would write 1 comment" in result.err
    assert Path("misspelt.yml").read_bytes() == before
    result = run("-", "--add-ignores", stdin=MISSPELT.encode())
    assert "# cfglint: ignore[KEY001] <reason>\noutput_dirr: ./out\n" in result.out


def test_json_files_are_silenced_by_the_settings() -> None:
    Path("runs").mkdir()
    text = '{"zero_optimization": {"stage": 2, "overlap_com": true}, "fp16": {"enabled": "x"}}\n'
    Path("runs/d[s].json").write_text(text, encoding="utf-8")
    settle('ignore = ["DSP"]\n')
    result = run("runs/d[s].json", "--add-ignores")
    assert Path("runs/d[s].json").read_text(encoding="utf-8") == text
    start = "cfglint: runs/d[s].json: JSON has no comments; in the settings write "
    assert result.err.startswith(start)
    settle('ignore = ["DSP"]\n' + result.err[len(start) :])
    assert result.code == 1
    assert run("runs/d[s].json").code == 0
    assert "KEY001" in result.err


def test_an_unreadable_file_is_left_alone() -> None:
    Path("broken.yml").write_text("base_model: [\n", encoding="utf-8")
    result = run("broken.yml", "--add-ignores")
    assert (result.code, result.err) == (1, "")
    assert Path("broken.yml").read_text(encoding="utf-8") == "base_model: [\n"


# ---------------------------------------------------------------------------- reports for programs


def test_a_report_for_programs_never_goes_missing(tmp_path: Path) -> None:
    for arguments in (["missing.yml"], ["missing.yml", "clean.yml"], ["."]):
        settle("color = 1\n" if arguments == ["."] else "")
        result = run(*arguments, "--format", "json")
        assert result.code == 2
        (failure,) = checked("json-report.schema.json", result.out)["failures"]
        assert result.err == f"cfglint: {failure}\n"
        counted = run(*arguments, "--format", "json", "--statistics").out
        statistics = checked("json-statistics.schema.json", counted)
        assert statistics["failures"] == [failure]
        run(*arguments, "--format", "json", "--output", "out.json")
        assert json.loads(Path("out.json").read_text(encoding="utf-8")) == json.loads(result.out)
        assert run(*arguments, "--format", "concise").out.count("clean") == 0
    settle("")
    assert json.loads(run("clean.yml", "--format", "json").out)["failures"] == []


def test_settings_of_standard_input_that_are_broken_do_not_hide_other_files() -> None:
    Path("wrong").mkdir()
    settle("color = 1\n", "wrong/cfglint.toml")
    options = ["--stdin-filename", "wrong/x.yml", "--format", "concise"]
    result = run("-", "misspelt.yml", *options, stdin=CLEAN.encode())
    assert result.code == 2
    assert "unknown setting 'color'" in result.err
    assert result.out.startswith("misspelt.yml:10:1: ")


def test_a_run_has_one_gpu_at_least() -> None:
    result = run("clean.yml", "--gpus", "0")
    assert (result.code, "0 is not in the range x>=1" in result.err) == (2, True)
