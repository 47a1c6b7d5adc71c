"""What a file resembles that has too few keys to be recognized."""

from __future__ import annotations

from cfglint.knowledge.resemblance import question, reason, resemblance
from tests.draws import each

#: A key of DeepSpeed's alone, and one that says nothing.
OWN, OTHER = '"zero_optimization": 1', '"x": 1'


@each(
    ("text", "keys"),
    [
        (f"{{{OWN}}}", ("zero_optimization",)),
        (f"{{{OTHER}, {OWN}}}", ("zero_optimization",)),
        # Also in a text that cannot be read, whatever closes first.
        (f"{OTHER}, {OWN}", ("zero_optimization",)),
        (f"{{{OTHER}, {OWN}", ("zero_optimization",)),
        (f'{{"a": {{"b": [1]}}, {OWN}, ', ("zero_optimization",)),
        (f'{{"a": [{{}}, {{}}], {OWN}}}', ("zero_optimization",)),
        # Deeper down it is a key of something else, and without a colon it is a text.
        (f'{{"a": {{{OWN}}}}}', ()),
        (f'{{"a": [[{{{OWN}}}]]}}', ()),
        ('{"x": "zero_optimization"}', ()),
        ('{"x": "zero_optimization\\\\": 1"}', ()),
    ],
)
def test_keys_at_the_top_level_of_json(text: str, keys: tuple[str, ...]) -> None:
    seen = resemblance(text, "json")
    assert seen.keys == keys
    assert seen.framework == ("deepspeed" if keys else None)


@each(
    ("text", "keys"),
    [
        ("zero_optimization: 1", ()),
        ("base_model: a/b\n", ("base_model",)),
        ("'base_model': a/b\n", ("base_model",)),
        ('"base_model" : a/b\n', ("base_model",)),
        ("base_model:a/b\nx: 1\n", ()),
        ("x:\n  base_model: a/b\n", ()),
        ("base_model: [\nx: 1", ("base_model",)),
    ],
)
def test_keys_at_the_top_level_of_yaml(text: str, keys: tuple[str, ...]) -> None:
    assert resemblance(text, "yaml").keys == keys


@each(
    ("text", "what"),
    [
        ("", "not recognized: it is empty"),
        (" \n", "not recognized: it is empty"),
        ("a\0", "not recognized: it contains NUL characters, as UTF-16 and binary files do"),
        ("x: 1\n", "not recognized: it has no key of a framework that cfglint knows"),
        ("base_model: a/b\n", "not recognized; the closest framework is Axolotl (`base_model`)"),
    ],
)
def test_why_a_file_is_not_checked(text: str, what: str) -> None:
    seen = resemblance(text, "yaml")
    assert reason("x.yml", seen) == f"x.yml: {what}; not checked"
    option = f"--framework {'axolotl' if seen.keys else 'NAME'}"
    assert question("x.yml", seen).endswith(f"({option} checks it as one of that framework's)")
