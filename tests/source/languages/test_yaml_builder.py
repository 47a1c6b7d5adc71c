"""Nodes and their places, and what has no meaning for a safe loader."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cfglint.source.document import Alias, Mapping, Node, Scalar, Sequence
from cfglint.source.languages.yaml import compose
from cfglint.source.problems import SourceError
from cfglint.source.text import SourceText
from tests.draws import each

#: A text, and its nodes in the order of the text: kind, characters, value or size and depth.
NODES: list[tuple[str, list[str]]] = [
    (
        "a: 1\nb:\n  c: [x, {d: 'y'}]\n  e:\n  - f # z\n  - g\n",
        [
            "mapping \"a: 1\\nb:\\n  c: [x, {d: 'y'}]\\n  e:\\n  - f # z\\n  - g\" size 15 depth 3",
            "scalar 'a' 'a'",
            "scalar '1' 1",
            "scalar 'b' 'b'",
            "mapping \"c: [x, {d: 'y'}]\\n  e:\\n  - f # z\\n  - g\" size 11 depth 2",
            "scalar 'c' 'c'",
            "sequence \"[x, {d: 'y'}]\" size 5 depth 1 flow",
            "scalar 'x' 'x'",
            "mapping \"{d: 'y'}\" size 3 depth 0 flow",
            "scalar 'd' 'd'",
            "scalar \"'y'\" 'y'",
            "scalar 'e' 'e'",
            "sequence '- f # z\\n  - g' size 3 depth 0",
            "scalar 'f' 'f'",
            "scalar 'g' 'g'",
        ],
    ),
    (
        "a: |\n  x\n\n  y\n\nb: >-\n  z\n  w\nc: |+\n\nd: |2 # q\n   v",
        [
            "mapping 'a: |\\n  x\\n\\n  y\\n\\nb: >-\\n  z\\n  w\\nc: |+\\n\\nd: |2 # q\\n   v' size 9 depth 0",
            "scalar 'a' 'a'",
            "scalar '|\\n  x\\n\\n  y' 'x\\n\\ny\\n'",
            "scalar 'b' 'b'",
            "scalar '>-\\n  z\\n  w' 'z w'",
            "scalar 'c' 'c'",
            "scalar '|+' '\\n'",
            "scalar 'd' 'd'",
            "scalar '|2 # q\\n   v' ' v'",
        ],
    ),
    (
        "a: &x {b: 1}\nc: *x\n<<: *x\nd: &y [1]\n",
        [
            "mapping 'a: &x {b: 1}\\nc: *x\\n<<: *x\\nd: &y [1]' size 16 depth 1",
            "scalar 'a' 'a'",
            "mapping '&x {b: 1}' size 3 depth 0 flow &x",
            "scalar 'b' 'b'",
            "scalar '1' 1",
            "scalar 'c' 'c'",
            "alias '*x'",
            "scalar '<<' '<<'",
            "alias '*x'",
            "scalar 'd' 'd'",
            "sequence '&y [1]' size 2 depth 0 flow &y",
            "scalar '1' 1",
        ],
    ),
    (
        "a: !!str 1\nb: ! 2\nc: !!set {x}\nd: !!omap [{e: 1}]\nf: !!pairs [{g: 1}]\n",
        [
            "mapping 'a: !!str 1\\nb: ! 2\\nc: !!set {x}\\nd: !!omap [{e: 1}]\\nf: !!pairs [{g: 1}]' size 19 depth 2",
            "scalar 'a' 'a'",
            "scalar '!!str 1' '1' tag:yaml.org,2002:str",
            "scalar 'b' 'b'",
            "scalar '! 2' 2 !",
            "scalar 'c' 'c'",
            "mapping '!!set {x}' size 3 depth 0 flow tag:yaml.org,2002:set",
            "scalar 'x' 'x'",
            "scalar '' None",
            "scalar 'd' 'd'",
            "sequence '!!omap [{e: 1}]' size 4 depth 1 flow tag:yaml.org,2002:omap",
            "mapping '{e: 1}' size 3 depth 0 flow",
            "scalar 'e' 'e'",
            "scalar '1' 1",
            "scalar 'f' 'f'",
            "sequence '!!pairs [{g: 1}]' size 4 depth 1 flow tag:yaml.org,2002:pairs",
            "mapping '{g: 1}' size 3 depth 0 flow",
            "scalar 'g' 'g'",
            "scalar '1' 1",
        ],
    ),
    (
        "a:\n  - - b\n    - c\n  -\n  - {}\n  - []\nd:\n",
        [
            "mapping 'a:\\n  - - b\\n    - c\\n  -\\n  - {}\\n  - []\\nd:' size 11 depth 2",
            "scalar 'a' 'a'",
            "sequence '- - b\\n    - c\\n  -\\n  - {}\\n  - []' size 7 depth 1",
            "sequence '- b\\n    - c' size 3 depth 0",
            "scalar 'b' 'b'",
            "scalar 'c' 'c'",
            "scalar '' None",
            "mapping '{}' size 1 depth 0 flow",
            "sequence '[]' size 1 depth 0 flow",
            "scalar 'd' 'd'",
            "scalar '' None",
        ],
    ),
    (
        "? a\n: b\n'c': \"d\"\n",
        [
            "mapping '? a\\n: b\\n\\'c\\': \"d\"' size 5 depth 0",
            "scalar 'a' 'a'",
            "scalar 'b' 'b'",
            "scalar \"'c'\" 'c'",
            "scalar '\"d\"' 'd'",
        ],
    ),
    (
        "=: 1\na: 2\n",
        [
            "mapping '=: 1\\na: 2' size 5 depth 0",
            "scalar '=' '='",
            "scalar '1' 1",
            "scalar 'a' 'a'",
            "scalar '2' 2",
        ],
    ),
    (
        "{a: {b: [c]}, d: 1}\n",
        [
            "mapping '{a: {b: [c]}, d: 1}' size 8 depth 2 flow",
            "scalar 'a' 'a'",
            "mapping '{b: [c]}' size 4 depth 1 flow",
            "scalar 'b' 'b'",
            "sequence '[c]' size 2 depth 0 flow",
            "scalar 'c' 'c'",
            "scalar 'd' 'd'",
            "scalar '1' 1",
        ],
    ),
    (
        "a: |\r\n  x\r\n  y\r\nb: 1\r\n",
        [
            "mapping 'a: |\\r\\n  x\\r\\n  y\\r\\nb: 1' size 5 depth 0",
            "scalar 'a' 'a'",
            "scalar '|\\r\\n  x\\r\\n  y' 'x\\ny\\n'",
            "scalar 'b' 'b'",
            "scalar '1' 1",
        ],
    ),
]
#: A text, the kind of error, its span, its words, and related places.
REFUSED: list[tuple[str, str, tuple[int, int], str, list[tuple[int, int, str]]]] = [
    (
        "a: &x 1\nb: &x 2\n",
        "yaml-syntax-error",
        (11, 13),
        "The anchor &x is defined twice: rename one of them.",
        [(3, 5, "first defined here")],
    ),
    ("a: &xy [*xy]\n", "alias-cycle", (8, 11), "", [(3, 6, "starts here")]),
    (
        "a: *b\n",
        "yaml-syntax-error",
        (3, 5),
        "*b refers to an anchor that is not defined above it.",
        [],
    ),
    ("a: !!seq {b: 1}\n", "unbuildable-value", (3, 10), "the tag !!seq does not fit a mapping", []),
    ("a: !!map [b]\n", "unbuildable-value", (3, 10), "the tag !!map does not fit a list", []),
    ("a: !foo [b]\n", "unbuildable-value", (3, 9), "the tag !foo does not fit a list", []),
    (
        "a: !!omap [b]\n",
        "unbuildable-value",
        (11, 12),
        "an item of !!omap is not a single key with a value",
        [],
    ),
    (
        "a: !!omap [{b: 1, c: 2}]\n",
        "unbuildable-value",
        (11, 23),
        "an item of !!omap is not a single key with a value",
        [],
    ),
    (
        "[a]: 1\n",
        "unbuildable-value",
        (0, 3),
        "a list or a mapping cannot be a key (a template such as {{ x }}? quote it)",
        [],
    ),
    (
        "{{x: 1}: 2}\n",
        "unbuildable-value",
        (1, 7),
        "a list or a mapping cannot be a key (a template such as {{ x }}? quote it)",
        [],
    ),
    (
        "a: {{ x }}\n",
        "unbuildable-value",
        (4, 9),
        "'{{ x }}' is a placeholder: check the file in which it has its value",
        [],
    ),
    ("a: <<\n", "unbuildable-value", (3, 5), "'<<' has a special meaning in YAML; quote it", []),
    ("a: [<<]\n", "unbuildable-value", (4, 6), "'<<' has a special meaning in YAML; quote it", []),
    ("a: =\n", "unbuildable-value", (3, 4), "'=' has a special meaning in YAML; quote it", []),
    ("<<: 1\n", "unbuildable-value", (4, 5), "`<<` merges mappings, but this is not a mapping", []),
    (
        "<<: [1]\n",
        "unbuildable-value",
        (4, 7),
        "`<<` merges mappings, but this is not a mapping",
        [],
    ),
    (
        "<<: [{a: 1}, 2]\n",
        "unbuildable-value",
        (4, 15),
        "`<<` merges mappings, but this is not a mapping",
        [],
    ),
    ("a: 1\n---\nb: 2\n", "several-documents", (5, 8), "", []),
    ("a: 1\n...\n---\nb: 2\n", "several-documents", (9, 12), "", []),
    (
        "a: &x [1]\nb: [*x, *y]\n",
        "yaml-syntax-error",
        (18, 20),
        "*y refers to an anchor that is not defined above it.",
        [],
    ),
]


def told(node: Node, text: str) -> Iterator[str]:
    parts = [type(node).__name__.lower(), repr(text[node.start : node.end])]
    if isinstance(node, (Mapping, Sequence)):
        parts += [f"size {node.size}", f"depth {node.depth}", *(["flow"] if node.flow else [])]
    elif isinstance(node, Scalar):
        parts.append(repr(node.value))
    if not isinstance(node, Alias):
        parts += [f"&{node.anchor}"] if node.anchor else []
        parts += [node.tag] if node.tag else []
    yield " ".join(parts)
    if isinstance(node, Mapping):
        for entry in node.entries:
            yield from told(entry.key, text)
            yield from told(entry.value, text)
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from told(item, text)


@each(("text", "expected"), NODES)
def test_nodes(text: str, expected: list[str]) -> None:
    assert list(told(compose(SourceText(text)).root, text)) == expected


@each(("text", "kind", "span", "words", "related"), REFUSED)
def test_refused(
    text: str,
    kind: str,
    span: tuple[int, int],
    words: str,
    related: list[tuple[int, int, str]],
) -> None:
    with pytest.raises(SourceError) as caught:
        compose(SourceText(text))
    error = caught.value
    assert (error.kind.value, tuple(error.span)) == (kind, span)
    assert error.details.get("problem", "") == words
    assert [(place.start, place.end, note) for place, note in error.related] == related


def test_the_place_of_what_is_too_deep() -> None:
    with pytest.raises(SourceError) as caught:
        compose(SourceText(f"a: {'[' * 101}{']' * 101}\n"))
    assert (caught.value.kind.value, tuple(caught.value.span)) == ("nesting-too-deep", (102, 103))
    assert compose(SourceText(f"a: {'[' * 99}{']' * 99}\n")).root.depth == 99
