"""Which files a program of its own reads, whose classes extend TRL's."""

from __future__ import annotations

from cfglint.frameworks.trl.programs import (
    has_in_own_class,
    is_extended,
    is_of_older_handbook,
    loads_like_trl,
    may_be_extended,
    own_keys,
)
from cfglint.roles.framework import load_framework
from cfglint.source.document import Document
from cfglint.source.text import SourceText
from tests.draws import each

TRL = "model_name_or_path: a/b\nlearning_rate: 1.0e-5\noutput_dir: o\n"
DATA = "dataset_name: d\n"
KEYS = load_framework("trl").keys


def document(text: str) -> Document:
    return load_framework("trl").language.read(SourceText(text))


@each(
    ("text", "expected"),
    [
        (TRL + DATA, False),
        (TRL, False),
        # One key of a script that is known, or two that one seldom writes by mistake.
        (TRL + DATA + "dataset_mixer: {a: 1}\n", True),
        (TRL + DATA + "gamma_beta_ratio: 0.5\n", True),
        (TRL + DATA + "wandb_project: p\n", False),
        (TRL + DATA + "wandb_project: p\ntext_column: t\n", True),
        # A key that TRL has, too.
        (TRL + DATA + "num_completions_to_print: 3\n", False),
        # Several keys that nobody knows, beside no data or no training.
        (TRL + "own_a: 1\nown_b: 2\n", False),
        (TRL + "own_a: 1\nown_b: 2\nown_c: 3\n", True),
        (TRL + DATA + "own_a: 1\nown_b: 2\nown_c: 3\n", False),
        (TRL + "datasets: [{path: d}]\nown_a: 1\nown_b: 2\nown_c: 3\n", False),
        ("model_name_or_path: a/b\n" + DATA + "own_a: 1\nown_b: 2\nown_c: 3\n", True),
    ],
)
def test_a_program_of_its_own(text: str, expected: bool) -> None:
    assert is_extended(document(text), KEYS) is expected


@each(
    ("text", "expected"),
    [
        (TRL, False),
        (TRL + "wandb_project: p\n", True),
        (TRL + "truncation_side: left\n", True),
        (TRL + "dataset_mixer: {a: 1}\n", False),
    ],
)
def test_what_may_be_a_mistake_as_well(text: str, expected: bool) -> None:
    assert may_be_extended(document(text)) is expected


def test_keys_of_the_scripts_that_are_known() -> None:
    assert own_keys(document(TRL)) == frozenset()
    assert own_keys(document(TRL + "wandb_project: p\n")) == frozenset()
    assert {"dataset_mixer", "gamma_beta_ratio"} <= own_keys(document(TRL + "dataset_mixer: x\n"))


@each(
    ("text", "expected"),
    [
        (TRL + "dataset_mixer: {a: 1}\n", True),
        (TRL + "benchmarks: [x]\nwandb_project: p\n", True),
        (TRL + "wandb_project: p\ntext_column: t\n", False),
        (TRL + "dataset_mixer: {a: 1}\nown_a: 1\n", False),
        (TRL + "dataset_mixer: {a: 1}\ngamma_beta_ratio: 1\n", False),
        (TRL, False),
    ],
)
def test_who_loads_as_trl_does(text: str, expected: bool) -> None:
    assert loads_like_trl(document(text), KEYS) is expected


@each(
    ("text", "is_older", "name", "is_own"),
    [
        ("dataset_mixer: {a: 1}\n", True, "torch_dtype", True),
        ("dataset_mixer: {a: 1}\n", True, "learning_rate", False),
        ("gamma_beta_ratio: 1\n", False, "max_prompt_length", True),
        ("gamma_beta_ratio: 1\n", False, "torch_dtype", False),
        ("dataset_mixture: {a: 1}\n", False, "torch_dtype", False),
    ],
)
def test_classes_of_their_own(text: str, is_older: bool, name: str, is_own: bool) -> None:
    read = document(TRL + text)
    assert is_of_older_handbook(read) is is_older
    assert has_in_own_class(read, name) is is_own
