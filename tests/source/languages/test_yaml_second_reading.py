"""What ruamel.yaml sees in a file before and after a fix."""

from __future__ import annotations

import pytest

from cfglint.source.comments import find_comments
from cfglint.source.document import Document
from cfglint.source.languages import yaml_second_reading
from cfglint.source.languages.yaml import compose
from cfglint.source.languages.yaml_second_reading import second_reading
from cfglint.source.text import Comment, SourceText
from tests.draws import each


def document(text: str) -> Document:
    return compose(SourceText(text))


def with_root_of(text: str, other: str) -> Document:
    """The document of a text that was read as if it were another one."""
    changed = document(text)
    changed.root = document(other).root
    return changed


@each(
    "text",
    [
        "a: 1\n",
        "a: 1 # x\n",
        "# top\n\na: 1 # x\n# y\n# z\nb:\n  # in\n  c: [1, # p\n    2]\n# end\n",
        "a: |\n  # no comment\nb: '# none'\n",
        "a: &x {b: 1}\nc: *x\nd: {<<: *x}\n",
        "a:\n- 1 # x\n-\n  # y\n  b: 2\n",
        "a: 1\na: 2\n",
    ],
)
def test_agreement(text: str) -> None:
    assert yaml_second_reading._agrees(document(text)) is True
    assert second_reading(document(text), document(text)) is None


@each(
    ("text", "other"),
    [
        ("a: 1\n", "a: 2\n"),
        ("a: 1\n", "b: 1\n"),
        ("a: 1\n", "a: 1\nb: 2\n"),
        ("a: [1]\n", "a: [1, 2]\n"),
        ("a: [1, 2]\n", "a: [1, 3]\n"),
        ("a: [1]\n", "a: {1: 2}\n"),
        ("a: {b: 1}\n", "a: [b]\n"),
        ("a: {b: 1}\n", "a: x\n"),
        ("a: x\n", "a: {b: 1}\n"),
    ],
)
def test_another_structure(text: str, other: str) -> None:
    said = "ruamel.yaml reads the result differently"
    assert second_reading(document("a: 1\n"), with_root_of(text, other)) == said
    # What it did not understand before is no argument.
    assert second_reading(with_root_of(text, other), with_root_of(text, other)) is None


@pytest.fixture
def overlooked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Texts of whose comments our own reader misses one."""
    texts: list[str] = []

    def finding(text: str, *, pure: bool = False) -> list[Comment]:
        return find_comments(text, pure=pure)[text in texts :]

    monkeypatch.setattr(yaml_second_reading, "find_comments", finding)
    return texts


def test_other_comments(overlooked: list[str]) -> None:
    before, after = "a: 1 # x\n", "a: 2 # x\n"
    assert second_reading(document(before), document(after)) is None
    overlooked.append(after)
    said = "ruamel.yaml finds other comments in the result"
    assert second_reading(document(before), document(after)) == said
    overlooked.append(before)
    assert second_reading(document(before), document(after)) is None
