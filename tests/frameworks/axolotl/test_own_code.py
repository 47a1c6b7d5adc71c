"""Formats of datasets that a project has itself, and programs that read its configs."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint import lint_file
from cfglint.api.linter import Linter
from cfglint.source.files.disk import Disk
from tests.draws import each
from tests.linting import lint_in

CONFIG = "base_model: a/b\ndatasets:\n  - path: ./data/x.jsonl\n    type: tickets\n"


def codes(folder: Path) -> set[str]:
    path = folder / "train.yml"
    path.write_text(CONFIG, encoding="utf-8")
    found = Linter(framework="axolotl", files=Disk()).lint_file(path).diagnostics
    return {one.code for one in found}


def test_a_prompt_strategy_of_the_project(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "strategies").mkdir()
    assert "DAT209" in codes(tmp_path)
    module = tmp_path / "strategies/tickets.py"
    module.write_text("def load(tokenizer, cfg):\n    return None\n", encoding="utf-8")
    assert "DAT209" not in codes(tmp_path)
    # Any other module of that name is none.
    module.write_text("def sell():\n    return None\n", encoding="utf-8")
    assert "DAT209" in codes(tmp_path)
    module.rename(tmp_path / "strategies/receipts.py")
    assert "DAT209" in codes(tmp_path)


def test_a_program_that_is_started_with_the_config(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    path, script = tmp_path / "train.yml", tmp_path / "run.sh"
    path.write_text(CONFIG + "micro_batch_size: 1\ntask: recall\nother_task: x\n", encoding="utf-8")
    (tmp_path / "fast.py").write_text('task = cfg.get("task")\n', encoding="utf-8")

    def unknown() -> set[str]:
        found = Linter(framework="axolotl", files=Disk()).lint_file(path).diagnostics
        return {str(one.path[0]) for one in found if one.code == "KEY001"}

    script.write_text("axolotl train train.yml\n", encoding="utf-8")
    assert "task" in unknown()
    script.write_text("python fast.py --config train.yml\n", encoding="utf-8")
    assert "task" not in unknown()
    assert "other_task" in unknown()


OPTIONS = """\
parser.add_argument("--config")
parser.add_argument("--learning-rate", type=float)
given = parser.parse_args()
config = yaml.safe_load(open(given.config))
"""
OVER = "for name, value in vars(given).items():\n    config[name] = value\n"


@pytest.mark.parametrize(
    ("program", "script", "expected"),
    [
        (OPTIONS + OVER, "python own.py --config train.yml --learning-rate 1e-4", set()),
        (OPTIONS + OVER, "axolotl train train.yml", {"TYP004", "TYP001", "OPT104"}),
        (OPTIONS, "python own.py --config train.yml", {"TYP004", "TYP001", "OPT104"}),
        # It says which file by itself.
        (
            'config = yaml.safe_load(open("train.yml"))\nconfig["learning_rate"] = rate\n',
            "",
            {"TYP001", "OPT104"},
        ),
        (
            OPTIONS + 'config.pop("warmup_ratio", None)\nconfig.update({"learning_rate": 1})\n',
            "python own.py --config train.yml",
            {"TYP001"},
        ),
        # The file is of no use to a program that does not load it.
        ('print("train.yml")\nc["learning_rate"] = 1\n', "", {"TYP004", "TYP001", "OPT104"}),
    ],
)
def test_a_program_lays_options_over_the_file(
    tmp_path: Path, program: str, script: str, expected: set[str]
) -> None:
    (tmp_path / ".git").mkdir()
    path = tmp_path / "train.yml"
    other = "seed: many\nwarmup_steps: 1\nwarmup_ratio: 0.1\n"
    text = CONFIG.replace("tickets", "alpaca") + "micro_batch_size: 1\nval_set_size: 0\n" + other
    path.write_text(text, encoding="utf-8")
    if "vars(" in program:
        program += 'config["seed"] = 1\nconfig["warmup_steps"] = None\n'
    (tmp_path / "own.py").write_text(program, encoding="utf-8")
    (tmp_path / "run.sh").write_text(f"{script}\n", encoding="utf-8")
    found = Linter(framework="axolotl", files=Disk()).lint_file(path).diagnostics
    assert {one.code for one in found if one.severity == "error"} == expected


PROGRAM = (
    'CONFIG = "jobs/eval.yml"\nsteps(evaluation_config.log_interval, config["starting_size"])\n'
)


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        (PROGRAM, []),
        # Nothing names the file, or only one key is read.
        (PROGRAM.replace("eval.yml", "other.yml"), ["KEY001", "TYP001"]),
        (PROGRAM.replace("log_interval", "other"), ["KEY001", "TYP001"]),
    ],
)
def test_a_file_that_a_program_reads_by_itself(
    tmp_path: Path, program: str, expected: list[str]
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "evaluate.py").write_text(program)
    config = tmp_path / "eval.yml"
    config.write_text(
        "base_model: a/b\ndatasets:\n  path: a\nlearning_rate: 0.0001\nmicro_batch_size: 1\n"
        "gradient_accumulation_steps: 1\nnum_epochs: 1\nlog_interval: 5\nstarting_size: 1\n"
    )
    found = lint_file(config, framework="axolotl", select=["KEY001", "TYP001"]).diagnostics
    assert sorted({one.code for one in found}) == expected


@pytest.mark.parametrize(
    ("plugin", "target", "expected"),
    [
        ("moe_kernels.plugin.MoePlugin", [], "warning"),
        ("moe_kernels.plugin.MoePlugin", ["axolotl==0.21.0"], "error"),
        ("ligr.LigerPlugin", [], "error"),
    ],
)
def test_a_plugin_of_a_branch(
    tmp_path: Path, plugin: str, target: list[str], expected: str
) -> None:
    config = tmp_path / "train.yml"
    config.write_text(f"base_model: a/b\nplugins:\n  - axolotl.integrations.{plugin}\n")
    found = lint_file(config, framework="axolotl", target=target, select=["KRN217", "KRN218"])
    assert [one.severity for one in found.diagnostics] == [expected]


TAKES_OUT = """
settings = yaml.safe_load(open(path))
image = settings.pop("image", None)
pod["memory"] = settings["memory"]
subprocess.run(["axolotl", "train", path])
"""


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        (TAKES_OUT, {"queue"}),
        # It has nothing to do with Axolotl, or loads no such file.
        (TAKES_OUT.replace("axolotl", "sftp"), {"image", "memory", "queue"}),
        (TAKES_OUT.replace("yaml.safe_load", "json.load"), {"image", "memory", "queue"}),
    ],
)
def test_keys_that_a_launcher_takes_out(tmp_path: Path, program: str, expected: set[str]) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "launch.py").write_text(program, encoding="utf-8")
    path = tmp_path / "train.yml"
    path.write_text(CONFIG + "image: a/b:1\nmemory: 64Gi\nqueue: nights\n", encoding="utf-8")
    found = lint_file(path, framework="axolotl", select=["KEY001"])
    named = {
        name
        for one in found.diagnostics
        for name in ("image", "memory", "queue")
        if f"`{name}`" in one.message
    }
    assert named == expected


@pytest.mark.parametrize("written", ["noisy_key: 1", "dataset_procs: 1"])
def test_a_program_has_keys_of_its_own_and_none_of_the_releases(
    tmp_path: Path, written: str
) -> None:
    """What a release has of a key, or has no more, a program that names it does not change."""
    (tmp_path / ".git").mkdir()
    gone = "max_packed_sequence_len: 2048"
    path = tmp_path / "train.yml"
    path.write_text(f"{CONFIG}micro_batch_size: 1\n{gone}\n{written}\n", encoding="utf-8")
    name = written.partition(":")[0]
    program = f"task = cfg.get('{name}')\nlength = cfg['max_packed_sequence_len']\n"
    (tmp_path / "fast.py").write_text(program, encoding="utf-8")
    (tmp_path / "run.sh").write_text("python fast.py --config train.yml\n", encoding="utf-8")
    found = Linter(framework="axolotl", files=Disk()).lint_file(path).diagnostics
    keys = {str(one.path[0]) for one in found if one.path}
    assert "max_packed_sequence_len" in keys
    assert name not in keys


@each(
    ("program", "expected"),
    [
        ("from ipex_llm import llm_patch\nllm_patch(train=True)\n", []),
        ("import transformers\n", ["PEF452"]),
    ],
)
def test_who_loads_the_base_in_four_bits(program: str, expected: list[str]) -> None:
    text = "base_model: a/b\nadapter: lora\nload_in_4bit: true\nlora_r: 8\nbf16: true\n"
    found = lint_in(
        {".git/HEAD": "", "finetune.py": program},
        text,
        framework="axolotl",
        target=["axolotl==0.4.1"],
    )
    assert [one.code for one in found if one.code == "PEF452"] == expected
