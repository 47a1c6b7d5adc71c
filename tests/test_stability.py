"""The promises of docs/stability.md: a data update, rules in preview, codes, exit codes, JSON."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import run
from tests.test_toy_framework import cfglint, checkout, empty_checkout, python

__all__ = ["checkout", "empty_checkout"]

#: Files, and the exit code of each with `--fail-on warning` before the update.
FILES = {
    "plain.yml": ("toy_model: tiny\nbatch: 8\n", 0),
    "renamed-later.yml": ("toy_model: tiny\nbatch: 8\naccumulate: 2\n", 0),
    "added-later.yml": ("toy_model: tiny\nbatch: 8\nloss_scale: 2\n", 1),
    "wrong.yml": ("toy_model: tiny\nbatch: many\n", 1),
}


@pytest.fixture(scope="module")
def updated(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The checkout with a newer release: one key renamed, one added."""
    folder = tmp_path_factory.mktemp("update") / "checkout"
    shutil.copytree(checkout, folder, ignore=shutil.ignore_patterns("_compiled"))
    home = folder / "rules" / "toy"
    releases = json.loads((home / "releases.json").read_text(encoding="utf-8"))
    releases["newest"] = "1.2"
    releases["releases"]["1.2"] = {"date": "2026-06-01", "pins": {"torch": ">=2.6"}}
    (home / "releases.json").write_text(json.dumps(releases), encoding="utf-8")
    path = home / "tables" / "toy.json"
    table: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    table["releases"].append("1.2")
    table["keys"]["accumulate"] |= {"removed": "1.2", "rename": "accumulation"}
    table["keys"]["accumulation"] = {"since": "1.2", "type": "int"}
    table["keys"]["loss_scale"] = {"since": "1.2", "type": "int"}
    path.write_text(json.dumps(table), encoding="utf-8")
    return folder


#: The exit code for each of some files, from one process.
_CODES = """\
import io, json, sys
from contextlib import redirect_stdout
from cfglint.cli import main

def code_of(name, options):
    with redirect_stdout(io.TextIOWrapper(io.BytesIO(), encoding="utf-8")):
        try:
            main([name, *options])
        except SystemExit as stop:
            return int(stop.code or 0)

names, options = json.loads(sys.argv[1])
print(json.dumps({name: code_of(name, options) for name in names}))
"""


def codes(folder: Path, *options: str) -> dict[str, int]:
    for name, (text, _) in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    asked = json.dumps([list(FILES), ["--fail-on", "warning", *options]])
    _, out = python(folder, "-c", _CODES, asked)
    found: dict[str, int] = json.loads(out)
    assert set(found.values()) <= {0, 1}, out
    return found


def test_a_data_update_changes_no_exit_code_under_as_of(checkout: Path, updated: Path) -> None:
    before = codes(checkout)
    assert before == {name: code for name, (_, code) in FILES.items()}
    # Without it, one file has become right. What only the newest release refuses is a note.
    assert codes(updated) == {**before, "added-later.yml": 0}
    assert cfglint(updated, "renamed-later.yml", "--fail-on", "note")[0] == 0
    asked = ("renamed-later.yml", "--fail-on", "note", "--min-confidence", "low")
    assert cfglint(updated, *asked)[0] == 1
    assert cfglint(updated, *asked, "--as-of", "2026-05")[0] == 0
    assert codes(updated, "--as-of", "2026-05-31") == before
    assert codes(updated, "--as-of", "2026-05") == before
    assert codes(checkout, "--as-of", "2026-05") == before


def test_the_settings_keep_the_day(updated: Path) -> None:
    path = updated / "cfglint.toml"
    # TOML has a type of its own for days.
    for value in ('"2026-05-31"', "2026-05-31"):
        path.write_text(f"as-of = {value}\n", encoding="utf-8")
        assert codes(updated)["added-later.yml"] == 1
    _, out = cfglint(updated, "plain.yml")
    assert "toy 1.1 (the newest as of 2026-05-31)" in out
    # An option overrides it, and what is stated is no assumption.
    assert codes(updated, "--as-of", "2026-06-01")["added-later.yml"] == 0
    assert codes(updated, "--target", "toy==1.2")["added-later.yml"] == 0
    # No release is that old.
    assert "toy 1.2" in cfglint(updated, "plain.yml", "--as-of", "2020-01-01")[1]
    path.write_text('as-of = "soon"\n', encoding="utf-8")
    code, out = cfglint(updated, "plain.yml")
    assert (code, "as-of expects a day such as 2026-11-01" in out) == (2, True)
    path.unlink()
    code, out = cfglint(updated, "plain.yml", "--as-of", "soon")
    assert (code, "--as-of soon: expected a day such as 2026-11-01" in out) == (2, True)


RULE = """\
code: ACME001
name: small-batch
summary: A small batch
framework: axolotl
preview: true
severity: error
confidence: high
bites: silent
upstream: silent
when:
  - micro_batch_size: {eq: 1}
at: [micro_batch_size]
message: The batch is small. Write 2.
cost: time
why: It is slow.
base: small
examples:
  - bad: "micro_batch_size: 1  # <- ACME001"
  - good: "micro_batch_size: 2"
"""
CONFIG = "base_model: a/b\ndatasets:\n  - {path: x, type: alpaca}\nmicro_batch_size: 1\n"


@pytest.fixture
def with_preview(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "small-batch.yaml").write_text(RULE, encoding="utf-8")
    (tmp_path / "cfglint.toml").write_text('rules = ["rules"]\n', encoding="utf-8")
    (tmp_path / "train.yml").write_text(CONFIG, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("options", "speaks"),
    [
        ((), False),
        (("--preview",), True),
        (("--select", "ACME001"), True),
        (("--select", "small-batch"), True),
        (("--extend-select", "ACME001"), True),
        (("--select", "ACME"), False),
        (("--select", "ALL"), False),
        (("--preview", "--ignore", "ACME"), False),
    ],
)
def test_a_rule_in_preview_is_off_unless_it_is_asked_for(
    with_preview: Path, options: tuple[str, ...], speaks: bool
) -> None:
    result = run("train.yml", *options)
    assert ("ACME001 small-batch (preview)" in result.out) is speaks


def test_a_rule_in_preview_never_fails_a_pipeline(with_preview: Path) -> None:
    only = ("train.yml", "--select", "ACME001")
    result = run(*only, "--format", "json")
    (found,) = json.loads(result.out)["files"][0]["diagnostics"]
    assert (result.code, found["severity"], found["preview"]) == (0, "error", True)
    assert run(*only, "--fail-on", "note").code == 0
    path = with_preview / "rules" / "small-batch.yaml"
    path.write_text(RULE.replace("preview: true\n", ""), encoding="utf-8")
    result = run(*only, "--format", "json")
    (found,) = json.loads(result.out)["files"][0]["diagnostics"]
    assert (result.code, "preview" in found) == (1, False)


def test_preview_in_the_settings(with_preview: Path) -> None:
    path = with_preview / "cfglint.toml"
    for line in ("preview = true", 'extend-select = ["ACME001"]'):
        path.write_text(f'rules = ["rules"]\n{line}\n', encoding="utf-8")
        assert "ACME001" in run("train.yml").out
