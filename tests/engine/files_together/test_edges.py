"""A config and the files that belong to it: each is checked once, and what only both tell."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import cfglint
from tests.cli.files import CLEAN
from tests.cli.running import run

CONFIG = CLEAN.replace("./data/train.jsonl", "org/data") + "gradient_accumulation_steps: 4\n"
#: `micro_batch_size` of the config is another one.
SETTINGS = """\
{
  "train_micro_batch_size_per_gpu": 64,
  "gradient_accumulation_steps": "auto",
  "bf16": {"enabled": "auto"},
  "zero_optimization": {
    "stage": 2
  }
}
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(texts: dict[str, str]) -> None:
    for name, text in texts.items():
        Path(name).write_text(text, encoding="utf-8")


def files(*arguments: str) -> dict[str, dict[str, Any]]:
    """File -> what the JSON report says about it."""
    out = run(*arguments, "--format", "json").out
    return {file["path"].removeprefix("./"): file for file in json.loads(out)["files"]}


def codes(file: dict[str, Any]) -> list[tuple[str, int]]:
    return [(found["code"], found["range"]["start"]["line"]) for found in file["diagnostics"]]


def pair(settings: str = SETTINGS) -> None:
    write({"train.yml": CONFIG + "deepspeed: ds.json\n", "ds.json": settings})


def test_a_finding_about_both_is_in_one_and_points_at_the_other() -> None:
    pair()
    found = files("train.yml", "--select", "DST553")
    assert codes(found["train.yml"]) == []
    assert codes(found["ds.json"]) == [("DST553", 2)]
    (related,) = found["ds.json"]["diagnostics"][0]["related"]
    assert related["path"] == "train.yml"
    line = CONFIG.splitlines()[related["range"]["start"]["line"] - 1]
    assert line.startswith("micro_batch_size: ")


def test_alone_a_file_is_judged_by_what_it_says_alone() -> None:
    pair()
    assert codes(files("ds.json")["ds.json"]) == []


@pytest.mark.parametrize("arguments", [("train.yml",), ("train.yml", "ds.json"), (".",)])
def test_each_file_is_reported_once(arguments: tuple[str, ...]) -> None:
    pair(SETTINGS.replace('"stage"', '"stagee"'))
    found = files(*arguments)
    assert sorted(found) == ["ds.json", "train.yml"]
    assert codes(found["ds.json"]) == [("DST553", 2), ("KEY001", 6)]
    (named,) = found["train.yml"]["names"]
    assert (Path(named["path"]).name, named["framework"]) == ("ds.json", "deepspeed")


def test_two_configs_that_name_one_file_have_one_report_of_it() -> None:
    pair(SETTINGS.replace('"stage"', '"stagee"'))
    write(
        {
            "other.yml": CONFIG.replace("micro_batch_size: ", "micro_batch_size: 1")
            + "deepspeed: ds.json\n"
        }
    )
    found = files("train.yml", "other.yml")
    assert sorted(found) == ["ds.json", "other.yml", "train.yml"]
    assert [code for code, _ in codes(found["ds.json"])].count("KEY001") == 1


def test_the_text_says_which_file_names_which() -> None:
    pair()
    out = run("train.yml").out
    assert "train.yml (Axolotl) names ds.json (DeepSpeed)." in out
    assert "related: train.yml:" in out
    assert re.search(r"hecked for axolotl [^\n]*\), deepspeed ", out)


def test_a_section_has_the_same_rules_at_its_own_lines() -> None:
    text = CONFIG + (
        "deepspeed:\n"
        "  train_micro_batch_size_per_gpu: auto\n"
        "  gradient_accumulation_steps: auto\n"
        "  zero_optimization:\n"
        "    stage: 2\n"
        "    overlap_com: true\n"
    )
    write({"train.yml": text})
    line = text.splitlines().index("    overlap_com: true") + 1
    assert codes(files("train.yml", "--select", "KEY001")["train.yml"]) == [("KEY001", line)]
    run("train.yml", "--select", "KEY001", "--fix")
    assert Path("train.yml").read_text() == text.replace("overlap_com:", "overlap_comm:")


def test_a_section_and_the_config_are_a_pair() -> None:
    write({"train.yml": CONFIG + "deepspeed:\n  train_micro_batch_size_per_gpu: 64\n"})
    line = len(CONFIG.splitlines()) + 2
    assert codes(files("train.yml", "--select", "DST553")["train.yml"]) == [("DST553", line)]


def test_a_rule_on_the_edge_takes_the_place_of_one_that_knows_less() -> None:
    # Alone: how often the optimizer steps is not known. Beside the config it is.
    settings = SETTINGS.replace('"stage": 2', '"stage": 3')
    pair(settings)
    alone = {code for code, _ in codes(files("ds.json")["ds.json"])}
    named = {code for code, _ in codes(files("train.yml")["ds.json"])}
    replaced = {"DSZ001", "DSZ008", "DSZ009"}
    assert alone & replaced
    assert not named & replaced
    assert not {code for code, _ in codes(files(".")["ds.json"])} & replaced


@pytest.mark.parametrize("label", ["DST560", "zero2-offload-drops-micro-batches"])
def test_a_former_code_still_selects_and_explains(label: str) -> None:
    status, out = run("explain", label).code, run("explain", label).out
    assert status == 0
    assert "zero2-offload-drops-micro-batches" in out
    assert run("train.yml", "--select", label).code == 2  # for want of the file, not of the rule
    pair()
    assert run("train.yml", "--select", label).code == 0


def test_a_former_code_still_silences() -> None:
    misspelt = CONFIG + "val_set_siz: 0.1"
    write({"train.yml": misspelt + "  # cfglint: ignore[DST552]\n"})
    found = files("train.yml")["train.yml"]
    assert codes(found) == []
    assert found["suppressed"] == 1


@pytest.mark.parametrize("settings", ["{", "", "[1]", "\x00", '{"zero_optimization": 1}'])
def test_a_broken_second_file_does_not_end_the_check_of_the_first(settings: str) -> None:
    pair(settings)
    write({"train.yml": Path("train.yml").read_text() + "val_set_siz: 0.1\n"})
    found = files("train.yml")
    assert [code for code, _ in codes(found["train.yml"])] == ["KEY001"]
    assert codes(found["ds.json"]) != []


def test_the_file_of_a_command_is_a_second_one() -> None:
    launcher = "compute_environment: LOCAL_MACHINE\ndistributed_type: MULTI_GPU\nnum_processes: 2\nnum_machine: 1\n"
    write(
        {
            "train.yml": CONFIG,
            "acc.yaml": launcher,
            "run.sh": "accelerate launch --config_file acc.yaml -m axolotl.cli.train train.yml\n",
        }
    )
    assert codes(files("train.yml", "--select", "KEY001")["acc.yaml"]) == [("KEY001", 4)]


def test_an_accelerate_file_names_one_of_deepspeed() -> None:
    launcher = (
        "compute_environment: LOCAL_MACHINE\ndistributed_type: DEEPSPEED\nnum_processes: 2\n"
        "deepspeed_config:\n  deepspeed_config_file: ds.json\n"
    )
    write({"acc.yaml": launcher, "ds.json": SETTINGS.replace('"stage"', '"stagee"')})
    assert codes(files("acc.yaml", "--select", "KEY001")["ds.json"]) == [("KEY001", 6)]
    write({"acc.yaml": launcher.replace("DEEPSPEED", "MULTI_GPU")})
    assert "ds.json" not in files("acc.yaml", "--select", "KEY001")


def test_callers_of_the_library_get_each_file_once() -> None:
    pair(SETTINGS.replace('"stage"', '"stagee"'))
    report = cfglint.lint_file("train.yml")
    (other,) = report.elsewhere
    assert [found.code for found in other.diagnostics] == ["DST553", "KEY001"]


@pytest.mark.parametrize(
    ("deepspeed", "arguments", "named"),
    [
        # A section is no file, and neither is one that is not there: the next one is.
        ("{zero_optimization: {stage: 2}}", ("train.yml",), ["acc.yaml"]),
        ("missing.json", ("train.yml",), ["acc.yaml"]),
        ("ds.json", ("train.yml",), ["acc.yaml", "ds.json"]),
        # One that is checked anyway keeps nobody from being told of the next one.
        ("ds.json", ("train.yml", "ds.json"), ["acc.yaml", "ds.json"]),
    ],
)
def test_every_file_that_is_named_is_reported(
    deepspeed: str, arguments: tuple[str, ...], named: list[str]
) -> None:
    write(
        {
            "train.yml": f"{CONFIG}deepspeed: {deepspeed}\n",
            "ds.json": SETTINGS,
            "acc.yaml": "compute_environment: LOCAL_MACHINE\nnum_processes: 2\nnum_procesess: 2\n",
            "train.sh": "accelerate launch --config_file acc.yaml -m axolotl.cli.train train.yml\n",
        }
    )
    found = files(*arguments, "--select", "KEY")
    assert sorted(Path(one["path"]).name for one in found["train.yml"]["names"]) == named
    assert [code for code, _ in codes(found["acc.yaml"])] == ["KEY001"]
