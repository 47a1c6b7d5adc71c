"""All that is known about a finding's rule, or about a key: a page in Markdown that an editor shows."""

from __future__ import annotations

import os
import re
import tempfile

from cfglint.base.documentation import rule_page
from cfglint.engine.checked_document import CheckedDocument
from cfglint.knowledge.rules.knowledge import Knowledge
from cfglint.report.pages.rule_page import page_of
from cfglint.server.hovering import code, key_text, plain
from cfglint.source.document import Path, format_path
from cfglint.source.text import Span


def rule_text(name: str, knowledge: Knowledge) -> str | None:
    """The page of a rule, in Markdown; None when the framework has none of that code."""
    rule = next((rule for rule in knowledge.all_rules() if rule.code == name), None)
    if rule is None:
        return None
    page = page_of(rule, knowledge)
    address = rule_page(page.code)
    parts = [
        f"# {page.code} {page.name}",
        page.summary,
        " · ".join(page.facts),
        *(f"**{label}:** {text}" for label, text in page.lead),
        page.why.rstrip(),
    ]
    if page.fixes:
        parts += ["## Fix", "\n".join(f"- {fix}" for fix in page.fixes)]
    for example in page.examples:
        target = f" (with {plain(example.target)})" if example.target else ""
        language = "diff" if example.heading == "After the fix" else ""
        parts += [f"## {example.heading}{target}", _fenced(example.text, language)]
    if page.references:
        rows = (f"- {kind}: [{plain(title)}](<{url}>)" for kind, title, url in page.references)
        parts += ["## Evidence", "\n".join(rows)]
    parts += ["## Silencing it", page.silencing]
    if address:
        parts.append(f"[{page.code} in the documentation](<{address}>)")
    return "\n\n".join(parts) + "\n"


def _fenced(text: str, language: str) -> str:
    """A text as a block of code, backquotes in it included."""
    longest = max((len(ticks) for ticks in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def key_of(run: CheckedDocument, offset: int) -> Path | None:
    """The path of the key at an offset; None when there is none."""
    path = run.document.path_at(offset)
    while path and isinstance(path[-1], int):
        path = path[:-1]
    return path if run.document.entry(path) is not None else None


def explanation(run: CheckedDocument, subject: str) -> str | None:
    """The page of a rule by its code, or of a key of the text by its place (`datasets[0].type`)."""
    found = rule_text(subject, run.framework.knowledge)
    if found is not None:
        return found
    for path, entry, _ in run.document.walk():
        if entry is not None and format_path(path) == subject:
            text = key_text(run, path, every_rule=True)
            return None if text is None else f"# {code(subject)}\n\n{text}\n"
    return None


def touched_key(run: CheckedDocument, span: Span) -> str | None:
    """The place of the key that a cursor is at; None when no release has such a key."""
    path = key_of(run, span.start) if span.start == span.end else None
    if path is None or key_text(run, path) is None:
        return None
    return format_path(path)


class Pages:
    """Pages as files, for editors that show nothing else. They are removed when the server ends."""

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def written(self, subject: str, text: str) -> str:
        """The path of a page."""
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="cfglint-")
        name = re.sub(r"[^\w.-]", "_", subject)[:80]
        path = os.path.join(self._folder.name, f"{name}.md")
        with open(path, "w", encoding="utf-8", errors="replace") as file:
            file.write(text)
        return path
