"""What conda-lock, pixi and conda's lists look like elsewhere than in `test_made.py`."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cfglint.environment.project.conda_locks import _distributed, is_complete, is_list, read

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


def test_environments_that_differ_are_left_open() -> None:
    text = "packages:\n" + "".join(
        f"- conda: https://example.invalid/linux-64/pytorch-{v}-x.conda\n"
        for v in ("2.6.0", "2.5.1")
    )
    (one,) = read("pixi.lock", text)
    assert (one.version, one.conditional) == (None, True)


@pytest.mark.parametrize(
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


def test_lists_are_told_from_requirements() -> None:
    assert is_list("# This file may be used to create an environment using:\n# $ conda\n")
    assert is_list("# platform: linux-64\n@EXPLICIT\n")
    assert not is_list("# what we need\ntrl==0.17.0\n")
    assert is_complete("trl=0.17.0=pypi_0\n")
    assert not is_complete("@EXPLICIT\n")


@given(st.text("package:s\n- conda/trl=10. ", max_size=120))
def test_any_text(text: str) -> None:
    read("conda-lock.yml", "package:\n" + text)
    read("spec-file.txt", text)


@pytest.mark.parametrize(
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
