"""What the playground's editor asks while somebody writes: hover texts and completions."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any

from cfglint.server.completing import Proposal, first_proposals
from cfglint.server.cursor import cursors_at
from cfglint.server.hovering import hover
from cfglint.server.readable_texts import broken_at
from cfglint.server.snapshot import Snapshot
from cfglint.source.text import SourceText
from tools.playground.texts import Offsets, Texts


def hovered(asked: Mapping[str, Any]) -> dict[str, Any]:
    """What is known about the key at a place: paragraphs, and where the key is; empty without one.

    Args:
        asked: as for `Texts`, with `name` and `offset`.
    """
    snapshot, path = _asked_about(asked)
    run = snapshot.run(path)
    if run is None:
        return {}
    offsets = Offsets(run.document.source)
    found = hover(run, offsets.back(asked["offset"]))
    if found is None:
        return {}
    text, span = found
    return {"text": _plain(text), "from": offsets(span.start), "to": offsets(span.end)}


def completions(asked: Mapping[str, Any]) -> dict[str, Any]:
    """What may be written at a place: the part of the text that is replaced, and by what.

    Args:
        asked: as for `Texts`, with `name` and `offset`.
    """
    snapshot, path = _asked_about(asked)
    framework = snapshot.framework(path)
    if framework is None:
        return {}
    source = SourceText.from_str(snapshot.texts[path].text)
    offsets = Offsets(source)
    cursors = cursors_at(
        source.text,
        offsets.back(asked["offset"]),
        framework.language.structure,
        lambda text: snapshot.read(path, text),
        broken_at(framework),
    )
    first = first_proposals(cursors)
    if first is None:
        return {}
    cursor, every = first
    found = sorted(every, key=lambda one: one.rarely)
    span = {"from": offsets(cursor.span.start), "to": offsets(cursor.span.end)}
    return {**span, "proposals": [_proposal(one) for one in found]}


def _asked_about(asked: Mapping[str, Any]) -> tuple[Snapshot, str]:
    """All texts, and the path of the one that is asked about."""
    path = os.path.abspath(asked["name"])
    return Texts(asked).snapshot_of(path), path


def _proposal(one: Proposal) -> dict[str, Any]:
    return {
        "label": one.label,
        "text": one.text,
        "isKey": one.is_key,
        "detail": one.detail,
        "about": _plain(one.about),
    }


def _plain(text: str) -> str:
    """A text in which backquotes mean code, and nothing else means anything."""
    return re.sub(r"\\(.)", r"\1", text.replace("**", ""))
