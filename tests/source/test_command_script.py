"""A command of a program as a script."""

from __future__ import annotations

import pytest

from cfglint.source.command_script import CommandScript
from cfglint.source.python_commands import commands_of
from cfglint.source.text import Span


def script_of(code: str, branch: int = 0) -> tuple[CommandScript, str]:
    text = f"import subprocess\nimport os\n{code}\n"
    (command,) = commands_of(text)
    return CommandScript(command, branch, text), text


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ('subprocess.run(["tool", "--lr", "1e-4"])', "tool --lr 1e-4"),
        ('subprocess.run(["tool", "--name", "a b"])', "tool --name 'a b'"),
        ('subprocess.run(["tool", "--name", ""])', "tool --name ''"),
        ('subprocess.run(["tool", "--text", "$HOME `x`\\n"])', "tool --text '$HOME `x` '"),
        ('subprocess.run(["tool", "--lr", lr])', 'tool --lr "$1"'),
        ('subprocess.run(["tool", f"--lr={lr}"])', 'tool "--lr=${1}"'),
        ('subprocess.run(["tool", *more])', "tool $1"),
        ("os.system(\"A=1 B='x y' tool --lr 3\")", "A=1 B='x y' tool --lr 3"),
        ('os.system(f"tool --lr={lr} --x 1")', "tool --lr=${1} --x 1"),
    ],
)
def test_the_line(code: str, line: str) -> None:
    assert script_of(code)[0].text == line + "\n"


def test_places_in_the_program() -> None:
    script, text = script_of('subprocess.run(["tool", "--lr=3", "--name", "a\\tb"])')

    def own(written: str) -> str:
        start = script.text.index(written)
        span = script.own_span(Span(start, start + len(written)))
        assert span is not None
        return text[span.start : span.end]

    assert own("tool") == "tool"
    assert own("--lr") == "--lr"
    assert own("3") == "3"
    assert own("--lr=3 --name") == '--lr=3", "--name'
    assert own("a\tb") == '"a\\tb"'
    assert script.own_span(Span(len(script.text) + 5, len(script.text) + 6)) is None


def test_comments_for_cfglint() -> None:
    code = (
        "# cfglint: ignore-file[A1]\nx = 1  # cfglint: ignore[A2]\n"
        '# cfglint: ignore[A3] said above\nsubprocess.run([\n    "tool",  # cfglint: ignore[A4]\n    "x",\n])\n'
        "y = 1\nz = 2  # cfglint: ignore[A5]"
    )
    script, _ = script_of(code)
    assert script.text.splitlines() == [
        "# cfglint: ignore-file[A1]",
        "# cfglint: ignore[A3] said above",
        "# cfglint: ignore[A4]",
        "tool x",
    ]
    assert script.own_span(Span(0, 5)) is None
