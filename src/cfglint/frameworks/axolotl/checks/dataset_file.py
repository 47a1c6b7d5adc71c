"""What is wrong with the data files that a config names, as far as their first rows show it.

Imported only when a config names data.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from cfglint.base.record import Record
from cfglint.base.shortened import shortened
from cfglint.base.spelling import Speller
from cfglint.base.type_names import Any
from cfglint.checks.context import CheckContext, Hit, Repair
from cfglint.diagnostic import OtherFile, SeverityName
from cfglint.environment.project_texts import scripts_and_programs
from cfglint.environment.surroundings import Surroundings
from cfglint.fixes.actions import SetValue
from cfglint.source.document import Path
from cfglint.source.files.base import Files
from cfglint.source.files.data import DATA_SUFFIXES, Sample, format_of, sample
from cfglint.source.files.ignores import is_kept_out_of_git
from cfglint.source.files.nearby import Search, search
from cfglint.source.text import Span
from cfglint.source.values import to_python

#: The column for conversations had another name before.
_MESSAGES_SINCE = "0.7.0"
_LISTS = ("datasets", "test_datasets")
_AT_THE_TOP = " Write it at the top of the file."
#: Entries of a list that are examined.
_MAX_ENTRIES = 50
#: Files of a folder that are examined.
_MAX_NAMES = 5000
#: Type -> the columns that it requires by default.
_NEEDED = {"alpaca": ("instruction", "output"), "input_output": ("segments",)}
#: Training by preferences or rewards that takes images, as a whole and with a collator.
_SEEING = ("dpo", "ipo", "kto", "grpo", "gdpo")
_COLLATED = ("dpo", "ipo", "kto")
#: Preference training whose `chat_template.default` reads three columns.
_PREFERENCES = ("dpo", "ipo", "simpo")
#: The roles that it maps by default, and one that it maps since a release.
_ROLES = frozenset({"user", "assistant", "system"})
_TOOL, _TOOL_SINCE = "tool", "0.16.0"


class DatasetEntry(Record):
    """One dataset that is a file of the project."""

    path: Path
    settings: dict[Any, Any]
    places: Search
    sample: Sample | None


def missing(ctx: CheckContext) -> Iterator[Hit]:
    """A path to nothing, where others of its kind are."""
    for entry in _entries(ctx):
        places = entry.places
        if places.found or places.missing_in is None:
            continue
        written = str(entry.settings["path"])
        name = written.replace("\\", "/").rpartition("/")[2]
        suffix = os.path.splitext(name)[1]
        others = _names(places.missing_in, suffix, ctx.around.files)
        if not others:
            continue  # Data is often brought later; a folder without any tells nothing.
        guess = Speller(others).closest(name)
        alone = name == written.removeprefix("./")
        if guess is None and (alone or not _is_near(places, ctx.around.folder)):
            continue  # The folder that the run starts in is unknown.
        if _is_made_later(os.path.join(places.missing_in, name), ctx.around):
            continue
        hint = ""
        repairs: tuple[Repair, ...] = ()
        severity: SeverityName | None = None
        where = (*entry.path, "path")
        if guess is not None:
            hint = f"; there is `{guess.name}`"
            action = SetValue(where, written[: len(written) - len(name)] + guess.name)
            repairs = (Repair(f"Name {guess.name}", "unsafe", (action,)),)
            severity = "error" if guess.sure else None
        params = {"file": written, "hint": hint, "others": len(others)}
        yield Hit(where, ctx.span(where), params, repairs=repairs, severity=severity)


def _is_made_later(path: str, around: Surroundings) -> bool:
    """Whether git is to leave a file out, or a program or a script of the project names it, which may write it."""
    if is_kept_out_of_git(path, around.files):
        return True
    name = os.path.basename(path)
    return any(text is not None and name in text for _, text in scripts_and_programs(around))


def broken(ctx: CheckContext) -> Iterator[Hit]:
    """A line that is not JSON, after lines that are."""
    seen: set[str] = set()
    for entry in _entries(ctx):
        found = entry.sample
        if found is None or found.broken is None or found.path in seen:
            continue
        seen.add(found.path)
        line, problem = found.broken
        params = {"line": line, "problem": problem[:1].lower() + problem[1:]}
        span = found.source.line_span(line)
        span = Span(span.start, min(span.end, span.start + 120))
        yield Hit((), span, params, file=OtherFile(found.path, found.source))


def columns(ctx: CheckContext) -> Iterator[Hit]:
    """Columns that the type reads, and no row has."""
    rl = ctx.value("rl")
    if ctx.value("reward_model") or ctx.value("process_reward_model"):
        return
    for entry in _entries(ctx):
        found = entry.sample
        if found is None or not found.rows or found.has("input_ids"):
            continue
        if entry.settings.get("type") == "chat_template" and not ctx.since(_MESSAGES_SINCE):
            continue
        for key, column in _needed(entry.settings, rl):
            if found.has(column):
                continue
            where = _where(ctx, entry, key)
            have = ", ".join(f"`{shortened(name, 40)}`" for name in found.columns[:8]) or "none"
            params = {
                "column": column,
                "file": os.path.basename(found.path),
                "columns": have,
                "hint": _hint(key, found),
            }
            yield Hit(where, ctx.span(where), params, repairs=_repairs(entry, key, found))
            break


def preference_roles(ctx: CheckContext) -> Iterator[Hit]:
    """A role of a message that the mapping of preference data does not have."""
    if ctx.value("rl") not in _PREFERENCES:
        return
    for entry in _entries(ctx):
        settings, found = entry.settings, entry.sample
        if found is None or not str(settings.get("type")).startswith("chat_template"):
            continue
        roles = settings.get("roles")
        known = set(_ROLES) | ({_TOOL} if ctx.since(_TOOL_SINCE) else set())
        if isinstance(roles, dict):
            known = {str(one) for many in roles.values() if isinstance(many, list) for one in many}
        mappings = settings.get("message_property_mappings")
        mappings = mappings if isinstance(mappings, dict) else {}
        key = mappings.get("role") or settings.get("message_field_role") or "role"
        for role in found.roles(settings.get("field_messages") or "messages", key):
            if role not in known:
                where = _where(ctx, entry, "roles")
                params = {
                    "role": shortened(role),
                    "file": os.path.basename(found.path),
                    "known": ", ".join(f"`{shortened(one, 40)}`" for one in sorted(known)[:8]),
                }
                yield Hit(where, ctx.span(where), params)
                break


def message_keys(ctx: CheckContext) -> Iterator[Hit]:
    """Messages that have no role under the name that is read."""
    if ctx.value("rl"):
        return
    for entry in _entries(ctx):
        settings, found = entry.settings, entry.sample
        if found is None or settings.get("type") != "chat_template":
            continue
        keys = found.message_keys(settings.get("field_messages") or "messages")
        mappings = settings.get("message_property_mappings")
        mappings = mappings if isinstance(mappings, dict) else {}
        role = mappings.get("role") or settings.get("message_field_role") or "role"
        if not keys or not isinstance(role, str) or role in keys:
            continue
        where = _where(ctx, entry, "message_property_mappings")
        params = {
            "role": role,
            "file": os.path.basename(found.path),
            "keys": ", ".join(f"`{shortened(key, 40)}`" for key in sorted(keys)[:6]),
        }
        repairs: tuple[Repair, ...] = ()
        if {"from", "value"} <= keys and not mappings:
            action = SetValue(
                (*entry.path, "message_property_mappings"), {"role": "from", "content": "value"}
            )
            repairs = (Repair("Map from and value", "unsafe", (action,)),)
        yield Hit(where, ctx.span(where), params, repairs=repairs)


def images(ctx: CheckContext) -> Iterator[Hit]:
    """Settings that have no part in preference training with images."""
    rl = ctx.value("rl")
    if rl not in _SEEING or not ctx.value("processor_type"):
        return
    entries = [entry for entry in _entries(ctx) if entry.path[0] == "datasets"]
    seen = [e for e in entries if e.sample and (e.sample.has("images") or e.sample.has("image"))]
    for entry in seen:
        own = entry.settings.get("chat_template")
        if own is None or own in ("tokenizer_default", ctx.value("chat_template")):
            continue
        where = (*entry.path, "chat_template")
        params = {"setting": f"chat_template: {shortened(str(own))}", "hint": _AT_THE_TOP}
        yield Hit(where, ctx.span(where), params)
    multiple = ctx.value("pad_to_multiple_of")
    if seen and multiple and rl in _COLLATED:
        where = ("pad_to_multiple_of",)
        params = {"setting": f"pad_to_multiple_of: {shortened(str(multiple), 20)}", "hint": ""}
        yield Hit(where, ctx.span(where), params)


def _needed(settings: dict[Any, Any], rl: object) -> Iterator[tuple[str, str]]:
    """(the key that says so, the column)."""
    kind = settings.get("type")
    if rl:
        if rl in _PREFERENCES and kind == "chat_template.default":
            for name in ("messages", "chosen", "rejected"):
                key = f"field_{name}"
                yield from _text(key, settings.get(key) or name)
        return
    if isinstance(kind, dict):
        if "field" not in kind:
            yield from _text("type", kind.get("field_instruction"))
            yield from _text("type", kind.get("field_output"))
    elif kind == "completion":
        yield from _text("field", settings.get("field") or "text")
    elif kind == "chat_template":
        yield from _text("field_messages", settings.get("field_messages") or "messages")
    elif isinstance(kind, str):
        for column in _NEEDED.get(kind, ()):
            yield "type", column


def _text(key: str, value: object) -> Iterator[tuple[str, str]]:
    if isinstance(value, str) and value:
        yield key, value


def _hint(key: str, found: Sample) -> str:
    other = _conversation(found) if key == "field_messages" else None
    return f" (`field_messages: {other}`?)" if other else ""


def _repairs(entry: DatasetEntry, key: str, found: Sample) -> tuple[Repair, ...]:
    other = _conversation(found) if key == "field_messages" else None
    if other is None:
        return ()
    action = SetValue((*entry.path, "field_messages"), other)
    return (Repair(f"Read the conversations from {other}", "unsafe", (action,)),)


def _conversation(found: Sample) -> str | None:
    """The only column of lists of mappings."""
    names = [name for name in found.columns if found.message_keys(name)]
    return names[0] if len(names) == 1 else None


def _entries(ctx: CheckContext) -> list[DatasetEntry]:
    return ctx.once("data files", lambda: list(_read(ctx)))


def _read(ctx: CheckContext) -> Iterator[DatasetEntry]:
    folder = ctx.around.folder
    if folder is None:
        return
    for name in _LISTS:
        node = ctx.document.node((name,))
        settings = to_python(node) if node is not None else None
        if not isinstance(settings, list):
            continue
        for index, item in enumerate(settings[:_MAX_ENTRIES]):
            written = item.get("path") if isinstance(item, dict) else None
            if not isinstance(written, str) or item.get("data_files"):
                continue
            if not written.lower().endswith(DATA_SUFFIXES):
                continue
            places = search(written, folder, ctx.around.files)
            kind = format_of(written, item.get("ds_type"))
            found = None
            if len(places.found) == 1 and kind is not None:
                found = sample(places.found[0], kind, ctx.around.files)
            yield DatasetEntry((name, index), item, places, found)


def _names(folder: str, suffix: str, files: Files) -> list[str]:
    """The data files of a folder with a certain ending."""
    try:
        names = files.names(folder)[:_MAX_NAMES]
    except OSError:
        return []
    return sorted(name for name in names if name.lower().endswith(suffix.lower()))


def _is_near(places: Search, folder: str | None) -> bool:
    """Whether the folder of a missing file is the project's beyond doubt."""
    if places.in_repository or folder is None or places.missing_in is None:
        return places.in_repository
    return places.missing_in.startswith(folder.rstrip(os.sep) + os.sep)


def _where(ctx: CheckContext, entry: DatasetEntry, key: str) -> Path:
    for name in (key, "type", "path"):
        path = (*entry.path, name)
        if ctx.document.node(path) is not None:
            return path
    return entry.path


CHECKS = {
    "dataset-file-broken": broken,
    "dataset-file-columns": columns,
    "dataset-file-images": images,
    "dataset-file-message-keys": message_keys,
    "dataset-file-preference-roles": preference_roles,
    "dataset-file-missing": missing,
}
