"""What is proposed at a cursor, which the texts have as `¦`."""

from __future__ import annotations

from typing import Any

from cfglint.server.completing import Proposal, first_proposals
from cfglint.server.cursor import Cursor
from tests.draws import each
from tests.server.opening import BASE, DATA, opened

ZERO = '{"zero_optimization": {"stage": 2}, '
LIGER = "axolotl.integrations.liger.LigerPlugin"


def found(marked: str, name: str = "train.yml") -> tuple[str, Cursor, list[Proposal]] | None:
    """The text, the place and what is proposed there."""
    offset = marked.index("¦")
    text = marked.replace("¦", "")
    state, shown = opened(text, name)
    first = first_proposals(state.cursors(shown, offset))
    return None if first is None else (text, *first)


def texts(marked: str, name: str = "train.yml") -> list[str]:
    proposed = found(marked, name)
    return [] if proposed is None else [one.text for one in proposed[2]]


def place(marked: str, name: str = "train.yml") -> tuple[Any, ...]:
    """What is replaced, where, and whether it is a key."""
    proposed = found(marked, name)
    assert proposed is not None
    text, cursor, _ = proposed
    return text[cursor.span.start : cursor.span.end], cursor.path[:-1], cursor.is_key


@each(
    ("written", "replaced", "path", "is_key"),
    [
        ("lora_¦", "lora_", (), True),
        ("lo¦ra_r: 8\n", "lora_r", (), True),
        ("lora_¦\nseed: 1\n", "lora_", (), True),
        ("adapter: ¦\n", "", (), False),
        ("adapter: lo¦ra # c\n", "lora", (), False),
        ('adapter: "lo¦', "lo", (), False),
        ("adapter: 'l¦'\n", "l", (), False),
        ("trl:\n  b¦\n", "b", ("trl",), True),
        ("trl:\n  b¦\nbroken: [\n", "b", ("trl",), True),
        (f"{DATA}  - ¦", "", ("datasets", 1), True),
        (f"{DATA}  - ty¦pe: x", "type", ("datasets", 1), True),
        (f"{DATA}    sh¦", "sh", ("datasets", 0), True),
        ("test_datasets:\n  - path: y\n    type: ¦", "", ("test_datasets", 0), False),
        ("test_datasets:\n  - type: ch¦at", "chat", ("test_datasets", 0), False),
        (f"plugins:\n  - {LIGER}\n  - ¦", "", ("plugins",), False),
        # Other lines are half typed.
        ("lo[\nlora_a¦\nx: [\n", "lora_a", (), True),
    ],
)
def test_the_place_in_yaml(
    written: str, replaced: str, path: tuple[Any, ...], is_key: bool
) -> None:
    assert place(BASE + written) == (replaced, path, is_key)


@each("written", ["# lo¦", "- ¦", "micro_batch_size: ¦", "nothing: ¦", "key: {¦}", "seed: 1 ¦"])
def test_where_nothing_is_proposed(written: str) -> None:
    assert (
        found(f"base_model: a\ndatasets:\n  - path: x\n    type: y\nnum_epochs: 1\n{written}")
        is None
    )


@each(
    ("written", "replaced", "path", "is_key"),
    [
        (f"{ZERO}¦}}", "", (), True),
        (f'{ZERO}"ze¦"}}', '"ze"', (), True),
        (f"{ZERO}ste¦", "ste", (), True),
        (f'{ZERO}"bf¦16": 1}}', '"bf16"', (), True),
        (f'{ZERO}"bf16": {{"en¦": true}}}}', '"en"', ("bf16",), True),
        (f'{ZERO}"bf16": {{"enabled": ¦}}}}', "", ("bf16",), False),
        (f'{ZERO}"bf16": {{"enabled": f¦alse', "false", ("bf16",), False),
        ('{"zero_optimization": {"stage": ¦', "", ("zero_optimization",), False),
        (f'{ZERO}"a\\"}}": [1], "bf¦', '"bf', (), True),
        (f'{ZERO}"bf16": {{¦ "enabled": true}}}}', "", ("bf16",), True),
    ],
)
def test_the_place_in_json(
    written: str, replaced: str, path: tuple[Any, ...], is_key: bool
) -> None:
    assert place(written, "ds.json") == (replaced, path, is_key)


@each(
    ("written", "wanted"),
    [
        (f"{ZERO}¦}}", '"bf16": '),
        (f'{ZERO}"bf¦": 1}}', '"bf16"'),
        (f'{ZERO}"bf16": {{"enabled": ¦}}}}', "true"),
        # What is there already is not proposed again; what follows is.
        (f'{ZERO}"bf16": {{¦ "enabled": true}}}}', '"check_grad_overflow": '),
    ],
)
def test_what_is_written_in_json(written: str, wanted: str) -> None:
    proposed = texts(written, "ds.json")
    assert wanted in proposed
    assert not any(one.startswith('"zero_optimization"') for one in proposed)


@each("written", ['{"¦"', f'{ZERO}"x": [¦', f'{ZERO}"optimizer": ¦', f"{ZERO[:-2]} ¦"])
def test_where_nothing_is_proposed_in_json(written: str) -> None:
    assert found(written, "ds.json") is None


@each(
    ("written", "wanted", "unwanted"),
    [
        # A mapping or a list begins on a line of its own.
        ("lora_¦", "lora_r: ", "lora_r:"),
        ("lora_¦", "lora_target_modules:", "base_model: "),
        ("fsdp¦", "fsdp_config:", "fsdp_config: "),
        ("lora_¦r: 1", "lora_alpha", "lora_alpha: "),
        # Not an older name, but it where the newer one is of a later release.
        ("flash¦", "attn_implementation: ", "flash_attention: "),
        ("adapter: ¦", "qlora", "adapter"),
        ('adapter: "¦', 'qlora"', "qlora"),
        ('adapter: "¦"', "qlora", 'qlora"'),
        ("bf16: ¦", "auto", "null"),
        ("load_in_4bit: ¦", "false", "auto"),
        ('load_in_4bit: "¦"', "", "false"),
        (f"plugins:\n  - {LIGER}\n  - ¦", "axolotl.integrations.kd.KDPlugin", LIGER),
        # A list of the same kind tells the types that it may have.
        (f"{DATA}test_datasets:\n  - path: y\n    type: ¦", "alpaca_chat", "alpaca_chat: "),
    ],
)
def test_what_is_written(written: str, wanted: str, unwanted: str) -> None:
    proposed = texts(BASE + written)
    assert not wanted or wanted in proposed
    assert unwanted not in proposed
    assert len(proposed) == len(set(proposed))


def test_details() -> None:
    proposed = found(BASE + "bf16: ¦")
    assert proposed is not None
    assert {one.label: one.detail for one in proposed[2]} == {
        "auto": "default",
        "true": "",
        "false": "",
    }
    proposed = found(BASE + "liger_¦")
    assert proposed is not None
    by_name = {one.label: one for one in proposed[2]}
    liger = by_name["liger_rope"]
    assert liger.rarely
    assert liger.detail == "true or false"
    assert liger.about.startswith(
        "Uses Liger's kernel for rotary positions.\n\nSince axolotl 0.5.0"
    )
    assert not by_name["lora_r"].rarely
    proposed = found(BASE + f"plugins: [{LIGER}]\nliger_¦")
    assert proposed is not None
    assert not {one.label: one for one in proposed[2]}["liger_rope"].rarely


@each(
    ("word", "wanted"),
    [
        ("act¦", "actor_rollout_ref."),
        ("actor_rollout_ref.¦", "actor."),
        ("actor_rollout_ref.actor.¦", "ppo_mini_batch_size="),
        ("trainer.val_before_train=¦", "false"),
    ],
)
def test_words_of_a_script(word: str, wanted: str) -> None:
    command = "python3 -m verl.trainer.main_ppo data.train_files=a "
    assert any(one.endswith(wanted) for one in texts(f"{command}{word}\n", "run.sh"))
