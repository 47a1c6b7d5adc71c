"""The Python of a project by `.python-version`, `requires-python`, its only Dockerfile's image, and the README's `conda create`."""

from __future__ import annotations

import os

from cfglint.base.lazy import lazy_pattern
from cfglint.environment.project.stated_versions import Statement, place_at

_FILE = ".python-version"
_PROJECT = "pyproject.toml"
_README = "readme.md"
_VERSION = lazy_pattern(r"\s*(?:cpython-)?(3\.\d{1,2}(?:\.\d{1,3})?)\s*")
_FROM = lazy_pattern(
    r"(?im)^FROM[ \t]+(?:--platform=\S{1,80}[ \t]+)?(?:[\w.-]{1,80}/){0,4}python:(3\.\d{1,2})(?![\d])"
)
#: `conda create -n a python=3.9`, `uv venv --python 3.9`.
_MADE = lazy_pattern(
    r"\b(?:(?:conda|mamba)[ \t]{1,9}create\b[^\n]{0,150}?[ \t\"']python[ \t]{0,9}==?[ \t]{0,9}"
    r"|uv[ \t]{1,9}venv\b[^\n]{0,80}?[ \t](?:--python|-p)[ \t=]{1,9}(?:python)?)(3\.\d{1,2})(?!\d)"
)


def files_in(folder: str, names: list[str]) -> list[str]:
    """The files of a folder that name a Python; of several Dockerfiles none is known to be the run's."""
    images = [one for one in names if one.lower().startswith(("dockerfile", "containerfile"))]
    found = [one for one in (_FILE, _PROJECT) if one in names]
    pages = [one for one in names if one.lower() == _README][:1]
    every = (*found, *(images if len(images) == 1 else ()), *pages)
    return [os.path.join(folder, one) for one in every]


_WANTED = lazy_pattern(r"(?m)^requires-python[ \t]*=[ \t]*[\"']([^\"'\n]{1,100})[\"']")


def read(path: str, text: str) -> list[Statement]:
    """The Python that a file names; nothing where it names several."""
    if os.path.basename(path) == _FILE:
        named = _VERSION.fullmatch(text)
        found = [named] if named is not None else []
    elif os.path.basename(path) == _PROJECT:
        wanted = _WANTED.search(text[:100_000])
        if wanted is None:
            return []
        return [Statement("python", place_at(path, text, *wanted.span(1)), spec=wanted[1])]
    elif os.path.basename(path).lower() == _README:
        found = list(_MADE.finditer(text[:100_000]))
    else:
        found = list(_FROM.finditer(text[:100_000]))
    versions = {one[1] for one in found}
    if len(versions) != 1:
        return []
    return [Statement("python", place_at(path, text, *found[0].span(1)), versions.pop())]
