"""What an editor shows of the key under the cursor."""

from __future__ import annotations

from typing import Any

from cfglint.server.hovering import code, hover, key_text, plain, without_markup
from tests.draws import each
from tests.server.opening import BASE, DATA, opened

ZERO = '{"zero_optimization": {"stage": 2}, "bf16": {"enabled": true}, "train_batch_size": "auto"}'


def shown(text: str, needle: str, name: str = "train.yml", **options: Any) -> list[str] | None:
    """The paragraphs at a place."""
    state, opened_text = opened(text, name, **options)
    run = state.run(opened_text)
    assert run is not None
    found = hover(run, text.index(needle))
    if found is None:
        return None
    span = found[1]
    key = text[span.start : span.end].strip('"')
    paragraphs = found[0].split("\n\n")
    assert key in paragraphs[0]
    return paragraphs


@each(
    ("written", "needle", "expected"),
    [
        (
            "lora_r: 8\n",
            "lora_r",
            [
                "**`lora_r`** (Axolotl)",
                "*",
                "Takes a whole number.",
                "In Axolotl 0.18.0 it is `8` here.",
                "*",
                "*",
            ],
        ),
        (
            "",
            "micro_batch",
            [
                *("**`micro_batch_size`** (Axolotl)", "*", "Takes a whole number.", "Default: `1`"),
                *("In Axolotl 0.18.0 it is `2` here.", "*", "*"),
            ],
        ),
        # At a value, the key is shown; of a section no value.
        (
            DATA,
            "alpaca",
            ["**`datasets[0].type`** (Axolotl)", "*", "Takes a mapping or text.", "*", "*", "*"],
        ),
        (DATA, "datasets", ["**`datasets`** (Axolotl)", "*", "Takes a list.", "*", "*"]),
        (
            "plugins: [a.B]\n",
            "a.B",
            [
                "**`plugins`** (Axolotl)",
                "*",
                "Takes a list.",
                "Since axolotl 0.5.1.",
                "In Axolotl 0.18.0 it is `[a.B]` here.",
                "*",
                "*",
            ],
        ),
        (
            "flash_attention: true\n",
            "flash",
            ["**`flash_attention`** (Axolotl)", "*", "Now called `attn_implementation`.", "*", "*"],
        ),
        (
            "liger_rope: true\n",
            "liger",
            [
                *("**`liger_rope`** (Axolotl)", "*", "Takes true or false."),
                "Since axolotl 0.5.0, read when the plugin LigerPlugin is listed.",
                *("Axolotl 0.18.0 does not read it.", "*", "*"),
            ],
        ),
        (
            "dataloader_num_workers: null\n",
            "dataloader",
            [
                *("**`dataloader_num_workers`** (Axolotl)", "*", "Takes a whole number."),
                "In Axolotl 0.18.0 it depends on --gpus N: the data loader gets a worker for each GPU,"
                " pinned memory and a long queue when the file says nothing.",
                *("*", "*"),
            ],
        ),
        ("nothing: 1\n", "nothing", None),
        ("# a comment\n", "# a", None),
    ],
)
def test_a_key(written: str, needle: str, expected: list[str] | None) -> None:
    found = shown(BASE + written, needle)
    if expected is None or found is None:
        assert found is expected
        return
    assert [
        had if want != "*" else "*" for had, want in zip(found, expected, strict=True)
    ] == expected


def test_another_framework() -> None:
    found = shown(ZERO, "stage", "ds.json", target=("deepspeed==0.18.0",))
    assert found is not None
    assert found[0] == "**`zero_optimization.stage`** (DeepSpeed)"
    assert found[2:4] == ["Takes 0, 1, 2, 3.", "Default: `0`"]


def test_rules() -> None:
    found = shown(f"{BASE}rl: dpo\n", "rl")
    assert found is not None
    assert found[-2] == "Rules that mention it:"
    rules = found[-1].splitlines()
    assert len(rules) == 9
    assert rules[0].endswith(
        " validation-rows-with-rl: A number of rows in val\\_set\\_size, with rl"
    )
    assert rules[-1].startswith("- and ")
    state, text = opened(f"{BASE}rl: dpo\n")
    run = state.run(text)
    assert run is not None
    every = (key_text(run, ("rl",), every_rule=True) or "").split("\n\n")[-1].splitlines()
    assert len(every) == 8 + int(rules[-1].split()[2])
    assert not every[-1].startswith("- and ")
    few = shown(f"{BASE}lora_r: 8\n", "lora_r")
    assert few is not None
    assert len(few[-1].splitlines()) == 2


@each(
    ("text", "expected"),
    [
        ("a", "`a`"),
        ("a`b", "`` a`b ``"),
        ("``", "``` `` ```"),
        (" ", "`   `"),
        ("x" * 120, f"`{'x' * 120}`"),
        ("x" * 121, f"`{'x' * 120}…`"),
        ("a\nb", r"`a\nb`"),
    ],
)
def test_code(text: str, expected: str) -> None:
    assert code(text) == expected


@each(
    ("text", "expected"),
    [
        ("a *b* `c*` d_e `f`", r"a \*b\* `c*` d\_e `f`"),
        ("open `c", "open `c"),
        ("`a` and `b", "`a` and `b"),
        ("[x](y) <z> ~#|", r"\[x\](y) \<z\> \~\#\|"),
    ],
)
def test_plain(text: str, expected: str) -> None:
    assert plain(text) == expected


@each(
    ("text", "expected"),
    [
        ("**`a`** x", "a x"),
        ("- [A1](<https://x>) n", "- A1 n"),
        (r"a\_b ``c``", "a_b c"),
    ],
)
def test_without_markup(text: str, expected: str) -> None:
    assert without_markup(text) == expected
