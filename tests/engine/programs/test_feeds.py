"""Which parts of files the calls of a program are given."""

from __future__ import annotations

from cfglint.engine.programs.feeds import _composes
from cfglint.source.languages.named import language
from cfglint.source.text import SourceText
from tests.draws import each


@each(
    ("text", "expected"),
    [
        ("a: 1\n", False),
        ("defaults: [_self_]\n", False),
        ("defaults:\n  - _self_\n  - _self_\n", False),
        # Other files are added, or may be.
        ("defaults: [_self_, other]\n", True),
        ("defaults: [{db: mysql}]\n", True),
        ("defaults: []\n", True),
        ("defaults: other\n", True),
        ("defaults:\n", True),
        ("# @package _global_\na: 1\n", True),
        ("# @package _global_\ndefaults: [_self_]\n", True),
    ],
)
def test_what_hydra_composes(text: str, expected: bool) -> None:
    assert _composes(language("yaml").read(SourceText(text))) is expected
