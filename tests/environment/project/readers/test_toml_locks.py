"""Lock files: what real tools write, and the line scanner against the real parser."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cfglint.environment.project.readers import toml_locks
from cfglint.environment.project.readers.toml_locks import read, scan
from cfglint.environment.project.stated_versions import WANTED, UnreadableFileError, normalized
from tests.draws import each
from tests.environment.project.telling import told

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FILES = Path(__file__).parents[1] / "files"
COMMIT = "54673fd6ca39bf86addb20ba7d44a77071b4dc4f"


def statements(name: str) -> dict[str, tuple[str | None, str | None]]:
    found = read(name, (FILES / name).read_text(encoding="utf-8"))
    return {one.package: (one.version, one.commit) for one in found}


@each(
    ("name", "package", "version", "commit"),
    [
        ("uv.lock", "axolotl", "0.9.2", None),
        ("uv.lock", "torch", "2.6.0", None),
        ("uv.lock", "transformers", "4.51.3", None),
        ("uv-git.lock", "axolotl", "0.13.0.dev0", COMMIT),
        ("uv-git.lock", "trl", "0.17.0", None),
        ("poetry.lock", "axolotl", "0.9.2", None),
        ("poetry.lock", "flash-attn", "2.7.4.post1", None),
        ("poetry-git.lock", "axolotl", "0.13.0.dev0", COMMIT),
        ("pdm.lock", "axolotl", "0.13.0.dev0", COMMIT),
        ("pdm.lock", "torch", "2.7.1", None),
        ("pylock.toml", "torch", "2.15.0", None),
        ("pylock.toml", "transformers", "5.23.0", None),
    ],
)
def test_what_tools_write(name: str, package: str, version: str, commit: str | None) -> None:
    assert statements(name)[package] == (version, commit)


_TOML = [
    *FILES.glob("*lock*"),
    *(FILES / "made").rglob("*lock"),
    *(FILES / "made").rglob("py*.toml"),
]


@each(
    "name",
    sorted(
        str(path.relative_to(FILES))
        for path in _TOML
        if path.is_file()
        and "[[package" in path.read_text(encoding="utf-8")
        and path.name != "pyproject.toml"
    ),
)
def test_the_scanner_reads_what_the_parser_does(name: str) -> None:
    text = (FILES / name).read_text(encoding="utf-8")
    assert {(one.package, one.version) for one in scan(name, text)} == parsed(text)


def parsed(text: str) -> set[tuple[str, str | None]]:
    data = tomllib.loads(text)
    rows: list[dict[str, Any]] = data.get("package", data.get("packages", []))
    return {
        (normalized(row["name"]), row.get("version"))
        for row in rows
        if normalized(row["name"]) in WANTED
    }


def test_places() -> None:
    text = (FILES / "uv.lock").read_text(encoding="utf-8")
    for one in read("uv.lock", text):
        line = text.splitlines()[one.place.line - 1]
        assert line.startswith('name = "')
        assert normalized(line[8:-1]) == one.package


_names = st.sampled_from(["axolotl", "torch", "Flash_Attn", "numpy", "trl", "zlib-ng", "a"])
_versions = st.from_regex(r"\A[0-9]{1,2}(\.[0-9]{1,2}){0,3}(rc1|\.post[0-9])?(\+cu12[0-9])?\Z")
_words = st.text("abc =[]{}#'-.", max_size=12)


@st.composite
def _package(draw: st.DrawFn) -> list[str]:
    lines = [f'name = "{draw(_names)}"']
    if draw(st.booleans()):
        lines.append(f'version = "{draw(_versions)}"')
    rest = [
        f'description = "{draw(_words)}"',
        "optional = false",
        'source = { registry = "simple" }',
        f'dependencies = [\n    {{ name = "{draw(_names)}" }},\n    {{ name = "torch", marker = "x" }},\n]',
        '[package.extras]\ntorch = ">=2"\nname = "x"',
    ]
    count = draw(st.integers(0, len(rest)))
    return lines + rest[:count]


@given(st.lists(_package(), max_size=8), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_scanner_and_parser_agree(packages: list[list[str]], newline: str, head: bool) -> None:
    seen = set()
    unique = []
    for lines in packages:
        if normalized(lines[0][8:-1]) not in seen:
            seen.add(normalized(lines[0][8:-1]))
            unique.append("\n".join(["[[package]]", *lines, ""]))
    text = (
        ("version = 1\n\n" if head else "") + "\n".join(unique) + "\n[metadata]\nname = 'torch'\n"
    )
    text = text.replace("\n", newline)
    assert {(one.package, one.version) for one in scan("x", text)} == parsed(text)


@given(st.text(max_size=300))
def test_any_text(text: str) -> None:
    with contextlib.suppress(UnreadableFileError):
        read("x.lock", text)


def test_unusual_shapes_go_to_the_parser() -> None:
    text = 'package = [{name = "axolotl", version = "0.9.2"}, {name = 3}, {}]\n'
    assert [(one.package, one.version) for one in read("x", text)] == [("axolotl", "0.9.2")]
    text = '[[package]]\ndescription = """\n[[package]]\nname = "torch"\n"""\nname = "axolotl"\n'
    assert [one.package for one in read("x", text)] == ["axolotl"]


@each("text", ["no toml", "package = 3", "[[package\n", "a = " + "[" * 5000])
def test_what_is_no_lock_file(text: str) -> None:
    with pytest.raises(UnreadableFileError):
        read("x", text)


def test_platforms_that_get_different_builds() -> None:
    def lock(*versions: str) -> str:
        return "\n".join(f'[[package]]\nname = "torch"\nversion = "{v}"\n' for v in versions)

    (same,) = read("x", lock("2.6.0", "2.6.0+cpu"))
    assert (same.version, same.conditional) == ("2.6.0", False)
    (other,) = read("x", lock("2.6.0", "2.2.2"))
    assert (other.version, other.spec, other.conditional) == (None, ">=2.2.2,<=2.6.0", False)
    (other,) = read("x", lock("2.10.0", "2.9.1"))
    assert other.spec == ">=2.9.1,<=2.10.0"
    (other,) = read("x", lock("2.6.0", "2.7.0.dev0"))
    assert (other.version, other.spec, other.conditional) == (None, None, True)


def test_a_wheel_by_its_address() -> None:
    text = (
        '[[package]]\nname = "flash-attn"\nversion = "2.7.4.post1"\n'
        'source = { url = "https://example.org/x/flash_attn-2.7.4.post1+cu12torch2.5-cp311-cp311-linux_x86_64.whl" }\n'
    )
    (found,) = read("x", text)
    assert "torch2.5" in found.written


#: What a file states, and what stands there.
TOLD: list[tuple[str, str, list[str]]] = [
    (
        "uv.lock",
        'version = 1\n\n[[package]]\nname = "axolotl"\nversion = "0.9.2"\nsource = { git = "https://g/a?rev=main#54673fd6ca39bf86addb20ba7d44a77071b4dc4f" }\n\n[[package]]\nname = "trl"\nversion = "0.17.0"\n\n[[package]]\nname = "torch"\nversion = "2.6.0+cu124"\nsource = { url = "https://x/torch-2.6.0%2Bcu124-cp311-linux_x86_64.whl" }\n',
        [
            'axolotl ==0.9.2 commit 54673fd6 written https://g/a?rev=main#54673fd6ca39bf86addb20ba7d44a77071b4dc4f at 4:1 name = "axolotl"',
            'trl ==0.17.0 at 9:1 name = "trl"',
            'torch ==2.6.0+cu124 written torch-2.6.0%2Bcu124-cp311-linux_x86_64.whl at 13:1 name = "torch"',
        ],
    ),
    (
        "pylock.toml",
        'lock-version = "1.0"\npackages = [{name = "Trl", version = "0.17.0"}, {name = "numpyx"}, 3, {name = 3}, {name = "peft", version = 3, vcs = {commit-id = "54673fd6ca39bf86addb20ba7d44a77071b4dc4f"}}]\n',
        [
            'trl ==0.17.0 at 1:1 lock-version = "1.0"',
            'peft commit 54673fd6 at 1:1 lock-version = "1.0"',
        ],
    ),
    (
        "poetry.lock",
        'package = [{name = "trl", version = "0.17.0", source = {type = "git", resolved_reference = "54673fd6ca39bf86addb20ba7d44a77071b4dc4f"}}]\n',
        [
            'trl ==0.17.0 commit 54673fd6 at 1:1 package = [{name = "trl", version = "0.17.0", source = {type = "git", resolved_reference = "54673fd6ca39bf86addb20ba7d44a77071b4dc4f"}}]'
        ],
    ),
    (
        "poetry.lock",
        '[[package]]\nname = "trl"\nversion = "0.17.0"\n[[package]]\nname = "trl"\nversion = "0.18.0"\n[[package]]\nname="torch"\nversion="2.6.0"\n[[package]]\nname = "torch"\nversion = "2.6.0+cpu"\n',
        [
            'trl range >=0.17.0,<=0.18.0 at 2:1 name = "trl"',
            'torch ==2.6.0+cpu at 11:1 name = "torch"',
        ],
    ),
    (
        "poetry.lock",
        '[[package]]\nname = "trl"\nversion = "0.17.0"\n\n[package.source]\ntype = "git"\nurl = "https://g/trl"\nreference = "x"\nresolved_reference = "54673fd6ca39bf86addb20ba7d44a77071b4dc4f"\n',
        ['trl ==0.17.0 commit 54673fd6 written https://g/trl at 2:1 name = "trl"'],
    ),
]


@each(("name", "text", "expected"), TOLD)
def test_what_is_read_from_a_file(name: str, text: str, expected: list[str]) -> None:
    assert told(toml_locks.read(name, text), text) == expected
