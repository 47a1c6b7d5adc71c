"""Values that a config takes from its other keys."""

from __future__ import annotations

from typing import Any

from cfglint.base.logic import MISSING, UNKNOWN
from cfglint.frameworks.verl.interpolations import resolved
from tests.draws import each

KEYS: dict[str, Any] = {
    "a": 1,
    "data.size": 8,
    "data.name": "x",
    "data.inner.size": 2,
    "no": None,
    "open": UNKNOWN,
    "0.b-c": "y",
}


def value(text: str, section: str = "data.inner") -> Any:
    return resolved(text, section, lambda key: KEYS.get(key, MISSING))


@each(
    ("text", "expected"),
    [
        # A single reference has the type of what it refers to.
        ("${a}", 1),
        ("${ data.size }", 8),
        ("${0.b-c}", "y"),
        ("${no}", None),
        # Each dot leads one section up, the first to the key's own.
        ("${.size}", 2),
        ("${..size}", 8),
        ("${...a}", 1),
        ("${....a}", UNKNOWN),
        # With other text it is a text.
        ("n${a}m", "n1m"),
        ("${data.name}/${a}", "x/1"),
        ("plain", "plain"),
        ("${a}${open}", UNKNOWN),
        ("${open}", UNKNOWN),
        # A missing key is an error, where no default is asked for.
        ("${none}", UNKNOWN),
        ("${none}x", UNKNOWN),
        ("${oc.select:a,5}", 1),
        ("${oc.select:none,5}", 5),
        ("${oc.select:none, word}", "word"),
        ("${oc.select:none,null}", None),
        ("${oc.select:none}", None),
        ("${oc.select:none,${a}}", 1),
        ("${oc.select:none,${oc.select:nor,${..size}}}", 8),
        ("${oc.select:no,5}", None),
        ("${oc.select:none,[}", UNKNOWN),
        # Other functions, and names that are none.
        ("${oc.env:HOME}", UNKNOWN),
        ("${a,1}", UNKNOWN),
        ("${}", UNKNOWN),
        ("${a b}", UNKNOWN),
        ("${a", UNKNOWN),
        ("", ""),
    ],
)
def test_values(text: str, expected: Any) -> None:
    found = value(text)
    assert found is expected if expected in (UNKNOWN, None) else found == expected
    assert type(found) is type(expected)


@each(("section", "expected"), [("", 1), ("data", UNKNOWN)])
def test_one_dot_is_the_section_itself(section: str, expected: Any) -> None:
    assert value("${.a}", section) is expected or value("${.a}", section) == expected
