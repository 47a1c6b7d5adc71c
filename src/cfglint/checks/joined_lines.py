"""Lines that became part of the value or item above by mistake, in a file that still loads."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.checks.context import Check, CheckContext, Hit
from cfglint.diagnostic import Edit, Fix
from cfglint.source.diagnosis import Diagnosis
from cfglint.source.diagnosis.loaded import LoadedFile
from cfglint.source.document import Mapping, Path, Scalar, Sequence


def joined_line(ctx: CheckContext) -> Iterator[Hit]:
    """A line that YAML joins to its neighbour, though it was written as a separate one."""
    file = LoadedFile(ctx.document.text)
    lines = set()
    for path, _, value in ctx.scalars(lambda value: _is_joined(value, ctx.document.text)):
        diagnosis = file.joined(value.span)
        if diagnosis is not None and diagnosis.slip.span not in lines:
            lines.add(diagnosis.slip.span)
            shown = value.text if len(value.text) <= 40 else value.text[:39] + "…"
            yield _hit(path, diagnosis, f"YAML joins the lines to one value, `{shown}`")
    for path, node in ctx.collections:
        if isinstance(node, Sequence) and not node.flow and _is_mixed(node):
            for index, item in enumerate(node.items):
                if isinstance(item, Sequence) and not item.flow:
                    diagnosis = file.nested(item.start)
                    if diagnosis is not None:
                        yield _hit((*path, index), diagnosis, "the item is a list of its own")


def _is_joined(value: Scalar, text: str) -> bool:
    return not value.style and text.find("\n", value.start, value.end) >= 0


def _is_mixed(node: Sequence) -> bool:
    lists = sum(type(item) is Sequence for item in node.items)
    return 0 < lists < len(node.items) and any(
        type(item) in (Scalar, Mapping) for item in node.items
    )


def _hit(path: Path, diagnosis: Diagnosis, effect: str) -> Hit:
    slip = diagnosis.slip
    changes = tuple(Edit(*change) for change in sorted(slip.changes))
    safety = "safe" if diagnosis.only else "unsafe"
    # What was joined to a value belongs to the collection around it.
    fixes = (Fix(slip.title, safety, changes, (path[:1],)),)  # type: ignore[arg-type]
    return Hit(path, slip.span, {"problem": slip.message, "effect": effect}, fixes=fixes)


CHECKS: dict[str, Check] = {"joined-line": joined_line}
