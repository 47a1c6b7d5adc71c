"""What is wrong with a sweep file itself, whatever its values do to a config.

Imported only when there is one. Its rules are fired by the engine, which alone has both files.
"""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.base.shortened import shortened
from cfglint.base.type_names import Any
from cfglint.checks.context import CheckContext, Hit
from cfglint.checks.structure import duplicate_key
from cfglint.diagnostic import Related
from cfglint.runs.settings.sweeps import SweepFile
from cfglint.source.document import (
    Alias,
    Document,
    Entry,
    Mapping,
    Node,
    Path,
    Scalar,
    Sequence,
)
from cfglint.source.problems import ProblemKind
from cfglint.source.text import Span
from cfglint.source.values import to_python

#: The key whose items are mappings that belong together.
PAIRS = "_"
#: A rule's name, and where it fires.
Problem = tuple[str, Hit]

#: What such a key means for runs that have the same value, and the key in words.
_SHARED = {
    "hub_model_id": "push into the same repository of the hub",
    "wandb_run_id": "log into the same run of W&B",
}
#: Where Axolotl saves by default.
_DEFAULT_OUTPUT = "./model-out"
_NOTHING_RUNS = "there are no combinations, and nothing runs"
_MAX_SHOWN = 40


class SweepContext:
    """A sweep file, and the config that it is for (None when that cannot be read)."""

    def __init__(self, sweep: Document, config: Document | None, ctx: CheckContext) -> None:
        self.sweep = sweep
        self.config = config
        #: The sweep file as the checks of configs see one.
        self.own = ctx
        self.entries = list(sweep.root.lookup.items())
        pairs = sweep.root.lookup.get(PAIRS)
        node = pairs.value.target() if pairs is not None else None
        #: The items below `_`.
        self.pairs = list(node.items) if isinstance(node, Sequence) else []

    def pair_entries(self, name: object) -> list[Entry]:
        """Where the items below `_` set a key."""
        found = []
        for item in self.pairs:
            target = item.target()
            if isinstance(target, Mapping) and name in target.lookup:
                found.append(target.lookup[name])
        return found

    @property
    def runs(self) -> int:
        """How many runs the sweep has."""
        count = len(self.pairs) or 1
        for name, entry in self.entries:
            if name != PAIRS:
                count *= _length(entry)
        return count if self.entries else 0


def _length(entry: Entry) -> int:
    value = entry.value.target()
    return len(value.items) if isinstance(value, Sequence) else 1


def unreadable(sweep: SweepFile, why: str) -> Problem:
    """The finding for a file that cannot be read.

    Args:
        why: what is wrong with its YAML, as for a config.
    """
    assert sweep.error is not None
    kind = sweep.error.kind
    if kind is ProblemKind.EMPTY:
        why = "It contains only white space or comments."
    elif kind is ProblemKind.ROOT_NOT_MAPPING:
        what = sweep.error.details.get("kind", "a single value")
        why = f"It is {what}, not a mapping of keys to lists of values."
    return "sweep-file-unreadable", Hit((), sweep.error.span, {"problem": why})


def problems(ctx: SweepContext) -> Iterator[Problem]:
    """What is wrong with a sweep file that can be read."""
    other = _another_kind_of_file(ctx)
    if other:
        first = ctx.sweep.root.entries[0]
        yield "sweep-file-of-another-kind", Hit((), first.key.span, {"kind": other})
        return
    for hit in duplicate_key(ctx.own):
        yield "duplicate-key", hit.replaced(repairs=())
    for name, entry in ctx.entries:
        if name == PAIRS:
            yield from _pairs(ctx, entry)
        else:
            yield from _values(entry)
            yield from _overridden(ctx, name, entry)
            yield from _literal(ctx, name, entry)
    yield from _lost_keys(ctx)
    yield from _shared_output(ctx)
    for name, effect in _SHARED.items():
        yield from _shared(ctx, name, effect)
    if ctx.entries:
        params = {"release": ctx.own.target.release}
        yield "sweep-before-release", Hit((), ctx.entries[0][1].key.span, params)


def is_config(ctx: SweepContext) -> bool:
    """Whether it is not a sweep file at all."""
    return bool(_another_kind_of_file(ctx))


def _another_kind_of_file(ctx: SweepContext) -> str:
    values = {name: entry.value.target() for name, entry in ctx.entries}
    if isinstance(values.get("parameters"), Mapping) and {"method", "program"} & values.keys():
        return "a sweep of W&B, which `wandb sweep` reads"
    lists = sum(isinstance(value, Sequence) for value in values.values())
    if ctx.own.framework.own_files.recognizes(ctx.sweep) and lists * 2 < len(values):
        return "a training config"
    return ""


def _values(entry: Entry) -> Iterator[Problem]:
    value = entry.value.target()
    key = entry.label
    if isinstance(value, Sequence):
        if not value.items:
            params = {"key": key, "outcome": _NOTHING_RUNS}
            yield "sweep-list-empty", Hit((key,), entry.span, params)
        yield from _repeated(key, value)
        return
    if isinstance(value, Mapping):
        kind, outcome = "a mapping", "each of its keys becomes the value of one run"
    elif isinstance(value, Scalar) and isinstance(value.value, str):
        kind = "text"
        outcome = f"each of its {len(value.value)} characters becomes the value of one run"
    else:
        kind = "nothing" if _is_null(value) else f"the single value {_shown(value)}"
        outcome = "the command fails with a TypeError"
    if _is_empty(value):
        outcome = _NOTHING_RUNS
    params = {"key": key, "kind": kind, "outcome": outcome}
    yield "sweep-value-no-list", Hit((key,), entry.span, params)


def _pairs(ctx: SweepContext, entry: Entry) -> Iterator[Problem]:
    value = entry.value.target()
    if not isinstance(value, Sequence):
        if not _is_off(value):
            params = {
                "key": PAIRS,
                "kind": _kind(value),
                "outcome": "the command fails with an error",
            }
            yield "sweep-value-no-list", Hit((PAIRS,), entry.span, params)
        return
    if not value.items:
        params = {"key": PAIRS, "outcome": "it has no effect"}
        yield "sweep-list-empty", Hit((PAIRS,), entry.span, params, severity="note")
    for index, item in enumerate(value.items):
        if not isinstance(item.target(), Mapping):
            params = {"kind": _kind(item.target())}
            yield "sweep-pair-no-mapping", Hit((PAIRS, index), _span(item, entry), params)
    yield from _repeated(PAIRS, value)


def _repeated(key: str, node: Sequence) -> Iterator[Problem]:
    first: dict[str, tuple[int, Node]] = {}
    for index, item in enumerate(node.items):
        value = repr(to_python(item))
        known = first.setdefault(value, (index, item))
        if known[1] is item:
            continue
        related = (Related(known[1].span, "the same"),)
        params = {"key": key, "value": _shown(item.target())}
        yield "sweep-value-repeated", Hit((key, index), item.span, params, related)


def _overridden(ctx: SweepContext, name: object, entry: Entry) -> Iterator[Problem]:
    """A key that `_` sets, too: what it sets wins."""
    above = ctx.pair_entries(name)
    if not above:
        return
    always = len(above) == len(ctx.pairs)
    count = _length(entry)
    if count < 2 and not always:
        return
    params = {
        "key": entry.label,
        "which": "each of its items" if always else f"{len(above)} of its {len(ctx.pairs)} items",
        "effect": "this list has no effect"
        if count < 2
        else f"{'each' if always else 'such a'} combination runs {count} times",
    }
    related = (Related(above[0].key.span, "this wins"),)
    yield "sweep-key-overridden", Hit((entry.label,), entry.key.span, params, related)


def _literal(ctx: SweepContext, name: object, entry: Entry) -> Iterator[Problem]:
    """A key that is meant to be more than its letters."""
    keys = ctx.own.framework.keys
    if not isinstance(name, str) or name in keys.names(""):
        return
    section, dot, inner = name.partition(".")
    value = entry.value.target()
    if dot and inner and section in keys.names(""):
        advice = (
            f"a sweep cannot set a key inside a section; give `{section}` mappings as its values"
        )
    elif (
        name.startswith(PAIRS)
        and isinstance(value, Sequence)
        and value.items
        and all(isinstance(item.target(), Mapping) for item in value.items)
    ):
        advice = f"only the key `{PAIRS}` holds values that go together"
    else:
        return
    params = {"key": name, "advice": advice}
    yield "sweep-key-literal", Hit((name,), entry.key.span, params)


def _lost_keys(ctx: SweepContext) -> Iterator[Problem]:
    """A section that replaces the config's and has some of its keys only."""
    if ctx.config is None:
        return
    for name, path, node in _written(ctx):
        section = ctx.config.root.lookup.get(name)
        old = section.value.target() if section is not None else None
        new = node.target()
        if not isinstance(old, Mapping) or not isinstance(new, Mapping) or not new.entries:
            continue
        lost = [key for key in old.lookup if key not in new.lookup]
        if not lost or len(old.lookup) - len(lost) != len(new.lookup):
            continue
        names = [f"`{old.lookup[key].label}`" for key in lost]
        shown = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
        params = {"key": _clip(str(name)), "lost": shown}
        yield "sweep-section-loses-keys", Hit(path, _first(node), params)


def _written(ctx: SweepContext) -> Iterator[tuple[Any, Path, Node]]:
    """Every value that the sweep gives a key: the key, the value's path, the value."""
    for name, entry in ctx.entries:
        value = entry.value.target()
        if not isinstance(value, Sequence):
            continue
        for index, item in enumerate(value.items):
            if name != PAIRS:
                yield name, (entry.label, index), item
                continue
            target = item.target()
            for key, inner in target.lookup.items() if isinstance(target, Mapping) else ():
                yield key, (entry.label, index, inner.label), inner.value


def _shared_output(ctx: SweepContext) -> Iterator[Problem]:
    """Runs that save into the same folder, in releases that give them none of their own."""
    folders = _distinct(ctx, "output_dir")
    if folders is None:
        return
    where = _value(ctx.config, "output_dir") or _DEFAULT_OUTPUT
    many = f"{folders} folders" if folders > 1 else f"one folder, `{_clip(str(where))}`"
    resumes = _value(ctx.config, "auto_resume_from_checkpoints") is True
    effect = (
        "and each resumes from the last one's checkpoint" if resumes else "the last one's stays"
    )
    params = {"runs": _count(ctx.runs), "folders": many, "effect": effect}
    yield "sweep-output-overwrite", Hit(*_place(ctx, "output_dir"), params)


def _shared(ctx: SweepContext, name: str, effect: str) -> Iterator[Problem]:
    """A name that several runs have in common and should not."""
    values = _distinct(ctx, name)
    if values is None:
        return
    if _value(ctx.config, name) in (None, "", False) and not _is_swept(ctx, name):
        return
    params = {"runs": _count(ctx.runs), "key": name, "effect": effect}
    yield "sweep-name-shared", Hit(*_place(ctx, name), params)


def _distinct(ctx: SweepContext, name: str) -> int | None:
    """How many values a key has in all runs; None when no two runs share one."""
    runs = ctx.runs
    entry = ctx.sweep.root.lookup.get(name)
    above = ctx.pair_entries(name)
    values = {repr(to_python(inner.value)) for inner in above}
    if len(above) < max(1, len(ctx.pairs)):
        node = entry.value.target() if entry is not None else None
        if isinstance(node, Sequence):
            values |= {repr(to_python(item)) for item in node.items}
        else:
            values.add("")
    return len(values) if len(values) < runs else None


def _is_swept(ctx: SweepContext, name: str) -> bool:
    return name in ctx.sweep.root.lookup or bool(ctx.pair_entries(name))


def _place(ctx: SweepContext, name: str) -> tuple[Path, Span]:
    """The place of a finding about a key: the key if it is swept, else the first one."""
    entry = ctx.sweep.root.lookup.get(name)
    if entry is None:
        above = ctx.pair_entries(name)
        if above:
            return (), above[0].key.span
        return (), ctx.entries[0][1].key.span
    return (entry.label,), entry.key.span


def _value(config: Document | None, name: str) -> Any:
    entry = config.root.lookup.get(name) if config is not None else None
    value = entry.value.target() if entry is not None else None
    return value.value if isinstance(value, Scalar) else None


def _is_null(node: Node) -> bool:
    return isinstance(node, Scalar) and node.value is None


def _is_empty(node: Node) -> bool:
    if isinstance(node, Mapping):
        return not node.lookup
    return isinstance(node, Scalar) and node.value == ""


def _is_off(node: Node) -> bool:
    """Whether Python's `if` says no."""
    return _is_empty(node) or (isinstance(node, Scalar) and not node.value)


def _kind(node: Node) -> str:
    if isinstance(node, Mapping):
        return "a mapping"
    return "a list" if isinstance(node, Sequence) else f"`{_clip(getattr(node, 'text', ''))}`"


def _shown(node: Node) -> str:
    if isinstance(node, Scalar):
        return f"`{_clip(node.text)}`" if node.text else "nothing"
    return "this value"


def _clip(text: str) -> str:
    return shortened(" ".join(text.split()), _MAX_SHOWN)


def _first(node: Node) -> Span:
    """A value in one line, or the first key of a longer one."""
    target = node.target()
    if isinstance(target, Mapping) and not target.flow and not isinstance(node, Alias):
        return target.entries[0].key.span
    return node.span


def _span(item: Node, entry: Entry) -> Span:
    """An item that is seen: one without characters is at its key."""
    return item.span if item.end > item.start else entry.key.span


def _count(number: int) -> str:
    return str(number) if number < 10**9 else "more than 10⁹"
