"""Repairs of a run whose value is a word of a launch line: the word is changed where it is written.

A plan for the merged settings of a run would be about two files. One about keys that the words of its command
set is about the file of the command alone, and its edits count there.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from cfglint.base.lazy import lazy_pattern
from cfglint.base.type_names import Any
from cfglint.diagnostic import Edit
from cfglint.fixes import planning, refusal
from cfglint.fixes.actions import Action, DeleteKey, RenameKey, RewriteScalar, SetValue
from cfglint.fixes.override_drafts import removal
from cfglint.fixes.planning import Plan
from cfglint.fixes.refusal import Refusal
from cfglint.runs.settings.merged import LaidEntry, MergedSettings
from cfglint.source.document import Document, Path
from cfglint.source.languages.base import Unwritable
from cfglint.source.text import Span

#: `--optimizer=adamw`, `--optimizer adamw`, `lora_rank=16`: the name, and the value where it is one plain word.
_WORDS = lazy_pattern(
    r"(?:--)?(?P<name>[A-Za-z][\w.-]{0,200})"
    r"(?:(?:=|[ \t]+|[ \t]*\\\r?\n[ \t]*)(?P<quote>[\"']?)(?P<value>[^\s\"'`$\\;|&<>()]{1,2000})(?P=quote))?"
)
#: A text that every parser of options takes for itself, in a shell without quotes.
_PLAIN = lazy_pattern(r"(?!(?:true|false|yes|no|on|off|null|none)\Z)[A-Za-z_][\w./:@+-]{0,200}")
_SEVERAL_FILES = "The values are in several files."


class StartedRun(MergedSettings):
    """A config with the words of the command that starts it."""

    __slots__ = ()


def plan(document: Document, actions: Sequence[Action], *, after: Path | None = None) -> Plan:
    """As in `fixes.planning`; for the run of a command, the edits of its file that do what a finding asks for."""
    if isinstance(document, StartedRun):
        return _plan_in_words(document, actions)
    return planning.plan(document, actions, after=after)


def _plan_in_words(run: StartedRun, actions: Sequence[Action]) -> Plan:
    edits, paths = [], []
    try:
        for action in actions:
            if not isinstance(action, (SetValue, RewriteScalar, RenameKey, DeleteKey)):
                raise Refusal(_SEVERAL_FILES)
            edits.append(_edit(run, action))
            paths.append(action.path)
        if any(one.end > other.start for one, other in itertools.pairwise(edits)):
            raise Refusal("The steps of this fix are about the same words.")
    except Unwritable as reason:
        return Plan((), (), refused=str(reason))
    return Plan(tuple(edits), tuple(paths))


def _edit(run: StartedRun, action: SetValue | RewriteScalar | RenameKey | DeleteKey) -> Edit:
    text, span = _words(run, action.path)
    match = _WORDS.fullmatch(text, span.start, span.end)
    if match is None:
        raise Refusal("The option is not written in one piece.")
    if isinstance(action, DeleteKey):
        return removal(text, span.start, span.end)
    if isinstance(action, RenameKey):
        name = match["name"]
        at = match.start("name") + name.rfind(".") + 1
        own = text[at : match.end("name")]
        new = action.new_name
        return Edit(at, match.end("name"), new.replace("_", "-") if "-" in own else new)
    if match["value"] is None:
        raise refusal.not_a("an option with a value", action.path)
    value = action.value if isinstance(action, SetValue) else action.literal
    return Edit(*match.span("value"), _written(value, match["value"], run))


def _words(run: StartedRun, path: Path) -> tuple[str, Span]:
    """The text of the command's file, and where in it the words are that set a key.

    Raises:
        Refusal: the file of the config itself sets it, or nothing does.
    """
    entry = run.entry(path)
    if not isinstance(entry, LaidEntry):
        raise Refusal(_SEVERAL_FILES)
    place = run.place(entry.value.span)
    if place.file is None:
        raise Refusal(_SEVERAL_FILES)
    return place.file.source.text, place.span


def _written(value: Any, before: str, run: StartedRun) -> str:
    """A value as one word in the place of another.

    Raises:
        Refusal: not every parser would read it as the value.
    """
    if isinstance(value, bool):
        if before.lower() not in ("true", "false"):
            raise Refusal("The value is not written as a word.")
        word = str(value)
        return word if before[0].isupper() else word.lower()
    if isinstance(value, (int, float)):
        return run.language.render(value)
    if isinstance(value, str) and _PLAIN.fullmatch(value):
        return value
    raise Refusal("The value cannot be one plain word of a command.")
