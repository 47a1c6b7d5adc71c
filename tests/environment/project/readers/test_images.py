"""The tags of container images, and where a file names one."""

from __future__ import annotations

from cfglint.environment.project.readers import images
from cfglint.environment.project.stated_versions import Statement
from tests.draws import each
from tests.environment.project.telling import told


def by_package(found: list[Statement]) -> dict[str, Statement]:
    return {one.package: one for one in found}


@each(
    ("image", "release", "day", "python", "torch"),
    [
        ("axolotlai/axolotl:0.9.2", "0.9.2", None, None, None),
        ("axolotlai/axolotl:0.9.2-latest", "0.9.2", None, "3.11", "2.6.0"),
        ("axolotlai/axolotl:0.18.0", "0.18.0", None, "3.12", "2.12.0"),
        ("axolotlai/axolotl:0.9.2-py3.11-cu126-2.7.1", "0.9.2", None, "3.11", "2.7.1"),
        ("axolotlai/axolotl:main-20241001-py3.11-cu121-2.4.1", None, "20241001", "3.11", "2.4.1"),
        ("winglian/axolotl:main-20241001-py3.11-cu121-2.4.1", None, "20241001", "3.11", "2.4.1"),
        ("docker:axolotlai/axolotl-cloud:main-latest", None, None, None, None),
        ("docker.io/axolotlai/axolotl-uv:0.16.0-latest", "0.16.0", None, "3.12", "2.9.1"),
        ("axolotlai/axolotl-cloud-uv:main-py3.12-cu130-2.11.0", None, None, "3.12", "2.11.0"),
        ("axolotlai/axolotl:0.9.2-py3.11-cu124-2.6.0-vllm", "0.9.2", None, "3.11", "2.6.0"),
    ],
)
def test_images(
    image: str, release: str | None, day: str | None, python: str | None, torch: str | None
) -> None:
    found = by_package(images.read("Dockerfile", f"# a comment\nFROM {image} AS base\n"))
    assert (found["axolotl"].version, found["axolotl"].day) == (release, day)
    assert found["axolotl"].place.line == 2
    assert (found["python"].version if python else None) == python
    assert (found["torch"].version if torch else None) == torch
    assert set(found) == {"axolotl", *(["python"] if python else []), *(["torch"] if torch else [])}


@each(
    "line",
    [
        "# FROM axolotlai/axolotl:0.9.2",
        "image: other  # axolotlai/axolotl:0.9.2",
        "FROM someone/axolotl:0.9.2",
        "FROM axolotlai/axolotl",
        "FROM xaxolotlai/axolotl:0.9.2",
        "see github.com/axolotlai/axolotl:",
    ],
)
def test_what_is_no_image(line: str) -> None:
    assert images.read("Dockerfile", line) == []


def test_base_images_hold_no_axolotl() -> None:
    found = images.read("Dockerfile", "FROM axolotlai/axolotl-base:main-base-py3.11-cu124-2.6.0\n")
    assert "axolotl" not in by_package(found)


#: What a file states, and what stands there.
TOLD: list[tuple[str, str, list[str]]] = [
    (
        "Dockerfile",
        "FROM axolotlai/axolotl:0.9.2-py3.11-cu124-2.6.0 AS x\n",
        [
            "axolotl ==0.9.2 written axolotlai/axolotl:0.9.2-py3.11-cu124-2.6.0 at 1:6 axolotlai/axolotl:0.9.2-py3.11-cu124-2.6.0",
            "torch ==2.6.0 implied written axolotlai/axolotl:0.9.2-py3.11-cu124-2.6.0 at 1:6 axolotlai/axolotl:0.9.2-py3.11-cu124-2.6.0",
            "python ==3.11 implied written axolotlai/axolotl:0.9.2-py3.11-cu124-2.6.0 at 1:6 axolotlai/axolotl:0.9.2-py3.11-cu124-2.6.0",
        ],
    ),
    (
        "Dockerfile",
        "  image: docker.io/axolotlai/axolotl-cloud:main-20250301-py3.11-cu124-2.5.1 # x\n",
        [
            "axolotl day 20250301 written axolotlai/axolotl-cloud:main-20250301-py3.11-cu124-2.5.1 at 1:20 axolotlai/axolotl-cloud:main-20250301-py3.11-cu124-2.5.1",
            "torch ==2.5.1 implied written axolotlai/axolotl-cloud:main-20250301-py3.11-cu124-2.5.1 at 1:20 axolotlai/axolotl-cloud:main-20250301-py3.11-cu124-2.5.1",
            "python ==3.11 implied written axolotlai/axolotl-cloud:main-20250301-py3.11-cu124-2.5.1 at 1:20 axolotlai/axolotl-cloud:main-20250301-py3.11-cu124-2.5.1",
        ],
    ),
    (
        "Dockerfile",
        "FROM axolotlai/axolotl-base:main-base-py3.11-cu124-2.6.0\n",
        [
            "torch ==2.6.0 implied written axolotlai/axolotl-base:main-base-py3.11-cu124-2.6.0 at 1:6 axolotlai/axolotl-base:main-base-py3.11-cu124-2.6.0",
            "python ==3.11 implied written axolotlai/axolotl-base:main-base-py3.11-cu124-2.6.0 at 1:6 axolotlai/axolotl-base:main-base-py3.11-cu124-2.6.0",
        ],
    ),
    (
        "Dockerfile",
        "FROM axolotlai/axolotl:main-base-py3.11-cu124-2.6.0\n",
        [
            "torch ==2.6.0 implied written axolotlai/axolotl:main-base-py3.11-cu124-2.6.0 at 1:6 axolotlai/axolotl:main-base-py3.11-cu124-2.6.0",
            "python ==3.11 implied written axolotlai/axolotl:main-base-py3.11-cu124-2.6.0 at 1:6 axolotlai/axolotl:main-base-py3.11-cu124-2.6.0",
        ],
    ),
    (
        "Dockerfile",
        "ARG V=0.9.2\nFROM axolotlai/axolotl:${V}\n",
        ["axolotl ==0.9.2 written axolotlai/axolotl:0.9.2 at 2:6 axolotlai/axolotl:${V}"],
    ),
    ("Dockerfile", "FROM axolotlai/axolotl:$W\n", ["axolotl at 1:6 axolotlai/axolotl:$W"]),
    ("Dockerfile", "FROM axolotlai/axolotl:$W-base\n", []),
    ("Dockerfile", "FROM axolotlai/axolotl-base:$W\n", []),
    (
        "Dockerfile",
        "// axolotlai/axolotl:0.9.2\nx # axolotlai/axolotl:0.9.2\n  # axolotlai/axolotl:0.9.2\nx#axolotlai/axolotl:0.9.2\n",
        ["axolotl ==0.9.2 written axolotlai/axolotl:0.9.2 at 4:3 axolotlai/axolotl:0.9.2"],
    ),
    (
        "Dockerfile",
        "a axolotlai/axolotl:0.12.2-latest\nb axolotlai/axolotl:0.12.2\nc axolotlai/axolotl:latest\n",
        [
            "axolotl ==0.12.2 written axolotlai/axolotl:0.12.2-latest at 1:3 axolotlai/axolotl:0.12.2-latest",
            "torch ==2.7.1 implied written axolotlai/axolotl:0.12.2-latest at 1:3 axolotlai/axolotl:0.12.2-latest",
            "python ==3.11 implied written axolotlai/axolotl:0.12.2-latest at 1:3 axolotlai/axolotl:0.12.2-latest",
            "axolotl ==0.12.2 written axolotlai/axolotl:0.12.2 at 2:3 axolotlai/axolotl:0.12.2",
            "axolotl written axolotlai/axolotl:latest at 3:3 axolotlai/axolotl:latest",
        ],
    ),
]


@each(("name", "text", "expected"), TOLD)
def test_what_is_read_from_a_file(name: str, text: str, expected: list[str]) -> None:
    assert told(images.read(name, text), text) == expected


@each(
    ("name", "call", "expected"),
    [
        ("t.py", "HuggingFace(transformers_version='4.36.0')", ["==4.36.0"]),
        ("t.py", "HuggingFace(transformers_version='4.36')", ["==4.36.*"]),
        # Others of the same line do not hide it.
        ("t.py", "HuggingFace(pytorch_version='2.1', transformers_version='4.36')", ["==4.36.*"]),
        ("t.py", "A(mine_version='1.0')\nHuggingFace(transformers_version='4.36')", ["==4.36.*"]),
        ("t.ipynb", '"HuggingFace(transformers_version=\\"4.36\\")"', ["==4.36.*"]),
        ("t.txt", "HuggingFace(transformers_version='4.36')", []),
        ("t.py", "# HuggingFace(transformers_version='4.36')", []),
        ("t.py", "HuggingFace(py_version='py310')", []),
        # It takes its own image, and reads no version.
        ("t.py", "HuggingFace(image_uri=x, transformers_version='4.36')", []),
        ("t.py", "HuggingFace(transformers_version='4.36', image_uri=x)", []),
        ("t.py", "HuggingFace(image_uri=None, transformers_version='4.36')", ["==4.36.*"]),
        ("t.py", f"image_uri=x{' ' * 700}\nHuggingFace(transformers_version='4.36')", ["==4.36.*"]),
    ],
)
def test_estimators_of_sagemaker(name: str, call: str, expected: list[str]) -> None:
    found = images.read(name, f"import sagemaker\n{call}\n")
    assert [one.package for one in found] == ["transformers"] * len(expected)
    assert [one.spec or f"=={one.version}" for one in found] == expected
    assert images.read(name, f"{call}\n") == []
