"""Masks of releases, against brute force over the versions that a pin admits."""

from __future__ import annotations

import itertools
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from cfglint.knowledge.compiling.masks import ReleaseTable
from tests.draws import examples

#: Every version in the neighbourhood of those in the specifiers.
VERSIONS = [f"{a}.{b}.{c}" for a, b, c in itertools.product(range(4), range(5), range(5))]
numbers = st.builds(lambda a, b, c: f"{a}.{b}.{c}", *(st.integers(1, 2) for _ in range(3)))
specs = st.lists(
    st.builds(
        lambda operator, version: f"{operator}{version}",
        st.sampled_from([">=", "<=", "<", ">", "==", "~="]),
        numbers,
    ),
    min_size=1,
    max_size=2,
).map(",".join)


def masks(pin: str | None, spec: str) -> tuple[int, int]:
    pins = {} if pin is None else {"trl": pin}
    table = ReleaseTable("axolotl", "1.0.0", {"1.0.0": {"pins": pins}})
    return table.masks("trl", spec)


@settings(max_examples=examples(300), deadline=None)
@given(specs, specs)
def test_never_sure_of_what_is_not_so(pin: str, spec: str) -> None:
    """`yes` only when every admitted version is wanted, neither bit only when none is."""
    pinned, wanted = SpecifierSet(pin), SpecifierSet(spec)
    admitted = [wanted.contains(version) for version in VERSIONS if pinned.contains(version)]
    yes, maybe = masks(pin, spec)
    assert not (yes and maybe)
    if yes:
        assert all(admitted)
    if not yes and not maybe:
        assert not any(admitted)


@given(numbers, specs)
def test_exact_pins_are_decided(version: str, spec: str) -> None:
    yes, maybe = masks(f"=={version}", spec)
    assert maybe == 0
    assert bool(yes) is SpecifierSet(spec).contains(version)


@given(specs)
def test_no_pin_is_open(spec: str) -> None:
    assert masks(None, spec) == (0, 1)


@given(specs)
def test_own_releases(spec: str) -> None:
    releases: dict[str, dict[str, Any]] = {version: {"pins": {}} for version in VERSIONS[::7]}
    table = ReleaseTable("axolotl", VERSIONS[-1], releases)
    assert table.versions == sorted(releases, key=Version)
    expected = sum(
        1 << bit
        for bit, version in enumerate(table.versions)
        if SpecifierSet(spec).contains(version)
    )
    assert table.masks("axolotl", spec) == (expected, 0)


def test_an_open_package_is_as_new_as_the_release() -> None:
    releases: dict[str, dict[str, Any]] = {
        "1.0": {"pins": {"lib": ">=4.46.0"}},
        "1.1": {"pins": {"lib": ">=4.46.0"}},
        "1.2": {"pins": {}},
    }
    beside = {"lib": {"1.0": "4.46.0", "1.1": "4.49.0", "1.2": "4.49.0"}}
    table = ReleaseTable("own", "1.2", releases, beside)
    assert table.masks("lib", ">=4.46.1") == (0b010, 0b101)
    # What ends may be behind the version that an installation of today gets.
    assert table.masks("lib", ">=4.46.1,<5") == (0, 0b111)


_ENDS = [
    f"{sign}{version}"
    for version in ("0.0.1", "0.1.0", "1.0.0", "1.1.0", "1.1.2", "2.0.0")
    for sign in (">=", "<", ">", "<=")
]
_RANGES = [*_ENDS, ">=1.0,<1.1", ">=1.1.2,<2.0", "==1.1.*"]
#: For each range as a pin, whether another one is wanted by all it admits, by none, or by some or perhaps none.
_DECIDED = [
    "yn?????????????????????????",
    "nynynynynynynynynynynynynnn",
    "ynyn???????????????????????",
    "??nynynynynynynynynynynynnn",
    "ynynyn?????????????????????",
    "????nynynynynynynynynynynnn",
    "ynynynyn???????????????????",
    "??????nynynynynynynynynynnn",
    "ynynynynyn?????????????????",
    "????????nynynynynynynynynnn",
    "ynynynynynyn???????????????",
    "??????????nynynynynynyny?nn",
    "ynynynynynynyn??????????n??",
    "????????????nynynynynyny?nn",
    "ynynynynynynynyn????????n??",
    "??????????????nynynynyny?n?",
    "ynynynynynynynynyn??????n??",
    "????????????????nynynyny?n?",
    "ynynynynynynynynynyn????n??",
    "??????????????????nynyny???",
    "ynynynynynynynynynynyn??nnn",
    "????????????????????nyny???",
    "ynynynynynynynynynynynynnnn",
    "??????????????????????ny???",
    "ynynynynyn??nynynynynynyynn",
    "ynynynynynynynynyn??nynyny?",
    "ynynynynynynyn??????nynyn?y",
]


def test_what_is_decided_of_ranges() -> None:
    def shown(pin: str, spec: str) -> str:
        yes, maybe = masks(pin, spec)
        return "y" if yes else "?" if maybe else "n"

    assert ["".join(shown(pin, spec) for spec in _RANGES) for pin in _RANGES] == _DECIDED
