"""What a shell computes in whole numbers, compared with what bash makes of it."""

from __future__ import annotations

import shutil
import subprocess

from cfglint.source import shell_words
from cfglint.source.shell_arithmetic import computed
from cfglint.source.shell_values import ShellVariables
from tests.draws import each

KNOWN = {"gpus": 4, "nodes": 2}
EXPRESSIONS = [
    *("$((16 / gpus))", "$(( 16 / $gpus / ${nodes} ))", "$(((gpus + nodes) * 3))", "$((-7 / 2))"),
    *("$((-7 % 2))", "$((7 % -2))", "$((2 + 3 * 4))", "$((10 - 2 - 3))", "$((0))"),
    *("$(expr 16 / $gpus)", "$(expr 32 / $gpus / $nodes)", "`expr 16 / $gpus`"),
    *("$(expr 2 + 3 \\* 4)", '$(expr "$gpus" - 1)', "$(expr \\( 1 + 2 \\) \\* 3)"),
]


@each("written", EXPRESSIONS)
def test_a_number(written: str) -> None:
    bash = shutil.which("bash")
    assert bash is not None
    script = f'gpus=4; nodes=2; printf %s "{written}"'
    theirs = subprocess.run([bash, "-c", script], capture_output=True, text=True, check=True).stdout
    assert computed(written, KNOWN.get) == theirs


@each(
    "written",
    [
        *(
            "$((x + 1))",
            "$((1 / 0))",
            "$((010))",
            "$((gpus++))",
            "$((gpus > 1 ? 2 : 3))",
            "$((2 **",
            "",
        ),
        *(
            "$((1 +))",
            "$((1 2))",
            "$(expr gpus / 2)",
            "$(expr 16/4)",
            "$(nproc)",
            "$(echo 4)",
            "$(( (1 ))",
        ),
        *("`date`", "$((4611686018427387904 * 4))", "${x:-1}", f"$(({'1+' * 200}1))", "$(expr 1"),
    ],
)
def test_what_is_not_computed(written: str) -> None:
    assert computed(written, KNOWN.get) is None


def test_the_words_of_a_command() -> None:
    text = (
        "gpus=2\nsteps=$((32 / gpus))\ntrain --a $(expr 16 / $gpus) --b=$steps --c $((other * 2))"
    )
    script = shell_words.read(text)
    words = ShellVariables(script, text).expanded(script.statements[-1])
    assert [(word.text, word.open) for word in words[1:]] == [
        *(("--a", False), ("8", False), ("--b=16", False), ("--c", False)),
        ("$((other * 2))", True),
    ]
