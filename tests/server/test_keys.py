"""What the server knows about the key at a place."""

from __future__ import annotations

from typing import Any

from cfglint.server.keys import (
    KeyReader,
    key_at,
    keys_of,
    names_known_to_rules,
    reader_at,
    reads,
    rules_of,
)
from cfglint.source.document import Path
from tests.draws import each
from tests.server.opening import BASE, DATA, opened

DEEPSPEED = '{"zero_optimization": {"stage": 2}, "bf16": {"enabled": true}}'
#: A file of LLaMA-Factory's with DeepSpeed's settings in it.
WITH_SECTION = (
    "model_name_or_path: a/b\nstage: sft\ndo_train: true\ndataset: a\ntemplate: x\n"
    "finetuning_type: lora\noutput_dir: b\ndeepspeed:\n  bf16:\n    enabled: true\n  zero_optimization:\n    stage: 2\n"
)


def reader_of(text: str, path: Path, name: str = "train.yml", **options: Any) -> KeyReader:
    """The reader of the key at a path."""
    state, opened_text = opened(text, name, **options)
    run = state.run(opened_text)
    assert run is not None
    return reader_at(run, path)


#: Of a key of Axolotl's: whether it takes flags, a mapping, a list; and the values in words.
KINDS: dict[tuple[str, Path], tuple[bool, bool, bool, str]] = {
    (BASE, ("lora_r",)): (False, False, False, "a whole number"),
    (BASE, ("bf16",)): (True, False, False, "true or false, or auto"),
    (BASE + DATA, ("datasets",)): (False, False, True, "a list"),
    (BASE + DATA, ("datasets", 0, "type")): (False, True, False, "a mapping or text"),
    (BASE, ("lora_target_modules",)): (False, False, True, "a list or text"),
    (BASE, ("special_tokens",)): (False, True, False, "a mapping"),
    (BASE, ("save_safetensors",)): (True, False, False, "true or false"),
    (BASE, ("flash_attention",)): (False, False, False, ""),
}


@each("place", list(KINDS))
def test_a_key_of_axolotls(place: tuple[str, Path]) -> None:
    text, path = place
    key = key_at(reader_of(text, path), path)
    assert key is not None
    assert (key.takes_flags, key.takes_mapping, key.takes_list, key.words()) == KINDS[place]


@each("path", [(), ("datasets", 0), ("nope",), ("datasets", 0, "nope"), ("special_tokens", "x")])
def test_no_key(path: Path) -> None:
    assert key_at(reader_of(BASE + DATA, path), path) is None


def test_choices_of_a_key() -> None:
    path = ("gradient_checkpointing",)
    key = key_at(reader_of(BASE, path), path)
    assert key is not None
    assert key.choices == ("offload", "offload_disk")


#: Path -> the framework that reads it, the section and the name of the key.
READERS: dict[tuple[str, Path], tuple[str, Path, str, str]] = {
    (DEEPSPEED, ("bf16", "enabled")): ("deepspeed", (), "bf16", "enabled"),
    (WITH_SECTION, ("stage",)): ("llamafactory", (), "", "stage"),
    (WITH_SECTION, ("deepspeed",)): ("llamafactory", (), "", "deepspeed"),
    (WITH_SECTION, ("deepspeed", "bf16")): ("deepspeed", ("deepspeed",), "", "bf16"),
    (WITH_SECTION, ("deepspeed", "zero_optimization", "stage")): (
        *("deepspeed", ("deepspeed",), "zero_optimization", "stage"),
    ),
}


@each("place", list(READERS))
def test_who_reads_a_key(place: tuple[str, Path]) -> None:
    text, path = place
    reader = reader_of(text, path, "ds.json" if text == DEEPSPEED else "train.yaml")
    key = key_at(reader, path)
    assert key is not None
    assert (reader.framework.name, reader.at, key.section, key.name) == READERS[place]
    codes = [rule.code for rule in rules_of(key, path)]
    assert codes == sorted(codes)
    if path[-1] == "stage" and reader.at:
        assert "DSP006" in codes  # also below a key of another framework


#: Mapping -> a key that the release reads in it, and one that it does not.
LISTED: dict[Path, tuple[str, str]] = {
    (): ("lora_r", "type"),
    ("datasets", 0): ("type", "lora_r"),
    ("special_tokens",): ("pad_token", "lora_r"),
}


@each("mapping", list(LISTED))
def test_the_keys_of_a_mapping(mapping: Path) -> None:
    names = [key.name for key in keys_of(reader_of(BASE + DATA, (*mapping, "x")), mapping)]
    there, other = LISTED[mapping]
    assert there in names
    assert other not in names
    assert len(names) == len(set(names))


def test_a_list_has_no_keys() -> None:
    assert not list(keys_of(reader_of(BASE + DATA, ("datasets", 0)), ("datasets",)))


@each(
    ("name", "release", "expected"),
    [
        ("liger_rope", "0.18.0", True),
        ("liger_rope", "0.5.0", True),
        ("liger_rope", "0.4.1", False),
        ("lora_r", "0.4.0", True),
        ("relora_steps", "0.11.0", True),
        ("relora_steps", "0.12.0", False),
        ("relora_steps", "0.18.0", False),
        ("fsdp", "0.18.0", True),
    ],
)
def test_keys_that_a_release_reads(name: str, release: str, expected: bool) -> None:
    reader = reader_of(BASE, (name,), target=(f"axolotl=={release}",))
    key = key_at(reader, (name,))
    assert key is not None
    assert reads(key) is expected
    assert (name in [one.name for one in keys_of(reader, ())]) is expected


@each(
    ("text", "path", "known"),
    [
        ("datasets:\n  - path: x\n    type: alpcaa\n", ("datasets", 0, "type"), "alpaca_chat"),
        ("optimizer: adamw_x\n", ("optimizer",), "adamw_torch"),
        # What is right, and what the schema lists, asks no rule.
        ("datasets:\n  - path: x\n    type: alpaca\n", ("datasets", 0, "type"), ""),
        ("optimizer: adamw_torch\n", ("optimizer",), ""),
        ("rl: dpoo\n", ("rl",), ""),
    ],
)
def test_names_that_rules_know(text: str, path: Path, known: str) -> None:
    names = names_known_to_rules(reader_of(BASE + text, path), path)
    assert known in names if known else names == ()


@each("release", ["0.18.0", "0.5.0"])
def test_rules_of_a_key_are_those_of_the_release(release: str) -> None:
    path = ("bf16",)
    key = key_at(reader_of(BASE, path, target=(f"axolotl=={release}",)), path)
    assert key is not None
    target = key.reader.run.target
    rules = rules_of(key, path)
    assert rules
    assert all(target.applies(rule.applies, assume=True) is not False for rule in rules)
