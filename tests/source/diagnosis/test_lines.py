"""What is told of the lines of a text that no parser accepts."""

from __future__ import annotations

from cfglint.source.diagnosis.lines import Line, Lines
from tests.draws import each

#: Kind, indentation and dashes of each line, its code, and what stands at which of its columns.
CASES: list[tuple[str, list[str]]] = [
    (
        "a: 1\n\n# c\n  b: 2  # why\n",
        [
            "code, 0, `a: 1`, colons 1",
            "blank, 0, ``",
            "comment, 0, `# c`",
            "code, 2, `b: 2`, colons 3",
        ],
    ),
    (
        "- path: x\n- - y\n  - z: 1\n-\n--- \n-x: 1\n",
        [
            "code, 0, dashes 1, `path: x`, colons 6",
            "code, 0, dashes 2, `y`",
            "code, 2, dashes 1, `z: 1`, colons 5",
            "code, 0, dashes 1, ``",
            "code, 0, `---`",
            "code, 0, `-x: 1`, colons 2",
        ],
    ),
    (
        "\ta: 1\n \tb: 2\n  \n",
        ["code, 1, `a: 1`, colons 2", "code, 2, `b: 2`, colons 3", "blank, 2, ``"],
    ),
    (
        "a: |\n  x: 1\n\n  # no comment\nb: >-  # folded\n   y\n  z\nc: 1\n",
        [
            "code, 0, `a: |`, colons 1",
            "literal, 2, `x: 1`",
            "blank, 0, ``",
            "literal, 2, `# no comment`",
            "code, 0, `b: >`, colons 1",
            "literal, 3, `y`",
            "literal, 2, `z`",
            "code, 0, `c: 1`, colons 1",
        ],
    ),
    (
        "- a: |\n    x: 1\n  b: >2\n     y\n- |+1\n  z: 1\n",
        [
            "code, 0, dashes 1, `a: |`, colons 3",
            "literal, 4, `x: 1`",
            "code, 2, `b: >`, colons 3",
            "literal, 5, `y`",
            "code, 0, dashes 1, `|`",
            "literal, 2, `z: 1`",
        ],
    ),
    ("a: | x\n  b: 1\n", ["code, 0, `a: | x`, colons 1", "code, 2, `b: 1`, colons 3"]),
    (
        "a: [b, c]\nd: {e: 1, f: [2]}\ng: 1\n",
        [
            "code, 0, `a: [b, c]`, colons 1",
            "code, 0, `d: {e: 1, f: [2]}`, colons 1",
            "code, 0, `g: 1`, colons 1",
        ],
    ),
    (
        "a: [b,\n  c: 1,\n  d]\ne: 1\n",
        [
            "code, 0, `a: [b,`, colons 1",
            "flow, 2, `c: 1,`",
            "flow, 2, `d]`",
            "code, 0, `e: 1`, colons 1",
        ],
    ),
    (
        "a: [b,\n   c\nd: 1\ne: 2\n",
        [
            "code, 0, `a: [b,`, colons 1, open bracket 3",
            "flow, 3, `c`",
            "code, 0, `d: 1`, colons 1",
            "code, 0, `e: 2`, colons 1",
        ],
    ),
    (
        "a: {b: 1,\nc: 2,\nd: 3\n",
        [
            "code, 0, `a: {b: 1,`, colons 1, open bracket 3",
            "flow, 0, `c: 2,`",
            "code, 0, `d: 3`, colons 1",
        ],
    ),
    (
        "a: {b: 1\nc: 2\n",
        ["code, 0, `a: {b: 1`, colons 1, open bracket 3", "code, 0, `c: 2`, colons 1"],
    ),
    (
        "a:\n  [b,\nc: 1\n",
        ["code, 0, `a:`, colons 1", "code, 2, `[b,`, open bracket 2", "code, 0, `c: 1`, colons 1"],
    ),
    (
        "a: b]\nc: [d]]\ne: [f}\ng: {h]}\ni: [[j]\n",
        [
            "code, 0, `a: b]`, colons 1",
            "code, 0, `c: [d]]`, colons 1, surplus 6",
            "code, 0, `e: [f}`, colons 1, surplus 5",
            "code, 0, `g: {h]}`, colons 1, surplus 6",
            "code, 0, `i: [[j]`, colons 1, open bracket 3",
        ],
    ),
    (
        "a: [b, \"c, d\"]\ne: ['f' g]\n",
        [
            'code, 0, `a: [b, "c, d"]`, colons 1, quoted "c, d"',
            "code, 0, `e: ['f' g]`, colons 1, quoted 'f', after quote 7",
        ],
    ),
    (
        "a: \"b\" # c\nd: \"e\"# f\ng: 'it''s' x\n\"h\": 'i'\n",
        [
            'code, 0, `a: "b"`, colons 1, quoted "b"',
            'code, 0, `d: "e"# f`, colons 1, quoted "e", after quote 6',
            "code, 0, `g: 'it''s' x`, colons 1, quoted 'it''s', after quote 10",
            "code, 0, `\"h\": 'i'`, colons 3, quoted \"h\" 'i'",
        ],
    ),
    (
        "a: b \"c\" # d#e\nf: g#h 'i'\n",
        ['code, 0, `a: b "c"`, colons 1', "code, 0, `f: g#h 'i'`, colons 1"],
    ),
    (
        'a: "b\nc: 1\nd: 2\n',
        [
            'code, 0, `a: "b`, colons 1, open quote 3',
            "code, 0, `c: 1`, colons 1",
            "code, 0, `d: 2`, colons 1",
        ],
    ),
    (
        'a: "b\n  c: 1\n  d"\ne: 2\n',
        [
            'code, 0, `a: "b`, colons 1',
            "quoted, 2, `c: 1`",
            'quoted, 2, `d"`',
            "code, 0, `e: 2`, colons 1",
        ],
    ),
    (
        "a: 'b\n  it''s\n  c' # x\nd: \"e\\\"f\"\n",
        [
            "code, 0, `a: 'b`, colons 1",
            "quoted, 2, `it''s`",
            "quoted, 2, `c'`",
            'code, 0, `d: "e\\"f"`, colons 1, quoted "e\\"f"',
        ],
    ),
    (
        '- "b\n- c\n- d"\n',
        [
            'code, 0, dashes 1, `"b`, open quote 2',
            "code, 0, dashes 1, `c`",
            'code, 0, dashes 1, `d"`',
        ],
    ),
    ("- 'b\n  c' : 1\n", ["code, 0, dashes 1, `'b`", "quoted, 2, `c' : 1`, colons 5"]),
    (
        "a: 'b\n\n  c'd\n",
        ["code, 0, `a: 'b`, colons 1, open quote 3", "blank, 0, ``", "code, 2, `c'd`"],
    ),
    (
        'a: &x !t "b"\nc: *x\n!t d: &y\n',
        [
            'code, 0, `a: &x !t "b"`, colons 1, quoted "b"',
            "code, 0, `c: *x`, colons 1",
            "code, 0, `!t d: &y`, colons 4",
        ],
    ),
    (
        'a:b: c\nd: e:f http://g: h:\n"i:j": k\n',
        [
            "code, 0, `a:b: c`, colons 3",
            "code, 0, `d: e:f http://g: h:`, colons 1 15 18",
            'code, 0, `"i:j": k`, colons 5, quoted "i:j"',
        ],
    ),
    ('a: [x: y, "z": 1, w:1]\n', ['code, 0, `a: [x: y, "z": 1, w:1]`, colons 1, quoted "z"']),
    (
        "# x\r\na: 1\r\n\r\nb: 2\rc: 3",
        [
            "comment, 0, `# x`",
            "code, 0, `a: 1`, colons 1",
            "blank, 0, ``",
            "code, 0, `b: 2`, colons 1",
            "code, 0, `c: 3`, colons 1",
        ],
    ),
    (
        "a: ,]\nb: [c#d, #e\n",
        ["code, 0, `a: ,]`, colons 1", "code, 0, `b: [c#d,`, colons 1, open bracket 3"],
    ),
    (
        "a: [b, 'c'd, \"e\": 1, 'f']\n",
        ["code, 0, `a: [b, 'c'd, \"e\": 1, 'f']`, colons 1, quoted 'c' \"e\" 'f', after quote 10"],
    ),
    (
        "- a: |\n    x: 1\n  b: >2\n     y\n- |+1\n  z: 1\n- - >\n    w: 1\n  v: 1\n",
        [
            "code, 0, dashes 1, `a: |`, colons 3",
            "literal, 4, `x: 1`",
            "code, 2, `b: >`, colons 3",
            "literal, 5, `y`",
            "code, 0, dashes 1, `|`",
            "literal, 2, `z: 1`",
            "code, 0, dashes 2, `>`",
            "literal, 4, `w: 1`",
            "code, 2, `v: 1`, colons 3",
        ],
    ),
    (
        "a:\n  b: |\n    c: 1\n  d: 1\n",
        [
            "code, 0, `a:`, colons 1",
            "code, 2, `b: |`, colons 3",
            "literal, 4, `c: 1`",
            "code, 2, `d: 1`, colons 3",
        ],
    ),
    (
        'a: [\n  "b, c]\nd: 1\n',
        [
            "code, 0, `a: [`, colons 1, open bracket 3",
            'flow, 2, `"b, c]`, open quote 2',
            "code, 0, `d: 1`, colons 1",
        ],
    ),
    (
        'a: [\n  "b, ]",\n  &x c]\nd: 1\n',
        [
            "code, 0, `a: [`, colons 1",
            'flow, 2, `"b, ]",`, quoted "b, ]"',
            "flow, 2, `&x c]`",
            "code, 0, `d: 1`, colons 1",
        ],
    ),
]


def told(lines: Lines, line: Line) -> str:
    parts = [line.kind, str(line.indent)]
    if line.dashes:
        parts.append(f"dashes {line.dashes}")
    parts.append(f"`{lines.code(line)}`")
    if line.colons:
        parts.append("colons " + " ".join(str(at - line.start) for at in line.colons))
    if line.quoted:
        parts.append("quoted " + " ".join(lines.text[start:end] for start, end in line.quoted))
    for name in ("open_quote", "open_bracket", "after_quote", "surplus"):
        at = getattr(line, name)
        if at >= 0:
            parts.append(f"{name.replace('_', ' ')} {at - line.start}")
    return ", ".join(parts)


@each(("text", "expected"), CASES)
def test_lines(text: str, expected: list[str]) -> None:
    lines = Lines(text)
    assert [told(lines, line) for line in lines.all] == expected
    assert "".join(text[line.start : line.end] for line in lines.all) == "".join(text.splitlines())


def test_the_line_of_an_offset() -> None:
    text = "a\n\nbcd\ne"
    lines = Lines(text)
    assert [lines.at(at).number for at in range(len(text) + 2)] == [0, 0, 1, 2, 2, 2, 2, 3, 3, 3]


def test_code_around_a_line() -> None:
    lines = Lines("a: 1\n# c\nb: 1\n\nc: [\n  d]\ne: 1\nf: 1\n")
    middle = lines.all[4]
    assert [lines.code(line) for line in lines.before(middle, 5)] == ["b: 1", "a: 1"]
    assert [lines.code(line) for line in lines.before(middle, 1)] == ["b: 1"]
    assert [lines.code(line) for line in lines.after(middle, 5)] == ["e: 1", "f: 1"]
    assert [lines.code(line) for line in lines.after(middle, 1)] == ["e: 1"]
    assert lines.before(lines.all[0], 1) == []
    assert lines.after(lines.all[-1], 1) == []


@each(("blank", "seen"), [(0, True), (198, True), (199, False), (500, False)])
def test_how_far_neighbours_are_looked_for(blank: int, seen: bool) -> None:
    lines = Lines("a: 1\n" + "\n" * blank + "b: 2\n")
    first, last = lines.all[0], lines.all[-1]
    assert lines.before(last, 1) == ([first] if seen else [])
    assert lines.after(first, 1) == ([last] if seen else [])
    assert lines.before(first, 1) == lines.after(last, 1) == []
