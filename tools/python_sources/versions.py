"""The order of releases, their days on a command line, and the table of them."""

from __future__ import annotations

import argparse
import json
import re
from typing import TYPE_CHECKING, Any

from packaging.version import Version

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def in_order(releases: Iterable[str]) -> list[str]:
    """Releases from the oldest to the newest, each once."""
    return sorted(set(releases), key=Version)


def dated(argument: str) -> tuple[str, str]:
    """The release and the day of a command line's `VERSION=YYYY-MM-DD`.

    Raises:
        argparse.ArgumentTypeError: it is something else.
    """
    version, mark, day = argument.partition("=")
    if not mark or not re.fullmatch(r"\d{4}-\d{2}-\d{2}", day):
        raise argparse.ArgumentTypeError(f"{argument!r}: write VERSION=YYYY-MM-DD")
    return version, day


def dump_releases(rows: Mapping[str, Any]) -> str:
    """The table of releases as JSON, one release a line, the oldest first."""
    order = in_order(rows)
    body = ",\n".join(f"  {json.dumps(version)}: {json.dumps(rows[version])}" for version in order)
    return f'{{\n "newest": {json.dumps(order[-1])},\n "releases": {{\n{body}\n }}\n}}\n'
