"""The programs of a project: what they have of arguments is known, whatever TRL's releases have."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from cfglint import lint_file
from cfglint.environment import python_sources
from cfglint.environment.project.projects import Projects
from cfglint.environment.surroundings import Memory, Surroundings, nowhere
from cfglint.frameworks.trl.own_program import arguments_around, is_given_with_option
from cfglint.source.files.disk import Disk
from cfglint.source.files.memory import InMemory
from tests.draws import each
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


def given(name: str, **files: str) -> bool:
    """Whether a command of a project gives a program a file with `--config`."""
    texts = {".git/HEAD": "", name: HEAD, **{one.replace("_", "."): t for one, t in files.items()}}
    there = InMemory({f"/p/{one}": text.encode() for one, text in texts.items()})
    around = Surroundings(Memory(), there, f"/p/{name}", "/p")
    return is_given_with_option(around)


@each(
    ("command", "expected"),
    [
        ("python train.py --config sft.yaml", True),
        ("python train.py --config=recipes/sft.yaml", True),
        ('python train.py --config  "sft.yaml"', True),
        ("python train.py --config other.yaml", False),
        ("python train.py --config other.yaml\npython more.py --config sft.yaml", True),
        ("python train.py --file sft.yaml", False),
        ("python train.py sft.yaml", False),
    ],
)
def test_a_file_that_a_command_gives_with_its_option(command: str, expected: bool) -> None:
    assert given("sft.yaml", run_sh=f"{command}\n") is expected
    assert given("sft.yaml", README_md=f"```sh\n{command}\n```\n") is expected
    assert given("sft.yaml", train_py=f"# {command}\n") is False


def test_a_text_without_a_place_is_given_by_none() -> None:
    assert not is_given_with_option(nowhere())


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
    target = ["trl==0.18.0", "transformers==4.52.4"]
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
    monkeypatch.setattr(python_sources, "_MAX_CHARACTERS", 50_000)
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


KNOWN = """
from trl import ModelConfig, TrlParser, GRPOConfig as Group
from ours.base import Base

@dataclass
class Arguments(Base):
    keep_ranks: list[int] = field(default_factory=list)

parser = TrlParser((Arguments, ModelConfig))
"""
BASE = """
import trl

@dataclass
class Base(trl.GRPOConfig):
    first_layer: int = 0
"""
OWN_KEYS = "system_prompt: hello\nkeep_ranks: [1]\nfirst_layer: 2\n"


def with_sources(folder: Path, program: str = KNOWN, base: str = BASE, **others: str) -> None:
    sources = folder.parents[1] / "src" / "ours"
    texts = {"train": program, "base": base, **others}
    for name, text in texts.items():
        (sources / f"{name}.py").write_text(text, encoding="utf-8")


def unknown(folder: Path, *target: str) -> list[tuple[str, str]]:
    text = f"{HEAD}{OWN_KEYS}keep_rnks: 3\n"
    found = lint(text, target=target, framework="trl", folder=folder)
    return [(one.severity, one.message) for one in found if one.code == "KEY001"]


def test_a_key_that_no_class_of_the_project_has_is_unknown(project: Path) -> None:
    with_sources(project)
    (found,) = unknown(project, "trl==0.18.0")
    assert found[0] == "warning"
    assert "silently ignores it" in found[1]
    assert "No class that a program of this project parses has it" in found[1]


@pytest.mark.parametrize("release", ["0.19.0", "0.24.0", "1.0.0"])
def test_a_script_refuses_it_where_its_parser_does(project: Path, release: str) -> None:
    with_sources(project)
    ((severity, message),) = unknown(project, f"trl=={release}")
    assert severity == "error"
    assert "refuses the file" in message
    with_sources(project, KNOWN + "parser.parse_args_and_config(fail_with_unknown_args=False)")
    ((severity, message),) = unknown(project, f"trl=={release}")
    assert severity == "warning"
    assert "silently ignores it" in message


def test_a_release_that_nothing_states_refuses_nothing_for_sure(project: Path) -> None:
    with_sources(project)
    ((severity, message),) = unknown(project)
    assert severity == "warning"
    assert "No class that a program of this project parses has it" in message


def test_of_several_programs_the_one_of_the_command_counts(project: Path) -> None:
    lenient = "from trl import SFTConfig\nTrlParser(SFTConfig).parse(fail_with_unknown_args=False)"
    with_sources(project, KNOWN.replace("GRPOConfig as Group", "GRPOConfig"), more=lenient)
    ((severity, _),) = unknown(project, "trl==0.24.0")
    assert severity == "warning"
    text = f"{HEAD}{OWN_KEYS}keep_rnks: 3\nscale_rewards: group\n"
    found = lint(text, target=["trl==0.24.0"], framework="trl", folder=project)
    assert [one.severity for one in found if one.code == "KEY001"] == ["error"]


@pytest.mark.parametrize(
    ("command", "refuses"),
    [
        ("python src/ours/train.py --config recipes/grpo/run.yaml\n", True),
        ("python src/ours/train.py --config recipes/grpo/other.yaml\n", False),
    ],
)
def test_what_loads_a_file_without_the_option_is_another_run(
    project: Path, command: str, refuses: bool
) -> None:
    trial = "config = yaml.safe_load(open('run.yaml'))\nTrlParser(GRPOConfig).parse_dict(config, allow_extra_keys=True)\n"
    with_sources(
        project,
        "from trl import GRPOConfig, TrlParser\nTrlParser(GRPOConfig).parse_args_and_config()\n",
        trial=trial,
    )
    (project.parents[1] / "train.sh").write_text(command, encoding="utf-8")
    path = project / "run.yaml"
    path.write_text(HEAD + "use_flash_attn: true\nscale_rewards: group\n", encoding="utf-8")
    found = lint_file(path, framework="trl", target=["trl==0.24.0"])
    (message,) = (one.message for one in found.diagnostics if one.code == "KEY002")
    assert ("refuses the file" in message) == refuses


@pytest.mark.parametrize(
    "others",
    [
        {"program": KNOWN.replace("ModelConfig))", "ModelConfig, elsewhere.More))")},
        {"program": KNOWN.replace("(Arguments, ModelConfig)", "CLASSES")},
        {
            "program": KNOWN.replace(
                "from ours.base import Base", "from helpers import Other as Base"
            )
        },
        {
            "program": KNOWN.replace(
                "from ours.base import Base", "from trl import PPOConfig as Base"
            )
        },
        {"program": KNOWN + "def broken(:"},
        {"base": BASE.replace("(trl.GRPOConfig)", "(trl.PPOConfig)")},
        {"base": BASE.replace("(trl.GRPOConfig)", "(trl.GRPOConfig, metaclass=More)")},
        {"base": "class Base(Base): pass"},
        {"more": "keys = ['keep_rnks']"},
        {"more": "config = yaml.safe_load(open(path))"},
        {"more": "HfArgumentParser(**classes)"},
        {"more": "class Parser(TrlParser):\n    pass\nParser(Unknown)"},
    ],
)
def test_in_doubt_a_program_may_have_any_key(project: Path, others: dict[str, str]) -> None:
    with_sources(project, **others)
    assert unknown(project, "trl==0.24.0") == []


def test_a_file_with_other_keys_is_for_another_program(project: Path) -> None:
    with_sources(project)
    text = f"{HEAD}system_prompt: hello\nfirst: 1\nsecond: 2\nkeep_ranks: [1]\nthird: 3\n"
    found = lint(text, target=["trl==0.24.0"], framework="trl", folder=project)
    assert [one.code for one in found if one.severity != "note"] == []


def test_what_is_not_read_may_have_any_key(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_sources(project)
    monkeypatch.setattr(python_sources, "_MAX_FILES", 1)
    assert unknown(project, "trl==0.24.0") == []


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        # It loads the file, and takes the keys by name.
        ("config = json.loads(f.read())\nsteps(config['max_seq_length'])\n", []),
        ("config = json.loads(f.read())\nsteps(config['max_steps'])\n", ["KEY005"]),
        ("config = yaml.safe_load(f)\nsteps(config['max_seq_length'])\n", ["KEY005"]),
    ],
)
def test_a_json_file_that_a_program_loads_itself(
    tmp_path: Path, program: str, expected: list[str]
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "train.py").write_text(program, encoding="utf-8")
    config = tmp_path / "sft.json"
    keys = '"model_name_or_path": "a/b", "dataset_name": "c/d", "output_dir": "out"'
    config.write_text(f'{{{keys}, "max_seq_length": 8}}', encoding="utf-8")
    found = lint_file(config, framework="trl", target=["trl==1.16.0"], select=["KEY"])
    assert [one.code for one in found.diagnostics] == expected


LOADS = "config = yaml.safe_load(open(path))\n"
SETS = "for key, value in config.items():\n    if hasattr(args, key):\n        setattr(args, key, value)\n"
PARSES = "HfArgumentParser(Arguments).parse_args_into_dataclasses()\n"


@pytest.mark.parametrize(
    ("programs", "expected"),
    [
        # It names the file, whatever the other programs parse.
        (("path = 'recipes/run.yaml'\nfrom trl import SFTTrainer\n" + LOADS, PARSES), []),
        # It does not train, and another program may.
        (("path = 'recipes/run.yaml'\n" + LOADS, PARSES), ["KEY005", "KEY001"]),
        (('path = "run.yaml"\n' + LOADS,), []),
        # Another file.
        (("path = 'recipes/dry_run.yaml'\n" + LOADS,), ["KEY005", "KEY001"]),
        # A class gets all keys.
        (
            ("path = 'run.yaml'\n" + LOADS + "args = SFTConfig(**config)\n",),
            ["KEY005", "KEY001"],
        ),
        # Another program that takes the file refuses them.
        (
            ("path = 'run.yaml'\nimport trl\n" + LOADS, "path = 'run.yaml'\n" + PARSES),
            ["KEY005", "KEY001"],
        ),
        # The only one that takes such a file sets what is there.
        ((LOADS + SETS,), []),
        ((LOADS,), ["KEY005", "KEY001"]),
        ((LOADS + SETS, LOADS), ["KEY005", "KEY001"]),
    ],
)
def test_the_program_that_names_a_file_reads_it(
    tmp_path: Path, programs: tuple[str, ...], expected: list[str]
) -> None:
    (tmp_path / ".git").mkdir()
    for number, program in enumerate(programs):
        (tmp_path / f"train_{number}.py").write_text(program, encoding="utf-8")
    config = tmp_path / "recipes" / "run.yaml"
    config.parent.mkdir()
    config.write_text(HEAD + "overwrite_output_dir: true\nloss_typ: 1\n", encoding="utf-8")
    found = lint_file(config, framework="trl", target=["trl==1.16.0"], select=["KEY"])
    assert [one.code for one in found.diagnostics] == expected


LOADING = """
config = yaml.safe_load(open(path))
arguments = GRPOConfig(output_dir=config["output_dir"])
load(config["model_name_or_path"], config["dataset_name"])
"""


@pytest.mark.parametrize(
    ("program", "severity", "says"),
    [
        (PROGRAM, "error", "; TRL's `GRPOConfig` refuses the file"),
        # It leaves alone what it does not name.
        (
            LOADING,
            "note",
            "a program of the project, which loads the file itself, may leave it out",
        ),
        ("import trl\n", "error", "; `trl grpo` refuses the file"),
    ],
)
def test_who_refuses_a_removed_key(project: Path, program: str, severity: str, says: str) -> None:
    (project.parents[1] / "src" / "ours" / "train.py").write_text(program, encoding="utf-8")
    text = f"{HEAD}num_generations: 4\nmax_prompt_length: 64\n"
    (project / "config.yaml").write_text(text, encoding="utf-8")
    found = lint_file(project / "config.yaml", framework="trl", target=["trl==1.16.0"])
    [one] = [one for one in found.diagnostics if one.path == ("max_prompt_length",)]
    assert one.severity == severity
    assert says in one.message
    assert severity != "note" or all(fix.safety == "unsafe" for fix in one.fixes)


PARSING = "from trl import SFTConfig, TrlParser\n"


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        (f"{PARSING}rows = load_dataset('csv', data_files=PATH)\n", False),
        (f"{PARSING}rows = load_dataset(args.dataset_name)\n", True),
        (f"{PARSING}rows = get_dataset(args)\n", True),
        # Another method's program, and one that parses no arguments.
        ("from trl import DPOConfig, TrlParser\nrows = read()\n", True),
        ("from trl import SFTConfig\nrows = read()\n", True),
    ],
)
def test_a_program_of_the_name_of_trl_s_may_read_its_data_itself(
    tmp_path: Path, program: str, expected: bool
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "sft.py").write_text(program)
    (tmp_path / "run.sh").write_text("accelerate launch sft.py --config sft.yaml\n")
    config = tmp_path / "sft.yaml"
    config.write_text(
        "model_name_or_path: a/b\noutput_dir: out\nlearning_rate: 1.0e-5\nmax_length: 8\n"
    )
    found = lint_file(config, framework="trl").diagnostics
    assert ("TRL037" in {one.code for one in found}) is expected
    # Who starts TRL's command has its script.
    (tmp_path / "run.sh").write_text("trl sft --config sft.yaml\n")
    assert "TRL037" in {one.code for one in lint_file(config, framework="trl").diagnostics}


@pytest.mark.parametrize(("imports", "expected"), [("GRPOConfig", False), ("SFTConfig", True)])
def test_a_program_has_reward_functions_of_its_own(
    project: Path, imports: str, expected: bool
) -> None:
    program = project.parents[1] / "src/ours/train.py"
    program.write_text(f"from trl import {imports}, TrlParser\n")
    config = project / "grpo.yaml"
    config.write_text(f"{HEAD}reward_funcs: [no_such_reward]\n")
    found = {one.code for one in lint_file(config, framework="trl").diagnostics}
    assert ("TRL102" in found) is expected


@pytest.mark.parametrize(
    ("line", "release", "code"),
    [
        ("attn_implementation: sdpa", "0.16.0", "TRL129"),
        ("reward_funcs: [ours.score]\nreward_model_name_or_path: a/b", "0.19.1", "TRL133"),
        ("model_init_kwargs: {use_cache: false}", "1.0.0", "TRL141"),
        ("reward_funcs: [ours.score]", "0.19.1", "TRL483"),
    ],
)
def test_a_program_does_not_do_what_trl_s_script_does(
    project: Path, line: str, release: str, code: str
) -> None:
    program = project.parents[1] / "src/ours/train.py"
    config = project / "grpo.yaml"
    config.write_text(f"{HEAD}{line}\n")
    for imports, expected in (("GRPOConfig", False), ("SFTConfig", True)):
        program.write_text(f"from trl import {imports}, TrlParser\n")
        found = lint_file(config, framework="trl", target=[f"trl=={release}"]).diagnostics
        assert (code in {one.code for one in found}) is expected


@pytest.mark.parametrize(
    ("options", "effect"), [("", "refuses the file"), ("allow_extra_keys=True", "silently ignores")]
)
def test_one_lenient_program_of_several_says_nothing_of_the_others(
    project: Path, options: str, effect: str
) -> None:
    """A script that tries a file out may drop what the one that trains refuses."""
    parsing = "from trl import GRPOConfig, TrlParser\nTrlParser(GRPOConfig).parse_dict({})\n"
    with_sources(
        project,
        f"{parsing.format(f'own, {options}')}class Arguments(trl.GRPOConfig):\n    ranks: int\n",
        tried=parsing.format("own, allow_extra_keys=True"),
    )
    config = project / "grpo.yaml"
    config.write_text(f"{HEAD}warmup_ratio: 0.1\nranks: 5\n")
    (project.parents[1] / "requirements.txt").write_text("trl==1.16.0\ntransformers>=4.36\n")
    (found,) = (one for one in lint_file(config).diagnostics if one.code == "KEY005")
    assert effect in found.message
    # Where transformers 4 runs, `warmup_steps: 0.1` is no share.
    assert found.severity == "warning"
    assert [one.safety for one in found.fixes] == ["unsafe"]


@pytest.mark.parametrize(
    ("taken", "effect"),
    [
        ("**settings", "refuses the file"),
        ("**{k: v for k, v in settings.items() if k in fields(GRPOConfig)}", "silently ignores"),
        (
            "**{k: v for k, v in settings.items() if k in GRPOConfig.__dataclass_fields__}",
            "silently ignores",
        ),
        (
            "**{k: v for k, v in settings.items() if k in signature(trl.GRPOConfig).parameters}",
            "silently ignores",
        ),
    ],
)
def test_a_program_that_takes_from_a_file_what_a_class_has(
    project: Path, taken: str, effect: str
) -> None:
    with_sources(
        project,
        "import trl, yaml\nfrom trl import GRPOConfig, GRPOTrainer\n"
        f"settings = yaml.safe_load(open(path))\nGRPOTrainer(args=GRPOConfig({taken}))\n",
        base="",
    )
    config = project / "grpo.yaml"
    config.write_text(f"{HEAD}overlap_generation: true\n")
    (found,) = (one for one in lint_file(config).diagnostics if one.code == "KEY001")
    assert effect in found.message


LENIENT = """\
from transformers import HfArgumentParser
from trl import GRPOConfig, GRPOTrainer

arguments = HfArgumentParser(GRPOConfig).parse_yaml_file(sys.argv[1], allow_extra_keys=True)[0]
"""
STRICT = LENIENT.replace(", allow_extra_keys=True", "")


@pytest.mark.parametrize(
    ("beside", "elsewhere", "script", "effect"),
    [
        (LENIENT, "", "", "silently ignores"),
        (STRICT, "", "", "refuses"),
        # The program beside the file, or the one that is started with it, counts.
        (LENIENT, STRICT, "", "silently ignores"),
        (STRICT, LENIENT, "", "refuses"),
        (STRICT, LENIENT, "python other/train_other.py run/grpo.yaml", "silently ignores"),
        (LENIENT, STRICT, "python other/train_other.py run/grpo.yaml", "refuses"),
    ],
)
def test_the_program_of_the_file_may_leave_out_what_no_class_has(
    tmp_path: Path, beside: str, elsewhere: str, script: str, effect: str
) -> None:
    for folder in (".git", "run", "other"):
        (tmp_path / folder).mkdir()
    (tmp_path / "run/train.py").write_text(beside)
    (tmp_path / "other/train_other.py").write_text(elsewhere)
    (tmp_path / "start.sh").write_text(f"{script}\n")
    config = tmp_path / "run/grpo.yaml"
    config.write_text(f"{HEAD}num_generations: 4\nmax_prompt_length: 64\n")
    found = lint_file(config, framework="trl", target=["trl==1.16.0"]).diagnostics
    [one] = [one for one in found if one.path == ("max_prompt_length",)]
    assert effect in one.message
