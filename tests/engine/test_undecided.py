"""Findings that depend on what nobody told: how severe they are, and that nothing is repaired."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cfglint import fix_text, lint_file, lint_text
from cfglint.diagnostic import Diagnostic, SeverityName
from cfglint.engine.settings.selection import Selection
from cfglint.source.text import Span
from tests.cli.running import run
from tests.draws import each

_BASE = """\
base_model: a/b
datasets:
  - path: ./data/tickets.jsonl
    type: alpaca
val_set_size: 0.1
eval_steps: 50
"""
#: Keys that are no trouble for the newest release, and the rule about older ones.
FOUNDING = [
    ("rl: orpo\n", "RLH001"),
    (
        "adapter: qlora\nload_in_4bit: true\nfsdp: [auto_wrap, full_shard]\n"
        "fsdp_config:\n  fsdp_version: 2\n  fsdp_cpu_ram_efficient_loading: true\n",
        "SAV002",
    ),
]
_WORKERS = "base_model: a/b\nrl: kto\ndataset_processes: 96\n"


def found(text: str, *target: str, **hardware: int) -> dict[str, Diagnostic]:
    report = lint_text(text, target=target, **hardware)  # type: ignore[arg-type]
    return {one.code: one for one in report.diagnostics}


def test_low_confidence_in_unstated_releases_is_reported_on_request() -> None:
    text = "base_model: a/b\nrl: dpo\n"
    assert "RLH004" not in found(text)
    (one,) = lint_text(text, min_confidence="low", select=["RLH"]).diagnostics
    assert (one.code, one.other_releases) == ("RLH004", True)


def test_builds_between_releases_are_reported_on_request_where_none_is_stated() -> None:
    text = _BASE + "sample_packing: true\n"
    assert "PAK001" not in found(text)
    (one,) = lint_text(text, min_confidence="low", select=["PAK001"]).diagnostics
    assert (one.severity, one.other_releases) == ("note", True)
    assert found(text, "axolotl==0.4.1")["PAK001"].severity == "warning"


def test_a_range_states_no_build_between_releases(tmp_path: Path) -> None:
    path = tmp_path / "train.yml"
    path.write_text(_BASE + "sample_packing: true\n", encoding="utf-8")
    build = "axolotl @ git+https://github.com/axolotl-ai-cloud/axolotl@6d3caadf9"
    # Who states the release installs that, and none of the builds behind it.
    for line, expected in (("axolotl>=0.4.0", []), ("axolotl==0.4.1", []), (build, ["PAK001"])):
        (tmp_path / "requirements.txt").write_text(f"{line}\n", encoding="utf-8")
        report = lint_file(path, select=["PAK0"])
        assert [one.code for one in report.diagnostics] == expected


@pytest.mark.parametrize(("keys", "code"), FOUNDING)
def test_only_other_releases_are_affected(keys: str, code: str) -> None:
    one = found(_BASE + keys)[code]
    assert (one.other_releases, one.severity, one.undecided) == (True, "note", True)
    assert f"  {code}  " not in run_text(_BASE + keys)
    printed = run_text(_BASE + keys, "--other-releases")
    block = printed.split("\n\n")[-2].splitlines()
    (number,) = [at for at, line in enumerate(block) if f"  {code}  " in line]
    # The last lines of what is said about the file, each finding on its own.
    assert all(line.startswith(("  on other releases: line ", "    ")) for line in block[number:])
    assert f"{code} " not in "\n\n".join(printed.split("\n\n")[:-2])


def run_text(text: str, *options: str) -> str:
    return run("-", "--isolated", *options, stdin=text.encode()).out


def test_a_release_that_may_be_affected_is_no_other_release() -> None:
    one = found(_BASE + "sample_packing: true\n", "axolotl==0.4.1")["PAK001"]
    assert (one.other_releases, one.severity) == (False, "warning")
    assert one.needs == ("--target axolotl@COMMIT", "--gpus N")
    assert "name" not in one.message.partition("0.4.1")[2]


def test_a_range_without_the_newest_release_is_reported(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "requirements.txt").write_text("axolotl<0.8\n")
    (tmp_path / "train.yml").write_text(_BASE + "rl: orpo\n")
    report = json.loads(run(tmp_path / "train.yml", "--format", "json").out)
    (one,) = [d for d in report["files"][0]["diagnostics"] if d["code"] == "RLH001"]
    assert (one["other_releases"], one["severity"]) == (False, "warning")


def test_github_has_other_releases_last() -> None:
    printed = run_text(
        "learning_ratee: 1e-5\nweight_decay: 1e-2\n" + _BASE + "rl: orpo\n",
        "--format",
        "github",
    ).splitlines()
    (line,) = [line for line in printed if "RLH001" in line]
    assert line == printed[-1]
    assert line.startswith("::notice ")


@pytest.mark.parametrize("target", ["axolotl==0.6.0", "axolotl==0.21.0"])
def test_the_number_of_gpus_alone_silences_no_warning(target: str) -> None:
    one = found(_WORKERS, target)["RLH002"]
    assert (one.severity, one.rule_severity, one.confidence) == ("note", "warning", "low")
    assert one.needs == ("--gpus N",)
    assert found(_WORKERS, target, gpus=8)["RLH002"].severity == "warning"
    assert "RLH002" not in found(_WORKERS, target, gpus=1)


@each(("own", "told"), [("warning", True), ("error", True), ("note", False), (None, False)])
def test_the_filter_goes_by_the_severity_of_the_rule(own: SeverityName | None, told: bool) -> None:
    one = Diagnostic(
        code="AAA001",
        name="a-rule",
        severity="note",
        confidence="low",
        upstream="silent",
        bites="train",
        message="It is so.",
        path=(),
        span=Span(0, 0),
        own_severity=own,
    )
    assert Selection().reports(one) is told


def test_what_is_undecided_is_not_repaired() -> None:
    target = ("axolotl==0.4.1",)
    text = _BASE + "sample_packing: true\n"
    one = found(text, *target)["PAK001"]
    assert one.fixes
    assert one.fix(unsafe=True) is None
    fixed = fix_text(text, target=target, select=["PAK001"], unsafe=True)
    assert fixed.text == text
    options = [part for one in target for part in ("--target", one)]
    printed = run_text(text, "--select", "PAK001", "--verbose", *options)
    assert (
        "fix if it holds: Evaluate without packing\n    + eval_sample_packing: false\n" in printed
    )
    assert "--unsafe-fixes" not in printed
    # What is known to hold is.
    sure = fix_text(text, target=["axolotl@4e5400c73"], gpus=8, select=["PAK001"])
    assert sure.text == text + "eval_sample_packing: false\n"


def test_a_build_between_releases_may_be_older_than_the_fix() -> None:
    text = (
        "model_name_or_path: Qwen/Qwen2-7B-Instruct\nstage: dpo\ndo_train: true\n"
        "finetuning_type: lora\ndataset: pairs\ntemplate: qwen\noutput_dir: out\n"
        "enable_liger_kernel: true\n"
    )
    build = found(text, "llamafactory==0.9.1.dev0")["LLF314"]
    assert (build.severity, build.undecided) == ("warning", True)
    assert found(text, "llamafactory==0.9.0")["LLF314"].severity == "error"
    assert "LLF314" not in found(text, "llamafactory==0.9.1")
    assert "LLF314" not in found(text, "llamafactory==0.9.4.dev0")


def test_a_rule_about_what_is_stated_asks_for_nothing() -> None:
    text = "model_name_or_path: a/b\ndataset_name: c\noutput_dir: out\npacking: true\n"
    asked = lint_text(text, target=["trl==0.29.0"])
    assert "ENV841" not in {code for codes in asked.open_rules.values() for code in codes}
    stated = lint_text(text, target=["trl==0.29.0", "transformers==5.2.0", "torch==2.3.1"])
    assert "ENV841" in {one.code for one in stated.diagnostics}
