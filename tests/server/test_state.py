"""The open texts and what is known of them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cfglint.fixes.applying import apply_edits
from cfglint.server.state import ServerState
from cfglint.server.texts import OpenTexts, file_uri, path_of
from cfglint.source.text import Span
from tests.draws import each
from tests.server.opening import BASE, DATA, opened


def test_findings_are_of_the_text_as_it_is() -> None:
    state, text = opened(f"{BASE}{DATA}misspelt_kay: 1\n")
    report = state.report(text)
    assert report is not None
    assert [one.name for one in report.diagnostics if one.name == "unknown-key"]
    state.texts.put(text.uri, 2, BASE + DATA)
    assert state.report(text) is report  # nobody has said that something has changed
    state.look_again()
    again = state.report(text)
    assert again is not None
    assert not [one.name for one in again.diagnostics if one.name == "unknown-key"]
    state.close(text.uri)
    assert state.report(text) is None
    assert state.failures == []


def test_nothing_is_fixed_while_a_line_is_half_typed() -> None:
    state, text = opened(BASE + DATA)
    state.check()
    text = state.texts.put(text.uri, 2, f"{BASE}{DATA}lora_\n")
    state.look_again()
    report = state.report(text)
    assert report is not None
    assert state.readable(text).changes
    assert state.fixed(text) == ((), [])


def test_all_safe_fixes() -> None:
    text = (
        f"{BASE}{DATA}gradient_accumulation_steps: '4'\nadapter: lora\nlora_alpah: 8\nlora_r: 8\n"
    )
    state, shown = opened(text)
    edits, found = state.fixed(shown)
    assert [one.path for one in found] == [("lora_alpah",)]
    assert "lora_alpha: 8\n" in apply_edits(text, list(edits))
    state, shown = opened(BASE + DATA)
    assert state.fixed(shown) == ((), [])


@each(
    ("written", "expected"),
    [
        ("# cfglint: ignore[", ""),
        ("# cfglint: ignore[PA", "PA"),
        ("# cfglint: ignore[PAK001, K", "K"),
        ("# cfglint: ignore[PAK001] ", None),
        ("# ignore", None),
    ],
)
def test_codes_in_a_comment(written: str, expected: str | None) -> None:
    text = f"{written}\nmisspelt_kay: 1\n{BASE}{DATA}"
    state, shown = opened(text)
    found = state.codes(shown, len(written))
    if expected is None or found is None:
        assert (found is None) is (expected is None)
        return
    span, codes = found
    assert text[span.start : span.end] == expected
    assert span == Span(len(written) - len(expected), len(written))
    # That of the file comes first, and each once; not what is wrong with the comment itself.
    assert codes[0] == ("KEY001", "unknown-key")
    assert len(codes) == len(dict(codes)) > 500


def test_the_newest_release_is_offered() -> None:
    state, text = opened(BASE + DATA)
    newer = state.snapshot.newer(text.path)
    assert newer is not None
    package, _, release = newer.partition("==")
    assert (package, release != "0.18.0") == ("axolotl", True)
    state.configure({"target": (newer,)})
    assert state.snapshot.newer(text.path) is None
    state.configure({})
    assert state.snapshot.newer(text.path) is None


def test_settings_that_are_not_understood() -> None:
    state = ServerState()
    with pytest.raises(ValueError, match="nothing"):
        state.configure({"target": "nothing==1.0"})
    with pytest.raises((TypeError, ValueError)):
        state.configure({"target": 1})


def test_a_broken_settings_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "cfglint.toml").write_text("target = 1\n")
    state, text = opened(BASE + DATA, folder=tmp_path)
    assert state.report(text) is None
    assert len(state.failures) == 1
    assert state.run(text) is None
    assert list(state.cursors(text, 0)) == []


def test_folders(tmp_path: Path) -> None:
    for number in range(7):
        (tmp_path / f"{number}.yml").write_text(f"{BASE}{DATA}misspelt_kay: 1\n")
    (tmp_path / "other.yml").write_text("a: 1\n")
    state = ServerState()
    steps: list[tuple[int, int]] = []
    *before, last = state.check_folders([str(tmp_path)], lambda done, of: steps.append((done, of)))
    assert before == [[], []]
    assert [done for done, _ in steps] == [0, 5]
    names = [os.path.basename(report.path) for report in last if report.framework]
    assert names == [f"{number}.yml" for number in range(7)]
    assert all(any(d.name == "unknown-key" for d in report.diagnostics) for report in last)


def test_open_texts() -> None:
    texts = OpenTexts()
    first = texts.put("file:///p/a.yml", 1, "a")
    assert texts.get(first.uri) == first
    again = texts.put("file:///p/a.yml", 2, "b")
    assert (texts.get(first.uri), texts.by_path()) == (again, {"/p/a.yml": again})
    # Two names of one file: what was opened later counts.
    other = texts.put("file:///p/%61.yml", 1, "c")
    assert texts.by_path() == {"/p/a.yml": other}
    assert texts.uri_of("/p/a.yml") == other.uri
    texts.close(other.uri)
    assert texts.uri_of("/p/a.yml") == first.uri
    texts.close("file:///none")
    assert texts.uri_of("/p/b.yml") == file_uri("/p/b.yml") == "file:///p/b.yml"


@each(
    ("uri", "language", "expected"),
    [
        ("file:///p/a%20b;c.yml", None, "/p/a b;c.yml"),
        ("untitled:Untitled-1", None, "untitled%3AUntitled-1.yml"),
        ("untitled:Untitled-1", "yaml", "untitled%3AUntitled-1.yml"),
        ("untitled:Untitled-1", "json", "untitled%3AUntitled-1.json"),
        ("untitled:x.json", "jsonc", "untitled%3Ax.json"),
    ],
)
def test_paths(uri: str, language: str | None, expected: str) -> None:
    assert path_of(uri, language) == os.path.join(os.getcwd(), expected)
