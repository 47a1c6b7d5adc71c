"""What the shape of a file says: keys that are written twice, keys that are no text."""

from __future__ import annotations

import re
import time

import pytest
import yaml

from cfglint.checks.context import CheckContext
from cfglint.checks.structure import duplicate_key
from cfglint.environment.building import build_environment
from cfglint.environment.surroundings import nowhere
from cfglint.roles.framework import load_framework
from cfglint.source.languages.yaml import compose
from cfglint.source.text import SourceText
from tests.draws import each
from tests.linting import fix, lint

RULES = ("duplicate-key", "non-text-key", "byte-order-mark", "unrecognized-config")
#: Lines, what is found (rule, severity, place, the words that are quoted, other places, fixes), and
#: the lines with all fixes made, if there are any.
CASES: list[tuple[str, list[str], str | None]] = [
    (
        "made_up: 1\nmade_up: 2\n",
        [
            "duplicate-key | note | 'made_up: 1' | made_up | this one is used: 'made_up: 2' | unsafe: Delete the one that is ignored"
        ],
        "made_up: 2\n",
    ),
    (
        "learning_rate: 1\nlearning_rate: 1.0\n",
        [
            "duplicate-key | note | 'learning_rate: 1' | learning_rate | this one is used: 'learning_rate: 1.0' | safe: Delete the one that is ignored"
        ],
        "learning_rate: 1.0\n",
    ),
    (
        "seed: 1\nseed: 1\n",
        [
            "duplicate-key | note | 'seed: 1' | seed | this one is used: 'seed: 1' | safe: Delete the one that is ignored"
        ],
        "seed: 1\n",
    ),
    (
        "seed: 1\nseed: 2\n",
        [
            "duplicate-key | warning | 'seed: 1' | seed | this one is used: 'seed: 2' | unsafe: Delete the one that is ignored"
        ],
        "seed: 2\n",
    ),
    (
        "seed:\nseed: 2\n",
        [
            "duplicate-key | note | 'seed:' | seed | this one is used: 'seed: 2' | safe: Delete the one that is ignored"
        ],
        "seed: 2\n",
    ),
    (
        "seed: ~\nseed: 2\n",
        [
            "duplicate-key | warning | 'seed: ~' | seed | this one is used: 'seed: 2' | unsafe: Delete the one that is ignored"
        ],
        "seed: 2\n",
    ),
    (
        "seed: 2\nseed:\n",
        [
            "duplicate-key | warning | 'seed: 2' | seed | this one is used: 'seed:' | unsafe: Delete the one without a value"
        ],
        "seed: 2\n",
    ),
    (
        "flash_attention: false\nflash_attention:\n",
        [
            "duplicate-key | note | 'flash_attention: false' | flash_attention | this one is used: 'flash_attention:' | unsafe: Delete the one without a value"
        ],
        "flash_attention: false\n",
    ),
    (
        "flash_attention:\nflash_attention: false\n",
        [
            "duplicate-key | note | 'flash_attention:' | flash_attention | this one is used: 'flash_attention: false' | safe: Delete the one that is ignored"
        ],
        "flash_attention: false\n",
    ),
    (
        "strict: false\nstrict: null\n",
        [
            "duplicate-key | note | 'strict: false' | strict | this one is used: 'strict: null' | unsafe: Delete the one that is ignored"
        ],
        "strict: null\n",
    ),
    (
        "seed: 1\nseed: 2\nseed: 3\n",
        [
            "duplicate-key | warning | 'seed: 1' | seed | this one is used: 'seed: 3' | unsafe: Delete the one that is ignored",
            "duplicate-key | warning | 'seed: 2' | seed | this one is used: 'seed: 3' | unsafe: Delete the one that is ignored",
        ],
        "seed: 3\n",
    ),
    (
        "seed: 1\nseed: 1.0\n",
        [
            "duplicate-key | warning | 'seed: 1' | seed | this one is used: 'seed: 1.0' | unsafe: Delete the one that is ignored"
        ],
        "seed: 1.0\n",
    ),
    (
        "trl:\n  beta: 1\n  beta: 2\n",
        [
            "duplicate-key | warning | 'beta: 1' | trl.beta | this one is used: 'beta: 2' | unsafe: Delete the one that is ignored"
        ],
        "trl:\n  beta: 2\n",
    ),
    (
        "trl:\n  beta: false\n  beta:\n",
        [
            "duplicate-key | warning | 'beta: false' | trl.beta | this one is used: 'beta:' | unsafe: Delete the one without a value"
        ],
        "trl:\n  beta: false\n",
    ),
    (
        "trl: {a: 1}\ntrl: {a: 2}\n",
        [
            "duplicate-key | warning | 'trl: {a: 1}' | trl | this one is used: 'trl: {a: 2}' | unsafe: Delete the one that is ignored"
        ],
        "trl: {a: 2}\n",
    ),
    (
        "wandb_name: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\nwandb_name: yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\n",
        [
            "duplicate-key | warning | 'wandb_name: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' | wandb_name | this one is used: 'wandb_name: yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy' | unsafe: Delete the one that is ignored"
        ],
        "wandb_name: yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\n",
    ),
    (
        "x: &a {b: 1}\ntrl:\n  <<: *a\n  <<: *a\n  beta: 1\n  beta: 2\n",
        [
            "duplicate-key | warning | 'beta: 1' | trl.beta | this one is used: 'beta: 2' | unsafe: Delete the one that is ignored"
        ],
        None,
    ),
    (
        "'seed': 1\nseed: 2\n",
        [
            "duplicate-key | warning | \"'seed': 1\" | seed | this one is used: 'seed: 2' | unsafe: Delete the one that is ignored"
        ],
        "seed: 2\n",
    ),
    ("1: a\n'1': b\n", ["non-text-key | error | '1' | 1"], None),
    ("on: 1\n", ["non-text-key | error | 'on' | on"], None),
    ("1: a\n", ["non-text-key | error | '1' | 1"], None),
    ("2024-01-01: a\n", ["non-text-key | error | '2024-01-01' | 2024-01-01"], None),
    ("1.5: a\n", ["non-text-key | error | '1.5' | 1.5"], None),
    ("~: a\n", ["non-text-key | error | '~' | ~"], None),
    ("trl:\n  on: 1\n", [], None),
    ("'on': 1\n", [], None),
    ("\ufeffseed: 1\n", ["byte-order-mark | note | '' | "], None),
]


@each(("lines", "expected", "fixed"), CASES)
def test_structure(lines: str, expected: list[str], fixed: str | None) -> None:
    mark = lines[:1] if lines[:1] == "\ufeff" else ""
    body = f"base_model: a/b\n{lines.removeprefix(mark)}"
    told = []
    for found in lint(mark + body, select=RULES):
        words = re.findall(r"`([^`]*)`", found.message)
        place = body[found.span.start : found.span.end]
        parts = [found.name, found.severity, repr(place), " ".join(words)]
        parts += [f"{one.note}: {body[one.span.start : one.span.end]!r}" for one in found.related]
        parts += [f"{one.safety}: {one.title}" for one in found.fixes]
        told.append(" | ".join(parts))
    assert told == expected
    changed = fix(mark + body, select=RULES, unsafe=True).partition("\n")[2]
    assert changed == (lines.removeprefix(mark) if fixed is None else fixed)


@pytest.mark.parametrize(
    ("text", "marked"), [("x: 1\ny: 2\n", ["x"]), ("seed: 1\ny: 2\n", []), ("{}\n", ["{}"])]
)
def test_a_file_of_which_nothing_is_known(text: str, marked: list[str]) -> None:
    found = lint(text, select=("unrecognized-config",))
    assert [text[one.span.start : one.span.end] for one in found] == marked


def test_a_key_that_nothing_reads_is_reported_once() -> None:
    found = lint("base_model: a/b\nmade_up: 1\nmade_up: 2\n", select=("YML", "KEY"))
    assert {one.name for one in found} == {"unknown-key"}


def test_many_duplicates_are_not_each_looked_for_among_all_keys() -> None:
    axolotl = load_framework("axolotl")

    def seconds(count: int) -> float:
        document = compose(SourceText("base_model: a/b\n" + "made_up: 1\n" * count))
        ctx = CheckContext(document, axolotl, build_environment(axolotl.releases), nowhere())
        started = time.process_time()
        assert len(list(duplicate_key(ctx))) == count - 1
        return time.process_time() - started

    # Eight times as many take eight times as long, not sixty-four times.
    assert seconds(16_000) < 24 * seconds(2_000)


def test_the_value_that_the_loader_takes_stays() -> None:
    text = (
        "compute_environment: LOCAL_MACHINE\ndistributed_type: FSDP\nnum_processes: 8\n"
        "distributed_type: DEEPSPEED\nmixed_precision: bf16\ndistributed_type: MULTI_GPU  # one node\n"
    )
    fixed = fix(text, select=("YML020",), unsafe=True, framework="accelerate")
    assert fixed.count("distributed_type") == 1
    assert yaml.safe_load(fixed) == yaml.safe_load(text)
    assert "distributed_type: MULTI_GPU  # one node\n" in fixed
