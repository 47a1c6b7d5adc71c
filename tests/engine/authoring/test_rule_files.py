"""An author names rules by code, file or folder; only these are read, tested and formatted."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from cfglint.engine.authoring import rule_files
from cfglint.knowledge.compiling import freshness
from cfglint.knowledge.compiling.rule_problems import TO_FILL_IN
from tests.cli.running import run
from tests.shipped import RULES

RULE = RULES / "axolotl" / "adapters" / "better-transformer-beside-adapter.yaml"
CODE = "PEF203"


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with one rule, of which nothing but this rule has changed since it was compiled."""
    rules = tmp_path / "rules"
    home = rules / "axolotl"
    (home / "adapters").mkdir(parents=True)
    for name in ("framework.yaml", "releases.json", "bases.yaml"):
        shutil.copy(RULES / "axolotl" / name, home)
    path = Path(shutil.copy(RULE, home / "adapters"))
    monkeypatch.setattr(rule_files, "checkout_rules", lambda: str(rules))
    monkeypatch.setattr(freshness, "changed_files", lambda *_: {str(path)})
    monkeypatch.setattr(freshness, "TOLERATED", set())
    monkeypatch.chdir(tmp_path)
    return path


@pytest.mark.parametrize("name", [CODE, RULE.stem, str(RULE)])
def test_a_rule_is_tested_by_itself(name: str) -> None:
    result = run("rules", "test", name)
    assert (result.code, result.out) == (0, "1 rule, 0 problems\n")


def test_a_folder_is_tested_and_formatted_by_itself() -> None:
    folder = RULES / "accelerate" / "launcher"
    count = len(list(folder.glob("*.yaml")))
    assert run("rules", "test", folder).out == f"{count} rules, 0 problems\n"
    checked = run("rules", "fmt", RULES / "accelerate", "--check")
    assert (checked.code, checked.out, checked.err) == (0, "", "")


def test_the_rules_of_a_file_that_changed_take_the_place_of_the_compiled_ones(
    checkout: Path,
) -> None:
    assert run("rules", "test", CODE).out == "1 rule, 0 problems\n"
    text = checkout.read_text(encoding="utf-8")
    checkout.write_text(text.replace("flash_optimum: {is: true}", "flash_optimum: {eq: 7}"))
    tested = run("rules", "test", CODE)
    assert tested.code == 1
    assert f"{CODE} {RULE.stem}, example 1: fires at lines [], not at [" in tested.out
    assert str(checkout) in freshness.TOLERATED


def test_what_is_no_rule_is_named() -> None:
    result = run("rules", "test", "NOPE1")
    assert (result.code, result.err) == (
        2,
        "cfglint: NOPE1: neither a rule nor a folder of rules\n",
    )


def test_a_new_rule_is_whole_but_for_what_is_to_be_filled_in(checkout: Path) -> None:
    written = run("rules", "new", "PEF999", "--name", "a-new-rule")
    path = checkout.with_name("a-new-rule.yaml")
    assert written.out.endswith(
        "a-new-rule.yaml; `cfglint rules test PEF999` lists what is to be filled in\n"
    )
    listed = run("rules", "test", "PEF999")
    assert listed.code == 2
    lines = listed.err.splitlines()
    assert lines[0].endswith(":2: `summary` is to be filled in: one line, without a full stop")
    assert all("is to be filled in" in line for line in lines)
    filled = {
        "severity": "warning", "confidence": "high", "bites": "train", "upstream": "silent",
    }  # fmt: skip
    text = path.read_text(encoding="utf-8").replace("fill_in", "flash_optimum")
    rows = []
    for line in text.splitlines():
        key = line.partition(":")[0]
        rows.append(f"{key}: {filled[key]}" if key in filled else line.replace(TO_FILL_IN, "Now"))
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    assert run("rules", "fmt", "PEF999").code == 0
    taken = run("rules", "new", "PEF999")
    assert (taken.code, taken.err) == (
        2,
        f"cfglint: {path}: PEF999 is already the rule in this file\n",
    )


def test_a_rule_of_a_project_begins_in_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cfglint.toml").write_text('rules = ["lint"]\n', encoding="utf-8")
    written = run("rules", "new", "ACME001", "--framework", "trl")
    path = tmp_path / "lint" / "acme001.yaml"
    assert written.code == 0
    assert written.out.startswith(f"written: {Path('lint', 'acme001.yaml')}; ")
    assert "framework: trl\n" in path.read_text(encoding="utf-8")
    assert "`summary` is to be filled in" in run("rules", "test", "ACME001").err
    again = run("rules", "new", "ACME001", "--name", "another")
    assert (again.code, again.out) == (2, "")
    assert "acme001.yaml: ACME001 is already the rule in this file" in again.err
    monkeypatch.setattr(rule_files, "checkout_rules", lambda: None)
    ours = run("rules", "new", "KEY999")
    assert ours.err == "cfglint: KEY999: this prefix belongs to cfglint's rules\n"
    assert [one.name for one in (tmp_path / "lint").iterdir()] == ["acme001.yaml"]


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("acme1",), "'acme1' is not a code: expected capitals and a number, such as ACME001"),
        (("ACME1", "--name", "A b"), "'A b' is not a name: expected lower-case words"),
        (("ACME1", "--framework", "nope"), "unknown framework 'nope'; expected one of "),
    ],
)
def test_what_cannot_be_begun(arguments: tuple[str, ...], text: str) -> None:
    result = run("rules", "new", *arguments)
    assert result.code == 2
    assert result.err.startswith(f"cfglint: {text}")
