"""A team's own rules: read, tested and used like cfglint's, and trusted with nothing."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from cfglint.api.functions import lint_file
from cfglint.knowledge.compiling.files import RuleFileError
from cfglint.knowledge.compiling.project_rules import load_project_rules, rule_paths
from cfglint.roles.framework import load_framework
from cfglint.source.files.disk import Disk
from tests.cli.running import run

RULE = """\
code: ACME001
name: acme-project
summary: Runs are filed under the team's project
framework: axolotl
severity: warning
confidence: high
bites: silent
upstream: silent
when: {wandb_project: {set: true, not_in: [acme]}}
at: [wandb_project]
message: "`{wandb_project}` is not our project."
cost: nobody finds the run
why: One place for all runs.
fix:
  - {title: File it under acme, safety: safe, edits: [{set: {wandb_project: acme}}]}
examples:
  - bad: |
      base_model: a/b
      wandb_project: mine  # <- ACME001
    fixed: |
      base_model: a/b
      wandb_project: acme
  - good: |
      base_model: a/b
      wandb_project: acme
"""
CONFIG = "base_model: a/b\nmicro_batch_size: 1\nwandb_project: mine\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lint" / "inner").mkdir(parents=True)
    (tmp_path / "lint" / "inner" / "acme-project.yaml").write_text(RULE, encoding="utf-8")
    (tmp_path / "cfglint.toml").write_text('rules = ["lint"]\n', encoding="utf-8")
    (tmp_path / "train.yml").write_text(CONFIG, encoding="utf-8")
    return tmp_path


def change(project: Path, old: str, new: str) -> None:
    path = project / "lint" / "inner" / "acme-project.yaml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_own_rules_are_used(project: Path) -> None:
    found = lint_file(project / "train.yml", select=["ACME"]).diagnostics
    assert [(d.code, d.severity, d.message, d.path) for d in found] == [
        ("ACME001", "warning", "`mine` is not our project.", ("wandb_project",))
    ]
    assert run("train.yml", "--isolated").out.count("ACME001") == 0
    assert "ACME001" in run("train.yml").out
    assert run("train.yml", "--ignore", "acme-project").out.count("ACME001") == 0
    assert run("train.yml", "--select", "ACME", "--fix").code == 0
    assert "wandb_project: acme\n" in (project / "train.yml").read_text(encoding="utf-8")


def test_the_file_names_the_rule(project: Path) -> None:
    change(project, "name: acme-project\n", "")
    assert "ACME001 acme-project" in run("explain", "ACME001").out


def test_own_rules_stand_on_the_bases_of_their_framework(project: Path) -> None:
    before, _, _ = RULE.partition("examples:\n")
    path = project / "lint" / "inner" / "acme-project.yaml"
    good = '  - good: "wandb_project: acme"\n'
    bad = '  - bad: "wandb_project: mine  # <- ACME001"\n    fixed: "wandb_project: acme"\n'
    path.write_text(f"{before}base: lora\nexamples:\n{bad}{good}", encoding="utf-8")
    result = run("rules", "test", "lint")
    assert (result.code, result.out) == (0, "1 rule, 0 problems\n")
    assert "  lora_r: 16\n" in run("explain", "ACME001").out


def test_own_rules_are_written_in_one_way(project: Path) -> None:
    path = project / "lint" / "inner" / "acme-project.yaml"
    checked = run("rules", "fmt", "lint", "--check")
    name = str(path.relative_to(project))
    assert (checked.code, checked.out) == (1, f"would change: {name}\n")
    assert path.read_text(encoding="utf-8") == RULE
    written = run("rules", "fmt", "lint")
    assert (written.code, written.out) == (0, f"changed: {name}\n")
    assert "name:" not in path.read_text(encoding="utf-8")
    assert run("rules", "fmt", "lint", "--check").code == 0
    assert run("rules", "test", "lint").code == 0
    change(project, "severity: warning", "severity: bad")
    broken = run("rules", "fmt", "lint")
    assert (broken.code, broken.out) == (2, "")
    assert "severity" in broken.err


def test_own_rules_can_be_suppressed(project: Path) -> None:
    text = CONFIG.replace("mine", "mine  # cfglint: ignore[ACME001] on loan")
    (project / "train.yml").write_text(text, encoding="utf-8")
    assert run("train.yml", "--select", "ACME,CFG").out.count("ACME001") == 0


def test_own_rules_are_listed_explained_and_tested(project: Path) -> None:
    assert "ACME001  warning  acme-project" in run("rules").out
    explained = run("explain", "ACME001").out
    assert "One place for all runs." in explained
    tested = run("rules", "test", "lint")
    assert (tested.code, tested.out) == (0, "1 rule, 0 problems\n")
    change(project, "wandb_project: mine  # <-", "wandb_project: acme  # <-")
    tested = run("rules", "test", "lint")
    assert tested.code == 1
    assert "ACME001 acme-project, example 1: fires at lines [], not at [2]" in tested.out


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("bites: silent", "bites: never", r"yaml:7: bites: Input should be"),
        ("at: [", "att: [", r"yaml:10: att: Extra inputs"),
        ("not_in: [acme]", "not_in: acme", r"yaml:9: when: `not_in` expects a list"),
        ("when: {", "when: {{", r"yaml:9: not valid YAML"),
        ("ACME001\n", "KEY999\n", r"yaml:1: KEY999: this prefix belongs to cfglint's rules"),
        ("ACME001\nname", "PAK001\nname", r"yaml:1: PAK001 is taken by a rule of cfglint"),
        ("name: acme-project", "name: unknown-key", r"yaml:2: unknown-key is taken by a rule"),
        ("framework: axolotl", "framework: other", r"yaml:4: unknown framework 'other'"),
        ("framework: axolotl\n", "", r"yaml:1: `framework` is missing"),
        (
            "  - good: |",
            "  - base: lorra\n    good: |",
            r"yaml:23: there is no base 'lorra' .* 'lora'\?",
        ),
        ("when: {wandb_project: {set: true, not_in: [acme]}}", "check: unknown-key", r"yaml:9: "),
        ("not_in: [acme]", "matches: '(?=a)'", r"yaml:9: the pattern '\(\?=a\)' has references"),
    ],
)
def test_a_broken_rule_file_is_named_with_its_line(
    project: Path, old: str, new: str, said: str
) -> None:
    change(project, old, new)
    for arguments in (("train.yml",), ("rules", "test", "lint"), ("explain", "ACME001")):
        result = run(*arguments)
        assert result.code == 2
        assert re.search(r"lint/inner/acme-project\." + said, result.err), result.err
        assert "Traceback" not in result.err


def test_a_missing_part_is_reported_at_the_first_written_line(project: Path) -> None:
    change(project, "code: ACME001\n", "# ours\n\n")
    result = run("rules", "test", "lint")
    assert result.code == 2
    assert "lint/inner/acme-project.yaml:3: `code` is missing" in result.err


def test_rules_are_tested_outside_of_a_checkout(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cfglint.engine.authoring.rule_files.checkout_rules", lambda: None)
    tested = run("rules", "test")
    assert (tested.code, tested.out) == (0, "1 rule, 0 problems\n")
    assert run("rules", "fmt", "--check").code == 1
    (project / "cfglint.toml").unlink()
    nothing = run("rules", "test")
    assert nothing.code == 2
    assert nothing.err.startswith("cfglint: name the folder with the rules; the settings")
    tested = run("rules", "test", "lint")
    assert (tested.code, tested.out) == (0, "1 rule, 0 problems\n")


@pytest.mark.parametrize("folder", ["../elsewhere", "/etc", "missing", "train.yml", "link"])
def test_folders_that_are_refused(project: Path, folder: str) -> None:
    (project / "link").symlink_to("/etc")
    (project / "cfglint.toml").write_text(f'rules = ["{folder}"]\n', encoding="utf-8")
    result = run("train.yml")
    assert result.code == 2
    assert folder in result.err


def test_two_rules_with_one_code(project: Path) -> None:
    text = RULE.replace("acme-project", "acme-other")
    (project / "lint" / "other.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(RuleFileError, match="ACME001 is taken by"):
        load_project_rules(("lint",), load_framework("axolotl"), Disk())


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        (r"(a)\1+", "has references, look-arounds, or groups that give nothing back"),
        ("(?:a{1,1000}){1,1000}", "is too large once its repeats are written out"),
    ],
)
def test_a_pattern_that_cannot_be_matched_in_linear_time(
    project: Path, pattern: str, why: str
) -> None:
    change(project, "{set: true, not_in: [acme]}", f"{{matches: '{pattern}'}}")
    with pytest.raises(RuleFileError) as error:
        load_project_rules(("lint",), load_framework("axolotl"), Disk())
    assert f"acme-project.yaml:9: the pattern {pattern!r} {why}" in str(error.value)


#: In any case, both of its runs of `a` take the same characters.
EXPONENTIAL = "{wandb_project: {matches: '^(a+A+)+$'}}"
HOSTILE = "a" * 60 + "!"


@pytest.mark.parametrize(
    ("old", "new", "messages"),
    [
        ("when: {wandb_project: {set: true, not_in: [acme]}}", f"when: {EXPONENTIAL}", []),
        (
            "message: ",
            f"remedy:\n  - {{when: {EXPONENTIAL}, say: Never.}}\n  - {{say: Else.}}\nmessage: '{{remedy}}' #",
            ["Else."],
        ),
    ],
    ids=["when", "remedy"],
)
def test_no_pattern_of_a_rule_is_matched_by_backtracking(
    project: Path, old: str, new: str, messages: list[str]
) -> None:
    change(project, old, new)
    text = CONFIG.replace("mine", HOSTILE)
    (project / "train.yml").write_text(text, encoding="utf-8")
    started = time.process_time()
    found = lint_file("train.yml", select=["ACME"]).diagnostics
    assert [one.message for one in found] == messages
    assert time.process_time() - started < 5


def test_info_is_another_name_of_note(project: Path) -> None:
    change(project, "severity: warning", "severity: info")
    (found,) = lint_file("train.yml", select=["ACME"]).diagnostics
    assert found.severity == "note"


def test_the_files_of_a_folder_of_rules(tmp_path: Path) -> None:
    rules, other = tmp_path / "rules", tmp_path / "other"
    (rules / "inner" / "deep").mkdir(parents=True)
    other.mkdir()
    for name in ("b.yaml", "a.yml", "notes.txt", "inner/c.yaml", "inner/deep/d.yaml"):
        (rules / name).write_text("")
    (rules / "link.yaml").symlink_to(rules / "b.yaml")
    # A link to a folder is not followed, whatever it is called.
    (rules / "folder.yaml").symlink_to(other)
    found = rule_paths(str(rules), Disk())
    assert [Path(path).relative_to(rules).as_posix() for path in found] == [
        *("a.yml", "b.yaml", "link.yaml", "inner/c.yaml", "inner/deep/d.yaml"),
    ]
    assert rule_paths(str(rules / "b.yaml"), Disk()) == [str(rules / "b.yaml")]
    with pytest.raises(RuleFileError, match="does not exist"):
        rule_paths(str(tmp_path / "none"), Disk())
