"""`setup.py`: what a project requires, wherever its strings stand."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cfglint.environment.project.readers.setup_script import read
from tests.draws import each
from tests.environment.project.telling import told

SHA = "69ad852e5654a77f1695eb4c608906fe0c7e8624"
#: A list of all of them, from which others are picked by name.
LISTED = f"""
_deps = [
    "accelerate==1.4.0",
    "numpy",
    'transformers>=4.49.0, <5',  # "transformers==4.50.0" does not load
    # "peft==0.14.0",
    "trl[vllm] @ git+https://host.example/trl.git@{SHA}",
    "vllm==0.7.1",
]
deps = {{b: a for a, b in picked(_deps)}}
extras = {{"quality": pick("ruff")}}
setup(install_requires=[deps["accelerate"], deps["trl"], deps["transformers"]], extras_require=extras)
"""
OPTIONAL = """
setup(
    install_requires=["trl==0.18.0", "torch>=2.6"],
    extras_require={"fast": ["vllm==0.8.4"], "old": ["peft==0.14.0"]},
    python_requires=">=3.10",
)
"""


def test_a_list_of_all() -> None:
    assert told(read("setup.py", LISTED), LISTED) == [
        "accelerate ==1.4.0 at 3:6 accelerate==1.4.0",
        "transformers range >=4.49.0,<5 at 5:6 transformers>=4.49.0, <5",
        "trl commit 69ad852e [vllm] written git+https://host.example/trl.git@"
        f"{SHA} at 7:6 trl[vllm] @ git+https://host.example/trl.git@{SHA}",
    ]


def test_all_of_a_list_are_picked_at_once() -> None:
    text = LISTED.replace('pick("ruff")', "list(deps.values())")
    assert text != LISTED
    found = {one.package: one.version for one in read("setup.py", text)}
    assert found["vllm"] == "0.7.1"


def test_what_is_installed_on_request_alone_does_not_count() -> None:
    found = {one.package: (one.version, one.conditional) for one in read("setup.py", OPTIONAL)}
    assert found == {
        "trl": ("0.18.0", False),
        "torch": (None, False),
        "vllm": ("0.8.4", True),
        "peft": ("0.14.0", True),
    }


def test_two_versions_of_a_package_are_left_open() -> None:
    text = 'old = ["trl==0.9.6"]\nnew = ["trl==0.18.0"]\nsetup(install_requires=new)\n'
    assert [(one.version, one.conditional) for one in read("setup.py", text)] == [
        ("0.9.6", True),
        ("0.18.0", True),
    ]


@each("text", ["", "setup()", '"""Reads trl==1.0 files."""', "trl==1.0"])
def test_what_is_no_requirement(text: str) -> None:
    assert read("setup.py", text) == []


@given(st.text("extras_require=:{}[]\"'trl=<>@0.#\n ", max_size=200))
def test_any_text(text: str) -> None:
    read("setup.py", text)
    read("setup.py", 'extras_require={"x": "trl==1.0' + text)


def test_a_comment_at_the_margin() -> None:
    text = '# tokenizers: "tokenizers==0.9.4"\ninstall_requires=["trl==0.9.6"]\n'
    assert told(read("setup.py", text), text) == ["trl ==0.9.6 at 2:20 trl==0.9.6"]
