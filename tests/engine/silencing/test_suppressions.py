"""Comments that silence findings, those that silence nothing, and their removal."""

from __future__ import annotations

from cfglint.engine.case import Case
from cfglint.engine.fixing import fix_source
from cfglint.engine.lint import LintResult, lint_source
from cfglint.engine.settings.selection import Selection
from cfglint.engine.silencing.suppressions import begun_code
from cfglint.environment.building import build_environment
from cfglint.frameworks.axolotl.framework import Axolotl
from cfglint.source.text import SourceText
from tests.draws import each

AXOLOTL = Axolotl()
TARGET = build_environment(AXOLOTL.releases)
#: Rules about whole configs would speak of these short ones.
FAMILIES = Selection(("KEY", "YML", "CFG"))
#: A rule about files of DeepSpeed's.
OTHER = "DSP002"
HEAD = "base_model: a/b\nlearning_rate: 0.1\n"


def lint(text: str, selection: Selection = FAMILIES) -> LintResult:
    return lint_source(SourceText(text), Case.of_text(AXOLOTL, TARGET, selection))


def codes(text: str, selection: Selection = FAMILIES) -> list[str]:
    return [found.code for found in lint(text, selection).diagnostics]


@each(
    ("lines", "expected"),
    [
        ("made_up_key: 1\n", ["KEY001"]),
        ("made_up_key: 1  # cfglint: ignore[KEY001] ours\n", []),
        ("made_up_key: 1 #cfglint:ignore[KEY001]\n", []),
        ("made_up_key: 1  # cfglint: ignore[unknown-key]\n", []),
        ("made_up_key: 1  # cfglint: ignore[KEY001,]\n", []),
        ("made_up_key: 1  # cfglint: ignore[key001]\n", []),
        ("made_up_key: 1  # cfglint: ignore[Unknown-Key]\n", []),
        ("made_up_key: 1  # cfglint: IGNORE[KEY001]\n", []),
        ("made_up_key: 1  # cfglint: ignore[KEY]\n", []),
        ("made_up_key: 1  # cfglint: ignore[key0]\n", []),
        ("made_up_key: 1  # cfglint: ignore[YML]\n", ["KEY001", "CFG001"]),
        ("made_up_key: 1  # cfglint: ignore[ALL]\n", ["KEY001", "CFG001"]),
        ("# cfglint: ignore-file[key]\nmade_up_key: 1\n", []),
        ("# cfglint: ignore-file[KEY]\nseed: 1\n", ["CFG001"]),
        ("# cfglint: ignore-file[DSZ]\nseed: 1\n", []),
        ("made_up_key: 1  # cfglint: ignored[KEY001]\n", ["KEY001", "CFG002"]),
        ("# cfglint: ignore[KEY001]\nmade_up_key: 1\n", []),
        ("# cfglint: ignore[KEY001]\n# about the key\n\nmade_up_key: 1\n", []),
        ("x: &x 1\n# cfglint: ignore[KEY001]\nmade_up_key: *x\n", []),
        ("special_tokens:\n  # cfglint: ignore[KEY001]\n  made_up: 1\n", []),
        ("# cfglint: ignore-file[KEY001]\nmade_up_key: 1\nother_made_up: 1\n", []),
        ("made_up_key: 1\nother_made_up: 1\n# cfglint: ignore-file[unknown-key]", []),
        ("weight_decay: 1e-2 # cfglint: ignore[YML021]\n", []),
        ("made_up_key: 1e-2 # cfglint: ignore[KEY001, CFG001]\n", ["CFG001"]),
        ("seed: 010\nseed: 010 # cfglint: ignore[YML024]\n", ["YML020", "YML024"]),
        ("# cfglint: ignore[KEY001]\nseed: 1\nmade_up_key: 1\n", ["CFG001", "KEY001"]),
        ("made_up_key: 1\n# cfglint: ignore[KEY001]\n", ["KEY001", "CFG001"]),
        ("made_up_key: 1 # cfglint: ignore[KEY002]\n", ["KEY001", "CFG001"]),
        ("seed: 1 # cfglint: ignore[XYZ999]\n", ["CFG001"]),
        ("seed: 1 # cfglint: ignore[no-such-rule]\n", ["CFG001"]),
        ("seed: 1 # cfglint: ignore-file[KEY001]\n", ["CFG001"]),
        ("seed: 1 # cfglint: ignore\n", ["CFG002"]),
        ("seed: 1 # cfglint: ignore[]\n", ["CFG002"]),
        ("seed: 1 # cfglint: ignore[ ]\n", ["CFG002"]),
        ("seed: 1 # cfglint: ignore[KEY001\n", ["CFG002"]),
        ("seed: 1 # cfglint: ignore[key_1]\n", ["CFG002"]),
        ("seed: 1 # cfglint: disable[KEY001]\n", ["CFG002"]),
        ("seed: 1 # noqa cfglint: ignore[KEY001]\n", []),
        # What other comments say does not matter to those behind them.
        ("seed: 1 # ours\nmade_up_key: 1 # cfglint: ignore[KEY001]\n", []),
        ("seed: 1 # cfglint: off\nmade_up_key: 1 # cfglint: ignore[KEY001]\n", ["CFG002"]),
        ("seed: 1 # cfglint: ignore[key_1, YML020]\n", ["CFG002", "CFG001"]),
        # A rule of another framework may read this file; that says nothing about the next one.
        (f"seed: 1 # cfglint: ignore[{OTHER}]\n", []),
        (f"seed: 1 # cfglint: ignore[{OTHER}, YML020]\n", ["CFG001"]),
        ("wandb_name: '# cfglint: ignore[KEY001]'\n", []),
        ("chat_template_jinja: |\n  # cfglint: ignore[KEY001]\n", []),
    ],
)
@each("newline", ["\n", "\r\n"])
def test_what_is_silenced(lines: str, expected: list[str], newline: str) -> None:
    assert codes((HEAD + lines).replace("\n", newline)) == expected


def test_count_of_the_silenced() -> None:
    text = HEAD + "made_up_key: 1\nother_made_up: 1\n# cfglint: ignore-file[KEY001]\n"
    assert lint(text).suppressed == 2
    assert lint(HEAD).suppressed == 0


def test_rules_that_are_switched_off_do_not_make_suppressions_stale() -> None:
    text = HEAD + "made_up_key: 1 # cfglint: ignore[KEY001]\n"
    assert codes(text, Selection(FAMILIES.select, ("KEY001",))) == []
    assert codes(text, Selection(select=("YML", "CFG"))) == []
    stale = HEAD + "seed: 1 # cfglint: ignore[KEY001]\n"
    assert codes(stale, Selection(FAMILIES.select, ("CFG001",))) == []


def test_place_of_a_stale_code() -> None:
    text = HEAD + "made_up_key: 1 # cfglint: ignore[KEY001, YML020]\n"
    (found,) = lint(text).diagnostics
    assert text[found.span.start : found.span.end] == "YML020"


@each(
    ("lines", "after"),
    [
        ("seed: 1  # cfglint: ignore[KEY001] why\n", "seed: 1\n"),
        ("seed: 1\t# cfglint: ignore[KEY001]\n", "seed: 1\n"),
        ("seed: 1  # cfglint: ignore[KEY001]", "seed: 1"),
        ("# cfglint: ignore[KEY001]\nseed: 1\n", "seed: 1\n"),
        ("# one\n# cfglint: ignore[KEY001]\n# two\nseed: 1\n", "# one\n# two\nseed: 1\n"),
        (
            "special_tokens:\n  # cfglint: ignore[KEY001]\n  pad_token: x\n",
            "special_tokens:\n  pad_token: x\n",
        ),
        ("seed: 1\n# cfglint: ignore[KEY001]\n", "seed: 1\n"),
        ("seed: 1\n# cfglint: ignore[KEY001]", "seed: 1"),
        ("seed: 1\n\n# cfglint: ignore[KEY001]", "seed: 1"),
        ("m_u_k: 1 # cfglint: ignore[KEY001,YML020]\n", "m_u_k: 1 # cfglint: ignore[KEY001]\n"),
        (
            "m_u_k: 1 # cfglint: ignore[YML020, KEY001] w\n",
            "m_u_k: 1 # cfglint: ignore[KEY001] w\n",
        ),
        ("seed: 1 # cfglint: ignore[YML020, KEY001]\n", "seed: 1\n"),
        ("# cfglint: ignore-file[YML020]\nseed: 1 # keep\n", "seed: 1 # keep\n"),
    ],
)
@each("newline", ["\n", "\r\n"])
def test_removal_takes_exactly_the_comment(lines: str, after: str | None, newline: str) -> None:
    text = (HEAD + lines).replace("\n", newline)
    outcome = fix_source(SourceText(text), Case.of_text(AXOLOTL, TARGET, FAMILIES))
    expected = text if after is None else (HEAD + after).replace("\n", newline)
    assert outcome.source.text == expected


@each(
    ("comment", "said"),
    [
        ("ignore[KEY00]", None),
        ("ignore[KEY901]", "`KEY901` is not a rule; did you mean KEY"),
        ("ignore[unknwon-key]", "`unknwon-key` is not a rule; did you mean unknown-key?"),
        ("ignore[KEY_001]", "`KEY_001` is not a rule; did you mean KEY001?"),
        ("ignore[$$]", "`$$` is not a rule. Write"),
        ("ignore", "expected a rule in brackets after `ignore`"),
        ("ignore-file KEY001", "expected a rule in brackets after `ignore-file`"),
        ("ignore[]", "the brackets are empty"),
        ("ignore[KEY001", "the bracket is never closed"),
        ("disable[KEY001]", "`disable` is neither `ignore` nor `ignore-file`"),
        ("", "the comment is empty"),
        ("ignore[" + "YML020," * 2_001 + "]", "it has more than 2,000 codes"),
        ("ignore[" + "YML020 " * 2_001 + "]", "it has more than 2,000 codes"),
        ("ignore[YML020]", "The suppression of YML020 silences nothing"),
    ],
)
def test_what_is_wrong_is_reported(comment: str, said: str | None) -> None:
    found = lint(HEAD + f"made_up_key: 1  # cfglint: {comment}\n").diagnostics
    messages = [one.message for one in found if one.code.startswith("CFG")]
    assert len(messages) == (said is not None)
    assert said is None or said in messages[0]


def test_a_part_of_a_family_that_is_switched_off_does_not_make_its_suppression_stale() -> None:
    text = HEAD + "seed: 1 # cfglint: ignore[KEY]\n"
    assert codes(text) == ["CFG001"]
    assert codes(text, Selection(FAMILIES.select, ("KEY002",))) == []


@each(
    ("line", "code"),
    [
        ("# cfglint: ignore[", ""),
        ("# cfglint: ignore[KEY0", "KEY0"),
        ("seed: 1  # cfglint: ignore[KEY001, unknown-k", "unknown-k"),
        ("seed: 1 #cfglint:ignore-file[K", "K"),
        ("seed: 1 # cfglint: IGNORE [K", "K"),
        ("\t# cfglint: ignore[K", "K"),
        ("seed: 1# cfglint: ignore[K", None),
        ("seed: 1 # cfglint: ignore", None),
        ("seed: 1 # cfglint: ignore[KEY001]", None),
        ("seed: 1 # cfglint: ignore[KEY001] K", None),
        ("seed: 1 # cfglint: ignored[K", None),
        ("# cfglint: ignore[K # more", None),
        ("seed: 1", None),
        ("# cfglint: ignore[" + "K" * 1_982, "K" * 1_982),
        ("# cfglint: ignore[" + "K" * 1_983, None),
    ],
)
@each("newline", ["\n", "\r\n", "\r"])
def test_a_code_that_is_being_written(line: str, code: str | None, newline: str) -> None:
    text = f"a: 1 # b{newline}{line}"
    for more in ("", "001]", f"{newline}# cfglint: ignore[X"):
        found = begun_code(text + more, len(text))
        assert (None if found is None else text[found:]) == code


def test_of_very_many_comments_some_are_reported() -> None:
    found = lint(HEAD + "# cfglint: off\n" * 1_001).diagnostics
    assert [one.code for one in found] == ["CFG002"] * 1_000
    wrong = HEAD + "seed: 1 # cfglint: ignore[" + "KEY_1, " * 60 + "]\n"
    hinted = ["did you mean" in one.message for one in lint(wrong).diagnostics]
    assert hinted == [True] * 50 + [False] * 10
