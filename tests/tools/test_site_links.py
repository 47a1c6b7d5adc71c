"""The check of a site's links: what it takes for a link, and what it finds."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.site.links import check


def site(folder: Path, **pages: str) -> Path:
    for name, text in pages.items():
        path = folder / f"{name.replace('__', '/')}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def test_links_that_lead_somewhere(tmp_path: Path) -> None:
    (tmp_path / "style.css").touch()
    folder = site(
        tmp_path,
        index='<a id="top" href="rules/A.html#x%20y">A</a><a href="#top">up</a><a href="#">up</a>'
        '<link rel="stylesheet" href="style.css?v=1"><a href="https://example.com/x">out</a>'
        '<a href="rules/">rules</a><link rel="canonical" href="https://example.com/">',
        rules__A='<h2 id="x y">X</h2><a href="../index.html">up</a>',
        rules__index="<p>",
    )
    checked = check(folder)
    assert (checked.pages, checked.links, checked.problems) == (3, 8, ())


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ('<a href="b.html">', "names b.html, which is not there"),
        ('<a href="#x">', "names #x, but the page has no such anchor"),
        ('<a href="rules/A.html#y">', "names rules/A.html#y, but the page has no such anchor"),
        ('<a href="empty">', "names empty, which is not there"),
        ('<a href="../outside.html">', "names ../outside.html, which is not there"),
        ('<img src="a.png">', "names a.png, which is not there"),
        ('<script src="//x.org/a.js">', "loads //x.org/a.js from another host"),
        (
            '<link rel="stylesheet" href="https://x.org/a.css">',
            "loads https://x.org/a.css from another host",
        ),
    ],
)
def test_links_that_do_not(tmp_path: Path, link: str, said: str) -> None:
    (tmp_path / "outside.html").touch()
    folder = site(tmp_path / "site", index=link, rules__A='<h2 id="x">X</h2>')
    (folder / "empty").mkdir()
    assert check(folder).problems == (f"index.html: {said}",)
