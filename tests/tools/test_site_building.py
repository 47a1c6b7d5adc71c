"""Building the site: what is refused, and what is added to Sphinx's pages."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.site import building
from tools.site.__main__ import main
from tools.site.building import Plan, SiteError, build
from tools.site.polishing import polish

PAGE = (
    '<head></head><aside class="sidebar-drawer"><p role="heading">Start</p></aside>'
    '<pre>code</pre><div class="table-wrapper x"></div><aside class="toc-drawer no-toc"></aside>'
)


def test_a_folder_in_use_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()
    with pytest.raises(SiteError, match="is not empty"):
        build(Plan(tmp_path))


def test_a_playground_needs_a_page(tmp_path: Path) -> None:
    with pytest.raises(SiteError, match=r"no index\.html"):
        build(Plan(tmp_path / "site", playground=tmp_path))


def test_dead_links_end_the_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def write(_pages: Path, out: Path, _doctrees: Path, _plan: Plan) -> None:
        out.mkdir()
        (out / "index.html").write_text(f'{PAGE}<a href="rules/PAK001.html">PAK001</a>')
        (out / "404.html").write_text(PAGE)

    monkeypatch.setattr(building, "write_pages", lambda *_args, **_options: 2)
    monkeypatch.setattr(building, "_run_sphinx", write)
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


def test_pages_are_made_accessible(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(PAGE)
    polish(tmp_path)
    text = (tmp_path / "index.html").read_text()
    assert '<p role="heading" aria-level="2">' in text
    assert '<pre tabindex="0">' in text
    assert text.count("aria-label=") == 2
    assert '<div tabindex="0" class="table-wrapper x">' in text
    (tmp_path / "index.html").write_text("<p>another theme</p>")
    with pytest.raises(ValueError, match="no page has"):
        polish(tmp_path)


def test_without_the_generator_its_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tools.site.__main__._NEEDED", ("sphinx_that_is_not_there",))
    assert main(["--out", str(tmp_path)]) == 2
    assert "pip install -e '.[docs]'" in capsys.readouterr().err
