"""What is said about a missing key stands where somebody tried to write it."""

from __future__ import annotations

from collections import Counter

import pytest

from cfglint import Linter
from cfglint.api.functions import lint_text
from cfglint.checks.context import CheckContext
from cfglint.checks.key_spelling import key_speller, nested_name
from cfglint.checks.slips import closest_key
from cfglint.checks.written_keys import unknown_keys
from cfglint.diagnostic import Diagnostic
from cfglint.engine.case import Case
from cfglint.engine.lint import lint_source
from cfglint.engine.settings.selection import Selection
from cfglint.environment.building import build_environment
from cfglint.environment.environment import Environment
from cfglint.environment.surroundings import nowhere
from cfglint.frameworks.axolotl.framework import Axolotl
from cfglint.roles.framework import Framework, load_framework
from cfglint.source.text import SourceText
from tests.draws import drawn, each, product

LINES = [
    "base_model: Qwen/Qwen3-8B",
    "datasets:",
    "  - path: ./data/a.jsonl",
    "    type: alpaca",
    "sequence_len: 512",
    "micro_batch_size: 1",
    "gradient_accumulation_steps: 1",
    "num_epochs: 3",
    "learning_rate: 0.00001",
]


def found(code: str, old: str, new: str, release: str = "0.21.0") -> tuple[Diagnostic, str]:
    text = "\n".join(LINES).replace(old, new) + "\n"
    report = lint_text(text, target=[f"axolotl=={release}"])
    (diagnostic,) = [found for found in report.diagnostics if found.code == code]
    return diagnostic, text[diagnostic.span.start :].partition("\n")[0]


@each(
    ("code", "old", "new", "line"),
    [
        ("DAT102", "datasets:", "dataset:", "dataset:"),
        ("DAT210", "type:", "tpye:", "tpye: alpaca"),
        ("TYP004", "base_model:", "base_modl:", "base_modl: Qwen/Qwen3-8B"),
        ("OPT600", "micro_batch_size:", "micro_batchs_ize:", "micro_batchs_ize: 1"),
    ],
)
def test_a_missing_key_is_missed_where_it_is_misspelt(
    code: str, old: str, new: str, line: str
) -> None:
    diagnostic, at = found(code, old, new, "0.18.0")
    assert at == line
    assert diagnostic.fixes == ()


def test_a_key_without_a_value_is_no_attempt() -> None:
    _, at = found("DAT102", "datasets:\n  - path: ./data/a.jsonl\n    type: alpaca", "dataset:")
    assert at == "base_model: Qwen/Qwen3-8B"


def test_another_key_that_is_missing_does_not_move_a_finding() -> None:
    # The message is about the rate; that the adapter is misspelt has its own finding.
    _, at = found("HPR452", "learning_rate: 0.00001", "learning_rate: 0.0002\nadpter: lora")
    assert at == "learning_rate: 0.0002"


@each(
    ("written", "meant"),
    [("tpye", "type"), ("tope", "type"), ("paht", "path"), ("spilt", "split"), ("abcd", None)],
)
def test_slips_in_short_names(written: str, meant: str | None) -> None:
    guess = key_speller(Axolotl().keys, "datasets[]").closest(written)
    assert (guess.name if guess else None) == meant


def test_two_letters_are_no_slip_for_two_others() -> None:
    assert key_speller(Axolotl().keys, "").closest("lr") is None


def test_a_word_of_a_later_release_is_no_misspelt_one() -> None:
    diagnostic, _ = found("TYP002", "num_epochs", "chat_template: gemma4\nnum_epochs", "0.10.0")
    assert "Axolotl accepts it since 0." in diagnostic.message
    assert diagnostic.fixes == ()


@each(
    ("key", "release", "hint", "fixed"),
    [
        ("max_seq_lenght", "0.15.1", "Did you mean `max_seq_length`?", "max_seq_length"),
        (
            "max_seq_lenght",
            "1.16.0",
            "`max_seq_length` was removed in TRL 0.20.0. Use `max_length`.",
            "",
        ),
        (
            "evaluation_stategy",
            "0.15.1",
            "Did you mean `evaluation_strategy`?",
            "evaluation_strategy",
        ),
        (
            "evaluation_stategy",
            "1.16.0",
            "`evaluation_strategy` was removed in transformers 4.51.0. Use `eval_strategy`.",
            "",
        ),
    ],
)
def test_a_slip_in_a_key_that_only_older_releases_have(
    key: str, release: str, hint: str, fixed: str
) -> None:
    text = f"model_name_or_path: a/b\ndataset_name: a/c\n{key}: 2\noutput_dir: out\n"
    report = lint_text(text, framework="trl", target=f"trl=={release}", select="KEY001")
    [one] = report.diagnostics
    assert (one.severity, one.message.endswith(f" {hint}")) == ("error", True)
    assert [fix.edits[0].text for fix in one.fixes] == ([fixed] if fixed else [])


def test_a_slip_for_a_key_that_is_set_as_well() -> None:
    both, _ = found("KEY001", "num_epochs: 3", "num_epochs: 3\nnum_epohcs: 4")
    assert both.message.endswith(" Did you mean `num_epochs`? That is set as well.")
    alone, _ = found("KEY001", "num_epochs: 3", "num_epohcs: 4")
    assert alone.message.endswith(" Did you mean `num_epochs`?")


@pytest.mark.parametrize(
    ("key", "told"), [("num_processes", " at the top level as of "), ("num_procesess", "")]
)
def test_a_key_of_a_later_day_is_no_slip_and_meant_by_none(key: str, told: str) -> None:
    text = f"model_name_or_path: a/b\ndataset_name: a/c\n{key}: 2\noutput_dir: out\n"
    trl = load_framework("trl")
    early = lint_source(
        SourceText.from_str(text),
        Case(
            trl,
            Environment(trl.releases, as_of="2025-02-08"),
            nowhere(),
            Selection(("KEY001",)),
        ),
    )
    [one] = early.diagnostics
    assert "`num_processes`?" not in one.message
    assert told in one.message
    assert one.fixes == ()
    late = lint_text(text, target="trl==0.18.0", framework="trl", select="KEY001")
    slips = [one.message for one in late.diagnostics]
    assert all(message.endswith("Did you mean `num_processes`?") for message in slips)
    assert bool(slips) is (key != "num_processes")


def context(framework: Framework, text: str, release: str) -> CheckContext:
    target = build_environment(
        framework.releases, pins=[f"{framework.releases.package}=={release}"]
    )
    document = framework.language.read(SourceText(text))
    return CheckContext(document, framework, target, nowhere())


def shortened_itself(key: str, slip: str) -> int:
    """In how many ways a key without one letter is a slip: two for a double one."""
    return sum(f"{key[:at]}{key[at + 1 :]}" == slip for at in range(len(key)))


@product
@each("name", ["accelerate", "axolotl", "deepspeed", "llamafactory", "trl"])
def test_a_key_of_a_later_release_is_not_what_a_slip_means(name: str) -> None:
    framework = load_framework(name)
    table, versions = framework.keys, framework.releases.versions
    later = [
        key
        for key in table.current("")
        if (info := table.info("", key)) is not None
        and info.since in versions[1:]
        and info.plugin is None
        and len(key) > 8
    ]
    # One key at least has to be the framework's.
    known = next(
        key
        for key in table.current("")
        if (info := table.info("", key)) is not None and info.since == versions[0]
    )
    # A letter that is missing may be one of several: `use_aft_loss`.
    shortened = Counter(
        f"{key[:at]}{key[at + 1 :]}" for key in table.current("") for at in range(len(key))
    )
    tried = drawn(later, 8, name)
    assert tried
    for key in tried:
        slip = f"{key[:4]}{key[5:]}"
        if shortened[slip] > shortened_itself(key, slip):
            continue
        info = table.info("", key)
        assert info is not None
        before = versions[versions.index(info.since) - 1]
        for release, is_meant in ((versions[-1], True), (before, False)):
            ctx = context(framework, f'{{"{known}": 1, "{slip}": 1}}', release)
            (written,) = (one for one in unknown_keys(ctx) if one.name == slip)
            guess = closest_key(ctx, written)
            assert (guess is not None and guess.name == key) is is_meant, (key, release)


@each(
    ("name", "meant"),
    [
        ("val_temperature", "val_kwargs.temperature"),
        ("n_val", "val_kwargs.n"),
        ("val_kwargs_top_p", "val_kwargs.top_p"),
        # No key of it, and the name of a section alone.
        ("val_no_such_thing", ""),
        ("val_", ""),
        ("temperature_of_nothing", ""),
    ],
)
def test_a_name_that_joins_a_section_and_a_key_of_it(name: str, meant: str) -> None:
    table = load_framework("verl").keys
    assert nested_name(table, "actor_rollout_ref.rollout", name) == meant


def test_the_key_of_a_section_is_named_in_the_message() -> None:
    script = (
        "python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.val_temperature=0.6 "
        "data.train_files=a.parquet\n"
    )
    linter = Linter(settings=False, select=["KEY001"])
    (found,) = linter.lint(script, "run.sh").diagnostics
    assert found.message.endswith("The key with the closest name is `val_kwargs.temperature`.")
    # Where the release does not have it, nothing is said.
    linter = Linter(settings=False, select=["KEY001"], target=["verl==0.2"])
    assert not any("val_kwargs" in one.message for one in linter.lint(script, "run.sh").diagnostics)
