"""The settings of a file and what it is checked for, as text."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from cfglint.engine.settings.file import PerFileIgnores, RuleSeverity, SchemaSetting
from cfglint.engine.settings.nearest import Settings
from cfglint.environment.environment import Environment
from cfglint.environment.pins import Fact, Pin
from cfglint.environment.project.projects import Projects
from cfglint.report.settings import render, render_target
from cfglint.roles.framework import load_framework
from cfglint.source.files.memory import InMemory
from tests.draws import each

HERE = "/p/cfglint.toml"


def lines(settings: Settings, path: str = "/p/a/train.yml") -> list[str]:
    """Without the columns."""
    text = render(settings, path, lambda file: file.removeprefix("/p/"))
    return [" ".join(line.split()) for line in text.splitlines()]


def test_without_a_settings_file() -> None:
    found = lines(Settings())
    assert found[:3] == [
        "Settings for /p/a/train.yml",
        "No settings file applies to it.",
        "target: as the project states, else the newest known release default",
    ]
    assert len(found) == 18
    assert all(line.endswith(" default") for line in found[2:])


def test_each_setting_has_the_file_that_it_comes_from() -> None:
    found = lines(
        Settings(
            origin=HERE,
            target=("axolotl==0.9.0",),
            min_severity="warning",
            extended=("/base.toml",),
            sources=(("target", HERE), ("min-severity", "/base.toml")),
        )
    )
    assert found[1] == "from cfglint.toml, which extends /base.toml"
    assert 'target = ["axolotl==0.9.0"] cfglint.toml' in found
    assert 'min-severity = "warning" /base.toml' in found
    assert "gpus: as the project states default" in found
    assert not [line for line in found if "exclude` skips" in line]


def test_columns() -> None:
    rows = render(Settings(), "a", str).splitlines()[2:]
    assert {line.rindex("default") for line in rows} == {64}
    short = [line for line in rows if line.startswith("  gpu:")]
    assert short[0].startswith("  gpu: as the project states     ")


@each(
    ("path", "note"),
    [("/p/a/train.yml", ""), ("/p/b/train.yml", " (does not match this file)")],
)
def test_what_is_for_some_files(path: str, note: str) -> None:
    found = lines(
        Settings(
            origin=HERE,
            exclude=("b/",),
            per_file_ignores=(PerFileIgnores(HERE, "a/", ("KEY",)),),
            severity=(RuleSeverity(HERE, "YML", "note"),),
            schemas=(
                SchemaSetting(HERE, "s.json", ("a/*.yml",), (), "data"),
                SchemaSetting(HERE, "all.json", (), ("trl",)),
            ),
        ),
        path,
    )
    assert found[18:22] == [
        f'per-file-ignores: "a/" = ["KEY"] cfglint.toml{note}',
        'severity: YML = "note" cfglint.toml',
        f'schemas: "s.json", files = ["a/*.yml"], at = "data" cfglint.toml{note}',
        'schemas: "all.json", framework = ["trl"] cfglint.toml',
    ]
    assert found[22:] == (["`exclude` skips it when it is found in a folder."] if note else [])


def target(given: Mapping[str, Fact] | None = None, /, **pins: Pin) -> Environment:
    facts = dict(given or {})
    return Environment(load_framework("axolotl").releases, pins, facts)


def stated(version: str | None, **more: Any) -> Pin:
    return Pin(version, None, "a.txt line 1", **more)


def told(found: Environment, *words: str) -> list[str]:
    """The lines with one of some words, without the columns."""
    every = [" ".join(line.split()) for line in render_target(found, None).splitlines()]
    assert every[0] == "Checked for"
    return [line for line in every if any(word in line for word in words)]


@each(
    ("found", "expected"),
    [
        (target(axolotl=stated("0.18.0")), ["axolotl 0.18.0 a.txt line 1 (stated)"]),
        (
            target(axolotl=stated("0.18.0", weak=True)),
            ["axolotl 0.18.0 a.txt line 1 (weak: nothing else states it)"],
        ),
    ],
)
def test_how_the_release_is_known(found: Environment, expected: list[str]) -> None:
    assert told(found, "axolotl 0") == expected


def test_the_newest_release_is_assumed() -> None:
    (line,) = told(target(), "(assumed)")
    assert line.startswith("axolotl ")


@each(
    ("pin", "expected"),
    [
        (stated("0.17.0"), "peft 0.17.0 a.txt line 1 (stated)"),
        (stated(None, spec=">=0.17"), "peft >=0.17 a.txt line 1 (a range)"),
        (stated("0.17.0", implied=True), "peft 0.17.0 a.txt line 1 (follows from it)"),
        (
            stated("0.17.0", weak=True),
            "peft 0.17.0 a.txt line 1 (weak: nothing else states it)",
        ),
    ],
)
def test_how_another_package_is_known(pin: Pin, expected: str) -> None:
    assert told(target(axolotl=stated("0.18.0"), peft=pin), "peft") == [expected]


def test_what_the_release_asks_for() -> None:
    asks = "what axolotl 0.18.0 asks for"
    own = stated("0.18.0", in_project=True)
    found = told(target(axolotl=own), asks)
    assert len(found) > 3
    name, version, _ = found[0].split(" ", 2)
    pinned = told(target(None, axolotl=own, **{name: stated(version)}), asks)
    assert pinned == found[1:]
    assert told(target(axolotl=stated("0.18.0")), asks) == []


def test_the_hardware() -> None:
    facts = {
        "gpus": Fact(8, "run.sh line 2"),
        "gpu": Fact("H100", "go.sh line 1", weak=True),
        "env.nodes": Fact(2, "run.sh line 3"),
        "env.other": Fact(1, "run.sh line 4"),
    }
    assert told(target(facts), "run.sh", "go.sh") == [
        "gpus 8 run.sh line 2 (stated)",
        "gpu H100 go.sh line 1 (weak: it does not name the file)",
        "nodes 2 run.sh line 3 (stated)",
    ]


def outweighed(**files: str) -> list[str]:
    contents = {f"/p/{name.replace('__', '/')}": text.encode() for name, text in files.items()}
    disk = InMemory({"/p/.git/HEAD": b"", "/p/train.yml": b"base_model: a\n", **contents})
    project = Projects(disk).for_file("/p/train.yml", "axolotl")
    assert project is not None
    found = Environment(load_framework("axolotl").releases, project.pins)
    text = render_target(found, project)
    # Paths are shown from the current folder where that is near.
    here = os.path.relpath("/p").replace(os.sep, "/")
    shown = text.replace(f"{here}/", "").replace("/p/", "").splitlines()
    return [" ".join(line.split()) for line in shown if "not used" in line]


def test_what_lost_against_other_files() -> None:
    lock = '[[package]]\nname = "axolotl"\nversion = "0.9.2"\n\n[[package]]\nname = "peft"\nversion = "0.15.2"\n'
    asks = {"uv.lock": lock}
    assert outweighed(**asks, **{"requirements.txt": "axolotl==0.9.2\n"}) == []
    assert outweighed(**asks, **{"requirements.txt": "axolotl==0.8.0\npeft==0.15.2\n"}) == [
        "not used: axolotl 0.8.0 requirements.txt line 1 (outweighed by uv.lock line 2)"
    ]
