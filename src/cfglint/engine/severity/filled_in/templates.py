"""Templates: files whose values a program or a person fills in before a run reads them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from functools import cache, partial

from cfglint.base.lazy import lazy_pattern
from cfglint.checks.context import Hit
from cfglint.checks.written_keys import is_null
from cfglint.diagnostic import Diagnostic
from cfglint.engine.checked_document import CheckedDocument
from cfglint.source.document import (
    Document,
    Entry,
    Mapping,
    Node,
    Path,
    Scalar,
    Sequence,
    format_path,
)
from cfglint.source.languages.shell import command_of
from cfglint.source.shell_blanks import is_blank
from cfglint.source.text import Span

#: The rule of the note that takes the place of what is found at placeholders.
RULE = "unfilled-template"
#: A list of all options, written to copy from, leaves most of them without a value; a config that
#: trains leaves at most 25.
_MANY_WITHOUT_VALUE = 40
#: A file of which at least so many values, and half of all, are placeholders is filled in by a program.
_MANY_HOLES = 10
#: A text that can be nothing but a placeholder: `__MODEL__`, `<your-dataset>`, `{{ model }}`, `YOUR_PATH`,
#: `/path/to/model`, `[batch size]`, `<lr>`.
_PLACEHOLDER = lazy_pattern(
    r"__[A-Z][A-Z0-9_]*__|(?i:<your\b[^<>\n]{0,60}>)|\A\{\{\s*[\w.]{1,60}\s*\}\}\Z"
    r"|(?i:(?<![^\W_])your[-_/](?=\w)|(?:\A|/)path[-_/]to[-_/])"
    r"|\A(?:\[[A-Za-z][\w ./:-]{0,60}\]|<[A-Za-z][\w ./:-]{0,60}>|\$\{[A-Z][A-Z0-9_]{0,60}\})\Z"
)
#: What may be one in a file that is called a template: `CHAT_TEMPLATE`.
_IN_CAPITALS = lazy_pattern(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
#: Keys whose values may look like one: `pad_token: <pad>`.
_TOKEN = lazy_pattern(r"tokens?$")
#: What the authors of templates write into comments, so near behind the `#`.
_LATER = lazy_pattern(
    r"\b(?:(?:replaced|filled in|substituted|injected|set|added|appended) (?:at|during) run[- ]?time"
    r"|programmatically (?:append|add|set|fill|replace|inject)\w*)",
    re.IGNORECASE,
)
_NEAR = 200
#: What YAML takes for a list, or one with a mapping: `[your checkpoint, example: out/7]`.
_ASKING = lazy_pattern(r"\[[ \t]*your[ \t]", re.IGNORECASE)
#: `your …` of more words is a text for a model.
_MAX_WORDS = 6
_NAME = lazy_pattern(r"(?:^|[._-])(?:template|tmpl)$|^(?:template|tmpl)[._-]", re.IGNORECASE)

#: Rules about how an option is called, whatever its value is to be.
_OF_NAMES = frozenset({"ambiguous-abbreviation", "ambiguous-option"})


def as_template(diagnostics: list[Diagnostic], checked: CheckedDocument) -> list[Diagnostic]:
    """The findings, one note in the place of those about what a template leaves open.

    Without any other finding there is no note either, as it asks for nothing.
    """
    rule = checked.framework.knowledge.named(RULE)
    if not diagnostics or not checked.case.selection.has(rule.code, rule.name):
        return diagnostics
    document, around = checked.document, checked.around
    size, empty = len(document.root.entries), sum(map(is_null, document.root.entries))
    if empty >= max(_MANY_WITHOUT_VALUE, size / 2):
        params = {"reason": f"{empty} of its {size} keys have no value", "rest": "it"}
        return [checked.diagnostic(rule, Hit((), _start(document), params))]
    # A long value may have thousands of findings.
    is_hole = cache(partial(_is_hole, document, is_named=_is_named(around.path)))
    holes = {
        at: found.path
        for at, found in enumerate(diagnostics)
        if found.file is None and _is_of_value(found, document) and is_hole(found.path)
    }
    holes |= {at: diagnostics[at].path for at in _of_open_keys(diagnostics, document, is_hole)}
    gaps = [at for at, found in enumerate(diagnostics) if _is_gap(found, checked)]
    if not holes and not gaps:
        return diagnostics
    reason, span = _reason(document, around.path, list(holes.values()), look=bool(gaps))
    if not reason:
        return diagnostics
    kept = [found for at, found in enumerate(diagnostics) if at not in holes and at not in gaps]
    if not kept:
        return []
    params = {"reason": reason, "rest": "what is still to be filled in"}
    return [checked.diagnostic(rule, Hit((), span, params)), *kept]


def _of_open_keys(
    diagnostics: list[Diagnostic], document: Document, is_hole: Callable[[Path], bool]
) -> Iterator[int]:
    """The findings about keys, and sections, that a program fills in, where it does so with half of the file."""
    about = [
        at
        for at, found in enumerate(diagnostics)
        if found.severity == "warning" and found.file is None and found.path and not found.refuses
    ]
    leaves = (
        [path for path, _, node in document.walk() if isinstance(node, Scalar)] if about else []
    )
    open_leaves = {path for path in leaves if is_hole(path)}
    if len(open_leaves) < max(_MANY_HOLES, len(leaves) / 2):
        return
    for at in about:
        path = diagnostics[at].path
        below = [one for one in leaves if one[: len(path)] == path]
        if below and open_leaves.issuperset(below):
            yield at


def _is_of_value(found: Diagnostic, document: Document) -> bool:
    """Whether a finding is about the value at its place, not about the key; a note may be about the template."""
    entry = document.entry(found.path)
    is_key = entry is not None and found.span == entry.key.span
    return bool(found.path) and not is_key and found.severity != "note"


def _is_gap(found: Diagnostic, checked: CheckedDocument) -> bool:
    """Whether a finding is that something is missing in the file, which therefore does not start."""
    entry = checked.document.entry(found.path)
    if entry is not None and is_null(entry) and not _deletes(entry, checked.document):
        return found.rule_severity == "error"
    if not found.refuses or found.severity == "note":
        return False
    if not found.path:
        return found.name not in _OF_NAMES and not _is_of_word(found, checked.document)
    try:
        rule = checked.framework.knowledge.named(found.name)
    except KeyError:
        return False  # a step of migrations is about what is written
    # The first key that a reader would change is not there.
    return bool(rule.at) and "[]" not in rule.at[0] and checked.document.node(rule.at[0]) is None


def _deletes(entry: Entry, document: Document) -> bool:
    """Whether an entry is a word of Hydra that takes a key away: `~trainer.nnodes`."""
    command, at = command_of(document.root), entry.key.start
    is_hydra = command is not None and command.overrides is not None
    return is_hydra and "~" in document.text[max(0, at - 1) : at + 1]


def _is_of_word(found: Diagnostic, document: Document) -> bool:
    """Whether a finding is that a word cannot be read, which is there and is no placeholder."""
    command, program = command_of(document.root), document.entry(("program",))
    if command is None or command.overrides is None or program is None:
        return False
    written = document.text[found.span.start : found.span.end]
    behind = found.span.start > program.key.end
    return behind and "<" not in written and _PLACEHOLDER.search(written) is None


def _reason(document: Document, path: str, holes: list[Path], *, look: bool) -> tuple[str, Span]:
    """Why a file is a template, in words, and the place that shows it; empty if it is none.

    Args:
        holes: the places of placeholders that are known.
        look: look for others.
    """
    first = _start(document)
    if not holes and look:
        found = (place for place, _, _ in document.walk() if place and _is_hole(document, place))
        hole = next(found, None)
        holes = [] if hole is None else [hole]
    if holes:
        more = f" and {len(set(holes)) - 1} more" if len(set(holes)) > 1 else ""
        verb = "are placeholders" if more else "is a placeholder"
        name = format_path(holes[0])
        return f"`{name}`{more} {verb}", document.span(holes[0]) or first
    if document.language.structure == "calls":
        return "", first  # a program of that name is often about chat templates
    if _is_named(path):
        return "its name says so", first
    if _says_later(document.text):
        return "a comment says that it is filled in later", first
    return "", first


def _is_named(path: str) -> bool:
    """Whether a file is called a template."""
    name = os.path.basename(path)
    return _NAME.search(name.partition(".")[0]) is not None or ".template." in name


def _says_later(text: str) -> bool:
    """Whether a comment says that values are filled in later."""
    for phrase in _LATER.finditer(text):
        start = phrase.start()
        line = max(text.rfind("\n", 0, start) + 1, start - _NEAR - 1)
        if "#" in text[line:start]:
            return True
    return False


def _start(document: Document) -> Span:
    """The first key."""
    return document.root.entries[0].key.span if document.root.entries else Span(0, 0)


def _is_blank(item: Node) -> bool:
    """Whether an item of a list is a placeholder."""
    text = str(item.value) if isinstance(item, Scalar) else ""
    return _asks_for_own(text) or bool(_PLACEHOLDER.search(text))


def _asks_for_own(text: str) -> bool:
    """Whether a value is what the reader is to replace by one: `your image max pixels`, but no whole sentence."""
    words = text.lower().split()
    return (
        bool(words)
        and words[0] == "your"
        and len(words) <= _MAX_WORDS
        and words[-1][-1] not in ".!?:,"
    )


def _is_hole(document: Document, path: Path, *, is_named: bool = False) -> bool:
    """Whether a value is a placeholder.

    Args:
        is_named: the file is called a template.
    """
    node = document.node(path)
    if node is None:
        return False
    node = node.target()
    key = str(next((part for part in reversed(path) if isinstance(part, str)), ""))
    if isinstance(node, Mapping):
        # `bias: {bias}` is a mapping to YAML, and so is `split: {bias}` beside `output_dir: out/{bias}`.
        is_plain = node.flow and node.tag is None  # no `!!set {name}`
        only = node.entries[0] if len(node.entries) == 1 and is_plain else None
        value = only.value.target() if only is not None else None
        return (
            only is not None
            and (only.name == key or document.text.count(f"{{{only.name}}}") > 1)
            and isinstance(value, Scalar)
            and value.value is None
        )
    if isinstance(node, Sequence):
        # `lr: [your lr]` is a list to YAML, and an option may have several words.
        if node.flow and _ASKING.match(document.text, node.start, node.end):
            return True
        return bool(node.items) and all(_is_blank(item.target()) for item in node.items)
    text = node.value if isinstance(node, Scalar) else None
    if not isinstance(text, str) or not text or (text[0] == "<" and _TOKEN.search(key)):
        return False
    if (text == key.upper() and text != key and len(text) > 2) or (
        is_named and _IN_CAPITALS.fullmatch(text)
    ):
        return True
    if _asks_for_own(text) or (
        document.language.structure == "words" and is_blank(text, document.text)
    ):
        return True
    return (text.strip("{}$").lower() == key.lower() and text[-1] == "}") or bool(
        _PLACEHOLDER.search(text)
    )
