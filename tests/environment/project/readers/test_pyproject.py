"""`pyproject.toml`: its dependencies, groups and sources, and the ranges of Poetry."""

from __future__ import annotations

import pytest

from cfglint.environment.project.readers import pyproject
from cfglint.environment.project.stated_versions import Statement, UnreadableFileError
from tests.draws import each
from tests.environment.project.telling import told

SHA = "54673fd6ca39bf86addb20ba7d44a77071b4dc4f"
PROJECT = f"""\
[project]
name = "tune"
version = "1"
requires-python = ">=3.11,<3.13"
dependencies = [
    "axolotl[deepspeed]==0.9.2",
    'trl>=0.17',  # a comment
    "torch",
]

[project.optional-dependencies]
fast = ["flash-attn==2.7.4.post1"]

[dependency-groups]
serve = ["vllm==0.8.5", {{include-group = "x"}}]

[tool.poetry.dependencies]
python = "^3.11"
peft = "~0.15"
accelerate = {{version = "^1.6", extras = ["x"]}}
deepspeed = {{git = "https://example.org/d", rev = "{SHA}"}}
datasets = {{version = "3.5.1", optional = true}}
"""


def by_package(found: list[Statement]) -> dict[str, Statement]:
    return {one.package: one for one in found}


def test_pyproject() -> None:
    found = by_package(pyproject.read("pyproject.toml", PROJECT))
    assert (found["axolotl"].version, found["axolotl"].extras) == ("0.9.2", ("deepspeed",))
    assert (found["trl"].version, found["trl"].spec) == (None, ">=0.17")
    assert found["flash-attn"].conditional
    assert found["vllm"].conditional
    assert found["peft"].spec == ">=0.15,<0.16"
    assert found["accelerate"].spec == ">=1.6,<2"
    assert found["deepspeed"].commit == SHA
    assert (found["datasets"].version, found["datasets"].conditional) == ("3.5.1", True)
    lines = PROJECT.splitlines()
    for package, word in (("axolotl", "axolotl"), ("trl", "trl>="), ("peft", "peft = ")):
        place = found[package].place
        assert word in lines[place.line - 1][place.column - 1 :]


def test_uv_sources() -> None:
    text = (
        '[project]\nname = "t"\ndependencies = ["axolotl"]\n'
        f'[tool.uv.sources]\naxolotl = {{git = "https://example.org/a", rev = "{SHA}"}}\n'
    )
    (found,) = pyproject.read("pyproject.toml", text)
    assert (found.commit, found.place.line) == (SHA, 5)


@each(
    ("text", "expected"),
    [
        ("1.2.3", ("1.2.3", None)),
        ("==1.2.3", ("1.2.3", None)),
        ("^1.2.3", (None, ">=1.2.3,<2")),
        ("^0.17.1", (None, ">=0.17.1,<0.18")),
        ("~1.2.3", (None, ">=1.2.3,<1.3")),
        ("~1", (None, ">=1,<2")),
        (">=1.2,<2", (None, ">=1.2,<2")),
        ("1.2.*", (None, "==1.2.*")),
        ("*", (None, None)),
        ("^1 || ^2", (None, None)),
        ("nonsense", (None, None)),
    ],
)
def test_ranges_of_poetry(text: str, expected: tuple[str | None, str | None]) -> None:
    assert pyproject.poetry_range(text) == expected


@each(
    "text",
    [
        "[project]\ndependencies = 3 # torch",
        "project = 1 # torch",
        "[project]\ndependencies = [1, 'torch ==']",
        "[tool]\npoetry = 3 # torch",
        "[tool.poetry.dependencies]\ntorch = 3",
        "[tool.poetry.group.x]\ny = 3 # torch",
        "[project]\nrequires-python = 3\ndependencies = ['torch']",
    ],
)
def test_odd_pyproject(text: str) -> None:
    pyproject.read("pyproject.toml", text)


def test_broken_pyproject() -> None:
    with pytest.raises(UnreadableFileError, match="not valid TOML"):
        pyproject.read("pyproject.toml", "[torch")
    assert pyproject.read("pyproject.toml", "[nothing of interest") == []


#: What a file states, and what stands there.
TOLD: list[tuple[str, str, list[str]]] = [
    (
        "p.toml",
        '[project]\nname = "x"\nrequires-python = ">=3.11"\ndependencies = [\n  "axolotl[deepspeed]==0.9.2",\n  \'trl>=0.17\',\n  "peft; extra == \'x\'",\n  3,\n]\n[project.optional-dependencies]\nfast = ["flash-attn==2.7.4"]\n[dependency-groups]\ndev = ["accelerate==1.6.0", {include-group = "y"}]\n',
        [
            "axolotl ==0.9.2 [deepspeed] at 5:4 axolotl[deepspeed]==0.9.2",
            "trl range >=0.17 at 6:4 trl>=0.17",
            "peft conditional at 7:4 peft; extra == 'x'",
            "flash-attn ==2.7.4 conditional at 11:10 flash-attn==2.7.4",
            "accelerate ==1.6.0 conditional at 13:9 accelerate==1.6.0",
            'python range >=3.11 at 3:1 requires-python = ">=3.11"',
        ],
    ),
    (
        "p.toml",
        '[tool.poetry.dependencies]\npython = "^3.11"\ntrl = "^0.17.1"\npeft = {version = "~0.15", extras = ["a_b"]}\ntorch = {version = "2.6.0", markers = "x"}\ntransformers = {version = "4.51.3", optional = true}\naccelerate = {version = "1.6.0", optional = false}\n"datasets" = {git = "https://g/d", tag = "v3.5.1"}\ndeepspeed = {git = "https://g/d", rev = "54673fd6ca39bf86addb20ba7d44a77071b4dc4f", extras = ["x"]}\nxformers = {git = "https://g/d", rev = "main"}\nbitsandbytes = {git = "https://g/d", rev = "0.45"}\nvllm = {git = "https://g/d", tag = "3"}\nliger-kernel = 3\n[tool.poetry.group.dev.dependencies]\ntrl = "0.18.0"\n',
        [
            'python range >=3.11,<4 at 2:1 python = "^3.11"',
            'trl range >=0.17.1,<0.18 at 3:1 trl = "^0.17.1"',
            'peft range >=0.15,<0.16 [a-b] at 4:1 peft = {version = "~0.15", extras = ["a_b"]}',
            'torch ==2.6.0 conditional at 5:1 torch = {version = "2.6.0", markers = "x"}',
            'transformers ==4.51.3 conditional at 6:1 transformers = {version = "4.51.3", optional = true}',
            'accelerate ==1.6.0 at 7:1 accelerate = {version = "1.6.0", optional = false}',
            'datasets ==3.5.1 written https://g/d at 8:1 "datasets" = {git = "https://g/d", tag = "v3.5.1"}',
            'deepspeed commit 54673fd6 [x] written https://g/d at 9:1 deepspeed = {git = "https://g/d", rev = "54673fd6ca39bf86addb20ba7d44a77071b4dc4f", extras = ["x"]}',
            'xformers written https://g/d at 10:1 xformers = {git = "https://g/d", rev = "main"}',
            'bitsandbytes ==0.45 written https://g/d at 11:1 bitsandbytes = {git = "https://g/d", rev = "0.45"}',
            'vllm written https://g/d at 12:1 vllm = {git = "https://g/d", tag = "3"}',
            'trl ==0.18.0 conditional at 3:1 trl = "^0.17.1"',
        ],
    ),
    (
        "p.toml",
        '[project]\nname = "x"\ndependencies = ["axolotl[a]", "trl", "peft==0.15.2"]\n[project.optional-dependencies]\ngpu = ["torch"]\n[tool.uv.sources]\naxolotl = {git = "https://g/a", rev = "v0.9.2"}\ntorch = {git = "https://g/t", rev = "54673fd"}\ntrl = {index = "x"}\npeft = 3\n',
        [
            'axolotl ==0.9.2 [a] written https://g/a at 7:1 axolotl = {git = "https://g/a", rev = "v0.9.2"}',
            "trl at 3:32 trl",
            "peft ==0.15.2 at 3:39 peft==0.15.2",
            'torch commit 54673fd conditional written https://g/t at 8:1 torch = {git = "https://g/t", rev = "54673fd"}',
        ],
    ),
]


@pytest.mark.parametrize(("name", "text", "expected"), TOLD)
def test_what_is_read_from_a_file(name: str, text: str, expected: list[str]) -> None:
    assert told(pyproject.read(name, text), text) == expected
