"""Scalars that are not what they look like: which types of keys each trap is for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.draws import each
from tests.linting import fix, lint

BASE = "base_model: a/b\nlearning_rate: 0.1\n"


def fires(rule: str, line: str) -> bool:
    return bool(lint(f"{BASE}{line}\n", select=(rule,)))


@each(
    ("line", "expected"),
    [
        ('bf16: "true"', True),
        ('bf16: "auto"', False),
        ("bf16: yes", False),
        ('bf16: "010"', False),
        # Neither a boolean nor free of type: text is refused, or wanted.
        ('micro_batch_size: "true"', False),
        ('wandb_project: "true"', False),
        ('made_up_key: "true"', False),
        # Below a key of which anything goes, nobody converts it.
        ('lr_scheduler_kwargs: {x: "true"}', True),
    ],
)
def test_quoted_booleans_where_a_boolean_is_wanted(line: str, expected: bool) -> None:
    assert fires("quoted-boolean", line) is expected


@each(
    ("line", "expected"),
    [
        ("wandb_project: no", True),
        ("expert_parallel_backend: no", True),
        ("micro_batch_size: no", False),
        ("bf16: no", False),
        ("made_up_key: no", False),
    ],
)
def test_words_for_booleans_where_a_word_is_wanted(line: str, expected: bool) -> None:
    assert fires("word-as-boolean", line) is expected


RULES = (
    "number-as-string", "quoted-boolean", "word-as-boolean", "octal-number", "sexagesimal-number",
    "date-value", "typographic-character",
)  # fmt: skip
#: Lines, what is found in them (rule, severity, upstream, place, the words that are quoted, fixes),
#: and the lines with all fixes made, if there are any.
TRAPS: list[tuple[str, list[str], str | None]] = [
    (
        "learning_rate: 1e-5\n",
        ["number-as-string | note | silent | '1e-5' |  | safe: Write 1.0e-5"],
        "learning_rate: 1.0e-5\n",
    ),
    (
        "learning_rate: 1.5e5\n",
        ["number-as-string | note | silent | '1.5e5' |  | safe: Write 1.5e+5"],
        "learning_rate: 1.5e+5\n",
    ),
    (
        "learning_rate: -1e5\n",
        ["number-as-string | note | silent | '-1e5' |  | safe: Write -1.0e+5"],
        "learning_rate: -1.0e+5\n",
    ),
    ("learning_rate: .5e-3\n", [], None),
    ("learning_rate: 1.e-5\n", [], None),
    (
        "learning_rate: +1_0e5\n",
        ["number-as-string | note | silent | '+1_0e5' |  | safe: Write +10.0e+5"],
        "learning_rate: +10.0e+5\n",
    ),
    ("learning_rate: 1.0e-5\n", [], None),
    ("learning_rate: '1e-5'\n", [], None),
    (
        "learning_rate: 1E-5\n",
        ["number-as-string | note | silent | '1E-5' |  | safe: Write 1.0e-5"],
        "learning_rate: 1.0e-5\n",
    ),
    (
        "learning_rate: 1e+5\n",
        ["number-as-string | note | silent | '1e+5' |  | safe: Write 1.0e+5"],
        "learning_rate: 1.0e+5\n",
    ),
    (
        "learning_rate: 1e-5\nweight_decay: 1e-2\nwarmup_ratio: 3e-2\n",
        ["number-as-string | note | silent | '1e-5' |  | 2 related | safe: Write them with a dot"],
        "learning_rate: 1.0e-5\nweight_decay: 1.0e-2\nwarmup_ratio: 3.0e-2\n",
    ),
    (
        "num_epochs: 1e1\n",
        ["number-as-string | note | silent | '1e1' |  | safe: Write 1.0e+1"],
        "num_epochs: 1.0e+1\n",
    ),
    (
        "micro_batch_size: 1e1\n",
        ["number-as-string | error | rejects | '1e1' |  | safe: Write 10"],
        "micro_batch_size: 10\n",
    ),
    ("micro_batch_size: 1.5e0\n", ["number-as-string | error | rejects | '1.5e0' | "], None),
    ("micro_batch_size: 1e-1\n", ["number-as-string | error | rejects | '1e-1' | "], None),
    ("micro_batch_size: 1e16\n", ["number-as-string | error | rejects | '1e16' | "], None),
    ("made_up_key: 1e-5\n", [], None),
    ("wandb_project: 1e-5\n", [], None),
    (
        "lr_scheduler_kwargs:\n  min_lr: 1e-5\n",
        ["number-as-string | error | silent | '1e-5' |  | safe: Write 1.0e-5"],
        "lr_scheduler_kwargs:\n  min_lr: 1.0e-5\n",
    ),
    (
        "deepspeed:\n  optimizer:\n    params:\n      lr: 1e-5\n",
        ["number-as-string | error | silent | '1e-5' |  | safe: Write 1.0e-5"],
        "deepspeed:\n  optimizer:\n    params:\n      lr: 1.0e-5\n",
    ),
    ("optim_args: lr=1e-5\n", [], None),
    (
        "optim_args:\n  eps: 1e-5\n  x: 1e5\n",
        [
            "number-as-string | note | silent | '1e-5' |  | safe: Write 1.0e-5",
            "number-as-string | note | silent | '1e5' |  | safe: Write 1.0e+5",
        ],
        "optim_args:\n  eps: 1.0e-5\n  x: 1.0e+5\n",
    ),
    (
        'bf16: "true"\n',
        [
            'quoted-boolean | note | silent | \'"true"\' | bf16: "true" | safe: Write true without quotes'
        ],
        "bf16: true\n",
    ),
    (
        "bf16: 'No'\n",
        [
            'quoted-boolean | warning | silent | "\'No\'" | bf16: "No" | safe: Write false without quotes'
        ],
        "bf16: false\n",
    ),
    (
        'gradient_checkpointing: "false"\n',
        [
            'quoted-boolean | warning | silent | \'"false"\' | gradient_checkpointing: "false" | safe: Write false without quotes'
        ],
        "gradient_checkpointing: false\n",
    ),
    (
        "lr_scheduler_kwargs:\n  x: \"false\"\n  y: 'yes'\n",
        [
            'quoted-boolean | warning | silent | \'"false"\' | lr_scheduler_kwargs.x: "false" | safe: Write false without quotes',
            'quoted-boolean | note | silent | "\'yes\'" | lr_scheduler_kwargs.y: "yes" | safe: Write true without quotes',
        ],
        "lr_scheduler_kwargs:\n  x: false\n  y: true\n",
    ),
    ('special_tokens: {a: "false"}\n', [], None),
    (
        "flash_attention: 'on'\n",
        [
            'quoted-boolean | note | silent | "\'on\'" | flash_attention: "on" | safe: Write true without quotes'
        ],
        "flash_attention: true\n",
    ),
    (
        "load_in_8bit: 'OFF'\n",
        [
            'quoted-boolean | warning | silent | "\'OFF\'" | load_in_8bit: "OFF" | safe: Write false without quotes'
        ],
        "load_in_8bit: false\n",
    ),
    (
        "wandb_project: no\n",
        ["word-as-boolean | error | rejects | 'no' | wandb_project | safe: Quote the word"],
        'wandb_project: "no"\n',
    ),
    (
        "wandb_project: On\n",
        ["word-as-boolean | error | rejects | 'On' | wandb_project | safe: Quote the word"],
        'wandb_project: "on"\n',
    ),
    ("wandb_project: true\n", [], None),
    (
        "eval_strategy: no\n",
        ["word-as-boolean | error | rejects | 'no' | eval_strategy | safe: Quote the word"],
        'eval_strategy: "no"\n',
    ),
    ("wandb_project: 'no'\n", [], None),
    (
        "seed: 010\n",
        ["octal-number | warning | silent | '010' | seed | unsafe: Write 10"],
        "seed: 10\n",
    ),
    (
        "seed: -017\n",
        ["octal-number | warning | silent | '-017' | seed | unsafe: Write -17"],
        "seed: -17\n",
    ),
    ("seed: 0\n", [], None),
    ("seed: 00\n", [], None),
    ("seed: 08\n", [], None),
    (
        "seed: 0_10\n",
        ["octal-number | warning | silent | '0_10' | seed | unsafe: Write 10"],
        "seed: 10\n",
    ),
    ("seed: 0x10\n", [], None),
    (
        "seed: +010\n",
        ["octal-number | warning | silent | '+010' | seed | unsafe: Write 10"],
        "seed: 10\n",
    ),
    (
        "made_up: 0777\n",
        ["octal-number | warning | silent | '0777' | made_up | unsafe: Write 777"],
        "made_up: 777\n",
    ),
    ("seed: 07\n", [], None),
    (
        "wandb_name: 12:30\n",
        ["sexagesimal-number | error | rejects | '12:30' | wandb_name | safe: Quote it"],
        'wandb_name: "12:30"\n',
    ),
    ("seed: 1:00:00\n", ["sexagesimal-number | error | silent | '1:00:00' | seed"], None),
    ("made_up: 12:30.5\n", ["sexagesimal-number | error | silent | '12:30.5' | made_up"], None),
    ("seed: 99:99\n", [], None),
    ("wandb_name: '12:30'\n", [], None),
    (
        "wandb_name: 2024-05-01\n",
        ["date-value | error | rejects | '2024-05-01' |  | safe: Quote it"],
        'wandb_name: "2024-05-01"\n',
    ),
    (
        "made_up: 2024-05-01\n",
        ["date-value | warning | silent | '2024-05-01' |  | safe: Quote it"],
        'made_up: "2024-05-01"\n',
    ),
    (
        "wandb_name: 2024-05-01T10:00:00Z\n",
        ["date-value | error | rejects | '2024-05-01T10:00:00Z' |  | safe: Quote it"],
        'wandb_name: "2024-05-01T10:00:00Z"\n',
    ),
    (
        "seed: 2024-05-01\n",
        ["date-value | warning | silent | '2024-05-01' |  | safe: Quote it"],
        'seed: "2024-05-01"\n',
    ),
    ("wandb_name: '2024-05-01'\n", [], None),
    (
        "wandb_name: \u201crun\u201d\n",
        [
            "typographic-character | error | silent | '\u201crun\u201d' | wandb_name | safe: Use straight quotes"
        ],
        'wandb_name: "run"\n',
    ),
    (
        "wandb_name: \u2018it''s\u2019\n",
        [
            "typographic-character | error | silent | \"\u2018it''s\u2019\" | wandb_name | unsafe: Use straight quotes"
        ],
        "wandb_name: \"it''s\"\n",
    ),
    (
        'wandb_name: \u201ca\\b"c\u201d\n',
        [
            "typographic-character | error | silent | '\u201ca\\\\b\"c\u201d' | wandb_name | unsafe: Use straight quotes"
        ],
        'wandb_name: "a\\\\b\\"c"\n',
    ),
    ("wandb_name: \u201c\n", [], None),
    ("wandb_name: a\u201d\n", [], None),
    (
        "wandb_name: \xa0run\n",
        ["typographic-character | error | silent | '\\xa0run' | wandb_name | safe: Remove it"],
        "wandb_name: run\n",
    ),
    (
        "wandb_name: run\u200b\n",
        ["typographic-character | error | silent | 'run\\u200b' | wandb_name | safe: Remove it"],
        "wandb_name: run\n",
    ),
    (
        "wandb_name: \xa0my run\n",
        ["typographic-character | error | silent | '\\xa0my run' | wandb_name"],
        None,
    ),
    ("wandb_name: '\u201crun\u201d'\n", [], None),
    (
        "\u201cwandb_name\u201d: x\n",
        ["typographic-character | error | silent | '\u201cwandb_name\u201d' | \"wandb_name\""],
        None,
    ),
    (
        "wandb\xa0_name: x\n",
        ["typographic-character | error | silent | 'wandb\\xa0_name' | wandb\xa0_name"],
        None,
    ),
    ("wandb_name: r\xa0n\n", [], None),
    (
        "wandb_name: \ufeffx\n",
        ["typographic-character | error | silent | '\\ufeffx' | wandb_name | safe: Remove it"],
        "wandb_name: x\n",
    ),
    (
        "wandb_name: \u2007x\n",
        ["typographic-character | error | silent | '\\u2007x' | wandb_name | safe: Remove it"],
        "wandb_name: x\n",
    ),
    (
        "wandb_name: \u201cr\u2019\n",
        [
            "typographic-character | error | silent | '\u201cr\u2019' | wandb_name | safe: Use straight quotes"
        ],
        'wandb_name: "r"\n',
    ),
]


@each(("lines", "expected", "fixed"), TRAPS)
def test_traps(lines: str, expected: list[str], fixed: str | None) -> None:
    text = f"base_model: a/b\n{lines}"
    told = []
    for found in lint(text, select=RULES):
        words = re.findall(r"`([^`]*)`", found.message)
        place = text[found.span.start : found.span.end]
        parts = [found.name, found.severity, found.upstream, repr(place), " ".join(words)]
        parts += [f"{len(found.related)} related"] if found.related else []
        parts += [f"{one.safety}: {one.title}" for one in found.fixes]
        told.append(" | ".join(parts))
    assert told == expected
    changed = fix(text, select=RULES, unsafe=True).partition("\n")[2]
    assert changed == (lines if fixed is None else fixed)


@pytest.mark.parametrize(
    ("program", "severity"),
    [
        ("", "error"),
        ("print('lr_scheduler_kwargs')\n", "error"),
        ("scheduler = args.lr_scheduler_kwargs\n", "warning"),
        ("given = getattr(args, 'lr_scheduler_kwargs')\n", "warning"),
        ("lr_scheduler_kwargs = {k: float(v) for k, v in given}\n", "warning"),
        ("lr_scheduler_kwargs = to_float(given)\n", "error"),
    ],
)
def test_a_program_may_convert_what_nothing_else_converts(
    tmp_path: Path, program: str, severity: str
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "fit.py").write_text(program, encoding="utf-8")
    text = f"{BASE}lr_scheduler_kwargs: {{min_lr: 1e-6}}\n"
    (found,) = lint(text, select=("YML021",), folder=tmp_path)
    assert found.severity == severity
    assert ("unless fit.py does so" in found.message) is (severity == "warning")


def test_the_program_that_converts_is_named_before_one_that_reads(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "begin.py").write_text("print(args.lr_scheduler_kwargs)\n", encoding="utf-8")
    (tmp_path / "fit.py").write_text("lr_scheduler_kwargs[k] = float(v)\n", encoding="utf-8")
    text = f"{BASE}lr_scheduler_kwargs: {{min_lr: 1e-6}}\n"
    (found,) = lint(text, select=("YML021",), folder=tmp_path)
    assert "unless fit.py does so" in found.message


def test_words_behind_booleans_that_are_meant() -> None:
    lines = "bf16: true\ntf32: yes\nmade_up: no\neval_strategy: no\n"
    found = lint(BASE + lines, select=("word-as-boolean",))
    assert [one.path for one in found] == [("eval_strategy",)]


@each(
    ("written", "as_number", "as_integer"),
    [
        ("1e-5", "1.0e-5", None),
        ("1E5", "1.0e+5", "100000"),
        ("-1e3", "-1.0e+3", "-1000"),
        ("+2e3", "+2.0e+3", "2000"),
        ("1.5e3", "1.5e+3", "1500"),
        (".5e3", "0.5e+3", "500"),
        ("-.5e3", "-0.5e+3", "-500"),
        ("1_0e2", "10.0e+2", "1000"),
        ("1e14", "1.0e+14", "100000000000000"),
        ("1e15", "1.0e+15", None),
        ("15e-1", "15.0e-1", None),
    ],
)
def test_the_spelling_that_is_a_number(
    written: str, as_number: str, as_integer: str | None
) -> None:
    for line, meant in (
        (f"lr_scheduler_kwargs: {{x: {written}}}", as_number),
        (f"max_steps: {written}", as_integer),
    ):
        (one,) = lint(f"{BASE}{line}\n", select=["number-as-string"])
        fixes = [] if meant is None else [(f"Write {meant}", "safe", meant)]
        assert [
            (fix.title, fix.safety, "".join(edit.text for edit in fix.edits)) for fix in one.fixes
        ] == fixes


@each(
    ("framework", "line", "expected"),
    [
        (
            "axolotl",
            "learning_rate: 1e-5",
            ("note", "silent", "but Axolotl turns it into a number"),
        ),
        ("axolotl", "max_steps: 1e3", ("error", "rejects", "refuses it as an integer")),
        ("axolotl", "wandb_project: 1e3", None),
        ("axolotl", "no_such_key: 1e3", None),
        ("axolotl", "lr_scheduler_kwargs: {x: 1e-5}", ("error", "silent", "the text itself")),
        # Python reads more numbers than YAML 1.1 does, and less than a person.
        ("llamafactory", "learning_rate: 1e-5", None),
        ("llamafactory", "learning_rate: .5e3", ("error", "silent", "does not turn it into a")),
        ("swift", "max_steps: 1e3", ("error", "rejects", "refuses it as an integer")),
    ],
)
def test_numbers_that_are_text_for_each_framework(
    framework: str, line: str, expected: tuple[str, str, str] | None
) -> None:
    found = lint(f"{line}\n", framework=framework, select=["number-as-string"])
    assert len(found) == (expected is not None)
    if expected is not None:
        severity, upstream, words = expected
        assert (found[0].severity, found[0].upstream) == (severity, upstream)
        assert words in found[0].message


@each(
    ("line", "severity", "fix"),
    [
        ('bf16: "false"', "warning", "false"),
        ("bf16: 'No'", "warning", "false"),
        ('bf16: "OFF"', "warning", "false"),
        ('bf16: "true"', "note", "true"),
        ('bf16: "Yes"', "note", "true"),
        ('lr_scheduler_kwargs: {x: "no"}', "warning", "false"),
        ('lr_scheduler_kwargs: {x: "on"}', "note", "true"),
    ],
)
def test_what_a_quoted_boolean_means(line: str, severity: str, fix: str) -> None:
    (one,) = lint(f"{BASE}{line}\n", select=["quoted-boolean"])
    assert one.severity == severity
    (repair,) = one.fixes
    assert repair.title == f"Write {fix} without quotes"
    assert "".join(edit.text for edit in repair.edits) == fix
