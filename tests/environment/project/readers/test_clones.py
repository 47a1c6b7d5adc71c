"""Axolotl from a clone: the commit or tag that is checked out before it is installed."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cfglint.environment.project.projects import Projects
from cfglint.environment.project.readers import clones
from cfglint.source.files.disk import Disk
from tests.draws import each
from tests.environment.project.telling import told

SHA = "54673fd6ca39bf86addb20ba7d44a77071b4dc4f"
URL = "https://github.com/axolotl-ai-cloud/axolotl"


@each(
    ("text", "version", "commit"),
    [
        (f"RUN git clone {URL}.git && cd axolotl && git checkout {SHA} && pip install -e .\n", None, SHA),
        (f"RUN git clone {URL} \\\n && cd axolotl \\\n && git checkout -q {SHA[:9]}\nRUN pip3 install --no-build-isolation -e '.[flash-attn]'\n", None, SHA[:9]),
        (f"git clone --depth 1 -b v0.9.2 {URL}\npip install ./axolotl\n", "0.9.2", None),
        (f"git clone --branch=v0.9.2 {URL}.git /opt/axolotl; pip install /opt/axolotl[deepspeed]\n", "0.9.2", None),
        ("git clone git@github.com:axolotl-ai-cloud/axolotl.git\ngit -C axolotl checkout tags/v0.12.2\ncd axolotl\nuv sync\n", "0.12.2", None),
        (f"git clone {URL}\ncd axolotl\ngit reset --hard {SHA}\nuv pip install --no-build-isolation -e .\n", None, SHA),
        (f"git clone {URL}\ncd axolotl\ngit checkout main\ngit checkout {SHA}\npip install .\n", None, SHA),
        (f"ARG AXOLOTL_REF={SHA}\nRUN git clone {URL} && cd axolotl && git checkout $AXOLOTL_REF && pip install -e .\n", None, SHA),
        (f'REF="v0.9.2"\ngit clone {URL}\ncd axolotl && git checkout "${{REF}}"\npip install -e .\n', "0.9.2", None),
        (f"git clone {URL} && cd axolotl && git checkout ${{REF:-{SHA}}} && pip install -e .\n", None, SHA),
        (f'image.run_commands("git clone {URL}", "cd axolotl && git checkout {SHA}", "cd axolotl && pip install -e .")\n', None, SHA),
        (f"setup: |\n  git clone {URL}\n  cd axolotl\n  git checkout {SHA}\n  pip install -e .[deepspeed]\n", None, SHA),
        (f"steps:\n  - uses: actions/checkout@v4\n    with:\n      repository: axolotl-ai-cloud/axolotl\n      ref: {SHA}\n      path: axolotl\n", None, SHA),
        ("steps:\n  - uses: actions/checkout@v4\n    with:\n      ref: v0.9.2  # why\n      repository: 'axolotl-ai-cloud/axolotl'\n", "0.9.2", None),
    ],
)  # fmt: skip
def test_clones(text: str, version: str | None, commit: str | None) -> None:
    (found,) = clones.read("Dockerfile", text)
    assert (found.package, found.version, found.commit) == ("axolotl", version, commit)
    line = text.splitlines()[found.place.line - 1]
    assert line[found.place.column - 1 :][: found.place.length]


@each(
    "text",
    [
        f"git clone {URL}\ncd axolotl\npip install -e .\n",
        f"git clone {URL}\ncd axolotl\ngit checkout main\npip install -e .\n",
        f"git clone {URL}\ncd axolotl\ngit checkout {SHA}\ncp -r examples ..\n",
        f"# git clone {URL} && git checkout {SHA} && pip install -e .\n",
        f"git clone {URL}\ncd axolotl\n# git checkout {SHA}\npip install -e .\n",
        f"git clone {URL}-helpers\ngit checkout {SHA}\npip install -e .\n",
        f"git clone {URL}\ngit clone https://github.com/a/b\ngit checkout {SHA}\npip install -e .\n",
        f"git clone {URL}\ncd axolotl; git checkout $REF; pip install -e .\n",
        f"REF=a1b2c3d\nREF=d3c2b1a\ngit clone {URL}\ncd axolotl; git checkout $REF; pip install -e .\n",
        f"- uses: actions/checkout@v4\n  with:\n    repository: a/axolotl\n- uses: actions/checkout@v4\n  with:\n    ref: {SHA}\n",
    ],
)
def test_what_says_nothing(text: str) -> None:
    assert clones.read("run.sh", text) == []


def test_extras() -> None:
    text = f"git clone -b v0.9.2 {URL}\ncd axolotl\npip install --no-build-isolation -e '.[flash-attn, deepspeed]'\n"
    (found,) = clones.read("run.sh", text)
    assert found.extras == ("flash-attn", "deepspeed")


def test_a_clone_on_top_of_an_image(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "Dockerfile").write_text(
        "FROM axolotlai/axolotl:0.12.2-py3.11-cu126-2.7.1\n"
        f"RUN git clone {URL} && cd axolotl && git checkout {SHA} && pip install -e .\n"
    )
    project = Projects(Disk()).for_file(str(tmp_path / "config.yml"), "axolotl")
    assert project is not None
    assert project.pins["axolotl"].between == ("0.4.1", "0.5.0")
    assert project.pins["torch"].version == "2.7.1"


@given(st.text("gitclone /axo\\\n;&$-{}:\"'.#", max_size=120))
def test_any_text(text: str) -> None:
    clones.read("run.sh", f"git clone {URL} {text}")
    clones.read("ci.yml", f"repository: a/axolotl\n{text}")


@each(
    "part", ["git clone a/axolotl ", "git clone a/axolotl\n", "pip install ", "git checkout $A\n"]
)
def test_large_files_take_no_long_time(part: str) -> None:
    text = f"git clone {URL}\n" + part * (1_000_000 // len(part))
    started = time.process_time()
    clones.read("run.sh", text)
    assert time.process_time() - started < 2


#: What a file states, and what stands there.
TOLD: list[tuple[str, str, list[str]]] = [
    (
        "run.sh",
        "git clone https://github.com/axolotl-ai-cloud/axolotl\ngit checkout v0.9.2\ncd axolotl && pip install -e '.[a_b, c]'\ngit clone https://github.com/axolotl-ai-cloud/axolotl.git\ngit checkout 54673fd6ca39bf86addb20ba7d44a77071b4dc4f\npip install .\n",
        [
            "axolotl ==0.9.2 [a-b,c] at 2:14 v0.9.2",
            "axolotl commit 54673fd6 at 5:14 54673fd6ca39bf86addb20ba7d44a77071b4dc4f",
        ],
    ),
    (
        "run.sh",
        "git clone -b v0.9.2 https://github.com/axolotl-ai-cloud/axolotl\ngit clone https://github.com/axolotl-ai-cloud/axolotl\npip install ./axolotl\n",
        [],
    ),
    (
        "run.sh",
        "git clone --branch 'v0.9.2' https://github.com/axolotl-ai-cloud/axolotl x\npip install x/axolotl/[d]\n# pip install .[e]\n",
        ["axolotl ==0.9.2 [d] at 1:21 v0.9.2"],
    ),
    (
        "run.sh",
        "git clone https://github.com/axolotl-ai-cloud/axolotl\ngit checkout v0.9.2\nx # pip install .\n// pip install .\n",
        [],
    ),
    (
        "run.sh",
        "git clone https://github.com/axolotl-ai-cloud/axolotl\nx #git checkout v0.8.1\ngit checkout v0.9.2\npip install .[]\n",
        ["axolotl ==0.9.2 at 3:14 v0.9.2"],
    ),
    (
        "ci.yml",
        "- uses: c\n  with:\n    ref: v0.9.2\n    repository: a/axolotl\n- uses: c\n  with:\n    repository: a/axolotl\n    path: x\n    ref: 54673fd6ca39bf86addb20ba7d44a77071b4dc4f\n- with:\n    repository: a/axolotl\n- with:\n    ref: v0.8.1\n",
        [
            "axolotl ==0.9.2 at 3:10 v0.9.2",
            "axolotl commit 54673fd6 at 9:10 54673fd6ca39bf86addb20ba7d44a77071b4dc4f",
        ],
    ),
    ("ci.yml", "with:\n  repository: a/axolotl\n  x:\n    ref: v0.9.2\n", []),
]


@each(("name", "text", "expected"), TOLD)
def test_what_is_read_from_a_file(name: str, text: str, expected: list[str]) -> None:
    assert told(clones.read(name, text), text) == expected


@pytest.mark.parametrize(("lines", "found"), [(2_900, 1), (3_100, 0)])
def test_an_installation_far_below_is_of_something_else(lines: int, found: int) -> None:
    text = f"git clone {URL}\ngit checkout v0.9.2\n" + "#\n" * lines + "pip install .\n"
    assert len(clones.read("run.sh", text)) == found


@pytest.mark.parametrize(("width", "found"), [(300, 1), (400, 0)])
def test_a_reference_far_below_is_of_another_step(width: int, found: int) -> None:
    text = f"- with:\n    repository: a/axolotl\n{'#' * width}\n    ref: v0.9.2\n"
    assert len(clones.read("ci.yml", text)) == found


@each(
    ("text", "expected"),
    [
        (f"git clone {URL}\ncd axolotl\ngit checkout {SHA}\n", [f"axolotl commit 54673fd6 at 3:14 {SHA}"]),
        (f"git clone -b v0.5.0 {URL}\n", ["axolotl ==0.5.0 at 1:14 v0.5.0"]),
        (f"git clone {URL}\n```\nand, in it, `git reset --hard {SHA}`\n", [f"axolotl commit 54673fd6 at 3:31 {SHA}"]),
        (f"git clone {URL}\n{'word ' * 100}\ngit checkout {SHA}\n", []),
        (f"git clone {URL}\ncd axolotl\n", []),
        ("git clone https://github.com/someone/axolotl\ncd axolotl\n", []),
    ],
)  # fmt: skip
def test_a_description_tells_of_the_installation_in_words(text: str, expected: list[str]) -> None:
    assert told(clones.read("README.md", text, installed=False), text) == expected


def test_a_description_states_the_commit(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "README.md").write_text(
        f"# Training\n```\ngit clone {URL}\ncd axolotl && git checkout {SHA}\n```\n"
    )
    project = Projects(Disk()).for_file(str(tmp_path / "config.yml"), "axolotl")
    assert project is not None
    assert project.pins["axolotl"].commit == SHA


def test_a_library_that_no_framework_is_called_by() -> None:
    text = (
        "git clone https://github.com/huggingface/transformers.git\ncd transformers\n"
        "git checkout 41a2f3529c6b56866c317031375ffd3e7b8bea01\npip install -e .\n"
    )
    (found,) = clones.read("README.md", text, installed=False)
    assert (found.package, found.commit) == ("transformers", text.split()[7])
