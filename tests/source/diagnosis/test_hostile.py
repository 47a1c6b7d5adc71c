"""Nonsense is diagnosed as quickly as a slip, wherever PyYAML gave up."""

from __future__ import annotations

import random
import time

from cfglint.source.diagnosis import diagnose
from tests.draws import each

SIZE = 1_000_000
SECONDS = 0.6  # a third is what it takes on a slow machine


def noise(letters: str) -> str:
    rng = random.Random(3)
    return "".join(rng.choices(letters, k=SIZE))


TEXTS = {
    "brackets": "a: " + "[" * SIZE,
    "closing": "a: [x" + "]" * 19_000 + "x\n" + "b\n" * 1_000,
    "quotes": "'" * SIZE,
    "open quotes": '- "\\"\n- \'\n' * (SIZE // 9),
    "tabs": "a:\n" + "\tb: 1\n" * (SIZE // 6),
    "dashes": "-" * SIZE,
    "dashes and words": "-- a\n" * (SIZE // 5),
    "spaces": "a: 1\nb" + " " * 19_000 + "x\nc: 1\n",
    "spaces in quotes": 'a: "' + " " * 19_000 + "x\nb: 1\n",
    "colons": "a: b: c\n" * (SIZE // 8),
    "equals": "x: 1\ny " + "=" * SIZE,
    "slashes": "a/" * (SIZE // 2),
    "user at host": "u@" + "h" * 19_000 + " x\n" + "a: 1\n",
    "assignments": "A=b " * (SIZE // 4),
    "backslashes": 'a: "' + "\\" * SIZE,
    "curly": "a: \u201c" * (SIZE // 4),
    "long ago": "abc: 1\n" * (SIZE // 7) + "b 2\nc: 1\n",
    "literal": "a: |\n" + " x\n" * (SIZE // 3) + "b\nc: 1\n",
    "carriage returns": "a: 1\r" * (SIZE // 5) + "b\rc",
    "noise": noise("ab:\"'[]{}#-\n |>&*!%@`\t="),
    "empty": "",
}


@each("name", TEXTS)
def test_takes_no_longer_than_a_slip(name: str) -> None:
    text = TEXTS[name]
    for at in (0, len(text) // 2, max(0, len(text) - 1), len(text)):
        started = time.process_time()
        found = diagnose(text, at, max(0, at - 5))
        assert time.process_time() - started < SECONDS
        if found is not None:
            start, end = found.slip.span
            assert 0 <= start <= end <= len(text)


def test_the_slip_of_a_large_file_is_found() -> None:
    head = "".join(f"key_{number}: {number}\n" for number in range(20_000))
    found = diagnose(head + "micro_batch_size 2\nseed: 1\n", len(head) + 19)
    assert found is not None
    assert found.slip.span.start == len(head)
    # Too large to be read again for a fix.
    assert not found.loads
