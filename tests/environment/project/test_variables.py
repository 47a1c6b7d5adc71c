"""Variables whose value the same file tells."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cfglint.environment.project.readers import images
from cfglint.environment.project.variables import Variables
from tests.draws import each


@each(
    ("written", "text", "value"),
    [
        ("0.9.2", "", "0.9.2"),
        ("$TAG", "ARG TAG=0.9.2\n", "0.9.2"),
        ("${TAG}-latest", 'TAG="0.9.2"\n', "0.9.2-latest"),
        ("${TAG:-0.9.2}", "image: x:${TAG:-0.9.2}\n", "0.9.2"),
        ("${TAG-0.9.2}", "", "0.9.2"),
        ("${{ env.TAG }}", "env:\n  TAG: '0.9.2'\n", "0.9.2"),
        ("py${PY}-cu$CU", "PY=3.11\nexport CU=124\n", "py3.11-cu124"),
        ("$TAG", "TAG=1\nTAG=2\n", None),
        ("${TAG:-2}", "TAG=1\n", None),
        ("$TAG", "OTHER_TAG=1\nmy.TAG=2\n", None),
        ("${{ matrix.tag }}", "tag: 1\n", None),
        ("$(date)", "date=1", None),
        ("$TAG", "TAG=$OTHER\n", None),
    ],
)
def test_values(written: str, text: str, value: str | None) -> None:
    assert Variables(text).expanded(written) == value


@each(
    ("text", "versions"),
    [
        (
            "ARG TAG=0.9.2-py3.11-cu124-2.6.0\nFROM axolotlai/axolotl:${TAG}\n",
            {"axolotl": "0.9.2", "torch": "2.6.0", "python": "3.11"},
        ),
        (
            "ARG V=0.9.2\nFROM axolotlai/axolotl:$V-py3.11-cu124-2.6.0\n",
            {"axolotl": "0.9.2", "torch": "2.6.0", "python": "3.11"},
        ),
        ("services:\n  train:\n    image: axolotlai/axolotl-cloud:${TAG:-0.12.2}\n", {"axolotl": "0.12.2"}),
        ("FROM axolotlai/axolotl:$TAG AS build\n", {"axolotl": None}),
        ("FROM axolotlai/axolotl:main-py${PY}\n", {"axolotl": None}),
        ("FROM axolotlai/axolotl-base:$BASE_TAG\n", {}),
        ("FROM axolotlai/axolotl:main-base-py${PY}-cu128-2.8.0\n", {}),
    ],
)  # fmt: skip
def test_images(text: str, versions: dict[str, str | None]) -> None:
    found = images.read("Dockerfile", text)
    assert {one.package: one.version for one in found} == versions


@given(st.text("$${}TAG:-=. 1", max_size=60))
def test_any_text(text: str) -> None:
    Variables("TAG=" + text).expanded("$TAG" + text)
    images.read("Dockerfile", "FROM axolotlai/axolotl:" + text)
