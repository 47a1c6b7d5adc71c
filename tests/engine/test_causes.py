"""A finding that is gone once another one is fixed is listed under that one."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from cfglint.diagnostic import Diagnostic, OtherFile
from cfglint.engine.causes import with_causes
from cfglint.source.document import Document
from cfglint.source.languages.named import language
from cfglint.source.text import SourceText, Span
from tests.cli.running import run
from tests.report.building import at, finding

REST = "datasets: [{path: x.jsonl, type: alpaca}]\nmicro_batch_size: 2\ngradient_accumulation_steps: 2\n"
CONFIG = f"base_model: a/b\n{REST}"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def report(text: str, *options: str) -> str:
    Path("train.yml").write_text(text, encoding="utf-8")
    return run("train.yml", *options).out


@pytest.mark.parametrize(
    ("line", "code"), [("lr: 0.0002", "KEY002"), ("learning_rte: 0.0002", "KEY001")]
)
def test_a_missing_key_under_the_one_that_is_meant_for_it(line: str, code: str) -> None:
    text = f"{CONFIG}{line}\n"
    out = report(text)
    assert f"error  {code} " in out
    assert "also settles error TYP004: `learning_rate` is missing; no run starts without it." in out
    assert "TYP004 missing-required-key" not in out
    # Counts and reports for programs have both.
    assert "2 errors in 1 file" in out
    found = json.loads(report(text, "--format", "json"))["files"][0]["diagnostics"]
    assert {one["code"] for one in found} == {"TYP004", code}


def test_without_a_fix_the_name_that_is_meant_is_tried() -> None:
    out = report(f"{CONFIG}learning_rate: 0.0002\npeft_type: lora\nlora_r: 8\nlora_alpha: 8\n")
    assert "also settles warning PEF453" in out


def test_what_is_wrong_anyway_is_listed_by_itself() -> None:
    # The file is still without a learning rate when the key has another name.
    out = report(f"{CONFIG}lora_rnk: 8\n")
    assert "TYP004 missing-required-key" in out
    assert "also settles" not in out


def test_a_cause_that_is_not_shown_hides_nothing() -> None:
    text = f"{CONFIG}lr: 0.0002\n"
    assert "TYP004 missing-required-key" in report(text, "--ignore", "KEY002")
    silenced = text.replace("lr: 0.0002", "lr: 0.0002  # cfglint: ignore[KEY002] ours")
    assert "TYP004 missing-required-key" in report(silenced)


@pytest.mark.parametrize("idle", [0, 4])
def test_three_causes_are_tried_and_those_that_nothing_follows_from_do_not_count(idle: int) -> None:
    names = ["one", "two", "three", "four", "five"]
    lines = [f"idle{number}x: 1" for number in range(idle)] + [f"{name}x: 1" for name in names]
    source, yaml = SourceText("\n".join(lines)), language("yaml")

    def missing(document: Document) -> list[Diagnostic]:
        return [
            finding("AAA001", at(source.text, names[0]), message=f"`{name}` is missing.")
            for name in names
            if name not in document.root.names
        ]

    document = yaml.read(source)
    slips = [finding("AAA002", at(source.text, line[:-3]), meant=line[:-4]) for line in lines]
    found = with_causes([*slips, *missing(document)], document, yaml.read, missing)
    settled = [one.message for one in found if one.cause is not None]
    assert settled == [f"`{name}` is missing." for name in names[:3]]


def key(name: str, meant: str = "", **parts: object) -> Diagnostic:
    """A finding about a key that is misspelt or missing."""
    one = finding("AAA001", Span(0, 1), message=f"`{name}` is wrong.", meant=meant)
    return one.replaced(**parts)


def caused(*found: Diagnostic, left: Callable[[str], list[Diagnostic]]) -> list[bool]:
    """Of each finding, whether another one is its cause."""
    read = language("yaml").read
    document = read(SourceText("x: 1\n"))
    every = with_causes(list(found), document, read, lambda one: left(one.text))
    assert [one.replaced(cause=None) for one in every] == list(found)
    return [one.cause is not None for one in every]


def test_what_a_cause_settles() -> None:
    missing, cause = key("rate"), key("rte", "rate")
    assert caused(cause, missing, left=lambda text: []) == [False, True]
    # What is left is not settled, and what does not name the key neither.
    assert caused(cause, missing, left=lambda text: [missing]) == [False, False]
    assert caused(cause, key("other"), left=lambda text: []) == [False, False]
    assert caused(cause, missing.replaced(message="rate"), left=lambda text: []) == [False, False]
    # It is tried on the text with the key that is meant.
    assert caused(cause, missing, left=lambda text: [] if text == "rate: 1\n" else [missing]) == [
        *(False, True),
    ]


def test_what_settles_nothing() -> None:
    missing = key("rate")
    elsewhere = key("rte", "rate", file=OtherFile("b.yml", SourceText("")))
    assert caused(elsewhere, missing, left=lambda text: []) == [False, False]
    assert caused(key("rte"), missing, left=lambda text: []) == [False, False]
    # A key that means another one is no effect of a third.
    assert caused(key("rte", "rate"), key("rate", "more"), left=lambda text: []) == [False, False]
    unreadable = key("rte", "{")
    assert caused(unreadable, key("{"), left=lambda text: []) == [False, False]
