"""What is wrong with the chat templates that a config brings, in itself or in a file.

Imported only when a config brings one.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from cfglint.base.lazy import lazy_pattern
from cfglint.base.record import Record
from cfglint.base.type_names import Any
from cfglint.checks.context import CheckContext, Hit
from cfglint.diagnostic import OtherFile
from cfglint.source.document import Mapping, Path, Scalar, Sequence
from cfglint.source.files.nearby import Contents, Search, read, search
from cfglint.source.languages.jinja import MAX_CHARS, fault_in
from cfglint.source.text import Span

_KEY = "chat_template_jinja"
_LISTS = ("datasets", "test_datasets")
_SUFFIXES = (".jinja", ".jinja2", ".j2")
#: Before this release, a path was taken for the template itself.
_FILES_SINCE = "0.11.0"
_MESSAGES = lazy_pattern(r"\bmessages\b")


class Template(Record):
    """One `chat_template_jinja` that is in use."""

    path: Path
    node: Scalar
    #: The file that it names.
    contents: Contents | None
    #: Where its file was looked for, when it looks like a path.
    places: Search | None

    @property
    def text(self) -> str | None:
        """The template; None when it is in a file that is not there, or not readable."""
        if self.contents is not None:
            return None if self.contents.problem else self.contents.source.text
        return self.node.text if self.places is None else None


def broken(ctx: CheckContext) -> Iterator[Hit]:
    """A template that cannot be compiled."""
    for template in _templates(ctx):
        text = template.text
        fault = fault_in(text) if text is not None else None
        if fault is None or text is None:
            continue
        line = text.count("\n", 0, fault.offset) + 1
        params = {"problem": fault.problem, "where": _where(template, line)}
        if template.contents is not None:
            span = template.contents.source.line_span(line)
            span = Span(fault.offset, max(span.end, fault.offset))
            yield _in_file(template.contents, span, params)
        else:
            yield Hit(template.path, _inline_span(ctx, template, line), params)


def without_messages(ctx: CheckContext) -> Iterator[Hit]:
    """A template that does not look at the conversation."""
    for template in _templates(ctx):
        text = template.text
        if text is None or len(text) > MAX_CHARS or _MESSAGES.search(text):
            continue
        if template.contents is not None:
            yield _in_file(template.contents, Span(0, 0), {"where": _where(template, 1)})
        else:
            params = {"where": "This template"}
            yield Hit(template.path, ctx.span(template.path), params)


def missing_file(ctx: CheckContext) -> Iterator[Hit]:
    """A path that leads to no file, and so is the template itself."""
    for template in _templates(ctx):
        places = template.places
        if places is None or template.contents is not None or places.found:
            continue
        if places.missing_in is None:
            continue
        if not places.in_repository and not _is_below(places.missing_in, ctx.around.folder):
            continue
        params = {"file": template.node.text}
        yield Hit(template.path, ctx.span(template.path), params)


def _templates(ctx: CheckContext) -> list[Template]:
    return ctx.once("chat templates", lambda: list(_read(ctx)))


def _read(ctx: CheckContext) -> Iterator[Template]:
    root = ctx.document.root
    holders: list[tuple[Path, Mapping]] = [((), root)]
    for name in _LISTS:
        node = ctx.document.node((name,))
        if isinstance(node, Sequence):
            for index, item in enumerate(node.items[:200]):
                target = item.target()
                if isinstance(target, Mapping):
                    holders.append(((name, index), target))
    for path, holder in holders:
        value = _value(holder, _KEY)
        choice = _value(holder, "chat_template")
        if not isinstance(value, Scalar) or not isinstance(value.value, str) or not value.text:
            continue
        if isinstance(choice, Scalar) and choice.value not in (None, "", "jinja"):
            continue  # Another template was chosen, so this one is not used.
        yield _template(ctx, (*path, _KEY), value)


def _template(ctx: CheckContext, path: Path, node: Scalar) -> Template:
    text = node.text.strip()
    if "{" in text or "\n" in text or not text.lower().endswith(_SUFFIXES):
        return Template(path, node, None, None)
    folder = ctx.around.folder
    if folder is None or not ctx.since(_FILES_SINCE):
        return Template(path, node, None, Search((), None))
    files = ctx.around.files
    places = search(text, folder, files)
    contents = read(places.found[0], MAX_CHARS * 4, files) if len(places.found) == 1 else None
    return Template(path, node, contents, places)


def _value(holder: Mapping, key: str) -> Any:
    entry = holder.lookup.get(key)
    return entry.value.target() if entry is not None else None


def _where(template: Template, line: int) -> str:
    if template.contents is not None:
        return os.path.basename(template.contents.path)
    return f"The template, in its line {line}," if line > 1 else "The template"


def _inline_span(ctx: CheckContext, template: Template, line: int) -> Span:
    """The line of a literal block, or the whole entry."""
    node = template.node
    source, begin = ctx.document.text_at(node.start)
    if node.style == "|":
        number = source.position(node.start - begin).line + line
        if number <= source.line_count():
            span = source.line_span(number)
            text = source.text[span.start : span.end]
            indent = len(text) - len(text.lstrip())
            return Span(begin + span.start + indent, begin + span.end)
    return ctx.span(template.path)


def _in_file(contents: Contents, span: Span, params: dict[str, Any]) -> Hit:
    return Hit((), span, params, file=OtherFile(contents.path, contents.source))


def _is_below(path: str, folder: str | None) -> bool:
    return folder is not None and path.startswith(folder.rstrip(os.sep) + os.sep)


CHECKS = {
    "chat-template-broken": broken,
    "chat-template-missing": missing_file,
    "chat-template-without-messages": without_messages,
}
