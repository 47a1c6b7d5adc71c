"""The oracle of the reading tests: `yaml.load` with the pure-Python SafeLoader."""

from __future__ import annotations

from typing import Any

import yaml

from cfglint.source.languages.yaml import compose
from cfglint.source.problems import ProblemKind, SourceError
from cfglint.source.text import SourceText
from cfglint.source.values import to_python

#: Rules and limits of ours that `yaml.safe_load` does not have.
OURS_ALONE = {
    ProblemKind.ROOT_NOT_MAPPING,
    ProblemKind.EMPTY,
    ProblemKind.TOO_DEEP,
    ProblemKind.ALIAS_EXPANSION,
    ProblemKind.ALIAS_CYCLE,
}
REFUSED = object()


def oracle(text: str) -> Any:
    """What `yaml.safe_load` gives, or REFUSED."""
    try:
        return yaml.load(text, Loader=yaml.SafeLoader)
    except (yaml.YAMLError, ValueError, ArithmeticError, LookupError, TypeError, AttributeError):
        return REFUSED


def read(text: str) -> Any:
    """What we give, REFUSED, or the kind of problem that is ours alone."""
    try:
        return to_python(compose(SourceText.from_str(text)).root)
    except SourceError as error:
        return error.kind if error.kind in OURS_ALONE else REFUSED


def assert_same(ours: Any, theirs: Any, *, in_order: bool = True) -> None:
    """Equality that tells types apart and takes NaN for NaN.

    Args:
        ours: a value made of lists, mappings and scalars.
        theirs: another one.
        in_order: whether the order of keys counts.
    """
    assert type(ours) is type(theirs)
    if isinstance(ours, dict):
        assert len(ours) == len(theirs)
        pairs = zip(_entries(ours, in_order), _entries(theirs, in_order), strict=True)
        for (key, value), (other_key, other) in pairs:
            assert_same(key, other_key, in_order=in_order)
            assert_same(value, other, in_order=in_order)
    elif isinstance(ours, (list, tuple)):
        assert len(ours) == len(theirs)
        for item, other in zip(ours, theirs, strict=True):
            assert_same(item, other, in_order=in_order)
    else:
        assert ours == theirs or (ours != ours and theirs != theirs)


def _entries(mapping: dict[Any, Any], in_order: bool) -> list[tuple[Any, Any]]:
    entries = list(mapping.items())
    return (
        entries if in_order else sorted(entries, key=lambda entry: repr((type(entry[0]), entry[0])))
    )


#: Forms of which PyYAML makes something and that no config uses are refused, with these words.
_ON_PURPOSE = ("does not fit a", "cannot be a key", "is not one key", "has a special meaning")


def refused_on_purpose(text: str) -> bool:
    try:
        compose(SourceText.from_str(text))
    except SourceError as error:
        words = str(error.details.get("problem", ""))
        return ("!" in text or "=" in text) and any(part in words for part in _ON_PURPOSE)
    return False


def assert_read_alike(text: str) -> None:
    if refused_on_purpose(text):
        return
    ours = read(text)
    if not isinstance(ours, ProblemKind):
        # The order of merged keys hangs on the release of PyYAML: 6.0.4 has another one.
        assert_same(ours, oracle(text), in_order="<<" not in text)
