"""Writes the pages as Markdown files, which the generator makes a site of."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from tools.site import guides, keys, rules
from tools.site.catalogue import entries, titles
from tools.site.key_tables import ROOT, address, every_table, keys_of_rules


def write_pages(
    folder: Path, *, repository: str = "", playground: bool = False, sample: bool = False
) -> int:
    """Write all pages below a folder; how many there are.

    Args:
        repository: the address that files of the repository are read at; empty if there is none.
        playground: whether the site has the page `playground/`.
        sample: write only every fiftieth rule and key, for a quick look; lists have dead links.
    """
    count = 0
    for name, text in _pages(repository, playground=playground, step=50 if sample else 1):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        count += 1
    for name in guides.files():
        path = folder / "guides" / Path(name).relative_to("docs")
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, path)
    return count


def _pages(repository: str, *, playground: bool, step: int) -> Iterator[tuple[str, str]]:
    yield "index.md", guides.start_page()
    yield "404.md", guides.not_found_page()
    for path, name in guides.PAGES.items():
        yield f"guides/{name}.md", guides.guide(path, repository, playground=playground)
    yield "rules/index.md", rules.index_page()
    for home in titles():
        yield f"rules/{home}.md", rules.framework_page(home)
    for entry in entries()[::step]:
        about = keys_of_rules().get(entry.code, [])
        named = [(path, f"../keys/{address(framework, path)}") for framework, path in about]
        yield f"rules/{entry.code}.md", rules.rule_page(entry, named)
        for code in entry.rule.formerly:
            yield f"rules/{code}.md", rules.moved_page(code, entry.rule)
    yield "keys/index.md", keys.index_page()
    for tables in every_table():
        yield f"keys/{tables.framework}.md", keys.framework_page(tables)
        for top, paths in list(tables.pages().items())[::step]:
            yield f"keys/{tables.framework}/{top}.md", keys.key_page(tables, top, paths)
