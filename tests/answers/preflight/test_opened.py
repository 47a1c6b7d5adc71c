"""The files that a run opens from the folder in which it starts, and that are not there."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint.answers.preflight.judging import Preflight, preflight
from cfglint.answers.preflight.launched import of_command, of_path
from cfglint.engine.session import Options
from cfglint.source.files.disk import Disk

LLAMAFACTORY = """\
model_name_or_path: Qwen/Qwen2.5-0.5B
stage: sft
do_train: true
finetuning_type: lora
dataset: mine
template: qwen
output_dir: out
"""
TRL = """\
model_name_or_path: Qwen/Qwen2.5-0.5B
dataset_name: trl-lib/Capybara
output_dir: out
deepspeed: configs/ds.json
bf16: true
"""
AXOLOTL = """\
base_model: NousResearch/Llama-3.2-1B
datasets:
  - path: data/chat.jsonl
    type: alpaca
sequence_len: 2048
micro_batch_size: 2
gradient_accumulation_steps: 4
num_epochs: 1
learning_rate: 0.0002
optimizer: adamw_torch
lr_scheduler: cosine
output_dir: ./out
"""
SETTINGS = """\
compute_environment: LOCAL_MACHINE
distributed_type: DEEPSPEED
deepspeed_config: {deepspeed_config_file: ds.json, zero3_init_flag: true}
num_machines: 1
num_processes: 8
"""
DEEPSPEED = '{"train_batch_size": "auto", "train_micro_batch_size_per_gpu": "auto", "zero_optimization": {"stage": 2}}'
LIST = '{"mine": {"file_name": "mine.json"}}'
NOT_THERE = "in the folder in which the run starts"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    files = {
        ".git/HEAD": "",
        "lf/x.yaml": LLAMAFACTORY + "deepspeed: ds.json\n",
        "lf/ds.json": DEEPSPEED,
        "lf/data/dataset_info.json": LIST,
        "ax/x.yml": AXOLOTL,
        "ax/data/chat.jsonl": '{"instruction": "a", "input": "", "output": "b"}\n',
        "t/x.yaml": TRL,
        "acc.yaml": SETTINGS,
        "train.py": "import torch\n",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def judged(command: str) -> Preflight:
    return preflight(of_command(command.split(), Disk()), Options(), Disk())


def test_a_run_from_another_folder_than_that_of_its_config(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = judged("llamafactory-cli train lf/x.yaml")
    assert result.verdict == "do not start"
    assert result.against == (
        f"lf/x.yaml line 8: there is no `ds.json` {NOT_THERE}; it does not open `lf/ds.json`",
        f"lf/x.yaml: there is no `data/dataset_info.json` {NOT_THERE};"
        " it does not open `lf/data/dataset_info.json`",
    )
    monkeypatch.chdir(here / "lf")
    assert judged("llamafactory-cli train x.yaml").against == ()


def test_data_beside_the_config_of_a_run_from_another_folder(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (against,) = judged("axolotl train ax/x.yml").against
    assert against.startswith(f"ax/x.yml line 3: there is no `data/chat.jsonl` {NOT_THERE}")
    (here / "last_run_prepared").mkdir()
    assert judged("axolotl train ax/x.yml").against == ()
    monkeypatch.chdir(here / "ax")
    assert judged("axolotl train x.yml").against == ()


def test_data_that_is_nowhere_may_be_brought_later(here: Path) -> None:
    (here / "ax/data/chat.jsonl").unlink()
    assert judged("axolotl train ax/x.yml").verdict == "start"


COMMANDS = {
    "trl sft --config t/x.yaml": "configs/ds.json",
    "llamafactory-cli train lf/x.yaml deepspeed=no.json": "no.json",
    "accelerate launch --config_file acc.yaml train.py": "ds.json",
    "deepspeed train.py --deepspeed no.json": "no.json",
    "accelerate launch --deepspeed_config_file=no.json train.py": "no.json",
    "swift sft --model Qwen/Qwen2.5-7B --dataset a/b --deepspeed no.json": "no.json",
}


@pytest.mark.parametrize("command", COMMANDS)
def test_settings_of_deepspeed_that_are_nowhere(here: Path, command: str) -> None:
    (here / "lf/ds.json").unlink()
    result = judged(command)
    assert result.verdict == "do not start"
    (found,) = (one for one in result.against if COMMANDS[command] in one)
    assert "there is no" in found


def test_what_a_checkout_brings_may_come_with_it(here: Path) -> None:
    file = "examples/deepspeed/ds_z3_config.json"
    (here / "lf/x.yaml").write_text(f"{LLAMAFACTORY}deepspeed: {file}\n")
    (here / "data").mkdir()
    (here / "data/dataset_info.json").write_text(LIST)
    result = judged("llamafactory-cli train lf/x.yaml")
    assert (result.verdict, result.against) == ("undecided", ())
    assert result.doubts[0].endswith(f"`{file}` {NOT_THERE}; a checkout of the framework has it")


def test_where_the_folder_is_not_known_only_what_is_nowhere_counts(here: Path) -> None:
    def doubts(path: str) -> tuple[str, ...]:
        return preflight(of_path(path, Disk()), Options(), Disk()).doubts

    assert doubts("lf/x.yaml") == ()
    assert doubts("t/x.yaml") == ("t/x.yaml line 4: there is no `configs/ds.json` in the project",)


@pytest.mark.parametrize(
    "command",
    [
        "docker run image",
        "ssh machine",
        "srun --chdir=/data",
        "uv run --directory app",
        "env -C app",
    ],
)
def test_a_command_that_starts_the_run_elsewhere(command: str) -> None:
    assert judged(f"{command} llamafactory-cli train lf/x.yaml").against == ()


def test_a_script_may_make_or_fetch_the_file(here: Path) -> None:
    (here / "run.sh").write_text("trl sft --config t/x.yaml\n")
    result = judged("bash run.sh")
    assert (result.verdict, result.against) == ("undecided", ())
    (here / "run.sh").write_text("cp ds.json configs/ds.json\ntrl sft --config t/x.yaml\n")
    assert judged("bash run.sh").verdict == "start"
    assert preflight(of_path("run.sh", Disk()), Options(), Disk()).verdict == "start"
    command = "swift sft --model Qwen/Qwen2.5-7B --dataset a/b --deepspeed no.json\n"
    (here / "run.sh").write_text(command)
    assert "there is no `no.json`" in judged("bash run.sh").doubts[0]
    (here / "run.sh").write_text(f"echo '{{}}' > no.json\n{command}")
    assert not [one for one in judged("bash run.sh").doubts if "no.json" in one]


def test_a_file_that_is_made_before_can_be_told(here: Path) -> None:
    text = TRL.replace("ds.json", "ds.json  # cfglint: ignore[DST550]")
    (here / "t/x.yaml").write_text(text)
    assert not [one for one in judged("trl sft --config t/x.yaml").against if "ds.json" in one]
