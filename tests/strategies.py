"""Hypothesis strategies: nested data, written down as YAML in all kinds of ways."""

from __future__ import annotations

from typing import Any

import yaml
from hypothesis import strategies as st

#: Plain scalars, most of which YAML 1.1 reads as something else than text.
SPELLINGS = (
    "1", "0", "-7", "+3", "010", "0o10", "0x1F", "0b101", "1_000", "1e-5", "1.0e5", "1.0e+5",
    ".5", "5.", ".inf", "-.INF", ".nan", "12:30", "1:30:00.5", "190:20:30", "~", "null", "Null",
    "NULL", "nULL", "yes", "Yes", "no", "NO", "on", "Off", "y", "n", "Y", "true", "True", "TRUE",
    "tRUE", "2024-05-01", "2001-12-14t21:59:43.10-05:00", "2001-12-14 21:59:43", "plain",
    "two words", "a#b", "x:y", "-x", "?x", ":x", "http://example.org/a?b=c", "1.2.3", "a, b", "é",
    "\U0001f680", "/data/x.jsonl", "NousResearch/Llama-3.2-1B", "1-2", "0.1.2", "._", "1__0",
)  # fmt: skip
#: Spellings that need quotes inside brackets.
_NOT_IN_FLOW = frozenset(
    spelling for spelling in SPELLINGS if set(spelling) & set(",?") or spelling[0] == ":"
)
_COMMENT_TEXT = st.sampled_from(
    ("", " why", "# twice", " 'quoted\"", " key: value", " - item", " é")
)

texts = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), max_size=12)
words = st.from_regex(r"[a-z][a-z_]{0,8}", fullmatch=True)

data = st.recursive(
    st.one_of(st.sampled_from(SPELLINGS), texts),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(words | texts, inner, max_size=3)
    ),
    max_leaves=12,
)


class _Writer:
    """Writes nested data; every choice of form is drawn."""

    def __init__(self, draw: Any) -> None:
        self._draw = draw

    def pick(self, *choices: Any) -> Any:
        return self._draw(st.sampled_from(choices))

    def comment(self) -> str:
        if self.pick(True, False, False, False):
            return "  #" + str(self._draw(_COMMENT_TEXT))
        return ""

    def above(self, indent: int) -> str:
        """What may stand on the lines above an entry."""
        kind = self.pick("", "", "", "", "blank", "comment", "spaces")
        if kind == "comment":
            return " " * int(self.pick(indent, 0)) + "#" + str(self._draw(_COMMENT_TEXT)) + "\n"
        return {"": "", "blank": "\n", "spaces": "   \n"}[str(kind)]

    def scalar(self, text: str, *, flow: bool, key: bool = False) -> str:
        if (
            text in SPELLINGS
            and not (flow and text in _NOT_IN_FLOW)
            and self.pick(True, True, False)
        ):
            return text
        style = self.pick('"', "'", "") if not key else self.pick('"', "'")
        width = 2**20
        if style == "" and flow:
            style = '"'
        written = yaml.dump(text, default_style=style or None, allow_unicode=True, width=width)
        written = str(written).removesuffix("\n").removesuffix("\n...")
        # A dump that needs several lines cannot stand everywhere.
        if "\n" in written or "\x85" in written or "\u2028" in written or "\u2029" in written:
            written = yaml.dump(text, default_style='"', width=width).removesuffix("\n")
        return str(written)

    def flow(self, value: Any) -> str:
        if isinstance(value, str):
            return self.scalar(value, flow=True)
        space = self.pick("", " ")
        if isinstance(value, list):
            parts = [self.flow(item) for item in value]
            return f"[{space}" + f",{self.pick(' ', '  ')}".join(parts) + f"{space}]"
        parts = [
            f"{self.scalar(name, flow=True, key=True)}: {self.flow(item)}"
            for name, item in value.items()
        ]
        return f"{{{space}" + ", ".join(parts) + f"{space}}}"

    def value(self, value: Any, indent: int) -> str:
        """What comes after `key:` or `-`, with the line break."""
        if isinstance(value, str) and self.pick(True, False, False, False) and _fits_block(value):
            header, body = self.pick("|", "|-", "|+", ">", ">-"), value.replace("\n", " ")
            return f" {header}\n{' ' * (indent + 2)}{body}\n"
        if isinstance(value, str) or not value or self.pick(True, False, False):
            return f" {self.flow(value)}{self.comment()}\n"
        if isinstance(value, dict):
            return f"{self.comment()}\n" + self.mapping(value, indent + self.pick(1, 2, 4))
        return f"{self.comment()}\n" + self.sequence(value, indent + self.pick(1, 2))

    def mapping(self, value: dict[str, Any], indent: int) -> str:
        out = ""
        for name, item in value.items():
            key = self.scalar(name, flow=False, key=True)
            gap = self.pick("", "", "", " ")
            out += f"{self.above(indent)}{' ' * indent}{key}{gap}:{self.value(item, indent)}"
        return out

    def sequence(self, value: list[Any], indent: int) -> str:
        out = ""
        for item in value:
            out += self.above(indent)
            if isinstance(item, dict) and item and self.pick(True, False):
                body = self.mapping(item, indent + 2).lstrip("\n ")
                if not body.startswith("#"):
                    out += " " * indent + "- " + body
                    continue
            out += " " * indent + "-" + self.value(item, indent)
        return out


def _fits_block(text: str) -> bool:
    return (
        bool(text.strip())
        and text == text.strip()
        and all(char.isprintable() and char != "\ufeff" for char in text)
    )


@st.composite
def documents(draw: Any) -> str:
    """A YAML text with a mapping at its root."""
    content = draw(st.dictionaries(words, data, min_size=1, max_size=5))
    writer = _Writer(draw)
    start = str(writer.pick("", "", "", "---\n", "# head\n", "\n", "# head\n\n---\n"))
    text = start + writer.mapping(content, 0)
    end = str(writer.pick("", "", "# end\n", "\n\n", "...\n", "cut"))
    text = text.removesuffix("\n") if end == "cut" else text + end
    newline = str(writer.pick("\n", "\n", "\n", "\r\n", "\r"))
    return text if newline == "\n" else text.replace("\n", newline)


_INSERTS = (
    ": ", ":", "- ", "? ", "#", " #", "{", "}", "[", "]", ",", "&a ", "*a", "<<: *a\n", "<<: {a: 1}\n",
    "!!str ", "!!int ", "!!set ", "!x ", "! ", "|", ">", "|2-\n", "'", '"', "%YAML 1.1\n", "---\n",
    "...\n", "\t", "\r", "\n", "  ", "\ufeff", "\x85", "\u2028", "\\", "=", "<<", "@", "`", "~",
)  # fmt: skip


@st.composite
def mutated(draw: Any) -> str:
    """A document with a few random changes, most of which break it."""
    text = str(draw(documents()))
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 3)))
        text = text[:start] + draw(st.sampled_from(_INSERTS)) + text[end:]
    return text
