"""The options that a project's own copy of OpenRLHF has."""

from __future__ import annotations

from collections.abc import Mapping

from cfglint.frameworks.openrlhf.own_code import options_of_copy
from tests.draws import each
from tests.linting import case_in, lint_in

PARSER = "parser.add_argument(\"--own_option\", type=int)\nparser.add_argument('--other.one')\n"
CLASS = (
    "@dataclass\nclass Args:\n    lang: bool = field(default=False)\n    size: int\n  x: str = 1\n"
)


def options(files: Mapping[str, str], name: str = "run.sh") -> list[str] | None:
    case, _ = case_in(files, "x\n", name=name, framework="openrlhf")
    found = options_of_copy("train_sft", case.around)
    return None if found is None else sorted(found)


@each(
    ("files", "name", "expected"),
    [
        ({}, "run.sh", None),
        ({"openrlhf/cli/train_sft.py": PARSER}, "run.sh", ["other.one", "own_option"]),
        ({"openrlhf/cli/train_sft.py": PARSER}, "jobs/run.sh", ["other.one", "own_option"]),
        ({"openrlhf/cli/train_rm.py": PARSER}, "run.sh", None),
        # Below another folder, where the script may go first.
        ({"copy/openrlhf/cli/train_sft.py": PARSER}, "jobs/run.sh", ["other.one", "own_option"]),
        ({"openrlhf/cli/train_sft.py": CLASS}, "run.sh", ["lang", "size", "x"]),
        ({"openrlhf/cli/train_sft.py": CLASS.replace("@dataclass\n", "")}, "run.sh", []),
        # With what its own modules add.
        (
            {
                "openrlhf/cli/train_sft.py": "from openrlhf.utils.options import add\nfrom .more import x\n",
                "openrlhf/utils/options.py": "p.add_argument('--from_utils')\n",
                "openrlhf/cli/more.py": "from openrlhf.cli.train_sft import y\np.add_argument('--from_more')\n",
                "openrlhf/cli/none.py": "p.add_argument('--from_none')\n",
            },
            "run.sh",
            ["from_more", "from_utils"],
        ),
    ],
)
def test_options(files: Mapping[str, str], name: str, expected: list[str] | None) -> None:
    files = {".git/HEAD": "", **files}
    assert options(files, name) == expected


COMMAND = "deepspeed --module openrlhf.cli.train_sft --pretrain a --dataset b "


@each(
    ("words", "files", "expected"),
    [
        ("--own_option 1", {}, ["KEY001"]),
        ("--own_option 1", {"openrlhf/cli/train_sft.py": PARSER}, []),
        # The beginning of an option stands for it where it begins no other one.
        ("--own_op 1", {"openrlhf/cli/train_sft.py": PARSER}, []),
        ("--own_op 1", {"openrlhf/cli/train_sft.py": PARSER + 'a("--own_ops")\n'}, ["KEY001"]),
        ("--another 1", {"openrlhf/cli/train_sft.py": PARSER}, ["KEY001"]),
    ],
)
def test_keys(words: str, files: Mapping[str, str], expected: list[str]) -> None:
    found = lint_in(
        {".git/HEAD": "", **files},
        f"{COMMAND}{words}\n",
        name="run.sh",
        framework="openrlhf",
        select=("KEY001",),
        target=("openrlhf==0.8.0",),
    )
    assert [one.code for one in found] == expected


@each(
    ("program", "files", "expected"),
    [
        ("train_ppo", {}, ["ORL018"]),
        ("train_ppo", {"openrlhf/cli/train_ppo.py": PARSER}, []),
        ("train_ppo", {"openrlhf/cli/train_rm.py": PARSER}, ["ORL018"]),
        # A module of no release.
        ("train_grpo", {}, ["ORL018"]),
        ("train_grpo", {"openrlhf/cli/train_grpo.py": "x = 1\n"}, []),
        ("train_grpo", {"copy/openrlhf/cli/train_grpo.py": "x = 1\n"}, []),
    ],
)
def test_a_program_that_the_project_has_itself(
    program: str, files: Mapping[str, str], expected: list[str]
) -> None:
    found = lint_in(
        {".git/HEAD": "", **files},
        f"deepspeed --module openrlhf.cli.{program} --pretrain a\n",
        name="run.sh",
        framework="openrlhf",
        select=("ORL018",),
        target=("openrlhf==0.8.0",),
    )
    assert [one.code for one in found] == expected
