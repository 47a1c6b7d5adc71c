"""Requirements as pip reads them, against `packaging`."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from packaging.markers import Marker
from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import SpecifierSet

from cfglint.environment.project.readers.requirements import (
    logical_lines,
    marker_is_true,
    parse_requirement,
    read,
)
from cfglint.environment.project.stated_versions import Statement, normalized
from tests.draws import each

FILES = Path(__file__).parents[1] / "files"
SHA = "54673fd6ca39bf86addb20ba7d44a77071b4dc4f"


def one(text: str) -> Statement:
    statements, _ = read("requirements.txt", text, lambda _path: None)
    (found,) = statements
    return found


@each(
    ("text", "package", "version", "spec", "commit", "extras"),
    [
        ("axolotl==0.9.2", "axolotl", "0.9.2", None, None, ()),
        ("axolotl == 0.9.2  # why", "axolotl", "0.9.2", None, None, ()),
        ("Axolotl[deepspeed, flash_attn]==0.9.2", "axolotl", "0.9.2", None, None, ("deepspeed", "flash-attn")),
        ("axolotl>=0.8,<0.10", "axolotl", None, ">=0.8,<0.10", None, ()),
        ("axolotl", "axolotl", None, None, None, ()),
        ("trl==0.17.*", "trl", None, "==0.17.*", None, ()),
        ("torch==2.6.0+cu124", "torch", "2.6.0+cu124", None, None, ()),
        ('torch==2.6.0; sys_platform == "linux"', "torch", "2.6.0", None, None, ()),
        ("torch==2.6.0 --hash=sha256:abc", "torch", "2.6.0", None, None, ()),
        ("torch==2.6.0 \\\n    --hash=sha256:abc \\\n    --hash=sha256:def", "torch", "2.6.0", None, None, ()),
        (f"axolotl @ git+https://github.com/axolotl-ai-cloud/axolotl@{SHA}", "axolotl", None, None, SHA, ()),
        (f"git+https://github.com/axolotl-ai-cloud/axolotl.git@{SHA[:9]}#egg=axolotl[deepspeed]", "axolotl", None, None, SHA[:9], ("deepspeed",)),
        (f"-e git+ssh://git@github.com/axolotl-ai-cloud/axolotl@{SHA}", "axolotl", None, None, SHA, ()),
        ("# Editable install with no version control (trl==0.19.0.dev0)\n-e /opt/trl", "trl", "0.19.0.dev0", None, None, ()),
        ("# Editable Git install with no remote (trl==0.19.1)\r\n-e /opt/trl", "trl", "0.19.1", None, None, ()),
        ("# Editable Git install (trl==0.19.1) with either a deleted local remote or invalid URI:\n# '/opt'\n-e /opt/trl", "trl", "0.19.1", None, None, ()),
        ("git+https://github.com/axolotl-ai-cloud/axolotl@v0.9.2", "axolotl", "0.9.2", None, None, ()),
        ("git+https://github.com/huggingface/transformers@v4.49.0-Gemma-3", "transformers", None, ">=4.49.0,<=4.50.0", None, ()),
        ("git+https://github.com/huggingface/transformers@v4.49-release#egg=transformers", "transformers", None, ">=4.49,<=4.50.0", None, ()),
        ("git+https://github.com/huggingface/transformers@v5.0.0-rc1", "transformers", None, None, None, ()),
        ("git+https://github.com/huggingface/transformers@v5.0.0-preview", "transformers", None, None, None, ()),
        ("git+https://github.com/axolotl-ai-cloud/axolotl@main", "axolotl", None, None, None, ()),
        ("https://example.org/flash_attn-2.7.4.post1%2Bcu12torch2.5-cp311-cp311-linux_x86_64.whl", "flash-attn", "2.7.4.post1+cu12torch2.5", None, None, ()),
    ],
)  # fmt: skip
def test_lines(
    text: str,
    package: str,
    version: str | None,
    spec: str | None,
    commit: str | None,
    extras: tuple[str, ...],
) -> None:
    found = one(text)
    assert (found.package, found.version, found.spec, found.commit, found.extras) == (
        package,
        version,
        spec,
        commit,
        extras,
    )


@each(
    "text",
    [
        "",
        "# axolotl==0.9.2",
        "pandas==2.2",
        "--index-url x",
        "./axolotl",
        "-r missing.txt",
        'torch==2.2.2; sys_platform == "darwin"',
        "axolotl==0.9.2 and more",
    ],
)
def test_lines_that_state_nothing(text: str) -> None:
    assert read("requirements.txt", text, lambda _path: None)[0] == []


@pytest.mark.parametrize(
    ("name", "count"), [("requirements-piptools.txt", 5), ("requirements-uv.txt", 6)]
)
def test_what_tools_write(name: str, count: int) -> None:
    text = (FILES / name).read_text(encoding="utf-8")
    statements, complete = read(name, text, lambda _path: None)
    assert complete
    assert len(statements) == count
    for found in statements:
        line = text.splitlines()[found.place.line - 1]
        assert normalized(line.partition("==")[0]) == found.package
        assert line.partition("==")[2].split()[0] == found.version


_name = st.from_regex(r"\A[A-Za-z][A-Za-z0-9._-]{0,8}[a-z0-9]\Z")
_part = st.tuples(
    st.sampled_from(["==", "!=", "<=", ">=", "<", ">", "~="]),
    st.from_regex(r"\A[0-9]{1,2}\.[0-9]{1,2}(\.[0-9]|rc1|\.post1)?\Z"),
)
_space = st.sampled_from(["", " "])


@given(_name, st.lists(_name, max_size=2), st.lists(_part, max_size=3), _space, st.booleans())
def test_agrees_with_packaging(
    name: str, extras: list[str], parts: list[tuple[str, str]], space: str, marker: bool
) -> None:
    text = name + (f"[{','.join(extras)}]" if extras else "") + space
    text += ",".join(f"{operator}{space}{version}" for operator, version in parts)
    text += ' ; python_version > "3.8"' if marker else ""
    theirs = Requirement(text)
    ours = parse_requirement(text)
    assert ours is not None
    assert ours.name == theirs.name
    assert set(ours.extras) == {normalized(extra) for extra in theirs.extras}
    assert SpecifierSet(ours.spec) == theirs.specifier
    assert bool(ours.marker) == (theirs.marker is not None)


@given(st.text("ax[]=<>~!;@ .,0123\"'()#-", max_size=20))
def test_any_line(text: str) -> None:
    ours = parse_requirement(text)
    try:
        theirs = Requirement(text)
    except InvalidRequirement:
        return
    assume(not theirs.url)
    assert ours is not None
    assert ours.name == theirs.name


_atom = st.sampled_from(
    [
        "sys_platform == 'linux'",
        "sys_platform != 'darwin'",
        "sys_platform == 'win32'",
        "platform_system == 'Linux'",
        "os_name != 'posix'",
    ]
)


@given(st.lists(st.lists(_atom, min_size=1, max_size=3), min_size=1, max_size=3))
def test_markers(groups: list[list[str]]) -> None:
    text = " or ".join(" and ".join(group) for group in groups)
    linux = {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix"}
    assert marker_is_true(text) is Marker(text).evaluate(linux)


@each(
    ("marker", "truth"),
    [
        ("", True),
        ("python_version >= '3.11'", None),
        ("python_version >= '3.11' and sys_platform == 'win32'", False),
        ("python_version >= '3.11' or sys_platform == 'linux'", True),
        ("(sys_platform == 'darwin' or sys_platform == 'linux') and os_name == 'nt'", None),
        ("nonsense", None),
    ],
)
def test_markers_that_are_open(marker: str, truth: bool | None) -> None:
    assert marker_is_true(marker) is truth


def test_includes() -> None:
    files = {
        "/p/base.txt": "trl==0.17.0\n-c limits.txt\n",
        "/p/limits.txt": "torch==2.6.0\n-r requirements.txt\n",
    }
    statements, _ = read("/p/requirements.txt", "-r base.txt\naxolotl==0.9.2\n", files.get)
    assert [(s.package, s.place.path) for s in statements] == [
        ("trl", "/p/base.txt"),
        ("torch", "/p/limits.txt"),
        ("axolotl", "/p/requirements.txt"),
    ]


def test_files_in_files_are_followed_to_a_depth() -> None:
    def load(path: str) -> str:
        number = int(path.removeprefix("/p/").removesuffix(".txt"))
        return f"-r {number + 1}.txt\ntrl==1.{number}\n"

    statements, _ = read("/p/0.txt", load("/p/0.txt"), load)
    assert [one.version for one in statements] == [f"1.{at}" for at in range(8, -1, -1)]


def test_files_without_end_are_not_followed() -> None:
    asked: list[str] = []

    def load(path: str) -> str:
        asked.append(path)
        return f"-r {len(asked)}.txt\n-r x{len(asked)}.txt\n"

    read("/p/requirements.txt", "-r a.txt\n", load)
    assert len(asked) < 50


@given(st.text("ab \\#\r\n-", max_size=60))
def test_logical_lines(text: str) -> None:
    for start, end, content in logical_lines(text):
        assert content.strip() == content != ""
        assert 0 <= start <= end <= len(text)


def test_what_is_longer_than_any_requirement_is_none() -> None:
    assert parse_requirement("peft==1" + ",!=2" * 1_000) is not None
    assert parse_requirement("peft==1" + ",!=2" * 10_000) is None


@each(
    ("line", "counts"),
    [
        ("pyobjc-core==11.1", False),
        ("pyobjc==11.1", False),
        ("pyobjc-framework-Cocoa==11.1  # of pynput", False),
        ("mlx-metal==0.29.1", False),
        # Only there, or something else.
        ('pyobjc-core==11.1; sys_platform == "darwin"', True),
        ("mlx==0.29.1", True),
        ("pyobjcryst", True),
    ],
)
def test_a_list_of_a_mac_says_nothing_of_what_needs_cuda(line: str, counts: bool) -> None:
    text = f"bitsandbytes==0.42.0\npeft==0.17.0\n{line}\ntorch==2.7.1\n"
    found, _ = read("requirements.txt", text, lambda _: None)
    assert [one.package for one in found] == ["bitsandbytes"] * counts + ["peft", "torch"]
