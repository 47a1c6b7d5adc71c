"""The playground as its readers meet it: served as files, opened in Chromium, written in."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from tests.doors.commands import finished
from tools.campaigns.server_edits import made_up

pytestmark = pytest.mark.doors
ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "tools" / "playground" / "page"
#: Seconds and milliseconds; other work on the machine makes them longer than they are alone.
FIRST, STROKE = 15.0, 450.0


class Quiet(SimpleHTTPRequestHandler):
    """Serves a folder, and prints nothing."""

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def served(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """The address of a folder, and the paths that were asked for there."""
    asked: list[str] = []

    class Counting(Quiet):
        def send_head(self) -> Any:
            asked.append(self.path)
            return super().send_head()

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Counting, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/", asked
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def program(*names: str) -> str:
    for name in names:
        if found := shutil.which(name):
            return found
    pytest.skip(f"{names[0]} is not installed")


def test_the_playground(tmp_path: Path) -> None:
    """All in one: it is built once, also where tests run on several processes."""
    npm, node = program("npm"), program("node")
    chromium = program("chromium", "chromium-browser", "google-chrome")
    own = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"}
    build = [sys.executable, "-m", "tools.playground", "--out", str(tmp_path / "site")]
    build += ["--documentation", ".."]
    finished(build, ROOT, own)
    page = tmp_path / "page"
    shutil.copytree(PAGE, page, ignore=shutil.ignore_patterns("node_modules"))
    finished([npm, "ci", "--prefer-offline"], page)
    finished([npm, "run", "lint"], page)
    long = tmp_path / "long.yml"
    long.write_text(made_up(1, 300), encoding="utf-8")
    with served(tmp_path / "site") as (address, asked), served(tmp_path) as (elsewhere, reached):
        told = finished([node, "test/browser.mjs", chromium, address, elsewhere, str(long)], page)
    seen = {**json.loads(told), "asked": asked, "reached_elsewhere": reached}
    a_mistake_is_found_and_repaired(seen)
    the_form_says_what_it_is_checked_for(seen)
    files_are_checked_together_and_shared_by_link(seen)
    it_explains_and_proposes_keys(seen)
    nothing_is_fetched_from_or_sent_to_another_place(seen)
    it_can_be_used_by_everybody(seen)
    it_is_quick(seen)
    it_is_small(tmp_path / "site")


def it_is_small(site: Path) -> None:
    """Less than 10 MB are loaded until the first finding, as a server compresses them."""
    [engine] = site.glob("engine-*")
    loaded = [*site.glob("*.js"), *engine.glob("pyodide*"), engine / "memory.bin.gz"]
    assert sum(len(gzip.compress(path.read_bytes())) for path in loaded) < 10_000_000


def a_mistake_is_found_and_repaired(seen: dict[str, Any]) -> None:
    assert seen["example"] == ["KEY002", "KEY001", "DST553"]
    assert seen["rule"] == "../rules/KEY002.html"
    assert seen["patch"] == [
        "-num_train_epochs: 3",
        "+num_epochs: 3",
        '-    "overlap_com": true',
        '+    "overlap_comm": true',
    ]
    repaired = "# 模型🚀🚀\nbase_model: a/b\nlearning_rate: 1"
    assert seen["repaired"] == seen["applied"] == repaired
    assert seen["cursor"] == "learning_ratee: 1"


def the_form_says_what_it_is_checked_for(seen: dict[str, Any]) -> None:
    assert "Checked for axolotl 0.18.0, 8 GPUs, h100" in seen["target"]
    assert "'abacus' is not a GPU that cfglint knows" in seen["refused"]


def files_are_checked_together_and_shared_by_link(seen: dict[str, Any]) -> None:
    assert seen["headings"] == ["train.yml", "ds_config.json"]
    assert seen["shared"] == {
        "text": "base_model: a/b\ndeepspeed: ds_config.json\n",
        "tabs": ["train.yml", "ds_config.json"],
        "form": ["axolotl", "axolotl==0.18.0", "8", "h100"],
    }
    assert "cannot be read" in seen["broken"]


def it_explains_and_proposes_keys(seen: dict[str, Any]) -> None:
    assert seen["effective"].startswith("# What axolotl ")
    assert seen["hover"].startswith("base_model (Axolotl)")
    assert seen["proposed"] == "learning_rate"
    assert seen["cleared"] == ["", "train.yml"]


def nothing_is_fetched_from_or_sent_to_another_place(seen: dict[str, Any]) -> None:
    assert seen["problems"] == []
    assert seen["reached"] == ["refused", "refused"]
    assert seen["reached_elsewhere"] == []
    places = {request.removeprefix("blob:").split("/")[2] for request in seen["requests"]}
    assert len(places) == 1
    # A fragment is not a part of what is asked for, and there are no queries.
    assert not any("#" in path or "?" in path for path in seen["asked"])


def it_can_be_used_by_everybody(seen: dict[str, Any]) -> None:
    assert set(seen["axe"]) == {f"{a} {b}" for a in ("light", "dark") for b in ("wide", "narrow")}
    assert {name: found for name, found in seen["axe"].items() if found} == {}
    assert seen.get("overflow") is None


def it_is_quick(seen: dict[str, Any]) -> None:
    assert seen["first"] / 1000 <= FIRST
    for typed in seen["strokes"]:
        assert median(typed["took"]) <= STROKE, typed


def test_packages_are_pinned_and_no_lock_file_names_where_they_come_from() -> None:
    lock = json.loads((PAGE / "package-lock.json").read_text(encoding="utf-8"))
    packages = {name: about for name, about in lock["packages"].items() if name}
    assert "node_modules/pyodide" in packages
    for name, about in packages.items():
        assert about["integrity"].startswith("sha512-"), name
        assert "resolved" not in about, name
