"""Rule files written in one way: `cfglint rules fmt`.

The keys stand in the order of the model, what is short on one line, conditions and examples one
below the other. What follows from the rest is left out. A part with comments in it keeps its text.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import yaml

from cfglint.knowledge.compiling.bases import NONE
from cfglint.knowledge.compiling.files import RuleFileError, parse_yaml
from cfglint.knowledge.compiling.model import Example, FixModel, RuleModel
from cfglint.knowledge.compiling.rule_problems import COSTS
from cfglint.source.comments import find_comments

#: Of a line with its end.
WIDTH = 120
#: Prose of which only the words matter.
_PROSE = ("message", "cost", "if_undecided")
#: Lists with a line for each member.
_ROWS = ("related", "remedy", "references")
_TEXTS = ("bad", "good", "fixed")
#: Looks like the beginning of a plain scalar, and has nothing that could end one.
_PLAIN = re.compile(r"[A-Za-z0-9_./<>=^$(~+-](?:[^:#?\n,\[\]{}]|:(?=[^\s,\[\]{}])|(?<=\S)#)*")
_PLAIN_OUTSIDE = re.compile(r"[A-Za-z0-9_./<>=^$(~+](?:[^:#\n]|:(?=\S)|(?<=\S)#)*")


class NotWritable(Exception):
    """A rule file cannot be written again; the message says why."""


def write_again(files: Mapping[Path, Mapping[str, str]], *, check: bool) -> Iterator[Path]:
    """Write rule files in the one way, and tell which were written otherwise.

    Args:
        files: the rule files, each with what its place says.
        check: only tell; no file is changed.

    Raises:
        RuleFileError: a file cannot be written again; those before it are.
    """
    for path, place in files.items():
        text = path.read_text(encoding="utf-8")
        try:
            new = formatted(text, place)
        except NotWritable as error:
            raise RuleFileError(f"{path}: {error}") from None
        if new != text:
            if not check:
                path.write_text(new, encoding="utf-8", newline="")
            yield path


def formatted(text: str, place: Mapping[str, str] = MappingProxyType({})) -> str:
    """A rule file in the one way to write it.

    Args:
        place: what the place of the file says, such as its name.

    Raises:
        NotWritable: the text is not a rule file, or would change its meaning.
    """
    try:
        data = parse_yaml(text)
    except yaml.YAMLError as error:
        raise NotWritable(f"is not valid YAML: {error}") from None
    if not isinstance(data, dict):
        raise NotWritable("is not a rule file")
    kept = _with_comments(text if text.endswith("\n") else text + "\n")
    shown = without_what_follows(data, place)
    parts = []
    for key in _ordered(shown, RuleModel.model_fields):
        part = kept.get(key) or written_part(key, shown[key], layered=_has_base(shown))
        parts.append(part)
    out = "".join(parts)
    if meaning(parse_yaml(out)) != meaning(shown):
        changed = [key for key in shown if meaning(parse_yaml(out)).get(key) != meaning(shown)[key]]
        raise NotWritable(f"{', '.join(changed)} would not be read as before")
    return out


def without_what_follows(data: dict[str, Any], place: Mapping[str, str]) -> dict[str, Any]:
    """The contents of a rule file without values that are there anyway."""
    shown = {key: value for key, value in data.items() if place.get(key, ...) != value}
    if "when" in shown:
        shown["when"] = _plain_condition(shown["when"])
    if shown.get("view") == RuleModel.model_fields["view"].default:
        del shown["view"]
    follows = COSTS.get((str(shown.get("bites")), str(shown.get("upstream"))))
    if follows is not None and _words(shown.get("cost")) == follows:
        del shown["cost"]
    return shown


def meaning(data: dict[str, Any]) -> dict[str, Any]:
    """What must not change: line ends of prose do not count, nor the last one of a layer."""
    out = {key: _words(value) if key in _PROSE else value for key, value in data.items()}
    if "when" in out:
        out["when"] = _plain_condition(out["when"])
    if _has_base(data):
        out["examples"] = [
            {
                key: value.rstrip("\n") if key in _TEXTS and isinstance(value, str) else value
                for key, value in example.items()
            }
            for example in data.get("examples", [])
        ]
    return out


def _has_base(data: dict[str, Any]) -> bool:
    return bool(
        data.get("base")
        or data.get("common")
        or any(example.get("base") for example in data.get("examples", []))
    )


def _plain_condition(value: Any) -> Any:
    """A list of conditions means that all are true."""
    return value["all"] if isinstance(value, dict) and list(value) == ["all"] else value


def _words(text: Any) -> Any:
    return " ".join(text.split()) if isinstance(text, str) else text


def _ordered(data: Mapping[str, Any], fields: Iterable[str]) -> list[str]:
    """The keys in the order of a model; those that it does not have last."""
    known = [key for key in fields if key in data]
    return known + [key for key in data if key not in known]


def with_parts(text: str, parts: Mapping[str, Any]) -> str:
    """A rule file with other values of some of its keys; None takes a key away.

    Raises:
        NotWritable: a comment in the text of such a key would be lost.
    """
    commented = _with_comments(text)
    layered = _has_base({**parse_yaml(text), **parts})
    out = []
    for key, part in _parts(text).items():
        if key not in parts or parts[key] == parse_yaml(part)[key]:
            out.append(part)
        elif key in commented:
            raise NotWritable(f"a comment in `{key}` would be lost")
        elif parts[key] is not None:
            out.append(written_part(key, parts[key], layered=layered))
    return "".join(out)


def _with_comments(text: str) -> dict[str, str]:
    """The parts of a file that have comments, each with those above it."""
    comments = [comment.span.start for comment in find_comments(text)]
    if not comments:
        return {}
    found, start = {}, 0
    for key, part in _parts(text).items():
        if any(start <= at < start + len(part) for at in comments):
            found[key] = part
        start += len(part)
    return found


def _parts(text: str) -> dict[str, str]:
    """The text of each key with the comments above it; together they are the whole text."""
    starts = []
    whole = yaml.compose(text, Loader=yaml.SafeLoader)
    assert whole is not None  # there is a mapping in it
    for node, _ in whole.value:
        start = node.start_mark.index
        while start > 0 and text[text.rfind("\n", 0, start - 1) + 1] == "#":
            start = text.rfind("\n", 0, start - 1) + 1
        starts.append((node.value, start))
    starts[0] = (starts[0][0], 0)
    ends = [start for _, start in starts[1:]] + [len(text)]
    return {key: text[start:end] for (key, start), end in zip(starts, ends, strict=True)}


# ---------------------------------------------------------------------------------- parts


def written_part(key: str, value: Any, *, layered: bool = False) -> str:
    """One key of a rule file with all that it has."""
    if key in _PROSE and isinstance(value, str):
        return _prose(key, _words(value))
    if key in ("why", "common") and isinstance(value, str):
        return _text(key, value, 0)
    if not _nested(value):
        return _block(key, value, 0)
    if key in _ROWS:
        return f"{key}:\n" + "".join(f"  - {flow(row)}\n" for row in value)
    if key == "when":
        return _condition(value)
    if key == "fix":
        return f"{key}:\n" + "".join(_fix(row) for row in value)
    if key == "examples":
        return f"{key}:\n" + "".join(_example(row, layered=layered) for row in value)
    return _block(key, value, 0)


def _prose(key: str, text: str) -> str:
    line = f"{key}: {scalar(text, inside=False)}\n"
    if len(line) <= WIDTH:
        return line
    lines = textwrap.wrap(text, WIDTH - 2, break_long_words=False, break_on_hyphens=False)
    return f"{key}: >-\n" + "".join(f"  {line}\n" for line in lines)


def _text(key: str, text: str, indent: int) -> str:
    """A text, of several lines where it has any line end."""
    pad = " " * indent
    if "\n" not in text:
        return f"{pad}{key}: {scalar(text, inside=False)}\n"
    lines = text.splitlines()
    body = "".join(f"{pad}  {line}\n" if line else "\n" for line in lines)
    for indicator in ("", "-", "2", "2-"):
        literal = f"{pad}{key}: |{indicator}\n{body}"
        if lines and _is_read(f"{' ' * indent}{literal.lstrip()}", {key: text}):
            return literal
    return f"{pad}{key}: {quoted(text)}\n"


def _condition(value: Any) -> str:
    """The condition of a rule, each of several on a line of its own."""
    if isinstance(value, list):
        return "when:\n" + "".join(_member(part, 2) for part in value)
    line = f"when: {flow(value)}\n"
    return line if len(line) <= WIDTH else "when:\n" + _member(value, 2, lead="")


def _member(value: Any, indent: int, lead: str = "- ") -> str:
    """A condition, on one line when there is room."""
    start = " " * indent + lead
    if not isinstance(value, dict) or len(value) != 1:
        return f"{start}{flow(value)}\n"
    ((name, body),) = value.items()
    line = f"{start}{scalar(name)}: {flow(body)}\n"
    if len(line) <= WIDTH or name not in ("all", "any", "not"):
        return line
    deeper = len(start) + 2
    if isinstance(body, list):
        inner = "".join(_member(part, deeper) for part in body)
    else:
        inner = _member(body, deeper, lead="")
    return f"{start}{name}:\n{inner}"


def _fix(row: dict[str, Any]) -> str:
    row = {key: row[key] for key in _ordered(row, FixModel.model_fields)}
    line = f"  - {flow(row)}\n"
    if len(line) <= WIDTH:
        return line
    return _item("".join(_block(key, value, 4) for key, value in row.items()))


def _example(row: dict[str, Any], *, layered: bool) -> str:
    layered = layered and row.get("base") != NONE
    row = {key: row[key] for key in _ordered(row, Example.model_fields)}
    short = {key: value for key, value in row.items() if layered and _is_line(key, value)}
    if len(short) == len([key for key in row if key in _TEXTS]) and "files" not in row:
        texts = {key: quoted(value.rstrip("\n")) for key, value in short.items()}
        line = ", ".join(f"{key}: {texts.get(key) or flow(value)}" for key, value in row.items())
        line = f"  - {line}\n" if len(row) == 1 else f"  - {{{line}}}\n"
        if len(line) <= WIDTH:
            return line
    parts = []
    for key, value in row.items():
        if key in short:
            parts.append(f"    {key}: {quoted(value.rstrip(chr(10)))}\n")
        elif key in _TEXTS and isinstance(value, str):
            parts.append(_text(key, value, 4))
        elif key == "files":
            files = "".join(_text(scalar(name), text, 6) for name, text in value.items())
            parts.append(f"    {key}:\n{files}")
        else:
            parts.append(f"    {key}: {flow(value)}\n")
    return _item("".join(parts))


def _is_line(key: str, value: Any) -> bool:
    """Whether an example's text can stand in quotes: one line, without a doubt about its end."""
    return (
        key in _TEXTS
        and isinstance(value, str)
        and "\n" not in value.removesuffix("\n")
        and len(value) + len(key) + 8 <= WIDTH
    )


def _item(text: str) -> str:
    """Lines that are indented by four columns, as an item of a list."""
    return "  - " + text[4:]


def _block(key: str, value: Any, indent: int) -> str:
    """A key with its value: on one line when there is room, else each part on its own."""
    pad = " " * indent
    line = f"{pad}{scalar(key)}: {scalar(value, inside=False) if not _nested(value) else flow(value)}\n"
    if len(line) <= WIDTH or not _nested(value):
        return line
    opening = f"{pad}{scalar(key)}:\n"
    if isinstance(value, dict):
        return opening + "".join(_block(name, part, indent + 2) for name, part in value.items())
    if any(_nested(part) for part in value):
        return opening + "".join(f"{pad}  - {flow(part)}\n" for part in value)
    members = textwrap.wrap(
        ", ".join(scalar(part).replace(" ", "\0") for part in value),
        WIDTH - indent - 4,
        break_long_words=False,
        break_on_hyphens=False,
    )
    inner = "".join(f"{pad}  {line}\n" for line in members).replace("\0", " ")
    return f"{pad}{scalar(key)}: [\n{inner}{pad}]\n"


# -------------------------------------------------------------------------------- values


def _nested(value: Any) -> bool:
    return isinstance(value, (dict, list)) and bool(value)


def flow(value: Any) -> str:
    """A value on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{scalar(key)}: {flow(part)}" for key, part in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(flow(part) for part in value) + "]"
    return scalar(value)


def scalar(value: Any, *, inside: bool = True) -> str:
    """A single value, without quotes where it is read the same.

    Args:
        inside: whether it may stand in `{…}` or `[…]`, where more has to be quoted.
    """
    if not isinstance(value, str):
        text = json.dumps(value, default=str)
        if isinstance(value, float) and parse_yaml(text) != value:
            text = re.sub(r"^(-?\d+)e", r"\1.0e", repr(value))
        return text
    pattern, around = (_PLAIN, "[%s]") if inside else (_PLAIN_OUTSIDE, "- %s")
    if pattern.fullmatch(value) and value == value.strip() and _is_read(around % value, [value]):
        return value
    return quoted(value)


def _is_read(text: str, value: Any) -> bool:
    try:
        return bool(parse_yaml(text) == value)
    except yaml.YAMLError:
        return False


def quoted(text: str) -> str:
    """A text in quotes, double ones where nothing has to be escaped for them."""
    if re.search(r'[\\"]', text) and text.isprintable():
        return "'" + text.replace("'", "''") + "'"
    return yaml.safe_dump(text, default_style='"', allow_unicode=True, width=10**9).rstrip("\n")
