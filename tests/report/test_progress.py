"""The line at a terminal that says how far a run is."""

from __future__ import annotations

import io
import time

import pytest

from cfglint.report.progress import ProgressLine


def test_it_is_shown_after_a_second_and_ten_times_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    stream = io.StringIO()
    line = ProgressLine(stream)
    line.wipe()
    for at, text in (
        *((100.0, "first"), (100.99, "early"), (101.0, "due"), (101.05, "soon")),
        *((101.11, "next"), (101.2, "again"), (150.0, "late")),
    ):
        now[0] = at
        line.say(text)
    assert stream.getvalue() == "\r\x1b[Kdue\r\x1b[Knext\r\x1b[Klate"
    line.wipe()
    line.wipe()
    assert stream.getvalue().endswith("late\r\x1b[K")
    now[0] = 151.0
    line.say("more")
    assert stream.getvalue().endswith("late\r\x1b[K\r\x1b[Kmore")
