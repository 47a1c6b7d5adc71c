"""Valid configs of each framework, which the generator changes."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple


class Base(NamedTuple):
    """A config that trains to its end."""

    name: str
    content: Mapping[str, Any]
    #: The subcommand that reads it; empty where the file says what is trained.
    command: str = ""
    #: The releases for which it is one, as a specifier.
    releases: str = ""


class Bases(NamedTuple):
    """What is known about a framework's configs, besides what cfglint's tables say."""

    bases: tuple[Base, ...]
    #: The words for `cfglint keys` that list what a base may have besides.
    subject: Callable[[Base], tuple[str, ...]]
    #: Keys of which a CPU, one process and no network say nothing.
    untried: re.Pattern[str]
    #: Values for keys whose type says little.
    values: Mapping[str, tuple[Any, ...]]
    #: The line of a launch script; `{command}` is the base's.
    launch: str


def of(framework: str) -> Bases:
    """The bases of a framework."""
    found: Bases = importlib.import_module(f"tools.runs.bases.{framework}").BASES
    return found
