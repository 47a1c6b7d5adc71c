"""Every tag that Axolotl's workflows published, by release, against what is read from it.

The tables are those of `main.yml`, `nightlies.yml` and `base.yml` at each release's tag: what changed against the
release before. `3.11/124/2.6.0+vllm*` is Python 3.11, CUDA 12.4, torch 2.6.0, the extra vllm; `*` is what `latest` means.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cfglint.environment.project.readers import images
from cfglint.knowledge.releases.commits import last_built, latest_image
from tests.draws import each

#: As it was for the release before.
SAME = "same"
Table = dict[str, dict[str, str]]
RELEASED: Table = {
    "0.4.0": {
        "axolotl": "3.9/118/2.0.1 3.10/118/2.0.1* 3.10/118/2.1.1 3.10/121/2.1.1",
        "axolotl-cloud": "3.9/118/2.0.1 3.10/118/2.0.1* 3.10/118/2.1.1 3.10/121/2.1.1",
    },
    "0.5.0": {
        "axolotl": "3.10/121/2.3.1+mamba-ssm 3.11/121/2.3.1+mamba-ssm* 3.11/124/2.4.1 3.11/124/2.5.1",
        "axolotl-cloud": "3.10/121/2.3.1 3.11/121/2.3.1* 3.11/124/2.4.1 3.11/124/2.5.1",
        "axolotl-cloud-term": "3.11/121/2.3.1",
    },
    "0.5.1": {},
    "0.5.1.post1": {},
    "0.5.2": {},
    "0.6.0": {},
    "0.7.0": {
        "axolotl": "3.11/124/2.4.1 3.11/124/2.5.1+vllm* 3.11/124/2.6.0",
        "axolotl-cloud": "3.11/124/2.4.1 3.11/124/2.5.1*",
        "axolotl-cloud-term": "3.11/124/2.4.1",
    },
    "0.7.1": {},
    "0.8.0": {
        "axolotl": "3.11/124/2.4.1 3.11/124/2.5.1+vllm 3.11/124/2.6.0*",
        "axolotl-cloud": "3.11/124/2.4.1 3.11/124/2.5.1 3.11/124/2.6.0*",
        "axolotl-cloud-term": SAME,
    },
    "0.8.1": {},
    "0.9.0": {
        "axolotl": "3.11/124/2.4.1 3.11/124/2.5.1 3.11/124/2.6.0+vllm* 3.11/126/2.7.0+vllm",
        "axolotl-cloud": "3.11/124/2.4.1 3.11/124/2.5.1 3.11/124/2.6.0* 3.11/126/2.7.0",
        "axolotl-cloud-term": "3.11/124/2.6.0",
    },
    "0.9.1": {
        "axolotl": "3.11/124/2.5.1 3.11/124/2.6.0+vllm* 3.11/126/2.7.0",
        "axolotl-cloud": "3.11/124/2.5.1 3.11/124/2.6.0* 3.11/126/2.7.0",
        "axolotl-cloud-term": SAME,
    },
    "0.9.1.post1": {},
    "0.9.2": {},
    "0.10.0": {
        "axolotl": "3.11/124/2.5.1 3.11/124/2.6.0+vllm* 3.11/126/2.7.1 3.11/128/2.7.1",
        "axolotl-cloud": "3.11/124/2.5.1 3.11/124/2.6.0* 3.11/126/2.7.1 3.11/128/2.7.1",
        "axolotl-cloud-term": SAME,
    },
    "0.10.1": {},
    "0.11.0": {
        "axolotl": "3.11/126/2.6.0 3.11/126/2.7.0+vllm 3.11/126/2.7.1 3.11/128/2.7.1",
        "axolotl-cloud": "3.11/126/2.6.0* 3.11/126/2.7.0 3.11/126/2.7.1 3.11/128/2.7.1",
        "axolotl-cloud-term": "3.11/126/2.6.0",
    },
    "0.11.0.post1": {},
    "0.12.0": {
        "axolotl": "3.11/126/2.6.0 3.11/126/2.7.0 3.11/126/2.7.1+vllm* 3.11/128/2.7.1",
        "axolotl-cloud": "3.11/126/2.6.0 3.11/126/2.7.0 3.11/126/2.7.1* 3.11/128/2.7.1",
        "axolotl-cloud-term": SAME,
    },
    "0.12.1": {},
    "0.12.2": {
        "axolotl": SAME,
        "axolotl-cloud": "3.11/126/2.6.0 3.11/126/2.7.0 3.11/126/2.7.1 3.11/126/2.7.1+vllm* 3.11/128/2.7.1",
        "axolotl-cloud-term": "3.11/126/2.6.0 3.11/126/2.7.1 3.11/126/2.7.1+vllm*",
    },
    "0.13.0": {
        "axolotl": "3.11/126/2.7.0 3.11/126/2.7.1+vllm 3.11/128/2.7.1 3.11/128/2.8.0*",
        "axolotl-cloud": "3.11/126/2.7.0 3.11/126/2.7.1 3.11/126/2.7.1+vllm 3.11/128/2.7.1 3.11/128/2.8.0*",
        "axolotl-cloud-term": "3.11/126/2.7.1 3.11/126/2.7.1+vllm* 3.11/128/2.8.0",
    },
    "0.13.1": {
        "axolotl": "3.11/128/2.8.0 3.11/128/2.9.0 3.11/128/2.9.1* 3.11/130/2.9.1",
        "axolotl-cloud": "3.11/128/2.8.0 3.11/128/2.9.0 3.11/128/2.9.1* 3.11/130/2.9.1",
        "axolotl-cloud-term": "3.11/128/2.9.1* 3.11/130/2.9.1",
    },
    "0.13.2": {
        "axolotl": "3.11/128/2.8.0 3.11/128/2.9.0 3.11/128/2.9.1* 3.12/129/2.9.1+vllm 3.11/130/2.9.1",
        "axolotl-cloud": "3.11/128/2.8.0 3.11/128/2.9.0 3.11/128/2.9.1* 3.12/129/2.9.1 3.11/130/2.9.1",
        "axolotl-cloud-term": SAME,
    },
    "0.14.0": {
        "axolotl": "3.11/128/2.8.0 3.11/128/2.9.0 3.11/128/2.9.1* 3.12/129/2.9.1 3.11/130/2.9.1",
        "axolotl-cloud": SAME,
        "axolotl-cloud-term": SAME,
    },
    "0.15.0": {
        "axolotl": "3.11/128/2.8.0 3.11/128/2.9.0 3.11/128/2.9.1* 3.12/128/2.10.0 3.11/130/2.9.1 3.12/130/2.10.0",
        "axolotl-uv": "3.11/128/2.9.1* 3.12/128/2.10.0 3.11/130/2.9.1 3.12/130/2.10.0",
        "axolotl-cloud": "3.11/128/2.8.0 3.11/128/2.9.0 3.11/128/2.9.1* 3.12/128/2.10.0 3.11/130/2.9.1 3.12/130/2.10.0",
        "axolotl-cloud-uv": "3.11/128/2.9.1* 3.12/128/2.10.0 3.11/130/2.9.1 3.12/130/2.10.0",
        "axolotl-cloud-term": SAME,
    },
    "0.16.0": {
        "axolotl": "3.11/128/2.9.0 3.11/128/2.9.1* 3.12/128/2.10.0 3.11/130/2.9.1 3.12/130/2.10.0",
        "axolotl-uv": "3.11/128/2.9.1 3.12/128/2.9.1* 3.12/128/2.10.0 3.11/130/2.9.1 3.12/130/2.10.0",
        "axolotl-cloud": "3.11/128/2.9.0 3.11/128/2.9.1* 3.12/128/2.10.0 3.11/130/2.9.1 3.12/130/2.10.0",
        "axolotl-cloud-uv": "3.11/128/2.9.1 3.12/128/2.9.1* 3.12/128/2.10.0 3.11/130/2.9.1 3.12/130/2.10.0",
        "axolotl-cloud-term": SAME,
    },
    "0.16.1": {},
    "0.17.0": {
        "axolotl": "3.11/128/2.9.1* 3.12/128/2.10.0 3.11/130/2.9.1 3.12/130/2.10.0",
        "axolotl-uv": SAME,
        "axolotl-cloud": "3.11/128/2.9.1* 3.12/128/2.10.0 3.11/130/2.9.1 3.12/130/2.10.0",
        "axolotl-cloud-uv": SAME,
        "axolotl-cloud-term": SAME,
    },
    "0.18.0": {
        "axolotl-uv": "3.12/130/2.11.0 3.12/130/2.12.0*",
        "axolotl-cloud-uv": "3.12/130/2.11.0 3.12/130/2.12.0*",
        "axolotl-cloud-term": "3.12/130/2.11.0 3.12/130/2.12.0*",
    },
}  # fmt: skip
NIGHTLY: Table = {
    "0.5.0": {
        "axolotl": "3.10/121/2.3.1 3.11/121/2.3.1* 3.11/124/2.4.1 3.11/124/2.5.1",
        "axolotl-cloud": "3.10/121/2.3.1 3.11/121/2.3.1* 3.11/124/2.4.1 3.11/124/2.5.1",
    },
    "0.7.0": {
        "axolotl": "3.11/124/2.4.1 3.11/124/2.5.1 3.11/124/2.6.0",
        "axolotl-cloud": "3.11/124/2.4.1 3.11/124/2.5.1",
    },
    "0.8.0": {
        "axolotl": SAME,
        "axolotl-cloud": "3.11/124/2.4.1 3.11/124/2.5.1 3.11/124/2.6.0",
    },
    "0.9.1": {
        "axolotl": "3.11/124/2.5.1 3.11/124/2.6.0",
        "axolotl-cloud": "3.11/124/2.5.1 3.11/124/2.6.0",
    },
    "0.11.0": {
        "axolotl": "3.11/124/2.6.0",
        "axolotl-cloud": "3.11/124/2.6.0 3.11/126/2.6.0",
    },
    "0.12.0": {
        "axolotl": "3.11/126/2.6.0 3.11/126/2.7.1",
        "axolotl-cloud": "3.11/126/2.6.0 3.11/126/2.7.1",
    },
    "0.13.0": {
        "axolotl": "3.11/126/2.7.1 3.11/128/2.8.0",
        "axolotl-cloud": "3.11/126/2.7.1 3.11/128/2.8.0",
    },
    "0.13.1": {
        "axolotl": "3.11/128/2.8.0 3.11/128/2.9.1",
        "axolotl-cloud": "3.11/128/2.8.0 3.11/128/2.9.1",
    },
    "0.16.0": {
        "axolotl": "3.11/128/2.9.1",
        "axolotl-cloud": "3.11/128/2.9.1",
    },
    "0.18.0": {
        "axolotl": "3.12/130/2.11.0 3.12/130/2.12.0",
        "axolotl-cloud": "3.12/130/2.11.0 3.12/130/2.12.0",
    },
}  # fmt: skip
BASE: Table = {
    "0.4.0": {
        "axolotl-base": "3.9/118/2.0.1 3.10/118/2.0.1 3.10/118/2.1.1 3.10/121/2.1.1",
    },
    "0.5.0": {
        "axolotl-base": "3.10/121/2.3.1 3.11/121/2.3.1 3.11/124/2.4.1 3.11/124/2.4.1 3.11/124/2.5.1",
    },
    "0.5.1": {
        "axolotl-base": "3.10/121/2.3.1 3.11/121/2.3.1 3.10/124/2.4.1 3.11/124/2.4.1 3.11/124/2.5.1",
    },
    "0.7.0": {
        "axolotl-base": "3.11/124/2.4.1 3.11/124/2.5.1 3.11/124/2.6.0",
    },
    "0.8.0": {
        "axolotl-base": "3.11/124/2.4.1 3.11/124/2.5.1 3.11/124/2.6.0 3.11/126/2.6.0 3.11/128/nightly 3.11/128/next",
    },
    "0.9.0": {
        "axolotl-base": "3.11/124/2.4.1 3.11/124/2.5.1 3.11/124/2.6.0 3.11/126/2.6.0 3.11/126/2.7.0 3.11/128/2.7.0 3.11/128/nightly 3.11/128/next",
    },
    "0.9.1": {
        "axolotl-base": "3.11/124/2.5.1 3.11/124/2.6.0 3.11/126/2.6.0 3.11/126/2.7.0 3.11/128/2.7.0 3.11/128/nightly 3.11/128/next",
    },
    "0.10.0": {
        "axolotl-base": "3.11/124/2.5.1 3.11/124/2.6.0 3.11/126/2.6.0 3.11/126/2.7.1 3.11/128/2.7.1 3.11/128/nightly",
        "axolotl-base-uv": "3.11/126/2.6.0 3.11/128/2.7.1",
    },
    "0.11.0": {
        "axolotl-base": "3.11/124/2.6.0 3.11/126/2.6.0 3.11/126/2.7.0 3.11/126/2.7.1 3.11/128/2.7.1 3.11/128/nightly",
        "axolotl-base-uv": SAME,
    },
    "0.12.0": {
        "axolotl-base": "3.11/124/2.6.0 3.11/126/2.6.0 3.11/126/2.7.0 3.11/126/2.7.1 3.11/128/2.7.1 3.11/128/2.8.0",
        "axolotl-base-uv": "3.11/126/2.6.0 3.11/126/2.7.1 3.11/128/2.7.1 3.11/128/2.8.0",
    },
    "0.13.0": {
        "axolotl-base": "3.11/126/2.7.0 3.11/126/2.7.1 3.11/128/2.7.1 3.11/128/2.8.0 3.11/128/2.9.0 3.11/130/2.9.0",
        "axolotl-base-uv": "3.11/126/2.7.1 3.11/128/2.7.1 3.11/128/2.8.0 3.11/128/2.9.0 3.11/130/2.9.0",
    },
    "0.13.1": {
        "axolotl-base": "3.11/128/2.8.0 3.11/128/2.9.0 3.11/128/2.9.1 3.11/130/2.9.1",
        "axolotl-base-uv": "3.11/128/2.8.0 3.11/128/2.9.1 3.11/128/2.9.0 3.11/130/2.9.1",
    },
    "0.13.2": {
        "axolotl-base": "3.11/128/2.8.0 3.11/128/2.9.0 3.11/128/2.9.1 3.12/129/2.9.1 3.11/130/2.9.1 3.12/130/2.9.1",
        "axolotl-base-uv": "3.11/128/2.8.0 3.11/128/2.9.1 3.11/128/2.9.0 3.12/129/2.9.1 3.11/130/2.9.1 3.12/130/2.9.1",
    },
    "0.15.0": {
        "axolotl-base": "3.11/128/2.8.0 3.11/128/2.9.0 3.11/128/2.9.1 3.11/128/2.10.0 3.12/128/2.10.0 3.11/130/2.9.1 3.12/130/2.9.1 3.12/130/2.10.0",
        "axolotl-base-uv": "3.11/128/2.8.0 3.11/128/2.9.1 3.11/128/2.9.0 3.11/128/2.10.0 3.12/128/2.10.0 3.11/130/2.9.1 3.12/130/2.9.1 3.12/130/2.10.0",
    },
    "0.16.0": {
        "axolotl-base": "3.11/128/2.9.0 3.11/128/2.9.1 3.11/128/2.10.0 3.12/128/2.10.0 3.11/130/2.9.1 3.12/130/2.9.1 3.12/130/2.10.0",
        "axolotl-base-uv": "3.11/128/2.9.1 3.12/128/2.9.1 3.11/128/2.9.0 3.11/128/2.10.0 3.12/128/2.10.0 3.11/130/2.9.1 3.12/130/2.9.1 3.12/130/2.10.0",
    },
    "0.17.0": {
        "axolotl-base": "3.11/128/2.9.1 3.12/128/2.10.0 3.11/130/2.9.1 3.12/130/2.10.0",
        "axolotl-base-uv": "3.11/128/2.9.1 3.12/128/2.9.1 3.11/128/2.10.0 3.12/128/2.10.0 3.11/130/2.9.1 3.12/130/2.9.1 3.12/130/2.10.0 3.12/130/2.11.0 3.12/130/2.12.0",
    },
    "0.18.0": {
        "axolotl-base-uv": "3.12/130/2.11.0 3.12/130/2.12.0 3.12/130/2.12.1 3.12/130/2.13.0 3.12/132/2.13.0",
    },
}  # fmt: skip


def rows(table: Table) -> Iterator[tuple[str, str, str, str, str, str, bool]]:
    """(release, repository, python, cuda, torch, extra, whether it is the latest)."""
    before: dict[str, str] = {}
    for release, now in table.items():
        before = {
            repository: row if row != SAME else before[repository]
            for repository, row in now.items()
        } or before
        for repository, images_of in before.items():
            for image in images_of.split():
                what, _, extra = image.rstrip("*").partition("+")
                python, cuda, torch = what.split("/")
                yield release, repository, python, cuda, torch, extra, image.endswith("*")


def read(image: str) -> dict[str, tuple[str | None, str | None]]:
    found = images.read("Dockerfile", f"FROM {image}\n")
    assert len({one.package for one in found}) == len(found)
    assert {one.written for one in found} == {image}
    return {one.package: (one.version, one.day) for one in found}


@pytest.mark.parametrize("account", ["axolotlai", "winglian"])
def test_releases(account: str) -> None:
    def stands(account: str, build: str) -> str | None:
        """The day of the last build under a tag of the main branch."""
        last = last_built("axolotl", build.removeprefix("-"))
        days = [last, "20251114" if account == "winglian" else None]
        return min(filter(None, days), default=None)

    tags = 0
    for release, repository, python, cuda, torch, extra, _ in rows(RELEASED):
        plain = f"-py{python}-cu{cuda}-{torch}"
        for suffix in {plain, f"{plain}-{extra}" if extra else plain}:
            for prefix, version in (
                (release, release), (f"v{release}", release), ("main", None), ("latest", None),
            ):  # fmt: skip
                tags += 1
                assert read(f"{account}/{repository}:{prefix}{suffix}") == {
                    "axolotl": (version, stands(account, plain) if prefix == "main" else None),
                    "torch": (torch, None),
                    "python": (python, None),
                }
    assert tags > 1000


def test_nightly_images() -> None:
    for _, repository, python, cuda, torch, _, _ in rows(NIGHTLY):
        image = f"axolotlai/{repository}:main-20250303-py{python}-cu{cuda}-{torch}"
        assert read(image) == {
            "axolotl": (None, "20250303"),
            "torch": (torch, None),
            "python": (python, None),
        }
    assert read("winglian/axolotl:main-20250303") == {"axolotl": (None, "20250303")}


def test_base_images_hold_torch_and_no_axolotl() -> None:
    for _, repository, python, cuda, torch, _, _ in rows(BASE):
        expected = {"python": (python, None), "torch": (torch, None)}
        if torch in ("nightly", "next"):
            del expected["torch"]
        assert read(f"axolotlai/{repository}:main-base-py{python}-cu{cuda}-{torch}") == expected


def test_latest_is_the_image_that_the_workflow_marks() -> None:
    marked: dict[tuple[str, str], tuple[str, str, str]] = {}
    for release, repository, python, cuda, torch, _, latest in rows(RELEASED):
        if latest:
            marked.setdefault((release, repository), (python, cuda, torch))
    for (release, repository), expected in marked.items():
        assert latest_image("axolotl", release, repository, bare=False) == expected
        if (release, repository) != ("0.4.0", "axolotl-cloud"):
            found = read(f"axolotlai/{repository}:{release}-latest")
            assert (found["torch"][0], found["python"][0]) == (expected[2], expected[0])
    assert len(marked) > 50


@each(
    ("image", "expected"),
    [
        ("axolotlai/axolotl:main-latest", {"axolotl": (None, None)}),
        ("axolotlai/axolotl:main", {"axolotl": (None, None)}),
        ("axolotlai/axolotl:latest", {"axolotl": (None, None)}),
        ("winglian/axolotl-runpod:main-latest", {"axolotl": (None, "20251114")}),
        ("winglian/axolotl-runpod:main-py3.10-cu118-2.0.1", {"axolotl": (None, "20240222"), "torch": ("2.0.1", None), "python": ("3.10", None)}),
        ("axolotlai/axolotl-cloud-term:0.12.2-py3.11-cu126-2.7.1-vllm", {"axolotl": ("0.12.2", None), "torch": ("2.7.1", None), "python": ("3.11", None)}),
        ("axolotlai/axolotl:0.11.0.post1", {"axolotl": ("0.11.0.post1", None)}),
        ("axolotlai/axolotl:my-branch-py3.11-cu126-2.7.1", {"axolotl": (None, None), "torch": ("2.7.1", None), "python": ("3.11", None)}),
        ("axolotlai/axolotl:main-base-py3.11-cu124-2.6.0", {"torch": ("2.6.0", None), "python": ("3.11", None)}),
    ],
)  # fmt: skip
def test_other_tags(image: str, expected: dict[str, tuple[str | None, str | None]]) -> None:
    assert read(image) == expected


def test_a_digest_beside_the_tag() -> None:
    digest = "0" * 64
    found = images.read(
        "job.yaml", f"image: axolotlai/axolotl:0.9.2-py3.11-cu124-2.6.0@sha256:{digest}\n"
    )
    assert [(one.package, one.version) for one in found] == [
        ("axolotl", "0.9.2"),
        ("torch", "2.6.0"),
        ("python", "3.11"),
    ]
    assert images.read("job.yaml", f"image: axolotlai/axolotl@sha256:{digest}\n") == []
