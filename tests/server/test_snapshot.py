"""One state of the open texts and of the files under them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from cfglint.engine.session import Options, RunError
from cfglint.server.snapshot import OpenText, Snapshot, read_options, same_file
from cfglint.source.files.memory import InMemory
from tests.draws import each
from tests.server.opening import BASE, DATA

WHOLE = BASE + DATA
PATH = "/p/train.yml"


def snapshot(
    texts: Mapping[str, str], files: Mapping[str, str] | None = None, **options: Any
) -> Snapshot:
    """A snapshot of open texts over files; without a target the project's own counts."""
    under = InMemory({path: text.encode() for path, text in {"/p/x": "", **(files or {})}.items()})
    open_ = {path: OpenText(f"file://{path}", path, 1, text) for path, text in texts.items()}
    return Snapshot(Options(**options), open_, under)


@each(
    ("given", "expected"),
    [
        ({}, {}),
        ({"target": None, "gpus": None, "gpu": "", "select": [], "unknown": 1}, {}),
        ({"target": "axolotl==0.18.0"}, {"target": ("axolotl==0.18.0",)}),
        ({"target": ["axolotl==0.18.0", "peft==0.17.0"]}, {"target": ("axolotl==0.18.0", "peft==0.17.0")}),
        ({"select": "KEY", "ignore": ["YML"]}, {"select": ("KEY",), "ignore": ("YML",)}),
        ({"gpus": 8, "gpu": "H100", "min_confidence": "low"}, {"gpus": 8, "gpu": "H100", "min_confidence": "low"}),
    ],
)  # fmt: skip
def test_options(given: dict[str, Any], expected: dict[str, Any]) -> None:
    assert read_options(given) == Options(**expected)


@each("given", [{"target": "axolotl=="}, {"gpu": "no such"}, {"select": "NONE1"}, {"gpus": "8"}])
def test_options_that_are_not_valid(given: dict[str, Any]) -> None:
    with pytest.raises((TypeError, ValueError)):
        read_options(given)


def test_texts_that_are_no_files() -> None:
    with pytest.raises(RunError, match="cannot be overlaid"):
        snapshot({"/p/a": "", "/p/a/b": ""})


def test_open_texts_count_over_those_of_the_disk() -> None:
    files = {PATH: f"{WHOLE}lora_alpah: 1\n", "/p/other.yml": f"{WHOLE}lora_alpah: 1\n"}
    state = snapshot({PATH: WHOLE}, files, select=("KEY",))
    reports, failures = state.reports([PATH, "/p/other.yml", "/p/x"])
    assert failures == []
    assert {one.path: len(one.diagnostics) for one in reports} == {PATH: 0, "/p/other.yml": 1}


def test_files_that_the_settings_exclude() -> None:
    settings = {"/p/cfglint.toml": 'exclude = ["train.yml"]\n'}
    assert snapshot({PATH: WHOLE}, settings).reports([PATH]) == ([], [])


def test_broken_settings_are_told_once() -> None:
    state = snapshot({PATH: WHOLE}, {"/p/cfglint.toml": "nothing = 1\n"})
    reports, failures = state.reports([PATH, PATH])
    assert reports == []
    assert len(failures) == 1


@each(
    ("text", "framework"),
    [(WHOLE, "axolotl"), ("a: 1\n", None), ("trl: sft\n", None)],
)
def test_the_framework(text: str, framework: str | None) -> None:
    state = snapshot({PATH: text})
    found = state.framework(PATH)
    assert (found and found.name) == framework
    run = state.run(PATH)
    assert (run is None) is (framework is None)
    given = snapshot({PATH: text}, framework="axolotl").framework(PATH)
    assert given is not None


def test_another_text_in_its_place() -> None:
    state = snapshot({PATH: WHOLE})
    run = state.read(PATH, "a: 1\n")
    assert run is not None
    assert run.document.text == "a: 1\n"
    assert state.read(PATH, "a: [\n") is None
    assert state.problem("axolotl", b"a: 1\n", PATH) == ()
    assert [one.code for one in state.problem("axolotl", b"a: [\n", PATH)] == ["YML001"]


def test_safe_fixes() -> None:
    fixed = snapshot({PATH: f"{WHOLE}adapter: lora\nlora_r: 8\nlora_alpah: 8\n"}).fixed(PATH)
    assert fixed is not None
    assert fixed.text == f"{WHOLE}adapter: lora\nlora_r: 8\nlora_alpha: 8\n"
    assert snapshot({PATH: WHOLE}).fixed(PATH) is None
    assert snapshot({PATH: "a: 1\n"}).fixed(PATH) is None


def test_a_newer_release() -> None:
    assert snapshot({PATH: WHOLE}).newer(PATH) is None  # none is stated
    assert snapshot({PATH: "a: 1\n"}).newer(PATH) is None
    newest = snapshot({PATH: WHOLE}, target=("axolotl==0.9.2",)).newer(PATH)
    assert newest is not None
    assert newest.startswith("axolotl==0.")
    assert snapshot({PATH: WHOLE}, target=(newest,)).newer(PATH) is None


def test_a_migration() -> None:
    state = snapshot({PATH: f"{WHOLE}flash_attention: true\n"}, target=("axolotl==0.9.2",))
    found = state.migrated(PATH, "axolotl==0.21.0")
    assert found is not None
    assert found.result.text == f"{WHOLE}attn_implementation: flash_attention_2\n"
    assert snapshot({PATH: "a: 1\n"}).migrated(PATH, "axolotl==0.21.0") is None


def test_paths() -> None:
    assert same_file("/p/./a/../train.yml") == PATH
    text = OpenText("u", PATH, 1, "\udc80é")
    assert text.data == "\udc80é".encode("utf-8", "surrogatepass")
