"""Comments, against an independent scanner over the tokens of the pure-Python loader."""

from __future__ import annotations

import yaml
from hypothesis import HealthCheck, given, settings
from yaml.tokens import ScalarToken

from cfglint.source.comments import find_comments
from cfglint.source.languages.yaml import compose
from cfglint.source.problems import SourceError
from cfglint.source.text import SourceText
from tests.draws import each, examples
from tests.strategies import documents, mutated


def scanned(text: str) -> list[tuple[int, str]]:
    """Start and text of every `#…` that is in no token, character by character."""
    covered = [False] * (len(text) + 1)
    for token in yaml.scan(text, Loader=yaml.SafeLoader):
        start, end = token.start_mark.index, token.end_mark.index
        if isinstance(token, ScalarToken) and token.style in ("|", ">"):
            while start < end and text[start] not in "#\r\n":
                start += 1
            while start < end and text[start] not in "\r\n":
                start += 1
        covered[start:end] = [True] * (end - start)
    out = []
    index = 0
    while index < len(text):
        if text[index] != "#" or covered[index]:
            index += 1
            continue
        end = index
        while end < len(text) and text[end] not in "\r\n\x85\u2028\u2029":
            end += 1
        out.append((index, text[index:end]))
        index = end
    return out


def found(text: str, *, pure: bool = False) -> list[tuple[int, str]]:
    comments = find_comments(text, pure=pure)
    for comment in comments:
        assert text[comment.span.start : comment.span.end] == comment.text
    return [(comment.span.start, comment.text) for comment in comments]


@each(
    ("text", "comments"),
    [
        ("a: 1\n", []),
        ("# a\nb: 1 # c\n#d", ["# a", "# c", "#d"]),
        ("a: 'x # y'  # z\n", ["# z"]),
        ('a: "x # y"\nb: x#y\n', []),
        ("a: |  # head\n  # text\n  x\n# after\n", ["# head", "# after"]),
        ("a: >- # head\n  # text\n", ["# head"]),
        ("a: [b, # one\n  c] # two\n", ["# one", "# two"]),
        ("a:  # one\n  - b # two\n\n  # three\n  - c\n", ["# one", "# two", "# three"]),
        ("a: 1 # x\r\n# y\r\nb: 2 # z", ["# x", "# y", "# z"]),
        ("a: 1 # x\r# y\rb: 2", ["# x", "# y"]),
        ("--- # x\na: 1\n... # y\n", ["# x", "# y"]),
        ("a: #\nb: ##  # #\n", ["#", "##  # #"]),
    ],
)
def test_comments(text: str, comments: list[str]) -> None:
    assert [comment for _, comment in found(text)] == comments
    assert found(text) == scanned(text)


def test_own_line() -> None:
    comments = find_comments("# a\n  # b\nc: 1 # d\r\n# e\n", pure=True)
    assert [comment.own_line for comment in comments] == [True, True, False, True]


@settings(max_examples=examples(80), deadline=None, suppress_health_check=list(HealthCheck))
@given(documents() | mutated())
def test_every_comment_is_found(text: str) -> None:
    source = SourceText.from_str(text)
    try:
        document = compose(source)
    except SourceError:
        return
    assert found(document.text, pure=document.pure) == scanned(document.text)


def test_a_block_text_between_lone_carriage_returns_holds_no_comment() -> None:
    text = "a: | # head\r  x # y\r  # z\rb: 1 # end\r"
    assert [comment.text for comment in find_comments(text)] == ["# head", "# end"]
    document = compose(SourceText.from_str(text))
    value = document.root.entries[0].value
    assert text[value.start : value.end] == "| # head\r  x # y\r  # z"
