"""What an editor offers for keys whose values no schema lists names keys that there are."""

from __future__ import annotations

from cfglint.frameworks.for_files import variant
from cfglint.roles.framework import frameworks, load_framework
from tests.draws import each


@each("name", sorted(frameworks()))
def test_what_is_offered_is_for_keys_of_the_framework(name: str) -> None:
    framework = load_framework(name)
    offers = framework.row["offers"]
    places = [*offers["models"], *offers["modules"], *offers["files"], *offers["names"]]
    kinds = ("", *framework.row["kinds"])
    tables = [variant(framework, kind=kind).keys for kind in kinds]
    for place in places:
        section, _, key = place.rpartition(".")
        assert any(table.info(section, key) for table in tables), place
    for one, other in offers["alike"].items():
        assert framework.keys.info("", one)
        assert framework.keys.info("", other)
