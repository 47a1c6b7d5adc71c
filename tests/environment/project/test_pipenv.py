"""`Pipfile` and `Pipfile.lock`, beside what pipenv itself wrote (`test_made.py`)."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cfglint.environment.project.pipenv import read
from cfglint.environment.project.stated_versions import UnreadableFileError

SHA = "54673fd6ca39bf86addb20ba7d44a77071b4dc4f"


def test_git() -> None:
    lock = {
        "_meta": {},
        "default": {
            "axolotl": {"git": "https://github.com/axolotl-ai-cloud/axolotl.git", "ref": SHA},
            "trl": {"git": "https://github.com/huggingface/trl", "ref": "v0.17.0"},
        },
        "develop": {"axolotl": {"version": "==0.9.2"}, "pandas": {"version": "==2.0.1"}},
        "serve": {"vllm": {"version": "==0.8.5"}},
    }
    text = json.dumps(lock, indent=4)
    found = [(s.package, s.version, s.commit, s.conditional) for s in read("Pipfile.lock", text)]
    assert found == [
        ("axolotl", None, SHA, False),
        ("trl", "0.17.0", None, False),
        ("axolotl", "0.9.2", None, True),
        ("vllm", "0.8.5", None, True),
    ]
    lines = text.splitlines()
    places = [lines[s.place.line - 1].strip() for s in read("Pipfile.lock", text)]
    assert places == ['"axolotl": {', '"trl": {', '"axolotl": {', '"vllm": {']


def test_groups_and_odd_values() -> None:
    text = '[packages]\ntorch = 3\ntrl = {version = "*", extras = 3}\n[dev-packages]\nvllm = "*"\n'
    found = [(s.package, s.version, s.spec, s.conditional) for s in read("Pipfile", text)]
    assert found == [
        ("torch", None, None, False),
        ("trl", None, None, False),
        ("vllm", None, None, True),
    ]
    assert read("Pipfile", "[packages]\nrequests = '*'\n") == []
    assert read("Pipfile", "packages = 3 # torch\nrequires = 3\n") == []


@pytest.mark.parametrize("text", ["{", "[]", '{"default": {}}', "[" * 100_000])
def test_what_is_no_lock_file(text: str) -> None:
    with pytest.raises(UnreadableFileError):
        read("Pipfile.lock", text)


@given(st.recursive(st.none() | st.text("axolt", max_size=8), lambda x: st.lists(x) | st.dictionaries(st.sampled_from(["_meta", "default", "axolotl", "git", "ref", "version", "extras"]), x), max_leaves=12))  # fmt: skip
def test_any_json(value: object) -> None:
    with contextlib.suppress(UnreadableFileError):
        read("Pipfile.lock", json.dumps(value))
