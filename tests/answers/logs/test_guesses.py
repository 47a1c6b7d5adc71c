"""Rules that a log speaks for only in a run of their framework, or of certain releases."""

from __future__ import annotations

from cfglint.answers.logs.causes import Symptoms, ordered
from cfglint.answers.logs.failures import Failure
from cfglint.answers.logs.guesses import condition, is_open, is_ruled_out
from tests.draws import each

MENDED = (("peft", ">=0.15.0,<0.15.1"),)
EMPTY = "Error(s) in loading state_dict: size mismatch for a: copying a param with shape torch.Size([0]) from checkpoint"


@each(
    ("applies", "versions", "expected"),
    [
        (MENDED, {}, (True, False)),
        (MENDED, {"peft": "0.15.0"}, (False, False)),
        (MENDED, {"peft": "0.17.0"}, (False, True)),
        ((("peft", ">=0.15.0"),), {}, (False, False)),
        ((("peft", ">=0.15.0"),), {"peft": "0.14.0"}, (False, True)),
    ],
)
def test_what_the_versions_of_a_log_tell(
    applies: tuple[tuple[str, str], ...], versions: dict[str, str], expected: tuple[bool, bool]
) -> None:
    assert (is_open(applies, versions), is_ruled_out(applies, versions)) == expected


def test_what_several_frameworks_have_needs_none_of_them() -> None:
    text = "Your setup doesn't support bf16/gpu. You need torch"
    (cause,) = Symptoms().causes([Failure("ValueError", text, (), "", 1)], lambda _: False)
    assert cause.codes == ("OPT352",) * len(cause.frameworks)
    assert not cause.is_guess


def test_what_has_to_be_so() -> None:
    assert condition("axolotl", MENDED, {}) == "it ran with peft >=0.15.0,<0.15.1"
    assert condition("axolotl", (), {}) == "the run uses Axolotl"
    assert condition("any", (), {}) == "it applies"


@each(
    ("shown", "versions", "expected"),
    [
        ("", {}, ["empty-weights-were-saved"]),
        ("axolotl", {}, ["empty-weights-were-saved", "PEF858"]),
        ("axolotl", {"axolotl": "0.8.0"}, ["empty-weights-were-saved", "PEF858"]),
        ("axolotl", {"axolotl": "0.9.0"}, ["empty-weights-were-saved"]),
    ],
)
def test_a_defect_of_some_releases_is_behind_what_is_usual(
    shown: str, versions: dict[str, str], expected: list[str]
) -> None:
    failed = Failure("RuntimeError", EMPTY, (), "", 1)
    known = Symptoms().causes([failed], shown.__eq__, versions)
    found = ordered(known, lambda _: False)
    names = [cause.end.name if cause.end else cause.codes[0] for cause in found]
    assert names == expected


def test_a_guess_alone_says_what_it_rests_on() -> None:
    failed = Failure("AssertionError", "Original QKV code not found", (), "", 1)
    (cause,) = Symptoms().causes([failed], lambda _: False)
    assert cause.is_guess
    (cause,) = Symptoms().causes([failed], versions={"axolotl": "0.15.0"})
    assert not cause.is_guess


def test_a_guess_is_kept_before_a_text_that_says_less() -> None:
    failed = Failure("AttributeError", "'AdamW' object has no attribute 'train'", (), "", 1)
    found = ordered(Symptoms().causes([failed], lambda _: False), lambda _: False)
    assert found[0].codes[:1] == ("ENV681",)


def test_rules_are_behind_the_end_that_leads_them_also_without_an_exception() -> None:
    text = "NCCL WARN Duplicate GPU detected : rank 1 and rank 0 both on CUDA device 40"
    found = ordered(Symptoms().causes([Failure("", text, (), "", 1)]), lambda _: False)
    assert [cause.end is not None for cause in found] == [True, False]
    found = ordered(found, {"LCH820"}.__contains__)
    assert [cause.end is not None for cause in found] == [False, True]
