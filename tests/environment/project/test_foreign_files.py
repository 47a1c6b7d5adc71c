"""Files in a project that configure none of its runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run

CALL = "from trl import SFTConfig\nSFTConfig(made_up=1)\n"
CHAT = 'setup(name="talk", url="https://github.com/else/Chat.git")'
ORIGIN = "[remote]\n\turl = git@github.com:Else/own.git\n"
TEST = "import pytest\n\ndef test_a(): ...\n"


def shown(folder: Path, path: str, texts: dict[str, str]) -> dict[str, str]:
    """Path -> whose it is, of the files with findings; empty for the project's own."""
    (folder / ".git").mkdir()
    for name, text in {**texts, path: CALL}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    report = json.loads(run(str(folder), "--format", "json").out)
    return {
        Path(one["path"]).relative_to(folder).as_posix(): one.get("copy_of", "")
        for one in report["files"]
        if one["diagnostics"] or one.get("folded")
    }


@pytest.mark.parametrize(
    ("path", "texts", "owner"),
    [
        # A copy of a library in a folder of any name,
        ("ours/examples/sft.py", {"ours/setup.py": 'setup(name="peft")'}, "peft"),
        ("a/b/c/sft.py", {"a/pyproject.toml": '[project]\nname = "trl"\n'}, "trl"),
        ("ours/examples/sft.py", {"ours/swift/version.py": ""}, "ms-swift"),
        ("ours/demo/sft.py", {"ours/swift/version.py": ""}, ""),
        ("ours/examples/sft.py", {"ours/version.txt": "1.0"}, ""),
        # and the folder of a package.
        ("peft/tuners/x.py", {"peft/__init__.py": ""}, "peft"),
        ("trl/sft.py", {}, ""),
        # What people run in a clone is theirs, and so is what they name,
        ("verl/examples/sft.py", {"verl/setup.py": 'setup(name="verl")'}, ""),
        ("mine/sft.py", {"mine/setup.py": 'setup(name="mine")'}, ""),
        (
            "ours/examples/sft.py",
            {"ours/setup.py": 'setup(name="peft")', "go.sh": "python ours/examples/sft.py\n"},
            "",
        ),
        # or all of it, where the project is a fork of the library.
        ("peft/x.py", {"peft/__init__.py": "", "setup.py": 'setup(name="peft")'}, ""),
        # A copy of another repository, as its packaging says, is not, but for a framework's.
        ("eval/Chat/sft.py", {"eval/Chat/setup.py": CHAT}, "else/Chat"),
        ("eval/chat-x/sft.py", {"eval/chat-x/setup.py": CHAT}, ""),
        ("eval/Chat/sft.py", {"eval/Chat/setup.py": CHAT, "README.md": "`sft.py`"}, ""),
        (
            "eval/Chat/sft.py",
            {"eval/Chat/setup.py": CHAT, "b/setup.py": CHAT, "b/README.md": "`sft.py`"},
            "else/Chat",
        ),
        ("eval/Chat/sft.py", {"eval/Chat/setup.py": CHAT, ".git/config": ORIGIN}, ""),
        ("verl/sft.py", {"verl/setup.py": CHAT.replace("/Chat", "/verl")}, ""),
        # Tests, if something runs them as such.
        ("tests/test_x.py", {"tests/test_a.py": TEST}, "the tests"),
        ("a/tests/deep/x.py", {"a/tests/conftest.py": ""}, "the tests"),
        ("tests/x.py", {"tests/test_a.py": "import torch\n"}, ""),
        ("verl/tests/e2e/x.py", {"verl/setup.py": 'setup(name="verl")'}, "the tests"),
        ("mine/tests/e2e/x.py", {"mine/setup.py": 'setup(name="mine")'}, ""),
        ("test/x.py", {}, ""),
    ],
)
def test_whose_a_file_is(path: str, texts: dict[str, str], owner: str, tmp_path: Path) -> None:
    assert shown(tmp_path, path, texts) == {path: owner}


def test_such_a_file_is_checked_where_it_is_named(tmp_path: Path) -> None:
    shown(tmp_path, "tests/x.py", {"tests/conftest.py": ""})
    found = run(str(tmp_path)).out
    assert "1 finding in 1 file of the tests is not shown; see --all." in found
    for words in ((str(tmp_path), "--all"), (str(tmp_path / "tests" / "x.py"),)):
        assert "made_up" in run(*words).out
