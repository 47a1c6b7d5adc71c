"""Python values as YAML text that `yaml.safe_load` reads back as exactly that value."""

from __future__ import annotations

import re
from functools import lru_cache

from cfglint.base.type_names import Any
from cfglint.source.languages.base import Unwritable
from cfglint.source.scalars import STR, resolve_plain

#: PyYAML looks for the `:` of a key only this many characters ahead; some room is kept for quotes.
MAX_KEY_CHARS = 1000

# Characters that every loader reads the same way without an escape.
_RAW_CHARS = "\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff"
# Patterns are compiled when a string needs them: the large sets take milliseconds each.
_SIMPLE = r"[A-Za-z][A-Za-z0-9_./]*"
_RAW = f"[{_RAW_CHARS}]*"
_PLAIN_START = r"[^\s\-?:,\[\]{}#&*!|>'\"%@`]|-[^\W_]"
_PLAIN_BREAKER = r":(?=\s|$)|\s#|\s$|\A\.\.\."
_FLOW_BREAKER = r"[,\[\]{}?]|:(?![\w/])"
_ESCAPED = f'["\\\\]|[^{_RAW_CHARS}]'
_SHORT_ESCAPES = {
    '"': '\\"',
    "\\": "\\\\",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    "\0": "\\0",
}


def is_inline(value: Any) -> bool:
    """Whether a value is on its key's line in block style: all but filled collections."""
    return not (isinstance(value, (dict, list, tuple)) and value)


def render_inline(value: Any, *, style: str = "", flow: bool = False) -> str:
    """A value on one line; collections in flow style.

    Args:
        value: plain Python data.
        style: the quotes wanted for strings: `'`, `"`, or "" for as few as possible.
        flow: whether the text will be inside a flow collection.

    Raises:
        Unwritable: the value is no plain data.
    """
    if isinstance(value, dict):
        pairs = (
            f"{render_key(key, style=style, flow=True)}: "
            f"{render_inline(item, style=style, flow=True)}"
            for key, item in value.items()
        )
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(render_inline(item, style=style, flow=True) for item in value) + "]"
    return render_scalar(value, style=style, flow=flow)


def render_key(key: Any, *, style: str = "", flow: bool = False) -> str:
    """A mapping key.

    Raises:
        Unwritable: the key is too long for `key: value`, or is not a scalar.
    """
    literal = render_scalar(key, style=style, flow=flow)
    if len(literal) > MAX_KEY_CHARS:
        raise Unwritable("The new key is too long to be written on one line.")
    return literal


def render_scalar(value: Any, *, style: str = "", flow: bool = False) -> str:
    """A scalar on one line.

    Raises:
        Unwritable: the value is no plain scalar.
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _render_string(value, style, flow)
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, float):
        return render_float(value)
    raise Unwritable(f"A value of the kind {type(value).__name__} cannot be written.")


def render_float(value: float) -> str:
    """A number that YAML 1.1 reads as a float: with a point, and a sign in the exponent."""
    if value != value:
        return ".nan"
    text = repr(float(value))
    if text.endswith("inf"):
        return text.replace("inf", ".inf")
    mantissa, exponent_mark, exponent = text.partition("e")
    if "." not in mantissa:
        mantissa += ".0"
    return mantissa + exponent_mark + exponent


@lru_cache(maxsize=1024)
def is_plain_safe(text: str, *, flow: bool = False) -> bool:
    """Whether a string may stand without quotes and is still read as this string."""
    if re.fullmatch(_SIMPLE, text):
        return resolve_plain(text) == STR
    return (
        re.match(_PLAIN_START, text) is not None
        and re.fullmatch(_RAW, text) is not None
        and re.search(_PLAIN_BREAKER, text) is None
        and not (flow and re.search(_FLOW_BREAKER, text))
        and resolve_plain(text) == STR
    )


def _render_string(text: str, style: str, flow: bool) -> str:
    if style not in ("'", '"') and is_plain_safe(text, flow=flow):
        return text
    printable = re.fullmatch(_RAW, text) is not None
    if printable and (style == "'" or (style != '"' and ("\\" in text or '"' in text))):
        return "'" + text.replace("'", "''") + "'"
    return '"' + re.sub(_ESCAPED, _escape, text) + '"'


def _escape(match: re.Match[str]) -> str:
    char = match.group()
    known = _SHORT_ESCAPES.get(char)
    if known is not None:
        return known
    code = ord(char)
    if code <= 0xFF:
        return f"\\x{code:02X}"
    return f"\\u{code:04X}" if code <= 0xFFFF else f"\\U{code:08X}"
