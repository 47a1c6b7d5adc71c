"""The records of `cfglint.engine` say nothing that nobody has said."""

from __future__ import annotations

from tests.defaults import defaults_that_say_something


def test_defaults_say_nothing() -> None:
    assert defaults_that_say_something("engine") == {
        *("Case.plans", "Case.selection"),
        *("Reason.about", "Reason.endings", "Reason.keeps_notes"),
    }
