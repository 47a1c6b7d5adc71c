"""Frames and the lines of code below them."""

from __future__ import annotations

import pytest

from cfglint.answers.logs.tracebacks import Traceback, begins_with_frame


def read(*lines: str) -> Traceback:
    traceback = Traceback()
    for line in lines:
        traceback.takes(line)
    return traceback


@pytest.mark.parametrize(
    ("frame", "below", "expected"),
    [
        ('  File "/a/b.py", line 5, in f', "    return x", ("/a/b.py", 5, "f")),
        ('  File "/a/b.py", line 5', "    return x", ("/a/b.py", 5, "")),
        ("File /a/b.py:5, in C.f(self, x)", "----> 5     return x", ("/a/b.py", 5, "f")),
        ("/a/b.py in f(self, x)", "----> 5     return x", ("/a/b.py", 5, "f")),
        ("  File /a/b.py:5 in f(x)", "    return x", ("/a/b.py", 5, "f")),
        ("/a/b.py:5 in f", "  ❱   5 │   return x", ("/a/b.py", 5, "f")),
        ("/a/b.py:5 in f", "  >   5 │   return x", ("/a/b.py", 5, "f")),
    ],
)
def test_a_frame_and_its_code(frame: str, below: str, expected: tuple[str, int, str]) -> None:
    traceback = read(frame, below)
    assert traceback.frames == [expected]
    assert traceback.code == ["return x"]


def test_the_first_line_below_a_frame_is_its_code() -> None:
    assert read('  File "a.py", line 5, in f', "    g(x)", "    ^^^^").code == ["g(x)"]


def test_an_assertion_is_the_code_of_the_last_frame() -> None:
    first, second = '  File "a.py", line 5, in f', '  File "a.py", line 7, in g'
    assert read(first, "    g()", second, "    assert x == 1").assertion == "assert x == 1"
    assert read(first, "    assert g()", second, "    h()").assertion == ""
    assert read().assertion == ""


def test_what_rich_writes_is_a_frame_only_in_a_traceback() -> None:
    assert begins_with_frame('  File "a.py", line 5, in f')
    assert not begins_with_frame("/a/b.py:5 in f")
