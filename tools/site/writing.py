"""Writes the pages of the site, on all processors."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache, partial
from pathlib import Path

from cfglint.base.record import Record
from tools.site import guides, keys, rules
from tools.site.catalogue import entries, titles
from tools.site.key_tables import address, every_table, keys_of_rules
from tools.site.layout import Site, framed
from tools.site.rendering import rendered
from tools.site.searching import Found

#: Pages that one process writes at a time.
_AT_ONCE = 50
#: Pages that only list others.
_LIST = re.compile(r"(?:rules|keys)/[a-z]+")
#: Pages that the search does not find.
_NOT_FOUND = ("404", "search")


class Wanted(Record):
    """What pages are written, and where."""

    out: Path
    #: The address that files of the repository are read at; empty if there is none.
    repository: str = ""
    #: The address of the site; empty if it has none yet.
    address: str = ""
    #: Whether the site has the page `playground/`.
    playground: bool = False
    #: Only every fiftieth rule and key, for a quick look; lists have dead links.
    sample: bool = False


def write_pages(wanted: Wanted, tell: Callable[[str], None]) -> list[Found]:
    """Write all pages; what the search is to know of them.

    Args:
        tell: is told how many pages are written.
    """
    count = len(pages(wanted))
    found: dict[int, list[Found]] = {}
    with ProcessPoolExecutor(max_workers=os.cpu_count()) as workers:
        started = {
            workers.submit(_written, wanted, first): first for first in range(0, count, _AT_ONCE)
        }
        for done in as_completed(started):
            found[started[done]] = done.result()
            tell(f"{sum(map(len, found.values()))} of {count} pages")
    every = [one for first in sorted(found) for one in found[first]]
    return [one for one in every if one.address.removesuffix(".html") not in _NOT_FOUND]


def _written(wanted: Wanted, first: int) -> list[Found]:
    """Write some pages, in a process of its own."""
    found = []
    site = _site(wanted)
    for name, made in pages(wanted)[first : first + _AT_ONCE]:
        page = rendered(made())
        path = wanted.out / f"{name}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(framed(site, name, page), encoding="utf-8")
        headings = " ".join(one.title for one in page.headings)
        # What a list names has a page of its own, which is what somebody searches for.
        text = "" if _LIST.fullmatch(name) else page.text
        found.append(Found(f"{name}.html", page.title, page.summary, headings, text))
    return found


@cache
def _site(wanted: Wanted) -> Site:
    return Site(guides.page_titles(), wanted.address, wanted.playground)


@cache
def pages(wanted: Wanted) -> list[tuple[str, Callable[[], str]]]:
    """All pages: their names, such as `guides/fit`, and what makes their Markdown."""
    return list(_pages(wanted, 50 if wanted.sample else 1))


def _pages(wanted: Wanted, step: int) -> Iterator[tuple[str, Callable[[], str]]]:
    has_playground = wanted.playground
    yield "index", partial(guides.start_page, playground=has_playground)
    yield "404", partial(guides.own_page, "404")
    yield "search", partial(guides.own_page, "search")
    for path, name in guides.PAGES.items():
        yield (
            f"guides/{name}",
            partial(guides.guide, path, wanted.repository, playground=has_playground),
        )
    yield "rules/index", rules.index_page
    for home in titles():
        yield f"rules/{home}", partial(rules.framework_page, home)
    for entry in entries()[::step]:
        about = keys_of_rules().get(entry.code, [])
        named = [(path, f"../keys/{address(framework, path)}") for framework, path in about]
        yield f"rules/{entry.code}", partial(rules.rule_page, entry, named)
        for code in entry.rule.formerly:
            yield f"rules/{code}", partial(rules.moved_page, code, entry.rule)
    yield "keys/index", keys.index_page
    for tables in every_table():
        yield f"keys/{tables.framework}", partial(keys.framework_page, tables)
        for top, paths in list(tables.pages().items())[::step]:
            yield f"keys/{tables.framework}/{top}", partial(keys.key_page, tables, top, paths)
