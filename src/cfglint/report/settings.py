"""The settings that apply to one file, each with the settings file that it comes from."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from cfglint.base.type_names import Any
from cfglint.engine.selectors import covers, matches
from cfglint.engine.settings import Settings
from cfglint.report.escaping import visible, visible_path

#: Setting -> its default, in words: what applies when no settings file sets it.
_DEFAULTS = {
    "target": "as the project states, else the newest known release",
    "gpus": "as the project states",
    "gpu": "as the project states",
    "select": "every rule",
    "ignore": "none",
    "fail-on": "error",
    "min-confidence": "low, and medium for notes",
    "show-fixes": "no",
    "exclude": "none",
    "rules": "only those of cfglint",
    "baseline": "none",
}


def render(settings: Settings, path: str, name_of: Callable[[str], str]) -> str:
    """A line for each setting.

    Args:
        path: the file that they apply to.
        name_of: what a settings file is called in the report.
    """

    def file_name(source: str | None) -> str:
        return visible_path(name_of(source)) if source is not None else ""

    lines = [f"Settings for {visible_path(path)}"]
    if settings.origin is None:
        lines.append("No settings file applies to it.")
    else:
        chain = [file_name(file) for file in (settings.origin, *settings.extended)]
        lines.append(f"from {', which extends '.join(chain)}")
    rows = [*_plain(settings), *_of_rules(settings, path), *_of_schemas(settings, path)]
    width = min(max(len(left) for left, _, _ in rows), 60)
    for left, source, note in rows:
        right = file_name(source) if source is not None else "default"
        lines.append(f"  {left:{width}}  {right}{f' ({note})' if note else ''}")
    if settings.excludes(path):
        lines.append("`exclude` skips it when it is found in a folder.")
    return "\n".join(lines) + "\n"


def _plain(settings: Settings) -> Iterator[tuple[str, str | None, str]]:
    """Rows of (setting, its settings file, note)."""
    origins = dict(settings.sources)
    for name, default in _DEFAULTS.items():
        value = getattr(settings, name.replace("-", "_"))
        if name in origins:
            yield f"{name} = {_value(value)}", origins[name], ""
        else:
            yield f"{name}: {default}", None, ""


def _of_rules(settings: Settings, path: str) -> Iterator[tuple[str, str | None, str]]:
    for row in settings.per_file_ignores:
        note = "" if covers(row, path) else "does not match this file"
        text = f"per-file-ignores: {_value(row.pattern)} = {_value(row.rules)}"
        yield text, row.origin, note
    for one in settings.severity:
        yield f"severity: {visible(one.rule)} = {_value(one.severity)}", one.origin, ""


def _of_schemas(settings: Settings, path: str) -> Iterator[tuple[str, str | None, str]]:
    for one in settings.schemas:
        limits = {"files": one.files, "framework": one.framework, "at": one.at}
        more = "".join(f", {name} = {_value(value)}" for name, value in limits.items() if value)
        note = (
            ""
            if not one.files or matches(one.files, one.origin, path)
            else "does not match this file"
        )
        yield f"schemas: {_value(one.schema)}{more}", one.origin, note


def _value(value: Any) -> str:
    """A value as TOML has it."""
    return visible(json.dumps(value, ensure_ascii=False))
