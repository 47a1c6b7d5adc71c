"""Versions against ranges, without `packaging` where both are plain numbers.

Importing `packaging` costs half of what a whole plain check does; nearly every stated version, and nearly every
range that a release states, is plain.
"""

from __future__ import annotations

from functools import lru_cache

from cfglint.base.lazy import lazy_pattern

_PLAIN = lazy_pattern(r"(\d+(?:\.\d+)*)(?:\.post(\d+))?")
_PART = lazy_pattern(r"(==|!=|<=|>=|<|>)(\d+(?:\.\d+)*)(?:\.post(\d+))?")
_Key = tuple[tuple[int, ...], int]


def _key(release: str, post: str | None) -> _Key:
    numbers = [int(number) for number in release.split(".")]
    while len(numbers) > 1 and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers), -1 if post is None else int(post)


@lru_cache(maxsize=4096)
def within(version: str, spec: str) -> bool:
    """Whether a version lies in a range (PEP 440); its local part does not count.

    What is not a version is not in any range.
    """
    version = version.partition("+")[0]
    plain = _PLAIN.fullmatch(version)
    if plain is not None and len(version) < 40:
        found = _plain_within(_key(plain.group(1), plain.group(2)), spec)
        if found is not None:
            return found
    from packaging.specifiers import SpecifierSet

    try:
        return SpecifierSet(spec, prereleases=True).contains(version)
    except ValueError:  # no range, no version, or a number with thousands of digits
        return False


def _plain_within(version: _Key, spec: str) -> bool | None:
    if len(spec) > 200:
        return None
    for text in spec.split(","):
        part = _PART.fullmatch(text.strip())
        if part is None:
            return None
        operator, other = part.group(1), _key(part.group(2), part.group(3))
        # Strict comparisons have exceptions for post-releases of the same version.
        if operator in "<>" and (version[0] == other[0]):
            if version[1] >= 0 or other[1] >= 0:
                return None
            return False
        if not _holds(version, operator, other):
            return False
    return True


def _holds(version: _Key, operator: str, other: _Key) -> bool:
    if operator == "==":
        return version == other
    if operator == "!=":
        return version != other
    if operator == "<=":
        return version <= other
    if operator == ">=":
        return version >= other
    return version < other if operator == "<" else version > other


def is_below(spec: str, version: str) -> bool:
    """Whether a range names only releases before a version; false when that is not certain."""
    named = [_PLAIN.search(part) for part in spec.split(",")]
    bounded = any(sign in spec for sign in ("<", "~=", "=="))
    own = _PLAIN.fullmatch(version)
    if own is None or not bounded or within(version, spec):
        return False
    last = _key(own.group(1), own.group(2))
    return all(one is not None and _key(one.group(1), one.group(2)) <= last for one in named)


def exact(spec: str) -> str | None:
    """The only version in a range of the form `==1.2.3`."""
    part = _PART.fullmatch(spec.strip())
    return spec.strip()[2:] if part is not None and part.group(1) == "==" else None


@lru_cache(maxsize=4096)
def surely_apart(first: str, second: str) -> bool:
    """Whether no version can lie in both ranges; false when that is not certain."""
    for one, other in ((first, second), (second, first)):
        only = exact(one)
        if only is not None:
            return not within(only, other)
    lows, highs = [], []
    for text in f"{first},{second}".split(","):
        part = _PART.fullmatch(text.strip())
        if part is None or part.group(3) is not None:
            continue
        if part.group(1).startswith(">"):
            lows.append(_key(part.group(2), None)[0])
        elif part.group(1).startswith("<"):
            highs.append((_key(part.group(2), None)[0], part.group(1) == "<"))
    # Zeros at the end are gone, so that shorter numbers compare as the smaller ones they are.
    return any(low > high or (strict and low == high) for low in lows for high, strict in highs)
