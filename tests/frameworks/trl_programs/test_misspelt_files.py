"""Configs that a program opens, or that its command names, and that have almost the name of one that is there."""

from __future__ import annotations

from tests.draws import each
from tests.linting import lint_in

#: A repository with a config of each kind.
FILES = {
    ".git/HEAD": "",
    "configs/sft.yaml": "output_dir: out",
    "a.yaml": "output_dir: out",
    "configs/rows.jsonl": "{}",
    "zero.json": '{"zero_optimization": {"stage": 2}, "train_micro_batch_size_per_gpu": "auto"}',
    "fsdp.yml": "compute_environment: LOCAL_MACHINE\ndistributed_type: FSDP",
}
PROGRAM = """\
import json, yaml
from transformers import Trainer, TrainingArguments
{}
Trainer(model=model, args=TrainingArguments(output_dir="out"), train_dataset=rows).train()
"""


def found(body: str, more: dict[str, str] | None = None, *, name: str = "train.py") -> list[str]:
    """What is written and what is meant, of each finding, in the order of the places."""
    told = lint_in(
        {**FILES, **(more or {})},
        PROGRAM.format(body),
        name=name,
        framework="trl_programs",
        select=["TRP893"],
    )
    return [" ".join(one.message.split("`")[1:4:2]) for one in told]


SLIP = ["configs/sft.ymal configs/sft.yaml"]


@each(
    ("body", "expected"),
    [
        ('config = yaml.safe_load(open("configs/sft.ymal"))', SLIP),
        ('config = yaml.safe_load(open("configs/sft.ymal", "r"))', SLIP),
        ('config = yaml.safe_load(open("configs/sft.ymal", mode="rb"))', SLIP),
        ('config = yaml.safe_load(open("configs/sft.ymal", "r", -1, encoding="utf-8"))', SLIP),
        ('config = OmegaConf.load("configs/sft.ymal", context)', SLIP),
        ('path = "configs/sft.ymal"\nconfig = yaml.safe_load(open(path))', SLIP),
        ('config = OmegaConf.load("configs/sft.ymal")', SLIP),
        ('args = TrainingArguments("out", deepspeed="zeor.json")', ["zeor.json zero.json"]),
        ('engine = deepspeed.initialize(config="zeroo.json")', ["zeroo.json zero.json"]),
        ('engine = deepspeed.initialize(config_params="zer.json")', ["zer.json zero.json"]),
        ('plugin = Plugin(deepspeed_config="./zerp.json")', ["./zerp.json ./zero.json"]),
        (
            'first = open("configs/sft.ymal")\nargs = TrainingArguments("out", deepspeed="zeor.json")',
            [*SLIP, "zeor.json zero.json"],
        ),
        # It is there.
        ('config = yaml.safe_load(open("configs/sft.yaml"))', []),
        # It is written.
        ('file = open("configs/sft.ymal", "w")', []),
        ('file = open("configs/sft.ymal", mode="a")', []),
        ('file = open("configs/sft.ymal", how)', []),
        # More than one slip, another ending, and what is no config.
        ('config = open("configs/stf.ymal")', []),
        ('rows = open("configs/row.jsonl")', []),
        ('rows = open("configs/sft")', []),
        # Not the name of a file, or not one of this place.
        ('config = open("/configs/sft.ymal")', []),
        ('config = open("/project/configs/sft.ymal")', []),
        ('config = open("~/configs/sft.ymal")', []),
        ('config = open("configs/{name}.ymal")', []),
        ('config = open("configs/*.yaml")', []),
        ('config = open("zerojson")', []),
        ('config = open(".yaml")', []),
        ('config = open("a.ymal")', ["a.ymal a.yaml"]),
        (
            f'config = open("{"./" * 92}configs/sft.ymal")',
            [f"{'./' * 92}configs/sft.ymal {'./' * 92}configs/sft.yaml"],
        ),
        (f'config = open("{"./" * 93}configs/sft.ymal")', []),
        ('config = open("elsewhere/sft.ymal")', []),
        ('config = open("configs\\\\sft.ymal")', []),
        ("config = open(path)\nconfig = open()", []),
        ('args = Other(file="zeor.json")', []),
        # It may be made, or missed without harm.
        ('make("sft.ymal")\nconfig = open("configs/sft.ymal")', []),
        ('if os.path.exists(path):\n    config = open("configs/sft.ymal")', []),
        ('try:\n    config = open("configs/sft.ymal")\nexcept OSError:\n    pass', []),
        # No program.
        ('config = open("configs/sft.ymal"', []),
    ],
)
def test_what_a_program_opens(body: str, expected: list[str]) -> None:
    assert found(body) == expected


OPENING = 'config = yaml.safe_load(open("configs/sft.ymal"))'


@each(
    ("more", "expected"),
    [
        ({"configs/sfr.yaml": "a: 1"}, SLIP),
        # Either may be meant.
        ({"configs/sft.yml": "a: 1", "configs/sft.yaml": "a: 1"}, []),
        # Another file of the project has the name, and one that is not read may have it.
        ({"make.sh": "cp configs/sft.yaml configs/sft.ymal\n"}, []),
        ({"make.py": 'write("sft.ymal")\n'}, []),
        ({"make.py": 'write("other.ymal")\n'}, SLIP),
        ({"copy/train.py": PROGRAM.format(OPENING)}, SLIP),
        ({"big.yaml": "#" * 1_000_001}, []),
        # A large folder is of data.
        ({f"configs/{at}.txt": "" for at in range(498)}, SLIP),
        ({f"configs/{at}.txt": "" for at in range(499)}, []),
    ],
)
def test_what_else_the_project_has(more: dict[str, str], expected: list[str]) -> None:
    assert found(OPENING, more) == expected


def test_only_in_a_repository() -> None:
    rest = {name: text for name, text in FILES.items() if not name.startswith(".git")}
    told = lint_in(rest, PROGRAM.format(OPENING), name="train.py", framework="trl_programs")
    assert not [one for one in told if one.code == "TRP893"]


def test_at_most_ten_are_told() -> None:
    files = {f"part{at:02}.yaml": "a: 1" for at in (10, 25, 31, 46, 52, 67, 73, 88, 94)}
    opened = [f'open("part{at}.yml")' for at in (10, 25, 31, 46, 52, 67, 73, 88, 94)]
    more = {"one.json": "{}", "three.json": "{}"}
    opened += ['open("onee.json")', 'open("threee.json")', 'open("zeroo.json")']
    assert len(found("\n".join(opened[:-2]), {**files, **more})) == 10
    assert len(found("\n".join(opened), {**files, **more})) == 10


@each(
    ("command", "expected"),
    [
        ("accelerate launch --config_file fsdp.yaml train.py", ["fsdp.yaml fsdp.yml"]),
        ("deepspeed train.py --deepspeed zeor.json", ["zeor.json zero.json"]),
        ("deepspeed train.py --deepspeed_config zeor.json", ["zeor.json zero.json"]),
        ("torchrun train.py --config configs/sft.ymal", SLIP),
        ("torchrun train.py --config=configs/sft.ymal", SLIP),
        (
            "accelerate launch --config_file fsdp.yaml train.py --deepspeed zeor.json",
            ["fsdp.yaml fsdp.yml", "zeor.json zero.json"],
        ),
        ("accelerate launch --config_file fsdp.yml train.py", []),
        ("accelerate launch --config_file $NAME.yaml train.py", []),
        ("torchrun train.py --other configs/sft.ymal", []),
        ("cp fsdp.yml fsdp.yaml\naccelerate launch --config_file fsdp.yaml train.py", []),
    ],
)
def test_what_its_command_names(command: str, expected: list[str]) -> None:
    assert found("", {"go.sh": f"{command}\n"}) == expected


def test_a_finding_of_a_command_is_in_the_script() -> None:
    script = "accelerate launch --config_file fsdp.yaml train.py\n"
    (one,) = lint_in(
        {**FILES, "go.sh": script},
        PROGRAM.format(""),
        name="train.py",
        framework="trl_programs",
        select=["TRP893"],
    )
    assert one.file is not None
    assert one.file.path.endswith("go.sh")
    assert script[one.span.start : one.span.end] == "fsdp.yaml"
