"""The hover text of a key: its type, its history, its effective value, its rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from cfglint.answers.resolved.resolve import resolve
from cfglint.base.documentation import rule_page
from cfglint.base.logic import MISSING, UNKNOWN
from cfglint.engine.checked_document import CheckedDocument
from cfglint.engine.needs import option_for
from cfglint.engine.places import flow
from cfglint.knowledge.keys.places import full_key
from cfglint.report.escaping import visible
from cfglint.report.pages.key_page import NO_DEFAULTS, default_of
from cfglint.roles.reading.base import NotDeterminedError
from cfglint.server.keys import Key, KeyReader, key_at, reader_at, rules_of
from cfglint.source.document import Path, format_path
from cfglint.source.text import Span

#: How many rules a hover text lists.
_MOST_RULES = 8
_LONGEST_VALUE = 120


def hover(run: CheckedDocument, offset: int) -> tuple[str, Span] | None:
    """The hover text of the key at an offset, in Markdown, and the span of the key.

    None if there is no key at the offset, or no release has it.
    """
    path = run.document.path_at(offset)
    while path and isinstance(path[-1], int):
        path = path[:-1]
    entry = run.document.entry(path)
    if entry is None:
        return None
    text = key_text(run, path)
    return None if text is None else (text, entry.key.span)


def key_text(run: CheckedDocument, path: Path, *, every_rule: bool = False) -> str | None:
    """What is known about the key at a path, in Markdown; None if no release has it."""
    key = key_at(reader_at(run, path), path)
    if key is None:
        return None
    return "\n\n".join(_paragraphs(key, path, None if every_rule else _MOST_RULES))


def summary(key: Key) -> str:
    """Meaning, default and history of a key, in Markdown."""
    return "\n\n".join(part for part in (_meaning(key), _default(key), _history(key)) if part)


def _paragraphs(key: Key, path: Path, most_rules: int | None) -> Iterator[str]:
    # The calls of a program are sections, whose names are those of the classes.
    shown = format_path(path[len(key.reader.at) :] if "." in key.reader.framework.kind else path)
    yield f"**{code(shown)}** ({key.reader.framework.title})"
    yield from filter(None, (_meaning(key), _type(key), _default(key), _history(key)))
    here = _here(key.reader, path)
    if here:
        yield here
    rules = rules_of(key, path)
    if rules:
        knowledge = key.reader.framework.knowledge
        lines = [
            f"- {linked(rule.code)} {rule.name}: {plain(knowledge.details(rule.code).summary)}"
            for rule in rules[:most_rules]
        ]
        if len(rules) > len(lines):
            lines.append(f"- and {len(rules) - len(lines)} more")
        yield "Rules that mention it:\n\n" + "\n".join(lines)


def linked(rule: str) -> str:
    """A rule's code in Markdown, as a link if its page has an address."""
    page = rule_page(rule)
    return f"[{rule}](<{page}>)" if page else rule


def _meaning(key: Key) -> str:
    place = full_key(key.section, key.name)
    return key.reader.framework.knowledge.meaning(place)


def _type(key: Key) -> str:
    words = key.words()
    return f"Takes {plain(words)}." if words else ""


def _default(key: Key) -> str:
    default = _default_value(key)
    return "" if default is MISSING else f"Default: {code(flow(default))}"


def _default_value(key: Key) -> Any:
    """The default of a key in a release; MISSING if that is not known."""
    framework, target = key.reader.framework, key.reader.run.target
    if "." in framework.kind:
        return default_of(framework, target)(key.section, key.name)
    known = target.release in framework.releases.versions
    reading = framework.readings.reading(target) if known else None
    if reading is not None:
        plugins = frozenset([key.info.plugin] if key.info.plugin else [])
        field = reading.fields(plugins).section(key.section).get(key.name)
        default = MISSING if field is None else field.default
    else:
        name = full_key(key.section, key.name)
        default = framework.keys.defaults.get(name, MISSING)
    computed = default is UNKNOWN or default in NO_DEFAULTS
    return MISSING if computed else default


def _history(key: Key) -> str:
    framework, info = key.reader.framework, key.info
    parts = []
    if info.since != framework.releases.versions[0]:
        with_package = " " in info.since
        parts.append(
            f"since {info.since if with_package else f'{framework.packages[0]} {info.since}'}"
        )
    if info.removed:
        parts.append(f"removed in {info.removed}")
    if key.standing.plugin:
        parts.append(f"read when the plugin {key.standing.plugin} is listed")
    if info.rename:
        parts.append(f"now called {code(info.rename)}")
    history = ", ".join(parts)
    return history[:1].upper() + history[1:] + "." if history else ""


def _here(reader: KeyReader, path: Path) -> str:
    """The effective value of the key in a sentence; empty if it is not known."""
    run, framework = reader.run, reader.framework
    known = run.target.release in framework.releases.versions
    if reader.at or not known or run.target.foreign_version:
        return ""
    try:
        found = resolve(run.document, framework, run.target, run.around)
    except NotDeterminedError:
        return ""
    release = f"{framework.title} {found.release}"
    if path in found.dropped:
        return f"{release} does not read it."
    for one in found.undecided:
        if one.path == path:
            needs = ", ".join(option_for(fact) for fact in one.needs)
            return f"In {release} it depends on {needs}: {plain(one.reason)}."
    for entry in found.entries:
        if entry.path == path:
            because = f" ({plain(entry.reason)})" if entry.reason else ""
            return f"In {release} it is {code(flow(entry.value))} here{because}."
    return ""


def code(text: str) -> str:
    """A text as a code span in Markdown, backquotes in it included."""
    shown = visible(text)
    shown = shown if len(shown) <= _LONGEST_VALUE else f"{shown[:_LONGEST_VALUE]}…"
    longest = max((len(ticks) for ticks in re.findall("`+", shown)), default=0)
    fence = "`" * (longest + 1)
    space = " " if longest or not shown.strip() else ""
    return f"{fence}{space}{shown}{space}{fence}"


def plain(text: str) -> str:
    """A text of a rule or table in Markdown: backquotes mean code, all other markup is escaped."""
    parts = visible(text).split("`")
    escaped = [re.sub(r"([\\*_\[\]<>#|~])", r"\\\1", part) for part in parts[::2]]
    out = "".join(
        part if index == 0 else f"{code(parts[2 * index - 1])}{part}"
        for index, part in enumerate(escaped)
    )
    return out + (f"`{parts[-1]}" if len(parts) % 2 == 0 else "")


def without_markup(text: str) -> str:
    """The same for an editor that shows no Markdown."""
    text = re.sub(r"\[(\w+)\]\(<[^<>]*>\)", r"\1", text)
    return re.sub(r"\\(.)", r"\1", re.sub(r"\*\*|`+", "", text))
