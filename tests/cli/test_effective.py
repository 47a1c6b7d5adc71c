"""`cfglint effective`."""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from cfglint.report.effective import without_repeats
from cfglint.report.style import Style
from tests.cli.files import FOREIGN
from tests.cli.running import run
from tests.report.schemas import checked

TEXT = """\
base_model: NousResearch/Llama-3.2-1B
datasets:
  - path: ./data/train.jsonl
    type: alpaca
micro_batch_size: 2
gradient_accumulation_steps: 4
learning_rate: 1e-4   # a comment
flash_attention: true
misspelt_key: 1
"""


def valid(schema: str, text: str) -> Any:
    """A report, which follows its published schema without room for further members."""
    return checked(f"{schema}.schema.json", text)


@pytest.fixture
def config(tmp_path: Path) -> str:
    path = tmp_path / "train.yml"
    path.write_text(TEXT, encoding="utf-8")
    return str(path)


def test_yaml_with_reasons(config: str) -> None:
    result = run("effective", config, "--isolated", "--target", "axolotl==0.19.0")
    assert (result.code, result.err) == (0, "")
    lines = result.out.splitlines()
    assert lines[0] == f"# What axolotl 0.19.0 (--target) makes of {config}"
    assert "base_model: NousResearch/Llama-3.2-1B" in lines
    assert not any("default of axolotl" in line for line in lines)
    assert any(line.startswith("attn_implementation: flash_attention_2  # ") for line in lines)
    assert "#   misspelt_key" in lines
    assert any(line.startswith("#   dataloader_num_workers: depends on --gpus N") for line in lines)
    data = yaml.safe_load(result.out)
    assert data["learning_rate"] == 0.0001
    assert "flash_attention" not in data


def test_what_differs_comes_first_and_defaults_are_counted(config: str) -> None:
    options = ("effective", config, "--isolated", "--target", "axolotl==0.19.0")
    usual, whole, changed = (run(*options, *more).out for more in ((), ("--all",), ("--changed",)))
    differs, _, written = usual.partition("# As written:\n")
    assert "\nlearning_rate: 0.0001  # " in differs
    assert "\nattn_implementation: flash_attention_2  # " in differs
    assert set(yaml.safe_load(written)) == {
        "base_model",
        "micro_batch_size",
        "gradient_accumulation_steps",
    }
    report = json.loads(run(*options, "--format", "json").out)
    defaults = {k for k, one in report["values"].items() if one["writer"]["kind"] == "default"}
    assert (
        f"# {len(defaults)} more values, as axolotl 0.19.0 has them by default (--all).\n" in usual
    )
    assert "sequence_len: 512  # default of axolotl 0.19.0\n" in whole.partition("# Defaults of")[2]
    data = yaml.safe_load(whole)
    assert {**data, **yaml.safe_load(usual)}.keys() == data.keys()
    # What differs, and nothing beside it in its sections.
    assert set(yaml.safe_load(changed)) == set(yaml.safe_load(differs))
    assert "./data/train.jsonl" in differs
    assert "./data/train.jsonl" not in changed
    assert "more values" not in changed


def test_whole_numbers_for_fractions_do_not_differ(config: str, tmp_path: Path) -> None:
    (tmp_path / "train.yml").write_text(TEXT + "num_epochs: 3\n", encoding="utf-8")
    written = run("effective", config, "--isolated").out.partition("# As written:\n")[2]
    assert "num_epochs: 3.0  # read from 3\n" in written


def test_options_that_exclude_each_other(config: str) -> None:
    result = run("effective", config, "--changed", "--all")
    assert (result.code, result.out) == (2, "")
    assert "--changed and --all exclude each other" in result.err


def test_colors(config: str) -> None:
    for options in ((), ("--all",), ("--compare", OLD, NEW)):
        arguments = ("effective", config, "--isolated", *options, "--color")
        plain, colored = (run(*arguments, choice).out for choice in ("never", "always"))
        assert "\x1b[" in colored
        assert re.sub(r"\x1b\[[\d;]*m", "", colored) == plain


def test_facts_are_used(config: str) -> None:
    result = run("effective", config, "--isolated", "--gpus", "4", "--gpu", "h100")
    assert yaml.safe_load(result.out)["dataloader_num_workers"] == 4
    assert yaml.safe_load(result.out)["tf32"] is True


def test_json(config: str) -> None:
    result = run("effective", config, "--isolated", "--target=axolotl==0.19.0", "--format=json")
    report = valid("json-effective", result.out)
    assert report["version"] == 1
    assert report["target"] == {"axolotl": {"version": "0.19.0", "from": "--target"}}
    assert report["refused"] is False
    assert report["values"]["base_model"] == {
        "value": "NousResearch/Llama-3.2-1B",
        "line": 1,
        "reason": None,
        "writer": {"kind": "file", "path": config, "line": 1},
    }
    assert report["values"]["datasets[0].type"]["line"] == 4
    assert report["values"]["learning_rate"]["line"] == 7
    assert report["values"]["attn_implementation"]["value"] == "flash_attention_2"
    assert report["values"]["sequence_len"]["line"] is None
    assert report["undecided"]["dataset_num_proc"]["needs"] == ["cpus"]
    assert report["unread"] == ["misspelt_key"]


def test_standard_input() -> None:
    result = run("effective", "-", "--isolated", stdin=TEXT.encode())
    assert yaml.safe_load(result.out)["micro_batch_size"] == 2


def test_a_file_that_axolotl_refuses_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "train.yml"
    path.write_text(TEXT + "sequence_len: many\n", encoding="utf-8")
    result = run("effective", str(path), "--isolated")
    assert (result.code, result.err) == (1, "")
    lines = result.out.splitlines()
    assert lines[1] == "# axolotl 0.21.0 refuses this file; these are its values so far."
    assert lines[2].startswith("#   line 10: TYP001 `sequence_len` ")
    result = run("effective", str(path), "--isolated", "--format=json")
    assert result.code == 1
    report = valid("json-effective", result.out)
    assert report["refused"]
    assert (report["refusals"][0]["code"], report["refusals"][0]["line"]) == ("TYP001", 10)


def test_a_few_reasons_of_a_refusal_are_listed(tmp_path: Path) -> None:
    path = tmp_path / "train.yml"
    keys = ("sequence_len", "lora_r", "num_epochs", "save_steps", "eval_steps")
    path.write_text(TEXT + "".join(f"{key}: [x]\n" for key in keys), encoding="utf-8")
    lines = run("effective", str(path), "--isolated").out.splitlines()
    assert [line.split(":")[0] for line in lines[2:5]] == [
        "#   line 10",
        "#   line 11",
        "#   line 12",
    ]
    assert lines[5].startswith("#   and ")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--target", "axolotl==9.9.9"), "newer than the releases that cfglint knows"),
        (("--target", "axolotl==0.3.0"), "older than the releases that cfglint knows"),
        (("--target", "nonsense"), "is not a target"),
        (("--gpu", "toaster"), "is not a GPU"),
    ],
)
def test_targets_that_are_not_known(config: str, arguments: tuple[str, str], said: str) -> None:
    result = run("effective", config, "--isolated", *arguments)
    assert (result.code, result.out) == (2, "")
    assert said in result.err


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    missing = run("effective", str(tmp_path / "none.yml"), "--isolated")
    assert (missing.code, missing.out) == (2, "")
    assert "cannot be read" in missing.err
    broken = tmp_path / "broken.yml"
    broken.write_text("a: [\n", encoding="utf-8")
    result = run("effective", str(broken), "--isolated")
    assert (result.code, result.out) == (2, "")
    assert str(broken) in result.err


def test_frameworks_whose_defaults_are_not_verified(tmp_path: Path) -> None:
    path = tmp_path / "ds.json"
    path.write_text('{"zero_optimization": {"stage": 2}, "train_micro_batch_size_per_gpu": 1}')
    result = run("effective", str(path), "--isolated")
    assert (result.code, result.out) == (2, "")
    assert "`effective` is about a run, and a file of DeepSpeed" in result.err


def test_a_text_is_read_as_the_release_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "train.yaml"
    path.write_text(
        "model_name_or_path: a/b\nstage: sft\nfinetuning_type: lora\ntemplate: qwen\n"
        "dataset: x\noutput_dir: out\nlora_rank: 1\nlora_rank: 2\nlearning_rate: 1e-4\n",
        encoding="utf-8",
    )
    arguments = ("effective", str(path), "--isolated", "--target")
    older = run(*arguments, "llamafactory==0.9.3")
    assert yaml.safe_load(older.out)["lora_rank"] == 2
    assert yaml.safe_load(older.out)["learning_rate"] == "1e-4"
    newer = run(*arguments, "llamafactory==0.9.4")
    assert (newer.code, newer.out) == (2, "")
    assert "'lora_rank' is written twice" in newer.err


def test_an_unknown_command_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_text(
        "model_name_or_path: a/b\ndataset_name: x/y\noutput_dir: out\nbf16: true\n"
        "torch_dtype: auto\nlearning_rate: 1.0e-5\n",
        encoding="utf-8",
    )
    result = run("effective", str(path), "--isolated")
    assert (result.code, result.out) == (2, "")
    assert "`trl sft --config FILE`" in result.err
    path.rename(tmp_path / "sft.yaml")
    result = run("effective", str(tmp_path / "sft.yaml"), "--isolated", "--format", "json")
    assert valid("json-effective", result.out)["values"]["max_length"]["value"] == 1024
    two = ("--compare", "trl==0.24.0", "trl==1.16.0", "--format", "json")
    result = run("effective", str(tmp_path / "sft.yaml"), "--isolated", *two)
    assert "lr_scheduler_kwargs" in str(valid("json-effective-compare", result.out))


def test_what_a_file_says_cannot_steer_a_terminal(tmp_path: Path) -> None:
    path = tmp_path / "train.yml"
    path.write_text(
        TEXT + 'wandb_name: "\\x1b[31m\\u202e ##[error]x"\n"key\\x1b[0m": 1\nsave_steps: "1\\n"\n',
        encoding="utf-8",
    )
    for format_ in ("yaml", "json"):
        result = run("effective", str(path), "--isolated", "--format", format_)
        assert result.code == 0
        assert "\x1b" not in result.out
        assert "\u202e" not in result.out
        assert "##[" not in result.out
    result = run("effective", str(path), "--isolated")
    assert yaml.safe_load(result.out)["wandb_name"] == "\x1b[31m\u202e ##[error]x"


@pytest.mark.parametrize("name", ["compose.yml", "-", "data.json", "learning.yml"])
def test_what_is_no_training_config_is_refused(name: str, tmp_path: Path) -> None:
    text = '{"name": "site"}\n' if name.endswith("json") else "services:\n  x: {image: y}\n"
    text = FOREIGN.get(name, text)
    path = name if name == "-" else str(tmp_path / name)
    if name != "-":
        (tmp_path / name).write_text(text, encoding="utf-8")
    result = run("effective", path, "--isolated", stdin=text.encode())
    assert (result.code, result.out) == (2, "")
    assert result.err == f"cfglint: {path}: not a training config that cfglint knows\n"


@pytest.mark.parametrize("name", ["few.yml", "-"])
def test_a_config_of_few_keys_is_what_the_check_takes_it_for(name: str, tmp_path: Path) -> None:
    text = "base_model: Qwen/Qwen3-0.6B\nmicro_batch_size: 1\n"
    path = name if name == "-" else str(tmp_path / name)
    if name != "-":
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert "axolotl" in run(path, "--isolated", stdin=text.encode()).out
    result = run("effective", path, "--isolated", stdin=text.encode())
    assert (result.code, result.err) == (1, "")  # it has no datasets
    assert "micro_batch_size: 1" in result.out
    assert "parameters; axolotl" in run("fit", path, "--isolated", stdin=text.encode()).out


# ---------------------------------------------------------------------------- two releases

OLD, NEW = "axolotl==0.18.0", "axolotl==0.21.0"


def effective(config: str, release: str) -> Any:
    result = run("effective", config, "--isolated", "--target", release, "--format", "json")
    return valid("json-effective", result.out)


def test_a_comparison_shows_what_differs_and_nothing_else(config: str) -> None:
    result = run("effective", config, "--isolated", "--compare", OLD, NEW, "--format", "json")
    assert (result.code, result.err) == (0, "")
    report = valid("json-effective-compare", result.out)
    before, after = effective(config, OLD), effective(config, NEW)
    either = {**before["values"], **before["undecided"], **after["values"], **after["undecided"]}
    assert len(report["changes"]) > 5
    assert {change["inert"] for change in report["changes"].values()} == {True, False}
    for path in either:
        one, other = (
            side["values"].get(path) or side["undecided"].get(path) for side in (before, after)
        )
        change = report["changes"].get(path, {"from": one, "to": other})
        assert (change["from"], change["to"]) == (one, other)
        same = one is not None and other is not None and one.get("value", one) == other.get("value")
        assert same or path in report["changes"] or one["needs"] == other["needs"]
        assert not (same and path in report["changes"])
    assert set(report["changes"]) <= set(either)
    assert report["from"]["target"] == before["target"]

    lines = run("effective", config, "--isolated", "--compare", OLD, NEW, "--all").out.splitlines()
    assert lines[0] == f"# What changes for {config} from axolotl 0.18.0 to axolotl 0.21.0"
    wanted = {
        (sign, path)
        for path, change in report["changes"].items()
        for sign, side in (("-", "from"), ("+", "to"))
        if change[side] is not None
    }
    inert = [path for path, change in report["changes"].items() if change["inert"]]
    new = sum(report["changes"][path]["from"] is None for path in inert)
    title = "# Defaults of keys that only one of both has, and that switch nothing on"
    middle = lines.index(f"{title}: {new} new, {len(inert) - new} dropped:")
    printed = [(line[0], re.split("[ :]", line)[1]) for line in lines[1:] if line[0] != "#"]
    assert set(printed) == wanted
    assert {path for _, path in printed[middle - 1 :]} == set(inert)
    assert "+ fsdp_version: 2  # default of axolotl 0.21.0" in lines[middle:]
    usual = run("effective", config, "--isolated", "--compare", OLD, NEW).out.splitlines()
    switches = {
        path
        for path, change in report["changes"].items()
        if (change["from"] is None or change["to"] is None) and not change["inert"]
        for side in (change["from"] or change["to"],)
        if side.get("value") is True and side["writer"]["kind"] == "default"
    }
    # What is true by default in one release alone is named together.
    first = next(at for at, line in enumerate(usual) if line.startswith("# True by default, and"))
    named = [usual[first]]
    named += itertools.takewhile(lambda line: line.startswith("#   "), usual[first + 1 :])
    text = " ".join(line.lstrip("# ") for line in named)
    assert set(text.partition("(--all): ")[2].split(", ")) == switches
    assert max(map(len, named)) <= 100
    kept = [line for line in lines[:middle] if re.split("[ :]", line)[1] not in switches]
    shown = [line for line in usual if line not in named]
    assert shown == [*kept, f"{lines[middle][:-1]} (--all)."]
    changed = run("effective", config, "--isolated", "--compare", OLD, NEW, "--changed").out
    assert changed.splitlines() == usual[:-1]


def test_a_release_needs_no_package(config: str) -> None:
    short = run("effective", config, "--isolated", "--compare", "0.18.0", "0.21.0")
    assert short.out == run("effective", config, "--isolated", "--compare", OLD, NEW).out


def test_a_reason_is_not_repeated() -> None:
    reason = "  # Axolotl turns its LoRA kernels on when the file sets none of them"
    lines = [f"a: 1{reason}", f"b: 2{reason}", "c: 3  # read from 3", "d: 4  # read from 3"]
    found = without_repeats([*lines, f"e: 5{reason}"], Style(color=False))
    assert found == [lines[0], "b: 2  # as above", *lines[2:], f"e: 5{reason}"]


def test_a_release_is_like_itself(config: str) -> None:
    result = run("effective", config, "--isolated", "--compare", OLD, OLD)
    assert result.code == 0
    assert result.out.splitlines()[1:] == ["# Nothing."]


def test_keys_that_only_one_of_two_releases_reads(config: str, tmp_path: Path) -> None:
    path = tmp_path / "train.yml"
    path.write_text(TEXT + "expert_parallel_size: 1\n", encoding="utf-8")
    result = run("effective", path, "--isolated", "--compare", OLD, NEW)
    assert "# Only axolotl 0.21.0 reads:\n#   expert_parallel_size\n" in result.out
    report = run("effective", path, "--isolated", "--compare", NEW, OLD, "--format", "json").out
    assert valid("json-effective-compare", report)["from"]["only_reads"] == ["expert_parallel_size"]


def test_a_release_that_refuses_the_file_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "train.yml"
    path.write_text(TEXT + "sequence_len: many\n", encoding="utf-8")
    result = run("effective", path, "--isolated", "--compare", OLD, NEW)
    assert result.code == 1
    assert result.out.count(" refuses this file; these are its values so far.\n#   line ") == 2
    report = run("effective", path, "--isolated", "--compare", OLD, NEW, "--format", "json").out
    assert valid("json-effective-compare", report)["to"]["refused"] is True


@pytest.mark.parametrize("pair", [(OLD, "axolotl==9.9.9"), ("nonsense", NEW), (OLD,)])
def test_comparisons_that_cannot_be_made(config: str, pair: tuple[str, ...]) -> None:
    result = run("effective", config, "--isolated", "--compare", *pair)
    assert (result.code, result.out) == (2, "")


def test_a_comparison_cannot_steer_a_terminal(tmp_path: Path) -> None:
    path = tmp_path / "train.yml"
    path.write_text(
        TEXT + '"key\\x1b[0m": 1\nexpert_parallel_size: "\\x1b[31m ##[error]x"\n', encoding="utf-8"
    )
    for format_ in ("yaml", "json"):
        out = run("effective", path, "--isolated", "--compare", OLD, NEW, "--format", format_).out
        assert "\x1b" not in out
        assert "##[" not in out


def _started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *commands: str) -> None:
    monkeypatch.chdir(tmp_path)
    Path(".git").mkdir()
    Path("train.yml").write_text(TEXT)
    Path("train.sh").write_text("set -e\n" + "".join(f"{command}\n" for command in commands))


COMMAND = "axolotl train train.yml --micro-batch-size 1"


def test_the_options_of_the_command_are_part_of_the_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _started(tmp_path, monkeypatch, COMMAND + " --seed 7")
    text = run("effective", "train.yml", "--target", "axolotl==0.18.0").out
    assert "micro_batch_size: 1  # train.sh line 2, in place of 2\n" in text
    assert "seed: 7  # train.sh line 2\n" in text


def test_each_value_says_who_wrote_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _started(tmp_path, monkeypatch, COMMAND)
    done = run("effective", "train.yml", "--format", "json", "--target", "axolotl==0.18.0")
    values = valid("json-effective", done.out)["values"]
    line = TEXT[: TEXT.index("micro_batch_size")].count("\n") + 1
    assert values["micro_batch_size"] == {
        "value": 1,
        "line": None,
        "reason": None,
        "writer": {
            "kind": "option",
            "path": "train.sh",
            "line": 2,
            "over": [{"value": 2, "path": "train.yml", "line": line}],
        },
    }
    assert values["base_model"]["writer"] == {"kind": "file", "path": "train.yml", "line": 1}
    assert values["sequence_len"]["writer"] == {"kind": "default"}


@pytest.mark.parametrize(
    ("commands", "value"),
    [
        ((COMMAND, COMMAND + " --seed 3"), 2),
        ((COMMAND, COMMAND), 1),
        ((COMMAND, "axolotl train train.yml"), 2),
        (("axolotl preprocess train.yml --micro-batch-size 1",), 2),
        ((COMMAND + " --seed $SEED",), 1),
    ],
)
def test_commands_that_differ_leave_the_file_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, commands: tuple[str, ...], value: int
) -> None:
    _started(tmp_path, monkeypatch, *commands)
    done = run("effective", "train.yml", "--format", "json", "--target", "axolotl==0.18.0")
    assert valid("json-effective", done.out)["values"]["micro_batch_size"]["value"] == value


def test_a_command_may_make_the_framework_refuse_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _started(tmp_path, monkeypatch, "axolotl train train.yml --adapter qlora")
    done = run("effective", "train.yml", "--target", "axolotl==0.18.0")
    assert done.code == 1


@pytest.mark.parametrize("words", ['--num_processes "$N"', "$MORE"])
def test_an_option_of_the_launcher_that_the_script_leaves_open_is_unknown(
    tmp_path: Path, words: str
) -> None:
    script = tmp_path / "train.sh"
    script.write_text(f"trl sft --model_name_or_path a/b --dataset_name c/d {words}\n")
    result = run("effective", str(script), "--target", "trl==0.24.0")
    assert (result.code, result.err) == (0, "")
    assert "#   num_processes: depends on what the script is given" in result.out
    values = json.loads(run("effective", str(script), "--format", "json").out)["values"]
    assert "num_processes" not in values


def test_lists_of_defaults_are_no_lists_of_nulls(tmp_path: Path) -> None:
    script = tmp_path / "run.sh"
    script.write_text(
        "python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo actor_rollout_ref.actor.optim.lr=2e-6\n"
    )
    out = run("effective", "--target", "verl==0.9.1", str(script)).out
    assert "lr: 2.0e-06" in out
    assert "- null" not in out


def test_what_keeps_a_file_from_being_read_has_its_line(tmp_path: Path) -> None:
    path = tmp_path / "train.yml"
    path.write_text("base_model: a/b\ndatasets:\n\t- path: x\n")
    for command in ("effective", "fit"):
        result = run(command, path, "--isolated")
        assert (result.code, f"{path}:3: A tab is used" in result.err) == (2, True)


@pytest.mark.parametrize(
    ("named", "reason"),
    [
        ("chat_template: llama3\n", "which is the one that chat_template of the file names"),
        ("", "that the tokenizer comes with"),
    ],
)
def test_whose_template_that_of_the_tokenizer_is(tmp_path: Path, named: str, reason: str) -> None:
    path = tmp_path / "train.yml"
    path.write_text(
        f"base_model: a/b\n{named}datasets:\n  - path: x.jsonl\n    type: chat_template\n"
    )
    out = run("effective", path, "--target", "axolotl==0.19.0").out
    assert re.search(rf"chat_template: tokenizer_default  # .*{reason}", out)


def test_what_a_program_says_under_another_name_is_not_called_unread(tmp_path: Path) -> None:
    path = tmp_path / "train.py"
    path.write_text(
        "import torch\nfrom transformers import AutoModelForCausalLM\n"
        "from trl import SFTConfig, SFTTrainer\n"
        'model = AutoModelForCausalLM.from_pretrained("a/b", torch_dtype=torch.bfloat16)\n'
        'SFTTrainer(model=model, args=SFTConfig("o"), train_dataset=rows)\n',
        encoding="utf-8",
    )
    out = run("effective", str(path), "--isolated", "--target", "trl==0.17.0").out
    assert "Not read by" not in out
