"""Settings: the nearest `cfglint.toml`, or `[tool.cfglint]` in the nearest `pyproject.toml`.

A settings file is untrusted input like any other: it names versions, codes and globs, and can
make nothing run.
"""

from __future__ import annotations

import os
import sys
from typing import Any

from cfglint.diagnostic import CONFIDENCES, SEVERITIES, ConfidenceName, SeverityName
from cfglint.files.base import Files
from cfglint.files.disk import Disk
from cfglint.record import Record

_MAX_BYTES = 1_000_000


class SettingsError(Exception):
    """A settings file cannot be used; the message says which, and what is wrong with it."""


class Settings(Record):
    """What a project has settled. `origin` is the file, None without one."""

    origin: str | None = None
    target: tuple[str, ...] = ()
    gpus: int | None = None
    gpu: str | None = None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    fail_on: SeverityName | None = None
    min_confidence: ConfidenceName | None = None
    exclude: tuple[str, ...] = ()
    #: Folders with the project's own rules, as paths.
    rules: tuple[str, ...] = ()

    def excludes(self, path: str) -> bool:
        """Whether the project leaves out a file that was found in a folder."""
        if not self.exclude or self.origin is None:
            return False
        from pathspec import GitIgnoreSpec

        base = os.path.dirname(os.path.abspath(self.origin))
        relative = os.path.relpath(os.path.abspath(path), base).replace(os.sep, "/")
        return bool(GitIgnoreSpec.from_lines(self.exclude).match_file(relative))


#: Setting -> (what it must be, in words; how it is checked).
KINDS: dict[str, str] = {
    "target": "strings",
    "gpus": "int",
    "gpu": "str",
    "select": "strings",
    "ignore": "strings",
    "fail-on": "severity",
    "min-confidence": "confidence",
    "exclude": "strings",
    "rules": "strings",
}


class SettingsFinder:
    """Finds the settings that hold for a file; every folder is looked at once.

    Args:
        config: the settings file to use instead of those in folders.
        isolated: nothing around a file is looked at.
        files: where to read; the disk when none are given. The session reads there, too.

    Raises:
        SettingsError: `config` cannot be read, or says something that is no setting.
    """

    def __init__(
        self, *, config: str | None = None, isolated: bool = False, files: Files | None = None
    ) -> None:
        self.files: Files = files if files is not None else Disk()
        #: Nothing around a file is looked at: no settings, no project.
        self.isolated = isolated
        self._fixed = read_settings(config, self.files) if config is not None else None
        self._by_folder: dict[str, Settings] = {}

    def for_file(self, path: str) -> Settings:
        """The settings for a file.

        Raises:
            SettingsError: the nearest settings file is broken.
        """
        if self._fixed is not None:
            return self._fixed
        if self.isolated:
            return Settings()
        folder = os.path.dirname(os.path.abspath(path))
        return self._for_folder(folder)

    def _for_folder(self, folder: str) -> Settings:
        known = self._by_folder.get(folder)
        if known is None:
            known = _settings_in(folder, self.files)
            if known is None:
                parent = os.path.dirname(folder)
                known = Settings() if parent == folder else self._for_folder(parent)
            self._by_folder[folder] = known
        return known


def read_settings(path: str, files: Files) -> Settings:
    """The settings of one file, be it a `cfglint.toml` or a `pyproject.toml`.

    Raises:
        SettingsError: it cannot be read, or says something that is no setting.
    """
    try:
        data = files.read(path, _MAX_BYTES + 1, pipes=True)
    except OSError as error:
        raise SettingsError(f"{path}: cannot be read: {error.strerror}") from None
    found = _parse(path, data, files)
    return found if found is not None else Settings(origin=path)


def _settings_in(folder: str, files: Files) -> Settings | None:
    for name in ("cfglint.toml", "pyproject.toml"):
        path = os.path.join(folder, name)
        try:
            data = files.read(path, _MAX_BYTES + 1)
        except OSError:
            continue
        # Most projects say nothing of us: then the TOML parser need not be imported.
        if name == "pyproject.toml" and b"cfglint" not in data:
            continue
        found = _parse(path, data, files)
        if found is not None:
            return found
    return None


def _parse(path: str, data: bytes, files: Files) -> Settings | None:
    if len(data) > _MAX_BYTES:
        raise SettingsError(f"{path}: larger than {_MAX_BYTES:,} bytes")
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        table: Any = tomllib.loads(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        # Besides errors of the format: what is no UTF-8, numbers with thousands of digits.
        raise SettingsError(f"{path}: is no TOML: {error}") from None
    if os.path.basename(path) == "pyproject.toml":
        tool = table.get("tool")
        table = tool.get("cfglint") if isinstance(tool, dict) else None
        if table is None:
            return None
    if not isinstance(table, dict):
        raise SettingsError(f"{path}: tool.cfglint is no table")
    return _checked(path, table, files)


def _check_patterns(path: str, patterns: tuple[str, ...]) -> None:
    from pathspec import GitIgnoreSpec

    for pattern in patterns:
        try:
            GitIgnoreSpec.from_lines([pattern])
        except ValueError:
            raise SettingsError(f"{path}: exclude: {pattern!r} is no pattern") from None


def _folder_inside(path: str, folder: str, files: Files) -> str:
    """The path of a folder that the settings name; it lies in the project."""
    base = os.path.dirname(os.path.abspath(path))
    found = os.path.normpath(os.path.join(base, folder))
    try:
        inside = not os.path.isabs(folder) and os.path.commonpath([base, files.real(found)]) == base
    except (OSError, ValueError):  # another drive has no path in common
        inside = False
    if not inside:
        raise SettingsError(f"{path}: rules: {folder!r} is no folder beside or below this file")
    return (
        os.path.relpath(found) if os.path.commonpath([os.getcwd(), found]) == os.getcwd() else found
    )


def _checked(path: str, table: dict[str, Any], files: Files) -> Settings:
    values: dict[str, Any] = {}
    for name, value in table.items():
        kind = KINDS.get(name)
        if kind is None:
            from difflib import get_close_matches

            close = get_close_matches(name, KINDS, n=1)
            hint = f"; did you mean {close[0]!r}?" if close else f"; there are {', '.join(KINDS)}"
            raise SettingsError(f"{path}: {name!r} is no setting{hint}")
        if kind == "strings":
            if isinstance(value, str):
                value = [value]
            if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
                raise SettingsError(f"{path}: {name} is a list of strings")
            value = tuple(value)
            if name == "exclude":
                _check_patterns(path, value)
            elif name == "rules":
                value = tuple(_folder_inside(path, folder, files) for folder in value)
        elif kind == "int":
            if isinstance(value, bool) or not isinstance(value, int):
                raise SettingsError(f"{path}: {name} is a whole number")
        elif kind == "severity":
            if value not in SEVERITIES:
                raise SettingsError(f"{path}: {name} is one of {', '.join(SEVERITIES)}")
        elif kind == "confidence":
            if value not in CONFIDENCES:
                raise SettingsError(f"{path}: {name} is one of {', '.join(CONFIDENCES)}")
        elif not isinstance(value, str):
            raise SettingsError(f"{path}: {name} is a string")
        values[name.replace("-", "_")] = value
    return Settings(origin=path, **values)
