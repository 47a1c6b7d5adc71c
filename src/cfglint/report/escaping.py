"""The content of a config is untrusted on its way to a terminal, a CI log or a web page."""

from __future__ import annotations

import re

from cfglint.base.lazy import lazy_pattern

# Controls (C0, DEL, C1), line and paragraph separators, bidirectional and invisible format
# characters, fillers, lone surrogates, tags and the selectors that can smuggle text. And the
# first `#` of `##[command]` and `##vso[command]`, which CI runners execute anywhere in a line.
_UNSAFE = lazy_pattern(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\u3164\ufeff\uffa0\ufff9-\ufffb\ud800-\udfff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]"
    r"|#(?=#[A-Za-z]*\[)"
)


#: What may be between backticks: nothing that ends the code or a cell, and no address.
_NAMES = lazy_pattern(r"""(?<!`)`([\w.](?:[\w .=,"'<>*+%-]|/(?!/)|:(?!//)){0,80})`(?!`)""")


def visible(text: str) -> str:
    r"""The text with every character that could steer a terminal shown as an escape (`\x1b`)."""
    if text.isascii() and text.isprintable() and "##" not in text:
        return text
    return _UNSAFE.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    char = match.group()
    named = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
    if char in named:
        return named[char]
    code = ord(char)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def visible_path(path: str) -> str:
    """A file name for the beginning of a line, where a CI runner looks for its commands."""
    shown = visible(path)
    return f"./{shown}" if shown.lstrip().startswith("::") else shown


def line_start(shown: str) -> str:
    """Visible text for the beginning of a line (see `visible_path`)."""
    return shown.replace("::", "\\x3a:", 1) if shown.lstrip().startswith("::") else shown


def command_data(text: str) -> str:
    """The text as the message of a GitHub workflow command."""
    return visible(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def command_property(text: str) -> str:
    """The text as a property of a GitHub workflow command."""
    return command_data(text).replace(":", "%3A").replace(",", "%2C")


def quoted(text: str) -> str:
    r"""The text as a JSON string that steers nothing; decoded, it is the text itself."""
    plain = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{_UNSAFE.sub(_json_escape, plain)}"'


def _json_escape(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code < 0x10000:
        return {"\n": "\\n", "\r": "\\r", "\t": "\\t"}.get(match.group(), f"\\u{code:04x}")
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"


def xml(text: str) -> str:
    """The text inside an XML element or attribute, with nothing left that XML refuses."""
    # Two code points that are not characters, and that no XML document may hold.
    shown = visible(text).replace("\ufffe", "\\ufffe").replace("\uffff", "\\uffff")
    for char, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        shown = shown.replace(char, entity)
    return shown


#: What Markdown may interpret. A hyphen does something only at the beginning and in a row, an underscore not inside
#: of a word, a colon only before a name or an address; brackets are not a link without square ones before them.
_MARKUP = re.compile(
    r"[\\`*{}\[\]#|~>@$]|(?<![^\W_])_|_(?![^\W_])|:(?=[\w+/-])|(?:^|(?<=\n))[-+](?=\s|$)|(?:^|(?<=\n))[-=](?=[-=]*\s*$)"
)


def markdown(text: str) -> str:
    """The text inside a Markdown paragraph or table cell, with nothing left to interpret."""
    escaped = _MARKUP.sub(r"\\\g<0>", visible(text).replace("&", "&amp;"))
    # GitHub looks for links, mentions and issues after the backslashes are gone.
    escaped = re.sub(r"(?i)\b(www)\.", r"\1\\.", escaped)
    return re.sub(r"(\\[@#])(?=\w)", r"\1<!-- -->", escaped.replace("<", "&lt;"))


def markdown_message(text: str) -> str:
    """A message with the names that it has between backticks as code, and nothing else left to interpret."""
    parts = _NAMES.split(visible(text))
    return "".join(
        f"`{part}`" if number % 2 else markdown(part) for number, part in enumerate(parts)
    )
