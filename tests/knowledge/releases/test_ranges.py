"""Plain versions against plain ranges, as `packaging` answers."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from cfglint.knowledge.releases.ranges import exact, is_below, surely_apart, within
from tests.draws import each

_version = st.from_regex(r"\A[0-3](\.[0-3]){0,3}(\.post[0-2]|rc[12]|\.dev0)?\Z")
_plain = st.from_regex(r"\A[0-3](\.[0-3]){0,2}(\.post[0-2])?\Z")
_part = st.builds(
    lambda operator, version: operator + version,
    st.sampled_from(["==", "!=", "<=", ">=", "<", ">"]),
    _plain,
)
_spec = st.lists(_part, max_size=3).map(",".join)


@given(_version, _spec)
def test_within(version: str, spec: str) -> None:
    assert within(version, spec) == SpecifierSet(spec, prereleases=True).contains(version)


def test_neighbouring_versions() -> None:
    versions = ["0.9", "1", "1.0", "1.0.post0", "1.0.post1", "1.0.1", "1.1", "1.0+cu1"]
    plain = [version for version in versions if "+" not in version]
    for version in versions:
        for other in plain:
            for operator in ("==", "!=", "<=", ">=", "<", ">"):
                spec = f"{operator}{other}"
                public = version.partition("+")[0]
                expected = SpecifierSet(spec, prereleases=True).contains(public)
                assert within(version, spec) is expected, (version, spec)
                assert within(version, f"{spec},>=0.1") is expected
                assert not within(version, f"{spec},<0.1")


#: Every version in the neighbourhood of those in the specifiers.
VERSIONS = [
    Version(f"{a}.{b}.{c}{end}")
    for a, b, c in itertools.product(range(4), repeat=3)
    for end in ("", ".post1", "rc1")
]


@given(_spec, _spec)
def test_ranges_apart_share_no_version(first: str, second: str) -> None:
    if surely_apart(first, second):
        both = SpecifierSet(f"{first},{second}", prereleases=True)
        assert not [version for version in VERSIONS if both.contains(version)]


@each(
    ("first", "second", "apart"),
    [
        (">=0.18", "==0.17.0", True),
        ("<0.17", "==0.17.0", True),
        ("~=0.17.0", "==0.17.3", False),
        ("==0.17.*", "==0.18.0", True),
        (">=2", "<2", True),
        (">=2", "<=2", False),
        (">=3.9,<3.12", ">=3.12", True),
        (">=2.0,<3", ">=2.6,<2.8", False),
        ("", "==1", False),
    ],
)
def test_apart(first: str, second: str, apart: bool) -> None:
    assert surely_apart(first, second) is apart
    assert surely_apart(second, first) is apart


@each(
    ("version", "spec", "inside"),
    [
        ("2.6.0+cu124", "==2.6.0", True),
        ("2.7.4.post1", ">2.7.4", False),
        ("2.7.4.post1", ">=2.7.4", True),
        ("1.0", "~=1.0", True),
        ("1.0", "==1.*", True),
        ("nonsense", ">=1", False),
        ("1.0", "nonsense", False),
        ("1" * 5000, ">=1", False),
    ],
)
def test_odd_ones(version: str, spec: str, inside: bool) -> None:
    assert within(version, spec) is inside


def test_exact() -> None:
    assert exact("==1.2.3") == "1.2.3"
    assert exact(">=1.2.3") is None
    assert exact("==1.*") is None


@each(
    ("spec", "version", "expected"),
    [
        ("<1.0", "1.0", True),
        ("<1.0", "0.9", False),
        ("<1.0", "1.1", True),
        ("<=1.0", "1.0", False),
        ("<=1.0", "1.0.1", True),
        ("==0.9", "1.0", True),
        ("==1.0", "1.0", False),
        ("==1.1", "1.0", False),
        ("~=0.9.1", "1.0", True),
        (">=0.5,<0.9", "0.9", True),
        (">=0.5,<0.9", "0.8", False),
        # A part of it, or of which the end is open, may be anything.
        (">=0.5", "0.4", False),
        (">=0.5", "1.0", False),
        ("", "1.0", False),
        ("!=0.5", "1.0", False),
        ("<1.0", "1.0rc1", False),
        ("<2.0", "no version", False),
        ("<nothing", "1.0", False),
        (">=0.5,<nothing", "1.0", False),
    ],
)
def test_ranges_below_a_version(spec: str, version: str, expected: bool) -> None:
    assert is_below(spec, version) is expected
