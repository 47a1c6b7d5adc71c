"""The settings that apply to one file, and what it is checked for, each with where it comes from."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from cfglint.base.type_names import Any
from cfglint.engine.settings.nearest import Settings
from cfglint.engine.settings.selectors import covers, matches
from cfglint.environment.below import unstated_below
from cfglint.environment.environment import Environment
from cfglint.environment.project.project import Project
from cfglint.report.escaping import visible, visible_path
from cfglint.report.target import implied_versions, release_described

#: Setting -> its default, in words: what applies when no settings file sets it.
_DEFAULTS = {
    "target": "as the project states, else the newest known release",
    "as-of": "today",
    "gpus": "as the project states",
    "gpu": "as the project states",
    "select": "every rule",
    "extend-select": "none",
    "ignore": "none",
    "preview": "no",
    "fail-on": "error",
    "min-severity": "note",
    "min-confidence": "low, and medium for notes",
    "show-fixes": "no",
    "exclude": "none",
    "force-exclude": "no",
    "rules": "only those of cfglint",
    "baseline": "none",
}
#: How a release is known that no file around the config states.
_WEAK = "weak: nothing else states it"


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


def render_target(target: Environment, project: Project | None) -> str:
    """A line for each version and piece of hardware that a file is checked for, and for what lost.

    Args:
        project: the files around it, if they state anything.
    """
    rows = [*_of_target(target), *(_outweighed(target, project) if project is not None else ())]
    width = min(max(len(left) for left, _ in rows), 60)
    lines = [f"  {visible(left):{width}}  {visible(right)}" for left, right in rows]
    return "\n".join(["Checked for", *lines]) + "\n"


def _of_target(target: Environment) -> Iterator[tuple[str, str]]:
    framework = target.releases.package
    release, _, origin = release_described(target).partition(" (")
    own = target.pins.get(framework)
    is_weak = own is not None and own.weak
    how = _WEAK if is_weak else "assumed" if target.assumed else "stated"
    yield release, f"{origin.removesuffix(')')} ({how})"
    lower = {one.package: one for one in unstated_below(target)}
    for name, one in lower.items():
        whose = f"for classes of {one.above} {one.release}" if name == framework else one.origin
        yield f"{name} {one.version}", f"{whose} (assumed)"
    for name, pin in target.pins.items():
        if name != framework and name not in lower:
            how = "follows from it" if pin.implied else "stated" if pin.version else "a range"
            how = _WEAK if pin.weak else how
            yield f"{name} {pin}", f"{pin.origin} ({how})"
    for name, version in implied_versions(target).items():
        yield f"{name} {version}", f"what {release} asks for"
    for name, fact in target.facts.items():
        if name in ("gpus", "gpu", "env.nodes"):
            how = "weak: it does not name the file" if fact.weak else "stated"
            yield f"{name.removeprefix('env.')} {fact.value}", f"{fact.origin} ({how})"


def _outweighed(target: Environment, project: Project) -> Iterator[tuple[str, str]]:
    """What files state as well, and why it does not count."""
    framework = target.releases.package
    for source in project.sources:
        if project.is_other_environment(source):
            why = f"an environment without {framework}"
            yield f"not used: {source.name}", f"{project.path(source.path)} ({why})"
            continue
        for statement in source.statements:
            used = project.statements.get(statement.package)
            if used is None or statement.conditional or statement == used:
                continue
            if (statement.version, statement.spec) == (used.version, used.spec):
                continue
            written = statement.version or statement.spec
            if written is None or statement.package not in target.pins:
                continue
            yield (
                f"not used: {statement.package} {written}",
                f"{project.name(statement.place)} (outweighed by {project.name(used.place)})",
            )


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
