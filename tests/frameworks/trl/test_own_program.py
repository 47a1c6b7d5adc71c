"""The programs of a project: what they have of arguments is known, whatever TRL's releases have."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from cfglint.environment.project.projects import Projects
from cfglint.environment.surroundings import Memory, Surroundings
from cfglint.files.disk import Disk
from cfglint.frameworks.trl import own_program
from cfglint.frameworks.trl.own_program import arguments_around
from tests.linting import lint

HEAD = "model_name_or_path: Qwen/Qwen3-0.6B\ndataset_name: a/b\noutput_dir: ./out\n"
PROGRAM = '''
from trl import ModelConfig, TrlParser

@dataclass
class Arguments(trl.GRPOConfig):
    """Arguments of our own.

    Note: loss_of_ranks is for trial runs.
    """

    torch_dtype: str | None = field(
        default=None, metadata={"help": "..."}
    )
    keep_ranks: list[int] = field(default_factory=list)

def weigh(
    depth_in_call: int,
    width_in_call: float = 0.5) -> float:
    if args.loss_type == "ranked":
        return model_args.first_layer + loaded["last_layer"]

parser = TrlParser((Arguments, ModelConfig))
'''


def codes(text: str, folder: Path, *target: str) -> list[str]:
    return [one.code for one in lint(HEAD + text, target=target, framework="trl", folder=folder)]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "src" / "ours").mkdir(parents=True)
    (tmp_path / "src" / "ours" / "train.py").write_text(PROGRAM, encoding="utf-8")
    configs = tmp_path / "recipes" / "grpo"
    configs.mkdir(parents=True)
    return configs


@pytest.mark.parametrize(
    ("text", "others"),
    [
        ("keep_ranks: [1]\n", ["KEY001"]),
        ("first_layer: 1\n", ["KEY001"]),
        ("last_layer: 1\n", ["KEY001"]),
        ("torch_dtype: bfloat16\n", ["KEY005"]),
    ],
)
def test_arguments_of_the_project(project: Path, text: str, others: list[str]) -> None:
    assert codes(text, project, "trl==1.16.0") == []
    (project.parents[1] / "src/ours/train.py").unlink()
    assert codes(text, project, "trl==1.16.0") == others


@pytest.mark.parametrize(
    ("text", "code"),
    [
        # It reads them of TRL's own class, which has lost them.
        ("max_prompt_length: 8\n", "KEY005"),
        # Text, parameters.
        ("Note: 1\n", "KEY001"),
        ("depth_in_call: 1\n", "KEY001"),
        ("width_in_call: 1\n", "KEY001"),
        ("loss_of_ranks: 1\n", "KEY001"),
    ],
)
def test_what_is_no_argument_of_it(project: Path, text: str, code: str) -> None:
    program = project.parents[1] / "src/ours/train.py"
    program.write_text(PROGRAM + "\nprint(args.max_prompt_length)\n", encoding="utf-8")
    assert codes(text, project, "trl==1.16.0") == [code]


def test_a_loss_of_the_project(project: Path) -> None:
    text = "num_generations: 4\nloss_type: ranked\n"
    assert codes(text, project, "trl==0.18.0") == []
    assert codes(text.replace("ranked", "ranged"), project, "trl==0.18.0") == ["TRL027"]


def test_a_rule_about_trl_s_class_is_not_about_the_project_s(project: Path) -> None:
    lora = "lora_r: 16\n"
    assert codes(lora, project) == ["TRL013"]
    fields = PROGRAM.replace("keep_ranks: list[int]", "lora_r: int")
    (project.parents[1] / "src/ours/train.py").write_text(fields, encoding="utf-8")
    assert codes(lora, project) == []
    # What is wrong with the text stays wrong.
    assert codes(lora + "lora_r: 16\n", project) == ["YML020"]


def test_the_handbook_s_own_parser_refuses_what_trl_s_drops(project: Path) -> None:
    text = "evaluation_strategy: steps\nnum_generations: 4\n"
    target = ["trl==0.24.0", "transformers==4.57.1"]
    program = project.parents[1] / "src/ours/train.py"
    for parser, upstream in (("TrlParser", "silent"), ("H4ArgumentParser", "rejects")):
        program.write_text(PROGRAM.replace("TrlParser", parser), encoding="utf-8")
        (found,) = lint(HEAD + text, target=target, framework="trl", folder=project)
        assert (found.code, found.upstream) == ("KEY005", upstream)
    program.unlink()
    mixed = HEAD.replace("dataset_name: a/b", "dataset_mixer: {a/b: 1.0}")
    (found,) = lint(mixed + text, target=target, framework="trl", folder=project)
    assert (found.code, found.upstream) == ("KEY005", "rejects")


def test_python_without_a_parser_reads_no_recipes(project: Path) -> None:
    program = project.parents[1] / "src/ours/train.py"
    program.write_text(PROGRAM.replace("TrlParser", "Parser"), encoding="utf-8")
    assert codes("keep_ranks: [1]\n", project, "trl==1.16.0") == ["KEY001"]


def test_a_program_that_loads_its_file_by_itself(project: Path) -> None:
    """What it reads is its own affair, under whatever names; the rest may still be handed on."""
    program = project.parents[1] / "src/ours/train.py"
    program.write_text("config = yaml.safe_load(file)\nrank = config['lora_r']\n", encoding="utf-8")
    text = "lora_r: 16\nmax_prompt_length: 8\nloss_typ: 1\n"
    assert codes(text, project, "trl==1.16.0") == ["KEY005", "KEY001"]
    program.write_text(
        program.read_text() + "config.get('max_prompt_length', 8)\nconfig.loss_typ\n",
        encoding="utf-8",
    )
    assert codes(text, project, "trl==1.16.0") == []


def test_rules_about_the_commands_are_not_about_a_program_that_loads_most_keys(
    project: Path,
) -> None:
    program = project.parents[1] / "src/ours/train.py"
    lines = [
        "config = yaml.safe_load(file)",
        "data = config['trained_on']",
        "rate = config['seed']",
    ]
    program.write_text("\r\n".join(lines), encoding="utf-8")
    text = "trained_on: a\nseed: 1\nlogging_steps: 5\nmodel_name_or_path: a\n"
    found = lint(text, framework="trl", folder=project)
    assert [one.code for one in found] == []
    found = lint(text + "max_steps: 5\n", framework="trl", folder=project)
    assert [one.code for one in found] == ["TRL037"]


def test_fields_of_files_with_other_line_endings(project: Path) -> None:
    program = project.parents[1] / "src/ours/train.py"
    program.write_bytes(PROGRAM.replace("\n", "\r\n").encode())
    assert codes("keep_ranks: [1]\ntorch_dtype: bfloat16\n", project, "trl==1.16.0") == []


def test_trl_s_own_command_reads_no_program(project: Path) -> None:
    (project / "train.sh").write_text("trl grpo --config config.yaml\n", encoding="utf-8")
    config = project / "config.yaml"
    config.write_text(HEAD, encoding="utf-8")
    found = Projects(Disk()).for_file(str(config), "trl")
    assert found is not None
    launches = tuple(found.launches(str(config)))
    around = Surroundings(Memory(), Disk(), folder=str(project), launches=launches)
    assert not arguments_around(around).has_parser
    assert arguments_around(around.replaced(launches=())).has_parser


def test_a_project_is_read_once_and_within_limits(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "venv").mkdir()
    (tmp_path / "venv/other.py").write_text(PROGRAM.replace("keep_ranks", "in_venv"))
    (tmp_path / "broken.py").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "loop").symlink_to(tmp_path)
    # More than is read of a project: what comes later is not known.
    (tmp_path / "src/ours/u.py").write_text("#" * 60_000)
    (tmp_path / "src/ours/v.py").write_text(PROGRAM.replace("keep_ranks", "after_all"))
    monkeypatch.setattr(own_program, "_MAX_CHARACTERS", 50_000)
    memory = Memory()
    first = arguments_around(Surroundings(memory, Disk(), folder=str(project)))
    assert first.have("keep_ranks", known=True)
    assert not first.have("in_venv", known=True)
    assert not first.have("after_all", known=True)
    (tmp_path / "src/ours/train.py").unlink()
    other = Surroundings(memory, Disk(), folder=str(tmp_path / "recipes"))
    assert arguments_around(other) is first


def test_outside_a_repository_folders_above_are_other_projects(project: Path) -> None:
    (project.parents[1] / ".git").rmdir()
    assert codes("keep_ranks: [1]\n", project, "trl==1.16.0") == ["KEY001"]
    (project / "train.py").write_text(PROGRAM, encoding="utf-8")
    assert codes("keep_ranks: [1]\n", project, "trl==1.16.0") == []


@pytest.mark.parametrize(
    "line",
    [
        "    keep_ranks: b" + "|" * 300_000,
        "    keep_ranks: b[" + "[|" * 200_000,
        "keep_ranks" * 40_000,
        "keep_ranks " * 40_000,
        " " * 400_000,
    ],
)
def test_long_lines_take_no_time(project: Path, line: str) -> None:
    program = project.parents[1] / "src/ours/train.py"
    program.write_text(PROGRAM + line + ",\n" + line + "\n", encoding="utf-8")
    begin = time.perf_counter()
    assert codes("keep_ranks: [1]\n", project, "trl==1.16.0") == []
    assert time.perf_counter() - begin < 3
