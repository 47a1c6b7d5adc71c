"""What the options of a launch line make of accelerate's file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run

FILE = """\
compute_environment: LOCAL_MACHINE
distributed_type: {kind}
mixed_precision: {precision}
num_machines: {machines}
"""


@pytest.fixture(autouse=True)
def _repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "configs").mkdir()
    monkeypatch.chdir(tmp_path)


def codes(
    line: str, kind: str = "MULTI_GPU", precision: str = "'no'", machines: int = 1, more: str = ""
) -> list[tuple[str, str]]:
    """(file, code) of the findings in a file, and in the script with a line that starts it."""
    text = FILE.format(kind=kind, precision=precision, machines=machines) + more
    Path("configs/multi.yaml").write_text(text, encoding="utf-8")
    Path("scripts_of_mine").mkdir(exist_ok=True)
    Path("scripts_of_mine/dpo.sh").write_text(line + "\n", encoding="utf-8")
    report = json.loads(run("configs/multi.yaml", "--format", "json").out)
    return [
        (Path(file["path"]).name, found["code"])
        for file in report["files"]
        for found in file["diagnostics"]
    ]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("", ["ACC002"]),
        ("--num_processes 8", []),
        ("--num-processes=8", []),
        ("--num_processes $GPUS", []),
        ("--num_processes=$(nvidia-smi -L | wc -l)", []),
        ("--main_process_port 1", ["ACC002"]),
    ],
)
def test_an_option_takes_the_place_of_a_missing_key(options: str, expected: list[str]) -> None:
    line = (
        f"accelerate launch --config_file configs/multi.yaml {options} train.py --num_processes 3"
    )
    assert codes(line) == [("multi.yaml", code) for code in expected]


@pytest.mark.parametrize(
    "name",
    [
        "configs/multi.yaml",
        "./configs/multi.yaml",
        "configs/$KIND.yaml",
        "configs/${KIND}.yaml",
        "$HOME/x/configs/multi.yaml",
    ],
)
def test_the_file_may_be_named_through_a_variable(name: str) -> None:
    line = f"accelerate launch --config_file {name} --num_processes 8 train.py"
    assert codes(line) == []
    # Of another file's command nothing is known about this one.
    assert codes(line.replace("configs/", "others/")) == []


def test_a_variable_of_the_script_is_followed() -> None:
    line = "ACC=configs/multi.yaml\naccelerate launch --config_file $ACC --num_processes 8 train.py"
    assert codes(line) == []


def test_a_precision_on_the_line_and_an_address() -> None:
    base = "accelerate launch --config_file configs/multi.yaml --num_processes 16"
    assert codes(base + " train.py", precision="no") == [("multi.yaml", "ACC004")]
    assert codes(base + " --mixed_precision bf16 train.py", precision="no") == []
    assert codes(base + " train.py", machines=2) == [("multi.yaml", "ACC042")]
    assert codes(base + " --main_process_ip $IP train.py", machines=2) == []


def test_a_finding_counts_that_every_line_has() -> None:
    with_option = "accelerate launch --config_file configs/multi.yaml --num_processes 8 a.py\n"
    without = "accelerate launch --config_file configs/multi.yaml b.py"
    assert codes(with_option + without) == []
    assert codes(f"# {with_option}{without}") == [("multi.yaml", "ACC002")]
    assert codes(f"# {with_option}# {without}") == []
    assert codes(f"echo {with_option}{without}") == [("multi.yaml", "ACC002")]


def test_a_strategy_on_the_line_is_that_of_the_run() -> None:
    """`--use_fsdp` starts an FSDP run, whatever the file's type is."""
    more = "num_processes: 8\ndeepspeed_config:\n  zero_stage: 7\n"
    line = "accelerate launch --config_file configs/multi.yaml {} train.py"
    assert ("multi.yaml", "ACC040") not in codes(line.format("--use_fsdp"), "DEEPSPEED", more=more)


def test_an_option_of_a_section_lies_over_its_key() -> None:
    more = "num_processes: 8\ndeepspeed_config:\n  zero_stage: 7\n"
    line = "accelerate launch --config_file configs/multi.yaml {} train.py"
    before = codes(line.format(""), "DEEPSPEED", more=more)
    assert before != []
    assert codes(line.format("--zero_stage 2"), "DEEPSPEED", more=more) == []
