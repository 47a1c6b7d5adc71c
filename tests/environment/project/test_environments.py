"""Folders whose files say what is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint.environment.project.finder import Finder
from cfglint.source.files.disk import Disk

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


PINS = "".join(f"package-{number}==1.{number}\n" for number in range(9))
CONDA = (
    "name: a\nchannels:\n  - defaults\ndependencies:\n  - python=3.10\n  - pip:\n    - trl=={}\n"
)


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ({"full.yaml": CONDA.format("0.17.0")}, "0.17.0"),
        ({"full.yml": CONDA.format("0.17.0").replace("channels:\n  - defaults\n", "")}, "0.17.0"),
        ({"packages.txt": f"{PINS}trl==0.17.0\n"}, "0.17.0"),
        ({"packages.txt": f"# a\nx @ file:///croot/x\n{PINS}trl==0.17.0\n"}, "0.17.0"),
        ({"docker/a.yaml": CONDA.format("0.17.0")}, "0.17.0"),
        # A list that somebody wrote for something else,
        ({"packages.txt": "trl==0.17.0\n"}, None),
        ({"notes.txt": f"{PINS}Some words on what is\nnot in the list.\ntrl==0.17.0\n"}, None),
        # another YAML with a list of this name,
        ({"chart.yaml": "name: a\ndependencies:\n  - name: trl\n    version: 0.17.0\n"}, None),
        # and an environment in which nothing is trained.
        ({"eval_env.yaml": CONDA.format("0.17.0")}, None),
        # A file of a usual name counts more,
        ({"full.yaml": CONDA.format("0.17.0"), "requirements.txt": "trl==0.18.0\n"}, "0.18.0"),
        # also where it leaves open what a list for other hardware states,
        ({"requirements.txt": "trl\n", "requirements-npu.txt": "trl==0.17.0\n"}, None),
        ({"requirements-npu.txt": "trl==0.17.0\n"}, "0.17.0"),
        # and which of several exports counts is not known.
        ({"a.yaml": CONDA.format("0.17.0"), "b.yaml": CONDA.format("0.18.0")}, None),
        ({"a.yaml": CONDA.format("0.17.0"), "b.txt": f"{PINS}trl==0.17.0\n"}, "0.17.0"),
    ],
)
def test_environments_are_exported_to_files_of_any_name(
    tmp_path: Path, texts: dict[str, str], expected: str | None
) -> None:
    (tmp_path / ".git").mkdir()
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-16" if name == "packages.txt" else "utf-8")
    (tmp_path / CONFIG).mkdir()
    found = Finder(Disk()).sources(str(tmp_path / CONFIG))
    first = next((one.of("trl") for one in found if one.of("trl") is not None), None)
    assert (None if first is None else first.version) == expected


def test_a_folder_of_many_files_is_not_searched_for_exports(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    for number in range(100):
        (tmp_path / f"{number}.yaml").write_text(CONDA.format("0.17.0"))
    assert Finder(Disk()).sources(str(tmp_path)) == []
