"""Planners of configs that lie in a project of their own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from cfglint.engine.session import Options, Session
from cfglint.engine.settings.nearest import SettingsFinder
from cfglint.frameworks.for_files import for_document, variant
from cfglint.roles.framework import load_framework
from cfglint.runs.memory.planning import Planner
from cfglint.source.files.memory import InMemory
from cfglint.source.text import SourceText


def planner_of(
    framework: str,
    release: str,
    config: Mapping[str, Any],
    name: str = "train.yaml",
    *,
    script: bytes = b"",
    files: Mapping[str, bytes] | None = None,
) -> Planner:
    """The planner of a config for a release.

    Args:
        script: the launch script in the same folder.
        files: others in that folder.
    """
    path, text = f"run/{name}", json.dumps(config).encode()
    others = {f"run/{other}": data for other, data in (files or {}).items()}
    project = {"run/.git/HEAD": b"", path: text, "run/train.sh": script, **others}
    package = load_framework(framework).packages[0]
    options = Options(target=(f"{package}=={release}",))
    session = Session(options, SettingsFinder(files=InMemory(project)))
    found = session.framework(framework)
    document = found.language.read(SourceText.from_bytes(text))
    target, around = session.environment(found, session.settings(path), path)
    planner = for_document(found, document, around).readings.planner(document, target, around)
    assert planner is not None
    return planner


def planner_of_script(
    framework: str, release: str, text: str, files: Mapping[str, bytes] | None = None
) -> Planner | None:
    """The planner of a script's first command for a release; None where there is none for it.

    Args:
        files: others in its folder.
    """
    path = "run/train.sh"
    others = {f"run/{other}": data for other, data in (files or {}).items()}
    project = InMemory({"run/.git/HEAD": b"", path: text.encode(), **others})
    package = load_framework(framework).packages[0]
    session = Session(Options(target=(f"{package}=={release}",)), SettingsFinder(files=project))
    found = variant(session.framework(framework), language="shell")
    target, around = session.environment(found, session.settings(path), path)
    document = found.parsing.language_for(text, target, around).read(
        SourceText.from_bytes(text.encode())
    )
    return for_document(found, document, around).readings.planner(document, target, around)
