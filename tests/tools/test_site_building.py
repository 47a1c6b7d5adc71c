"""Building the site: what is refused, what is written, what is told meanwhile."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("mdit_py_plugins", reason="the site needs the extra docs")
from tools.site import building, writing
from tools.site.__main__ import main
from tools.site.building import Plan, SiteError, build
from tools.site.searching import Found
from tools.site.writing import Wanted, write_pages


def test_a_folder_in_use_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()
    with pytest.raises(SiteError, match="is not empty"):
        build(Plan(tmp_path))


def test_a_playground_needs_a_page(tmp_path: Path) -> None:
    with pytest.raises(SiteError, match=r"no index\.html"):
        build(Plan(tmp_path / "site", playground=tmp_path))


def test_dead_links_end_the_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def write(wanted: Wanted, _tell: Callable[[str], None]) -> list[Found]:
        wanted.out.mkdir()
        page = wanted.out / "index.html"
        page.write_text('<head></head><a href="rules/PAK001.html">PAK001</a>')
        (wanted.out / "404.html").write_text("<head></head>")
        return []

    monkeypatch.setattr(building, "write_pages", write)
    with pytest.raises(SiteError, match=r"index\.html: names rules/PAK001\.html, which is not"):
        build(Plan(tmp_path / "dead"))
    playground = tmp_path / "playground"
    (playground / "rules").mkdir(parents=True)
    (playground / "index.html").write_text('<script src="main.js"></script>')
    (playground / "main.js").touch()
    plan = Plan(tmp_path / "site", playground=playground, sample=True, address="https://a.b/c/")
    assert build(plan).pages == 3
    assert (tmp_path / "site" / "playground" / "main.js").is_file()
    # A server shows this page at addresses of any depth.
    assert '<base href="https://a.b/c/">' in (tmp_path / "site" / "404.html").read_text()


def test_pages_are_written_by_several_processes_in_one_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "_AT_ONCE", 100)
    told: list[str] = []
    wanted = Wanted(tmp_path, sample=True, playground=True)
    found = write_pages(wanted, told.append)
    names = [f"{name}.html" for name, _ in writing.pages(wanted)]
    assert told[-1] == f"{len(names)} of {len(names)} pages"
    assert [one.address for one in found] == [
        name for name in names if name not in ("404.html", "search.html")
    ]
    assert all((tmp_path / name).is_file() for name in names)
    start = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert start.count('href="playground/index.html"') == 3  # the head, a button, a card
    assert 'class="t-error"' in start
    guide = (tmp_path / "guides" / "fit.html").read_text(encoding="utf-8")
    assert '<a href="../guides/fit.html" aria-current="page">' in guide
    assert 'href="../static/cfglint.css"' in guide
    assert "@" not in json.dumps([one.title for one in found])


def test_without_the_generator_its_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tools.site.__main__._NEEDED", ("markdown_that_is_not_there",))
    assert main(["--out", str(tmp_path)]) == 2
    assert "pip install -e '.[docs]'" in capsys.readouterr().err
