"""An environment from what options and settings say."""

from __future__ import annotations

import pytest

from cfglint.environment.building import build_environment
from cfglint.environment.environment import Environment
from cfglint.environment.pins import TargetError
from cfglint.knowledge.releases.table import releases_of
from tests.draws import each

RELEASES = releases_of("axolotl")


def built(
    *pins: str, gpus: int | None = None, gpu: str | None = None, origin: str = "--target"
) -> Environment:
    return build_environment(RELEASES, pins=pins, gpus=gpus, gpu=gpu, origin=origin)


def test_pins() -> None:
    made = built("axolotl==0.9.0", "torch==2.6.0", "torch==2.7.0", origin="cfglint.toml")
    assert {name: one.version for name, one in made.pins.items()} == {
        "axolotl": "0.9.0",
        "torch": "2.7.0",
    }
    assert {one.origin for one in made.pins.values()} == {"cfglint.toml"}
    assert made.release == "0.9.0"
    assert built().pins == {}


@each(
    ("gpus", "gpu", "expected"),
    [
        (None, None, {}),
        (1, None, {"gpus": (1, "--gpus")}),
        (8, None, {"gpus": (8, "--gpus")}),
        (None, "8xh100", {"gpus": (8, "--gpu")}),
        # A number of its own counts over that of the kind.
        (2, "8xh100", {"gpus": (2, "--gpus")}),
        (None, "h100", {}),
    ],
)
def test_how_many_gpus(
    gpus: int | None, gpu: str | None, expected: dict[str, tuple[int, str]]
) -> None:
    facts = built(gpus=gpus, gpu=gpu).facts
    found = {name: (one.value, one.origin) for name, one in facts.items() if name == "gpus"}
    assert found == expected
    assert (len(facts) > len(found)) is (gpu is not None)


def test_facts_of_settings_name_their_file() -> None:
    facts = built(gpus=4, gpu="h100", origin="cfglint.toml").facts
    assert {one.origin for one in facts.values()} == {"cfglint.toml"}


@each(
    ("pins", "gpus", "gpu"),
    [((), 0, None), ((), -1, None), (("axolotl",), None, None), ((), None, "no such gpu")],
)
def test_what_is_refused(pins: tuple[str, ...], gpus: int | None, gpu: str | None) -> None:
    with pytest.raises(TargetError):
        built(*pins, gpus=gpus, gpu=gpu)
