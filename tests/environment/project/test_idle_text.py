"""What scripts and pages do not run."""

from __future__ import annotations

import time

from cfglint.environment.project.idle_text import without_idle_text
from tests.draws import each

COMMAND = "pip install trl==0.12.0"


@each(
    "text",
    [
        f": {COMMAND}\n",
        f"echo '{COMMAND}'\n",
        f'python a.py && echo "First: {COMMAND}; then go on"\n',
        f"RUN echo {COMMAND}\n",
        f": '\n{COMMAND}\n'\npython a.py\n",
        f": <<'END'\n{COMMAND}\nEND\n",
        f": <<END\n  {COMMAND}\nEND\n",
        f"if false; then\n  {COMMAND}\nfi\n",
        f'if [ "" ]\nthen\n  {COMMAND}\nfi\n',
    ],
)
def test_what_a_script_does_not_run(text: str) -> None:
    found = without_idle_text("run.sh", f"a\n{text}b\n")
    assert "trl" not in found
    assert [len(line) for line in found.split("\n")] == [
        len(line) for line in f"a\n{text}b\n".split("\n")
    ]


@each(
    "text",
    [
        f"{COMMAND}\n",
        f"echo a && {COMMAND}\n",
        f"echo 'a; b'; {COMMAND}\n",
        f'echo "it\'s on"\n{COMMAND}\n',
        f"if true; then\n  {COMMAND}\nfi\n",
        f"if false; then\n  a\nelse\n  {COMMAND}\nfi\n",
        f": '\nno end\n{COMMAND}\n",
        f": ${{A:=1}}\n{COMMAND}\n",
        f"cat <<END > a.sh\n{COMMAND}\nEND\n",
    ],
)
def test_what_it_runs(text: str) -> None:
    assert COMMAND in without_idle_text("run.sh", text)


def test_what_a_page_hides() -> None:
    text = f"<!-- {COMMAND}\n -->\n    echo '{COMMAND}'\n<!-- {COMMAND}"
    assert without_idle_text("README.md", text).count(COMMAND) == 2
    assert without_idle_text("a.py", text) == text


@each("line", ["if false; then\n", ": '\n", ": <<A\n", "echo '\n", ";" * 20 + "\n", "<!--\n"])
def test_time_grows_with_the_text(line: str) -> None:
    for path in ("a.sh", "a.md"):
        started = time.process_time()
        without_idle_text(path, line * (500_000 // len(line)))
        assert time.process_time() - started < 3
