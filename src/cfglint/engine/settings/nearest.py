"""Settings: the nearest `cfglint.toml`, or `[tool.cfglint]` in the nearest `pyproject.toml`.

A settings file is untrusted input like any other: it names versions, codes, globs and other
files, and cannot make anything run.
"""

from __future__ import annotations

import os
from collections.abc import Collection

from cfglint.base.paths import relative_path
from cfglint.base.record import Record
from cfglint.base.type_names import TYPE_CHECKING, Final, Literal
from cfglint.diagnostic import ConfidenceName, SeverityName
from cfglint.source.files.base import Files
from cfglint.source.files.disk import Disk
from cfglint.source.files.inside import of_project
from cfglint.source.files.links import read_inside

if TYPE_CHECKING:
    from cfglint.engine.settings.file import PerFileIgnores, RuleSeverity, SchemaSetting

#: A larger settings file is refused, in bytes.
_MAX_BYTES = 1_000_000
#: How the message about a setting begins that is none in TOML.
_NO_TOML = "not valid TOML"
#: How the names of training configs end, which no settings file has.
_CONFIGS = (".yml", ".yaml", ".json", ".jsonc", ".ipynb")
#: The option that gives single settings, in place of a file in messages.
OPTION: Final = "--config"
#: The least severe finding that makes a run fail; `never` for none.
FailOn = Literal["error", "warning", "note", "never"]


class SettingsError(Exception):
    """A settings file cannot be used; the message says which, and what is wrong with it."""


class Settings(Record):
    """The settings of a project. `origin` is the nearest file, None without one."""

    origin: str | None = None
    target: tuple[str, ...] = ()
    #: The day whose newest release is assumed where none is stated.
    as_of: str | None = None
    gpus: int | None = None
    gpu: str | None = None
    select: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    #: Whether rules are checked that are not part of a release yet.
    preview: bool = False
    per_file_ignores: tuple[PerFileIgnores, ...] = ()
    #: Each rule once.
    severity: tuple[RuleSeverity, ...] = ()
    fail_on: FailOn | None = None
    min_severity: SeverityName | None = None
    min_confidence: ConfidenceName | None = None
    show_fixes: bool = False
    exclude: tuple[str, ...] = ()
    #: Whether `exclude` applies to named files as well.
    force_exclude: bool = False
    #: Folders with the project's own rules, as paths.
    rules: tuple[str, ...] = ()
    #: JSON Schemas that the project's files have to fit.
    schemas: tuple[SchemaSetting, ...] = ()
    #: The file with the findings that are known, as a path.
    baseline: str | None = None
    #: The settings files that `origin` extends, the nearest first.
    extended: tuple[str, ...] = ()
    #: Setting -> the file that it comes from.
    sources: tuple[tuple[str, str], ...] = ()

    def source(self, setting: str) -> str | None:
        """The file that a setting comes from; None if none sets it."""
        return dict(self.sources).get(setting, self.origin)

    def excludes(self, path: str) -> bool:
        """Whether the project excludes a file that was found in a folder."""
        origin = self.source("exclude")
        if not self.exclude or origin is None:
            return False
        from cfglint.base.globs import globs

        base = os.path.dirname(os.path.abspath(origin))
        relative = relative_path(path, base).replace(os.sep, "/")
        return globs(self.exclude).covers(relative)


class SettingsFinder:
    """Finds the settings that apply to a file; every folder is examined once.

    Args:
        config: the settings file to use instead of those in folders.
        isolated: nothing around a file is examined.
        files: where to read; the disk when none are given. The session reads there, too.
        overrides: settings in the form of a settings file, each of which replaces that of the file.

    Raises:
        SettingsError: `config` cannot be read, or it or `overrides` say something that is not a setting.
    """

    def __init__(
        self,
        *,
        config: str | None = None,
        isolated: bool = False,
        files: Files | None = None,
        overrides: tuple[str, ...] = (),
    ) -> None:
        self.files: Files = files if files is not None else Disk()
        #: Nothing around a file is examined: no settings, no project.
        self.isolated = isolated
        given = _of_option(overrides, self.files) if overrides else None
        self._given = given
        fixed = read_settings(config, self.files) if config is not None else None
        self._fixed = None if fixed is None else self._with_given(fixed)
        self._by_folder: dict[str, Settings] = {}

    def for_file(self, path: str) -> Settings:
        """The settings for a file.

        Raises:
            SettingsError: the nearest settings file is broken.
        """
        if self._fixed is not None:
            return self._fixed
        if self.isolated:
            return self._with_given(Settings())
        folder = os.path.dirname(os.path.abspath(path))
        return self._for_folder(folder)

    def _for_folder(self, folder: str) -> Settings:
        known = self._by_folder.get(folder)
        if known is None:
            known = _settings_in(folder, self.files)
            if known is None:
                parent = os.path.dirname(folder)
                is_top = parent == folder
                known = self._with_given(Settings()) if is_top else self._for_folder(parent)
            else:
                known = self._with_given(known)
            self._by_folder[folder] = known
        return known

    def _with_given(self, settings: Settings) -> Settings:
        """Settings of a file, with those that an option gives in their place."""
        given = self._given
        if given is None:
            return settings
        own = {name.replace("-", "_"): name for name, _ in given.sources}
        graded = {one.rule for one in given.severity}
        return settings.replaced(
            **{name: getattr(given, name) for name in own},
            per_file_ignores=(*given.per_file_ignores, *settings.per_file_ignores),
            severity=(
                *given.severity,
                *(one for one in settings.severity if one.rule not in graded),
            ),
            schemas=(*given.schemas, *settings.schemas),
            sources=(
                *given.sources,
                *(one for one in settings.sources if one[0] not in own.values()),
            ),
        )


def read_settings(path: str, files: Files) -> Settings:
    """The settings of one file, either a `cfglint.toml` or a `pyproject.toml`.

    Raises:
        SettingsError: it cannot be read, or says something that is not a setting.
    """
    if path.endswith(_CONFIGS):
        raise SettingsError(
            f"{path}: --config names cfglint's own settings (cfglint.toml); a training config is an argument"
        )
    try:
        data = read_inside(path, _MAX_BYTES + 1, files, pipes=True)
    except OSError as error:
        text = f"{path}: cannot be read: {error.strerror}"
        if "=" in path and not path.endswith(".toml"):
            text = (
                f"{OPTION} {path}: this command takes a settings file alone (cfglint.toml); only a check takes"
                " single settings"
            )
        elif path in _names():
            text += f"; a check takes a single setting with its value: {OPTION} '{path} = …'"
        raise SettingsError(text) from None
    found = _read(path, data, files)
    return found if found is not None else Settings(origin=path)


def _names() -> Collection[str]:
    from cfglint.engine.settings.file import KINDS

    return KINDS


def _of_option(overrides: tuple[str, ...], files: Files) -> Settings | None:
    """The settings that an option gives, each of which is the line of a file.

    Raises:
        SettingsError: one of them is not.
    """
    for one in overrides:
        wrong = _wrong(one, files)
        if not wrong:
            continue
        quoted = _with_quotes(one)
        of_quoted = _wrong(quoted, files)
        if not of_quoted:
            wrong = f"texts need quotes: {OPTION} '{quoted}'"
        elif not of_quoted.startswith(_NO_TOML):
            wrong = of_quoted  # quotes are not all that is missing
        raise SettingsError(f"{OPTION} {one}: {wrong}")
    return _read(OPTION, "\n".join(overrides).encode(), files)


def _wrong(setting: str, files: Files) -> str:
    """What is wrong with a single setting; empty for nothing."""
    try:
        _read(OPTION, setting.encode("utf-8", "surrogatepass"), files)
    except SettingsError as error:
        return str(error).removeprefix(f"{OPTION}: ")
    return ""


def _with_quotes(setting: str) -> str:
    """A setting with its text, or all items of its list, in quotes."""
    name, _, value = setting.partition("=")
    value = value.strip()
    if not value:
        return setting
    items = value[1:-1].split(",") if value[:1] == "[" and value[-1:] == "]" else [value]
    quoted = ", ".join(f'"{item.strip()}"' for item in items)
    return f"{name.strip()} = [{quoted}]" if value[:1] == "[" else f"{name.strip()} = {quoted}"


def _settings_in(folder: str, files: Files) -> Settings | None:
    for name in ("cfglint.toml", "pyproject.toml"):
        path = os.path.join(folder, name)
        if not files.has(path):
            continue
        try:
            data = of_project(folder, files).read(path, _MAX_BYTES + 1)
        except OSError:
            continue
        # Most projects say nothing of us: then the TOML parser need not be imported.
        if name == "pyproject.toml" and b"cfglint" not in data:
            continue
        found = _read(path, data, files)
        if found is not None:
            return found
    return None


def _read(path: str, data: bytes, files: Files) -> Settings | None:
    from cfglint.engine.settings.file import SettingsReader, WrongSettings

    reader = SettingsReader(files, _MAX_BYTES)
    try:
        found = reader.read(path, data)
    except WrongSettings as error:
        raise SettingsError(str(error)) from None
    if found is None:
        return None
    return Settings(
        **found,
        origin=path,
        per_file_ignores=tuple(reader.per_file_ignores),
        severity=tuple(reader.severity),
        schemas=tuple(reader.schemas),
        extended=tuple(reader.paths[1:]),
        sources=tuple(reader.sources.items()),
    )
