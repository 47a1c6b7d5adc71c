"""`cfglint diagnose LOG`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run

OOM = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.\n"
CONFIG = (
    "base_model: a/b\ndatasets:\n  - path: d.jsonl\n    type: alpaca\nlearning_rate: 1e-4\n"
    "learning_ratee: 2\n"
)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_known_end(here: Path) -> None:
    (here / "run.log").write_text(f"step 1\n{OOM}")
    result = run("diagnose", "run.log")
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith("run.log:2\n  OutOfMemoryError: CUDA out of memory.")
    assert "cfglint fit" in result.out


def test_json(here: Path) -> None:
    (here / "run.log").write_text(OOM)
    out = run("diagnose", "run.log", "--format", "json").out
    answer = json.loads(out)
    assert [cause["end"] for cause in answer["causes"]] == ["gpu-memory-used-up"]
    assert answer["failures"][0]["type"] == "OutOfMemoryError"


def test_a_line_for_each_failure(here: Path) -> None:
    (here / "run.log").write_text(f"{OOM}\nValueError: never heard of\n")
    out = run("diagnose", "run.log", "--format", "agent").out.splitlines()
    assert out[0].startswith("run.log:1 | OutOfMemoryError: CUDA out of memory.")
    assert " | `cfglint fit CONFIG" in out[0]
    assert " | https://" in out[0]
    assert out[1] == (
        "run.log:3 | ValueError: never heard of | cfglint knows no cause of this error."
    )
    assert out[-1] == "causes named: 1"


def test_what_follows_in_a_chain_is_no_failure_of_its_own(here: Path) -> None:
    chained = "\nDuring handling of the above exception, another exception occurred:\n\n"
    traceback = 'Traceback (most recent call last):\n  File "a.py", line 1, in f\n    x\n'
    (here / "run.log").write_text(
        f"{traceback}{OOM}{chained}{traceback}ValueError: Trailing data\n"
        f"{traceback}ValueError: of its own\n"
    )
    out = run("diagnose", "run.log").out
    assert "Then, in the same traceback: ValueError: Trailing data (line 11)" in out
    assert out.count("knows no cause") == 1
    # It is shown where the one before it has no cause.
    (here / "run.log").write_text(
        f"{traceback}KeyError: 'x'\n{chained}{traceback}ValueError: Trailing data\n"
    )
    assert run("diagnose", "run.log").out.count("knows no cause") == 2


def test_an_unknown_error_is_called_unknown(here: Path) -> None:
    (here / "run.log").write_text("ValueError: never heard of\n")
    result = run("diagnose", "run.log")
    assert result.code == 1
    assert "cfglint knows no cause of this error." in result.out


def test_a_log_without_errors(here: Path) -> None:
    (here / "run.log").write_text("all well\n")
    assert run("diagnose", "run.log").code == 1


def test_the_config_that_the_log_names_is_checked(here: Path) -> None:
    (here / "c.yml").write_text(CONFIG)
    (here / "run.log").write_text("axolotl train c.yml\nKeyError: 'x'\n")
    result = run("diagnose", "run.log", "--target", "axolotl==0.12.2")
    assert "c.yml:6 KEY001" in result.out
    # It is no cause of the error, which none is known of.
    assert "cfglint knows no cause of this error." in result.out
    assert result.code == 1
    out = run("diagnose", "run.log", "--format", "json").out
    assert {"code": "KEY001", "path": "c.yml", "line": 6} in json.loads(out)["other_errors"]


def test_a_config_outside_of_the_folder_is_not_read(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "c.yml").write_text(CONFIG)
    inner = here / "inner"
    inner.mkdir()
    (inner / "run.log").write_text("axolotl train ../c.yml\nKeyError: 'x'\n")
    monkeypatch.chdir(inner)
    out = run("diagnose", "run.log").out
    assert "KEY001" not in out


def test_standard_input() -> None:
    assert run("diagnose", "-", stdin=OOM.encode()).out.startswith("-:1\n")


def test_what_cannot_be_read() -> None:
    result = run("diagnose", "missing.log")
    assert result.code == 2
    assert result.err == "cfglint: missing.log: cannot be read: No such file or directory\n"


def test_nothing_of_the_log_steers_the_terminal(here: Path) -> None:
    (here / "run.log").write_bytes(b"ValueError: a\x07b\xe2\x80\xaec\n")
    out = run("diagnose", "run.log").out
    assert "\x07" not in out
    assert "\u202e" not in out


REFUSED = "ValueError: Unknown arguments from config file: ['--max_seq_length', '2048']\n"
OLD = (
    "model_name_or_path: a/b\ndataset_name: c\nmax_seq_length: 2048\noutput_dir: out\nlora_rr: 8\n"
)


def test_the_key_that_was_refused_and_its_line(here: Path) -> None:
    """Also where the release is not stated, so that a check alone is not sure."""
    (here / "run.log").write_text(REFUSED)
    (here / "sft.yaml").write_text(OLD)
    for target in ((), ("--target", "trl==1.16.0")):
        result = run("diagnose", "run.log", "sft.yaml", *target)
        assert result.code == 0
        assert "  KEY005 at sft.yaml:3\n    `max_seq_length`" in result.out
        assert "was removed in TRL 0.20.0" in result.out
        # That is what has just happened.
        assert "next upgrade" not in result.out
    (cause,) = json.loads(run("diagnose", "run.log", "sft.yaml", "--format", "json", *target).out)[
        "causes"
    ]
    assert (cause["key"], cause["code"], cause["place"]["line"]) == ("max_seq_length", "KEY005", 3)
    other = result.out.partition("Other errors of the config:")[2]
    assert "lora_rr" in other
    assert "max_seq_length" not in other


def test_the_key_that_was_refused_without_a_finding(here: Path) -> None:
    (here / "run.log").write_text(
        "TypeError: Mine.__init__() got an unexpected keyword argument 'output_dir'\n"
    )
    (here / "sft.yaml").write_text(OLD)
    out = run("diagnose", "run.log", "sft.yaml").out
    assert "  sft.yaml:4\n    `output_dir` is not known to `Mine`." in out


def test_the_key_that_was_refused_without_a_config(here: Path) -> None:
    (here / "run.log").write_text(REFUSED)
    result = run("diagnose", "run.log")
    assert result.code == 0
    assert "cfglint explain max_seq_length" in result.out
    assert "no cause of this error" not in result.out


def test_a_rule_of_several_frameworks_is_told_once(here: Path) -> None:
    (here / "run.log").write_text(
        "ValueError: Your setup doesn't support bf16/gpu. You need torch\n"
    )
    out = run("diagnose", "run.log").out
    assert out.count("Probably OPT352") == 1
    # With the first of its references.
    assert out.count("https://") == 1


@pytest.mark.parametrize(
    ("error", "told"),
    [
        ("SFTConfig.__init__() got|max_seq_length", "removed in TRL 0.20.0. Use `max_length`."),
        ("SFTTrainer.__init__() got|max_seq_length", "`SFTConfig` has `max_length`."),
        ("LoraConfig.__init__() got|lora_alhpa", "Did you mean `lora_alpha`?"),
        (
            "Mine.__init__() got|lora_alhpa",
            "If a file of yours has it, `cfglint CONFIG` names its line",
        ),
    ],
)
def test_what_became_of_an_argument_is_told_without_a_config(
    error: str, told: str, here: Path
) -> None:
    begin, _, key = error.partition("|")
    line = f"TypeError: {begin} an unexpected keyword argument '{key}'\n"
    (here / "run.log").write_text(line)
    assert told in " ".join(run("diagnose", "run.log").out.split())


def test_an_argument_of_a_release_that_the_log_states(here: Path) -> None:
    error = "ValueError: Unknown arguments from config file: ['--max_seq_length', '2048']\n"
    (here / "run.log").write_text(error)
    assert "removed in TRL" not in run("diagnose", "run.log").out
    (here / "run.log").write_text(f"trl==1.16.0\n{error}")
    out = " ".join(run("diagnose", "run.log").out.split())
    assert "removed in TRL 0.20.0. Use `max_length`" in out


def test_what_is_certain_comes_before_what_may_be(here: Path) -> None:
    (here / "run.log").write_text(
        "llamafactory-cli train a.yaml\n"
        "ValueError: Please correct the following DeepSpeed config values that mismatch"
        " TrainingArguments values:\n- ds gradient_accumulation_steps=8 vs hf"
        " gradient_accumulation_steps=4\n"
    )
    out = run("diagnose", "run.log").out
    assert 0 < out.index("say different things") < out.index("Perhaps DST563: ")


def test_a_base_model_without_a_template(here: Path) -> None:
    (here / "run.log").write_text(
        "ValueError: Cannot use chat template functions because tokenizer.chat_template is not set"
        " and no template argument was passed!\n"
    )
    assert "has no chat template" in run("diagnose", "run.log").out


def test_paths_are_relative_as_the_config_is(here: Path) -> None:
    (here / "project").mkdir()
    (here / "project/train.yml").write_text(CONFIG)
    (here / "project/run.sh").write_text("axolotl train train.yml --micro-batch-size=abc\n")
    (here / "run.log").write_text(OOM)
    assert "\n  project/run.sh:1 LCH002" in run("diagnose", "run.log", "project/train.yml").out


def test_the_command_that_is_advised_names_the_config(here: Path) -> None:
    (here / "run.log").write_text(OOM)
    (here / "my train.yml").write_text(CONFIG.replace("a/b", "Qwen/Qwen2.5-7B"))
    out = " ".join(run("diagnose", "run.log", "my train.yml").out.split())
    assert "`cfglint fit 'my train.yml' --gpu NAME" in out
    assert "`cfglint fit CONFIG --gpu NAME" in run("diagnose", "run.log").out


BATCH = (
    "AssertionError: Check batch related parameters. train_batch_size is not equal to "
    "micro_batch_per_gpu * gradient_acc_step * world_size 16 != 2 * 1 * 1\n"
)


def test_the_batch_check_of_deepspeed_is_no_frameworks_own(here: Path) -> None:
    (here / "run.log").write_text(BATCH)
    plain = run("diagnose", "run.log").out
    assert "The batch sizes that DeepSpeed was given do not belong" in plain
    assert "ORL020" not in plain
    assert "GPUs" not in plain
    told = run("diagnose", "run.log", "--target", "openrlhf==0.11.0").out
    assert "Perhaps ORL020" in told


def test_the_batch_check_with_the_file_that_has_the_mistake(here: Path) -> None:
    (here / "run.log").write_text(BATCH)
    (here / "ds.json").write_text(
        '{"train_batch_size": 15, "train_micro_batch_size_per_gpu": 2, '
        '"gradient_accumulation_steps": 1, "zero_optimization": {"stage": 2}}'
    )
    out = run("diagnose", "run.log", "ds.json").out
    assert out.index("DSP003 at ds.json:1") < out.index("The batch sizes that DeepSpeed")


def test_an_error_of_the_config_that_the_log_names_is_told_with_it(here: Path) -> None:
    (here / "run.log").write_text("ValueError: Template qwen3 does not exist.\nKeyError: 'x'\n")
    (here / "sft.yaml").write_text(
        "model_name_or_path: a/b\nstage: sft\ndo_train: true\nfinetuning_type: lora\ndataset: d\n"
        "template: qwen3\noutput_dir: out\ncutoff_lenn: 4\n"
    )
    out = run("diagnose", "run.log", "sft.yaml", "--target", "llamafactory==0.9.2").out
    first, _, rest = out.partition("KeyError")
    assert "does not exist.\n  sft.yaml:6 TYP002" in first
    assert "no cause of this error" not in first
    assert "no cause of this error" in rest
    others = rest.partition("Other errors of the config:")[2]
    assert "cutoff_lenn" in others
    assert "TYP002" not in others


def test_an_argument_that_the_checked_files_do_not_have(here: Path) -> None:
    error = "TypeError: Mine.get() got an unexpected keyword argument 'average_log_prob'\n"
    (here / "run.log").write_text(error)
    (here / "sft.yaml").write_text(OLD)
    out = " ".join(run("diagnose", "run.log", "sft.yaml").out.split())
    assert "The files that were checked do not have it: what passes it" in out
    assert "names its line" not in out


def test_a_config_in_the_place_of_settings_is_told_apart(here: Path) -> None:
    (here / "run.log").write_text(OOM)
    (here / "train.yml").write_text(CONFIG)
    for command in (("diagnose", "run.log"), ("migrate", "train.yml"), ("train.yml",)):
        result = run(*command, "--config", "train.yml")
        assert result.code == 2
        assert result.err == (
            "cfglint: train.yml: --config names cfglint's own settings (cfglint.toml); a training config is"
            " an argument\n"
        )


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (
            "ValidationError: 1 validation error for AxolotlInputConfig\nval_set_size\n"
            "  Input should be a valid number, unable to parse string as a number [type=float_parsing]",
            "A value of the config is of the wrong type",
        ),
        (
            "ValueError: You cannot perform fine-tuning on purely quantized models. Please attach",
            "Train an adapter on top",
        ),
    ],
)
def test_what_needs_no_config(here: Path, line: str, words: str) -> None:
    (here / "run.log").write_text(f"Traceback (most recent call last):\n{line}\n")
    result = run("diagnose", "run.log")
    assert result.code == 0
    assert words in result.out


HYDRA = (
    "Could not override 'trainer.total_epoch'.\nTo append to your config use +trainer.total_epoch=1\n"
    "Key 'total_epoch' is not in struct\n    full_key: trainer.total_epoch\n\n"
)


def test_an_override_that_hydra_refuses(here: Path) -> None:
    (here / "run.log").write_text(HYDRA)
    result = run("diagnose", "run.log")
    assert result.code == 0
    assert "Did you mean `total_epochs`?" in result.out
    (here / "run.sh").write_text(
        "python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo trainer.total_epoch=1\n"
    )
    out = run("diagnose", "run.log", "run.sh").out
    assert "KEY001 at run.sh:1" in out
    assert "Other errors" not in out


def test_the_error_of_a_library_is_that_of_the_framework_built_on_it(here: Path) -> None:
    (here / "run.sh").write_text(
        "NPROC_PER_NODE=8 swift rlhf --rlhf_type grpo --reward_funcs accuracy --model a/b --dataset c --per_device_train_batch_size 1 "
        "--gradient_accumulation_steps 1 --num_generations 24\n"
    )
    (here / "run.log").write_text(
        "ValueError: The global train batch size (8 x 1) must be evenly divisible by the number of generations per "
        "prompt (24).\n"
    )
    out = run("diagnose", "run.log", "run.sh", "--target", "ms-swift==3.10.0").out
    assert "run.sh:1 SWF730" in out
    assert "TRL114" not in out
    assert "Other errors" not in out


def test_the_release_of_the_project_counts(here: Path) -> None:
    (here / "requirements.txt").write_text("trl==0.13.0\n")
    (here / "train.py").write_text("from trl import SFTTrainer\nSFTTrainer(model='a/b')\n")
    error = "SFTTrainer.__init__() got an unexpected keyword argument 'max_seq_length'"
    (here / "run.log").write_text(f"TypeError: {error}\n")
    out = run("diagnose", "run.log", "train.py").out
    assert "has `max_seq_length`" in out.replace("\n ", "")
    assert "max_length" not in out


def test_failures_with_the_same_cause_are_explained_once(here: Path) -> None:
    (here / "run.log").write_text(
        "{'loss': nan, 'grad_norm': nan}\n{'loss': 0.0, 'grad_norm': nan}\n"
    )
    out = run("diagnose", "run.log").out
    assert "run.log:1" in out
    assert "run.log:2" in out
    assert out.count("logging_nan_inf_filter: false") == 1


def test_a_mention_in_a_script_that_is_not_checked(here: Path) -> None:
    (here / "job.slurm").write_text("srun python own.py --lr 1 \\\n  --wandb_project phd\n")
    error = (
        "Some specified arguments are not used by the HfArgumentParser: ['--wandb_project', 'phd']"
    )
    (here / "run.log").write_text(f"ValueError: {error}\n")
    out = run("diagnose", "run.log", "job.slurm").out
    assert "job.slurm:2" in out
    assert "does not check this file" in out.replace("\n   ", "")


TABLE = (
    "torch.distributed.elastic.multiprocessing.errors.ChildFailedError: \n"
    "============================================================\ntrain.py FAILED\n"
    "Root Cause (first observed failure):\n[0]:\n  time      : 2026-01-02_03:04:05\n  host      : a\n"
    "  rank      : 9 (local_rank: 1)\n  exitcode  : 1 (pid: 811)\n"
)


def test_the_rank_that_torchrun_names(here: Path) -> None:
    sentence = "Rank 9 (host a, local rank 1) failed first, with exit code 1"
    (here / "run.log").write_text(TABLE)
    out = run("diagnose", "run.log").out
    assert out.count(sentence) == 1
    assert out.index(sentence) < out.index("Look above for the first `Traceback`")
    answer = json.loads(run("diagnose", "run.log", "--format", "json").out)
    row = {"rank": 9, "local_rank": 1, "host": "a", "exit_code": 1, "line": 4}
    assert answer["first_failed"] == row
    (here / "run.log").write_text(f"{OOM}{TABLE}")
    assert run("diagnose", "run.log").out.count(sentence) == 1


LEFT_OVER = """\
Traceback (most recent call last):
  File "/opt/lib/python3.11/site-packages/swift/cli/sft.py", line 10, in <module>
  File "/opt/lib/python3.11/site-packages/swift/llm/base.py", line 35, in _parse_args
ValueError: remaining_argv: ['--{name}', 'lora']
"""


def test_what_the_log_shows_of_the_release_decides_which_name_is_advised(here: Path) -> None:
    (here / "run.log").write_text(LEFT_OVER.format(name="sft_type"))
    (here / "sft.sh").write_text("swift sft --model a/b --dataset c --sft_type lora\n")
    for configs in ((), ("sft.sh",)):
        out = run("diagnose", "run.log", *configs).out
        assert "Use `train_type`." in " ".join(out.split())
        assert "tuner_type" not in out
        assert "its files and errors fit ms-swift >=3.0.0,<4.0.0" in out
    # A file that states another release is of another run.
    (here / "requirements.txt").write_text("ms-swift==4.1.0\n")
    assert "Use `train_type`." in run("diagnose", "run.log", "sft.sh").out
    (here / "requirements.txt").write_text("ms-swift==3.3.0\n")
    assert "Use `train_type`." in run("diagnose", "run.log", "sft.sh").out
    # An option says which release ran.
    out = run("diagnose", "run.log", "sft.sh", "--target", "ms-swift==4.6.0").out
    assert "Use `tuner_type`." in out


def test_the_names_of_each_release_where_the_log_leaves_several(here: Path) -> None:
    (here / "run.log").write_text("ValueError: remaining_argv: ['--tuner_type', 'lora']\n")
    (here / "sft.sh").write_text("swift sft --model a/b --dataset c --tuner_type lora\n")
    names = "There it is called `sft_type` (up to 2.6.1) or `train_type` (from 3.0.0 on)."
    for configs in ((), ("sft.sh",)):
        assert names in " ".join(run("diagnose", "run.log", *configs).out.split())
    answer = json.loads(run("diagnose", "run.log", "sft.sh", "--format", "json").out)
    assert answer["causes"][0]["message"].endswith(names)


def test_a_refused_parameter_is_not_due_only_later(here: Path) -> None:
    (here / "run.log").write_text(
        "TypeError: SFTTrainer.__init__() got an unexpected keyword argument 'max_seq_length'\n"
    )
    (here / "train.py").write_text(
        "from trl import SFTTrainer\nSFTTrainer(model='a/b', max_seq_length=8).train()\n"
    )
    out = " ".join(run("diagnose", "run.log", "train.py").out.split())
    assert "KEY005 at train.py:2" in out
    assert "Up to 0.15.2: `SFTConfig` has `max_seq_length`." in out
    assert "next upgrade" not in out


GONE = """\
Traceback (most recent call last):
  File "/home/me/train.py", line 1, in <module>
ImportError: cannot import name '{name}' from 'trl' (/v/lib/site-packages/trl/__init__.py)
"""


def test_an_import_that_the_program_has_and_the_release_has_not(here: Path) -> None:
    """The line with the name that failed, and the other one among the further errors."""
    (here / "run.log").write_text(GONE.format(name="setup_chat_format"))
    (here / "train.py").write_text(
        "from trl import DataCollatorForCompletionOnlyLM, SFTTrainer\n"
        "from trl import setup_chat_format\n"
        "SFTTrainer('a/b').train()\n"
    )
    (here / "requirements.txt").write_text("trl==1.16.0\n")
    out = " ".join(run("diagnose", "run.log", "train.py").out.split())
    assert "TRP650 at train.py:2" in out
    assert "`clone_chat_template` takes its place" in out
    assert "Or install" not in out
    assert "Other errors of the config: train.py:1 TRP650" in out
    assert "TRP772" not in out
    alone = " ".join(run("diagnose", "run.log").out.split())
    assert "is no longer there from 0.26.0 on. `clone_chat_template` takes its place" in alone
    # The rules are no more than a guess beside that.
    assert "Perhaps TRP650" in alone
    assert "Probably" not in alone


PROGRAM = """\
from trl import SFTConfig, SFTTrainer
args = SFTConfig("out", per_device_train_batch_size=8)
SFTTrainer("Qwen/Qwen2.5-7B", args=args, train_dataset=data).train()
"""


def test_only_what_fit_can_count_is_advised_to_be_counted(here: Path) -> None:
    (here / "run.log").write_text(OOM)
    (here / "run.sh").write_text("python -m verl.trainer.main_ppo data.train_batch_size=64\n")
    (here / "train.py").write_text(PROGRAM)
    for configs, subject in (
        (("train.py",), "train.py"),
        # It is the program that counts.
        (("run.sh", "train.py"), "train.py"),
        ((), "CONFIG"),
    ):
        assert f"`cfglint fit {subject} --gpu" in run("diagnose", "run.log", *configs).out
        answer = json.loads(run("diagnose", "run.log", *configs, "--format", "json").out)
        assert answer["causes"][0]["remedy"].startswith(f"`cfglint fit {subject} --gpu")
    for format_ in ("text", "agent", "json"):
        out = run("diagnose", "run.log", "run.sh", "--format", format_).out
        assert "cfglint fit" not in out
        assert "A smaller micro batch" in out


def test_the_config_that_the_log_names_is_the_one_to_count(here: Path) -> None:
    (here / "run.log").write_text(f"+ axolotl train train.yml\n{OOM}")
    (here / "train.yml").write_text(CONFIG.replace("a/b", "Qwen/Qwen2.5-7B"))
    assert "`cfglint fit train.yml --gpu" in run("diagnose", "run.log").out


def test_the_process_of_ray_is_no_rank(here: Path) -> None:
    (here / "run.log").write_text(f"(WorkerDict pid=440913) {OOM}")
    assert run("diagnose", "run.log").out.startswith("run.log:1 (process 440913)\n")
    (row,) = json.loads(run("diagnose", "run.log", "--format", "json").out)["failures"]
    assert (row["rank"], row["printed_by"]) == ("", "process 440913")
    (here / "run.log").write_text(f"[rank3]: {OOM}")
    (row,) = json.loads(run("diagnose", "run.log", "--format", "json").out)["failures"]
    assert (row["rank"], row["printed_by"]) == ("3", "rank 3")


def test_an_assertion_without_words_is_a_symptom(here: Path) -> None:
    line = (
        "assert config.data.train_batch_size >= config.actor_rollout_ref.actor.ppo_mini_batch_size"
    )
    (here / "run.log").write_text(
        "ray.exceptions.RayTaskError(AssertionError): ray::TaskRunner.run() (pid=3, ip=10.0.0.5)\n"
        '  File "/root/verl/verl/trainer/ppo/ray_trainer.py", line 435, in _validate_config\n'
        f"    {line}\nAssertionError\n"
    )
    (here / "run.sh").write_text(
        "python3 -m verl.trainer.main_ppo data.train_batch_size=64 \\\n"
        "    actor_rollout_ref.actor.ppo_mini_batch_size=256 $@\n"
    )
    assert "VRL010 at run.sh:1" in run("diagnose", "run.log", "run.sh").out
    assert "Probably VRL010" in run("diagnose", "run.log").out
