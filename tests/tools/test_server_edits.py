"""A sample of the campaign over the language server's pipes."""

from __future__ import annotations

from tools.campaigns.server_edits import made_up, run


def test_after_random_edits_findings_are_where_a_fresh_check_has_them() -> None:
    wrong, seconds, _ = run(made_up(0), edits=120, seed=3)
    assert (wrong, len(seconds)) == (0, 120)
