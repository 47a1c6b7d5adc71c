"""What an upgrade changes for one file: two releases, and only what differs between them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cfglint
from cfglint.answers.resolved.changes import EffectiveChange, changes
from cfglint.answers.resolved.made import Made
from cfglint.answers.resolved.resolve import EffectiveValue, Undecided
from cfglint.base.type_names import Any
from cfglint.report.effective import (
    FORMAT_VERSION,
    PLAIN,
    Detail,
    dumped,
    entry_data,
    fact_name,
    note_on,
    one_line,
    refusal_lines,
    refusals_data,
    undecided_data,
    without_repeats,
)
from cfglint.report.escaping import visible
from cfglint.report.snippet import wrapped
from cfglint.report.style import Style
from cfglint.source.document import Document, Path, format_path

_WIDTH = 100


def render(
    before: Made, after: Made, name: str, detail: Detail = "usual", style: Style = PLAIN
) -> str:
    """Lines with `-` for the first release and with `+` for the second one.

    What changes for the run comes first; defaults of keys that only one of both has and that switch
    nothing on are counted, or come last.
    """
    found = changes(before.found, after.found)
    heading = f"# What changes for {visible(name)} from {before.release} to {after.release}"
    lines = [style.bold(heading)]
    for made in (before, after):
        lines += refusal_lines(made, style)
    inert = [change for change in found.values if change.is_inert]
    switches = [change for change in found.values if change.is_new_switch]
    folded = () if detail == "all" else switches
    shown = (one for one in found.values if not one.is_inert and one not in folded)
    lines += without_repeats(
        [line for change in shown for line in _lines(change, name, style)], style
    )
    lines += [style.dim(line) for line in _switches(before, after, folded)]
    for made, paths in ((before, found.no_longer_read), (after, found.now_read)):
        if paths:
            lines.append(style.dim(f"# Only {made.release} reads:"))
            lines += [style.dim(f"#   {visible(format_path(path))}") for path in paths]
    if len(found.values) == len(inert) and not (found.now_read or found.no_longer_read):
        lines.append(style.dim("# Nothing." if not inert else "# Nothing for this run."))
    if inert and detail != "changed":
        new = sum(change.before is None for change in inert)
        numbers = f"{new} new, {len(inert) - new} dropped"
        title = (
            f"# Defaults of keys that only one of both has, and that switch nothing on: {numbers}"
        )
        lines.append(style.dim(f"{title}{' (--all).' if detail == 'usual' else ':'}"))
    if detail == "all":
        lines += [line for change in inert for line in _lines(change, name, style)]
    return "\n".join(lines) + "\n"


def _switches(before: Made, after: Made, found: Sequence[EffectiveChange]) -> Iterator[str]:
    """Comments: the keys of one release alone that are true by default."""
    for made, own in ((before, "before"), (after, "after")):
        names = [format_path(one.path) for one in found if getattr(one, own) is not None]
        if names:
            text = (
                f"True by default, and only in {made.release} (--all): {visible(', '.join(names))}"
            )
            first, *rest = wrapped(text, _WIDTH - len("#   "))
            yield f"# {first}"
            yield from (f"#   {line}" for line in rest)


def _lines(change: EffectiveChange, name: str, style: Style) -> Iterator[str]:
    """A value before and after."""
    for sign, paint, one in (("-", style.removed, change.before), ("+", style.added, change.after)):
        if one is not None:
            key = visible(format_path(change.path))
            value, note = _shown(one, name)
            yield paint(f"{sign} {key}: {value}") + (style.dim(f"  # {note}") if note else "")


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
                    "inert": change.is_inert,
                }
                for change in found.values
            },
        }
    )


def _side(made: Made, paths: tuple[Path, ...]) -> dict[str, Any]:
    return {
        "target": {made.package: {"version": made.found.release, "from": made.release_origin}},
        "refused": made.refused,
        "refusals": refusals_data(made),
        "only_reads": [format_path(path) for path in paths],
    }


def _data(
    one: EffectiveValue | Undecided | None, document: Document, name: str
) -> dict[str, Any] | None:
    if one is None:
        return None
    return undecided_data(one) if isinstance(one, Undecided) else entry_data(one, document, name)


def _shown(one: EffectiveValue | Undecided, name: str) -> tuple[str, str]:
    """A value and its reason, which is empty where there is none."""
    if isinstance(one, Undecided):
        return f"depends on {', '.join(fact_name(fact) for fact in one.needs)} ({one.reason})", ""
    note = note_on(one, name)
    return one_line(one.value), "" if note is None else visible(note)
