"""Which release of a package pip chooses, as far as what is stated leaves it to pip."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from cfglint.environment.pins import Pin
from cfglint.frameworks.trl_programs.imports.releases import admitted_releases, is_free
from tests.draws import each

OPEN = Pin(None, None, "")


@each(
    ("pin", "admits", "refuses"),
    [
        (OPEN.replaced(version="3.0"), "==3.0", "<3"),
        (OPEN.replaced(spec=">=3"), ">=3", "<3"),
        (OPEN.replaced(spec="<3"), "<3", ">=2"),
    ],
)
def test_the_releases_that_are_admitted(pin: Pin, admits: str, refuses: str) -> None:
    ctx = SimpleNamespace(target=SimpleNamespace(pins={"datasets": pin}))
    found = admitted_releases(cast("Any", ctx), "datasets")
    assert found is not None
    assert found.are_all(admits)
    assert not found.are_all(refuses)


@each(
    "pin",
    [
        OPEN.replaced(version="3.0", implied=True),
        OPEN.replaced(fork="acme/datasets"),
        OPEN.replaced(commit="0123456"),
        OPEN.replaced(commits=("0123456",)),
        OPEN.replaced(between=("2.0", "3.0")),
        # Any release may be there.
        OPEN,
        OPEN.replaced(spec="<3", inferred=True),
    ],
)
def test_what_tells_no_release(pin: Pin) -> None:
    ctx = SimpleNamespace(target=SimpleNamespace(pins={"datasets": pin}))
    assert admitted_releases(cast("Any", ctx), "datasets") is None


@each(
    ("pins", "expected"),
    [
        ({}, True),
        ({"datasets": OPEN}, True),
        ({"datasets": OPEN.replaced(spec=">=2.0")}, True),
        ({"datasets": OPEN.replaced(spec="<3")}, False),
        ({"datasets": OPEN.replaced(spec="==3.0")}, False),
        ({"datasets": OPEN.replaced(version="3.0")}, False),
        ({"datasets": OPEN.replaced(commit="0123456")}, False),
        # What imports show, or what a run had, states nothing.
        ({"datasets": OPEN.replaced(spec="<3", inferred=True)}, True),
        ({"datasets": OPEN.replaced(spec="<3", dated=True)}, True),
        # What the newest release needs, in an older release.
        ({"transformers": OPEN}, True),
        ({"transformers": OPEN.replaced(spec="<15")}, False),
        ({"transformers": OPEN.replaced(spec="<15", inferred=True)}, True),
        ({"python": OPEN.replaced(version="3.8")}, False),
        # It asks for no torch.
        ({"torch": OPEN.replaced(version="2.1.0")}, True),
        # Another package.
        ({"wandb": OPEN.replaced(version="0.1")}, True),
    ],
)
def test_what_leaves_a_release_to_pip(pins: dict[str, Pin], expected: bool) -> None:
    ctx = SimpleNamespace(target=SimpleNamespace(pins=pins))
    assert is_free(cast("Any", ctx), "datasets") is expected
