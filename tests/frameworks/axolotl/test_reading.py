"""What Axolotl's validation makes of a whole file."""

from __future__ import annotations

from typing import Any

from cfglint.answers.resolved.resolve import resolve
from cfglint.environment.building import build_environment
from cfglint.roles.framework import load_framework
from cfglint.source.text import SourceText
from tests.draws import each

AXOLOTL = load_framework("axolotl")
KD = "axolotl.integrations.kd.KDPlugin"


def read(text: str, release: str) -> dict[str, Any]:
    """The values of a file, with those that are there by default."""
    target = build_environment(AXOLOTL.releases, pins=[f"axolotl=={release}"])
    return resolve(AXOLOTL.language.read(SourceText(text)), AXOLOTL, target).data


@each(
    ("text", "release", "has"),
    [
        (f"plugins: [{KD}]\n", "0.18.0", True),
        ("plugins: [my.fork:KDPlugin]\n", "0.18.0", True),
        ("plugins: [axolotl.integrations.liger.LigerPlugin]\n", "0.18.0", False),
        ("base_model: a/b\n", "0.18.0", False),
    ],
)
def test_the_keys_of_a_plugin_are_read_where_it_is_listed(
    text: str, release: str, has: bool
) -> None:
    assert (read(text + "kd_alpha: 0.5\n", release).get("kd_alpha") == 0.5) is has


@each(
    ("release", "has"),
    [("0.20.0", False), ("0.21.0", True)],
)
def test_a_plugin_that_is_built_in_need_not_be_listed(release: str, has: bool) -> None:
    assert ("expert_parallel_size" in read("{}\n", release)) is has


@each(
    ("entry", "release", "expected"),
    [
        # One class is chosen for an entry, and an empty list has none of its keys.
        ("[]", "0.18.0", dict),
        ("[]", "0.6.0", list),
        ("{path: a/b}", "0.18.0", dict),
    ],
)
def test_an_entry_that_is_an_empty_list(entry: str, release: str, expected: type) -> None:
    found = read(f"base_model: a/b\ndatasets: [{entry}, {{path: c/d}}]\n", release)
    assert isinstance(found["datasets"][0], expected)
    assert found["datasets"][1]["path"] == "c/d"
