"""The frame of every page: the head, the ways around the site, the contents of the page."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from functools import lru_cache
from html import escape
from pathlib import Path

import cfglint
from cfglint.base.record import Record
from tools.site.guides import SECTIONS
from tools.site.rendering import Heading, Rendered

THEME = Path(__file__).parent / "theme"
#: The titles of written pages in the side bar are those of the pages.
_REFERENCE = {"rules/index": "Rules", "keys/index": "Keys"}


class Site(Record):
    """What every page of a site has in common."""

    #: Name of a written page -> its title.
    titles: dict[str, str]
    #: The address of the site, with a slash at the end; empty if it has none yet.
    address: str
    #: Whether the site has the page `playground/`.
    playground: bool


def framed(site: Site, name: str, page: Rendered) -> str:
    """The whole HTML of a page.

    Args:
        name: of the page, as `guides/fit`.
    """
    up = "../" * name.count("/")
    full = page.title if name != "index" else "Find what would go wrong with an LLM training run"
    values = {
        "TITLE": escape(f"{full} - cfglint" if "cfglint" not in full else full),
        "ABOUT": escape(page.summary[:300]),
        "HEAD": f'<link rel="canonical" href="{site.address}{name}.html">' if site.address else "",
        "UP": up,
        "VERSION": escape(cfglint.__version__),
        "PLAYGROUND": f'<a href="{up}playground/index.html">Playground</a>'
        if site.playground
        else "",
        "WAYS": "".join(_ways(site, name, up)),
        "CONTENTS": _contents(page.headings),
        "NEXT": _beside(site, name, up),
        "BODY": page.body,
    }
    out = _template()
    for word, value in values.items():
        out = out.replace(f"@{word}@", value)
    return out


@lru_cache(maxsize=1)
def _template() -> str:
    return (THEME / "page.html").read_text(encoding="utf-8")


def _sections(site: Site) -> dict[str, dict[str, str]]:
    """Heading in the side bar -> the pages below it, with their titles."""
    written = {
        heading: {f"guides/{name}": site.titles.get(name, name) for name in names}
        for heading, names in SECTIONS.items()
    }
    first, *others = written.items()
    return dict([first, ("Reference", _REFERENCE), *others])


def _ways(site: Site, name: str, up: str) -> Iterator[str]:
    """The side bar; the page itself, or the list that it belongs to, is marked."""
    here = name
    if name.startswith(("rules/", "keys/")):
        here = f"{name.partition('/')[0]}/index"
    for heading, pages in _sections(site).items():
        yield f"<h2>{escape(heading)}</h2>\n<ul>\n"
        for page, title in pages.items():
            current = (
                f' aria-current="{"page" if page == name else "true"}"' if page == here else ""
            )
            yield f'<li><a href="{up}{page}.html"{current}>{escape(title)}</a></li>\n'
        yield "</ul>\n"


def _contents(headings: tuple[Heading, ...]) -> str:
    """The headings of the page, as far as a list of them is of use."""
    if len(headings) < 2:
        return ""
    listed = "".join(
        f'<li class="level-{one.level}"><a href="#{escape(one.anchor)}">{escape(one.title)}</a></li>\n'
        for one in headings
    )
    return f'<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>\n{listed}</ul></nav>'


def _beside(site: Site, name: str, up: str) -> str:
    """The written pages before and after this one."""
    pages = [pair for pages in _sections(site).values() for pair in pages.items()]
    names = [page for page, _ in pages]
    if name not in names or posixpath.dirname(name) != "guides":
        return ""
    place = names.index(name)
    links = [
        f'<a class="{kind}" href="{up}{page}.html"><span>{said}</span> {escape(title)}</a>'
        for kind, said, at in (("before", "Previous", place - 1), ("after", "Next", place + 1))
        if 0 <= at < len(pages)
        for page, title in (pages[at],)
    ]
    return f'<nav class="beside" aria-label="Other guides">{"".join(links)}</nav>'
