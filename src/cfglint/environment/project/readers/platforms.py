"""Configs of platforms that build a container from lists of packages and an image: Truss's `config.yaml`, `cog.yaml`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice

from cfglint.base.lazy import lazy_pattern
from cfglint.environment.project.readers import images, pip_commands
from cfglint.environment.project.readers.requirements import statement_of
from cfglint.environment.project.stated_versions import Statement, place_at, undisputed

#: The top-level keys of Truss's files, two of which show that a `config.yaml` is one.
_OF_TRUSS = frozenset(
    {"base_image", "build_commands", "external_data", "model_cache", "model_metadata"}
    | {"python_version", "requirements", "resources", "secrets", "system_packages"}
)
_KEY = lazy_pattern(r"(?m)^([a-z_]{1,40}):")
#: A list of packages, and its items.
_LIST = lazy_pattern(
    r"(?m)^[ \t]{0,8}(?:requirements|python_packages):[ \t]*\r?\n((?:[ \t]*(?:-[^\n]{1,300}|#[^\n]{0,300})?(?:\n|\Z)){1,300})"
)
_ITEM = lazy_pattern(
    r"(?m)^[ \t]*-[ \t]+[\"']?([A-Za-z][^\"'#\n]{0,290}?)[\"']?[ \t]*(?:[ \t]#[^\n]*)?\r?$"
)
_PYTHON = lazy_pattern(
    r"(?m)^[ \t]{0,8}python_version:[ \t]*[\"']?(?:py)?(3\.?\d{1,2})[\"']?[ \t]*\r?$"
)
_MAX_FOUND = 200


def read(path: str, text: str) -> list[Statement]:
    """What a platform's config installs; nothing for a file of such a name that is none."""
    is_cog = os.path.basename(path).startswith("cog.")
    keys = {key[1] for key in islice(_KEY.finditer(text), _MAX_FOUND)}
    if len(keys & _OF_TRUSS) < 2 and not (is_cog and "build" in keys):
        return []
    found = [*_listed(path, text), *pip_commands.read(path, text)]
    python = _PYTHON.search(text)
    if python is not None:
        version = python[1] if "." in python[1] else f"3.{python[1][1:]}"
        found.append(Statement("python", place_at(path, text, *python.span(1)), version))
    # What is installed on top of an image counts more than the image.
    return undisputed(found) + undisputed(images.read(path, text))


def _listed(path: str, text: str) -> Iterator[Statement]:
    for listed in islice(_LIST.finditer(text), _MAX_FOUND):
        for item in islice(_ITEM.finditer(text, *listed.span(1)), _MAX_FOUND):
            statement = statement_of(item[1], path, text, *item.span(1))
            if statement is not None:
                yield statement
