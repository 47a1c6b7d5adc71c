"""Scalars that YAML 1.1 reads as something other than what was meant."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from cfglint.base.lazy import lazy_pattern
from cfglint.base.type_names import Any
from cfglint.checks.context import CheckContext, Hit, Repair
from cfglint.checks.own_conversion import converting_program
from cfglint.diagnostic import Related, SeverityName
from cfglint.source.document import Path, Scalar, format_path

_EXPONENT = lazy_pattern(r"[-+]?(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)[eE][-+]?\d+")
_OCTAL = lazy_pattern(r"[-+]?0[0-7_]*[0-7]")
_WORDS_FOR_BOOLEANS = frozenset({"yes", "no", "on", "off"})
_QUOTED_BOOLEANS = frozenset({"true", "false", "yes", "no", "on", "off"})
_LONGEST_BOOLEAN = max(map(len, _QUOTED_BOOLEANS))
_PLAIN_BOOLEANS = frozenset({"true", "false", "True", "False"})
_NUMBER_STARTS = "+-.0123456789"
_SMART = str.maketrans({"\u201c": '"', "\u201d": '"', "\u2018": "'", "\u2019": "'"})
_SMART_QUOTES = "\u201c\u201d\u2018\u2019"
_INVISIBLE = "\u00a0\u200b\u2007\u202f\u2060\ufeff"
#: Characters that came from a word processor or a web page, never from a keyboard.
TYPOGRAPHIC = _SMART_QUOTES + _INVISIBLE


def suspects(ctx: CheckContext) -> list[tuple[Path, Scalar]]:
    """The few scalars that may be one of the traps below; every check then examines them."""
    return ctx.once("suspects", lambda: [(p, n) for p, _, n in ctx.scalars(_is_suspect)])


def _is_suspect(node: Scalar) -> bool:
    kind, text = type(node.value), node.text
    if kind is str:
        if node.style:
            return len(text) <= _LONGEST_BOOLEAN and text.lower() in _QUOTED_BOOLEANS
        return text[:1] in _NUMBER_STARTS and text != ""
    if kind is bool:
        return text not in _PLAIN_BOOLEANS
    if kind is int:
        return (text[0] in "0+-" and len(text) > 1) or ":" in text
    if kind is float:
        return ":" in text
    return node.value is not None


def number_as_string(ctx: CheckContext) -> Iterator[Hit]:
    """`1e-5`: text to YAML 1.1, a number to the reader's eye."""
    converted: list[Hit] = []
    title = ctx.framework.title
    for path, node in suspects(ctx):
        if node.style or not isinstance(node.value, str) or not _EXPONENT.fullmatch(node.text):
            continue
        type_ = ctx.type_at(path)
        parent = ctx.framework.keys.free_form_parent(path)
        known = ctx.framework.parsing.text_for_number(path, ctx.document)
        severity: SeverityName
        costs = f"nothing in {title}; other programs may take it for text"
        if type_ is not None and "float" in type_ and not ctx.release_keys.judge.converts:
            if ctx.release_keys.judge.takes(tuple(type_.split("|")), (), {}, node.value):
                continue
            severity, upstream = "error", "silent"
            costs = "the run ends where it is calculated with, such as in the optimizer"
            effect = f"and {title} does not turn it into a number"
            if known is not None:
                severity, costs = known.severity, known.costs or costs
        elif type_ is not None and "float" in type_:
            if ctx.release_keys.judge.converts_first:
                continue
            severity, upstream, effect = "note", "silent", f"but {title} turns it into a number"
        elif type_ is not None and "int" in (kinds := type_.split("|")) and "str" not in kinds:
            severity, upstream, effect = "error", "rejects", f"and {title} refuses it as an integer"
        elif type_ is None and parent is not None and known is not None:
            severity, upstream, effect = known.severity, "silent", known.effect
            costs = known.costs or costs
        elif type_ is None and parent is not None:
            severity, upstream = "error", "silent"
            costs = "the code that calculates with it fails, minutes after the start"
            effect = f"and nothing below {parent} is converted, so the text itself is passed on"
            program = converting_program(ctx, parent)
            if program is not None:
                severity = "warning"
                costs = "unless the program converts it, the code that calculates with it fails"
                effect = f"and nothing below {parent} is converted, unless {program} does so"
        else:
            continue
        literal = _float_literal(node.text, integer=type_ is not None and "float" not in type_)
        hit = Hit(
            path,
            node.span,
            {"key": format_path(path), "written": node.text, "effect": effect, "costs": costs},
            repairs=_rewrite(path, literal, f"Write {literal}") if literal else (),
            severity=severity,
            upstream=upstream,
            harmless=severity == "note",
        )
        if severity == "note" and type_ is not None and literal:
            converted.append(hit)
        else:
            yield hit
    if converted:
        yield _one_note(converted)


def _one_note(hits: list[Hit]) -> Hit:
    """Numbers that are converted do no harm: one note per file reports them."""
    if len(hits) == 1:
        return hits[0]
    actions = tuple(action for hit in hits for action in hit.repairs[0].actions)
    more = tuple(Related(hit.span, "also text, and also converted") for hit in hits[1:])
    return hits[0].replaced(
        related=more, repairs=(Repair("Write them with a dot", "safe", actions),)
    )


def _float_literal(text: str, *, integer: bool) -> str | None:
    """A spelling that YAML 1.1 reads as the number meant."""
    value = float(text.replace("_", ""))
    if integer:
        return str(int(value)) if abs(value) < 1e15 and value == int(value) else None
    mantissa, _, exponent = text.replace("_", "").lower().partition("e")
    if "." not in mantissa:
        mantissa += ".0"
    elif mantissa.endswith("."):
        mantissa += "0"
    if mantissa.lstrip("+-").startswith("."):
        mantissa = mantissa.replace(".", "0.", 1)
    sign = exponent[0] if exponent[0] in "+-" else "+"
    return f"{mantissa}e{sign}{exponent.lstrip('+-')}"


def quoted_boolean(ctx: CheckContext) -> Iterator[Hit]:
    """`"false"` where true or false is expected: text, and true to an `if`."""
    for path, node in suspects(ctx):
        if node.style not in ('"', "'") or node.text.lower() not in _QUOTED_BOOLEANS:
            continue
        type_ = ctx.type_at(path)
        parts = type_.split("|") if type_ is not None else []
        parent = ctx.framework.keys.free_form_parent(path) if type_ is None else None
        if parent is None and ("bool" not in parts or "str" in parts):
            continue
        if parent is not None and str(path[-1]).isupper():
            continue  # a variable of the environment, which is text: `TORCH_DISTRIBUTED_DEBUG: "OFF"`
        if type_ is not None and ctx.release_keys.judge.converts_first:
            continue
        falsy = node.text.lower() in ("false", "no", "off")
        literal = "false" if falsy else "true"
        if type_ is not None and ctx.release_keys.judge.converts:
            effect = f"text; {ctx.framework.title} converts it"
            if falsy:
                effect += ", but only after its first checks have treated it as true"
        elif falsy:
            effect = "text, which is true wherever it is tested"
        elif parent is not None:
            effect = f"text, and nothing below {parent} converts it"
        else:
            effect = "text, which is also true"
        yield Hit(
            path,
            node.span,
            {
                "key": format_path(path),
                "written": node.text,
                "effect": effect,
            },
            repairs=_rewrite(path, literal, f"Write {literal} without quotes"),
            severity="warning" if falsy else "note",
        )


def word_as_boolean(ctx: CheckContext) -> Iterator[Hit]:
    """`eval_strategy: no`: false to YAML 1.1, where the word was meant."""
    for path, node in suspects(ctx):
        if node.style or not isinstance(node.value, bool):
            continue
        if node.text.lower() not in _WORDS_FOR_BOOLEANS:
            continue
        type_ = ctx.type_at(path)
        if type_ is None or not ctx.release_keys.judge.wants_word(type_):
            continue
        yield Hit(
            path,
            node.span,
            {
                "key": format_path(path),
                "written": node.text,
                "value": "true" if node.value else "false",
            },
            repairs=_rewrite(path, f'"{node.text.lower()}"', "Quote the word"),
        )


def octal_number(ctx: CheckContext) -> Iterator[Hit]:
    """`010`: eight to YAML 1.1."""
    for path, node in suspects(ctx):
        if _is_plain_int(node) and _OCTAL.fullmatch(node.text):
            decimal = str(int(node.text.replace("_", ""), 10))
            if int(decimal) == node.value:
                continue
            yield Hit(
                path,
                node.span,
                {"key": format_path(path), "written": node.text, "value": node.value},
                repairs=_rewrite(path, decimal, f"Write {decimal}", safety="unsafe"),
            )


def sexagesimal_number(ctx: CheckContext) -> Iterator[Hit]:
    """`12:30`: 750 to YAML 1.1, which counts in sixties."""
    for path, node in suspects(ctx):
        if node.style or ":" not in node.text or not isinstance(node.value, (int, float)):
            continue
        refused = "str" in (ctx.type_at(path) or "").split("|")
        yield Hit(
            path,
            node.span,
            {"key": format_path(path), "written": node.text, "value": node.value},
            repairs=_rewrite(path, f'"{node.text}"', "Quote it") if refused else (),
            upstream="rejects" if refused else None,
        )


def date_value(ctx: CheckContext) -> Iterator[Hit]:
    """`2024-05-01`: a date to YAML 1.1, not text."""
    for path, node in suspects(ctx):
        if isinstance(node.value, date) and not node.style:
            type_ = ctx.type_at(path) or ""
            refused = "str" in type_.split("|")
            yield Hit(
                path,
                node.span,
                {
                    "key": format_path(path),
                    "written": node.text,
                    "effect": f"{ctx.framework.title} expects text here and refuses it"
                    if refused
                    else "its reader gets a date object",
                },
                repairs=_rewrite(path, f'"{node.text}"', "Quote it"),
                severity="error" if refused else "warning",
                upstream="rejects" if refused else "silent",
            )


def typographic_character(ctx: CheckContext) -> Iterator[Hit]:
    """Curly quotes and invisible spaces, pasted from a document, that became part of a value."""
    texts = ctx.document.texts
    if not any(character in text for text in texts for character in TYPOGRAPHIC):
        return
    for path, entry, node in ctx.scalars(lambda _: True):
        if entry is not None and isinstance(entry.key, Scalar):
            character = next((c for c in entry.key.text if c in TYPOGRAPHIC), None)
            if character is not None:
                yield Hit(path, entry.key.span, _character(path, character))
                continue
        if node.style or not node.text:
            continue
        first, last = node.text[0], node.text[-1]
        if first in _SMART_QUOTES and last in _SMART_QUOTES and len(node.text) > 1:
            inner = node.text[1:-1]
            # Whether a backslash or two quotes in a row mean themselves depends on the quotes.
            sure = "\\" not in inner and "''" not in inner
            literal = '"' + inner.replace("\\", "\\\\").replace('"', '\\"') + '"'
            yield Hit(
                path,
                node.span,
                _character(path, first),
                repairs=_rewrite(
                    path, literal, "Use straight quotes", "safe" if sure else "unsafe"
                ),
            )
        elif first in _INVISIBLE or last in _INVISIBLE:
            stripped = node.text.strip(_INVISIBLE + " ")
            character = first if first in _INVISIBLE else last
            yield Hit(
                path,
                node.span,
                _character(path, character),
                repairs=_rewrite(path, stripped, "Remove it") if _is_simple(stripped) else (),
            )


def _character(path: Path, character: str) -> dict[str, Any]:
    names = {
        "\u201c": "a curly quote",
        "\u201d": "a curly quote",
        "\u2018": "a curly quote",
        "\u2019": "a curly quote",
        "\u00a0": "a non-breaking space",
        "\ufeff": "a byte-order mark",
    }
    return {
        "key": format_path(path).translate(_SMART),
        "character": names.get(character, "an invisible space"),
        "code_point": f"U+{ord(character):04X}",
    }


def _is_simple(text: str) -> bool:
    return re.fullmatch(r"[A-Za-z0-9_./-]+", text) is not None


def _is_plain_int(node: Scalar) -> bool:
    return not node.style and isinstance(node.value, int) and not isinstance(node.value, bool)


def _rewrite(path: Path, literal: str, title: str, safety: str = "safe") -> tuple[Repair, ...]:
    from cfglint.fixes.actions import RewriteScalar

    return (Repair(title, safety, (RewriteScalar(path, literal),)),)
