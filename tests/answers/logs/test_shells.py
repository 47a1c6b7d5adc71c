"""What shells print of commands that they do not find."""

from __future__ import annotations

import pytest

from cfglint.answers.logs.shells import is_cut, not_found
from tests.draws import each

LINE_3 = "line 3: accelerate: command not found"


@each(
    ("line", "said"),
    [
        ("bash: accelerate: command not found", "bash: accelerate: command not found"),
        ("run.sh: line 3: accelerate: command not found", LINE_3),
        (
            "[2026-01-30 10:13:44] [INFO] /my runs/run.sh: line 3: accelerate: command not found",
            LINE_3,
        ),
        ("-bash: llamafactory-cli: 未找到命令", "-bash: llamafactory-cli: command not found"),
        ("run.sh: 行 3: accelerate: 未找到命令", "行 3: accelerate: command not found"),
        (
            "run.sh: 第 3 行\uff1aaccelerate\uff1a未找到命令",
            "第 3 行: accelerate: command not found",
        ),
        ("/bin/sh: 1: swift: not found", "/bin/sh: 1: swift: command not found"),
        ("zsh: command not found: axolotl", "zsh: axolotl: command not found"),
        (
            "nohup: failed to run command 'accelerate': No such file or directory",
            "accelerate: command not found",
        ),
        (
            "'accelerate' is not recognized as an internal or external command,",
            "accelerate: command not found",
        ),
        (
            "accelerate : The term 'accelerate' is not recognized as the name of a cmdlet",
            "accelerate: command not found",
        ),
    ],
)
def test_what_starts_a_run(line: str, said: str) -> None:
    assert not_found(line) == said
    assert not is_cut(said)


@each(
    ("line", "said"),
    [
        ("run.sh: line 5: --lr: command not found", "line 5: --lr: command not found"),
        ("run.sh: line 5: --ds=a/b.json: No such file or directory", "line 5: --ds=a/b.json: command not found"),
        ("run.sh: line 5: data.seed=1: command not found", "line 5: override data.seed=1: command not found"),
        ("run.sh: line 5: +m.path=a/b: No such file or directory", "line 5: override +m.path=a/b: command not found"),
        ("run.sh: line 5: $'--bf16\\r': command not found", "line 5: $'--bf16\\r': command not found"),
        ("run.sh: line 5: $'\\r': command not found", "line 5: $'\\r': command not found"),
        ("run.sh: 5: --lr: not found", "run.sh: 5: --lr: command not found"),
        ("run.sh:5: command not found: --lr", "run.sh:5: --lr: command not found"),
    ],
)  # fmt: skip
def test_options_that_were_cut_off(line: str, said: str) -> None:
    assert not_found(line) == said
    assert is_cut(said)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "bash: nvidia-smi: command not found",
        "run.sh: line 5: python: No such file or directory",
        "run.sh: line 5: --lr: No such file or directory",
        "OSError: /c/models--a--b/config.json: No such file or directory",
        "the answer: accelerate: command not found in this shell",
        "FileNotFoundError: [Errno 2] No such file or directory: 'accelerate'",
        f"bash: {'-' * 500}: command not found",
        f"bash: accelerate{' ' * 2_000}: command not found",
    ],
)
def test_other_lines(line: str) -> None:
    assert not_found(line) == ""
