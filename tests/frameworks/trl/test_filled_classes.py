"""What a program fills with the options of a command."""

from __future__ import annotations

from collections.abc import Mapping

from cfglint.frameworks.trl.filled_classes import filled_by
from tests.draws import each
from tests.linting import case_in

PROGRAM = """\
from dataclasses import dataclass
from trl import {kind}, ModelConfig, TrlParser

@dataclass
class Own:
    extra: int = 1

parser = TrlParser((Own, {kind}, ModelConfig))
{more}
args = parser.parse_args_and_config()
"""
SFT, DPO = (PROGRAM.format(kind=one, more="") for one in ("SFTConfig", "DPOConfig"))


def kind(program: str, files: Mapping[str, str], name: str = "jobs/run.sh") -> str | None:
    """The class that configures the training; None if it is not known."""
    case, _ = case_in(files, f"python {program}\n", name=name, framework="trl")
    found = filled_by(program, case.around)
    return None if found is None else found.kind


@each(
    ("program", "files", "expected"),
    [
        ("train.py", {"jobs/train.py": SFT}, "trl.SFTConfig"),
        # From the folder of the script, or one above it.
        ("train.py", {"train.py": DPO, ".git/HEAD": ""}, "trl.DPOConfig"),
        ("src/train.py", {"src/train.py": SFT, ".git/HEAD": ""}, "trl.SFTConfig"),
        ("./src/train.py", {"src/train.py": SFT, ".git/HEAD": ""}, "trl.SFTConfig"),
        ("$HERE/train.py", {"deep/in/train.py": SFT, ".git/HEAD": ""}, "trl.SFTConfig"),
        ("ours.train", {"src/ours/train.py": SFT, ".git/HEAD": ""}, "trl.SFTConfig"),
        ("train.py", {"other/train.py": SFT, ".git/HEAD": ""}, None),
        # Of several one is not chosen.
        ("$HERE/train.py", {"a/train.py": SFT, "b/train.py": SFT, ".git/HEAD": ""}, None),
        ("none.py", {"jobs/train.py": SFT}, None),
        ("$HERE", {"jobs/train.py": SFT}, None),
        ("", {"jobs/train.py": SFT}, None),
    ],
)
def test_where_it_is(program: str, files: Mapping[str, str], expected: str | None) -> None:
    assert kind(program, files) == expected


@each(
    ("text", "expected"),
    [
        (SFT, "trl.SFTConfig"),
        (SFT.replace("TrlParser", "HfArgumentParser"), "trl.SFTConfig"),
        (SFT.replace("TrlParser", "OtherParser"), None),
        (SFT.replace("SFTConfig, ModelConfig))", "SFTConfig, DPOConfig))"), None),
        (
            SFT.replace("import SFTConfig", "import DPOConfig, SFTConfig").replace(
                "((Own", "((DPOConfig"
            ),
            None,
        ),
        (SFT.replace("ModelConfig))", "*others))"), None),
        ("print(1)\n", None),
        ("def (\n", None),
        (PROGRAM.format(kind="SFTConfig", more="parser.set_defaults(a=1)"), None),
        (PROGRAM.format(kind="SFTConfig", more="import argparse"), None),
        (PROGRAM.format(kind="SFTConfig", more="sys.argv = sys.argv[1:]"), None),
        (PROGRAM.format(kind="SFTConfig", more="sys.argv.remove('x')"), None),
        (PROGRAM.format(kind="SFTConfig", more="print(sys.argv)"), "trl.SFTConfig"),
        (PROGRAM.format(kind="SFTConfig", more="if sys.argv == ['x']: pass"), "trl.SFTConfig"),
        (
            PROGRAM.format(kind="SFTConfig", more="parser.parse_args_into_dataclasses(args=['x'])"),
            None,
        ),
    ],
)
def test_what_it_fills(text: str, expected: str | None) -> None:
    assert kind("train.py", {"jobs/train.py": text}) == expected


MAIN = "from ours.arguments import parse\nargs = parse()\n"


@each(
    ("files", "expected"),
    [
        ({"ours/arguments.py": SFT}, "trl.SFTConfig"),
        ({"ours/arguments.py": "x = 1\n"}, None),
        ({"ours/other.py": SFT}, None),
        ({"ours/arguments.py": SFT, "more/ours/arguments.py": DPO}, None),
    ],
)
def test_the_module_that_has_the_parser(files: Mapping[str, str], expected: str | None) -> None:
    project = {f"jobs/{path}": text for path, text in files.items()}
    assert kind("train.py", {"jobs/train.py": MAIN, **project}) == expected


def test_a_project_of_very_many_classes_is_left_alone() -> None:
    others = {f"jobs/m{number}.py": "@dataclass\nclass A:\n    pass\n" for number in range(59)}
    assert kind("train.py", {"jobs/train.py": SFT, **others}) == "trl.SFTConfig"
    others["jobs/one_more.py"] = others["jobs/m0.py"]
    assert kind("train.py", {"jobs/train.py": SFT, **others}) is None
