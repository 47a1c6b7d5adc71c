"""The values of words `key=value` in Hydra's grammar of overrides (Hydra 1.3, `OverrideLexer.g4`).

A value is a number, `true`, `null`, text with or without quotes, a list `[a,b]`, or a mapping
`{a:1}`. Functions and interpolations give values that are not known here.
"""

from __future__ import annotations

import re

from cfglint.base.lazy import lazy_pattern
from cfglint.base.record import NamedTuple
from cfglint.base.type_names import Any
from cfglint.source.values import Interpolation, Unexpanded

_INT = r"(?:0|[1-9](?:_?[0-9])*)"
_POINT = rf"(?:{_INT}\.(?:[0-9](?:_?[0-9])*)?|\.[0-9](?:_?[0-9])*)"
_TOKEN = lazy_pattern(
    rf"""(?P<quoted>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
    |(?P<interpolation>\$\{{[^}}]+\}})
    |(?P<open>[ \t]*[(\[{{][ \t]*)
    |(?P<close>[ \t]*[)\]}}])
    |(?P<comma>[ \t]*,[ \t]*)
    |(?P<colon>[ \t]*:[ \t]*)
    |(?P<equal>[ \t]*=[ \t]*)
    |(?P<word>[A-Za-z_][A-Za-z0-9_-]*)
    |(?P<float>[-+]?(?:(?:{_INT}|{_POINT})[eE][-+]?[0-9](?:_?[0-9])*|{_POINT}))
    |(?P<signed>[-+](?:[Ii][Nn][Ff]|[Nn][Aa][Nn]))
    |(?P<int>[-+]?{_INT})
    |(?P<escape>\\[\\()\[\]{{}}:=, \t])
    |(?P<blank>[ \t]+)
    |(?P<sign>[/\-\\+.$%*@?|])""",
    re.VERBOSE | re.DOTALL,
)
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_CASTS = frozenset({"int", "float", "str", "bool", "json_str", "extend_list"})
_SWEEPS = frozenset({"choice", "range", "interval", "glob", "sort", "shuffle", "tag"})
#: No written value is nested deeper.
_MAX_DEPTH = 40


class NotAValue(Exception):
    """A text is no value; the argument says what is wrong with it, in a few words."""


class Several(Exception):
    """A text is several values, one for each of several runs."""


class _ValueToken(NamedTuple):
    kind: str
    text: str


def value_of(text: str) -> Any:
    """What Hydra makes of the text behind `=`.

    Raises:
        NotAValue: the grammar does not allow it.
        Several: it is a sweep.
    """
    if not text.strip(" \t"):
        return ""
    reader = _ValueReader(_tokens(text))
    value = reader.element(0)
    if reader.kind == "comma":
        while reader.kind == "comma":
            reader.next()
            reader.element(0)
        if reader.kind == "":
            raise Several
    if reader.kind:
        raise NotAValue(f"`{reader.text.strip()[:20]}` is not expected there")
    return value


def _tokens(text: str) -> list[_ValueToken]:
    found: list[_ValueToken] = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            what = "a quote is not closed" if text[at] in "\"'" else f"`{text[at]}` needs quotes"
            raise NotAValue(what)
        found.append(_ValueToken(match.lastgroup or "", match.group()))
        at = match.end()
    return found


class _ValueReader:
    """Reads tokens one after the other."""

    def __init__(self, tokens: list[_ValueToken]) -> None:
        self._tokens = [*tokens, _ValueToken("", "")]
        self._at = 0

    @property
    def kind(self) -> str:
        return self._tokens[self._at].kind

    @property
    def text(self) -> str:
        return self._tokens[self._at].text

    def next(self) -> _ValueToken:
        self._at += 1
        return self._tokens[self._at - 1]

    def element(self, depth: int) -> Any:
        """A value without a comma at its own level."""
        if depth > _MAX_DEPTH:
            raise NotAValue("it is nested too deeply")
        if self.kind == "open":
            return self._bracketed(depth)
        token, after = self._tokens[self._at], self._tokens[self._at + 1 : self._at + 2]
        if token.kind == "word" and after and after[0].text.strip() == "(":
            return self._function(depth)
        return self._primitive(dict_key=False)

    def _bracketed(self, depth: int) -> Any:
        bracket = self.next().text
        if bracket != bracket.lstrip() or bracket.strip() == "(":
            raise NotAValue(f"`{bracket.strip()}` is not expected there")
        closing = _CLOSING[bracket.strip()]
        items: list[Any] = []
        pairs: dict[Any, Any] = {}
        while not self._closes(closing) or items or pairs:
            if items or pairs:
                if self._closes(closing):
                    break
                if self.kind != "comma":
                    raise NotAValue(f"`{closing}` is missing")
                self.next()
            if closing == "]":
                items.append(self.element(depth + 1))
                continue
            key = self._primitive(dict_key=True)
            if self.kind != "colon":
                raise NotAValue("`:` is missing")
            self.next()
            pairs[key] = self.element(depth + 1)
        self.next()
        return items if closing == "]" else pairs

    def _closes(self, closing: str) -> bool:
        return self.kind == "close" and self.text.strip() == closing

    def _function(self, depth: int) -> Any:
        name = self.next().text
        if name not in _CASTS and name not in _SWEEPS:
            raise NotAValue(f"`{name}` is not a function of Hydra; text with brackets needs quotes")
        self.next()
        while not self._closes(")"):
            if self.kind == "word" and self._tokens[self._at + 1].kind == "equal":
                self.next()
                self.next()
            self.element(depth + 1)
            if self.kind == "comma":
                self.next()
            elif not self._closes(")"):
                raise NotAValue("`)` is missing")
        self.next()
        if name in _SWEEPS:
            raise Several
        return Unexpanded(name)

    def _primitive(self, *, dict_key: bool) -> Any:
        """A plain value, or a quoted text, which nothing may follow directly."""
        parts: list[_ValueToken] = []
        kinds = {"word", "float", "signed", "int", "escape", "blank", "sign"}
        kinds |= set() if dict_key else {"interpolation", "colon"}
        if self.kind == "quoted" and not dict_key:
            return _unquoted(self.next().text)
        while self.kind in kinds:
            parts.append(self.next())
        while parts and parts[0].kind == "blank":
            parts.pop(0)
        while parts and parts[-1].kind == "blank":
            parts.pop()
        if not parts:
            raise NotAValue(
                f"`{self.text.strip()[:20]}` is not expected there"
                if self.kind
                else "a value is missing"
            )
        if any(part.kind == "interpolation" for part in parts):
            return Interpolation("".join(part.text for part in parts))
        if len(parts) == 1:
            return _single(parts[0])
        return "".join(p.text[1:] if p.kind == "escape" else p.text for p in parts)


def _single(token: _ValueToken) -> Any:
    text, lowered = token.text, token.text.lower()
    if token.kind == "int":
        return int(text) if len(text) < 4_000 else Unexpanded(text)
    if token.kind in ("float", "signed") or lowered in ("inf", "nan"):
        return float(text)
    if token.kind == "word" and lowered in ("true", "false", "null"):
        return {"true": True, "false": False, "null": None}[lowered]
    return text[1:] if token.kind == "escape" else text


def _unquoted(text: str) -> Any:
    inner, quote = text[1:-1], text[0]
    if "${" in inner:
        return Interpolation(inner)
    # Only backslashes before the quote itself, or before the end, are taken away.
    return inner.replace(f"\\{quote}", quote) if "\\" in inner else inner


def quoted(value: Any) -> str:
    """A value as the grammar reads it back."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return f"[{','.join(map(quoted, value))}]"
    if isinstance(value, dict):
        return "{" + ",".join(f"{key}:{quoted(one)}" for key, one in value.items()) + "}"
    text = str(value)
    if not isinstance(value, str):
        return text
    try:
        is_plain = value_of(text) == text and text != ""
    except (NotAValue, Several):
        is_plain = False
    return text if is_plain else "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
