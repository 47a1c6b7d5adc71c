"""What else the playground shows about the first file: what `effective`, `fit` and `migrate` print."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

from cfglint.api.migrating import Ends, migrated
from cfglint.cli.effective import effective_text
from cfglint.cli.fit import fit_text
from cfglint.engine.files_together.files_around import Around
from cfglint.engine.settings.nearest import SettingsFinder
from cfglint.report.formats.diff import render as patch
from cfglint.report.migration import MigratedFile, render
from cfglint.report.style import Style
from cfglint.source.text import BOM, MAX_BYTES
from tools.playground.texts import Texts

_PLAIN = Style(color=False)


def _name(texts: Texts) -> str:
    """The first file, as the report calls it."""
    return os.path.relpath(texts.paths[0])


def effective(asked: Mapping[str, Any]) -> dict[str, Any]:
    """The configuration that the framework makes of the first file, as YAML."""
    texts = Texts(asked)
    return {"text": effective_text(texts.first.session, _name(texts))}


def fit(asked: Mapping[str, Any]) -> dict[str, Any]:
    """How much memory a run certainly needs."""
    texts = Texts(asked)
    return {"text": fit_text(texts.first.session, _name(texts), _PLAIN)}


def migrate(asked: Mapping[str, Any]) -> dict[str, Any]:
    """The steps to another release, with all files as the steps that can be taken leave them.

    Args:
        asked: as for `Texts`; `to` is a release, the newest without it.
    """
    texts = Texts(asked)
    to = (asked["to"],) if asked.get("to") else ()
    stated = (asked["target"],) if asked.get("target") else ()
    finder = SettingsFinder(files=texts.snapshot.files)
    data = finder.files.read(texts.paths[0], MAX_BYTES + 1)
    ends = Ends(stated, to, asked.get("gpus"), finder)
    file = migrated(_name(texts), data, ends, unsafe=False)
    every: list[MigratedFile | Around] = [file, *file.around]
    return {
        "text": render([file], file.around, _PLAIN),
        "files": [
            {
                "name": os.path.relpath(one.path),
                "text": (BOM if one.fixed_source.bom else "") + one.fixed_source.text,
                "fixed": [],
                "patch": patch([one], for_terminal=True).splitlines(),
            }
            for one in every
            if one.fixed_source is not None
        ],
    }


VIEWS: dict[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    "effective": effective,
    "fit": fit,
    "migrate": migrate,
}
