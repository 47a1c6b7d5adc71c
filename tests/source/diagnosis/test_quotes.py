"""What may be wrong with the quotes of a line."""

from __future__ import annotations

from cfglint.source.diagnosis.quotes import quotes
from tests.draws import each
from tests.source.diagnosis.explaining import Proposed, proposed

CASES: list[tuple[str, int, list[Proposed]]] = [
    ('a: "b\nc: 1\n', 1, [("open-quote: Close the quote", 0, '"b', 'a: "b"\nc: 1\n')]),
    ('a: "\n', 1, [("open-quote", 0, '"', 'a: ""\n')]),
    (
        "a: 'b  # c\nd: 1\n",
        1,
        [
            ("open-quote: Close the quote", 0, "'b  # c", "a: 'b'  # c\nd: 1\n"),
            ("open-quote: Close the quote", 1, "'b  # c", "a: 'b  # c'\nd: 1\n"),
        ],
    ),
    (
        'a: ["b, c]\nd: 1\n',
        1,
        [
            ("open-quote: Close the quote", 0, '"b, c]', 'a: ["b", c]\nd: 1\n'),
            ("open-quote: Close the quote", 1, '"b, c]', 'a: ["b, c]"\nd: 1\n'),
        ],
    ),
    (
        'a: [{"b, c}]\n',
        1,
        [
            ("open-quote: Close the quote", 0, '"b, c}]', 'a: [{"b", c}]\n'),
            ("open-quote: Close the quote", 1, '"b, c}]', 'a: [{"b, c}]"\n'),
        ],
    ),
    (
        '"b: c\nd: 1\n',
        1,
        [
            ("open-quote: Close the quote", 0, '"b: c', '"b": c\nd: 1\n'),
            ("open-quote: Close the quote", 1, '"b: c', '"b: c"\nd: 1\n'),
        ],
    ),
    (
        'a: [\n  "b, c]\nd: 1\n',
        2,
        [
            ("open-quote: Close the quote", 0, '"b, c]', 'a: [\n  "b", c]\nd: 1\n'),
            ("open-quote: Close the quote", 1, '"b, c]', 'a: [\n  "b, c"]\nd: 1\n'),
            ("open-quote: Close the quote", 2, '"b, c]', 'a: [\n  "b, c]"\nd: 1\n'),
        ],
    ),
    ('a: b ]"c,\n', 1, []),
    (
        'a: "C:\\b\\"\nc: 1\n',
        1,
        [("backslash: Use single quotes", 0, '"C:\\b\\"', "a: 'C:\\b\\'\nc: 1\n")],
    ),
    (
        'a: "b\u201d\nc: 1\n',
        1,
        [
            ("curly-quotes: Use straight quotes", 0, '"b\u201d', 'a: "b"\nc: 1\n'),
            ("open-quote: Close the quote", 0, '"b\u201d', 'a: "b\u201d"\nc: 1\n'),
        ],
    ),
    (
        'a: "b\u201d c\u201d, d\n',
        1,
        [
            ("curly-quotes: Use straight quotes", 0, '"b\u201d', 'a: "b" c\u201d, d\n'),
            ("open-quote: Close the quote", 0, '"b\u201d c\u201d, d', 'a: "b\u201d c\u201d, d"\n'),
            ("curly-quotes: Use straight quotes", 0, "\u201d c\u201d", "a: \"b' c', d\n"),
        ],
    ),
    ('a: "b" c\n', 1, [("text-after-quote", 0, " c", "a: '\"b\" c'\n")]),
    ("a: 'b' c # d\n", 1, [("text-after-quote", 0, " c", "a: '''b'' c' # d\n")]),
    (
        "a: 'it's'\n",
        1,
        [("text-after-quote: Write the inner quotes twice", 0, "'s'", "a: 'it''s'\n")],
    ),
    (
        "a: 'it''s b's'\n",
        1,
        [("text-after-quote: Write the inner quotes twice", 0, "'s'", "a: 'it''s b''s'\n")],
    ),
    ("a: 'b' 'c'\n", 1, [("text-after-quote", 0, " 'c'", "a: '''b'' ''c'''\n")]),
    ('a: ["b, "c"]\n', 1, [("open-quote: Close the quote", 0, '"b', 'a: ["b", "c"]\n')]),
    (
        'a: ["b\u201d, "c"]\n',
        1,
        [("curly-quotes: Use straight quotes", 0, '"b\u201d', 'a: ["b", "c"]\n')],
    ),
    ('a: {b: "c, "d"}\n', 1, [("open-quote: Close the quote", 0, '"c', 'a: {b: "c", "d"}\n')]),
    ('a: "b, c" d\n', 1, [("text-after-quote", 0, " d", "a: '\"b, c\" d'\n")]),
    (
        'a: "C:\\Users\\x"\n',
        1,
        [("backslash: Use single quotes", 0, '"C:\\Users\\x"', "a: 'C:\\Users\\x'\n")],
    ),
    ('a: ".\\b"\n', 1, [("backslash: Use single quotes", 0, '".\\b"', "a: '.\\b'\n")]),
    (
        'a: "\\\\host\\x"\n',
        1,
        [("backslash: Use single quotes", 0, '"\\\\host\\x"', "a: '\\\\host\\x'\n")],
    ),
    ('a: "b\\n"\n', 1, []),
    ('a: "b\\d"\n', 1, [("backslash: Use single quotes", 1, '"b\\d"', "a: 'b\\d'\n")]),
    ('a: "it\'s\\d"\n', 1, []),
    (
        'a: "D:\\b\\" # c\nd: 1\n',
        1,
        [
            ("open-quote: Close the quote", 0, '"D:\\b\\" # c', 'a: "D:\\b\\"" # c\nd: 1\n'),
            ("open-quote: Close the quote", 1, '"D:\\b\\" # c', 'a: "D:\\b\\" # c"\nd: 1\n'),
            ("backslash: Use single quotes", 0, '"D:\\b\\"', "a: 'D:\\b\\' # c\nd: 1\n"),
        ],
    ),
    ('a: "D:\\b\nc: 1\n', 1, [("open-quote: Close the quote", 0, '"D:\\b', 'a: "D:\\b"\nc: 1\n')]),
    (
        'a: "b\\"\nc: 1\n',
        1,
        [
            ("open-quote: Close the quote", 0, '"b\\"', 'a: "b\\""\nc: 1\n'),
            ("backslash: Use single quotes", 1, '"b\\"', "a: 'b\\'\nc: 1\n"),
        ],
    ),
    ("a: 'b\\d' \"c\"\n", 1, [("text-after-quote", 0, ' "c"', "a: '''b\\d'' \"c\"'\n")]),
    (
        "a: \u201cb\u201d\n",
        1,
        [("curly-quotes: Use straight quotes", 0, "\u201cb\u201d", 'a: "b"\n')],
    ),
    (
        'a: \u201cb "c"\u201d\n',
        1,
        [("curly-quotes: Use straight quotes", 0, '\u201cb "c"\u201d', "a: 'b \"c\"'\n")],
    ),
    (
        "a: \u201cb\\c\u201d\n",
        1,
        [("curly-quotes: Use straight quotes", 0, "\u201cb\\c\u201d", "a: 'b\\c'\n")],
    ),
    (
        "a: b\u201dc\u201dd\n",
        1,
        [("curly-quotes: Use straight quotes", 0, "\u201dc\u201d", 'a: b"c"d\n')],
    ),
    ("a: \u201cb\n", 1, []),
    (
        "\u201ca\u201d: \u201cb\u201d\n",
        1,
        [("curly-quotes: Use straight quotes", 0, "\u201ca\u201d: \u201cb\u201d", '"a": "b"\n')],
    ),
    (
        "a: [\u2018b\u2019,\u2018c\u2019]\n",
        1,
        [("curly-quotes: Use straight quotes", 0, "\u2018b\u2019,\u2018c\u2019", 'a: ["b","c"]\n')],
    ),
    ("a: 'b' \u2019s\n", 1, [("text-after-quote", 0, " \u2019s", "a: '''b'' \u2019s'\n")]),
    (
        "a: \u201cb\u2019s c\u201d\n",
        1,
        [("curly-quotes: Use straight quotes", 0, "\u201cb\u2019s c\u201d", 'a: "b\u2019s c"\n')],
    ),
    ('a: b # c"\\\n', 1, []),
    ("a: b\n", 1, []),
    (
        'a: {"b, c}\n',
        1,
        [
            ("open-quote: Close the quote", 0, '"b, c}', 'a: {"b", c}\n'),
            ("open-quote: Close the quote", 1, '"b, c}', 'a: {"b, c}"\n'),
        ],
    ),
    (
        'a: {b: 1, "c, d}\n',
        1,
        [
            ("open-quote: Close the quote", 0, '"c, d}', 'a: {b: 1, "c", d}\n'),
            ("open-quote: Close the quote", 1, '"c, d}', 'a: {b: 1, "c, d}"\n'),
        ],
    ),
    (
        'a: [b, {c: "d, e}]\n',
        1,
        [
            ("open-quote: Close the quote", 0, '"d, e}]', 'a: [b, {c: "d", e}]\n'),
            ("open-quote: Close the quote", 1, '"d, e}]', 'a: [b, {c: "d, e}]"\n'),
        ],
    ),
    ('a: [b] "c, d\n', 1, []),
]


@each(("text", "line", "expected"), CASES)
def test_what_is_proposed(text: str, line: int, expected: list[Proposed]) -> None:
    assert proposed(quotes, text, line) == expected
