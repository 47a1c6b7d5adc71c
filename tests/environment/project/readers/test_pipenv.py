"""`Pipfile` and `Pipfile.lock`, beside what pipenv itself wrote (`test_made.py`)."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cfglint.environment.project.readers import pipenv
from cfglint.environment.project.readers.pipenv import read
from cfglint.environment.project.stated_versions import UnreadableFileError
from tests.draws import each
from tests.environment.project.telling import told

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


@each("text", ["{", "[]", '{"default": {}}', "[" * 100_000])
def test_what_is_no_lock_file(text: str) -> None:
    with pytest.raises(UnreadableFileError):
        read("Pipfile.lock", text)


@given(st.recursive(st.none() | st.text("axolt", max_size=8), lambda x: st.lists(x) | st.dictionaries(st.sampled_from(["_meta", "default", "axolotl", "git", "ref", "version", "extras"]), x), max_leaves=12))  # fmt: skip
def test_any_json(value: object) -> None:
    with contextlib.suppress(UnreadableFileError):
        read("Pipfile.lock", json.dumps(value))


#: What a file states, and what stands there.
TOLD: list[tuple[str, str, list[str]]] = [
    (
        "Pipfile",
        '[packages]\ntrl = "==0.17.0"\ntorch = {version = "*", extras = ["x_y", 3]}\npeft = {git = "https://g/peft", ref = "v0.15.2"}\naccelerate = {git = "https://g/a", ref = "54673FD6CA39BF86ADDB20BA7D44A77071B4DC4F"}\ntransformers = {git = "https://g/t", ref = "main"}\nnumpyx = "*"\ndatasets = 3\n[dev-packages]\ntrl = "~=0.18.0"\n[requires]\npython_version = "3.11"\n',
        [
            "trl ==0.17.0 at 2:1 trl",
            "torch [x-y] at 3:1 torch",
            "peft ==0.15.2 written https://g/peft at 4:1 peft",
            "accelerate commit 54673fd6 written https://g/a at 5:1 accelerate",
            "transformers written https://g/t at 6:1 transformers",
            "datasets at 8:1 datasets",
            "trl range ~=0.18.0 conditional at 10:1 trl",
            'python ==3.11 at 12:1 python_version = "3.11"',
        ],
    ),
    (
        "Pipfile",
        '[requires]\npython_full_version = "3.11.4"\npython_version = "3.11"\n[packages]\ntrl="*"\n',
        ["trl at 5:1 trl", 'python ==3.11.4 at 2:1 python_full_version = "3.11.4"'],
    ),
    ("Pipfile", "packages = 3\n[requires]\npython_version = 3\n[x]\ntrl = 1\n", []),
    (
        "Pipfile",
        'packages = {trl = "==0.17.0"}\nrequires = 3\n',
        ['trl ==0.17.0 at 1:1 packages = {trl = "==0.17.0"}'],
    ),
    (
        "Pipfile.lock",
        '{\n    "_meta": {"hash": {}},\n    "default": {\n        "trl": {\n            "version": "==0.17.0"\n        },\n        "Torch": {"git": "https://g/t", "ref": "2.6.0"}\n    },\n    "develop": {\n        "trl": {"version": "==0.18.0"}\n    },\n    "gpu": {"peft": {"version": "==0.15.2", "extras": ["a"]}},\n    "odd": 3\n}\n',
        [
            'trl ==0.17.0 at 4:9 "trl"',
            'torch ==2.6.0 written https://g/t at 7:9 "Torch"',
            'trl ==0.18.0 conditional at 10:9 "trl"',
            "peft ==0.15.2 [a] conditional at 1:1 {",
        ],
    ),
]


@each(("name", "text", "expected"), TOLD)
def test_what_is_read_from_a_file(name: str, text: str, expected: list[str]) -> None:
    assert told(pipenv.read(name, text), text) == expected
