"""Which parts of a log are read."""

from __future__ import annotations

import io

import pytest

from cfglint.answers.logs import parts as module
from cfglint.answers.logs.parts import parts

#: The sizes as they are.
SIZES = {name: getattr(module, name) for name in ("HEAD", "TAIL", "CHUNK", "REACH")}


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sizes at which a short text is a long log."""
    monkeypatch.setattr(module, "HEAD", 1_000)
    monkeypatch.setattr(module, "TAIL", 1_000)
    monkeypatch.setattr(module, "CHUNK", 300)
    monkeypatch.setattr(module, "REACH", 50)


def read(text: str) -> list[tuple[int, str]]:
    return [(part.line, part.text.decode()) for part in parts(io.BytesIO(text.encode()))]


def test_a_short_log_is_read_in_full() -> None:
    assert read("a\nb\n") == [(1, "a\nb\n")]
    assert read("") == [(1, "")]


def test_of_a_long_log_head_tail_and_windows_around_errors_are_read() -> None:
    rows = [f"step {number:04}" for number in range(1_000)]
    rows[500] = "ValueError: in the middle"
    found = read("\n".join(rows))
    numbered = [
        (number, line)
        for first, text in found
        for number, line in enumerate(text.split("\n"), first)
        if line.startswith("step ") and len(line) == 9
    ]
    assert all(int(line[5:]) == number - 1 for number, line in numbered)
    assert numbered[0][0] == 1
    assert numbered[-1][0] == 1_000
    windows = [text for _, text in found if "in the middle" in text]
    assert len(windows) == 1
    assert "step 0499" in windows[0]
    assert sum(len(text) for _, text in found) < 4_000


def test_errors_that_are_close_together_share_a_window() -> None:
    rows = ["x" * 9] * 1_000
    rows[500] = rows[503] = "KeyError: 1"
    assert [text.count("KeyError") for _, text in read("\n".join(rows))][1:-1] == [2]


def test_there_are_not_endless_windows() -> None:
    rows = [f"{'x' * 200}\nTypeError: {number}" for number in range(500)]
    assert len(read("\n".join(rows))) <= module.MAX_WINDOWS + 2


def test_an_error_across_two_chunks_is_found() -> None:
    for shift in range(300):
        text = "y" * shift + "\n" + "z\n" * 800 + "RuntimeError: here\n" + "z\n" * 1_500
        assert any("RuntimeError: here" in part for _, part in read(text)), shift


def numbered(found: list[tuple[int, str]]) -> list[tuple[int, str]]:
    return [
        (number, line)
        for first, text in found
        for number, line in enumerate(text.split("\n"), first)
    ]


@pytest.mark.parametrize("count", [20, 450, 5_000])
def test_of_too_many_lines_the_first_and_the_last_are_read(
    monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    monkeypatch.setattr(module, "MAX_LINES", 40)
    monkeypatch.setattr(module, "HEAD", 2_000)
    found = read("".join(f"{number:04}\n" for number in range(1, count + 1)))
    rows = [(number, line) for number, line in numbered(found) if len(line) == 4]
    assert all(f"{number:04}" == line for number, line in rows)
    assert (rows[0][0], rows[-1][0]) == (1, count)
    assert len(rows) <= 2 * 40


@pytest.mark.parametrize("text", ["Error: \n" * 10_000, ("a\n" * 40 + "Error: \n") * 1_000])
def test_windows_full_of_errors_have_few_lines(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(module, "MAX_LINES", 400)
    monkeypatch.setattr(module, "MAX_WINDOW", 200)
    found = read(text)
    assert len(found) > 3
    assert len(numbered(found)) <= 3 * 400 + len(found)


def test_windows_in_a_log_without_line_ends_are_short() -> None:
    found = read("x" * 1_100 + ("Error: " + "y" * 293) * 100)
    assert max(len(part) for _, part in found[1:-1]) <= module.MAX_WINDOW
    assert sum("Error: " in part for _, part in found) > 10


def test_how_much_of_a_log_is_read_in_full(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first megabyte, and the last four."""
    for name, size in SIZES.items():
        monkeypatch.setattr(module, name, size)
    row, rows = b"x" * 999 + b"\n", 9_000
    log = bytearray(row * rows)
    marks = {
        b"first": 0,
        b"early": 1_000,
        b"between": 3_000,
        b"late": rows - 4_100,
        b"end": rows - 1,
    }
    for mark, line in marks.items():
        log[line * 1_000 : line * 1_000 + len(mark)] = mark
    text = b"".join(part.text for part in parts(io.BytesIO(log)))
    assert [mark for mark in marks if mark in text] == [b"first", b"early", b"late", b"end"]
