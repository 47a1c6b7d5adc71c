"""What a tag needs before anything is published."""

from __future__ import annotations

import pytest

from tools.release.notes import NotReady, notes

PACKAGE = '__version__ = "1.2.0"\n'
CHANGELOG = "# Changelog\n\n## 1.2.0 (2030-01-31)\n\n- New.\n\n## 1.1.0 (2029-01-31)\n\n- Old.\n"


def test_the_section_of_a_release() -> None:
    assert notes("v1.2.0", CHANGELOG, PACKAGE) == "- New.\n"
    last = notes("v1.1.0", CHANGELOG, '__version__ = "1.1.0"\n')
    assert last == "- Old.\n"


@pytest.mark.parametrize(
    ("tag", "changelog", "why"),
    [
        ("v1.3.0", CHANGELOG, "not v1.2.0"),
        ("1.2.0", CHANGELOG, "not v1.2.0"),
        ("v1.2.0", "# Changelog\n", "no section"),
        ("v1.2.0", CHANGELOG.replace("2030-01-31", "not released"), "no date"),
        ("v1.2.0", CHANGELOG.replace("- New.\n", ""), "empty"),
    ],
)
def test_what_is_not_ready_is_said(tag: str, changelog: str, why: str) -> None:
    with pytest.raises(NotReady, match=why):
        notes(tag, changelog, PACKAGE)
