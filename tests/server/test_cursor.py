"""Where a cursor is, in texts that are complete there and in those that are not."""

from __future__ import annotations

from typing import Any

from cfglint.server.cursor import Cursor, is_written
from cfglint.server.probing import PROBE
from tests.draws import each
from tests.server.opening import BASE, DATA, opened


def cursors(marked: str, name: str = "train.yml") -> tuple[str, list[Cursor]]:
    """The text, and what may be at the place that it has as `¦`."""
    text = marked.replace("¦", "")
    state, shown = opened(text, name)
    return text, list(state.cursors(shown, marked.index("¦")))


def told(marked: str, name: str = "train.yml") -> tuple[Any, ...] | None:
    """Of the first: the word, the path, and what is put around a completed word."""
    text, found = cursors(marked, name)
    if not found:
        return None
    one = found[0]
    return text[one.span.start : one.span.end], one.path, one.before, one.after


@each(
    ("marked", "expected"),
    [
        ("see¦d", ("seed", (PROBE,), "", ": ")),
        ("see¦d: 1", ("seed", (PROBE,), "", "")),
        ("seed: ¦", ("", ("seed",), "", "")),
        ("seed: 1¦2  # c", ("12", ("seed",), "", "")),
        ("seed: a¦ b", ("a b", ("seed",), "", "")),
        ("'seed': a¦", ("a", ("seed",), "", "")),
        ("trl:\n  be¦ta: 1", ("beta", ("trl", PROBE), "", "")),
        ("trl:\n  beta: ¦\n  x: 1", ("", ("trl", "beta"), "", "")),
        ("trl:\n  - ¦", ("", ("trl", 0, PROBE), "", ": ")),
        ("trl:\n  - a: ¦", ("", ("trl", 0, "a"), "", "")),
        # A quote that is open is closed.
        ("seed: 'a¦", ("a", ("seed",), "", "'")),
        ("seed: 'a¦'", ("a", ("seed",), "", "")),
        ('seed: "a¦"', ("a", ("seed",), "", "")),
        # Later lines that cannot be read do not count, nor earlier ones that are half typed.
        ("see¦d: 1\nx: [", ("seed", (PROBE,), "", "")),
        ("x\nsee¦d: 1\ny: [\n", ("seed", (PROBE,), "", "")),
        ("# see¦d", None),
        ("seed 1¦", None),
        ("seed:¦", None),
    ],
)
def test_lines(marked: str, expected: tuple[Any, ...] | None) -> None:
    assert told(f"{BASE}{DATA}{marked}") == expected


@each(
    ("marked", "expected"),
    [
        ('{"zero_optimization": {"st¦": 2}}', ('"st"', ("zero_optimization", PROBE), '"', '"')),
        ('{"zero_optimization": {"st¦', ('"st', ("zero_optimization", PROBE), '"', '": ')),
        ('{"zero_optimization": {¦}}', ("", ("zero_optimization", PROBE), '"', '": ')),
        ('{"zero_optimization": {"stage": 2, ¦}}', ("", ("zero_optimization", PROBE), '"', '": ')),
        ('{"zero_optimization": {¦"stage": 2}}', ("", ("zero_optimization", PROBE), '"', '": ')),
        ('{"zero_optimization": {"stage": ¦}}', ("", ("zero_optimization", "stage"), '"', '"')),
        ('{"zero_optimization": {"stage": 2}, "fp16": "a¦"}', ('"a"', ("fp16",), '"', '"')),
        ('{"zero_optimization": {"stage": 2}, "x": [¦]}', ("", ("x", 0), '"', '"')),
        ('{"zero_optimization": {"stage": 2}, "x": [1, ¦', ("", ("x", 1), '"', '"')),
        ('{"zero_optimization": {"stage": 2}, "a\\"}": au¦to}', ("auto", ('a"}',), '"', '"')),
        ('{"zero_optimization": {"stage": 2}} ¦', None),
        ('¦{"zero_optimization": {"stage": 2}}', None),
        ('{"zero_optimization": {"stage" ¦: 2}}', None),
    ],
)
def test_brackets(marked: str, expected: tuple[Any, ...] | None) -> None:
    assert told(marked, "ds_config.json") == expected


def test_an_entry_of_a_list_may_be_a_mapping_or_a_value() -> None:
    _, found = cursors(f"{BASE}{DATA}plugins:\n  - ¦\n")
    assert [(one.path, one.is_key) for one in found][:1] == [(("plugins", 0, PROBE), True)]
    assert (("plugins", 0), False) in [(one.path, one.is_key) for one in found]


def test_the_mapping_around_a_key() -> None:
    _, found = cursors(f"{BASE}{DATA}trl:\n  beta: 1\n  us¦\n")
    mapping = found[0].mapping
    assert mapping is not None
    assert [entry.name for entry in mapping.entries if is_written(entry)] == ["beta"]
    assert len(mapping.entries) == 2
    over = found[0].replaced(lays_over=True)
    assert over.mapping is None


def test_two_keys_that_change_places() -> None:
    _, found = cursors(f"{BASE}{DATA}lora_r: 8\nadapter: ¦\n")
    run = found[0].instead("lora_r", "seed")
    assert run is not None
    assert "\nseed: 8\n" in run.document.text
    run = found[0].instead("num_epochs", "lora_r")
    assert run is not None
    assert run.document.text.startswith(BASE.replace("num_epochs", "lora_r"))
    assert f"\n{PROBE}_lora_r: 8\n" in run.document.text


@each(
    ("marked", "others"),
    [
        ('{"zero_optimization": {¦"stage": 2}}', ["stage"]),
        ('{"zero_optimization": {"stage": 2, ¦"overlap_comm": true}}', ["stage", "overlap_comm"]),
        ('{"zero_optimization": {"stage": 2, "st¦"}}', ["stage"]),
    ],
)
def test_what_is_behind_the_cursor_is_there(marked: str, others: list[str]) -> None:
    _, found = cursors(marked, "ds.json")
    mapping = found[0].mapping
    assert mapping is not None
    assert [entry.name for entry in mapping.entries if is_written(entry)] == others
