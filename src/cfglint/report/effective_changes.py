"""What an upgrade changes for one file: two releases, and only what differs between them."""

from __future__ import annotations

import cfglint
from cfglint.base.type_names import Any
from cfglint.effective.changes import changes
from cfglint.effective.resolve import EffectiveValue, Made, Undecided
from cfglint.report.effective import (
    FORMAT_VERSION,
    dumped,
    entry_data,
    fact_name,
    note_on,
    one_line,
    undecided_data,
)
from cfglint.report.escaping import visible
from cfglint.source.document import Document, Path, format_path


def render(before: Made, after: Made, name: str) -> str:
    """Lines with `-` for the first release and with `+` for the second one."""
    found = changes(before.found, after.found)
    lines = [f"# What changes for {visible(name)} from {before.release} to {after.release}"]
    for made in (before, after):
        if made.refused:
            pin = f"{made.package}=={made.found.release}"
            lines.append(
                f"# {made.release} refuses this file (`cfglint --target {pin}` says why);"
                " these are its values so far."
            )
    for change in found.values:
        for sign, one in (("-", change.before), ("+", change.after)):
            if one is not None:
                lines.append(f"{sign} {visible(format_path(change.path))}: {_shown(one, name)}")
    for made, paths in ((before, found.no_longer_read), (after, found.now_read)):
        if paths:
            lines.append(f"# Only {made.release} reads:")
            lines += [f"#   {visible(format_path(path))}" for path in paths]
    if not (found.values or found.now_read or found.no_longer_read):
        lines.append("# Nothing.")
    return "\n".join(lines) + "\n"


def render_json(before: Made, after: Made, document: Document, name: str) -> str:
    """The same changes as JSON."""
    found = changes(before.found, after.found)
    return dumped(
        {
            "version": FORMAT_VERSION,
            "tool": {"name": "cfglint", "version": cfglint.__version__},
            "path": name,
            "from": _side(before, found.no_longer_read),
            "to": _side(after, found.now_read),
            "changes": {
                format_path(change.path): {
                    "from": _data(change.before, document, name),
                    "to": _data(change.after, document, name),
                }
                for change in found.values
            },
        }
    )


def _side(made: Made, paths: tuple[Path, ...]) -> dict[str, Any]:
    return {
        "target": {made.package: {"version": made.found.release, "from": made.release_origin}},
        "refused": made.refused,
        "only_reads": [format_path(path) for path in paths],
    }


def _data(
    one: EffectiveValue | Undecided | None, document: Document, name: str
) -> dict[str, Any] | None:
    if one is None:
        return None
    return undecided_data(one) if isinstance(one, Undecided) else entry_data(one, document, name)


def _shown(one: EffectiveValue | Undecided, name: str) -> str:
    """A value with its reason."""
    if isinstance(one, Undecided):
        return f"depends on {', '.join(fact_name(fact) for fact in one.needs)} ({one.reason})"
    note = note_on(one, name)
    return one_line(one.value) + (f"  # {visible(note)}" if note is not None else "")
