"""What the theme leaves out for people who use a keyboard or a screen reader."""

from __future__ import annotations

from pathlib import Path

#: Text of a page as Sphinx and the theme write it -> what takes its place.
_CHANGES = {
    # Headings of the side bar: their level is not said.
    'role="heading"': 'role="heading" aria-level="2"',
    # Two asides that a screen reader lists under one name.
    '<aside class="sidebar-drawer"': '<aside aria-label="Site" class="sidebar-drawer"',
    '<aside class="toc-drawer': '<aside aria-label="On this page" class="toc-drawer',
    # What scrolls sideways has to be reachable without a mouse.
    "<pre>": '<pre tabindex="0">',
    '<div class="table-wrapper': '<div tabindex="0" class="table-wrapper',
}


def polish(site: Path) -> None:
    """Change all pages below a folder.

    Raises:
        ValueError: nothing was left to change, so the theme writes something else by now.
    """
    left = set(_CHANGES)
    for path in site.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        for old, new in _CHANGES.items():
            if old in text:
                left.discard(old)
                text = text.replace(old, new)
        path.write_text(text, encoding="utf-8")
    if left:
        raise ValueError(f"no page has {', '.join(sorted(left))}")
