"""OmegaConf's dialect of YAML; the values are what OmegaConf 2.4.0 gives for the same text."""

from __future__ import annotations

from typing import Any

import pytest

from cfglint.source.languages.omegaconf import OMEGACONF
from cfglint.source.languages.yaml import PYYAML
from cfglint.source.problems import ProblemKind, SourceError
from cfglint.source.text import SourceText
from cfglint.source.values import to_python
from tests.draws import each


def value(text: str, language: Any = OMEGACONF) -> Any:
    return to_python(language.read(SourceText(f"a: {text}\n")).root)["a"]


@each(
    ("text", "expected"),
    [
        ("1e-4", 1e-4),
        ("5E8", 5e8),
        ("+1e5", 1e5),
        ("1_000e1", 10000.0),
        ("1.5e3", 1500.0),
        (".5e+1", 5.0),
        (".5e1", ".5e1"),
        ("2024-01-01", "2024-01-01"),
        ("2024-01-01T12:30:00Z", "2024-01-01T12:30:00Z"),
        ("no", False),
        ("0o17", "0o17"),
        ("017", 15),
        ("1:30", 90),
        ("'1e-4'", "1e-4"),
        ("${b}", "${b}"),
        ("-e", "-e"),
    ],
)
def test_plain_scalars(text: str, expected: object) -> None:
    found = value(text)
    assert (type(found), found) == (type(expected), expected)


def test_the_dialects_share_nothing() -> None:
    assert value("1e-4", PYYAML) == "1e-4"
    assert value("1e-4") == 1e-4
    assert value("1e-4", PYYAML) == "1e-4"


@pytest.mark.parametrize("text", ["b: 1\nb: 2\n", "b: {c: 1, 'c': 2}\n", "b:\n- c: 1\n  c: 2\n"])
def test_a_repeated_key_is_refused(text: str) -> None:
    with pytest.raises(SourceError) as caught:
        OMEGACONF.read(SourceText(text))
    assert caught.value.kind is ProblemKind.UNBUILDABLE
    assert "written twice" in str(caught.value.details["problem"])
    ((span, _),) = caught.value.related
    assert span.start < caught.value.span.start
    assert to_python(PYYAML.read(SourceText(text)).root)


def test_other_keys_may_stand_twice() -> None:
    text = "1: a\n1: b\nx: &x {c: 1}\ny:\n  <<: *x\n  c: 2\nz: {c: 1}\n"
    assert to_python(OMEGACONF.read(SourceText(text)).root) == {
        1: "b",
        "x": {"c": 1},
        "y": {"c": 2},
        "z": {"c": 1},
    }


def test_the_document_knows_its_dialect() -> None:
    document = OMEGACONF.read(SourceText("a: 1e-4\n"))
    assert document.language is OMEGACONF
    assert to_python(OMEGACONF.read(document.source, pure=True).root) == {"a": 1e-4}
