"""Which release of a package pip chooses, as far as what is stated leaves it to pip."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from cfglint.environment.pins import Pin
from cfglint.frameworks.trl_programs.imports.releases import is_free
from tests.draws import each

OPEN = Pin(None, None, "")


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
