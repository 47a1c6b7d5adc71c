"""The sweep files of a framework: those that make it run a config several times with other values."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

from cfglint.base.type_names import Protocol
from cfglint.checks.context import CheckContext, Hit
from cfglint.knowledge.marks import marks_of
from cfglint.roles.framework import Framework
from cfglint.runs.settings.sweeps import Choice, SweepFile
from cfglint.source.document import Document, Mapping


class SweepFormat(Protocol):
    """How the sweep files of a framework are read, and what may be wrong with them."""

    def dimensions(self, root: Mapping) -> list[list[Choice]]:
        """The dimensions of the sweep, each with its choices."""

    def unreadable(self, sweep: SweepFile, why: str) -> tuple[str, Hit]:
        """The rule that refers to a file which cannot be read, and where it fires."""

    def problems(
        self, sweep: Document, config: Document | None, ctx: CheckContext
    ) -> Iterator[tuple[str, Hit]]:
        """The findings in a sweep file itself: rules, and where they fire.

        Args:
            ctx: the sweep file as the checks of configs see one.
        """

    def is_config(self, sweep: Document, config: Document | None, ctx: CheckContext) -> bool:
        """Whether the file that was given as a sweep file is a config."""


def sweep_option(framework: Framework) -> str:
    """The option of a framework's command that names a sweep file; empty if it has none."""
    starter = marks_of(framework.name).starter
    return "" if starter is None else starter.sweeps_in


def format_of(framework: Framework) -> SweepFormat | None:
    """The format in the module `sweeps` of a framework whose command has an option for such files; else None."""
    if not sweep_option(framework):
        return None
    found: SweepFormat = import_module(f"cfglint.frameworks.{framework.name}.sweeps").FORMAT
    return found
