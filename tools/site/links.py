"""Checks the links of a built site: every page, anchor and file that it names is there.

Addresses of other hosts are not opened. But a page that would *load* something from one is a problem:
the site is to work without a network.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from cfglint.base.record import Record

#: Elements that load what they name, and the attribute that names it.
_LOADS = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href"}
#: Kinds of `<link>` that name an address without loading it.
_NAMES_ONLY = {"canonical", "next", "prev", "author", "search", "index", "copyright"}


class Page(Record):
    """What a page has and names."""

    anchors: frozenset[str]
    #: Addresses of links.
    links: tuple[str, ...]
    #: Addresses that the page loads by itself.
    loads: tuple[str, ...]


class Checked(Record):
    """The result for a site."""

    pages: int
    links: int
    problems: tuple[str, ...]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        if found.get("id"):
            self.anchors.add(found["id"])
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        elif tag in _LOADS and _LOADS[tag] in found:
            address = found[_LOADS[tag]]
            kinds = set(found.get("rel", "").split())
            (self.links if kinds & _NAMES_ONLY else self.loads).append(address)


def read_page(text: str) -> Page:
    """The anchors, links and loaded files of a page."""
    reader = _Reader()
    reader.feed(text)
    return Page(frozenset(reader.anchors), tuple(reader.links), tuple(reader.loads))


def check(site: Path) -> Checked:
    """Check all pages below a folder."""
    site = site.resolve()
    _target.cache_clear()
    pages = {path: read_page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}
    count = sum(len(page.links) + len(page.loads) for page in pages.values())
    problems = []
    for path, page in sorted(pages.items()):
        name = path.relative_to(site).as_posix()
        problems += [f"{name}: {said}" for said in dict.fromkeys(_wrong(site, path, page, pages))]
    return Checked(len(pages), count, tuple(problems))


def _wrong(site: Path, path: Path, page: Page, pages: dict[Path, Page]) -> Iterator[str]:
    for address in page.loads:
        if urlsplit(address).scheme not in ("", "data") or urlsplit(address).netloc:
            yield f"loads {address} from another host"
    for address in (*page.links, *page.loads):
        parts = urlsplit(address)
        if parts.scheme or parts.netloc:
            continue
        target = _target(path.parent, unquote(parts.path)) if parts.path else path
        if target is None or not target.is_relative_to(site):
            yield f"names {address}, which is not there"
        elif unquote(parts.fragment) not in _anchors(pages, target):
            yield f"names {address}, but the page has no such anchor"


@cache
def _target(folder: Path, address: str) -> Path | None:
    """The file that an address names; most pages of a folder name the same."""
    target = Path(os.path.normpath(folder / address))
    if target.is_dir():
        target /= "index.html"
    return target if target.is_file() else None


def _anchors(pages: dict[Path, Page], target: Path) -> frozenset[str]:
    """What may be named behind `#`: the start, and what the page has."""
    return pages[target].anchors | {""} if target in pages else frozenset({""})
