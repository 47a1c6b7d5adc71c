"""The configs of a project: those that its commands name, and its own copy of verl's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cfglint.environment.surroundings import Memory, Surroundings
from cfglint.frameworks.verl import own_configs
from cfglint.frameworks.verl.commands import Config
from cfglint.frameworks.verl.own_configs import OwnConfig, own_config
from cfglint.source.files.memory import InMemory
from tests.draws import each

PROGRAM = "verl.trainer.main_ppo"
COPY = "verl/trainer/config"
NAMED = Config("", "./conf/", "own")
COPIED = Config("ppo_trainer")


def around(files: Mapping[str, str], folder: str = "/p") -> Surroundings:
    contents = {f"/p/{name}": text.encode() for name, text in {".git/HEAD": "", **files}.items()}
    return Surroundings(Memory(), InMemory(contents), f"{folder}/run.sh", folder)


def released(name: str) -> dict[str, Any] | None:
    return {"data": {"size": 1, "seed": 2}} if name == "ppo_trainer" else None


def found(
    config: Config, files: Mapping[str, str], chosen: Mapping[str, Any] | None = None
) -> OwnConfig | None:
    return own_config(config, PROGRAM, around(files), chosen or {}, released)


OWN = {"conf/own.yaml": "data: {size: 8}\nhydra: {run: x}\n"}


def test_a_config_that_a_command_names() -> None:
    own = found(NAMED, OWN)
    assert own is not None
    assert own.tree == {"data": {"size": 8}}
    assert (own.file, own.base, own.missing) == ("conf/own.yaml", "", "")
    assert (own.choices, own.unused) == ({}, frozenset())


@each(
    ("config", "files"),
    [
        (NAMED, {}),
        (NAMED, {"other/own.yaml": "a: 1\n"}),
        (Config("", "", "own"), {"own.yaml": "a: 1\n"}),
        (Config("", "conf", ""), OWN),
        (COPIED, {}),
        (COPIED, {f"a-verl/{COPY}/ppo_trainer.yaml": "a: 1\n", f"verl2/{COPY}/ppo_trainer.yaml": "a: 1\n"}),
        (NAMED, {"conf/own.yaml": "a: [\n"}),
        # What a named config extends may be anywhere.
        (NAMED, {"conf/own.yaml": "defaults: [other]\n"}),
        (COPIED, {f"{COPY}/ppo_trainer.yaml": "hydra: {searchpath: [file://x]}\ndefaults: [other]\n", f"{COPY}/../main_ppo.py": "", "verl/__init__.py": ""}),
    ],
)  # fmt: skip
def test_none_that_can_be_followed(config: Config, files: dict[str, str]) -> None:
    cleaned = {name.replace("config/../", ""): text for name, text in files.items()}
    assert found(config, cleaned) is None


def test_what_it_extends() -> None:
    files = {
        "conf/own.yaml": "defaults: [ppo_trainer, part@part: small, _self_]\ndata: {seed: 3}\n",
        "conf/part/small.yaml": "rows: 4\n",
    }
    own = found(NAMED, files)
    assert own is not None
    assert own.tree == {"data": {"size": 1, "seed": 3}, "part": {"rows": 4}}
    assert own.base == "ppo_trainer"


def test_choices_of_the_command() -> None:
    files = {
        "conf/own.yaml": "defaults:\n  - part: small\n  - _self_\n",
        "conf/part/small.yaml": "rows: 4\n",
        "conf/part/big.yaml": "rows: 9\n",
    }
    for chosen, rows, unused in (
        ({}, 4, frozenset()),
        ({"part": "big"}, 9, frozenset()),
        ({"other": "big"}, 4, frozenset({"other"})),
    ):
        own = found(NAMED, files, chosen)
        assert own is not None
        assert (own.tree["part"]["rows"], own.unused) == (rows, unused)
        assert own.choices == {"part": "big" if rows == 9 else "small"}


@each(
    ("path", "others", "read"),
    [
        ("file://shared", {"shared/other.yaml": "a: 1\n"}, True),
        ("pkg://ours.shared", {"ours/shared/other.yaml": "a: 1\n"}, True),
        ("shared", {"shared/other.yaml": "a: 1\n"}, True),
        ("file://elsewhere", {"shared/other.yaml": "a: 1\n"}, False),
    ],
)
def test_folders_of_the_search_path(path: str, others: dict[str, str], read: bool) -> None:
    text = f"hydra: {{searchpath: ['{path}']}}\ndefaults: [other]\n"
    own = found(NAMED, {"conf/own.yaml": text, **others})
    assert (own and own.tree) == ({"a": 1} if read else None)


WHOLE = {"verl/__init__.py": "", "verl/trainer/main_ppo.py": ""}
EXTENDS = {f"{COPY}/ppo_trainer.yaml": "defaults: [data/legacy]\na: 1\n"}


@each(
    ("files", "missing"),
    [
        ({**WHOLE, **EXTENDS}, "data/legacy"),
        # It is not the copy that runs.
        (EXTENDS, None),
        ({**EXTENDS, "verl/__init__.py": ""}, None),
        ({**EXTENDS, "verl/trainer/main_ppo.py": ""}, None),
        ({**WHOLE, **EXTENDS, f"{COPY}/data/legacy.yaml": "b: 2\n"}, ""),
    ],
)
def test_a_parent_that_is_not_there(files: dict[str, str], missing: str | None) -> None:
    own = found(COPIED, files)
    assert (own and own.missing) == missing
    if missing:
        assert own is not None
        assert (own.tree, own.file) == ({}, f"{COPY}/ppo_trainer.yaml")


def test_the_name_in_the_code_of_a_copy_counts() -> None:
    files = {
        f"{COPY}/ppo_trainer.yaml": "a: 1\n",
        f"{COPY}/mine.yaml": "b: 1\n",
        "verl/trainer/main_ppo.py": '@hydra.main(config_path="config", config_name="mine")\n',
    }
    own = found(COPIED, files)
    assert own is not None
    assert own.tree == {"b": 1}


@each(
    ("files", "folder", "count"),
    [
        ({"verl/trainer/x.py": ""}, "/p", 1),
        ({"verl/trainer/x.py": ""}, "/p/scripts", 1),
        ({"my-VERL/verl/trainer/x.py": ""}, "/p/scripts", 1),
        ({"a_verl/verl/trainer/x.py": "", "b_verl/verl/trainer/x.py": ""}, "/p", 2),
        ({"other/verl/trainer/x.py": ""}, "/p", 0),
        ({"scripts/my_verl/verl/trainer/x.py": "", "verl2/verl/trainer/x.py": ""}, "/p/scripts", 1),
    ],
)
def test_where_sources_are(files: dict[str, str], folder: str, count: int) -> None:
    disk = around({**files, "scripts/run.sh": ""}).files
    assert len(own_configs.places_of("verl/trainer/x.py", folder, disk)) == count


def test_names_of_a_copy() -> None:
    files = {
        f"inner/{COPY}/ppo_trainer.yaml": "data:\n  - \"quoted\": 1\n  plain: 2 # x\n  nothing\n",
        f"inner/{COPY}/more/part.yaml": "'other': 3\n",
        "inner/verl/trainer/ppo/run.py": (
            'config.actor.lr\nself.config.data.get("rows")\ngetattr(config.data, "seed")\n'
            'config["model"]["path"]\nconfigured.no\n'
        ),
        "elsewhere/run.py": "config.missed\n",
    }  # fmt: skip
    place = around(files)
    assert own_configs.names_of_copy(place) == {"data", "quoted", "plain", "other"}
    read = own_configs.names_read_by_copy(place)
    assert {"actor", "lr", "get", "rows", "data", "seed", "path"} <= read
    assert "missed" not in read
    assert own_configs.names_of_copy(around({})) == frozenset()
    assert own_configs.names_read_by_copy(around({})) == frozenset()
    nowhere = Surroundings(Memory(), place.files)
    assert own_configs.names_of_copy(nowhere) == own_configs.names_read_by_copy(nowhere) == set()
