"""A settings file and the files that it extends: read, checked and merged."""

from __future__ import annotations

import os
import sys

from cfglint.base.lazy import lazy_pattern
from cfglint.base.paths import relative_path
from cfglint.base.record import Record
from cfglint.base.type_names import Any
from cfglint.diagnostic import CONFIDENCES, SEVERITIES, SEVERITY_NAMES, SeverityName
from cfglint.environment.environment import DAY
from cfglint.source.files.base import Files
from cfglint.source.files.folders import climb, is_inside
from cfglint.source.files.inside import of_project

#: A longer chain of files that extend one another is a mistake.
_MAX_FILES = 10

#: Setting -> what it is.
KINDS: dict[str, str] = {
    "target": "strings",
    "as-of": "day",
    "gpus": "int",
    "gpu": "str",
    "select": "strings",
    "extend-select": "strings",
    "ignore": "strings",
    "preview": "bool",
    "per-file-ignores": "per-file",
    "severity": "severities",
    "fail-on": "fail-on",
    "min-severity": "severity-name",
    "min-confidence": "confidence",
    "show-fixes": "bool",
    "exclude": "strings",
    "force-exclude": "bool",
    "rules": "strings",
    "extend": "str",
    "schemas": "schemas",
    "baseline": "str",
}
#: What an entry of `schemas` may say -> what it is.
SCHEMA_KINDS: dict[str, str] = {
    "schema": "str",
    "files": "strings",
    "framework": "strings",
    "at": "path",
}
_PATH = lazy_pattern(r"[^.\[\]]+(?:\[\])?(?:\.[^.\[\]]+(?:\[\])?)*")
_WRONG_WORDS = {
    "int": "a whole number",
    "str": "a string",
    "bool": "true or false",
    "strings": "a list of strings",
    "fail-on": f"one of {', '.join(SEVERITIES)}, never",
    "severity-name": f"one of {', '.join(SEVERITIES)}",
    "day": "a day such as 2026-11-01",
    "confidence": f"one of {', '.join(CONFIDENCES)}",
    "per-file": "a table of patterns, each with a list of rules",
    "schemas": 'a list of tables, each with the file of a schema: [[schemas]] and schema = "FILE"',
    "path": "a key such as plugin or datasets[].plugin",
    "severities": f"a table of rules, each with one of {', '.join(SEVERITIES)}",
}


class PerFileIgnores(Record):
    """Rules that are switched off for some files."""

    #: The settings file that says so; None for an option.
    origin: str | None
    #: As in `.gitignore`, from the folder of `origin` (or else the current one).
    pattern: str
    rules: tuple[str, ...]


class RuleSeverity(Record):
    """The severity that a project gives the findings of some rules."""

    #: The settings file that says so; None for an option.
    origin: str | None
    rule: str
    severity: SeverityName


class SchemaSetting(Record):
    """A JSON Schema that files of the project have to fit."""

    #: The settings file that says so.
    origin: str
    #: The schema, as a path.
    schema: str
    #: As in `.gitignore`, from the folder of `origin`; none for all files.
    files: tuple[str, ...] = ()
    #: The frameworks whose files are meant; none for all.
    framework: tuple[str, ...] = ()
    #: The key whose value the schema describes; empty for the whole file.
    at: str = ""


class WrongSettings(ValueError):
    """A settings file cannot be used; the message says which, and what is wrong with it."""


class SettingsReader:
    """Reads one settings file with those that it extends.

    Args:
        files: where to read.
        max_bytes: a larger file is refused.
    """

    def __init__(self, files: Files, max_bytes: int) -> None:
        self._files = files
        self._max_bytes = max_bytes
        #: The files, the nearest first.
        self.paths: list[str] = []
        #: Setting -> the file that it comes from.
        self.sources: dict[str, str] = {}
        #: Those of the nearest file first.
        self.per_file_ignores: list[PerFileIgnores] = []
        #: The nearest file's first, each rule once.
        self.severity: list[RuleSeverity] = []
        #: The nearest file's first.
        self.schemas: list[SchemaSetting] = []

    def read(self, path: str, data: bytes) -> dict[str, Any] | None:
        """The plain settings by their names in Python; None if the file has no settings for cfglint.

        Raises:
            WrongSettings: a file is not TOML, cannot be read, or says something that is not a setting.
        """
        table = self._table(path, data)
        if table is None:
            return None
        found: dict[str, Any] = {}
        seen = {self._files.real(path)}
        while True:
            self.paths.append(path)
            other = self._take(path, table, found)
            if other is None:
                return found
            table = self._extended(path, other)
            real = self._files.real(other)
            if real in seen:
                raise WrongSettings(f"{path}: extend: {other} extends this file again")
            if len(seen) == _MAX_FILES:
                raise WrongSettings(f"{path}: extend: more than {_MAX_FILES} files in a row")
            seen.add(real)
            path = other

    def _extended(self, path: str, other: str) -> dict[str, Any]:
        if not other.endswith(".toml"):
            raise WrongSettings(f"{path}: extend: {other} is not a .toml file")
        try:
            data = of_project(os.path.dirname(path), self._files).read(other, self._max_bytes + 1)
        except OSError as error:
            reason = f"{other} cannot be read: {error.strerror}"
            raise WrongSettings(f"{path}: extend: {reason}") from None
        table = self._table(other, data)
        if table is None:
            raise WrongSettings(f"{path}: extend: {other} has no [tool.cfglint]")
        return table

    def _table(self, path: str, data: bytes) -> dict[str, Any] | None:
        if len(data) > self._max_bytes:
            raise WrongSettings(f"{path}: larger than {self._max_bytes:,} bytes")
        if sys.version_info >= (3, 11):
            import tomllib
        else:
            import tomli as tomllib
        try:
            table: Any = tomllib.loads(data.decode("utf-8"))
        except (ValueError, RecursionError) as error:
            # Besides errors of the format: what is not UTF-8, numbers with thousands of digits.
            raise WrongSettings(f"{path}: not valid TOML: {error}") from None
        if os.path.basename(path) == "pyproject.toml":
            tool = table.get("tool")
            table = tool.get("cfglint") if isinstance(tool, dict) else None
            if table is None:
                return None
        if not isinstance(table, dict):
            raise WrongSettings(f"{path}: tool.cfglint is not a table")
        return table

    def _take(self, path: str, table: dict[str, Any], found: dict[str, Any]) -> str | None:
        """Add what no nearer file sets; returns the file that this one extends, if any."""
        other: str | None = None
        value: Any
        for name, value in table.items():
            kind, value = _checked(path, name, value, KINDS)
            if name == "extend":
                other = os.path.normpath(os.path.join(os.path.dirname(path), value))
            elif kind == "per-file":
                for pattern, rules in value.items():
                    _check_pattern(path, name, pattern)
                    rules = (rules,) if isinstance(rules, str) else tuple(rules)
                    self.per_file_ignores.append(PerFileIgnores(path, pattern, rules))
            elif kind == "severities":
                known = {one.rule for one in self.severity}
                self.severity += [
                    RuleSeverity(path, rule, SEVERITY_NAMES[word])
                    for rule, word in value.items()
                    if rule not in known
                ]
            elif kind == "schemas":
                self.schemas += [self._schema(path, entry) for entry in value]
            else:
                value = self._value(path, name, kind, value)
                if name not in self.sources:
                    found[name.replace("-", "_")] = value
                    self.sources[name] = path
        return other

    def _schema(self, path: str, entry: dict[str, Any]) -> SchemaSetting:
        found: dict[str, Any] = {}
        value: Any
        for name, value in entry.items():
            kind, value = _checked(f"{path}: schemas", name, value, SCHEMA_KINDS)
            if name == "files":
                for pattern in value:
                    _check_pattern(path, "schemas: files", pattern)
            found[name] = tuple(value) if kind == "strings" else value
        if "schema" not in found:
            raise WrongSettings(f"{path}: schemas expects {_WRONG_WORDS['schemas']}")
        found["schema"] = _file_inside(path, "schemas", found["schema"], self._files)
        return SchemaSetting(origin=path, **found)

    def _value(self, path: str, name: str, kind: str, value: Any) -> Any:
        if name == "exclude":
            for pattern in value:
                _check_pattern(path, name, pattern)
        elif name == "rules":
            value = [_folder_inside(path, folder, self._files) for folder in value]
        elif name == "baseline":
            return _file_inside(path, name, value, self._files)
        elif name in ("fail-on", "min-severity"):
            return SEVERITY_NAMES.get(value, value)
        return tuple(value) if kind == "strings" else value


def _checked(where: str, name: str, value: Any, kinds: dict[str, str]) -> tuple[str, Any]:
    """The kind of a setting, and its value; one string counts as a list of one.

    Args:
        where: the file, and the table in it, for messages.
    """
    kind = kinds.get(name)
    if kind is None:
        raise WrongSettings(f"{where}: unknown setting {name!r}{_hint(name, kinds)}")
    if kind == "strings" and isinstance(value, str):
        value = [value]
    elif kind == "day":
        value = str(value)  # TOML has a type of its own for days
    if not _fits(kind, value):
        raise WrongSettings(f"{where}: {name} expects {_WRONG_WORDS[kind]}{_culprit(kind, value)}")
    return kind, value


def _culprit(kind: str, value: Any) -> str:
    """The entry of a table that is wrong, where the others are in order."""
    fits = {"severities": _is_severity, "per-file": _is_rules}.get(kind)
    if fits is None or not isinstance(value, dict):
        return ""
    return next((f"; {key} has {item!r}" for key, item in value.items() if not fits(item)), "")


def _fits(kind: str, value: Any) -> bool:
    """Whether a value is of a kind."""
    if kind == "bool":
        return isinstance(value, bool)
    if kind == "int":
        return isinstance(value, int) and not isinstance(value, bool)
    if kind == "strings":
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    if kind in ("per-file", "severities"):
        inner = _is_rules if kind == "per-file" else _is_severity
        return isinstance(value, dict) and all(inner(item) for item in value.values())
    if kind == "schemas":
        return isinstance(value, list) and all(isinstance(item, dict) for item in value)
    if not isinstance(value, str):
        return False
    if kind == "path":
        return _PATH.fullmatch(value) is not None
    if kind == "day":
        return DAY.fullmatch(value) is not None
    if kind == "severity-name":
        return _is_severity(value)
    if kind == "fail-on":
        return _is_severity(value) or value == "never"
    return kind != "confidence" or value in CONFIDENCES


def _is_rules(value: Any) -> bool:
    return isinstance(value, str) or _fits("strings", value)


def _is_severity(value: Any) -> bool:
    return isinstance(value, str) and value in SEVERITY_NAMES


def _hint(name: str, known: dict[str, str]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name, known, n=1)
    return f"; did you mean {close[0]!r}?" if close else f"; expected one of {', '.join(known)}"


def _check_pattern(path: str, name: str, pattern: str) -> None:
    from cfglint.base.globs import is_glob

    if not is_glob(pattern):
        raise WrongSettings(f"{path}: {name}: {pattern!r} is not a valid pattern")


def _folder_inside(path: str, folder: str, files: Files) -> str:
    """The path of a folder that the settings name; it lies in the project."""
    base = os.path.dirname(os.path.abspath(path))
    found = os.path.normpath(os.path.join(base, folder))
    try:
        inside = not os.path.isabs(folder) and (found == base or is_inside(found, base, files))
    except OSError:
        inside = False
    if not inside:
        raise WrongSettings(f"{path}: rules: {folder!r} is not a folder next to or below this file")
    return _from_here(found)


def _file_inside(path: str, setting: str, file: str, files: Files) -> str:
    """The path of a file that the settings name; it lies in the project."""
    found = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(path)), file))
    root, _ = climb(os.path.dirname(os.path.abspath(path)), files)
    try:
        inside = is_inside(found, root, files)
    except OSError:
        inside = False
    if not inside:
        raise WrongSettings(f"{path}: {setting}: {file!r} is outside the project")
    return _from_here(found)


def _from_here(path: str) -> str:
    """A path from the current folder, when it lies below."""
    return relative_path(path) if path.startswith(os.path.join(os.getcwd(), "")) else path
