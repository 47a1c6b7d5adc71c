"""Calls whose keywords have a value as long as the program is not given another one: `SFTConfig(learning_rate=args.lr)`.

What is wrong with such a value is a warning at most: a command, a variable, or another part of the project may replace it. It is
not reported where a script of the project starts the program with the option.
"""

from __future__ import annotations

import os

from cfglint.diagnostic import Diagnostic, Related, one_lowered
from cfglint.engine.checked_document import CheckedDocument
from cfglint.environment.surroundings import Surroundings
from cfglint.source.calls import Call, DefaultValue, call_of
from cfglint.source.document import Entry, Mapping


def with_defaults(checked: CheckedDocument) -> list[Diagnostic]:
    """The findings in a call as it is written, and further ones for the defaults of its keywords."""
    document = checked.document
    call = call_of(document.root)
    sure = checked.findings()
    defaults = () if call is None else _left(call, checked.around)
    if call is None or not defaults:
        return sure
    root = _filled(document.root, defaults)
    root.about = call.replaced(defaults=())
    filled = CheckedDocument(document.section(root), checked.case, checked.home_of)
    known = {(found.code, found.span) for found in sure}
    more = [found for found in filled.findings() if (found.code, found.span) not in known]
    return [*sure, *(_by_default(found, defaults) for found in more if found.severity != "note")]


def _left(call: Call, around: Surroundings) -> list[DefaultValue]:
    """The defaults that no script of the project replaces when it starts the program."""
    texts = _starting(around)
    return [one for one in call.defaults if not any(_is_in(one.name, text) for text in texts)]


def _starting(around: Surroundings) -> list[str]:
    """The scripts and pages of the project that name the program."""
    project, name = around.project, os.path.basename(around.path)
    if project is None or not name:
        return []
    texts = project.scripts_beside(around.path)
    return [text for text in texts if name in text or os.path.splitext(name)[0] in text]


def _is_in(name: str, text: str) -> bool:
    """Whether a text has an option or a variable, in one of its spellings."""
    bare = name.lstrip("-$")
    return bare in text or bare.replace("_", "-") in text


def _filled(root: Mapping, defaults: list[DefaultValue]) -> Mapping:
    """A call with the defaults for values."""
    values = {one.keyword: one.value for one in defaults}
    filled = Mapping(root.start, root.end, None, None, flow=True)
    filled.entries = [
        Entry(entry.key, values.get(entry.name or "", entry.value)) for entry in root.entries
    ]
    filled.settled = root.settled
    return filled


def _by_default(found: Diagnostic, defaults: list[DefaultValue]) -> Diagnostic:
    """A finding for values that may be replaced: nothing is repaired where they are used."""
    of = next((one for one in defaults if found.path[:1] == (one.keyword,)), defaults[0])
    message = f"{found.message} That is so by default: `{of.name}` may be given another value."
    why = Related(of.place, f"the default of `{of.name}`")
    return one_lowered(found).replaced(message=message, related=(*found.related, why), fixes=())
