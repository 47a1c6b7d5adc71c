"""What files, names, settings and options say cannot steer a terminal, a runner or a page.

The runner of GitHub Actions executes `::command::` at the beginning of a line (white space does
not count) and `##[command]` anywhere in one.
"""

from __future__ import annotations

import html
import json
import os
import re
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cfglint.diagnostic import Edit, Fix, Related
from cfglint.engine.file_report import AppliedFix, FileReport
from cfglint.environment.environment import Environment
from cfglint.environment.pins import Fact, Pin
from cfglint.report import escaping
from cfglint.report.formats import diff, text
from cfglint.report.formats.github import SHOWN_PER_STEP
from cfglint.report.run import RunReport
from cfglint.report.style import Style
from cfglint.source.text import SourceText, Span
from tests.cli.running import Result, run
from tests.draws import drawn, each, examples, product
from tests.report import official
from tests.report.building import finding, report, target
from tests.report.harmless import HOSTILE, assert_harmless, assert_no_controls

FORMATS = (
    *(
        "text",
        "concise",
        "agent",
        "json",
        "github",
        "markdown",
        "sarif",
        "gitlab",
        "junit",
        "statistics",
    ),
)
posix = pytest.mark.skipif(sys.platform == "win32", reason="such names are for POSIX")


def hostile_target(hostile: str) -> Environment:
    base = target()
    pins = {"axolotl": Pin("0.18.0", None, hostile), "torch": Pin("2.4.0", None, hostile)}
    return Environment(
        base.releases, pins, {"gpus": Fact(8, hostile), "gpu": Fact("h100", hostile)}
    )


def hostile_run(hostile: str) -> RunReport:
    """A run in which everything that a file, its name or its settings decide is hostile."""
    source = f"{hostile}: {hostile}\nkey: {hostile}"
    span = Span(0, len(hostile))
    fix = Fix(hostile, "safe", (Edit(0, len(hostile), hostile + "x"),), ())
    refused = Fix(hostile, "safe", (), (), refused=hostile)
    common: dict[str, Any] = {
        "message": f"`{hostile}` " + "is wrong " * 12 + hostile,
        "cost": hostile,
    }
    found = [
        finding("AAA001", span, fixes=(fix,), related=(Related(Span(0, 1), hostile),), **common),
        finding("AAA002", Span(len(source), len(source)), fixes=(refused,), **common),
        finding("AAA003", span, severity="warning", needs=(hostile,), undecided=True, **common),
        finding("AAA004", span, severity="note", path=(hostile, 0), **common),
    ]
    target = hostile_target(hostile)
    fixed = SourceText(source + "x")
    files = [
        report(hostile, source, *found, target=target, not_written=hostile, undecided={"gpus": 1}),
        report(
            f"{hostile}/b",
            source,
            target=target,
            fixed=(AppliedFix("AAA001", hostile, 1),),
            rejected=(("AAA001", hostile),),
            original=SourceText(source),
            fixed_source=fixed,
        ),
    ]
    return RunReport(files, [hostile])


def check_run(made: RunReport) -> None:
    """Every format, with and without colors."""
    findings = sum(len(file.diagnostics) for file in made.files)
    for name in FORMATS:
        printed = import_module(f"cfglint.report.formats.{name}").render(made)
        assert_harmless(printed, commands=findings if name == "github" else 0)
        if name == "concise":
            assert printed.count("\n") == findings
        elif name == "json":
            assert json.loads(printed)["files"][0]["path"] == made.files[0].path
        elif name == "github":
            check_commands(printed, made)
        elif name == "sarif":
            assert len(official.sarif(printed)["results"]) == findings
        elif name == "gitlab":
            assert len(official.gitlab(printed)) == findings
        elif name == "junit":
            assert len(official.junit(printed).findall(".//testcase")) == findings + 2
        elif name == "markdown":
            check_table(printed, findings)
    assert_harmless(text.render(made, style=Style(color=True)), colors=True)
    assert_harmless(text.render(made, width=60))
    assert_no_controls(diff.render(made.files, for_terminal=True))


def check_commands(printed: str, made: RunReport) -> None:
    """One well-formed annotation a finding."""
    assert printed.endswith("\n")
    for line, (file, found) in zip(printed[:-1].split("\n"), made.by_importance(), strict=True):
        match = re.fullmatch(r"::(error|warning|notice) ([^:]*)::(.*)", line)
        assert match is not None, line
        pairs = [part.split("=", 1) for part in match.group(2).split(",")]
        assert [name for name, _ in pairs][:3] == ["file", "line", "endLine"]
        assert pairs[-1][0] == "title"
        # As the runner reads it back.
        value = pairs[0][1].replace("%3A", ":").replace("%2C", ",").replace("%25", "%")
        assert value == escaping.visible(os.path.normpath(file.path))
        data = match.group(3).replace("%0A", "\n").replace("%25", "%")
        assert data.startswith(escaping.visible(found.message))
        assert re.search(r"%(?!0A|25)", match.group(3)) is None


def check_table(printed: str, findings: int) -> None:
    """One row a finding, and four cells in each."""
    rows = [line for line in printed.split("\n") if line.startswith("|")]
    assert len(rows) == findings + (2 if findings else 0)
    for row in rows[2:]:
        bare = re.sub(r"\\.", "", row)
        assert bare.count("|") == 5, row
        check_markdown(row.removeprefix("| ").removesuffix(" |").replace(" | ", " "))
    heading, *others = [line for line in printed.split("\n") if line and line not in rows]
    assert heading.startswith("### cfglint: ")
    assert all(o.startswith(("Checked for", "Fixed ", "- ", "Warning: ")) for o in others)
    for line in others:
        if line.startswith(("- ", "Warning: ")):
            check_markdown(line)


def check_markdown(cell: str) -> None:
    """Nothing in a table cell is left to interpret but names between backticks."""
    bare = re.sub(r"\\[!-/:-@\[-`{-~]", "", cell)
    bare = re.sub(r"`[^`|]+`", "", bare)
    assert re.search(r"[`*_~|\[\]]", bare) is None, cell
    assert "<" not in bare.replace("<!-- -->", ""), cell
    assert re.search(r"(?<!\\)://", cell) is None, cell
    assert re.search(r"(?<![\w.\\-])www\.", cell, re.IGNORECASE) is None, cell


def rendered(markdown: str) -> str:
    """The text that a Markdown paragraph shows."""
    parts = re.split(r"(\\[!-/:-@\[-`{-~])", markdown.replace("<!-- -->", ""))
    return "".join(
        part[1] if index % 2 else html.unescape(part) for index, part in enumerate(parts)
    )


@each("hostile", HOSTILE)
def test_every_format_of_a_hostile_report(hostile: str) -> None:
    check_run(hostile_run(hostile))


_PIECES = st.one_of(
    st.sampled_from(HOSTILE),
    st.sampled_from(
        ["::", "##[", "##", "[", "]", "%", "\n", "\r", " ", "\t", "|", "`", "\\", "<", "&", "#"]
    ),
    st.text(max_size=4),
)
hostile_texts = st.lists(_PIECES, min_size=1, max_size=6).map("".join)


@settings(max_examples=examples(60), deadline=None)
@given(hostile_texts)
def test_every_format_of_any_report(hostile: str) -> None:
    check_run(hostile_run(hostile))


@settings(deadline=None)
@given(hostile_texts)
def test_what_is_made_visible_stays_readable(hostile: str) -> None:
    shown = escaping.visible(hostile)
    assert_harmless(f"> {shown}")
    assert escaping.visible(shown) == shown
    if hostile.isascii() and hostile.isprintable() and "##" not in hostile:
        assert shown == hostile


@settings(deadline=None)
@given(hostile_texts)
def test_a_path_begins_no_command(hostile: str) -> None:
    assert_harmless(escaping.visible_path(hostile))


@settings(deadline=None)
@given(hostile_texts)
def test_names_in_a_message_are_code_and_the_rest_is_shown(hostile: str) -> None:
    printed = escaping.markdown_message(f"`{hostile}` and `a.b: 1` {hostile}")
    check_markdown(printed)
    assert "`a.b: 1`" in printed
    plain = re.sub(r"(?<!\\)`", "", printed)
    assert rendered(plain).count("a.b: 1") >= 1


def test_what_is_code_in_a_message() -> None:
    assert escaping.markdown_message("`max_seq_length` was *removed*") == (
        "`max_seq_length` was \\*removed\\*"
    )
    for one in ("`a|b`", "``a``", "`https://x`", "`a\\`", "`@x`", "`<b>`"):
        assert "`" not in re.sub(r"\\`", "", escaping.markdown_message(one)), one


@settings(deadline=None)
@given(hostile_texts)
def test_markdown_shows_the_visible_text(hostile: str) -> None:
    assert rendered(escaping.markdown(hostile)) == escaping.visible(hostile)


@each("char", ["\U000e0101", "\U0001d173", "\U0001bca0", "\u3164", "\u115f"])
def test_invisible_characters_are_shown(char: str) -> None:
    """Selectors can smuggle text; musical, shorthand and Hangul fillers show nothing at all."""
    assert escaping.visible(f"a{char}b") == f"a\\{'U' if char > chr(0xFFFF) else 'u'}" + (
        f"{ord(char):08x}b" if char > "\uffff" else f"{ord(char):04x}b"
    )


def test_emoji_are_not_escaped() -> None:
    assert escaping.visible("❤\ufe0f 🚀 数 é e\u0301 שלום") == "❤\ufe0f 🚀 数 é e\u0301 שלום"


@each("hostile", ["@octocat", "#1", "org/repo#2", "x@evil.example"])
def test_markdown_contains_no_mention(hostile: str) -> None:
    """GitHub looks for mentions after Markdown has taken the backslashes away."""
    shown = re.sub(r"\\(.)", r"\1", escaping.markdown(hostile))
    assert re.search(r"[@#]\w", shown) is None


def test_a_long_message_is_not_wrapped_into_a_command() -> None:
    for length in range(60, 110):
        found = finding("AAA001", Span(0, 1), message="x" * length + " ::error file=a::owned")
        assert_harmless(text.render(RunReport([report("a.yml", "a: 1\n", found)], [])))


# ---------------------------------------------------------------------------- a real run

#: As YAML escapes in double quotes.
_ESCAPED = json.dumps("".join(HOSTILE[:-1]))
_CONFIG = f"""\
base_model: a/b  # ::error file=x::comment ##[error]x
datasets:
  - path: data.jsonl
    type: alpaca
{_ESCAPED}: 1
"k2\\n::error file=x::owned\\e[2J": "v\\n::error::x"
learning_ratee: {_ESCAPED}
wandb_project: no  # <script> @octocat
val_set_size: 0.05
val_set_size: {_ESCAPED}
load_in_8bit: "true"
sample_packing: {_ESCAPED}
adapter: {_ESCAPED}
"##[error]x": 1
num_epochs: {_ESCAPED}
datasets:
  - {_ESCAPED}: 1
"""


def check_streams(result: Result, *, commands: int = 0, colors: bool = False) -> None:
    assert_harmless(result.out, commands=commands, colors=colors)
    assert_harmless(result.err, colors=colors)
    assert result.code in (0, 1, 2)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train.yml").write_text(_CONFIG, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("format_", FORMATS[:-1])
def test_a_hostile_config(folder: Path, format_: str) -> None:
    result = run("train.yml", "--format", format_, "--select", "KEY,YML")
    findings = len(run("train.yml", "--format", "concise", "--select", "KEY,YML").out.splitlines())
    assert result.code == 1
    assert findings > 5
    check_streams(result, commands=min(findings, SHOWN_PER_STEP) if format_ == "github" else 0)
    if format_ == "markdown":
        check_table(result.out, findings)


def test_a_hostile_config_in_other_ways(folder: Path) -> None:
    check_streams(run("train.yml", "--statistics"))
    check_streams(run("train.yml", "--color", "always"), colors=True)
    assert_no_controls(run("train.yml", "--diff", terminal=True, env={"TERM": "dumb"}).out)
    check_streams(run("train.yml", "--fix", "--unsafe-fixes"))


def test_a_patch_in_the_log_of_a_runner_stops_commands(folder: Path) -> None:
    config = "base_model: a/b\nlearning_ratee: 1\n::error::x: |\n  ::error::y\n  a ##[error]z\n"
    Path("train.yml").write_text(config, encoding="utf-8")
    result = run("train.yml", "--diff", "--select", "KEY001", env={"GITHUB_ACTIONS": "true"})
    first, *patch, last = result.out[:-1].split("\n")
    token = first.removeprefix("::stop-commands::")
    assert first == f"::stop-commands::{token}"
    assert last == f"::{token}::"
    assert len(token) >= 32
    assert token not in "".join(patch)
    assert_harmless(result.err)
    # The old form of the command is recognized anywhere in a line.
    Path("train.yml").write_text(
        "base_model: a/b\nlearning_ratee: 1  # x ##[error]z\n", encoding="utf-8"
    )
    result = run("train.yml", "--diff", env={"GITHUB_ACTIONS": "true"})
    assert result.out.startswith("::stop-commands::")


#: Names that a file may have: all but the slash and NUL.
_NAMES = [
    name.replace("/", "\u29f8")
    for name in HOSTILE
    if len(name.encode("utf-8", "surrogatepass")) < 200
]
_WRITABLE = [n for n in _NAMES if n.isascii() or n.encode("utf-8", "ignore").decode() == n]


def formats(hostile: str) -> list[str]:
    """Formats in which a text is tried; all of them are for some."""
    return drawn(FORMATS[:-1], 2, hostile)


@posix
@product
@pytest.mark.parametrize("name", drawn(_WRITABLE, 12))
def test_hostile_file_names(folder: Path, name: str) -> None:
    path = f"{name}.yml" if not name.startswith("-") else f"./{name}.yml"
    broken = f"{name}.broken.yml"
    Path(path).write_text("base_model: a/b\nlearning_ratee: 1\n", encoding="utf-8")
    Path(broken).write_text("base_model: a/b\ndatasets: [", encoding="utf-8")
    data = json.loads(run(path, broken, "--format", "json", "--isolated").out)
    count = sum(len(file["diagnostics"]) for file in data["files"])
    assert {file["path"] for file in data["files"]} == {path, broken}
    for format_ in formats(name):
        result = run(path, broken, f"{name}.missing.yml", "--format", format_, "--isolated")
        assert_harmless(result.err)
        assert result.code == 2
        result = run(path, broken, "--format", format_, "--isolated")
        check_streams(result, commands=count if format_ == "github" else 0)
    assert_no_controls(run(path, "--diff", "--isolated", terminal=True, env={"TERM": "dumb"}).out)
    check_streams(run(path, "--fix", "--isolated"))
    check_streams(run(path, "--output", f"{name}.txt", "--isolated"))
    check_streams(run(path, "--output", f"{name}/missing/x", "--isolated"))


@posix
def test_a_name_that_is_not_utf8(folder: Path) -> None:
    name = os.fsdecode(b"\xff\x1b[2J\x9b.yml")
    Path(name).write_text("base_model: a/b\nlearning_ratee: 1\n", encoding="utf-8")
    for format_ in FORMATS[:-1]:
        result = run(name, "--format", format_, "--select", "KEY001")
        check_streams(result, commands=format_ == "github")


@product
@pytest.mark.parametrize(
    "option",
    [
        "--target",
        "--gpu",
        "--gpus",
        "--select",
        "--ignore",
        "--format",
        "--fail-on",
        "--color",
        "--config",
    ],
)
def test_hostile_options(folder: Path, option: str) -> None:
    for hostile in drawn(HOSTILE, 8, option):
        result = run("train.yml", option, hostile.encode("utf-8", "replace").decode("utf-8"))
        assert result.code == 2, hostile
        assert result.out == "" or not option.startswith(("--format", "--fail", "--color"))
        check_streams(result)


@product
@pytest.mark.parametrize("hostile", [*HOSTILE, "--\x1b[2J", "--x\n::error::owned", "-\x1b"])
def test_hostile_arguments(folder: Path, hostile: str) -> None:
    hostile = hostile.encode("utf-8", "replace").decode("utf-8")
    every = (
        [hostile],
        [f"--{hostile}"],
        ["--fix", f"--fix={hostile}"],
        ["explain", hostile],
        ["explain", "PAK001", hostile],
        ["rules", hostile],
        ["rules", "--format", hostile],
        ["rules", "test", hostile],
        ["rules", "test", "--", hostile, hostile],
    )
    for arguments in drawn(every, 2):
        check_streams(run(*arguments))


@product
@pytest.mark.parametrize("setting", ["target", "gpu", "select", "ignore", "fail-on", "unknown"])
def test_hostile_settings(folder: Path, setting: str) -> None:
    for hostile in drawn(HOSTILE, 8, setting):
        quoted = json.dumps(hostile.encode("utf-8", "replace").decode("utf-8"))
        (folder / "cfglint.toml").write_text(f"{setting} = {quoted}\n", encoding="utf-8")
        result = run("train.yml")
        assert result.code == 2, hostile
        check_streams(result)


@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_settings_that_are_no_toml(folder: Path, hostile: str) -> None:
    quoted = json.dumps(hostile.encode("utf-8", "replace").decode("utf-8"))
    (folder / "cfglint.toml").write_text(f"{quoted} = 1\n[{quoted}\n", encoding="utf-8")
    result = run("train.yml")
    assert result.code == 2
    check_streams(result)


@posix
@product
@pytest.mark.parametrize("name", drawn(_WRITABLE, 12, "settings"))
def test_settings_in_a_file_with_a_hostile_name(folder: Path, name: str) -> None:
    Path("train.yml").write_text(
        "base_model: a/b\nlearning_ratee: 1\nwandb_project: no\n", encoding="utf-8"
    )
    Path(f"{name}.toml").write_text('target = "axolotl==0.18.0"\ngpus = 8\n', encoding="utf-8")
    arguments = ("train.yml", "--config", f"{name}.toml", "--select", "KEY001,YML020")
    found = len(run(*arguments, "--format", "concise").out.splitlines())
    for format_ in formats(name):
        result = run(*arguments, "--format", format_)
        assert result.code == 1
        check_streams(result, commands=found if format_ == "github" else 0)


@product
@pytest.mark.parametrize("hostile", HOSTILE)
def test_a_hostile_name_for_standard_input(folder: Path, hostile: str) -> None:
    hostile = hostile.encode("utf-8", "replace").decode("utf-8")
    for format_ in formats(hostile):
        arguments = ("-", "--stdin-filename", hostile, "--format", format_)
        broken = b"base_model: a/b\nlearning_ratee: 1\ndatasets: ["
        if hostile.endswith(".json"):
            broken = b'{"zero_optimization": {"stage": 2}, "train_batch_size": 1, "fp16": {'
        result = run(*arguments, stdin=broken)
        assert result.code == 1
        check_streams(result, commands=format_ == "github")
        result = run(*arguments, stdin=b"learning_ratee: 1\na: [")
        assert result.code == 2
        check_streams(result)
        assert "not recognized" in result.err


@posix
@product
@pytest.mark.parametrize("name", drawn(_WRITABLE, 8))
@pytest.mark.parametrize("content", [b"", b"\x00\x1b[2J", b"a: [", b"\x1b[2J: 1\nx: 2\n"])
def test_a_hostile_name_of_a_file_of_no_framework(folder: Path, name: str, content: bytes) -> None:
    path = f"{name}.yml" if not name.startswith("-") else f"./{name}.yml"
    Path(path).write_bytes(content)
    for format_ in ("text", "json", "github"):
        result = run(path, "--format", format_, "--isolated")
        assert result.code == 2
        check_streams(result)
        assert len(result.err.splitlines()) == 1
        assert "not checked (--framework NAME" in result.err
        assert ("it is empty" in result.err) == (content == b"")
        assert ("it contains NUL characters" in result.err) == (b"\x00" in content)
    assert run(path, "--fix", "--isolated").code == 2
    assert Path(path).read_bytes() == content


def test_suppressions_that_are_hostile(folder: Path) -> None:
    comment = "".join(hostile for hostile in HOSTILE if hostile.isprintable())
    Path("train.yml").write_text(
        f"base_model: a/b  # cfglint: {comment}\n"
        f"learning_rate: 1  # cfglint: ignore[{comment}]\n"
        "x: 1 # cfglint: ignore[PAK001, ##[error]x]\n",
        encoding="utf-8",
    )
    data = json.loads(run("train.yml", "--format", "json", "--select", "CFG").out)
    count = len(data["files"][0]["diagnostics"])
    assert count > 1
    for format_ in FORMATS[:-1]:
        result = run("train.yml", "--format", format_, "--select", "CFG")
        check_streams(result, commands=min(10, count) if format_ == "github" else 0)


def test_reports_contain_one_file_each(folder: Path) -> None:
    made: list[FileReport] = hostile_run("a").files
    assert [file.path for file in made] == ["a", "a/b"]
