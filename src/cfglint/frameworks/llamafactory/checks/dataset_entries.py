"""What is wrong with the entries of `dataset_info.json`.

Of a config, those that it names: the run ends then. Of the list itself, all entries; what is wrong with
one that no run may use is a warning at most.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from cfglint.base.record import Record
from cfglint.base.shortened import shortened
from cfglint.base.spelling import Guess, Speller
from cfglint.base.type_names import Any
from cfglint.checks.context import CheckContext, Hit, Repair
from cfglint.diagnostic import OtherFile, SeverityName
from cfglint.environment.named_files import named_document
from cfglint.fixes.actions import SetValue
from cfglint.frameworks.for_files import for_path
from cfglint.frameworks.llamafactory.datasets import (
    MAX_BYTES,
    TABLE_SINCE,
    Attributes,
    attributes,
    formats,
    list_path,
    named_datasets,
    sources,
)
from cfglint.frameworks.llamafactory.layout import DATASETS
from cfglint.frameworks.llamafactory.own_code import LLaMAFactoryOwnCode
from cfglint.frameworks.llamafactory.own_copy import copy_around
from cfglint.knowledge.keys.release_keys import ReleaseKeys
from cfglint.source.document import Document, Mapping, Path
from cfglint.source.languages.named import language
from cfglint.source.text import Span
from cfglint.source.values import to_python

#: The first release whose converters are followed.
_FOLLOWED_SINCE = "0.8.0"
#: So many entries are looked at.
_MAX_ENTRIES = 2_000


class Listed(Record):
    """An entry of a list of datasets."""

    name: str
    #: The list, and the file that it is when that is not the one that is checked.
    document: Document
    file: OtherFile | None
    #: The folder of the list, which the paths in it are relative to; None when it is not known.
    folder: str | None
    settings: dict[Any, Any]
    attributes: Attributes
    keys: ReleaseKeys
    #: The project's own copy of LLaMA-Factory converts it, in a way that is not known.
    has_own_format: bool

    @property
    def is_used(self) -> bool:
        """Whether a config names it, so that a run ends with it."""
        return self.file is not None

    @property
    def severity(self) -> SeverityName:
        return "error" if self.is_used else "warning"

    def hit(
        self,
        inner: Path,
        params: dict[str, Any],
        *,
        severity: SeverityName | None = None,
        repairs: tuple[Repair, ...] = (),
    ) -> Hit:
        """A finding at a key of the entry, or at its name if it lacks the key."""
        params = {"dataset": shortened(self.name, 80), **params}
        severity = severity or self.severity
        for length in range(len(inner), -1, -1):
            path = (self.name, *inner[:length])
            span = self.document.span(path)
            if span is not None:
                break
        else:
            path, span = (self.name,), Span(0, 0)
        if self.file is not None:
            return Hit((), span, params, severity=severity, file=self.file)
        return Hit(path, span, params, severity=severity, repairs=repairs)


def listed(ctx: CheckContext) -> list[Listed]:
    """The entries to look at: of a config those that it names, of the list all."""
    return ctx.once("listed datasets", lambda: list(_listed(ctx)))


def _listed(ctx: CheckContext) -> Iterator[Listed]:
    document, file, folder = ctx.document, None, ctx.around.folder
    names = [entry.name for entry in document.root.entries[:_MAX_ENTRIES] if entry.name]
    framework = ctx.framework
    if framework.kind != DATASETS:
        path = list_path(ctx.document, ctx.around)
        known = path and named_document(path, language("json"), ctx.around, MAX_BYTES)
        if not path or not isinstance(known, Document):
            return
        names = list(dict.fromkeys(name for _, name in named_datasets(ctx.document)))
        document, file, folder = known, OtherFile(path, known.source), os.path.dirname(path)
        framework = for_path(framework, path)
    keys = framework.release_keys(ctx.target.release)
    for name in names:
        node = document.node((name,))
        if isinstance(node, Mapping):
            settings = to_python(node)
            found = attributes(settings, keys)
            own = _is_own_format(ctx, found.formatting, formats(keys))
            yield Listed(name, document, file, folder, settings, found, keys, own)


def _is_own_format(ctx: CheckContext, formatting: Any, known: tuple[Any, ...]) -> bool:
    own_code = ctx.framework.own_code
    if not known or formatting in known or not isinstance(own_code, LLaMAFactoryOwnCode):
        return False
    return own_code.converts(formatting, known, ctx)


def without_source(ctx: CheckContext) -> Iterator[Hit]:
    """An entry that does not say where its data is."""
    for entry in listed(ctx):
        if entry.attributes.source is not None or _has_own_key(ctx, entry):
            continue
        known = sources(entry.keys)
        if not known:
            continue  # of a release before all known ones
        speller = Speller(known)
        meant: list[tuple[Any, Guess]] = [
            (key, guess)
            for key in entry.settings
            if isinstance(key, str) and (guess := speller.closest(key)) is not None
        ]
        if meant and not entry.is_used:
            continue  # the misspelt key is reported
        hint = f" `{shortened(meant[0][0], 40)}` is probably `{meant[0][1].name}`." if meant else ""
        inner = (meant[0][0],) if meant else ()
        one_of = ", ".join(f"`{name}`" for name in known)
        yield entry.hit(inner, {"sources": one_of, "hint": hint})


def _has_own_key(ctx: CheckContext, entry: Listed) -> bool:
    """Whether an entry has a key that the project's own copy of LLaMA-Factory adds: it may be the place."""
    copy, known = copy_around(ctx.around), entry.keys.section("*")
    return any(
        isinstance(key, str)
        and copy.has_in_lists(key)
        and (known is None or known[key].info is None)
        for key in entry.settings
    )


def unknown_format(ctx: CheckContext) -> Iterator[Hit]:
    """A format that the release has no converter for."""
    for entry in listed(ctx):
        written, known = entry.attributes.formatting, formats(entry.keys)
        if written in known or not known or entry.has_own_format:
            continue
        shown = f"`{shortened(str(written), 40)}`"
        refused = entry.keys.released(TABLE_SINCE)
        effect = "refuses it" if refused else "reads it as `sharegpt`"
        names = [str(name) for name in known]
        guess = Speller(names).closest(written) if isinstance(written, str) else None
        hint = ""
        repairs: tuple[Repair, ...] = ()
        if guess is not None:
            hint = f" Did you mean `{guess.name}`?"
            action = SetValue((entry.name, "formatting"), guess.name)
            safety = "safe" if guess.sure and refused else "unsafe"
            repairs = (Repair(f"Use {guess.name}", safety, (action,)),)
        params = {
            "format": shown,
            "effect": effect,
            "known": ", ".join(f"`{name}`" for name in names),
            "hint": hint,
        }
        severity = entry.severity if refused else "warning"
        yield entry.hit(("formatting",), params, severity=severity, repairs=repairs)


def nothing_to_read(ctx: CheckContext) -> Iterator[Hit]:
    """A column or a tag that the converter looks up, and the entry leaves without a name.

    `columns` and `tags` replace all defaults, not only those of the names in them.
    """
    if not ctx.since(_FOLLOWED_SINCE):
        return
    for entry in listed(ctx):
        if not entry.is_used or entry.has_own_format:
            continue  # the list that LLaMA-Factory ships has such entries, which no run uses
        for section, name in _looked_up(entry):
            written = entry.settings.get(section)
            why = (
                f"`{section}` replaces all defaults, and does not have it"
                if isinstance(written, dict)
                else f"`{section}` does not have it"
            )
            if isinstance(written, (dict, type(None))):
                yield entry.hit((section,), {"name": f"{section}.{name}", "why": why})
                break


def _looked_up(entry: Listed) -> Iterator[tuple[str, str]]:
    """(section, name) of what the converter looks up although the entry has no name for it."""
    names, formatting = entry.attributes.names, entry.attributes.formatting
    if formatting == "alpaca":
        conversation = False
    elif formatting in formats(entry.keys) or not entry.keys.released(TABLE_SINCE):
        conversation = True
    else:
        return
    if conversation and names["messages"] is None:
        yield "columns", "messages"
    if conversation:
        for name in ("role_tag", "content_tag"):
            if names[name] is None:
                yield "tags", name
    if names.get("kto_tag") and not conversation and names["response"] is None:
        yield "columns", "response"
    if entry.attributes.ranking is True and not names.get("kto_tag"):
        for name in ("chosen", "rejected"):
            if names.get(name) is None:
                yield "columns", name


#: What people call a setting of an entry -> its name.
_OTHER_NAMES = {
    "format": "formatting",
    "type": "formatting",
    "style": "formatting",
    "columns.instruction": "columns.prompt",
    "columns.input": "columns.query",
    "columns.output": "columns.response",
    "columns.conversations": "columns.messages",
    "columns.image": "columns.images",
    "columns.video": "columns.videos",
    "columns.role_tag": "tags.role_tag",
    "columns.content_tag": "tags.content_tag",
    "tags.role": "tags.role_tag",
    "tags.content": "tags.content_tag",
}


#: The kinds of rows besides the one by default.
_KINDS = ("sharegpt", "openai")


def under_another_name(ctx: CheckContext) -> Iterator[Hit]:
    """A setting of an entry under a name that is not read, where the right one is not written."""
    for entry in listed(ctx):
        if not entry.is_used or entry.has_own_format:
            continue
        found = [
            (wrong, right)
            for wrong, right in _OTHER_NAMES.items()
            if _has(entry, wrong)
            and not _has(entry, right)
            # The default, or no kind of rows: `json` is that of a file.
            and not (right == "formatting" and entry.settings[wrong] not in _KINDS)
        ]
        if found:
            pairs = ", ".join(f"`{right}` for `{wrong}`" for wrong, right in found)
            names = ", ".join(f"`{wrong}`" for wrong, _ in found)
            yield entry.hit(tuple(found[0][0].split(".")), {"pairs": pairs, "names": names})


def _has(entry: Listed, dotted: str) -> bool:
    section, _, name = dotted.rpartition(".")
    place = entry.settings.get(section) if section else entry.settings
    return isinstance(place, dict) and name in place


CHECKS = {
    "dataset-setting-under-another-name": under_another_name,
    "dataset-without-source": without_source,
    "dataset-of-unknown-format": unknown_format,
    "dataset-column-without-name": nothing_to_read,
}
