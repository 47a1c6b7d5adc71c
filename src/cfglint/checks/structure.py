"""Problems of structure: duplicate keys, and what reading alone does not refuse."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.base.logic import MISSING
from cfglint.base.type_names import Any
from cfglint.checks.context import CheckContext, Hit, Repair
from cfglint.checks.written_keys import file_keys, knows_any, unknown_keys
from cfglint.diagnostic import Related
from cfglint.source.document import Entry, Path, Scalar, format_path
from cfglint.source.text import Span
from cfglint.source.values import to_python

_MAX_SHOWN = 40


def duplicate_key(ctx: CheckContext) -> Iterator[Hit]:
    """A key that is written more than once in one mapping; the last one wins."""
    for path, mapping in ctx.mappings:
        if len(mapping.lookup) == len(mapping.entries) and not mapping.has_merge:
            continue
        seen: dict[object, list[int]] = {}
        for index, entry in enumerate(mapping.entries):
            key = entry.key.target()
            if isinstance(key, Scalar) and not entry.is_merge:
                seen.setdefault(key.value, []).append(index)
        if len(seen) == len(mapping.entries):
            continue
        from cfglint.fixes.actions import DeleteEntry

        for indices in seen.values():
            last = mapping.entries[indices[-1]]
            for index in indices[:-1]:
                ignored = mapping.entries[index]
                values = to_python(ignored.value), to_python(last.value)
                same = _reads_the_same(ctx, (*path, ignored.label), *values)
                # Of a line without a value that is filled in further down nothing is lost.
                empty = not same and _is_empty(ignored)
                off = not path and _both_off(ctx, ignored, values)
                # Who adds a line to change what is so anyway gets what the line says.
                usual = not _is_empty(last) and _is_default(ctx, (*path, ignored.label), values[0])
                # A later line without a value unsets the key, which hardly anybody means.
                unset = not same and not empty and _is_empty(last)
                line = ctx.document.line_at(last.key.start)
                yield Hit(
                    (*path, ignored.label),
                    ignored.span,
                    {
                        "key": format_path((*path, ignored.label)),
                        "ignored": _shown(ignored),
                        "used": _shown(last),
                        "line": line,
                        "effect": "has the same value"
                        if same
                        else "fills it in"
                        if empty
                        else f"sets it to {_shown(last)} and wins",
                    },
                    related=(Related(last.span, "this one is used"),),
                    repairs=(
                        Repair(
                            "Delete the one without a value"
                            if unset
                            else "Delete the one that is ignored",
                            "safe" if same or empty else "unsafe",
                            (DeleteEntry(path, indices[-1] if unset else index),),
                        ),
                    ),
                    severity="note"
                    if same or empty or off or usual or _is_unread(ctx, ignored)
                    else None,
                    harmless=_is_unread(ctx, ignored),
                )


def _is_unread(ctx: CheckContext, entry: Entry) -> bool:
    """Whether no release reads a key, nor anything else; of that there is a finding already."""
    unread = ctx.once("unread entries", lambda: {key.entry for key in unknown_keys(ctx)})
    return entry in unread


def _reads_the_same(ctx: CheckContext, path: Path, first: Any, second: Any) -> bool:
    """Whether two values are one to the framework, as `1` and `1.0` are where it wants a fraction."""
    if repr(first) == repr(second):
        return True
    kinds = (ctx.type_at(path) or "").split("|")
    are_numbers = all(type(value) in (int, float) for value in (first, second))
    return are_numbers and first == second and "float" in kinds and "int" not in kinds


def _is_empty(entry: Entry) -> bool:
    """Whether nothing at all is written where the value goes."""
    value = entry.value.target()
    return isinstance(value, Scalar) and value.value is None and not value.text


def duplicate_json_key(ctx: CheckContext) -> Iterator[Hit]:
    """A key that is written more than once in one object; its reader may refuse that."""
    from cfglint.source.languages.json import Json

    language = ctx.document.language
    refused = isinstance(language, Json) and language.refuses_duplicates
    title = ctx.framework.title
    for hit in duplicate_key(ctx):
        if refused:
            yield hit.replaced(
                params={**hit.params, "reader": f"{title} refuses the file"},
                severity="error",
                upstream="rejects",
            )
        else:
            params = {**hit.params, "reader": "the last one wins"}
            yield hit.replaced(params=params, severity=hit.severity or "warning")


def _both_off(ctx: CheckContext, entry: Entry, values: tuple[Any, ...]) -> bool:
    """Whether a key is `false` in one place and without a value in the other, and is off either way."""
    default = ctx.framework.keys.defaults.get(entry.name or "")
    return all(value is None or value is False for value in values) and default in (None, False)


def _is_default(ctx: CheckContext, path: Path, value: Any) -> bool:
    """Whether a value is what a run has without the key."""
    default = ctx.framework.keys.defaults.get(".".join(map(str, path)), MISSING)
    return type(default) is type(value) and bool(default == value)


def _shown(entry: Entry) -> str:
    value = entry.value.target()
    if isinstance(value, Scalar):
        text = value.text or "nothing"
        return text if len(text) <= _MAX_SHOWN else text[: _MAX_SHOWN - 1] + "…"
    return "something else"


def non_text_key(ctx: CheckContext) -> Iterator[Hit]:
    """A top-level key that YAML reads as a boolean, a number or a date (`on:`, `1:`)."""
    for entry in ctx.document.root.entries:
        key = entry.key.target()
        if isinstance(key, Scalar) and not isinstance(key.value, str) and not entry.is_merge:
            kind = "a boolean" if isinstance(key.value, bool) else "no text"
            yield Hit((entry.label,), entry.key.span, {"written": key.text, "kind": kind})


def byte_order_mark(ctx: CheckContext) -> Iterator[Hit]:
    """An invisible mark before the first key."""
    if ctx.document.source.bom:
        yield Hit((), Span(0, 0), {})


def missing_required_key(ctx: CheckContext) -> Iterator[Hit]:
    """A key without which no release validates a file, or the section that needs it."""
    root = ctx.document.root
    if not knows_any(ctx) or ctx.document.hides_keys:
        return
    for name in ctx.framework.keys.required(ctx.release_keys.released):
        if name not in root.lookup and (root.settled is None or name in root.settled):
            from cfglint.checks.slips import misspelt

            slip = misspelt(ctx, (name,))
            # The call of a class may have no keyword at all.
            first = root.entries[0].key.span if root.entries else root.span
            span = slip.entry.key.span if slip is not None else first
            yield Hit(slip.path if slip is not None else (), span, {"key": name})
    for path, name in file_keys(ctx).missing:
        place = path or (ctx.framework.row["plugins_key"],)
        span = ctx.document.span(place) or root.entries[0].key.span
        yield Hit(place, span, {"key": format_path((*path, name))})


def unrecognized_config(ctx: CheckContext) -> Iterator[Hit]:
    """A mapping none of whose keys the framework has."""
    root = ctx.document.root
    reads_words = ctx.document.language.structure == "words"
    if reads_words:
        from cfglint.source.languages.shell import is_frame

        if ctx.document.hides_keys or all(is_frame(str(one.name)) for one in root.entries):
            return  # the keys are in words that only a run knows, or the command has none
    if not knows_any(ctx):
        yield Hit((), Span(root.start, root.entries[0].key.end if root.entries else root.end), {})
