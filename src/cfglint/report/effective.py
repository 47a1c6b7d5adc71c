"""The configuration that a release ends up with, as YAML with its reasons or as JSON."""

from __future__ import annotations

import math

import yaml

import cfglint
from cfglint.base.type_names import Any
from cfglint.effective.resolve import EffectiveValue, Made, Undecided
from cfglint.engine.needs import option_for
from cfglint.engine.paths import shown_path
from cfglint.report.escaping import visible
from cfglint.report.json_text import json_text
from cfglint.settings.layers import Setting
from cfglint.source.document import Document, Path, format_path

#: Raised when a member changes its meaning or goes away, not when one is added.
FORMAT_VERSION = 1
#: Facts that no option sets, in words.
_MACHINE = {
    "account": "the account on the hub",
    "chance": "what is drawn at random",
    "clock": "the time and the host of the run",
    "code": "what the code of the release does beside its settings",
    "cpus": "the number of CPU cores",
    "home": "the home directory of the run",
    "loggers": "the packages that are installed",
    "named_file": "the contents of the file",
    "output": "the contents of output_dir",
    "rank": "the process",
    "script": "what the script is given, or computes",
}


def render_yaml(made: Made, name: str) -> str:
    """YAML that the framework reads as the same configuration, with the reason of each added value."""
    found, framework = made.found, made.release
    lines = [f"# What {framework} ({made.release_origin}) makes of {visible(name)}"]
    if made.refused:
        lines.append(
            "# It refuses this file (`cfglint check` says why); these are the values so far."
        )
    notes = {one.path: note for one in found.entries if (note := note_on(one, name)) is not None}
    lines += _mapping(found.data, (), notes)
    if found.undecided:
        lines.append("# Not known here:")
        for one in found.undecided:
            needs = ", ".join(fact_name(fact) for fact in one.needs)
            lines.append(f"#   {visible(format_path(one.path))}: depends on {needs} ({one.reason})")
    if found.dropped:
        lines.append(f"# Not read by {framework}:")
        lines += [f"#   {visible(format_path(path))}" for path in found.dropped]
    return "\n".join(lines) + "\n"


def render_json(made: Made, document: Document, name: str) -> str:
    """One JSON object; ASCII only, so that nothing in it can steer a terminal."""
    found = made.found
    return dumped(
        {
            "version": FORMAT_VERSION,
            "tool": {"name": "cfglint", "version": cfglint.__version__},
            "target": {made.package: {"version": found.release, "from": made.release_origin}},
            "path": name,
            "refused": made.refused,
            "values": {
                format_path(one.path): entry_data(one, document, name) for one in found.entries
            },
            "undecided": {format_path(one.path): undecided_data(one) for one in found.undecided},
            "unread": [format_path(path) for path in found.dropped],
        }
    )


def note_on(entry: EffectiveValue, name: str) -> str | None:
    """Why a value is what it is, and its source if that is not the file itself; None without a reason.

    Args:
        name: what the file is called.
    """
    written, setting = "", entry.setting
    if setting is not None and setting.place.file is not None:
        file = setting.place.file
        line = file.source.position(setting.place.span.start).line
        written = f"{shown_path(file.path, name)} line {line}"
        if setting.over:
            written += f", in place of {one_line(setting.over[0].value)}"
    return "; ".join(part for part in (written, entry.reason) if part) or None


def entry_data(entry: EffectiveValue, document: Document, name: str) -> dict[str, Any]:
    """A value for programs, with its line in the file and its source.

    Args:
        document: the file.
        name: what it is called.
    """
    setting, line = entry.setting, None
    if setting is not None and setting.place.file is None:
        line = document.source.position(setting.place.span.start).line
    return {
        "value": _plain(entry.value),
        "line": line,
        "reason": entry.reason,
        "writer": _writer(entry, document, name),
    }


def _writer(entry: EffectiveValue, document: Document, name: str) -> dict[str, Any]:
    """The source of a value, its place there, and the value that it overrides."""
    setting = entry.setting
    if entry.is_default or setting is None:
        return {"kind": "default" if entry.is_default else "framework"}
    data: dict[str, Any] = {
        "kind": setting.writer.kind,
        **_place(setting, document, name),
    }
    if setting.over:
        data["over"] = [
            {"value": _plain(one.value), **_place(one, document, name)} for one in setting.over
        ]
    return data


def _place(setting: Setting, document: Document, name: str) -> dict[str, Any]:
    """The file and the line in which a value is written."""
    file = setting.place.file
    source = document.source if file is None else file.source
    return {
        "path": name if file is None else shown_path(file.path, name),
        "line": source.position(setting.place.span.start).line,
    }


def undecided_data(one: Undecided) -> dict[str, Any]:
    """What a value that is not known depends on, for programs."""
    return {"needs": list(one.needs), "reason": one.reason}


def dumped(report: dict[str, Any]) -> str:
    """A report as JSON."""
    # Some CI runners execute `##[command]` anywhere in their log.
    return json_text(report) + "\n"


def _mapping(table: dict[Any, Any], path: Path, notes: dict[Path, str]) -> list[str]:
    lines: list[str] = []
    for key, value in table.items():
        lines += _entry(f"{_scalar(key)}:", value, (*path, key), notes)
    return lines


def _entry(head: str, value: Any, path: Path, notes: dict[Path, str]) -> list[str]:
    noted = notes.get(path)
    note = f"  # {visible(noted)}" if noted is not None else ""
    if isinstance(value, dict) and value:
        return [f"{head}{note}", *("  " + line for line in _mapping(value, path, notes))]
    if isinstance(value, list) and value:
        lines = [f"{head}{note}"]
        for index, item in enumerate(value):
            lines += _item(item, (*path, index), notes)
        return lines
    return [f"{head} {_scalar(value)}{note}"]


def _item(item: Any, path: Path, notes: dict[Path, str]) -> list[str]:
    if isinstance(item, dict) and item:
        lines = _mapping(item, path, notes)
        return [f"  - {lines[0]}", *("    " + line for line in lines[1:])]
    if isinstance(item, list) and item:
        lines = [line for i, part in enumerate(item) for line in _item(part, (*path, i), notes)]
        return ["  -", *("  " + line for line in lines)]
    return [f"  - {_scalar(item)}"]


def _scalar(value: Any) -> str:
    """A scalar as YAML on one line, control characters escaped."""
    if isinstance(value, (dict, list)):
        return "{}" if isinstance(value, dict) else "[]"
    return one_line(value)


def one_line(value: Any) -> str:
    """A value as YAML on one line, control characters escaped."""
    style = None
    if isinstance(value, str) and visible(value) != value:
        style = '"'
    text = yaml.safe_dump(
        value,
        default_style=style,
        default_flow_style=True,
        allow_unicode=style is None,
        width=math.inf,
    )
    return text.removesuffix("\n").removesuffix("\n...").replace("##", "#\\x23" if style else "##")


def _plain(value: Any) -> Any:
    """The value with everything that JSON cannot represent as text."""
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)


def fact_name(fact: str) -> str:
    """The name of a fact, or the option that sets it."""
    return _MACHINE.get(fact) or option_for(fact)
