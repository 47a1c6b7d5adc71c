"""The whole site: built, its links, the texts of all rules, and how it looks in Chromium."""

from __future__ import annotations

import functools
import http.server
import json
import os
import re
import shutil
import subprocess
import threading
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from cfglint.base.documentation import rule_page
from cfglint.report.pages.explain import render
from cfglint.report.pages.rule_page import page_of
from cfglint.report.style import Style
from tools.site.catalogue import entries
from tools.site.links import check

pytestmark = [pytest.mark.doors, pytest.mark.xdist_group("site")]
ROOT = Path(__file__).resolve().parents[2]
LOOK = Path(__file__).parent / "site"
PAGES = (
    "index.html",
    "rules/PAK001.html",
    "rules/index.html",
    "rules/axolotl.html",
    "keys/index.html",
    "keys/axolotl.html",
    "keys/axolotl/datasets.html",
    "keys/axolotl/optimizer.html",
    "guides/first-run.html",
    "guides/fit.html",
    "404.html",
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site: the one that CI has built already, or a new one."""
    built = os.environ.get("CFGLINT_BUILT_SITE")
    if built:
        return Path(built)
    for needed in ("mdit_py_plugins", "pygments", "a11y_pygments"):
        pytest.importorskip(needed, reason="the site needs the extra docs")
    from tools.site.building import Plan, build

    out = tmp_path_factory.mktemp("site") / "site"
    build(Plan(out))
    return out


class _Text(HTMLParser):
    """The text of a page's article, without its code blocks."""

    def __init__(self) -> None:
        super().__init__()
        self.text = ""
        self._left_out = 0
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside |= tag == "article"
        self._left_out += tag == "pre"

    def handle_endtag(self, tag: str) -> None:
        self._inside &= tag != "article"
        self._left_out -= tag == "pre"
        if tag in ("p", "li", "h1", "h2", "td", "th", "div"):
            self.text += " "

    def handle_data(self, data: str) -> None:
        if self._inside and not self._left_out:
            self.text += data


def article(path: Path) -> str:
    """The words of a page, with one space between them."""
    reader = _Text()
    reader.feed(path.read_text(encoding="utf-8"))
    return " ".join(reader.text.split())


def test_all_links_lead_somewhere(site: Path) -> None:
    checked = check(site)
    assert checked.problems == ()
    assert checked.pages > len(entries())


def test_every_finding_leads_to_a_page(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CFGLINT_SITE", site.as_uri())
    codes = [code for one in entries() for code in (one.code, *one.rule.formerly)]
    assert len(codes) > 1000
    lost = [code for code in codes if not Path(rule_page(code).removeprefix("file://")).is_file()]
    assert lost == []


def test_explain_says_what_the_pages_say(site: Path) -> None:
    differ = []
    for one in entries():
        page, shown = page_of(one.rule, one.knowledge), article(site / f"rules/{one.code}.html")
        said = render(one.rule, one.knowledge, Style(color=False), 100_000)
        # Without examples, which a page shows in full, and tables, whose cells `explain` aligns.
        text = re.split(r"\n(?:Fix|Example|Not reported|Evidence)\b.*\n", said, maxsplit=1)[0]
        lines = [" ".join(line.replace("`", "").split()) for line in text.splitlines()]
        lines = [re.sub(r"^[-*] |^\d+[.)] ", "", line) for line in lines if "  " not in line[8:]]
        lines += [*page.fixes, *(title for _, title, _ in page.references)]
        plain = shown.replace("`", "")
        missing = [line for line in lines[3:] if _comparable(line) not in _comparable(plain)]
        if missing:
            differ.append((one.code, missing[0]))
    assert differ == []


def _comparable(text: str) -> str:
    """The letters and signs of a text: spaces, badges' dots and code marks differ."""
    return re.sub(r"[\s`·|]|\(https?:[^)]*\)", "", text)


@pytest.fixture(scope="module")
def seen(site: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What Chromium and axe find on the pages."""
    npm, node = shutil.which("npm"), shutil.which("node")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if npm is None or node is None or chromium is None:
        pytest.skip("Chromium and node are not both installed")
    folder = tmp_path_factory.mktemp("look")
    shutil.copytree(LOOK, folder, dirs_exist_ok=True)
    command = [npm, "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"]
    subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, check=True, timeout=300)
    wanted = json.dumps({"pages": PAGES, "query": "eval_sample_packing"})
    with served(site) as address:
        done = subprocess.run(
            [node, "look.mjs", address, chromium, wanted, str(folder)],
            cwd=folder,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=600,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


class served:  # noqa: N801 - reads as a function where it is used
    """A server of a folder's files on a port of this machine."""

    def __init__(self, folder: Path) -> None:
        handler = functools.partial(_Quiet, directory=str(folder))
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)

    def __enter__(self) -> str:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{self._server.server_port}/"

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Nothing: requests are no output of a test."""


def test_axe_finds_nothing_serious(seen: dict[str, Any]) -> None:
    assert [one for one in seen["axe"] if one["impact"] in ("serious", "critical")] == []


def test_nothing_is_loaded_from_elsewhere(seen: dict[str, Any]) -> None:
    assert (seen["elsewhere"], seen["errors"]) == ([], [])


def test_no_page_scrolls_sideways(seen: dict[str, Any]) -> None:
    assert seen["wide"] == []


def test_blocks_are_copied_without_prompts(seen: dict[str, Any]) -> None:
    assert seen["copied"] == ["cfglint docs/examples/train.yml --select KEY002"] * 4


def test_the_scheme_of_colors_can_be_chosen_and_is_kept(seen: dict[str, Any]) -> None:
    assert seen["schemes"] == ["dark", "dark", "light", "light"]


def test_results_have_summaries_in_words(seen: dict[str, Any]) -> None:
    assert seen["summaries"][0][0] == "Packs evaluation samples into full sequences, too."


def test_a_key_is_found_by_typing_its_name(seen: dict[str, Any]) -> None:
    assert len(seen["results"]) == 4
    for titles in seen["results"]:
        assert titles[0] == "eval_sample_packing (Axolotl)"
        assert "PAK001 packed-eval-deadlock" in titles
