"""`cfglint fit --advise` and `--measured`."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import jsonschema
import pytest
import yaml

from tests.cli.running import run
from tests.engine.test_advice import AXOLOTL, TEXTS

SCHEMA = Path(__file__).resolve().parents[2] / "docs" / "fit.schema.json"


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "train.yml").write_text(AXOLOTL, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return "train.yml"


def test_text(config: str) -> None:
    result = run(
        "fit", config, "--isolated", "--advise", "--gpu", "h100", "--target", "axolotl==0.21.0"
    )
    assert (result.code, result.err) == (0, "")
    lines = result.out.splitlines()
    assert "It needs about 208.9 GiB (up to 267.3 GiB), and the GPU has 80 GiB." in lines
    assert (
        "It probably fits with these 3 changes together (about 59.7 GiB, up to 76.5 GiB):" in lines
    )
    assert "     saves 99.3 GiB: about 109.6 GiB, up to 140.3 GiB" in lines
    assert "     +gradient_checkpointing: true" in lines
    assert not any("Smallest GPUs" in line for line in lines)


def test_the_patch_applies_and_what_it_makes_fits(config: str) -> None:
    options = ("--isolated", "--gpu", "h100")
    result = run("fit", config, "--advise", "--diff", *options)
    assert "What would make it fit" in result.err
    subprocess.run(["git", "init", "-q", "."], check=True)
    subprocess.run(["git", "apply", "-"], input=result.out.encode(), check=True)
    again = run("fit", config, "--advise", *options)
    assert "It probably fits as it is: about 59.7 GiB" in again.out
    assert again.code == 0
    assert run("fit", config, "--advise", "--diff", *options).out == ""


def test_no_finding_is_new(config: str) -> None:
    def codes() -> list[str]:
        report = json.loads(
            run(config, "--isolated", "--gpus", "2", "--gpu", "h100", "--format", "json").out
        )
        return sorted(found["code"] for file in report["files"] for found in file["diagnostics"])

    before = codes()
    options = ("--isolated", "--gpus", "2", "--gpu", "h100")
    patch = run("fit", config, "--advise", "--diff", *options).out
    subprocess.run(["git", "init", "-q", "."], check=True)
    subprocess.run(["git", "apply", "-"], input=patch.encode(), check=True)
    assert set(codes()) <= set(before)


def test_json_follows_its_schema(tmp_path: Path) -> None:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    cases = [(name, text, gpu) for name, text in TEXTS.items() for gpu in ("t4", "h100", "b200")]
    (tmp_path / "train.sh").write_text("trl sft --config trl.yaml\n", encoding="utf-8")
    (tmp_path / ".git").mkdir()
    for name, text, gpu in cases:
        path = tmp_path / f"{name}.yaml"
        path.write_text(text, encoding="utf-8")
        result = run("fit", str(path), "--advise", "--measured", "--format", "json", "--gpu", gpu)
        report = json.loads(result.out)
        jsonschema.validate(report, schema)
        told = report["advice"]
        fits = told["fits"] or told["enough"] is not None
        assert result.code == (0 if fits else 1)
        assert all(one["diff"].startswith("--- a/") for one in told["changes"])
        assert len(report["measured"]) == 3
    assert "advice" not in json.loads(run("fit", str(path), "--format", "json").out)


def test_a_hostile_file_steers_neither_terminal_nor_runner(config: str, tmp_path: Path) -> None:
    text = AXOLOTL.replace("  # ours", "  # \u202e").replace(
        "optimizer:", "# ##[warning]no\noptimizer:"
    )
    (tmp_path / config).write_text(text, encoding="utf-8")
    options = ("--isolated", "--advise", "--gpu", "t4")
    assert "\u202e" not in run("fit", config, *options).out
    env = {"GITHUB_ACTIONS": "true"}
    report = json.loads(run("fit", config, *options, "--format", "json", env=env).out)
    diffs = [one["diff"] for one in (*report["advice"]["changes"], report["advice"]["enough"])]
    assert any("# ##[warning]no" in diff for diff in diffs)
    assert all(diff.startswith("--- a/train.yml\n") for diff in diffs)
    assert "::stop-commands::" in run("fit", config, *options, "--diff", env=env).out


def test_a_json_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    before = yaml.safe_load(TEXTS["llamafactory"])
    Path("train.json").write_text(json.dumps(before, indent=2) + "\n", encoding="utf-8")
    patch = run("fit", "train.json", "--isolated", "--advise", "--diff", "--gpu", "4090").out
    subprocess.run(["git", "init", "-q", "."], check=True)
    subprocess.run(["git", "apply", "-"], input=patch.encode(), check=True)
    after = json.loads(Path("train.json").read_text(encoding="utf-8"))
    assert {key for key in {*before, *after} if before.get(key) != after.get(key)}
    again = run("fit", "train.json", "--isolated", "--advise", "--gpu", "4090")
    assert "It probably fits as it is" in again.out


def test_nothing_is_enough(config: str, tmp_path: Path) -> None:
    text = AXOLOTL.replace("NousResearch/Meta-Llama-3-8B", "meta-llama/Llama-3.1-70B")
    (tmp_path / config).write_text(text, encoding="utf-8")
    result = run("fit", config, "--isolated", "--advise", "--gpu", "t4")
    assert result.code == 1
    assert "Nothing that the file can say makes it probably fit." in result.out
    assert "With all of these it would need the least" in result.out


def test_without_an_estimate(config: str, tmp_path: Path) -> None:
    (tmp_path / config).write_text(AXOLOTL + "rl: dpo\n", encoding="utf-8")
    result = run("fit", config, "--isolated", "--advise", "--measured", "--gpu", "h100")
    assert result.code == 1
    assert (
        "There is no advice, as a change could not be compared without an estimate." in result.out
    )
    assert "No run like this one was measured." in result.out
    report = json.loads(
        run("fit", config, "--isolated", "--advise", "--gpu", "h100", "--format", "json").out
    )
    assert report["advice"] is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--advise",), "--advise needs to know the GPUs: --gpu NAME"),
        (("--advise", "--gpu", "gb10"), "the memory of gb10 is not a limit"),
        (("--diff",), "--diff is for --advise, and for text"),
    ],
)
def test_what_it_needs(config: str, options: tuple[str, ...], message: str) -> None:
    result = run("fit", config, "--isolated", *options)
    assert result.code == 2
    assert message in result.err


def test_measured_runs(config: str) -> None:
    out = run("fit", config, "--isolated", "--measured").out
    _, _, told = out.partition("Measured runs, the nearest first:\n")
    assert told.startswith("    60.0 GiB  Llama-3.2-3B (torchtune, full)\n")
    assert "differs: 3.2 billion parameters, not 8.0 billion" in told
    assert "pytorch/torchtune@" in told


def test_colors(config: str) -> None:
    options = ("--isolated", "--advise", "--measured", "--gpu", "h100")
    plain = run("fit", config, *options, "--color", "never").out
    colored = run("fit", config, *options, "--color", "always").out
    assert "\x1b[32m+gradient_checkpointing: true\x1b[0m" in colored
    assert re.sub(r"\x1b\[[\d;]*m", "", colored) == plain


def test_the_advice_for_a_script_is_written_as_options(tmp_path: Path) -> None:
    script = tmp_path / "run.sh"
    script.write_text(
        "CUDA_VISIBLE_DEVICES=0,1 llamafactory-cli train --stage sft --do_train "
        "--model_name_or_path Qwen/Qwen2.5-14B-Instruct \\\n  --finetuning_type full --dataset a "
        "--template qwen --output_dir out\n"
    )
    options = ("--advise", "--gpu", "a100", "--isolated")
    done = run("fit", str(script), *options)
    assert "each of 2 GPUs has 80 GiB" in done.out
    assert "  `--finetuning_type lora`\n" in done.out
    assert "+  --finetuning_type lora --dataset a" in done.out
    assert done.code == 0
    data = json.loads(run("fit", str(script), *options, "--format", "json").out)["advice"]
    assert data["enough"]["fits"] is True
    titles = [one["title"] for one in data["enough"]["measures"]]
    assert "`--finetuning_type lora`" in titles
