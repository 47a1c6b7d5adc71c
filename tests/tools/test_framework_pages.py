"""The README and the guides show the frameworks as their `framework.yaml` has them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tools import framework_pages
from tools.framework_pages import ROOT, documented, families, families_table, with_part


def test_the_pages_are_written() -> None:
    stale = [
        path.name
        for path, text in framework_pages.pages().items()
        if path.read_text(encoding="utf-8") != text
    ]
    assert stale == [], "run `python -m tools.framework_pages`"


def test_frameworks_are_in_the_order_of_their_titles() -> None:
    titles = [row["title"] for row in documented().values()]
    assert titles == sorted(titles, key=str.lower)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert (
        re.findall(r"^\| \[([\w-]+)\]\(https.* \| [^|]+ \| [^|]+ \(\d+\) \|$", readme, re.M)
        == titles
    )


def test_a_framework_that_is_not_documented_is_on_no_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = framework_pages.matrix_page(), families_table(), framework_pages.frameworks_table()
    rules = tmp_path / "rules"
    rules.mkdir()
    for entry in framework_pages.RULES.iterdir():
        (rules / entry.name).symlink_to(entry)
    (rules / "own").mkdir()
    (rules / "own" / "framework.yaml").write_text(
        "title: Own\npackages: [own]\nlanguage: yaml\nfamilies: {OWN: Own files}\n",
        encoding="utf-8",
    )
    (rules / "own" / "releases.json").write_text(
        '{"newest": "2.0", "releases": {"1.0": {}, "2.0": {}}}', encoding="utf-8"
    )
    monkeypatch.setattr(framework_pages, "RULES", rules)
    documented.cache_clear()
    try:
        after = framework_pages.matrix_page(), families_table(), framework_pages.frameworks_table()
        assert after == before
        with (rules / "own" / "framework.yaml").open("a", encoding="utf-8") as file:
            file.write(
                "documented: {project: https://example.org/own, files: YAML, recognized_by: luck}\n"
            )
        documented.cache_clear()
        assert families()["OWN"] == "Own files"
        row = "| [Own](https://example.org/own) (YAML) | luck | 1.0 to 2.0 (2) |\n"
        assert row in framework_pages.frameworks_table()
    finally:
        documented.cache_clear()


def test_a_page_without_its_part_is_an_error() -> None:
    with pytest.raises(ValueError, match="0 generated parts"):
        with_part("# A page\n", "| a |\n")
