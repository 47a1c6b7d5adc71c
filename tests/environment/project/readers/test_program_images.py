"""What Python programs ask for of the containers that they start."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cfglint.environment.project.readers import pip_commands
from cfglint.environment.project.readers.program_images import Written
from cfglint.knowledge.releases.table import releases_of
from tests.cli.running import run

NEWEST = releases_of("axolotl").newest

MODAL = """\
import modal

image = (
    modal.Image.from_registry("axolotlai/axolotl:0.9.2")
    .pip_install(["trl==0.17.0", *extra], "peft==0.15.2")
    .run_commands("apt-get update", "pip install -U accelerate==1.6.0 wandb")
)
"""


def told(text: str) -> dict[str, str | None]:
    return {one.package: one.version for one in pip_commands.read("app.py", text)}


def test_packages_and_commands() -> None:
    assert told(MODAL) == {"trl": "0.17.0", "peft": "0.15.2", "accelerate": "1.6.0"}


def test_where_they_are() -> None:
    text = 'x = "é"; image.pip_install("trl==0.17.0")\n'
    [(word, start, end)] = Written(text).packages
    assert text[start:end] == word == "trl==0.17.0"


def test_where_they_are_in_later_lines() -> None:
    text = '# é\n\nimage.pip_install(\n    "peft==0.15.2",\n    *["trl==0.17.0"])\n'
    found = Written(text).packages
    assert [text[start:end] for _, start, end in found] == ["peft==0.15.2", "trl==0.17.0"]
    assert [word for word, _, _ in found] == ["peft==0.15.2", "trl==0.17.0"]


@pytest.mark.parametrize(
    "text",
    [
        "image.pip_install(name)\nother = 'trl==0.17.0'\n",
        "image.pip_install(f'trl=={version}')\n",
        "image.apt_install('trl==0.17.0') or pip_install\n",
    ],
)
def test_only_what_is_written_there(text: str) -> None:
    assert told(text) == {}


def test_what_python_does_not_parse_is_no_program() -> None:
    assert not Written("(" * 9_000).is_read
    assert not Written("x" * 400_000).is_read


@pytest.mark.parametrize(
    ("program", "expected"),
    [(MODAL, "0.9.2"), (MODAL.replace("import modal", "import other"), NEWEST)],
)
def test_it_states_the_release_of_the_configs_beside_it(
    tmp_path: Path, program: str, expected: str
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "common.py").write_text(program)
    config = tmp_path / "config.yml"
    config.write_text("base_model: a/b\ndatasets:\n  - path: a\n    type: alpaca\n")
    out = run("--format", "json", str(config)).out
    assert json.loads(out)["target"].get("axolotl", {}).get("version") == expected
