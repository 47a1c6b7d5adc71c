"""The config of the one adapter that a trainer's model gets, with the name of its class.

Rules about `LoraConfig` ask for the keys of TRL's files, which `joined_calls` takes over. What depends on another kind of adapter,
such as the virtual tokens of prompt tuning, is decided by the class and its own parameters: they are below `trainer.adapter`.
"""

from __future__ import annotations

import re

from cfglint.base.logic import UNKNOWN
from cfglint.base.type_names import Final
from cfglint.frameworks.trl.given_objects import (
    GET_PEFT_MODEL,
    full_name,
    is_handed_on,
    is_object,
    last_part,
    part_of,
    stored_in,
)
from cfglint.source.calls import TAGS, GivenObject, call_of
from cfglint.source.document import Entry, Mapping, Node, Scalar

#: Where the config of the adapter is, below the trainer.
ADAPTER: Final = "adapter"
#: What its class is called in there; no parameter of an adapter has this name.
CLASS: Final = "class"
_TASK: Final = re.compile(r"(?:\w{1,60}\.){0,8}TaskType\.(\w{1,60})")
_PACKAGE: Final = "peft."


def adapter_of(parts: dict[str, GivenObject]) -> Mapping | None:
    """The config of the adapter that a trainer is given, or that its model has; None for any other number of them."""
    part, model = parts.get("peft_config"), parts.get("model")
    wraps = () if model is None else model.through
    if part is None and len(wraps) == 1 and last_part(wraps[0]) == GET_PEFT_MODEL:
        part = part_of(wraps[0], "peft_config")
    elif wraps:
        return None
    call = None if part is None else call_of(part.made)
    if part is None or call is None or call.open or part.through or is_handed_on(part):
        return None
    if not is_object(part) or not full_name(part.made).startswith(_PACKAGE):
        return None
    stored = stored_in(part)
    made = Mapping(part.made.start, part.made.end, None, None, flow=True)
    made.settled = (part.made.settled or frozenset()) - stored
    made.entries = [
        _text_entry(CLASS, last_part(part.made), made.start),
        *(_with_task(one) for one in part.made.entries if one.name not in stored),
    ]
    return made


def _with_task(entry: Entry) -> Entry:
    """`TaskType.CAUSAL_LM` as the text that it is."""
    value: Node = entry.value
    if entry.name != "task_type" or not isinstance(value, Scalar) or value.value is not UNKNOWN:
        return entry
    found = _TASK.fullmatch(value.text)
    if found is None:
        return entry
    text = Scalar(value.start, value.end, None, None, value.text, '"', TAGS[str], found[1])
    return Entry(entry.key, text)


def _text_entry(name: str, text: str, start: int) -> Entry:
    key = Scalar(start, start, None, None, name, "", TAGS[str], name)
    return Entry(key, Scalar(start, start, None, None, text, '"', TAGS[str], text))
