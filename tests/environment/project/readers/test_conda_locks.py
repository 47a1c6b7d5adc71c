"""What conda-lock, pixi and conda's lists look like elsewhere than in `test_made.py`."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cfglint.environment.project.readers import conda_locks
from cfglint.environment.project.readers.conda_locks import _distributed, is_complete, is_list, read
from tests.draws import each
from tests.environment.project.telling import told

SHA = "54673fd6ca39bf86addb20ba7d44a77071b4dc4f"
CONDA_LOCK = f"""\
version: 1
metadata:
  platforms:
  - linux-64
  - osx-arm64
package:
- name: pytorch
  version: 2.6.0
  manager: conda
  platform: osx-arm64
  dependencies:
    version: '9'
  url: https://example.invalid/osx-arm64/pytorch-2.6.0-cpu.conda
- name: pytorch
  version: '2.5.1'
  manager: conda
  platform: linux-64
- name: axolotl
  version: 0.9.2
  manager: pip
  platform: linux-64
  url: git+https://github.com/axolotl-ai-cloud/axolotl.git@{SHA}
other:
- name: trl
  version: 1.0.0
"""
PIXI_6 = f"""\
version: 6
environments:
  default:
    packages:
      linux-64:
      - conda: https://example.invalid/linux-64/pytorch-9.9.9-x.conda
packages:
- conda: https://example.invalid/linux-64/pytorch-2.6.0-cuda126_mkl_py311_h30b5a27_300.conda
  sha256: x
- conda: https://example.invalid/osx-arm64/pytorch-2.4.1-cpu_generic_py311_h1.conda
  sha256: x
- pypi: https://example.invalid/a/transformers-4.51.3-py3-none-any.whl
  name: transformers
  version: 4.51.3
  requires_dist:
  - torch==1.0
- pypi: git+https://github.com/axolotl-ai-cloud/axolotl?rev=main#{SHA}
  name: axolotl
  version: 0.13.0.dev0
- pypi: https://example.invalid/b/flash_attn-2.7.4.post1%2Bcu12torch2.5-cp311-cp311-linux_x86_64.whl
"""
PIXI_5 = """\
version: 5
packages:
- kind: conda
  name: pytorch
  version: 2.6.0
  build: cuda126
  subdir: linux-64
  url: https://example.invalid/linux-64/pytorch-2.6.0-cuda126.conda
- kind: conda
  name: pytorch
  version: 2.2.2
  subdir: osx-64
- kind: pypi
  name: trl
  version: 0.17.0
  url: https://example.invalid/trl-0.17.0-py3-none-any.whl
"""


def found(path: str, text: str) -> dict[str, tuple[str | None, str | None, int]]:
    return {s.package: (s.version, s.commit, s.place.line) for s in read(path, text)}


def test_conda_lock() -> None:
    assert found("conda-lock.yml", CONDA_LOCK) == {
        "torch": ("2.5.1", None, 14),
        "axolotl": ("0.9.2", SHA, 18),
    }


def test_pixi() -> None:
    assert found("pixi.lock", PIXI_6) == {
        "torch": ("2.6.0", None, 8),
        "transformers": ("4.51.3", None, 12),
        "axolotl": ("0.13.0.dev0", SHA, 17),
        "flash-attn": ("2.7.4.post1+cu12torch2.5", None, 20),
    }
    (wheel,) = (s.written for s in read("pixi.lock", PIXI_6) if s.package == "flash-attn")
    assert "torch2.5" in wheel
    assert found("pixi.lock", PIXI_5) == {"torch": ("2.6.0", None, 3), "trl": ("0.17.0", None, 13)}


def test_environments_that_differ_leave_a_range_open() -> None:
    text = "packages:\n" + "".join(
        f"- conda: https://example.invalid/linux-64/pytorch-{v}-x.conda\n"
        for v in ("2.6.0", "2.5.1")
    )
    (one,) = read("pixi.lock", text)
    assert (one.version, one.spec, one.conditional) == (None, ">=2.5.1,<=2.6.0", False)


@each(
    ("line", "expected"),
    [
        ("pytorch=2.6.0=py3.11_cuda12.4_cudnn9.1.0_0", ("torch", "2.6.0")),
        ("flash-attn=2.7.4.post1=pypi_0", ("flash-attn", "2.7.4.post1")),
        ("trl=0.17.0", ("trl", "0.17.0")),
        ("torch                     2.6.0+cu124              pypi_0    pypi", ("torch", "2.6.0+cu124")),
        ("python  3.11.12  h9e4cc4f_0_cpython", ("python", "3.11.12")),
        ("https://example.invalid/linux-64/pytorch-2.6.0-cuda126_h3_300.conda#8f1a", ("torch", "2.6.0")),
        ("https://example.invalid/pytorch-cuda-12.4-h3fd98bf_7.tar.bz2", None),
        ("trl==0.17.0", None),
        ("# trl=0.17.0=0", None),
        ("-e git+https://example.invalid/x", None),
    ],
)  # fmt: skip
def test_lines(line: str, expected: tuple[str, str] | None) -> None:
    statements = read("spec-file.txt", f"# platform: linux-64\n{line}\n")
    assert [(s.package, s.version) for s in statements] == ([expected] if expected else [])
    assert all(s.place.line == 2 for s in statements)


def test_lists_are_distinguished_from_requirements() -> None:
    assert is_list("# This file may be used to create an environment using:\n# $ conda\n")
    assert is_list("# platform: linux-64\n@EXPLICIT\n")
    assert not is_list("# what we need\ntrl==0.17.0\n")
    assert is_complete("trl=0.17.0=pypi_0\n")
    assert not is_complete("@EXPLICIT\n")


@given(st.text("package:s\n- conda/trl=10. ", max_size=120))
def test_any_text(text: str) -> None:
    read("conda-lock.yml", "package:\n" + text)
    read("spec-file.txt", text)


@each(
    ("address", "expected"),
    [
        ("https://host/torch-2.6.0-cp311-linux_x86_64.whl", ("torch", "2.6.0")),
        ("https://host/deepspeed-0.16.4.tar.gz", ("deepspeed", "0.16.4")),
        ("https://host/-2.6.0-py3-none-any.whl", None),
        ("https://host/torch-nightly-py3-none-any.whl", None),
        ("https://host/torch.whl", None),
        ("https://host/torch-2.6.0.exe", None),
    ],
)
def test_addresses(address: str, expected: tuple[str, str] | None) -> None:
    assert _distributed(address) == expected


#: What a file states, and what stands there.
TOLD: list[tuple[str, str, list[str]]] = [
    (
        "conda-lock.yml",
        "version: 1\nmetadata:\n  name: trl\npackage:\n- name: pytorch\n  version: 2.6.0\n  manager: conda\n  platform: linux-64\n  url: https://x/linux-64/pytorch-2.6.0-h_0.conda\n- name: pytorch\n  version: 2.5.0\n  manager: conda\n  platform: osx-arm64\n- name: trl\n  version: 0.17.0\n  manager: pip\n  platform: linux-64\nother:\n- name: peft\n  version: 1.0\n",
        ["torch ==2.6.0 at 5:1 - name: pytorch", "trl ==0.17.0 at 14:1 - name: trl"],
    ),
    (
        "pixi.lock",
        "version: 6\npackages:\n- conda: https://x/linux-64/pytorch-2.6.0-cuda126_300.conda\n  sha256: y\n- conda: https://x/osx-64/accelerate-1.6.0-py_0.conda\n- pypi: https://x/trl-0.17.0-py3-none-any.whl\n  name: trl\n  version: 0.17.0\n- pypi: git+https://u@g/a/peft.git@main#54673fd6ca39bf86addb20ba7d44a77071b4dc4f\n- pypi: https://x/transformers-4.51.3.tar.gz\n- pypi: https://x/torch-2.5.1%2Bcpu-cp311-win_amd64.whl\n  name: torch\n- kind: pypi\n  name: datasets\n  version: 3.5.1\n- conda: https://x/noarch/tokenizers-x-py_0.conda\n- conda: https://x/noarch/sentencepiece-0.2.conda\n- pypi: ./deepspeed.zip\n- conda: https://x/y\n  name: pytorch-cpu\n  subdir: win-64\n",
        [
            "torch ==2.6.0 at 3:1 - conda: https://x/linux-64/pytorch-2.6.0-cuda126_300.conda",
            "trl ==0.17.0 written trl-0.17.0-py3-none-any.whl at 6:1 - pypi: https://x/trl-0.17.0-py3-none-any.whl",
            "peft commit 54673fd6 written git+https://u@g/a/peft.git@main#54673fd6ca39bf86addb20ba7d44a77071b4dc4f at 9:1 - pypi: git+https://u@g/a/peft.git@main#54673fd6ca39bf86addb20ba7d44a77071b4dc4f",
            "transformers ==4.51.3 at 10:1 - pypi: https://x/transformers-4.51.3.tar.gz",
            "datasets ==3.5.1 at 13:1 - kind: pypi",
        ],
    ),
    (
        "l.txt",
        "# packages in environment at /x:\n#\npytorch                   2.6.0           py3.11_cuda12.4_cudnn9.1.0_0    pytorch\ntrl                       0.17.0                   pypi_0    pypi\naccelerate=1.6.0=py_0\npeft=0.15.2\nfoo=1\n\n@EXPLICIT\nhttps://x/linux-64/transformers-4.51.3-py_0.tar.bz2#abc\nhttps://x/transformers-4.tar.bz2\nhttps://x/datasets-3.5.1-py_0.zip\nx transformers 1\n",
        [
            "torch ==2.6.0 at 3:1 pytorch",
            "trl ==0.17.0 at 4:1 trl",
            "accelerate ==1.6.0 at 5:1 accelerate",
            "peft ==0.15.2 at 6:1 peft",
            "transformers ==4.51.3 at 10:20 transformers",
        ],
    ),
]


@pytest.mark.parametrize(("name", "text", "expected"), TOLD)
def test_what_is_read_from_a_file(name: str, text: str, expected: list[str]) -> None:
    assert told(conda_locks.read(name, text), text) == expected


@pytest.mark.parametrize(
    "line",
    [
        "# https://x/linux-64/transformers-4.51.3-py_0.conda",
        "@EXPLICIT https://x/linux-64/transformers-4.51.3-py_0.conda",
        "https://x/linux-64/transformers-4.51.3-py_0.conda" + "#" * 2_000,
    ],
)
def test_lines_that_are_passed_over(line: str) -> None:
    found = conda_locks.read("list.txt", f"{line}\n\ntrl=0.17.0\n")
    assert [one.package for one in found] == ["trl"]


def test_the_last_character_of_a_line_makes_no_comment() -> None:
    text = "https://x/linux-64/trl-0.17.0-py_0.conda#\n"
    assert told(conda_locks.read("list.txt", text), text) == ["trl ==0.17.0 at 1:20 trl"]


def test_a_fork() -> None:
    (found,) = (one for one in read("conda-lock.yml", CONDA_LOCK) if one.package == "axolotl")
    assert found.fork == ""
    theirs = CONDA_LOCK.replace("axolotl-ai-cloud/axolotl", "someone/axolotl-of-ours")
    (found,) = (one for one in read("conda-lock.yml", theirs) if one.package == "axolotl")
    assert (found.version, found.fork) == ("0.9.2", "someone/axolotl-of-ours")
