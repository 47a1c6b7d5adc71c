"""The releases that a project's trainers have written in their model cards."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint.environment.project.projects import Projects
from cfglint.source.files.disk import Disk

CARD = """\
---
library_name: transformers
tags:
- generated_from_trainer
---

### Framework versions

- TRL: {trl}
- Transformers: {transformers}
- Pytorch: 2.9.1+cu128

## Citations
"""
OLD = "trl==0.19.0\ntransformers==4.51.3\npeft==0.15.0\n"


def pins(tmp_path: Path, texts: dict[str, str], config: str = "work/train.yaml") -> list[str]:
    """The releases of TRL, of transformers and of PEFT."""
    (tmp_path / ".git").mkdir()
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    project = Projects(Disk()).for_file(str(tmp_path / config), "trl")
    found = {} if project is None else project.pins
    return [str(found.get(one, "")) for one in ("trl", "transformers", "peft")]


def card(trl: str = "0.26.1", transformers: str = "4.57.3") -> str:
    return CARD.format(trl=trl, transformers=transformers)


@pytest.mark.parametrize(
    ("texts", "found"),
    [
        # Nothing is out of date.
        ({"work/out/README.md": card()}, ["", "", ""]),
        (
            {"requirements.txt": "trl>=0.19\n", "work/out/README.md": card()},
            [">=0.19", "", ""],
        ),
        # A pin is, of TRL or of another one.
        (
            {"requirements.txt": "transformers==4.51.3\n", "work/out/README.md": card()},
            ["0.26.1", "4.57.3", ""],
        ),
        (
            {"work/requirements.txt": OLD, "work/out/README.md": card()},
            ["0.26.1", "4.57.3", ">=0.15.0"],
        ),
        ({"requirements.txt": OLD, "work/out/README.md": card()}, ["0.26.1", "4.57.3", ">=0.15.0"]),
        # Several of them,
        (
            {
                "requirements.txt": OLD,
                "work/a/README.md": card(),
                "work/b/README.md": card("0.27.0"),
            },
            [">=0.26.1,<=0.27.0", "4.57.3", ">=0.15.0"],
        ),
        # of which the nearest count.
        (
            {"requirements.txt": OLD, "work/a/README.md": card(), "b/README.md": card("0.27.0")},
            ["0.26.1", "4.57.3", ">=0.15.0"],
        ),
        # The requirements are as new, or newer.
        (
            {"requirements.txt": OLD, "work/out/README.md": card("0.19.0", "4.51.3")},
            ["0.19.0", "4.51.3", "0.15.0"],
        ),
        (
            {"requirements.txt": OLD, "work/out/README.md": card("0.18.0", "4.50.0")},
            ["0.19.0", "4.51.3", "0.15.0"],
        ),
        # No trainer has written it, or no release.
        (
            {"work/out/README.md": card().replace("generated_from_trainer", "lora")},
            ["", "", ""],
        ),
        ({"work/out/README.md": card("0.27.0.dev0")}, ["", "", ""]),
    ],
)
def test_releases_of_cards(texts: dict[str, str], found: list[str], tmp_path: Path) -> None:
    assert pins(tmp_path, texts) == found
