"""`cfglint explain` and `cfglint rules`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import yaml
from jsonschema import Draft202012Validator

from tests.cli.running import run
from tests.draws import drawn, each, product

ROOT = Path(__file__).resolve().parents[2]
RULES = json.loads(run("rules", "--format", "json").out)


@product
@each("family", sorted({rule["code"][:3] for rule in RULES}))
def test_every_rule_is_explained(family: str) -> None:
    rules = drawn([rule for rule in RULES if rule["code"].startswith(family)], 5)
    result = run("explain", *(rule["code"] for rule in rules))
    assert (result.code, result.err) == (0, "")
    for rule, page in zip(rules, re.split(r"\n─+\n\n", result.out), strict=True):
        said = " ".join(page.split())
        assert page.startswith(f"{rule['code']} {rule['name']}\n")
        assert said.startswith(
            f"{rule['code']} {rule['name']} {' '.join(rule['summary'].split())} "
        )
        assert max(map(len, page.partition("Example")[0].splitlines())) <= 100
    assert result.out == run("explain", *(rule["name"] for rule in rules)).out


@each("spelling", ["PAK001", "pak001", "Pak001", "packed-eval-deadlock", "Packed-Eval-Deadlock"])
def test_a_rule_by_any_spelling(spelling: str) -> None:
    assert run("explain", spelling).out.startswith("PAK001 packed-eval-deadlock\n")


@each(
    ("typo", "meant"),
    [
        ("PAKC001", "PAK001"),
        ("pakc001", "PAK001"),
        ("packed-eval-deadlok", "packed-eval-deadlock"),
        ("Packed-Eval-Deadlok", "packed-eval-deadlock"),
        ("duplicate_key", "duplicate-key"),
    ],
)
def test_a_typo_is_guessed(typo: str, meant: str) -> None:
    result = run("explain", typo)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(f"cfglint: unknown rule '{typo}'; did you mean ")
    assert meant in result.err


def test_nonsense_is_not_guessed() -> None:
    result = run("explain", "zzzzzzzzzzzzzzzzzz")
    assert result.err == "cfglint: unknown rule 'zzzzzzzzzzzzzzzzzz'; `cfglint rules` lists them\n"


def test_rules_of_every_framework_are_explained_for_none() -> None:
    out = run("explain", "YML001").out
    assert "The framework hands the file to PyYAML" in out
    assert "\nCost: The framework cannot start a run" in run("explain", "KEY007").out
    assert "which the framework reads with" in run("explain", "YML020").out.replace("\n", " ")
    assert all("{framework}" not in run("explain", str(rule["code"])).out for rule in RULES[:12])


def test_shared_rules_are_explained_as_for_axolotl() -> None:
    out = run("explain", "OPT469").out
    assert (
        "Frameworks: Axolotl, DeepSpeed, LLaMA-Factory, TRL, each with its own keys; "
        "this page is for Axolotl\n"
    ) in out
    assert "the same that `max_steps` limits" in out
    assert "total_num_steps" not in out
    assert "Frameworks:" not in run("explain", "PAK001").out


def test_explain_in_colour() -> None:
    assert "\x1b[" in run("explain", "PAK001", env={"FORCE_COLOR": "1"}).out
    assert "\x1b[" not in run("explain", "PAK001", env={"NO_COLOR": "1"}, terminal=True).out


def test_the_list_of_rules() -> None:
    out = run("rules").out.splitlines()
    lines = [line for line in out if line.startswith("  ")]
    assert [line.split()[0] for line in lines] == [rule["code"] for rule in RULES]
    assert [line.split()[2] for line in lines] == [rule["name"] for rule in RULES]
    assert len({rule["name"] for rule in RULES}) == len(RULES) > 40
    assert [rule["code"] for rule in RULES] == sorted(rule["code"] for rule in RULES)
    for rule in RULES:
        assert set(rule) == {"code", "name", "severity", "confidence", "summary", "fix", "applies"}
        assert rule["severity"] in ("error", "warning", "note")
        assert set(rule["fix"]) <= {"safe", "unsafe"}


def test_families_have_titles() -> None:
    out = run("rules").out.splitlines()
    titles = {line[:3]: line[5:] for line in out if line and not line.startswith(" ")}
    assert titles["KEY"] == "Keys"
    assert list(titles) == sorted({rule["code"][:3] for rule in RULES})
    assert all(titles.values())


def listed(*arguments: str) -> list[str]:
    rows = json.loads(run("rules", *arguments, "--format", "json").out)
    shown = run("rules", *arguments).out.splitlines()
    codes = [row["code"] for row in rows]
    assert [line.split()[0] for line in shown if line.startswith("  ")] == codes
    return codes


def test_rules_are_filtered() -> None:
    keys = [rule["code"] for rule in RULES if rule["code"].startswith("KEY")]
    assert listed("KEY") == listed("key") == keys
    assert listed("unknown-key", "KEY00") == [code for code in keys if code < "KEY1"]
    assert listed("PAK001", "KEY001") == ["KEY001", "PAK001"]
    found = listed("--search", "Eval Deadlocks")
    assert "PAK001" in found
    assert len(found) < 20
    assert set(listed("PAK", "--search", "deadlocks")) <= set(listed("--search", "deadlocks"))
    result = run("rules", "--search", "zzz qqq")
    assert (result.code, result.out, result.err) == (
        0,
        "",
        "cfglint: no rule contains all of these words\n",
    )
    result = run("rules", "KEY", "KEYY")
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("cfglint: unknown rule 'KEYY'")


def test_the_help_of_rules_and_of_their_test() -> None:
    shown = run("rules", "--help").out
    assert "--search" in shown
    assert all(f"\n  {name} " in shown for name in ("list", "new", "test", "fmt"))
    assert "[CODE|FOLDER]…" in run("rules", "test", "-h").out


def test_several_rules_and_families_are_explained() -> None:
    one, other = run("explain", "KEY001").out, run("explain", "PAK001").out
    both = run("explain", "KEY001", "packed-eval-deadlock")
    assert both.code == 0
    assert re.fullmatch(re.escape(one) + "\n─+\n\n" + re.escape(other), both.out)
    assert run("explain", "swp").out == run("rules", "SWP").out
    result = run("explain", "NOPE1", "KEY001", "unknwon-key")
    assert (result.code, result.out) == (2, one)
    assert [line.split("'")[1] for line in result.err.splitlines()] == ["NOPE1", "unknwon-key"]


def test_an_explanation_fills_the_terminal() -> None:
    for columns in (60, 100):
        out = run("explain", "PAK001", env={"COLUMNS": str(columns)}).out.partition("Example")[0]
        assert columns - 12 < max(map(len, out.splitlines())) <= columns
        assert "**" not in out


def test_the_schema_is_one_and_every_rule_file_follows_it() -> None:
    schema = json.loads(run("rules", "--schema").out)
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    checked = 0
    for path in sorted((ROOT / "rules").glob("*/*/*.yaml")):
        rule = yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)
        errors = [f"{path.name}: {error.message}" for error in validator.iter_errors(rule)]
        assert errors == []
        checked += 1
    assert checked == len(RULES)


@each(
    "change",
    [{"code": "pak1"}, {"severity": "fatal"}, {"unknown": 1}, {"name": None}, {"examples": "x"}],
)
def test_the_schema_refuses_what_is_wrong(change: dict[str, object]) -> None:
    schema = json.loads(run("rules", "--schema").out)
    path = next((ROOT / "rules" / "axolotl" / "packing").glob("*.yaml"))
    rule = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert not Draft202012Validator(schema).is_valid({**rule, **change})


def test_the_examples_of_a_folder(tmp_path: Path) -> None:
    family = tmp_path / "axolotl" / "packing"
    family.mkdir(parents=True)
    assert run("rules", "test", tmp_path).out == "0 rules, 0 problems\n"
    (family / "x.yaml").write_text("code: [\n", encoding="utf-8")
    result = run("rules", "test", tmp_path)
    assert result.code == 2
    assert result.err.startswith("cfglint: ")
    (family / "x.yaml").write_text("code: PAK999\n", encoding="utf-8")
    assert run("rules", "test", tmp_path).code == 2


def test_a_name_that_programs_import() -> None:
    for text in ("setup_chat_format", "trl.setup_chat_format"):
        out = run("explain", text).out
        assert out.startswith("trl.setup_chat_format (a name of the package trl)")
        assert "removed in 0.26.0. `clone_chat_template` takes its place" in out


def test_words_about_an_import_or_an_option() -> None:
    words = "cannot import name 'setup_chat_format' from 'trl' (/v/trl/__init__.py)"
    out = run("explain", "--symptom", words).out
    assert out.startswith("`trl.setup_chat_format` of trl is no longer there from 0.26.0 on.")
    assert "Or install trl below 0.26.0." in " ".join(out.split())
    out = run("explain", "--symptom", "remaining_argv: ['--sft_type', 'lora']").out
    assert out.startswith("sft_type (not in ms-swift 4.6.0)")
