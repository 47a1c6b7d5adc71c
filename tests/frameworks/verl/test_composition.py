"""What Hydra composes: the files of a config, the words laid over them, and what interpolations give."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cfglint.base.logic import MISSING, UNKNOWN
from cfglint.frameworks.verl.defaults_lists import Composition, ConfigFile, NotComposed
from cfglint.frameworks.verl.interpolations import resolved
from cfglint.frameworks.verl.merging import Merged
from cfglint.roles.framework import load_framework
from cfglint.source.languages.shell import command_of
from cfglint.source.text import SourceText
from tests.cli.running import run
from tests.draws import each

PPO = "python3 -m verl.trainer.main_ppo"
TREE: dict[str, Any] = {
    "data": {"size": 8, "files": ["a"], "seed": None, "half": "${.size}"},
    "actor": {"optim": {"lr": 0.1}},
}


def merged(words: str) -> Merged:
    document = load_framework("verl").parsing.language.read(SourceText(f"{PPO} {words}\n"))
    command = command_of(document.root)
    assert command is not None
    tree = {name: dict(section) for name, section in TREE.items()}
    tree["actor"] = {"optim": dict(TREE["actor"]["optim"])}
    found = Merged(tree)
    for word in command.overrides or ():
        found.add(word)
    return found


@each(
    ("words", "refused"),
    [
        ("data.size=4 data.seed=1", []),
        ("data.sise=4", ["no key"]),
        ("data.size.of=4", ["no key"]),
        ("+data.size.of=4", []),
        # What is null may be added, and a list or a mapping is merged.
        ("+data.size=4", ["has value"]),
        ("+data.half=4", ["has value"]),
        ("'+data.size=${data.seed}'", ["has value"]),
        ("+data.size=$UNKNOWN", []),
        ("+data.seed=4 +data.files=[b]", []),
        ("++data.size=4 ++data.new.inner=1", []),
        ("+data.new=1 +data.new=2", ["has value"]),
        ("~data.size ~data.size", ["no value"]),
        ("~data.seed", ["no value"]),
        ("~data.size=8", []),
        ("~data.size=9", ["no value"]),
        # A word that replaces a section takes its keys away.
        ("data=text data.size=1", ["no key"]),
        ("~data data.size=1", ["no key"]),
        ("data=$UNKNOWN data.size=1", []),
        ("actor.optim=[a]", ["clash"]),
        ("data.files={a:1}", ["clash"]),
        ("actor.optim={lr:2}", []),
        ("actor.optim={rate:2}", ["no key"]),
        ("data.files.0=b", []),
        ("data.files.1=b", ["clash"]),
    ],
)
def test_words(words: str, refused: list[str]) -> None:
    assert [one.why for one in merged(words).refused] == refused


def test_the_word_in_front_is_the_reason() -> None:
    (refused,) = merged("~data data.size=1").refused
    assert refused.cause is not None
    assert refused.cause.key == "data"


@each(
    ("text", "value"),
    [
        ("${a.b}", 1),
        ("${.b}", 1),
        ("${..top}", "t"),
        ("${oc.select:a.b,2}", 1),
        ("${oc.select:a.c,2}", 2),
        ("${oc.select:a.none,2}", None),
        ("${oc.select:a.c,null}", None),
        ("${oc.select:a.c}", None),
        ("${oc.select:a.c,${oc.select:a.d,[]}}", []),
        ('${oc.select:a.c,"x y"}', "x y"),
        ("to/${a.b}/${top}", "to/1/t"),
        ("${a.c}", UNKNOWN),
        ("${oc.env:HOME}", UNKNOWN),
        ("to/${a.c}", UNKNOWN),
        ("${....a}", UNKNOWN),
        ("${a.b", UNKNOWN),
    ],
)
def test_interpolations(text: str, value: object) -> None:
    known = {"a.b": 1, "a.none": None, "top": "t"}
    found = resolved(text, "a", lambda key: known.get(key, MISSING))
    assert found == value or found is value


FILES = {
    "main": {
        "defaults": [{"engine": "fast"}, {"part@whole.part": "${engine}_part"}, "more", "_self_"]
    },
    "more": {"more": 1, "keep": "yes"},
    "engine/fast": {"engine": "fast"},
    "engine/slow": {"engine": "slow"},
    "part/fast_part": {"defaults": ["base", {"../optim@optim": "adam"}], "speed": 2},
    "part/slow_part": {"speed": 1},
    "part/base": {"speed": 0, "base": True},
    "optim/adam": {"lr": 0.1},
    "own": {"defaults": ["main", {"override engine": "slow"}], "keep": "???", "more": {"a": 1}},
}


def composition(chosen: dict[str, Any] | None = None) -> Composition:
    def load(name: str) -> ConfigFile | None:
        text = "# @package _global_\n" if name.startswith("engine/") else ""
        return ConfigFile(FILES[name], text) if name in FILES else None

    return Composition(load, chosen or {})


def test_parents_come_first_and_fill_their_packages() -> None:
    part = {"speed": 2, "base": True, "optim": {"lr": 0.1}}
    tree = {"engine": "fast", "whole": {"part": part}, "more": 1, "keep": "yes"}
    assert composition().composed("main") == tree


def test_choices() -> None:
    chosen = composition({"engine": "slow", "other": "x"})
    assert chosen.composed("main")["whole"] == {"part": {"speed": 1}}
    assert chosen.unused == {"other"}
    named = composition({"part@whole.part": "base"})
    assert named.composed("main")["whole"] == {"part": {"speed": 0, "base": True}}


def test_a_config_chooses_for_its_parents() -> None:
    tree = composition().composed("own")
    assert tree == {
        "engine": "slow",
        "whole": {"part": {"speed": 1}},
        "more": {"a": 1},
        "keep": "yes",
    }


@each(
    "config",
    [
        {"defaults": ["missing"]},
        {"defaults": [{"engine": "missing"}]},
        {"defaults": "main"},
        {"defaults": [3]},
        {"defaults": [{"part@_here_": "base"}]},
        {"defaults": ["itself"]},
    ],
)
def test_what_cannot_be_followed(config: dict[str, Any]) -> None:
    files = {**FILES, "itself": config}

    def load(name: str) -> ConfigFile | None:
        return ConfigFile(files[name]) if name in files else None

    with pytest.raises(NotComposed):
        Composition(load, {}).composed("itself")


def test_anchors_do_not_make_a_config_endless() -> None:
    endless: dict[str, Any] = {}
    endless["again"] = endless
    with pytest.raises(NotComposed):
        Composition(lambda _name: ConfigFile(endless), {}).composed("main")


def test_effective_has_the_words_and_what_follows_from_them(tmp_path: Path) -> None:
    script = tmp_path / "run.sh"
    words = "data.max_prompt_length=100 actor_rollout_ref.rollout.n=$N trainer.project_name=p +trainer.own=1"
    script.write_text(f"{PPO} {words} ~trainer.balance_batch\n")
    out = run("effective", "--all", "--target", "verl==0.8.0", str(script)).out
    assert "  max_prompt_length: 100\n" in out
    assert "    prompt_length: 100  # default of verl 0.8.0\n" in out
    assert "default_local_dir: checkpoints/p/gsm8k  # default of verl 0.8.0\n" in out
    assert "  own: 1\n" in out
    assert "balance_batch" not in out
    assert "#   actor_rollout_ref.rollout.n: depends on what the script is given" in out


def test_effective_of_a_config_of_the_project(tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "own.yaml").write_text("extra: {size: 1, twice: '${extra.size}'}\n")
    script = tmp_path / "run.sh"
    script.write_text(f"{PPO} --config-path=config --config-name=own extra.size=2\n")
    out = run("effective", "--target", "verl==0.8.0", str(script)).out
    assert "  size: 2\n" in out
    assert "  twice: 2  # from config/own.yaml\n" in out


def test_effective_without_a_config_that_can_be_followed(tmp_path: Path) -> None:
    script = tmp_path / "run.sh"
    script.write_text(f"{PPO} --config-path=/mine --config-name=own a.b=2\n")
    result = run("effective", "--target", "verl==0.8.0", str(script))
    assert result.code == 2
    assert "cannot be followed" in result.err
