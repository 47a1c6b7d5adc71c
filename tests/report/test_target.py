"""What a file was checked for, in words and as data."""

from __future__ import annotations

from typing import Any

from cfglint.environment.environment import Environment
from cfglint.environment.pins import Fact, Pin
from cfglint.knowledge.releases.table import releases_of
from cfglint.report.target import as_data, described, of_run, release_described, warnings
from tests.draws import each

NEWEST = releases_of("axolotl").newest
STATED = Pin("0.18.0", None, "--target")
LOCKED = Pin("0.18.0", None, "uv.lock line 3", in_project=True)
TORCH = Pin("2.6.0", None, "uv.lock line 5", in_project=True)
COMMIT = "abcdef0123"


def env(*facts: tuple[str, Fact], package: str = "axolotl", **pins: Pin) -> Environment:
    return Environment(releases_of(package), pins, dict(facts), as_of=None)


def built(after: str | None, before: str | None, commit: str | None = COMMIT) -> Environment:
    return env(axolotl=Pin(None, commit, "here", between=(after, before)))


@each(
    ("target", "expected"),
    [
        (env(), f"axolotl {NEWEST} (the newest known)"),
        (env(axolotl=STATED), "axolotl 0.18.0 (--target)"),
        (
            env(axolotl=Pin(None, None, "pyproject.toml", spec="<0.12", in_project=True)),
            "axolotl 0.11.0.post1 (the newest in <0.12; pyproject.toml)",
        ),
        (built("0.10.0", None), "axolotl abcdef012 after 0.10.0 (here)"),
        (built(None, "0.10.0"), "axolotl abcdef012 before 0.10.0 (here)"),
        (built("0.10.0", "0.11.0"), "axolotl abcdef012 between 0.10.0 and 0.11.0 (here)"),
        (built("0.10.0", "0.10.0"), "axolotl 0.10.0 (commit abcdef012; here)"),
        (built("0.10.0", "0.11.0", ""), "axolotl between 0.10.0 and 0.11.0 (here)"),
        (built("0.10.0", "0.10.0", ""), "axolotl as it was for 0.10.0 (here)"),
        (
            env(axolotl=Pin(None, COMMIT, "here")),
            f"axolotl {NEWEST} (the newest known; commit abcdef012 has no known position, here)",
        ),
        (
            env(axolotl=Pin(None, "", "here")),
            f"axolotl {NEWEST} (the newest known; the commit of a submodule has no known position, here)",
        ),
        (
            env(axolotl=Pin(None, None, "here", fork="me/axolotl")),
            f"axolotl {NEWEST} (the newest known; here has the fork me/axolotl)",
        ),
    ],
)
def test_the_release(target: Environment, expected: str) -> None:
    assert release_described(target) == expected
    assert described(target) == expected


PEFT = Pin("0.17.0", None, "uv.lock line 9, as a run had it", in_project=True, weak=True)


@each(
    ("target", "expected"),
    [
        (
            env(axolotl=STATED, torch=TORCH.replaced(in_project=False)),
            ", torch 2.6.0 (uv.lock line 5)",
        ),
        (env(axolotl=STATED, torch=TORCH), ", torch 2.6.0 (uv.lock line 5)"),
        (env(axolotl=STATED, torch=TORCH, peft=PEFT), ", torch 2.6.0 and 1 more (uv.lock)"),
        (
            env(axolotl=STATED, peft=PEFT, numpy=TORCH, trl=TORCH.replaced(implied=True)),
            ", peft 0.17.0 and 1 more (uv.lock, as a run had it); trl 2.6.0 implied",
        ),
        (env(axolotl=STATED, torch=TORCH.replaced(version=None, spec=">=2")), ""),
        (env(("gpus", Fact(1, "--gpus")), axolotl=STATED), ", 1 GPU (--gpus)"),
        (
            env(("gpu", Fact("H100", "--gpu")), ("gpus", Fact(2, "a")), axolotl=STATED),
            ", 2 GPUs (a), H100 (--gpu)",
        ),
    ],
)
def test_what_is_stated_beside_the_release(target: Environment, expected: str) -> None:
    assert described(target) == f"axolotl 0.18.0 (--target){expected}"


def test_what_a_locked_release_asks_for_is_implied() -> None:
    target = env(axolotl=Pin("0.10.0", None, "uv.lock", in_project=True))
    assert described(target) == "axolotl 0.10.0 (uv.lock); transformers 4.52.3, trl 0.18.1 implied"
    implied = as_data(target)["axolotl"]["implies"]
    assert (implied["transformers"], implied["peft"]) == ("4.52.3", "0.15.2")
    beside = env(axolotl=target.pins["axolotl"], trl=TORCH.replaced(version="0.17.0"))
    assert described(beside).endswith("trl 0.17.0 (uv.lock line 5); transformers 4.52.3 implied")


def test_other_packages_of_the_run_are_not_repeated() -> None:
    target = env(axolotl=STATED, trl=TORCH, peft=TORCH.replaced(implied=True))
    assert described(target, ["trl", "peft"]) == "axolotl 0.18.0 (--target)"


def test_what_goes_with_a_stated_release() -> None:
    target = env(package="trl", trl=Pin("0.15.0", None, "here"))
    said = "as it goes with trl 0.15.0; none is stated"
    assert described(target) == f"trl 0.15.0 (here), transformers 4.48.3 ({said})"
    assert as_data(target)["transformers"] == {"version": "4.48.3", "from": said, "implied": True}
    asked = env(
        package="trl", trl=Pin("0.15.0", None, "here"), transformers=Pin(None, None, "x", spec="<5")
    )
    assert as_data(asked)["transformers"]["range"] == "<5"
    below = env(package="transformers", trl=Pin("0.15.0", None, "here"))
    assert described(below).endswith("; 4.48.3 for classes of trl 0.15.0), trl 0.15.0 (here)")
    assert as_data(below)["transformers"]["for_classes_of"] == {"trl": "4.48.3"}


HUGE = ("gpus", Fact(8, "--gpus"))


@each(
    ("targets", "expected"),
    [
        ([env(axolotl=STATED)], "axolotl 0.18.0 (--target)"),
        ([env(axolotl=STATED), env(axolotl=STATED)], "axolotl 0.18.0 (--target)"),
        # The release that most files are for, and how many others there are.
        (
            [env(axolotl=Pin("0.9.2", None, "a")), env(axolotl=STATED), env(axolotl=STATED)],
            "axolotl 0.18.0 (--target) and 1 other release",
        ),
        (
            [
                env(HUGE, axolotl=Pin(v, None, v), torch=Pin(v, None, v))
                for v in ("1.0", "2.0", "3.0")
            ],
            "axolotl 1.0 (1.0) and 2 other releases, torch 1.0 (1.0) and 2 other values, 8 GPUs (--gpus)",
        ),
        # The package that most files are for comes first, and each once.
        (
            [
                env(axolotl=STATED),
                *[env(package="deepspeed", deepspeed=Pin("0.18.0", None, "b"), axolotl=STATED)] * 2,
            ],
            "deepspeed 0.18.0 (b), axolotl 0.18.0 (--target)",
        ),
    ],
)
def test_all_files_of_a_run(targets: list[Environment], expected: str) -> None:
    assert of_run(targets) == expected


OWN_SETTINGS = Pin("1.0.0", None, "cfglint.toml")
ASKS = "axolotl 0.18.0 asks for torch >=2.11.0,<=2.12.1, not 1.0.0"


@each(
    ("target", "expected"),
    [
        (env(axolotl=STATED), []),
        (
            env(axolotl=Pin("99.0", None, "x")),
            ["axolotl 99.0 is newer than", "the releases around it"],
        ),
        (
            env(axolotl=Pin("0.1", None, "x")),
            ["axolotl 0.1 is older than", "its keys are not checked"],
        ),
        (env(transformers=Pin("4.0.0", None, "x")), ["transformers 4.0.0 is older than", "(x)"]),
        # Its own framework's files say between which releases a build lies.
        (env(trl=Pin("0.9.0.dev0", None, "x")), []),
        (
            env(axolotl=STATED, torch=Pin("1.0.0", None, "x")),
            [ASKS, "(x); the files are checked for both"],
        ),
    ],
)
def test_warnings(target: Environment, expected: list[str]) -> None:
    said = warnings([target, target])
    assert len(said) == bool(expected)
    for text, start, end in zip(said, expected[:1], expected[1:], strict=True):
        assert text.startswith(start)
        assert text.endswith(end)


def test_one_settings_file_is_one_environment() -> None:
    said = warnings([env(axolotl=STATED, torch=OWN_SETTINGS), env(axolotl=STATED)])
    assert len(said) == 2
    assert said[1].startswith("the `target` of a settings file is one environment")


def test_as_data() -> None:
    ranged = Pin(None, None, "pyproject.toml", spec="<0.12", in_project=True)
    row: dict[str, Any] = as_data(
        env(("gpus", Fact(8, "--gpus")), axolotl=ranged, torch=TORCH.replaced(implied=True))
    )
    assert row == {
        "axolotl": {"version": None, "from": "pyproject.toml", "range": "<0.12"},
        "torch": {"version": "2.6.0", "from": "uv.lock line 5", "implied": True},
        "gpus": {"value": 8, "from": "--gpus"},
    }
    assert as_data(env()) == {"axolotl": {"version": NEWEST, "from": "the newest known"}}
    row = as_data(built("0.10.0", None))["axolotl"]
    assert (row["commit"], row["after"], row["before"]) == (COMMIT, "0.10.0", None)
    assert as_data(env(axolotl=Pin(None, None, "x", fork="a/b")))["axolotl"]["fork"] == "a/b"
    assert "is newer than" in as_data(env(axolotl=Pin("99.0", None, "x")))["axolotl"]["warning"]
