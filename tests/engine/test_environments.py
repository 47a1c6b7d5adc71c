"""The target of each file: options win over settings, and these over the project."""

from __future__ import annotations

import os
from typing import Any

import pytest

from cfglint.engine.environments import Environments
from cfglint.engine.settings.nearest import Settings
from cfglint.environment.environment import Environment
from cfglint.environment.pins import TargetError
from cfglint.environment.project.projects import Projects
from cfglint.environment.surroundings import Memory
from cfglint.roles.framework import load_framework
from cfglint.source.files.memory import InMemory
from tests.draws import each

FILES = {
    "p/.git/HEAD": "",
    "p/requirements.txt": "axolotl==0.16.0\ntorch==2.5.1\n",
    "p/run.sh": "torchrun --nproc_per_node 8 -m axolotl.cli.train train.yml\n",
    "p/train.yml": "base_model: a/b\n",
    "p/other.yml": "base_model: a/b\n",
}
STATED = Settings(origin="p/cfglint.toml", target=("axolotl==0.18.0",), gpus=4, gpu="a100")


def environments(
    files: dict[str, str] = FILES, *, has_projects: bool = True, **options: Any
) -> Environments:
    disk = InMemory({name: text.encode() for name, text in files.items()})
    given: dict[str, Any] = {"pins": (), "gpus": None, "gpu": None, **options}
    projects = Projects(disk) if has_projects else None
    return Environments(
        load_framework("axolotl"), projects=projects, memory=Memory(), files=disk, **given
    )


def pins(environment: Environment) -> dict[str, str]:
    return {name: str(pin.version) for name, pin in environment.pins.items()}


def facts(environment: Environment) -> dict[str, tuple[Any, str]]:
    """Each fact that is no property of a GPU, and where it is stated."""
    return {
        name: (fact.value, fact.origin)
        for name, fact in environment.facts.items()
        if not name.startswith("gpu.")
    }


@each(
    ("options", "settings", "expected"),
    [
        ((), (), {"axolotl": "0.16.0", "torch": "2.5.1"}),
        (("torch==2.6.0",), (), {"axolotl": "0.16.0", "torch": "2.6.0"}),
        ((), ("torch==2.6.0",), {"axolotl": "0.16.0", "torch": "2.6.0"}),
        (("torch==2.7.0",), ("torch==2.6.0",), {"axolotl": "0.16.0", "torch": "2.7.0"}),
        # Around another release than the project's are the versions of that release.
        (("axolotl==0.18.0",), (), {"axolotl": "0.18.0"}),
        ((), ("axolotl==0.18.0",), {"axolotl": "0.18.0"}),
        (("axolotl==0.16.0",), (), {"axolotl": "0.16.0", "torch": "2.5.1"}),
        (("trl==0.15.1",), ("axolotl==0.18.0",), {"axolotl": "0.18.0", "trl": "0.15.1"}),
    ],
)
def test_versions(
    options: tuple[str, ...], settings: tuple[str, ...], expected: dict[str, str]
) -> None:
    found, _ = environments(pins=options).for_file(Settings(target=settings), "p/train.yml")
    assert pins(found) == expected


LAUNCHED = {"gpus": (8, "p/run.sh line 1"), "env.processes": (8, "p/run.sh line 1")}


@each(
    ("options", "settings", "expected"),
    [
        ({}, Settings(), LAUNCHED),
        # What follows from the number of GPUs comes from where that is stated.
        ({"gpus": 2}, Settings(), {"gpus": (2, "--gpus")}),
        ({"gpu": "h100"}, Settings(), {**LAUNCHED, "gpu": ("h100", "--gpu")}),
        ({"gpu": "2xh100"}, Settings(), {"gpus": (2, "--gpu"), "gpu": ("h100", "--gpu")}),
        ({}, STATED, {"gpus": (4, "cfglint.toml"), "gpu": ("a100", "cfglint.toml")}),
        ({"gpus": 1}, STATED, {"gpus": (1, "--gpus"), "gpu": ("a100", "cfglint.toml")}),
        ({"gpu": "h100"}, STATED, {"gpus": (4, "cfglint.toml"), "gpu": ("h100", "--gpu")}),
    ],
)
def test_hardware(
    options: dict[str, Any], settings: Settings, expected: dict[str, tuple[Any, str]]
) -> None:
    found, _ = environments(**options).for_file(settings, "p/train.yml")
    assert facts(found) == expected
    # All that is known of a GPU is of the one that is stated.
    of_gpu = {fact.origin for name, fact in found.facts.items() if name.startswith("gpu.")}
    assert of_gpu == ({expected["gpu"][1]} if "gpu" in expected else set())


def test_each_setting_may_come_from_a_file_of_its_own() -> None:
    sources = (("gpus", "q/base.toml"), ("gpu", "q/more.toml"), ("target", "p/cfglint.toml"))
    found, _ = environments().for_file(STATED.replaced(sources=sources), "p/train.yml")
    assert facts(found) == {"gpus": (4, "base.toml"), "gpu": ("a100", "more.toml")}
    assert found.pins["axolotl"].origin == "cfglint.toml"


@each(
    ("options", "settings", "said"),
    [
        ({}, {"target": ("axolotl==x",)}, "p/cfglint.toml: 'x' is not a version of axolotl"),
        ({}, {"gpus": 0}, "p/cfglint.toml: the number of GPUs has to be at least 1"),
        (
            {},
            {"gpus": 0, "sources": (("gpus", "q/base.toml"),)},
            "q/base.toml: the number of GPUs has to be at least 1",
        ),
        ({"gpus": 0}, {}, "the number of GPUs has to be at least 1"),
        ({"pins": ("axolotl==0.99.0",)}, {}, "axolotl 0.99.0 is newer than the releases"),
        ({"pins": ("axolotl==0.17.7",)}, {}, "axolotl 0.17.7 is not one of the releases"),
        ({"pins": ("installed",)}, {}, "no Python environment with a package of interest"),
    ],
)
def test_targets_that_are_refused(
    options: dict[str, Any], settings: dict[str, Any], said: str
) -> None:
    one = Settings(origin="p/cfglint.toml").replaced(**settings)
    with pytest.raises(TargetError) as caught:
        environments(**options).for_file(one, "p/train.yml")
    assert str(caught.value).startswith(said)


@each("pin", ["axolotl==0.0.3", "axolotl==0.18.0.dev0", "axolotl==0.19.0.post1", "torch==9.9.9"])
def test_versions_that_no_index_has_may_be_meant(pin: str) -> None:
    found, _ = environments(pins=(pin,)).for_file(Settings(), "p/train.yml")
    assert pin.partition("==")[0] in found.pins


def test_the_day_whose_newest_release_is_assumed() -> None:
    files = {"train.yml": "base_model: a/b\n"}
    march = Settings(as_of="2025-03-01")
    assert environments(files).for_file(march, "train.yml")[0].release == "0.7.1"
    given = environments(files, as_of="2025-06-01")
    assert given.for_file(march, "train.yml")[0].release == "0.9.2"


def test_what_lies_around_a_file() -> None:
    every = environments()
    target, around = every.for_file(Settings(), "p/train.yml")
    assert (around.path, around.folder) == ("p/train.yml", os.path.abspath("p"))
    assert around.project is not None
    assert len(around.launches) == 1
    other, beside = every.for_file(Settings(), "p/other.yml")
    assert beside.launches == ()
    assert beside.files is around.files
    # What is told of a file alone is not told of the one beside it.
    assert other is not target
    assert every.for_file(Settings(), "p/train.yml")[0] is target
    assert every.for_file(STATED, "p/train.yml")[0] is not target


@each("path", [None, "p/train.yml"])
def test_where_nothing_around_is_examined(path: str | None) -> None:
    found, around = environments(has_projects=False).for_file(STATED, path)
    assert pins(found) == {"axolotl": "0.18.0"}
    assert facts(found)["gpus"] == (4, "cfglint.toml")
    assert (around.path, around.folder, around.project) == (path or "", None, None)
    assert around.launches == ()


def test_a_text_without_a_path_is_in_no_project() -> None:
    found, around = environments().for_file(Settings(), None)
    assert (pins(found), facts(found)) == ({}, {})
    assert (around.path, around.folder, around.project) == ("", None, None)
