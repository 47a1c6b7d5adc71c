"""Releases of frameworks in the tags of images that others have made."""

from __future__ import annotations

from pathlib import Path

from cfglint.environment.project import tagged_images
from cfglint.environment.project.readers import pages
from tests.draws import each
from tests.environment.project.readers.test_workflows import pins
from tests.environment.project.telling import told

IMAGE = "registry.example.com/preset-images/verl:v0.4.1"
SWIFT = "a/megatron:py3.11.11-cuda12.8.1-torch2.9.1-msswift4.2.1-stamp"


@each(
    ("text", "expected"),
    [
        (f"docker pull {IMAGE}", [f"verl ==0.4.1 written {IMAGE} at 1:13 {IMAGE}"]),
        (f'BASE_IMAGE = "{SWIFT}"', [f"ms-swift ==4.2.1 written {SWIFT} at 1:15 {SWIFT}"]),
        ("b/modelscope:ubuntu22.04-py311-vllm0.11.0-swift3.9.3", None),
        # What is installed into it takes its place, and only that.
        (f"FROM {IMAGE}\nRUN pip install vllm \\\n  verl\n", []),
        (f"FROM {IMAGE}\nRUN pip install vllm\n", None),
        (f"RUN pip install verl\nFROM {IMAGE}\n", None),
        # No release, one that is not known, and what another name has in it.
        ("verlai/verl:vllm011.dev7", []),
        ("a/verl:v0.4.99", []),
        ("a/verl:app-verl0.6.1-vllm0.11.0", []),
        ("a/my-verl:v0.4.1", []),
        ("verl:v0.4.1", []),
        (f"# docker pull {IMAGE}", []),
        ("https://a.example/b/verl:v0.4.1/x", []),
    ],
)
def test_tags(text: str, expected: list[str] | None) -> None:
    found = told(tagged_images.read("README.md", text), text)
    assert len(found) == 1 if expected is None else found == expected


def test_a_page_that_starts_a_container_states_its_release(tmp_path: Path) -> None:
    found = pins(
        tmp_path, "verl", README_dot_md=f"    docker pull {IMAGE}\n    docker run {IMAGE} x\n"
    )
    assert found["verl"] == ("0.4.1", None, False)


def test_two_images_state_nothing() -> None:
    text = f"docker pull {IMAGE}\ndocker pull {IMAGE.replace('4.1', '5.0')}\n"
    assert all(one.conditional for one in pages.read("README.md", text))
