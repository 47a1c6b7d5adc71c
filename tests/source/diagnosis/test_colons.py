"""What may be wrong with the colons of a line."""

from __future__ import annotations

from cfglint.source.diagnosis.colons import colons
from tests.draws import each
from tests.source.diagnosis.explaining import Proposed, proposed

CASES: list[tuple[str, int, list[Proposed]]] = [
    ("a = b\n", 1, [("equals-sign: Write a colon", 0, "a = b", "a: b\n")]),
    ("a=b\n", 1, [("equals-sign: Write a colon", 0, "a=b", "a: b\n")]),
    ("a :=\n", 1, [("equals-sign: Write a colon", 0, "a :=", "a:\n")]),
    ("a ==b\n", 1, [("missing-colon: Add the colon", 1, "a ==b", "a: ==b\n")]),
    ("a: b = c\n", 1, []),
    ('"a b" = c\n', 1, [("equals-sign: Write a colon", 0, '"a b" = c', '"a b": c\n')]),
    ("a=\n", 1, [("equals-sign: Write a colon", 0, "a=", "a:\n")]),
    ("- a = b\n", 1, [("equals-sign: Write a colon", 0, "a = b", "- a: b\n")]),
    ("a:b\n", 1, [("missing-space: Add the space", 0, "a:b", "a: b\n")]),
    ("a:b: c\n", 1, [("missing-space: Add the space", 0, "a:b: c", "a: b: c\n")]),
    ("http://x\n", 1, []),
    ("a:\\b\n", 1, []),
    ('"a":b\n', 1, [("missing-space: Add the space", 0, '"a":b', '"a": b\n')]),
    ("- a:b # c\n", 1, [("missing-space: Add the space", 0, "a:b", "- a: b # c\n")]),
    ("a b\n", 1, [("missing-colon: Add the colon", 1, "a b", "a: b\n")]),
    ("a\n", 1, [("missing-colon: Add the colon", 2, "a", "a:\n")]),
    ("x: 1\na\n  b: 1\n", 2, [("missing-colon: Add the colon", 1, "a", "x: 1\na:\n  b: 1\n")]),
    ("x: 1\na\n- b\n", 2, [("missing-colon: Add the colon", 1, "a", "x: 1\na:\n- b\n")]),
    ("a : b\n", 1, [("missing-colon: Add the colon", 3, "a : b", "a: : b\n")]),
    ("a b: c\n", 1, [("missing-colon: Add the colon", 3, "a b: c", "a: b: c\n")]),
    ("a: b: c\n", 1, [("second-colon: Quote the value", 1, ":", 'a: "b: c"\n')]),
    ("a: b_c d: 1\n", 1, [("second-colon: Quote the value", 1, ":", 'a: "b_c d: 1"\n')]),
    ("a: b c_d: 1\n", 1, [("second-colon", 1, ":", 'a: "b c_d: 1"\n')]),
    ('a: "b": c\n', 1, []),
    ("a: @b\n", 1, [("reserved-character: Quote the value", 2, "@b", 'a: "@b"\n')]),
    ("a: `b\n", 1, [("reserved-character: Quote the value", 2, "`b", 'a: "`b"\n')]),
    ("a: %b\n", 1, [("reserved-character: Quote the value", 2, "%b", 'a: "%b"\n')]),
    ("a: *b\n", 1, [("reserved-character: Quote the value", 4, "*b", 'a: "*b"\n')]),
    ("a: [b\n", 1, [("reserved-character: Quote the value", 4, "[b", 'a: "[b"\n')]),
    ("a: [b]\n", 1, []),
    ("a: {b]\n", 1, []),
    ("- @b\n", 1, [("reserved-character: Quote the value", 2, "@b", '- "@b"\n')]),
    ("- b: c: d\n", 1, [("second-colon: Quote the value", 1, ":", '- b: "c: d"\n')]),
    ('a: "b": c "d\n', 1, []),
    ("a: b\\c: d\n", 1, [("second-colon: Quote the value", 1, ":", "a: 'b\\c: d'\n")]),
    ('a: b "c: d\n', 1, [("second-colon: Quote the value", 1, ":", "a: 'b \"c: d'\n")]),
    ("a: b 'c\" e: d\n", 1, [("second-colon: Quote the value", 1, ":", "a: 'b ''c\" e: d'\n")]),
    ("a: b\tc: d\n", 1, []),
    ("@b\n", 1, []),
    ("a:\n", 1, []),
    ("# a\n", 1, []),
    ("a: [\n  b c]\n", 2, []),
    ("a: &b\n", 1, [("reserved-character: Quote the value", 4, "&b", 'a: "&b"\n')]),
    ("a: ,\n", 1, [("reserved-character: Quote the value", 4, ",", 'a: ","\n')]),
    ("a: ?b\n", 1, [("reserved-character: Quote the value", 4, "?b", 'a: "?b"\n')]),
    ("a: > b\n", 1, [("reserved-character: Quote the value", 4, "> b", 'a: "> b"\n')]),
    ("a:  b  # c: d\n", 1, []),
    ("a:   @b  \n", 1, [("reserved-character: Quote the value", 2, "@b", 'a:   "@b"  \n')]),
]


@each(("text", "line", "expected"), CASES)
def test_what_is_proposed(text: str, line: int, expected: list[Proposed]) -> None:
    assert proposed(colons, text, line) == expected
