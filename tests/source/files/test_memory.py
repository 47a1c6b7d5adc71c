"""Files in memory that cannot be."""

from __future__ import annotations

import pytest

from cfglint.source.files.memory import InMemory
from tests.draws import each


@each(
    "contents",
    [
        {"a": b"", "a/b": b""},
        {"a/b/c": b"", "a": b""},
        {"a/b/c": b"", "a/b": b""},
        {"": b""},
        {"a\0b": b""},
    ],
)
def test_what_cannot_be(contents: dict[str, bytes]) -> None:
    with pytest.raises(ValueError, match=r"is not a valid path|is both a file and a folder"):
        InMemory(contents)


def test_what_is_given_later_is_not_taken_in() -> None:
    contents = {"a": b"1"}
    files = InMemory(contents)
    contents["b"] = b"2"
    assert not files.exists("b")
    files.names(".").append("c")
    assert files.names(".") == ["a"]
