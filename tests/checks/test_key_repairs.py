"""Other sections for a key that is not read."""

from __future__ import annotations

from tests.linting import lint


def test_other_sections_that_have_the_key() -> None:
    text = "base_model: a/b\nspecial_tokens:\n  learning_rate: 0.1\n"
    (found,) = [d for d in lint(text) if d.path == ("special_tokens", "learning_rate")]
    (fix,) = found.fixes
    assert found.name == "misplaced-key"
    assert fix.paths == (("special_tokens", "learning_rate"), ("learning_rate",))
