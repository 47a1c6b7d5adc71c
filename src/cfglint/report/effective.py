"""The configuration that a release ends up with, as YAML with its reasons or as JSON."""

from __future__ import annotations

import math
import re

import yaml

import cfglint
from cfglint.answers.resolved.made import Made
from cfglint.answers.resolved.resolve import EffectiveValue, Part, Undecided
from cfglint.base.type_names import Any, Literal
from cfglint.diagnostic import Diagnostic
from cfglint.engine.needs import option_for
from cfglint.engine.paths import shown_path
from cfglint.report.escaping import visible
from cfglint.report.json_text import json_text
from cfglint.report.run import plural
from cfglint.report.style import Style
from cfglint.runs.settings.layers import Setting
from cfglint.source.document import Document, Path, format_path

#: Raised when a member changes its meaning or goes away, not when one is added.
FORMAT_VERSION = 1
PLAIN = Style(color=False)
#: How much is printed: only what differs from the file, that and what is as written, or defaults, too.
Detail = Literal["changed", "usual", "all"]
_TITLES: dict[Part, str] = {
    "changed": "Differs from the {subject}",
    "written": "As written",
    "default": "Defaults of {}",
}
_SHOWN: dict[Detail, tuple[Part, ...]] = {
    "changed": ("changed",),
    "usual": ("changed", "written"),
    "all": ("changed", "written", "default"),
}
#: Which values of a section that belongs to a part are printed beside those of the part.
_KEPT: dict[Detail, tuple[Part, ...]] = {
    "changed": (),
    "usual": ("changed", "written"),
    "all": ("changed", "written", "default"),
}
#: The reason at the end of a line; one of so many characters may be repeated.
_REASON = re.compile(r"  (?:\x1b\[[\d;]*m)?# (.*?)(?:\x1b\[0m)?$")
_SHORT_REASON = 30
#: So many reasons of a refusal are listed.
_MOST_REFUSALS = 3
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
    "program": "what the program is given, or computes",
    "script": "what the script is given, or computes",
}


def render_yaml(made: Made, name: str, detail: Detail = "usual", style: Style = PLAIN) -> str:
    """YAML that the framework reads as the same configuration, with the reason of each added value.

    What differs from the file comes first. Defaults of the release, which the framework would fill in
    again, are counted, or come last.
    """
    found, framework = made.found, made.release
    notes = {
        one.path: style.dim(f"# {visible(note)}")
        for one in found.entries
        if (note := note_on(one, name)) is not None
    }
    parts = {one.path: one.part for one in found.entries}
    lines = [style.bold(f"# What {framework} ({made.release_origin}) makes of {visible(name)}")]
    lines += refusal_lines(made, style)
    sections = {part: _sections(found.data, parts, part, detail) for part in _TITLES}
    for part, title in _TITLES.items():
        if sections[part] and part in _SHOWN[detail]:
            shown = title.format(framework, subject=made.subject)
            lines.append(style.dim(f"# {shown}:"))
            lines += without_repeats(_mapping(sections[part], (), notes), style)
    if not sections["changed"] and detail == "changed":
        lines.append(style.dim(f"# Nothing differs from the {made.subject}."))
    hidden = list(parts.values()).count("default")
    if hidden and detail == "usual":
        line = f"# {plural(hidden, 'more value')}, as {framework} has them by default (--all)."
        lines.append(style.dim(line))
    lines += [style.dim(line) for line in _unknown(made)]
    return "\n".join(lines) + "\n"


def without_repeats(lines: list[str], style: Style) -> list[str]:
    """The lines; a reason that is also that of the line before refers to it."""
    found, last = [], ""
    for line in lines:
        match = _REASON.search(line)
        reason = "" if match is None else match.group()
        repeats = match is not None and reason == last and len(match[1]) > _SHORT_REASON
        end = f"  {style.dim('# as above')}"
        found.append(f"{line[: -len(reason)]}{end}" if repeats else line)
        last = reason
    return found


def refusal_lines(made: Made, style: Style) -> list[str]:
    """Comments: why a release refuses the file, if it does."""
    if not made.refused:
        return []
    what = "calls of this program" if made.subject == "program" else f"this {made.subject}"
    line = f"# {made.release} refuses {what}; these are its values so far."
    lines = [style.severity(line, "error")]
    for one in made.refusals[:_MOST_REFUSALS]:
        where = "" if one.line is None else f"line {one.line}: "
        lines.append(f"#   {where}{one.code} {visible(_sentence(one.message))}")
    more = len(made.refusals) - _MOST_REFUSALS
    if more > 0:
        lines.append(f"#   and {more} more (`cfglint check` lists them)")
    return lines


def _sentence(message: str) -> str:
    """The first sentence of a message."""
    first = message.partition(". ")[0]
    return first if first == message else f"{first}."


def _sections(
    data: dict[Any, Any], parts: dict[Path, Part], part: Part, detail: Detail
) -> dict[Any, Any]:
    """The keys of the configuration that belong to a part, each in one part alone.

    A section belongs where the most notable of its values does: to what differs from the file, or
    else to what is as written.
    """
    found: dict[Any, Any] = {}
    for key, value in data.items():
        inside = {path: where for path, where in parts.items() if path[0] == key}
        if part != next((one for one in _TITLES if one in inside.values()), "default"):
            continue
        kept = {path for path, where in inside.items() if where in _KEPT[detail] or where == part}
        shown = _only(value, (key,), kept)
        if shown not in (None, {}, []) or (key,) in kept:
            found[key] = shown
    return found


def _only(value: Any, path: Path, kept: set[Path]) -> Any:
    """The nested values at some paths; mappings without any are left out."""
    if path in kept:
        return value
    if isinstance(value, dict):
        named = {key: _only(item, (*path, key), kept) for key, item in value.items()}
        return {
            key: item
            for key, item in named.items()
            if item not in (None, {}, []) or (*path, key) in kept
        }
    if isinstance(value, list):
        inner = [_only(item, (*path, index), kept) for index, item in enumerate(value)]
        if all(item in (None, {}, []) and (*path, at) not in kept for at, item in enumerate(inner)):
            return None
        # Each item keeps its place: one without a shown value is kept as it is.
        return [value[at] if item is None else item for at, item in enumerate(inner)]
    return None


def _unknown(made: Made) -> list[str]:
    """Comments: what depends on facts that are not known, and what the release does not read."""
    found, lines = made.found, []
    if found.undecided:
        lines.append("# Not known here:")
        for one in found.undecided:
            needs = ", ".join(fact_name(fact) for fact in one.needs)
            lines.append(f"#   {visible(format_path(one.path))}: depends on {needs} ({one.reason})")
    if found.dropped:
        lines.append(f"# Not read by {made.release}:")
        lines += [f"#   {visible(format_path(path))}" for path in found.dropped]
    return lines


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
            "refusals": refusals_data(made),
            "values": {
                format_path(one.path): entry_data(one, document, name) for one in found.entries
            },
            "undecided": {format_path(one.path): undecided_data(one) for one in found.undecided},
            "unread": [format_path(path) for path in found.dropped],
        }
    )


def refusals_data(made: Made) -> list[dict[str, Any]]:
    """Why a release refuses the file, for programs."""
    return [_refusal(one) for one in made.refusals]


def _refusal(one: Diagnostic) -> dict[str, Any]:
    return {"code": one.code, "line": one.line, "message": one.message}


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
    note = f"  {noted}" if noted is not None else ""
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
