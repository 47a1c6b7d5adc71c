"""The sweep file of `axolotl train --sweep`: what each run sets on top of the config.

A key with a list is tried with each value, and all such keys with all values of the others. Under
`_` stand mappings whose keys belong together; one of them at a time is laid over the rest. What a
run sets replaces the config's whole value at the top level: nothing reaches into a section.
"""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.checks.context import CheckContext, Hit
from cfglint.frameworks.axolotl.checks import sweep_file
from cfglint.frameworks.axolotl.checks.sweep_file import PAIRS, SweepContext
from cfglint.runs.settings.sweeps import Choice, SweepFile, Swept
from cfglint.source.document import Document, Mapping, Node, Path, Scalar, Sequence


class AxolotlSweeps:
    """What the engine asks about sweep files (see `cfglint.engine.sweeps.formats.SweepFormat`)."""

    def dimensions(self, root: Mapping) -> list[list[Choice]]:
        return dimensions(root)

    def unreadable(self, sweep: SweepFile, why: str) -> tuple[str, Hit]:
        return sweep_file.unreadable(sweep, why)

    def problems(
        self, sweep: Document, config: Document | None, ctx: CheckContext
    ) -> Iterator[tuple[str, Hit]]:
        return sweep_file.problems(SweepContext(sweep, config, ctx))

    def is_config(self, sweep: Document, config: Document | None, ctx: CheckContext) -> bool:
        return sweep_file.is_config(SweepContext(sweep, config, ctx))


def dimensions(root: Mapping) -> list[list[Choice]]:
    """What varies, each with its choices; `_` comes last, since it wins over the others.

    A value that is not a list is taken for the only choice that was meant, so that a mistake in one
    key leaves the others to be examined. A key that offers no choice at all is left out.
    """
    found: list[list[Choice]] = []
    pairs: list[Choice] = []
    for name, entry in root.lookup.items():
        label = entry.label
        value = entry.value.target()
        if name == PAIRS:
            for index, item in enumerate(value.items if isinstance(value, Sequence) else ()):
                pairs += _pair(item.target(), (label, index))
        elif isinstance(value, Sequence):
            choices: list[Choice] = [
                (Swept(entry, name, item, (label, index)),)
                for index, item in enumerate(value.items)
            ]
            found += [choices] if choices else []
        elif not isinstance(value, Scalar) or value.value is not None:
            found.append([(Swept(entry, name, entry.value, (label,)),)])
    return [*found, pairs] if pairs else found


def _pair(item: Node, path: Path) -> list[Choice]:
    if not isinstance(item, Mapping):
        return []
    return [
        tuple(
            Swept(entry, name, entry.value, (*path, entry.label))
            for name, entry in item.lookup.items()
        )
    ]


FORMAT = AxolotlSweeps()
