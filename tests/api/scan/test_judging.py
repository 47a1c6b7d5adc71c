"""The function that a scan applies to each file is a single check of it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from cfglint import Linter
from cfglint.api.scan.judging import (
    NO_CONFIG,
    TOO_LARGE,
    BatchLinter,
    FileResult,
    Item,
    items_of_lines,
)
from cfglint.api.scan.model import Column, SourceContext
from cfglint.source.files.disk import Disk
from tests.cli.files import CLEAN, MISSPELT
from tests.draws import each

NOTHING = SourceContext("nothing")


def judged(*items: Item, context: SourceContext = NOTHING, **choices: Any) -> list[FileResult]:
    linter = BatchLinter(choices)
    return list(linter.batch(list(items), context, "t", 10, {}, lambda row: None))


def test_a_finding_is_that_of_a_single_check() -> None:
    [one] = judged(Item("train.yml", MISSPELT.encode()), select="KEY")
    [found] = Linter(select="KEY").lint(MISSPELT, "train.yml").diagnostics
    [row] = one.findings
    assert (one.file["status"], one.file["errors"], one.file["row"]) == ("checked", 1, 10)
    assert (row["source"], row["row"], row["path"]) == ("t", 10, "train.yml")
    assert (row["framework"], row["in_file"]) == (one.file["framework"], None)
    assert (row["code"], row["message"], row["line"]) == (found.code, found.message, found.line)
    assert row["key"] == list(map(str, found.path))
    assert (row["offset"], row["end_offset"]) == tuple(found.span)
    assert row["fixes"][0]["edits"][0]["text"] == found.fixes[0].edits[0].text
    # Every member of the JSON report has its column.
    assert found.to_dict().keys() - row.keys() == {"range"}


def test_what_is_no_config_is_skipped_with_the_reason() -> None:
    [other, giant, none, why] = judged(
        Item("compose.yml", b"services:\n  web:\n    image: nginx\n"),
        Item("a.yml", CLEAN.encode() + b"#" * (1 << 20)),
        Item("a.yml", None),
        Item("a.yml", None, "because"),
    )
    assert [(one.file["status"], one.file["reason"]) for one in (other, giant, none, why)] == [
        ("skipped", NO_CONFIG),
        ("skipped", TOO_LARGE),
        ("skipped", "no content"),
        ("skipped", "because"),
    ]
    assert (other.file["bytes"], none.file["bytes"]) == (34, None)


def test_bytes_that_are_no_text_are_a_finding() -> None:
    [one] = judged(Item("a.yml", CLEAN.encode() + b"# caf\xe9\n"))
    assert [row["name"] for row in one.findings] == ["not-utf8"]


@pytest.mark.parametrize(
    "path", ["/etc/train.yml", "../../../a.yml", "a\0b.yml", "", "x" * 70_000, "\ud800.yml", "~/a"]
)
def test_the_path_of_a_row_is_a_label(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is looked up for it: neither its neighbours nor what the content names."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cfglint.toml").write_text('ignore = ["KEY"]\n')
    (tmp_path / "ds.json").write_text("{}")
    for name in ("read", "state", "has", "names", "entries", "real", "is_file", "is_folder"):
        monkeypatch.setattr(Disk, name, lambda *_: pytest.fail("the disk was asked"))
    named = f"deepspeed: {tmp_path}/ds.json\nchat_template_jinja: /etc/passwd\n"
    [one] = judged(Item(path, (MISSPELT + named).encode()))
    assert (one.file["path"], one.file["status"]) == (path, "checked")
    assert "KEY001" in [row["code"] for row in one.findings]


def test_a_mistake_of_cfglint_costs_one_file(monkeypatch: pytest.MonkeyPatch) -> None:
    lint_found = Linter.lint_found

    def broken(self: Linter, data: bytes, path: str) -> object:
        if data == b"mistake":
            raise KeyError("x")
        return lint_found(self, data, path)

    monkeypatch.setattr(Linter, "lint_found", broken)
    first, second = judged(Item("a.yml", b"mistake"), Item("b.yml", CLEAN.encode()))
    assert (first.file["status"], first.file["reason"]) == ("failed", "KeyError: 'x'")
    assert second.file["status"] == "checked"


def test_what_is_known_of_a_row_is_not_found_out() -> None:
    about: list[int] = []
    items = [Item("a.yml", CLEAN.encode())] * 3
    known = {1: ("crashed", "why")}
    found = list(BatchLinter({}).batch(items, NOTHING, "t", 0, known, about.append))  # type: ignore[arg-type]
    assert [one.file["status"] for one in found] == ["checked", "crashed", "checked"]
    assert about == [0, 2]


def test_files_of_a_folder_are_judged_with_what_is_around_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    Path("requirements.txt").write_text("axolotl==0.9.2\n")
    Path("train.yml").write_text(CLEAN + "deepspeed: ds.json\n")
    Path("ds.json").write_text('{"zero_optimization": {"overlap_com": true}}')
    item = Item("train.yml", None)
    [around] = judged(item, context=SourceContext("folder"))
    assert around.file["release"] == "0.9.2"
    assert "ds.json" in [row["in_file"] for row in around.findings]
    [alone] = judged(item, context=SourceContext("folder", alone=True))
    assert alone.file["release"] != "0.9.2"
    assert {row["in_file"] for row in alone.findings} <= {None}


def test_a_file_that_cannot_be_read_is_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("broken").mkdir()
    Path("broken/cfglint.toml").write_text("gpus = -1\n")
    Path("broken/train.yml").write_text(CLEAN)
    names = ("missing.yml", os.path.join("broken", "train.yml"))
    missing, broken = judged(*(Item(name, None) for name in names), context=SourceContext("folder"))
    assert (missing.file["status"], broken.file["status"]) == ("failed", "failed")
    assert missing.file["reason"] == "cannot be read: No such file or directory"
    assert "cfglint.toml" in broken.file["reason"]


@each(
    ("line", "item"),
    [
        (b'{"path": "a", "content": "b", "more": 1}', Item("a", b"b")),
        (b'{"content": "b"}', Item(None, b"b")),
        (b'{"path": "a", "content": "\\ud800"}', Item("a", b"\xed\xa0\x80")),
        (b'{"path": "a"}', Item("a", None, "`content` is missing")),
        (b'{"path": "a", "content": null}', Item("a", None, "`content` is null")),
        (b'{"path": "a", "content": 1}', Item("a", None, "`content` is not a string")),
        (b'{"path": 1, "content": "b"}', Item(None, None, "`path` is not a string")),
        (b"[1]", Item(None, None, "the line is not a JSON object")),
        (b" \r\n", Item(None, None, "the line is empty")),
        (None, Item(None, None, "the line is too long")),
    ],
)
def test_lines(line: bytes | None, item: Item) -> None:
    assert items_of_lines([line], Column()) == [item]


@each("line", [b"{", b"[" * 100_000, b"\xff\xfe", b"{'a': 1}"])
def test_a_line_that_is_no_json_says_so(line: bytes) -> None:
    [item] = items_of_lines([line], Column())
    assert item.content is None
    assert item.lacks.startswith("the line is not valid JSON: ")


def test_a_file_of_one_byte_too_many_is_too_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "train.yml"
    monkeypatch.setattr("cfglint.api.scan.judging.MAX_BYTES", len(CLEAN))
    for text, status in ((CLEAN, "checked"), (CLEAN + "#", "skipped")):
        path.write_text(text, encoding="utf-8")
        [one] = judged(Item(str(path), None), context=SourceContext("folder"))
        assert one.file["status"] == status
