"""Conda's `environment.yml`, and what conda exports."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cfglint.environment.project.readers import conda
from cfglint.environment.project.stated_versions import Statement
from tests.draws import each
from tests.environment.project.telling import told


def by_package(found: list[Statement]) -> dict[str, Statement]:
    return {one.package: one for one in found}


CONDA = """\
name: tune
channels:
  - pytorch
dependencies:
  - python=3.11
  - pytorch::pytorch==2.6.0=py3.11_cuda12.4_cudnn9.1.0_0
  - transformers>=4.40  # why
  - accelerate=1.6
  - numpy
  - pip:
    - axolotl[flash-attn]==0.9.2
    - trl
  - peft=0.15.2
variables:
  - deepspeed=1.0
"""


def test_conda() -> None:
    found = by_package(conda.read("environment.yml", CONDA))
    assert found["python"].version == "3.11"
    assert found["torch"].version == "2.6.0"
    assert found["transformers"].spec == ">=4.40"
    assert found["accelerate"].spec == "==1.6.*"
    assert (found["axolotl"].version, found["axolotl"].extras) == ("0.9.2", ("flash-attn",))
    assert found["trl"].version is None
    assert found["peft"].version == "0.15.2"
    assert "deepspeed" not in found
    lines = CONDA.splitlines()
    for one in found.values():
        line = lines[one.place.line - 1]
        assert line[one.place.column - 1 - 2 :].startswith("- ")


def test_what_conda_exports_is_complete() -> None:
    builds = "".join(f"  - p{n}=1.{n}=py311h_{n}\n" for n in range(6))
    head = "channels:\n  - conda-forge\ndependencies:\n"
    pip = "  - pip:\n      - axolotl==0.9.2\n      - trl==0.17.0\nprefix: /x\n"
    assert conda.is_export(head + builds + pip)
    assert not conda.is_export(head + builds + "  - numpy\n" + pip)
    assert not conda.is_export(head + builds + "  - numpy=2.0\n" + pip)
    assert not conda.is_export(head + "  - python=3.11=h_0\n" + pip)
    assert not conda.is_export("")


@each(
    ("item", "expected"),
    [
        ("accelerate[version='>=1.6']", ("accelerate", None, ">=1.6")),
        ("conda-forge::transformers[version='==4.51.3',build=x]", ("transformers", "4.51.3", None)),
        ("pytorch >=2.4, <=2.7", ("torch", None, ">=2.4,<=2.7")),
        ("pytorch=2.6.0=cuda126_mkl_py311_h30b5a27_300", ("torch", "2.6.0", None)),
        ("pytorch 2.6.0 cuda126_mkl_py311_h30b5a27_300", ("torch", "2.6.0", None)),
        ("huggingface_hub=0.30.2", ("huggingface-hub", "0.30.2", None)),
        ("python 3.11.*", ("python", None, "==3.11.*")),
        ("pytorch-cuda=12.4", None),
        ("transformers~=4.35.2", ("transformers", None, "~=4.35.2")),
        ("trlx", None),
    ],
)
def test_specs_of_conda(item: str, expected: tuple[str, str | None, str | None] | None) -> None:
    found = conda.read("environment.yml", f"dependencies:\n  - {item}\n")
    assert [(s.package, s.version, s.spec) for s in found] == ([expected] if expected else [])


def test_pip_has_the_last_word() -> None:
    text = (
        "dependencies:\n  - pytorch=2.5.1=py3.9\n  - transformers=4.1.0\n"
        "  - pip:\n      - torch==2.1.2\n      - transformers\n"
    )
    found = conda.read("environment.yml", text)
    exact = {s.package: (s.version, s.place.line) for s in found if s.version}
    assert exact == {"torch": ("2.1.2", 5), "transformers": ("4.1.0", 3)}


@given(st.text("ab- :#\n\r\t=pi\"'", max_size=80))
def test_any_environment(text: str) -> None:
    conda.read("environment.yml", "dependencies:\n" + text)


#: What a file states, and what stands there.
TOLD: list[tuple[str, str, list[str]]] = [
    (
        "e.yml",
        "name: x\ndependencies:\n  - pytorch=2.6.0  # why\n  - pip\n  - pip:\n    - axolotl==0.9.2\n    - 'trl>=0.17'\n  - peft\nvariables:\n  - trl=1.0\n",
        [
            "torch ==2.6.0 at 3:5 pytorch=2.6.0",
            "peft at 8:5 peft",
            "axolotl ==0.9.2 at 6:7 axolotl==0.9.2",
            "trl range >=0.17 at 7:8 trl>=0.17",
        ],
    ),
    (
        "e.yml",
        "dependencies:\n- pip:\n  - torch==2.1.2\n- pytorch=2.5.1=py3.9\n- numpy\n- pip:x\n- accelerate=1\n- python=3.11\n- python=3\n- transformers=4.51\n- transformers 4.51.3\n- trl>1\n- datasets 3.*\n- peft 0.1,0.2\n- deepspeed=0.1|0.2\n- tokenizers==0.2*\n- transformers<=4.51.3\n",
        [
            "numpy at 5:3 numpy",
            "accelerate range ==1.* at 7:3 accelerate=1",
            "python ==3.11 at 8:3 python=3.11",
            "python range ==3.* at 9:3 python=3",
            "transformers range ==4.51.* at 10:3 transformers=4.51",
            "transformers ==4.51.3 at 11:3 transformers 4.51.3",
            "trl range >1 at 12:3 trl>1",
            "datasets range ==3.* at 13:3 datasets 3.*",
            "peft at 14:3 peft 0.1,0.2",
            "deepspeed at 15:3 deepspeed=0.1|0.2",
            "tokenizers at 16:3 tokenizers==0.2*",
            "transformers range <=4.51.3 at 17:3 transformers<=4.51.3",
            "torch ==2.1.2 at 3:5 torch==2.1.2",
        ],
    ),
    (
        "e.yml",
        "channels:\n  - trl=1.0\ndependencies:\n  - accelerate=1.2.3\n  # - peft=1.0\n\tx\n  - \"conda-forge::trl==0.17.0\"\r\n  - conda-forge::pytorch >=2.4, <2.7\r\n  - foo >=2.4, <2.7\n  - peft[version='0.15.2']\n",
        [
            "accelerate ==1.2.3 at 4:5 accelerate=1.2.3",
            "trl ==0.17.0 at 7:6 conda-forge::trl==0.17.0",
            "torch range >=2.4,<2.7 at 8:5 conda-forge::pytorch >=2.4, <2.7",
            "peft ==0.15.2 at 10:5 peft[version='0.15.2']",
        ],
    ),
    (
        "e.yml",
        "dependencies:\n  - pip:\n      - trl\n      - torch==2.0.0\n  - trl=0.17.0\n  - pytorch=2.0.1\n",
        ["trl ==0.17.0 at 5:5 trl=0.17.0", "trl at 3:9 trl", "torch ==2.0.0 at 4:9 torch==2.0.0"],
    ),
]


@each(("name", "text", "expected"), TOLD)
def test_what_is_read_from_a_file(name: str, text: str, expected: list[str]) -> None:
    assert told(conda.read(name, text), text) == expected


def test_long_lines_are_passed_over() -> None:
    text = f"dependencies:\n  - {'x' * 1_000}\n  - trl=1.2.3\n"
    assert told(conda.read("e.yml", text), text) == ["trl ==1.2.3 at 3:5 trl=1.2.3"]


@pytest.mark.parametrize("count", [299, 300, 301])
def test_no_more_than_300_packages(count: int) -> None:
    text = "dependencies:\n" + "  - trl=1.2.3\n" * (count - 5) + "  - pip:\n" + "    - trl\n" * 9
    assert len(conda.read("e.yml", text)) == min(count + 4, 300)
