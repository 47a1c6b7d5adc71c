"""Folders whose files say what is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint.environment.project.finder import Finder
from cfglint.files.disk import Disk

CONFIG = "configs"


def versions(folder: Path, **texts: str) -> dict[str, str]:
    """Package -> version, as files state it (`docker__requirements_train_txt`) to a config beside them."""
    (folder / ".git").mkdir()
    (folder / CONFIG).mkdir()
    for name, text in texts.items():
        path = folder / name.replace("__", "/").replace("_txt", ".txt")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    found = {}
    for source in Finder(Disk()).sources(str(folder / CONFIG)):
        found.update({one.package: one.version or "" for one in source.statements})
    return found


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ({"docker__requirements_train_txt": "trl==0.17.0\n"}, {"trl": "0.17.0"}),
        ({"requirements__base_txt": "trl==0.17.0\n"}, {"trl": "0.17.0"}),
        ({"notes__base_txt": "trl==0.17.0\n"}, {}),
        ({"docker__Dockerfile": "ARG V=0.24.0\nRUN pip install trl==$V\n"}, {"trl": "0.24.0"}),
        ({"dockerfiles__Dockerfile": "RUN pip install trl==0.24.0\n"}, {"trl": "0.24.0"}),
        # Of several lists the one for training counts.
        (
            {"env__requirements_serve_txt": "trl==1.0.0\n", "env__requirements_train_txt": "trl==0.17.0\n"},
            {"trl": "0.17.0"},
        ),
        ({"env__requirements_a_txt": "trl==1.0.0\n", "env__requirements_b_txt": "torch==2.6.0\n"}, {}),
        # What files of one folder disagree on is of several environments.
        (
            {
                "docker__requirements_txt": "trl==0.17.0\ntorch==2.6.0\n",
                "docker__Dockerfile": "RUN pip install trl==0.24.0\n",
            },
            {"torch": "2.6.0"},
        ),
    ],
)  # fmt: skip
def test_what_is_stated(tmp_path: Path, texts: dict[str, str], expected: dict[str, str]) -> None:
    assert versions(tmp_path, **texts) == expected
