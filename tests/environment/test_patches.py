"""What patches of a project add to a framework is there, and a copy on the path is what runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint import lint_file

SCRIPT = "python3 -m openrlhf.cli.train_ppo_ray --pretrain a/b --offload --unknown_thing 3\n"
PATCH = """\
--- a/{file}
+++ b/{file}
@@ -1,2 +1,3 @@
     parser.add_argument("--zpg", type=int, default=1)
{sign}    parser.add_argument("--offload", action="store_true", default=False)
     parser.add_argument("--unknown_thing")
"""
CLI = "openrlhf/cli/train_ppo_ray.py"


def messages(folder: Path, files: dict[str, str], script: str) -> str:
    (folder / ".git").mkdir()
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    target = ["openrlhf==0.9.3"] if "openrlhf" in script else []
    found = lint_file(folder / "run.sh", target=target).diagnostics if script else []
    return "\n".join(one.message for one in found if one.code.startswith(("KEY", "VRL")))


@pytest.mark.parametrize(
    ("patch", "is_there"),
    [
        ("", False),
        (PATCH.format(file=CLI, sign="+"), True),
        (PATCH.format(file=CLI, sign="-"), False),
        (PATCH.format(file="other/cli/train_ppo_ray.py", sign="+"), False),
    ],
)
def test_options_of_patches(patch: str, is_there: bool, tmp_path: Path) -> None:
    found = messages(tmp_path, {"patches/own.patch": patch, "run.sh": SCRIPT}, SCRIPT)
    assert ("`offload`" not in found) is is_there
    assert "`unknown_thing`" in found


COPY = {
    "code/rl/verl/__init__.py": "",
    "code/rl/verl/trainer/main_ppo.py": "@hydra.main(config_path='config', config_name='ppo_trainer')\n",
    "code/rl/verl/trainer/config/ppo_trainer.yaml": "trainer:\n  mine: 1\n",
}  # fmt: skip
COMMAND = "python3 -m verl.trainer.main_ppo trainer.mine=2 +trainer.val_before_train=False\n"


@pytest.mark.parametrize(
    ("before", "is_copy"),
    [
        ("export PYTHONPATH=code/tools:code/rl:$PYTHONPATH\n", True),
        ('export PYTHONPATH="$PWD/code/rl:$PYTHONPATH"\n', True),
        ("cd code/rl\n", True),
        ("export PYTHONPATH=code/tools\n", False),
    ],
)
def test_the_copy_on_the_path(before: str, is_copy: bool, tmp_path: Path) -> None:
    script = before + COMMAND
    found = messages(tmp_path, {**COPY, "run.sh": script}, script)
    assert (found == "") is is_copy


def test_fields_of_a_class_are_options_of_a_copy(tmp_path: Path) -> None:
    program = (
        "import dataclasses\n\n@dataclasses.dataclass\nclass Arguments:\n"
        "  lang_detect: bool = dataclasses.field(default=False)\n  port: int = 5000\n"
    )
    script = "cd /data/someone/openrlhf\npython -m openrlhf.cli.serve_rm --port 3 --reward_pretrain a/b --lang_detect True --other 1\n"
    files = {
        "openrlhf/openrlhf/__init__.py": "",
        "openrlhf/openrlhf/cli/serve_rm.py": program,
        "run.sh": script,
    }
    found = messages(tmp_path, files, script)
    assert "`lang_detect`" not in found
    assert "`other`" in found
