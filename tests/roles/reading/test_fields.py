"""The fields of a release's schema."""

from __future__ import annotations

from typing import Any

from tests.draws import each
from tests.roles.reading.schemas import fields_in

BELOW = ("4.0", "5.0")
TABLE: dict[str, dict[str, dict[str, Any]]] = {
    "": {
        "rate": {
            "since": "2.0",
            "type": "float",
            "default": 2.0,
            "below": {
                "since": "below 4.0",
                "absent": ["below 5.0"],
                "type": "float",
                "defaults": [["below 4.0", 4.0]],
            },
        }
    }
}


@each(
    ("release", "below", "default"),
    [("1.0", "4.0", 4.0), ("2.0", "4.0", 2.0), ("1.0", "5.0", None), ("2.0", "5.0", 2.0)],
)
def test_a_key_of_two_packages(release: str, below: str, default: float | None) -> None:
    fields = fields_in(TABLE, ("1.0", "2.0"), release, below=(BELOW, below)).section("")
    assert (fields["rate"].default if "rate" in fields else None) == default
