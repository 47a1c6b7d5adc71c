"""Every action on collections in brackets."""

from __future__ import annotations

from tests.draws import each
from tests.fixes.recording import TEXTS, check, recorded


@each(("text", "expected"), recorded("flow"))
def test_every_action(text: str, expected: dict[str, str]) -> None:
    check("flow", text, expected)


def test_every_text_is_recorded() -> None:
    assert [text for text, _ in recorded("flow")] == TEXTS["flow"]
