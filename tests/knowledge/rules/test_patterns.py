"""Which patterns from outside `re` itself may match."""

from __future__ import annotations

from cfglint.knowledge.rules.patterns import is_simple
from tests.draws import each


@each(
    ("pattern", "expected"),
    [
        ("abc", True),
        ("^a.c$", True),
        ("[a-z]+", True),
        ("a*b", True),
        # One repeat varies in number, and of one character only.
        ("a*b*", False),
        ("(ab)+", False),
        ("(a+)+", False),
        ("(?:ab|c)*", False),
        ("a{3}b{2}", True),
        ("a{3}b{2,4}", True),
        ("a{2,3}b{2,4}", False),
        ("a{1000}", True),
        ("a{1001}", False),
        ("a{1001,}", False),
        # Parts that may be left out, up to five.
        ("a?b?c?d?e?", True),
        ("a?b?c?d?e?f?", False),
        ("(a?b?)?(c?|d)?", True),
        ("(a?b?)?(c?|d?)?", False),
        ("(?:ab)?c+", True),
        ("(a|b)c+", True),
        ("(a+|b+)", False),
        # What refers to what was found, or looks around.
        (r"(a)\1", False),
        ("a(?=b)", False),
        ("a(?!b)", False),
        ("(a)?(?(1)b|c)", False),
        ("a" * 500, True),
        ("a" * 501, False),
        ("(", False),
    ],
)
def test_what_is_simple(pattern: str, expected: bool) -> None:
    assert is_simple(pattern) is expected
