"""What is wrong with a sweep file itself (the rules' examples show each once)."""

from __future__ import annotations

import pytest

from cfglint.diagnostic import Diagnostic
from cfglint.engine.case import Case
from cfglint.engine.settings.selection import Selection
from cfglint.engine.sweeps import combinations
from cfglint.engine.sweeps.runner import sweep_findings
from cfglint.environment.building import build_environment
from cfglint.frameworks.axolotl.framework import Axolotl
from cfglint.runs.settings.sweeps import sweep_from_bytes
from cfglint.source.languages.yaml import compose
from cfglint.source.text import SourceText
from tests.draws import each
from tests.engine.sweeps.test_combinations import CONFIG

AXOLOTL = Axolotl()
OWN = Selection(select=("SWP", "SAV380", "YML020"))


def found(sweep: str, config: str = CONFIG, release: str = "0.18.0") -> list[Diagnostic]:
    target = build_environment(AXOLOTL.releases, pins=[f"axolotl=={release}"])
    file = sweep_from_bytes("/s.yml", sweep.encode())
    document = compose(SourceText(config))
    return sweep_findings(file, document, Case.of_text(AXOLOTL, target, OWN)).diagnostics


def codes(sweep: str, config: str = CONFIG, release: str = "0.18.0") -> list[str]:
    return [diagnostic.code for diagnostic in found(sweep, config, release)]


@each(
    ("sweep", "words"),
    [
        ("seed: 1\n", "the single value `1`: the command fails with a TypeError"),
        ("seed:\n", "nothing: the command fails with a TypeError"),
        ("seed: false\n", "the single value `false`: the command fails with a TypeError"),
        ("optimizer: sgd\n", "text: each of its 3 characters becomes the value of one run"),
        ("optimizer: ''\n", "text: there are no combinations, and nothing runs"),
        ("seed: {a: 1}\n", "a mapping: each of its keys becomes the value of one run"),
        ("seed: {}\n", "a mapping: there are no combinations, and nothing runs"),
        ("_: [{seed: 1}]\nlr: 2024-05-01\n", "the single value `2024-05-01`: the command fails"),
        ("_: {seed: 1}\n", "a mapping: the command fails with an error"),
        ("_: 3\n", "`3`: the command fails with an error"),
    ],
)
def test_what_is_no_list(sweep: str, words: str) -> None:
    (wrong,) = [diagnostic for diagnostic in found(sweep) if diagnostic.code == "SWP002"]
    assert words in wrong.message


@pytest.mark.parametrize("sweep", ["_:\nseed: [1]\n", "_: []\nseed: [1]\n", "_: ''\nseed: [1]\n"])
def test_pairs_that_count_as_not_there(sweep: str) -> None:
    assert [d.code for d in found(sweep) if d.severity != "note"] == []


def test_the_first_pair_that_wins_is_shown() -> None:
    sweep = "_:\n  - {seed: 1}\n  - {lr: 2, seed: 2}\nseed: [3, 4]\n"
    (one,) = [diagnostic for diagnostic in found(sweep) if diagnostic.code == "SWP006"]
    assert [related.span.start for related in one.related] == [sweep.index("seed")]


def test_an_alias_is_the_same_value() -> None:
    assert codes("x: &x [{a: 1}]\nseed: [*x, *x, [{a: 1}]]\n") == ["SWP005", "SWP005"]
    assert codes("seed: [1, 1.0, true, '1', 2]\n") == []


def test_keys_in_both_places() -> None:
    pairs = "_: [{seed: 1}, {seed: 2}]\n"
    assert codes(pairs + "seed: [3]\n") == ["SWP006"]
    assert codes(pairs + "seed: [3, 4]\n") == ["SWP006"]
    # One value in the list is what the other items go by.
    assert codes("_: [{seed: 1}, {num_epochs: 2}]\nseed: [3]\n") == []


def test_a_literal_key_is_reported_once() -> None:
    assert codes("special_tokens.pad_token: [a, b]\n") == ["SWP007"]
    assert codes("_x: [{seed: 1}]\n") == ["SWP007"]
    # Any other unknown key is the affair of the rules for keys.
    assert codes("made.up: [1]\n_x: [1]\n") == []


def test_a_section_that_loses_keys() -> None:
    config = CONFIG + "special_tokens: {pad_token: a, eos_token: b}\n"
    assert codes("special_tokens: [{pad_token: c}]\n", config) == ["SWP008"]
    assert codes("_: [{special_tokens: {pad_token: c}}]\n", config) == ["SWP008"]
    assert codes("special_tokens: [{pad_token: c, eos_token: d}]\n", config) == []
    # Another section altogether, or none.
    assert codes("special_tokens: [{unk_token: c}, {}, null]\n", config) == []
    assert codes("special_tokens: [{pad_token: c}]\n") == []


def test_repeated_keys() -> None:
    (twice,) = found("seed: [1]\nnum_epochs: [2]\nseed: [3]\n")
    assert (twice.code, twice.span.start) == ("YML020", 0)
    assert "written again on line 3" in twice.message
    assert twice.fixes == ()
    (inside,) = found("a: [1]\nspecial_tokens:\n  - {pad_token: a, pad_token: b}\n")
    assert "written again on line 3" in inside.message


@each(
    ("sweep", "told"),
    [
        ("seed: [1, 2]\n", True),
        ("seed: [1]\n", False),
        ("seed: [1, 2]\noutput_dir: [./a]\n", True),
        ("output_dir: [./a, ./b]\n", False),
        ("_: [{seed: 1, output_dir: ./a}, {seed: 2, output_dir: ./b}]\n", False),
        ("_: [{seed: 1, output_dir: ./a}, {seed: 2}]\n", False),
        ("_: [{seed: 1, output_dir: ./a}, {seed: 2}, {seed: 3}]\n", True),
        ("_: [{seed: 1, output_dir: ./a}, {seed: 2, output_dir: ./a}]\n", True),
        ("seed: []\n", False),
    ],
)
def test_runs_in_one_folder(sweep: str, told: bool) -> None:
    assert ("SAV380" in codes(sweep, release="0.12.2")) == told
    assert "SAV380" not in codes(sweep, release="0.13.0")


def test_a_folder_from_which_the_next_run_resumes() -> None:
    config = CONFIG + "auto_resume_from_checkpoints: true\n"
    (shared,) = found("seed: [1, 2]\n", config, "0.12.2")
    assert "resumes from the last one's checkpoint" in shared.message


def test_names_that_runs_share() -> None:
    config = CONFIG + "hub_model_id: acme/x\nwandb_run_id:\n"
    assert codes("seed: [1, 2]\n", config) == ["SWP011"]
    assert codes("seed: [1, 2]\nhub_model_id: [a/b]\n") == ["SWP011"]
    assert codes("hub_model_id: [a/b, a/c]\n", config) == []


@pytest.mark.parametrize("value", ["", "''", "false"])
def test_a_name_that_is_none_is_not_shared(value: str) -> None:
    assert codes("seed: [1, 2]\n", f"{CONFIG}hub_model_id: {value}\n") == []
    # A value of the sweep is, whatever it says.
    assert codes("seed: [1, 2]\nhub_model_id: ['']\n", f"{CONFIG}hub_model_id: {value}\n") == [
        "SWP011"
    ]


def test_other_files() -> None:
    assert codes(CONFIG) == ["SWP012"]
    wandb = "method: grid\nparameters:\n  seed:\n    values: [1]\n"
    assert codes(wandb) == ["SWP012"]


def test_numbers_beyond_all_measure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(combinations, "MAX_COMBINATIONS", 8)
    # Floats end at 2¹⁰²⁴.
    sweep = "".join(f"k{n}: [1, 2]\n" for n in range(1100))
    (shared,) = [d for d in found(sweep, release="0.12.2") if d.code == "SAV380"]
    assert "more than 10⁹ runs" in shared.message


@pytest.mark.parametrize(("keys", "runs"), [(8, "100000000 runs"), (9, "more than 10⁹ runs")])
def test_numbers_that_are_told(keys: int, runs: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(combinations, "MAX_COMBINATIONS", 8)
    sweep = "".join(f"k{n}: [{', '.join(map(str, range(10)))}]\n" for n in range(keys))
    (shared,) = [d for d in found(sweep, release="0.12.2") if d.code == "SAV380"]
    assert runs in shared.message


def test_each_section_that_loses_keys_is_reported() -> None:
    config = CONFIG + "special_tokens: {pad_token: a, eos_token: b}\n"
    sweep = (
        "warmup_steps: 3\nseed: [1]\n"
        "special_tokens:\n  - {pad_token: x, eos_token: y}\n  - {pad_token: z}\n"
    )
    (lost,) = [d for d in found(sweep, config) if d.code == "SWP008"]
    assert lost.path == ("special_tokens", 1)


@pytest.mark.parametrize(("sweep", "marked"), [("_:\n  - seed: 1\n  -\n", "_"), ("_: [1]\n", "1")])
def test_what_is_no_mapping_is_marked_where_it_is_seen(sweep: str, marked: str) -> None:
    (first, *_) = [d for d in found(sweep) if "mapping" in d.name]
    assert sweep[first.span.start : first.span.end] == marked


@each(
    ("config", "lost"),
    [
        ("trl: {a: 1, b: 2}\n", "`b`"),
        ("trl: {a: 1, b: 2, c: 3, d: 4}\n", "`b`, `c`, `d`"),
        ("trl: {a: 1, b: 2, c: 3, d: 4, e: 5}\n", "`b`, `c`, `d` and 1 more"),
        ("trl: {a: 1}\n", None),
        ("trl: {b: 1}\n", None),
        ("trl: {b: 1, c: 2}\n", None),
        ("trl: 3\n", None),
    ],
)
def test_the_keys_that_a_section_loses(config: str, lost: str | None) -> None:
    said = [d.message for d in found("trl: [{a: 5}, {}]\n", CONFIG + config) if d.code == "SWP008"]
    assert len(said) == (0 if lost is None else 1)
    assert lost is None or f"config's {lost} in it" in said[0]
