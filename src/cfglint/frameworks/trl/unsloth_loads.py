"""The models that Unsloth loads, and the adapters that it puts on them, as parts of a run."""

from __future__ import annotations

import re

from cfglint.base.logic import UNKNOWN
from cfglint.base.type_names import Final
from cfglint.frameworks.trl.given_objects import full_name, stored_in
from cfglint.source.calls import GivenObject, call_of
from cfglint.source.document import Entry, Mapping, Scalar

LOADS: Final = re.compile(r"unsloth\.Fast(?:Language|Vision|Text)?Model\.from_pretrained")
_ADAPTS: Final = re.compile(r"unsloth\.Fast(?:Language|Vision|Text)?Model\.get_peft_model")
_LENGTH: Final = "max_seq_length"
_WHOLE: Final = "full_finetuning"
#: The parameter of a load -> the key of TRL's files; the first one by its position.
_OF_LOADS: Final = {
    "model_name": "model_name_or_path",
    "pretrained_model_name_or_path": "model_name_or_path",
    "revision": "model_revision",
}
#: These count only where an adapter is trained: all weights are never quantized.
_QUANTIZED: Final = {"load_in_4bit": "load_in_4bit", "load_in_8bit": "load_in_8bit"}


def written_in_load(part: GivenObject) -> dict[str, Entry]:
    """What the call that loads a model says, under the keys of TRL's files."""
    written = part.made.lookup
    names = _OF_LOADS if _WHOLE in written else {**_OF_LOADS, **_QUANTIZED}
    return {key: written[name] for name, key in names.items() if name in written}


def adapter_of(part: GivenObject) -> Mapping | None:
    """The only call that puts an adapter on a model; None if its parameters are not all known."""
    found = [one for one in part.through if _ADAPTS.fullmatch(full_name(one))]
    call = call_of(found[0]) if len(found) == 1 else None
    return None if call is None or call.open else found[0]


def length_of(part: GivenObject) -> Entry | None:
    """The length that a model is loaded for, which the trainers that Unsloth patches look at."""
    if not LOADS.fullmatch(full_name(part.made)) or _LENGTH in stored_in(part):
        return None
    entry = part.made.lookup.get(_LENGTH)
    value = entry.value if entry is not None else None
    known = isinstance(value, Scalar) and value.value is not UNKNOWN and type(value.value) is int
    return entry if known else None
