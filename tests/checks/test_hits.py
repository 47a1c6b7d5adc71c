"""Each check: where it fires, how severely, what it says and what it would do about it."""

from __future__ import annotations

from cfglint.base.spelling import Speller
from cfglint.checks.registry import CHECKS, SOURCES
from cfglint.checks.sources import of_scripts
from cfglint.frameworks.axolotl.framework import Axolotl
from cfglint.knowledge.rules.knowledge import load_knowledge
from tests.draws import each
from tests.linting import fix, lint

BASE = "base_model: a/b\nlearning_rate: 0.1\n"


def found(rule: str, text: str, *pins: str) -> list[tuple[str, str, str]]:
    """(marked text, severity, message) of each finding of one rule."""
    return [
        (text[d.span.start : d.span.end], d.severity, d.message)
        for d in lint(text, target=pins, select=(rule,))
    ]


def fixed(rule: str, text: str, *, unsafe: bool = False) -> str:
    return fix(text, select=(rule,), unsafe=unsafe)


CASES = [
    # rule, lines after the base, marked texts, severities, after safe fixes, after all fixes
    (
        "number-as-string",
        "weight_decay: 1e-2\n",
        ["1e-2"],
        ["note"],
        "weight_decay: 1.0e-2\n",
        None,
    ),
    ("number-as-string", "max_steps: 1e3\n", ["1e3"], ["error"], "max_steps: 1000\n", None),
    ("number-as-string", "max_steps: 1e400\n", ["1e400"], ["error"], None, None),
    ("number-as-string", "wandb_name: 1e3\n", [], [], None, None),
    ("number-as-string", "weight_decay: '1e-2'\n", [], [], None, None),
    ("number-as-string", "weight_decay: 1.0e-2\n", [], [], None, None),
    (
        "quoted-boolean",
        "sample_packing: 'false'\n",
        ["'false'"],
        ["warning"],
        "sample_packing: false\n",
        None,
    ),
    (
        "quoted-boolean",
        'sample_packing: "yes"\n',
        ['"yes"'],
        ["note"],
        "sample_packing: true\n",
        None,
    ),
    ("quoted-boolean", "wandb_name: 'yes'\n", [], [], None, None),
    ("word-as-boolean", "eval_strategy: no\n", ["no"], ["error"], 'eval_strategy: "no"\n', None),
    ("word-as-boolean", "sample_packing: no\n", [], [], None, None),
    ("word-as-boolean", "eval_strategy: 'no'\n", [], [], None, None),
    ("octal-number", "seed: 010\n", ["010"], ["warning"], None, "seed: 10\n"),
    ("octal-number", "seed: 0\n", [], [], None, None),
    ("octal-number", "seed: 007\n", [], [], None, None),
    ("octal-number", "seed: '010'\n", [], [], None, None),
    (
        "sexagesimal-number",
        "wandb_name: 12:30\n",
        ["12:30"],
        ["error"],
        'wandb_name: "12:30"\n',
        None,
    ),
    ("sexagesimal-number", "seed: 1:30\n", ["1:30"], ["error"], None, None),
    ("sexagesimal-number", "wandb_name: a:30\n", [], [], None, None),
    (
        "date-value",
        "wandb_name: 2024-05-01\n",
        ["2024-05-01"],
        ["error"],
        'wandb_name: "2024-05-01"\n',
        None,
    ),
    ("date-value", "wandb_name: '2024-05-01'\n", [], [], None, None),
    (
        "typographic-character",
        "wandb_name: \u201crun\u201d\n",
        ["\u201crun\u201d"],
        ["error"],
        'wandb_name: "run"\n',
        None,
    ),
    ("typographic-character", "wandb_name: the \u201crun\u201d one\n", [], [], None, None),
    ("typographic-character", "\u200bseed: 1\n", ["\u200bseed"], ["error"], None, None),
    ("duplicate-key", "seed: 1\nseed: 1\n", ["seed: 1"], ["note"], "seed: 1\n", None),
    ("duplicate-key", "seed: 1\nseed: 2\n", ["seed: 1"], ["warning"], None, "seed: 2\n"),
    ("duplicate-key", "seed:\nseed: 1\n", ["seed:"], ["note"], "seed: 1\n", None),
    ("duplicate-key", "seed: null\nseed: 1\n", ["seed: null"], ["warning"], None, "seed: 1\n"),
    ("duplicate-key", "seed: 1\nSEED: 1\n", [], [], None, None),
    ("duplicate-key", "x: &a {b: 1}\ny:\n  <<: *a\n  <<: *a\n", [], [], None, None),
    ("unknown-key", "learning_ratee: 1\n", ["learning_ratee"], ["error"], None, None),
    ("unknown-key", "warmup_ration: 1\n", ["warmup_ration"], ["error"], "warmup_ratio: 1\n", None),
    (
        "unknown-key",
        "entirely_made_up_thing: 1\n",
        ["entirely_made_up_thing"],
        ["warning"],
        None,
        None,
    ),
    ("unknown-key", "entirely_made_up_thing:\n", [], [], None, None),
    ("unknown-key", "lr_scheduler_kwargs: {made_up: 1}\n", [], [], None, None),
    ("unknown-key", "made_up: &a {b: 1}\nlr_scheduler_kwargs: *a\n", [], [], None, None),
    ("misplaced-key", "special_tokens: {seed: 1}\n", ["seed"], ["error"], None, None),
    ("non-text-key", "on: 1\n", ["on"], None, None, None),
]


@each(
    ("rule", "text", "marked", "severities", "safe", "unsafe"),
    CASES,
)
def test_check(
    rule: str,
    text: str,
    marked: list[str],
    severities: list[str] | None,
    safe: str | None,
    unsafe: str | None,
) -> None:
    hits = found(rule, BASE + text)
    assert [where for where, _, _ in hits] == marked
    if severities is not None:
        assert [severity for _, severity, _ in hits] == severities
    assert all("{" not in message for _, _, message in hits)
    if rule != "misplaced-key":
        assert fixed(rule, BASE + text) == BASE + (safe or text)
        assert fixed(rule, BASE + text, unsafe=True) == BASE + (unsafe or safe or text)


def test_byte_order_mark() -> None:
    (hit,) = lint("\ufeff" + BASE, select=("byte-order-mark",))
    assert hit.span == (0, 0)
    assert found("byte-order-mark", BASE) == []


def test_unrecognized_config() -> None:
    assert len(found("unrecognized-config", "image: x\nports: [80]\n")) == 1
    assert found("unrecognized-config", BASE) == []


def test_misplaced_key_moves() -> None:
    text = BASE + "special_tokens:\n  pad_token: x\n  seed: 1  # why\n"
    (hit,) = found("misplaced-key", text)
    assert hit[0] == "seed"
    after = fixed("misplaced-key", text)
    assert "\nseed: 1" in after
    assert "# why" in after
    assert found("misplaced-key", after) == []


def test_keys_of_other_releases() -> None:
    later = "context_parallel_size: 2\n"
    (hit,) = found("key-of-later-release", BASE + later, "axolotl==0.5.0")
    assert (hit[0], hit[1]) == ("context_parallel_size", "error")
    assert "0.5.0" in hit[2]
    assert found("key-of-later-release", BASE + later) == []
    assert found("key-of-later-release", BASE + "context_parallel_size:\n", "axolotl==0.5.0") == []


@each(
    ("text", "release", "severity"),
    [
        ("lm_eval_model: a/b\n", "0.5.2", "note"),
        ("message_property_mappings: {role: role, content: content}", "0.5.2", "note"),
        ("message_property_mappings: {role: from, content: content}", "0.5.2", "error"),
        # Axolotl 0.4.1 reads `from` and `value` by default.
        ("message_property_mappings: {role: role, content: content}", "0.4.1", "error"),
    ],
)
def test_a_later_key_that_changes_nothing_is_a_note(text: str, release: str, severity: str) -> None:
    in_dataset = BASE + f"datasets:\n  - path: a/b\n    type: chat_template\n    {text}\n"
    written = BASE + text if text.startswith("lm_") else in_dataset
    (hit,) = found("key-of-later-release", written, f"axolotl=={release}")
    assert hit[1] == severity


def test_only_earlier_releases_are_listed_as_accepting_a_word() -> None:
    # From 0.18.0 on Axolotl takes any text for an optimizer.
    (hit,) = found("unknown-choice", BASE + "optimizer: auto\n", "axolotl==0.9.2")
    assert "accepted it" not in hit[2]
    (hit,) = found("unknown-choice", BASE + "optimizer: lion_pytorch\n", "axolotl==0.9.2")
    assert hit[2].endswith("Earlier releases accepted it.")


def test_foreign_key() -> None:
    text = BASE + "per_device_train_batch_size: 4\n"
    (hit,) = found("foreign-key", text)
    assert hit[:2] == ("per_device_train_batch_size", "error")
    assert "micro_batch_size" in hit[2]
    assert fixed("foreign-key", text) == BASE + "micro_batch_size: 4\n"
    both = text + "micro_batch_size: 2\n"
    assert [severity for _, severity, _ in found("foreign-key", both)] == ["warning"]
    assert fixed("foreign-key", both) == both


def test_plugin_key_without_plugin() -> None:
    text = BASE + "cut_cross_entropy: true\n"
    (hit,) = found("plugin-key-without-plugin", text)
    assert hit[0] == "cut_cross_entropy"
    assert fixed("plugin-key-without-plugin", text) == text
    after = fixed("plugin-key-without-plugin", text, unsafe=True)
    assert "CutCrossEntropyPlugin" in after
    assert found("plugin-key-without-plugin", after) == []
    assert found("plugin-key-without-plugin", BASE + "cut_cross_entropy: false\n") == []


def test_a_plugin_of_ones_own_may_read_any_top_level_key() -> None:
    text = BASE + "made_up_thing: 1\nspecial_tokens: {pad_tokn: x}\n"
    own = text + "plugins: [team.plugins.Mine]\n"
    severities = {where: severity for where, severity, _ in found("unknown-key", own)}
    assert severities == {"made_up_thing": "note", "pad_tokn": "error"}
    assert len(found("unknown-key", text)) == 2


@each(
    ("written", "name", "sure"),
    [
        ("learning_ratee", "learning_rate", True),
        ("leaning_rate", "learning_rate", True),
        ("Learning-Rate", "learning_rate", True),
        ("adam_beta3", "adam_beta1", False),
        ("xyz", None, False),
        ("", None, False),
    ],
)
def test_spelling(written: str, name: str | None, sure: bool) -> None:
    speller = Speller(["learning_rate", "adam_beta1", "adam_beta2", "seed"])
    guess = speller.closest(written)
    assert (guess.name if guess else None) == name
    assert (guess.sure if guess else False) == sure
    assert speller.closest(written) == guess


def test_every_check_belongs_to_a_rule_and_every_rule_has_its_check() -> None:
    knowledge = load_knowledge("axolotl")
    rules = (*knowledge.all_rules(), *knowledge.migration_rules)
    named = {rule.check for rule in rules if rule.check is not None}
    assert named - {"engine", "reading", "suppressions", "sweep"} == {
        *CHECKS,
        *SOURCES,
        *of_scripts(),
        *Axolotl.checks,
    }


@each(
    "text",
    [
        "max_steps: 0x" + "f" * 5000 + "\n",
        "seed: 0b" + "1" * 20000 + "\n",
        "wandb_name: 1" + ":59" * 3000 + "\n",
        "max_steps: 1e400\n",
        "max_steps: -1e400\n",
        "learning_rate: .nan\n",
        "max_steps: .inf\n",
        "seed: .nan\n",
        "? !!binary aGk=\n: 1\n",
        "? 2024-05-01\n: 1\n",
        "datasets: !!set {a, b}\n",
        "datasets: !!omap [path: x]\n",
        "plugins: {a: 1}\n",
        "plugins: [[a], {b: 1}, 3]\n",
        "base_model: [a]\ndeepspeed: [1]\nfsdp: 3\nfsdp_config: x\n",
        "lr_scheduler_type: [cosine]\nload_best_model_at_end: {a: 1}\n",
    ],
)
def test_no_rule_fails_on_odd_values(text: str) -> None:
    assert [d.message for d in lint(BASE + text) if d.name == "rule-failed"] == []
