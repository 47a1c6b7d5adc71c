"""A strategy for YAML that nobody writes by hand: tags, anchors on anything, directives, breaks."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

_TAGS = (
    "!!binary", "!!set", "!!timestamp", "!!float", "!!int", "!!str", "!!bool", "!!null", "!!seq",
    "!!map", "!!omap", "!!pairs", "!!merge", "!!value", "!", "!x", "!y!int", "!!python/tuple",
    "!<tag:yaml.org,2002:int>", "!!in%74",
)  # fmt: skip
_CALM_KEYS = ("a", "b", "c", "d", "e", "<<", "k", "x y", "'q'", "1", "true")
_ODD_KEYS = (
    "&k <<", "*k ", "!!merge <<", "'<<'", "! <<", "!!str <<", "!!value =", "=", "&z k", "*z ", "&a", "? a",
    "? <<", "? [a]", "? {a: 1}", "? |\n  x\n", "? &q r", "1.0", "~", "null", "0x1", "yes", "!!int 3",
    '"q\\n"', "x#y", "[a]", "!!binary aGk=", "2001-01-01", ".nan", "", "-", "!!set a", "k\x85", "k\t",
)  # fmt: skip
_CALM_VALUES = (
    "1", "x", "*a", "*b", "{x: 1}", "[1, 2]", "yes", "1e-5", "[{x: 1}, {y: 2}]", "{<<: *a, z: 1}",
    "[*a, *b]",
)  # fmt: skip
_ODD_VALUES = (
    "=", "<<", "''", "'<<'", '"a\\x41\\u00e9\\U0001F680\\e\\_\\N\\L\\P\\/"', '"a\\\n  b"', '"\\z"', '"\\xZZ"',
    "aGVs bG8=", "a\n  b", "'a\n\n  b'", "- a", "{a, b: }", "[a: 1, ? b : 2]", "{? a, ? b : 1}", "[? a : b]",
    "[,]", "{a: b: c}", "{<<: {x: 1}, y: 2}", "{<<: [{x: 1}, {x: 2, z: 3}]}", "{? <<: {a: 1}}", "|\n  x",
    "|-\n  x\n\n", "|+\n  x\n\n\n", ">\n  a\n  b\n\n   c\n  d", "|2\n   x", "|1\n x", ">-\n", "| # c\n  x",
    "|# c\n  x", "|-2 \n   x", "|10\n x", "&a 1", "&b {x: 1}", "&a [1, 2]", "&c <<", "x\x85y", "x\u2028y",
    "\ufeff1", "1\t# c", "'x'\t", "%x", "@x", "[\n1,\n2]", "[ # c\n  1, # d\n  2 # e\n  ]", "{a: 1\n  , b: 2}",
    "!!set {a, b}", "!!set {? a, ? b}", "!!set {<<: {a, b}}", "!!omap [a: 1, b: 2]", "!!pairs [a: 1, a: 2]",
    "!!omap [<<: {a: 1, b: 2}]", "!!omap [{a: 1, b: 2}]", "!!omap {a: 1}", "!!set [a]",
    "!!binary |\n  R0lGODlh\n  DAAM", "!!float 1:30", "!!float ''", "!!float 0x1", "!!int 1_0", "!!int ''",
    "!!int 0o7", "!!int -0b1", "!!bool 'no'", "!!null x", "!!timestamp '2001-1-1 1:1:1'", "!!map {<<: {a: 1}}",
    "!!merge <<", "!!str <<", "{=: 1}", "{a: {=: 5}}", "&x !!str y", "!!str &x y", "!<!x> y",
)  # fmt: skip
_STARTS = (
    "\ufeff", "%YAML 1.1\n---\n", "%YAML 1.2\n---\n", "%YAML 2.0\n---\n", "%TAG ! tag:e.org,2000:\n---\n",
    "%TAG !! tag:x.org,\n---\n", "%TAG !y! tag:yaml.org,2002:\n--- # c\n", "%FOO x\n---\n", "--- ", "---\t",
    "...\n", "# c\n---\n", "--- !!set\n", "--- &r\n", "!!map\n", "&a\n", "\t\n", "%YAML 1.1 # c\n---\n",
)  # fmt: skip
_ENDS = (
    "",
    "\n\n",
    "\n...\n",
    "\n...\n# c",
    "\n---\n",
    "\n  # end",
    "\n\t",
    "\n--- # c\n",
    "\n\x00",
    "\ufeff",
)
_BREAKS = ("\r\n", "\r", "\x85", "\u2028")


class _Writer:
    def __init__(self, draw: Any) -> None:
        self._draw = draw
        self.calm = self.pick(0, 1, 2, 3)

    def pick(self, *choices: Any) -> Any:
        return self._draw(st.sampled_from(choices))

    def odd(self) -> bool:
        """Whether the next piece is an odd one; some documents have few."""
        return bool(self._draw(st.integers(0, 1 + 2 * self.calm)) == 0)

    def value(self) -> str:
        value = str(self.pick(*(_ODD_VALUES if self.odd() else _CALM_VALUES)))
        if self.odd() and self.odd():
            value = f"{self.pick(*_TAGS)} {value}"
        if self.odd() and self.odd():
            value = f"&{self.pick(*'abckz')} {value}"
        return value

    def block(self, indent: int, depth: int) -> list[str]:
        pad = " " * indent
        listed = self.pick(True, False, False)
        lines = []
        for _ in range(self.pick(1, 1, 2, 2, 3)):
            if self.odd() and self.odd():
                lines.append(str(self.pick("# c", "", "   ", f"{pad}  # deeper", "\t# c", "\x85")))
            key = self.pick(*(_ODD_KEYS if self.odd() else _CALM_KEYS))
            gap = self.pick("", " ", "\t") if self.odd() else ""
            head = f"{pad}-" if listed else f"{pad}{key}{gap}:"
            note = self.pick(" # c", "\t# c", "#c", " ") if self.odd() else ""
            if depth < 2 and self.pick(True, False, False):
                mark = self.pick("", " &a", " !!set", " !!map", " !!omap", " !!pairs", " &b !!map")
                lines.append(f"{head}{mark if self.odd() else ''}{note}")
                lines += self.block(indent + self.pick(0, 2, 2, 4), depth + 1)
            else:
                gap = self.pick("  ", "\t", f"\n{pad}  ") if self.odd() else " "
                lines.append(head + gap + self.value().replace("\n", "\n" + pad) + note)
        return lines


@st.composite
def odd_documents(draw: Any) -> str:
    """A text that is YAML or nearly so, with things in it that no config needs."""
    writer = _Writer(draw)
    text = "\n".join(writer.block(0, 0))
    if writer.odd():
        text = str(writer.pick(*_STARTS)) + text
    text += str(writer.pick(*_ENDS)) if writer.odd() else "\n"
    if writer.odd() and writer.odd():
        text = text.replace("\n", str(writer.pick(*_BREAKS)))
    return text
