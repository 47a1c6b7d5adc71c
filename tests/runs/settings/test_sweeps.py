"""Sweep files: what is read, and what is said of those that cannot be."""

from __future__ import annotations

from cfglint.runs.settings.sweeps import sweep_from_bytes
from cfglint.source.problems import ProblemKind
from cfglint.source.text import MAX_BYTES


def test_a_sweep_file() -> None:
    sweep = sweep_from_bytes("/s.yml", b"seed: [1, 2]\n")
    assert sweep.error is None
    assert sweep.document is not None
    assert sweep.source.text == "seed: [1, 2]\n"


def test_what_is_no_yaml() -> None:
    sweep = sweep_from_bytes("/s.yml", b"seed: [1\n")
    assert sweep.document is None
    assert sweep.error is not None
    assert sweep.source.text == "seed: [1\n"


def test_what_is_no_text_is_shown_up_to_its_place() -> None:
    sweep = sweep_from_bytes("/s.yml", b"seed: [1]\nname: \xff\n")
    assert sweep.error is not None
    assert sweep.error.kind is ProblemKind.NOT_UTF8
    assert sweep.source.text == "seed: [1]\nname: "
    assert sweep.error.span.start == len(sweep.source.text)


def test_what_is_too_large() -> None:
    sweep = sweep_from_bytes("/s.yml", b"#" * (MAX_BYTES + 1))
    assert sweep.error is not None
    assert sweep.error.kind is ProblemKind.TOO_LARGE
    assert sweep.source.text == ""
