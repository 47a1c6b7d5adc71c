"""Reading against the oracle: `yaml.load` with the pure-Python SafeLoader."""

from __future__ import annotations

from tests.draws import each
from tests.source.oracle import REFUSED, assert_read_alike, assert_same, oracle, read
from tests.strategies import SPELLINGS

SCALARS = (
    *SPELLINGS, "", "0b", "0x", "08", "09", "0", "00", "-010", "+0x1f", "0o7", "1e5", "1.e5", "1E+5",
    "1.5E-3", "-.5", "1,000", "1_0.5", ".", "..", "-", "+.inf", ".Inf", ".NaN", ".NAN", "inf", "nan",
    "Infinity", "12:30:45", "0:0", "1:60", "-12:30", "1:30.5", "N", "ON", "oN", "FALSE", "False",
    "2024-5-1", "2024-05-01T10:00:00Z", "2024-05-01 10:00:00 +02:00", "2024-05-01T10:00:00.123456789",
    "2024-05-01 10:00:00 -3", "=", "<<", "!!binary aGVsbG8=", "!!str 12", "!!int '12'", "!!float 1",
    "!!bool 'yes'", "!!null x", "!!timestamp 2024-05-01", "! 12", "! '12'", "!", "!!str", "'it''s'",
    "'a\n\n  b'", '"a\\tb\\x41\\u00e9\\U0001F680\\\n   c"', '"a\n  b\n\n  c"', "a\n  b\n\n  c",
    "'~'", '"1"', "'yes'", "a # b", "a#b", "'a # b'", "#", "a: b", "- a", "[]", "{}", "[a, 1e-5, no]",
    "{a: 1, b: {c: ~}}", "[a, [b, {c: d}]]", "{a, b: , c}", "[a: 1, b: 2]", "[,]", "{?a: 1}",
    "{? a : 1}", "[? a]", "[a?b, c]", "{a:1}", '{"a":1}', "{'a': 1,}", "*missing", "&a", "&a 1",
    "&a [*a]", "&a {b: *a}", "@x", "`x", "%x", "%", "\ta", "a\t", "a\tb", "a \t# c", "[a,\tb]",
    "!!set {a, b}", "!!set {a: 1}", "!!omap [a: 1, b: 2]", "!!omap [a: 1, a: 2]", "!!pairs [a: 1, a: 2]",
    "!!omap [a]", "!!omap {a: 1}", "!!pairs [{a: 1, b: 2}]", "!!seq {a: 1}", "!!map [a]", "!!map x",
    "!!seq x", "!!set x", "!!set [a]", "!!omap x", "!!pairs x", "!!str [a]", "!custom x", "!custom {a: 1}",
    "!!python/none x", "!<tag:yaml.org,2002:int> 7", "!!int x", "!!int ''", "!!float ''", "!!float x",
    "!!timestamp x", "!!bool maybe", "!!binary é", "!!binary a", "2024-13-45", "2024-02-30",
    "2024-05-01 25:00:00", "2024-05-01T00:00:00+99:00", "[=]", "[<<]", "- =\n", "!!merge x", "!!value x",
    "9" * 5000, "-" + "1" * 400, "1e400", "1.0e+400", "1" * 300 + ".0", "a\u00a0b", "\u201cno\u201d",
    "a\x85b", "a\u2028b", "a\u2029b", "\ufeffa", "a\ufeff", "\U0001f680", "\x7f", "\x00", "\x1b", "\ud800",
)  # fmt: skip

DOCUMENTS = (
    "a: |\n  x\n", "a: |-\n  x\n", "a: |+\n  x\n\n", "a: >\n  x\n  y\n\n  z\n", "a: >-\n  x\n   y\n  z\n",
    "a: >+\n  x\n\n\nb: 1\n", "a: |2\n    x\n", "a: |2-\n    x\n", "a: |-2\n   x\n", "a: |1\n x\n",
    "a: |0\n x\n", "a: |10\n x\n", "a: | # c\n  x\n", "a: |#c\n  x\n", "a: |\nb: 1\n", "a: |", "a: |\n",
    "a: |\n\n\n", "a: |+\n\n\n", "a: >\n\n  x\n", "a: |\n  x", "a: |+\n  x", "a: >-\n  x", "a: |x\n  y\n",
    "a: |\n\tx\n", "a: |\n  x\n # c\nb: 1\n", "a: |\n  x\n  # no comment\n", "- a\n", "a\n", "'a'\n", "", "\n",
    "# c\n", "---\n", "---\n...\n", "--- # c\na: 1\n", "---\na: 1\n...\n", "--- a: 1\n", "--- {a: 1}\n",
    "a: 1\n---\nb: 2\n", "a: 1\n...\n---\n", "a: 1\n...\nb: 2\n", "---\na: 1\n---\n", "...\na: 1\n",
    "%YAML 1.1\n---\na: 1\n", "%YAML 1.2\n---\na: 0o10\n", "%YAML 2.0\n---\na: 1\n", "%YAML 1.1\na: 1\n",
    "%TAG ! tag:yaml.org,2002:\n---\na: !int '1'\n", "%TAG !y! tag:yaml.org,2002:\n---\na: !y!str 1\n",
    "%FOO bar\n---\na: 1\n", "%YAML 1.1\n%YAML 1.1\n---\na: 1\n", "a: 1\n%b: 2\n", "a:\n%b\n",
    "a: &x 1\nb: *x\n", "a: &x [1]\nb: *x\nc: [*x, *x]\n", "a: &x 1\nb: &x 2\n", "a: *x\nb: &x 1\n",
    "&a a: 1\nb: *a\n", "*a : 1\n", "a: &k x\n*k : 1\n", "a: &m {x: 1}\nb: {<<: *m, y: 2}\n",
    "a: &m {x: 1, y: 2}\nb:\n  x: 0\n  <<: *m\n", "a: &m {x: 1}\nb: &n {x: 2, z: 3}\nc: {<<: [*m, *n]}\n",
    "a: &m {x: 1}\nb: {<<: *m, x: 2}\nc: {x: 2, <<: *m}\n", "<<: {a: 1}\na: 2\n<<: {a: 3, b: 1}\n",
    "<<: [{a: 1}, {a: 2, b: 3}]\n", "<<: 1\n", "<<: [1]\n", "<<: []\n", "<<:\n", "'<<': {a: 1}\n",
    '"<<": 1\n', "? <<\n: {a: 1}\n", "a: &m {<<: {x: 1}, y: 2}\nb: {<<: *m}\n", "a: <<\n", "- <<\n", "a: =\n",
    "=: 1\n", "a: {=: 1}\n", "a: [=]\n", "a:\n- =\n", "a:\n- <<\n", "a: !!set {<<: {b: 1}}\n", "a: &x =\n",
    "? &a =\n: 1\nb: *a\n", "a: 1\na: 2\n", "a: 1\n'a': 2\n", "1: a\ntrue: b\n1.0: c\n", "yes: 1\nno: 2\ny: 3\n",
    "~: 1\n: 2\n", "null: 1\n", "1.5: x\n0x10: y\n010: z\n", "2024-05-01: x\n", ".nan: 1\n.NaN: 2\n",
    "? a\n", "? a\n: b\n", "? a\n? b\n", "? |\n  a\n: b\n", "? [a]\n: 1\n", "? {a: 1}\n: 1\n", "[a]: 1\n",
    "{a: 1}: 1\n", "? - a\n: 1\n", "? !!set {a}\n: 1\n", "? !!binary aGk=\n: 1\n", "? 'a b'\n: 1\n",
    "a:\n- 1\n- 2\n", "a:\n  - 1\n  -\n  - - 2\n    - 3\n", "a:\n- b: 1\n  c: 2\n- d\n", "a:\n -1\n", "a:\n  b: 1\n c: 2\n",
    "a: 1\n b: 2\n", "a: b\n  c\n  d\n", "a: 'b\n  c\n\n  d'\n", "a: \"b\n  c\\\n  d\"\n", "a: b\nc\n", "a: b: c\n",
    "a:b\n", "a :b\n", "a : b\n", "a: 'b' c\n", "a: \"b\n", "a: 'b\n", "a: [b\n", "a: {b\n", "a: ]\n", "a: [b\n]\n",
    "a: [b,\n c,\n]\n", "a: {b: 1,\n# c\n c: 2}\n", "a: [b # c\n, d]\n", "a: 1 # c\n# d\n\n  # e\nb: 2\n",
    "#a\na: 1 #b\n", "a:  # c\n  b: 1\n", "a: # c\n  - 1\n", "a:\n  # c\n  b\n", "a: b #\n", "a: b# c\n", "a: 1\r\nb: 2\r\n",
    "a: 1\rb: 2\r", "a: |\r\n  x\r\n  y\r\n", "a: 'x\r\n  y'\r\n", "a: 1\r\nb: 2\n", "\ufeffa: 1\n", "a: 1\n\ufeffb: 2\n",
    "a:\t1\n", "a: 1\t\n", "a: 1\t# c\n", "\ta: 1\n", "a:\n\tb: 1\n", "a:\n\t- 1\n", "-\ta\n", "a: [1,\t2]\n", "a: 1\n\t\nb: 2\n",
    "a: 1\n\t# c\nb: 2\n", "a: x\x85b: y\n", "a: x\u2028b: y\n", "a: 'x\u2029y'\n", "a: |\n  x\x85  y\n", "a\u00a0: 1\n",
    "\u00a0a: 1\n", "a: \x07\n", "a: \x00\n", "a: \x7f\n", "a: \ufffe\n", "a: \U0001f680\n", "é: à\n", "a: 'x'\n'b': \"y\"\n",
    "a: {b: [1, {c: [2, {d: e}]}]}\n", "a: &x !!str 1\nb: !!str &y 2\n", "a: !!str\nb: !!null\n", "a: !<!x> 1\n", "a: !\nb: ! ''\n",
    "&r\na: 1\n", "!!map\na: 1\n", "!!set\n? a\n? b\n", "!!omap\n- a: 1\n", "!!str a: 1\n", "!x\na: 1\n", "a: !!seq [1]\nb: !!map {c: 1}\n",
    "&k <<: {a: 1}\nb: 2\n", "&k <<: {a: 1}\n*k : {z: 1}\n", "x: {&k <<: {a: 1}}\n*k : {z: 1}\n", "*k : 1\n",
    "x: {&k <<: {a: 1}}\n*k : 1\n", "x: &k <<\n*k : {a: 1}\n", "!!merge <<: {a: 1}\n", "!!merge x: {a: 1}\n",
    "? !!merge y\n: {a: 1}\n", "!!str <<: {a: 1}\n", "! <<: {a: 1}\n", "!!value x: {a: 1}\n", "x: !!value y\n",
    "&k =: 1\nb: *k\n", "y: {&k =: 1}\nb: *k\n", "b: *k\ny: {&k =: 1}\n", "c: !\n&k <<: [{x: 1}, {y: 2}]\n",
    "x: !!omap [<<: {a: 1}]\n", "x: !!pairs [<<: {a: 1}]\n", "x: !!omap [&k <<: {a: 1}]\n", "x: !!omap [=: 1]\n",
    "x: !!omap\n- !!set {a}\n", "b: &b {q: 1}\nx: !!omap\n- a: 1\n- *b\n", "x: &s !!omap [a: 1]\ny: *s\n",
    "m: &m {<<: {a: 1}}\ny: !!pairs [*m]\n", "m: &m {<<: {a: 1}, b: 2}\ny: !!pairs [*m]\n", "x: &s !!set {a}\ny: *s\n",
    "y: !!pairs [&m {<<: {a: 1}}]\nm: *m\n", "z: !!pairs [&m {<<: {a: 1}}]\ny: {<<: *m}\n",
    "y: {<<: &m {<<: {a: 1}}}\nz: !!pairs [*m]\n", "x: !!set {a: !y z}\n", "x: {<<: {a: !!set {b: c}}}\n",
    "a: &a {x: 1}\n<<: *a\n<<: *a\nx: 3\nx: 4\n", "a: &a {1: x}\nb: {<<: *a, 1.0: y, true: z}\n",
    "a: \"\\q\"\n", "a: \"\\x1\"\n", "a: \"\\ud800\"\n", "a: '\\n'\n", "a" * 1100 + ": 1\n", "? " + "a" * 1100 + "\n: 1\n",
)  # fmt: skip


@each("spelling", SCALARS)
def test_scalar(spelling: str) -> None:
    for text in (
        f"a: {spelling}\n",
        f"a: {spelling}",
        f"a:\n  - {spelling}\n  - b\n",
        f"a: [{spelling}, b]\n",
        f"{spelling}: a\n",
        f"a: x\nb:\n  c: {spelling}  # comment\n  d: 1\n",
    ):
        assert_read_alike(text)


@each("text", DOCUMENTS)
def test_document(text: str) -> None:
    assert_read_alike(text)
    assert_read_alike(text.replace("\n", "\r\n"))
    assert_read_alike(text.replace("\n", "\r"))
    assert_read_alike("z: 0\n" + text)


def test_the_lists_hold_enough_that_is_read() -> None:
    """Guards the comparison itself: agreeing to refuse everything would also pass."""
    read_documents = [text for text in DOCUMENTS if isinstance(read(text), dict)]
    assert len(read_documents) > len(DOCUMENTS) / 2
    assert sum(isinstance(read(f"a: {text}\n"), dict) for text in SCALARS) > len(SCALARS) / 2


@each(
    ("text", "value"),
    [
        ("1e-5", "1e-5"),
        ("1.0e-5", "1.0e-5"),
        ("1.0e+5", 100000.0),
        ("010", 8),
        ("12:30", 750),
        ("no", False),
        ("y", "y"),
        ("1_000", 1000),
        ("~", None),
        ("", None),
    ],
)
def test_values_that_matter(text: str, value: object) -> None:
    """The few that the rules rely on, without the oracle's help."""
    if text == "1.0e-5":
        value = 1e-5
    assert_same(read(f"a: {text}\n"), {"a": value})


@each(
    "text",
    [
        "a: !!str {=: x}\n",
        "<<: !x {a: 1}\n",
        "a: !!pairs [[b]: 1]\n",
        "b: &z =\n*z : x\n",
        "a: 0x" + "f" * 4000 + "\n",
    ],
)
def test_documented_exceptions(text: str) -> None:
    """Forms of which PyYAML makes something, and that no config uses: refused, with a reason."""
    assert oracle(text) is not REFUSED
    assert read(text) is REFUSED


def test_one_alias_one_object() -> None:
    value = read("a: &x [1]\nb: *x\n")
    assert value["a"] is value["b"]
