"""The calls of a program that belong to one run, as one config with the keys of TRL's files.

A run is what a trainer is given: its `args`, its `model` with the quantization and the adapter of that, and its own keywords. Each of
these is joined to the trainer by the names of the program alone (see `cfglint.source.python_objects`). The config begins with the
keywords of `args`. What `ModelConfig` would say in a file is added from the other calls: `model_name_or_path`, `dtype`,
`attn_implementation`, `load_in_4bit`, `use_peft`, `lora_r` … Thus a rule about a file, and the count of its memory, hold for a
program as well. The keywords of the trainer itself are below `trainer`.

What is not certain has no value, and suppresses the rules that ask for it: a model that comes from elsewhere, an adapter that is
set in a branch, an object that a function of the program may have changed.
"""

from __future__ import annotations

import re

from cfglint.base.logic import UNKNOWN
from cfglint.base.type_names import Final
from cfglint.frameworks.trl import unsloth_loads
from cfglint.frameworks.trl.given_objects import (
    GET_PEFT_MODEL,
    full_name,
    is_base_model,
    is_handed_on,
    is_object,
    is_plain,
    last_part,
    part_of,
    stored_in,
)
from cfglint.frameworks.trl.joined_adapter import ADAPTER, adapter_of
from cfglint.knowledge.keys.classes import is_below, parameters_of
from cfglint.source.calls import OPEN_TAG, TAGS, Call, GivenObject, call_of
from cfglint.source.document import Document, Entry, Mapping, Node, Scalar

#: Where the keywords of the trainer are.
TRAINER: Final = "trainer"
#: The class of a run whose `args` are not known.
_ANY: Final = "transformers.TrainingArguments"
_QUANTIZATION: Final = "transformers.BitsAndBytesConfig"
_LORA: Final = "peft.LoraConfig"
#: The parameter of `LoraConfig` -> the key of TRL's files.
_OF_LORA: Final = {
    "r": "lora_r",
    "lora_alpha": "lora_alpha",
    "lora_dropout": "lora_dropout",
    "target_modules": "lora_target_modules",
    "modules_to_save": "lora_modules_to_save",
    "task_type": "lora_task_type",
    "use_dora": "use_dora",
    "use_rslora": "use_rslora",
    "target_parameters": "lora_target_parameters",
}
#: What `LoraConfig` has by default where TRL's files have something else; None for what neither of them says.
_DEFAULTS: Final = {"lora_r": 8, "lora_alpha": 8, "lora_dropout": 0.0, "lora_task_type": None}
#: The same for `BitsAndBytesConfig`.
_OF_BITS: Final = {
    "load_in_4bit": "load_in_4bit",
    "load_in_8bit": "load_in_8bit",
    "bnb_4bit_use_double_quant": "use_bnb_nested_quant",
    "bnb_4bit_quant_type": "bnb_4bit_quant_type",
}
_QUANTIZED: Final = frozenset({"load_in_4bit", "load_in_8bit"})
#: And for what loads a model.
_OF_MODEL: Final = {
    "pretrained_model_name_or_path": "model_name_or_path",
    "revision": "model_revision",
    "attn_implementation": "attn_implementation",
    "device_map": "device_map",
    "dtype": "dtype",
    "torch_dtype": "dtype",
}
#: With what a trainer loads a model that it is given by name: in its config, or in older releases by itself.
_LOADED_WITH: Final = "model_init_kwargs"
_LOADING: Final = (_LOADED_WITH, "quantization_config")
#: Keywords of a load that say more than is followed.
_UNFOLLOWED: Final = frozenset(
    {"config", "gguf_file", "state_dict", "max_memory", "use_flash_attention_2"}
)
_DTYPE: Final = re.compile(r"torch\.(bfloat16|float16|half|float32|float)")
_DTYPES: Final = {"half": "float16", "float": "float32"}
_LOADS: Final = re.compile(r"transformers\.[A-Z]\w*For[A-Z]\w*\.from_pretrained")
_LANGUAGE_MODELS: Final = re.compile(r"transformers\.AutoModelForCausalLM\.from_pretrained")
#: What is done with a model without letting its inputs have gradients.
_LEAVES_FROZEN: Final = frozenset(
    {
        *("print", "type", "len", GET_PEFT_MODEL, ".config", "=config", ".generation_config"),
        *(".print_trainable_parameters", ".num_parameters", ".get_memory_footprint", ".to"),
        *(".cuda", ".train", ".resize_token_embeddings", ".device", ".dtype"),
    }
)
#: The parameters of `LoraConfig` with which something before or behind the layers is trained, too.
_OF_INPUTS: Final = ("modules_to_save", "trainable_token_indices", "target_parameters", "bias")
#: What loads a model together with an adapter.
_ADAPTED: Final = re.compile(r"peft\.(?:Auto)?PeftModel\w*\.from_pretrained")


def joined(section: Document) -> Document | None:
    """All calls of a trainer's run as a config; None for what is not the call of a trainer."""
    trainer = call_of(section.root)
    if trainer is None or not trainer.name.endswith("Trainer") or trainer.open:
        return None
    parts = {one.parameter: one for one in trainer.parts}
    return section.section(_Run(section.root, trainer, parts).root())


class _Run:
    """One run as it is put together.

    Args:
        section: the call of the trainer.
        parts: what it is given, by its parameters.
    """

    def __init__(self, section: Mapping, trainer: Call, parts: dict[str, GivenObject]) -> None:
        self._section = section
        self._trainer = trainer
        self._parts = parts
        #: Its arguments, also those without a name.
        self._given = {entry.name: entry for entry in trainer.unnamed} | dict(section.lookup)
        self._entries: dict[str, Entry] = {}
        #: The keys that surely have no value.
        self._absent: set[str] = set()

    def root(self) -> Mapping:
        section = self._section
        root = Mapping(section.start, section.end, None, None, flow=True)
        name, config = self._arguments()
        self._model()
        self._own()
        root.entries = list(self._entries.values())
        root.settled = frozenset(self._absent)
        root.about = self._trainer.replaced(
            name=name,
            section=config,
            parts=(),
            feeds=(),
            values=(),
            defaults=(),
            trainer=self._trainer.name,
            guarded=self._is_guarded(),
            altered=self._is_altered(),
        )
        return root

    def _arguments(self) -> tuple[str, str]:
        """Take over the keywords of the config; its class, and the section that it is."""
        part = self._parts.get("args")
        call = None if part is None else call_of(part.made)
        if part is None or call is None or part.through or not is_below("trl", call.name):
            return _ANY, ""
        if is_handed_on(part):
            return call.name, call.section
        stored = stored_in(part)
        for entry in part.made.entries:
            if entry.name is not None and entry.name not in stored:
                self._entries[entry.name] = entry
        self._absent |= (part.made.settled or frozenset()) - stored
        return call.name, call.section

    def _is_guarded(self) -> bool:
        """Whether the program expects that one of the calls may be refused."""
        part = self._parts.get("args")
        config = None if part is None else call_of(part.made)
        return self._trainer.guarded or (config is not None and config.guarded)

    def _is_altered(self) -> bool:
        """Whether the config may have attributes that its class does not give it."""
        part = self._parts.get("args")
        call = None if part is None else call_of(part.made)
        if part is None or call is None:
            return False
        return is_handed_on(part) or not stored_in(part) <= frozenset(
            parameters_of("trl", call.name) or ()
        )

    def _own(self) -> None:
        """The keywords of the trainer, with what is known of the objects that they are."""
        own = Mapping(self._section.start, self._section.end, None, None, flow=True)
        own.settled = self._section.settled
        for entry in (*self._trainer.unnamed, *self._section.entries):
            part = self._parts.get(entry.name or "")
            part = part if part is not None and is_object(part) else None
            own.entries.append(
                entry if part is None else Entry(entry.key, _made(entry.value, part))
            )
        adapter = adapter_of(self._parts)
        if adapter is not None:
            own.entries.append(Entry(_key(ADAPTER, adapter.start, 0), adapter))
        start = self._section.start
        self._entries[TRAINER] = Entry(_key(TRAINER, start), own)

    # ------------------------------------------------------------------ the model

    def _model(self) -> None:
        part = self._parts.get("model")
        if part is None:
            self._named_model()
            return
        call = call_of(part.made)
        if call is not None and unsloth_loads.LOADS.fullmatch(call.name) and not call.open:
            self._of_unsloth(part)
            return
        if call is None or not _LOADS.fullmatch(call.name):
            return
        written = part.made.lookup
        if not _UNFOLLOWED.isdisjoint(written) or call.open:
            return
        self._take(part.made, _OF_MODEL)
        if "quantization_config" in written:
            self._quantization(call)
        elif "load_in_4bit" in written or "load_in_8bit" in written:
            self._take(part.made, _OF_BITS)
        else:
            self._absent |= {"load_in_4bit", "load_in_8bit"}
        self._adapter(part)

    def _of_unsloth(self, part: GivenObject) -> None:
        """A model that Unsloth has loaded; what it has by default, its releases decide."""
        loaded = unsloth_loads.written_in_load(part)
        for key, entry in loaded.items():
            self._entries.setdefault(key, Entry(_key(key, entry.key.start, 0), entry.value))
        adapter = unsloth_loads.adapter_of(part)
        if adapter is None:
            return
        self._set("use_peft", _true(adapter))
        for name, key in _OF_LORA.items():
            written = adapter.lookup.get(name)
            if written is not None:
                self._entries.setdefault(key, Entry(_key(key, written.key.start), written.value))

    def _named_model(self) -> None:
        """A model that the trainer loads itself, by its name."""
        entry = self._given.get("model")
        value = entry.value if entry is not None else None
        if isinstance(value, Scalar) and isinstance(value.value, str):
            self._set("model_name_or_path", value)
            given = self._given.keys() | self._entries.keys()
            if _LOADED_WITH in self._absent and given.isdisjoint(_LOADING):
                self._absent |= _QUANTIZED
            self._adapter(None)

    def _quantization(self, load: Call) -> None:
        bits = next((one for one in load.parts if one.parameter == "quantization_config"), None)
        call = None if bits is None else call_of(bits.made)
        if bits is None or call is None or call.name != _QUANTIZATION or bits.through or call.open:
            return
        if not is_handed_on(bits):
            self._take(bits.made, _OF_BITS, stored_in(bits))

    def _adapter(self, model: GivenObject | None) -> None:
        """Whether the model has an adapter, which one, and what is known of it."""
        wrapped = (
            []
            if model is None
            else [one for one in model.through if last_part(one) == GET_PEFT_MODEL]
        )
        given = self._given.get("peft_config")
        place = given.value if given is not None else wrapped[0] if wrapped else None
        part = self._parts.get("peft_config")
        if wrapped and given is None:
            part = part_of(wrapped[-1], "peft_config")
        if place is None or (isinstance(place, Scalar) and place.value is None and not wrapped):
            is_bare = model is None or (is_plain(model) and self._is_without_adapter())
            if self._takes_no_adapter() and is_bare:
                self._absent.add("use_peft")
            return
        if not wrapped and (part is None or not is_object(part)):
            return
        self._set("use_peft", _true(place))
        call = None if part is None else call_of(part.made)
        if part is None or call is None or call.name != _LORA or call.open or part.through:
            return
        if len(wrapped) <= 1 and not is_handed_on(part):
            self._take(part.made, _OF_LORA, stored_in(part))
            self._fill(part.made)

    def _is_without_adapter(self) -> bool:
        """Whether what was loaded brings no adapter of its own.

        transformers loads the adapter of a repository, or of a folder, together with its base. Quantized weights without an
        adapter cannot be trained, so a name that says nothing may well be that of one.
        """
        if _QUANTIZED.isdisjoint(self._entries):
            return True
        name = self._entries.get("model_name_or_path")
        value = None if name is None else getattr(name.value, "value", None)
        return isinstance(value, str) and is_base_model(value)

    def _takes_no_adapter(self) -> bool:
        """Whether the trainer is surely given no config of an adapter."""
        name = "peft_config"
        return (
            name in self._trainer.unset
            or name in self._given
            or self._trainer.name.startswith("transformers.")
        )

    # ------------------------------------------------------------------ its keys

    def _take(
        self, made: Mapping, names: dict[str, str], stored: frozenset[str] = frozenset()
    ) -> None:
        """Take over parameters of a call under the names that TRL's files have for them."""
        written = made.lookup
        for name, key in names.items():
            entry = written.get(name)
            if entry is not None and name not in stored:
                value = _with_dtype(entry.value) if key == "dtype" else entry.value
                self._entries.setdefault(key, Entry(_key(key, entry.key.start, len(name)), value))
            elif made.settled is None or name in made.settled:
                self._absent.add(key)
        self._absent -= {key for key in names.values() if key in self._entries}

    def _fill(self, lora: Mapping) -> None:
        """Where `LoraConfig` has other defaults than TRL's files, write them out."""
        for key, default in _DEFAULTS.items():
            if key in self._absent:
                self._absent.discard(key)
                if default is not None:
                    tag = TAGS[type(default)]
                    value = Scalar(
                        lora.start, lora.start, None, None, str(default), "", tag, default
                    )
                    self._set(key, value)

    def _set(self, key: str, value: Node) -> None:
        self._entries.setdefault(key, Entry(_key(key, value.start, 0), value))


def _key(name: str, start: int, length: int | None = None) -> Scalar:
    end = start + (len(name) if length is None else length)
    return Scalar(start, end, None, None, name, "", TAGS[str], name)


def _made(value: Node, part: GivenObject) -> Mapping:
    """An object of which it is only known that there is one, what gave it an adapter, and whether Unsloth loads it."""
    made = Mapping(value.start, value.end, None, None, flow=True)
    made.settled = frozenset()
    length = unsloth_loads.length_of(part)
    if length is not None:
        made.entries = [Entry(_key("max_seq_length", length.key.start), length.value)]
    if unsloth_loads.LOADS.fullmatch(full_name(part.made)):
        made.entries.append(Entry(_key("of_unsloth", part.made.start, 0), _true(part.made)))
    for one in (part.made, *part.through):
        if last_part(one) == GET_PEFT_MODEL or _ADAPTED.fullmatch(full_name(one)):
            made.entries.append(Entry(_key("adapter", one.start, 0), _true(one)))
            if _has_frozen_inputs(part):
                made.entries.append(Entry(_key("frozen_inputs", one.start, 0), _true(one)))
    return made


def _has_frozen_inputs(model: GivenObject) -> bool:
    """Whether the layers of a language model have a LoRA, and what goes into the first one surely needs no gradient."""
    if len(model.through) != 1 or not _LANGUAGE_MODELS.fullmatch(full_name(model.made)):
        return False
    if not model.used <= _LEAVES_FROZEN:
        return False
    adapter = part_of(model.through[0], "peft_config")
    call = None if adapter is None else call_of(adapter.made)
    if adapter is None or call is None or call.name != _LORA or call.open or is_handed_on(adapter):
        return False
    if any(name not in call.unset or name in adapter.made.lookup for name in _OF_INPUTS):
        return False
    aimed = adapter.made.lookup.get("target_modules")
    return aimed is None or _avoids_ends(aimed.value)


def _avoids_ends(aimed: Node) -> bool:
    """Whether none of the modules that get an adapter is the embedding, or the head."""
    if isinstance(aimed, Scalar):
        return bool(aimed.value == "all-linear")
    names = [getattr(one, "value", None) for one in getattr(aimed, "items", ())]
    return bool(names) and all(
        isinstance(name, str) and "emb" not in name and "head" not in name and name != "wte"
        for name in names
    )


def _true(place: Node) -> Scalar:
    return Scalar(place.start, place.end, None, None, "True", "", TAGS[bool], True)


def _with_dtype(value: Node) -> Node:
    """`torch.bfloat16` as the text that a file has."""
    if not isinstance(value, Scalar) or value.value is not UNKNOWN:
        return value
    found = _DTYPE.fullmatch(value.text)
    if found is None:
        return Scalar(value.start, value.end, None, None, value.text, "", OPEN_TAG, UNKNOWN)
    name = _DTYPES.get(found[1], found[1])
    return Scalar(value.start, value.end, None, None, value.text, '"', TAGS[str], name)
