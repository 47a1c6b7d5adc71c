"""The judgement on a run."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint.answers.preflight.judging import Preflight, preflight
from cfglint.answers.preflight.launched import of_command, of_path
from cfglint.engine.session import Options
from cfglint.source.files.disk import Disk

CONFIG = """\
model_name_or_path: Qwen/Qwen2.5-0.5B
dataset_name: trl-lib/Capybara
learning_rate: 2.0e-5
max_length: 1024
packing: false
per_device_train_batch_size: 2
output_dir: out
bf16: true
"""
SETTINGS = """\
compute_environment: LOCAL_MACHINE
distributed_type: DEEPSPEED
deepspeed_config: {zero_stage: 3}
mixed_precision: bf16
num_machines: 1
num_processes: 8
"""
TARGET = ("trl==1.16.0",)
DEEPSPEED = """\
{
  "train_batch_size": "auto",
  "train_micro_batch_size_per_gpu": "auto",
  "gradient_accumulation_steps": "auto",
  "bf16": {"enabled": "auto"},
  "zero_optimization": {"stage": 2}
}
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.yaml").write_text(CONFIG)
    (tmp_path / "acc.yaml").write_text(SETTINGS)
    return tmp_path


def judged(command: str, *target: str, gpu: str | None = None) -> Preflight:
    options = Options(target=target, gpu=gpu)
    return preflight(of_command(command.split(), Disk()), options, Disk())


def found(result: Preflight) -> list[tuple[str, str]]:
    return [(file.path, one.code) for file in result.run.files for one in file.diagnostics]


def test_nothing_speaks_against_it() -> None:
    result = judged("trl sft --config x.yaml", *TARGET)
    assert (result.verdict, result.against, result.doubts) == ("start", (), ())


def test_an_error_in_the_config(here: Path) -> None:
    (here / "x.yaml").write_text(CONFIG.replace("max_length", "max_seq_length"))
    result = judged("trl sft --config x.yaml", *TARGET)
    assert (result.verdict, result.against) == ("do not start", ("1 error",))
    assert found(result) == [("x.yaml", "KEY005")]


def test_an_error_in_the_command() -> None:
    result = judged("trl sft --config x.yaml --lora_rr 8", *TARGET)
    assert ("command-line.sh", "KEY001") in found(result)
    assert result.verdict == "do not start"


def test_a_command_without_a_config() -> None:
    result = judged(
        "trl sft --model_name_or_path a/b --dataset_name c --learning_rate abc", *TARGET
    )
    assert found(result) == [("command-line.sh", "TYP001")]


def test_a_release_that_is_assumed_may_decide(here: Path) -> None:
    """Without a release, what the newest one refuses is a note in a check."""
    (here / "x.yaml").write_text(CONFIG.replace("max_length", "max_seq_length"))
    result = judged("trl sft --config x.yaml")
    assert result.verdict == "undecided"
    assert (
        "with trl 1.16.0 there would be 1 error (KEY005 at x.yaml line 4, `max_seq_length`); state --target trl==VERSION"
        in (result.doubts[0])
    )
    assert judged("trl sft --config x.yaml", "trl==0.19.1").verdict == "start"


def test_what_goes_with_the_framework_may_decide(here: Path) -> None:
    """An installer takes the newest transformers beside a stated TRL; what that refuses is a warning in a check."""
    (here / "x.yaml").write_text(f"{CONFIG}warmup_ratio: 0.03\n")
    for target in ((), TARGET):
        result = judged("trl sft --config x.yaml", *target)
        assert result.verdict == "undecided"
        assert (
            "1 error (KEY005 at x.yaml line 9, `warmup_ratio`); state --target transformers==VERSION, or"
            in result.doubts[0]
        )
    assert judged("trl sft --config x.yaml", *TARGET, "transformers==5.9.0").verdict == "start"
    newest = judged("trl sft --config x.yaml", *TARGET, "transformers==5.24.0")
    assert newest.verdict == "do not start"


@pytest.mark.parametrize("stated", ["", "transformers==4.57.1", "trl>=0.12"])
def test_the_trl_of_a_program_may_decide(here: Path, stated: str) -> None:
    (here / "requirements.txt").write_text(stated)
    (here / "train.py").write_text(PROGRAM.replace("max_length", "max_seq_length"))
    (doubt,) = judged("python train.py").doubts
    assert (
        "with trl 1.16.0 there would be 1 error (KEY005 at train.py line 5, `SFTConfig.max_seq_length`); state --target trl==VERSION"
        in doubt
    )
    assert judged("python train.py", "trl==0.19.1").verdict == "start"


def test_of_several_releases_that_would_decide_the_framework_is_asked_for(here: Path) -> None:
    """transformers takes the key of LLaMA-Factory's file, and the newest of either asks for one that does not."""
    (here / "lf.yaml").write_text(
        "model_name_or_path: a/b\nstage: sft\ndo_train: true\ndataset: c\ntemplate: qwen\n"
        "finetuning_type: lora\noutput_dir: out\nval_size: 0.1\nevaluation_strategy: steps\n"
    )
    (here / "data").mkdir()
    (here / "data/dataset_info.json").write_text('{"c": {"file_name": "c.json"}}')
    (doubt,) = judged("llamafactory-cli train lf.yaml").doubts
    assert "(KEY005 at lf.yaml line 9, `evaluation_strategy`)" in doubt
    assert "; state --target llamafactory==VERSION, or --target installed" in doubt


def test_what_another_file_of_the_run_asks_for_is_not_assumed_newer(here: Path) -> None:
    """LLaMA-Factory 0.9.3 asks for DeepSpeed 0.16.9 at most, and refuses a later one."""
    (here / "ds.json").write_text(DEEPSPEED)
    (here / "data").mkdir()
    (here / "data/dataset_info.json").write_text('{"c": {"file_name": "c.json"}}')
    command = (
        "llamafactory-cli train --stage sft --do_train true --model_name_or_path a/b --dataset c"
        " --template qwen --finetuning_type lora --output_dir out --deepspeed ds.json"
    )
    result = judged(command, "llamafactory==0.9.3")
    assert result.verdict == "start"
    (settings,) = (file for file in result.run.files if file.framework == "deepspeed")
    assert settings.target.release == "0.16.9"
    newer = judged(command, "llamafactory==0.9.3", "deepspeed==0.17.1")
    assert ("command-line.sh", "LLF354") in found(newer)


def test_a_slip_in_a_command_of_a_script(here: Path) -> None:
    (here / "run.sh").write_text("#!/bin/bash\ntrl sfft --config x.yaml\n")
    for launched in (of_path("run.sh", Disk()), of_command(["bash", "run.sh"], Disk())):
        result = preflight(launched, Options(target=TARGET), Disk())
        assert result.verdict == "do not start"
        assert result.against == ("`sfft` is not a command of `trl` (did you mean `sft`?)",)


PARSED = """\
from transformers import HfArgumentParser
from trl import ModelConfig, SFTConfig, SFTTrainer

args, model = HfArgumentParser((SFTConfig, ModelConfig)).parse_args_into_dataclasses()
trainer = SFTTrainer(model.model_name_or_path, args=args, train_dataset=rows)
"""


def test_the_options_of_a_program_however_few(here: Path) -> None:
    """A search knows a command by more options; here its program shows whose they are."""
    (here / "train.py").write_text(PARSED)
    (here / "run.sh").write_text("python train.py --output_dir o --max_seq_length 5\n")
    stated = (*TARGET, "transformers==5.9.0")
    for command in ("python train.py --max_seq_length 5", "bash run.sh"):
        result = judged(command, *stated)
        assert [code for _, code in found(result)] == ["KEY005"]
        assert result.verdict == "do not start"
    assert judged("python train.py --bf16 --learning_rte 1", *stated).verdict == "do not start"
    assert judged("python train.py --max_length 5", *stated).verdict == "start"
    # Another parser may have any option.
    (here / "train.py").write_text(PROGRAM)
    assert judged("python train.py --max_seq_length 5", *stated).verdict == "start"


def test_only_the_command_counts(here: Path) -> None:
    """What other scripts of the project do with the config is not this run's affair."""
    (here / "run.sh").write_text(
        "torchrun --nproc_per_node 4 x\ntrl sft --config x.yaml --lora_rr 8\n"
    )
    assert judged("trl sft --config x.yaml", *TARGET).verdict == "start"
    script = preflight(of_path("run.sh", Disk()), Options(target=TARGET), Disk())
    assert script.verdict == "do not start"


def test_what_the_project_states_still_counts(here: Path) -> None:
    (here / "x.yaml").write_text(CONFIG.replace("max_length", "max_seq_length"))
    (here / "setup.sh").write_text("pip install trl==1.16.0\n")
    (here / "requirements.txt").write_text("trl==1.16.0\n")
    assert judged("trl sft --config x.yaml").verdict == "do not start"


def test_a_config_is_judged_as_what_reads_it() -> None:
    result = judged("llamafactory-cli train x.yaml")
    assert [file.framework for file in result.run.files] == ["llamafactory"]
    assert result.verdict == "do not start"


def test_the_processes_of_a_launcher(here: Path) -> None:
    (here / "train.py").write_text("import mine\n")
    result = judged("accelerate launch --config_file acc.yaml train.py --config x.yaml", *TARGET)
    (config,) = (file for file in result.run.files if file.path == "x.yaml")
    assert config.target.fact("gpus") == 8
    assert "on each of 8 GPUs; state --gpu NAME to compare" in result.memory[0].words
    assert dict(result.unread) == {"train.py": "it has nothing that cfglint reads"}
    assert result.verdict == "start"


@pytest.mark.parametrize(
    ("gpu", "verdict", "words"),
    [
        ("h100", "start", ": it probably fits"),
        ("sm_86:8GB", "undecided", ": it probably does not fit"),
        ("sm_80:4GB", "do not start", ": it does not fit"),
    ],
)
def test_memory(gpu: str, verdict: str, words: str) -> None:
    result = judged("trl sft --config x.yaml --num_processes 1", *TARGET, gpu=gpu)
    assert (result.verdict, result.memory[0].words.endswith(words)) == (verdict, True)


PROGRAM = """\
from transformers import AutoModelForCausalLM
from trl import SFTConfig, SFTTrainer

model = AutoModelForCausalLM.from_pretrained("Qwen/Qwen2.5-7B")
args = SFTConfig(output_dir="out", max_length=2048)
trainer = SFTTrainer(model=model, args=args, train_dataset=rows)
"""


def of_file(path: str, gpus: int | None) -> Preflight:
    options = Options(target=TARGET, gpu="a10", gpus=gpus)
    return preflight(of_path(path, Disk()), options, Disk())


def test_the_memory_of_scripts_and_programs(here: Path) -> None:
    """With the number of GPUs they are judged; without it, it is said that they are not."""
    (here / "run.sh").write_text("trl sft --model_name_or_path Qwen/Qwen2.5-7B --dataset_name c\n")
    (here / "train.py").write_text(PROGRAM)
    for path in ("run.sh", "train.py"):
        (one,) = of_file(path, None).memory
        assert one.words == "not counted, as the number of GPUs is not known; state --gpus N"
    assert of_file("run.sh", 1).against == ("run.sh does not fit",)
    # Where a program is started with accelerate, its settings may offload a part of it.
    assert of_file("train.py", 1).verdict == "undecided"
    # A program without a run has no memory to judge.
    (here / "train.py").write_text(PROGRAM.replace("trainer = ", "#"))
    assert of_file("train.py", 1).memory == ()


def test_nothing_at_least_is_not_a_number() -> None:
    """Where the settings that divide the run are not at hand, the reason is given."""
    line = "accelerate launch --config_file gone.yaml -m trl.scripts.sft --config x.yaml"
    (one,) = judged(line, *TARGET, gpu="h100").memory
    assert one.words == "nothing is certain: `gone.yaml`, accelerate's file, is not at hand"


def test_the_options_of_a_command_count_for_memory() -> None:
    plain = judged("trl sft --config x.yaml", *TARGET).memory[0].answer
    tuned = judged("trl sft --config x.yaml --use_peft true", *TARGET).memory[0].answer
    assert plain is not None
    assert tuned is not None
    assert tuned.needed.total < plain.needed.total


@pytest.mark.parametrize(
    ("command", "doubt"),
    [
        ("ls", "nothing that cfglint reads was found"),
        ("trl sft --config /no/x.yaml", "/no/x.yaml: there is no such file"),
        ("trl sft --config binary.yaml", ""),
    ],
)
def test_what_cannot_be_judged(here: Path, command: str, doubt: str) -> None:
    (here / "binary.yaml").write_bytes(b"\x00\x01")
    result = judged(command)
    if doubt:
        assert result.verdict == "undecided"
        assert result.doubts[0].startswith(doubt)
    else:
        assert result.verdict == "do not start"


def test_a_missing_file_ends_the_run() -> None:
    result = judged("trl sft --config no.yaml")
    assert (result.verdict, result.against) == (
        "do not start",
        ("no.yaml: there is no such file",),
    )


def test_a_release_without_data(here: Path) -> None:
    (here / "requirements.txt").write_text("trl==99.0\n")
    result = judged("trl sft --config x.yaml")
    assert "no data about trl 99.0" in result.doubts[0]


def test_a_broken_settings_file(here: Path) -> None:
    (here / "cfglint.toml").write_text("nonsense = 1\n")
    result = judged("trl sft --config x.yaml")
    assert result.verdict == "undecided"
    assert "unknown setting 'nonsense'" in result.doubts[0]


@pytest.mark.parametrize(
    ("command", "verdict"),
    [("trl sfft --config x.yaml", "do not start"), ("trl bake --config x.yaml", "undecided")],
)
def test_a_command_that_does_not_exist(command: str, verdict: str) -> None:
    result = judged(command, *TARGET)
    assert result.verdict == verdict
    assert (result.against or result.doubts)[0].startswith(f"`{command.split()[1]}` is not a")


def test_a_program_that_cannot_be_parsed(here: Path) -> None:
    (here / "old.py").write_text("from trl import SFTConfig\nprint 'x'\nSFTConfig()\n")
    result = judged("python old.py --config x.yaml", *TARGET)
    ((path, why),) = result.unread
    assert path == "old.py"
    assert "cannot parse; not checked" in why


@pytest.mark.parametrize(
    "command",
    [
        "accelerate launch --config_file acc.yaml -m trl.scripts.sft --config x.yaml",
        "trl sft --config x.yaml --accelerate_config acc.yaml",
        "accelerate launch --config_file acc.yaml mine.py --config x.yaml",
    ],
)
def test_the_settings_of_the_launcher_divide_the_memory(here: Path, command: str) -> None:
    """However they are named, and whatever program they start."""
    (here / "mine.py").write_text(
        "from trl import ModelConfig, ScriptArguments, SFTConfig, TrlParser\n"
        "parser = TrlParser((ScriptArguments, SFTConfig, ModelConfig))\n"
        "args = parser.parse_args_and_config()\n"
    )
    (memory,) = judged(command, *TARGET).memory
    assert memory.answer is not None
    assert memory.answer.gpus == 8
    weights = next(term for term in memory.answer.needed.terms if term.name == "weights")
    assert weights.size == 494_032_768 * 2 / 8


@pytest.mark.parametrize(
    ("command", "script", "codes"),
    [
        ("llamafactory-cli train configs/sft.yaml", "", ["KEY001"]),
        ("bash run.sh", "llamafactory-cli train configs/sft.yaml", ["KEY001"]),
        ("bash run.sh", "cd ..\nllamafactory-cli train configs/sft.yaml", []),
    ],
)
def test_files_count_from_the_folder_of_the_command(
    here: Path, command: str, script: str, codes: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = '{"train_batch_size": "auto", "zero_optimization": {"stage": 2}}'
    inner = here / "inner"
    for folder in (here, inner):
        (folder / "ds").mkdir(parents=True)
        (folder / "ds" / "z2.json").write_text(settings)
    (inner / "ds" / "z2.json").write_text(
        settings.replace('"stage"', '"overlap_com": true, "stage"')
    )
    (inner / "configs").mkdir()
    (inner / "configs" / "sft.yaml").write_text(
        "model_name_or_path: x\nstage: sft\ndo_train: true\ndataset: identity\ntemplate: qwen\n"
        "output_dir: out\ndeepspeed: ds/z2.json\nbf16: true\n"
    )
    (inner / "run.sh").write_text(f"{script}\n")
    monkeypatch.chdir(inner)
    result = judged(command, "llamafactory==0.9.3", "deepspeed==0.16.9")
    assert [code for path, code in found(result) if path.endswith(".json")] == codes


def test_a_script_without_arguments_has_none(here: Path) -> None:
    words = "data.train_batch_size=64 actor_rollout_ref.actor.ppo_mini_batch_size=128"
    text = f'python3 -m verl.trainer.main_ppo {words} "$@"\n'
    (here / "run.sh").write_text(text)
    target = ("verl==0.9.0",)
    alone = judged("bash run.sh", *target)
    assert alone.verdict == "do not start"
    assert ("run.sh", "VRL010") in found(alone)
    # What more options change is not known.
    assert judged("bash run.sh data.train_batch_size=256", *target).verdict != "do not start"
    assert (here / "run.sh").read_text() == text


def test_memory_that_is_not_counted_is_no_silence(here: Path) -> None:
    (here / "run.sh").write_text("python3 -m verl.trainer.main_ppo trainer.nnodes=1\n")
    (memory,) = judged("bash run.sh", "verl==0.9.0", gpu="l40s").memory
    assert memory.words == "not counted: `fit` does not support commands of verl yet"
    assert judged("bash run.sh", "verl==0.9.0").memory == ()


@pytest.mark.parametrize("start", ["", "bash ", "sbatch "])
def test_a_script_without_an_ending_runs_in_the_current_folder(here: Path, start: str) -> None:
    """Slurm runs a copy of a job's script under a name of its own, in another folder."""
    spool = here / "spool"
    spool.mkdir()
    copy = spool / "slurm_script"
    copy.write_text("#!/bin/bash\n#SBATCH --gres=gpu:2\ntrl sft --config x.yaml\n")
    path = str(copy)
    launched = of_command([start.strip(), path], Disk()) if start else of_path(path, Disk())
    result = preflight(launched, Options(target=TARGET), Disk())
    assert {"x.yaml", "slurm_script.sh"} <= {part.path for part in launched.parts}
    (config,) = result.run.files
    assert (config.path, config.target.fact("gpus")) == ("x.yaml", 2)
    assert list(here.glob("*.sh")) == []
    # Other files without an ending are none.
    copy.write_text("model_name_or_path: a\n")
    assert of_path(path, Disk()).parts[0].role == "config"


SHARDED = """\
base_model: meta-llama/Llama-3.1-8B-Instruct
datasets:
  - path: ./data/support-chats.jsonl
    type: chat_template
micro_batch_size: 1
gradient_accumulation_steps: 4
learning_rate: 0.00001
fsdp_version: 2
fsdp_config:
  auto_wrap_policy: TRANSFORMER_BASED_WRAP
  transformer_layer_cls_to_wrap: LlamaDecoderLayer
  state_dict_type: SHARDED_STATE_DICT
save_only_model: true
output_dir: out
"""


def test_what_may_be_an_error_says_what_would_decide_it(here: Path) -> None:
    (here / "y.yml").write_text(SHARDED)
    result = judged("axolotl train y.yml", "axolotl==0.18.0")
    assert (result.verdict, result.against) == ("undecided", ())
    assert "1 finding may be an error; state --gpus N" in result.doubts
    (here / "y.yml").write_text(SHARDED.replace("save_only_model: true\n", ""))
    result = judged("axolotl train y.yml", "axolotl==0.18.0")
    assert (result.verdict, result.doubts) == ("start", ())
