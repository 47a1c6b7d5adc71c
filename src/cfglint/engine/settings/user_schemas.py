"""The JSON Schemas that settings name: for which files they are, and how they are loaded."""

from __future__ import annotations

import os

from cfglint.base.type_names import TYPE_CHECKING
from cfglint.engine.settings.file import SchemaSetting
from cfglint.engine.settings.selectors import matches
from cfglint.roles.framework import frameworks
from cfglint.source.files.base import Files
from cfglint.source.files.folders import climb

if TYPE_CHECKING:
    from cfglint.knowledge.schemas.schema import UserSchema


def lacking(what: str, error: ModuleNotFoundError) -> str:
    """What a person does where a module is not there without which something cannot be used.

    Raises:
        ModuleNotFoundError: it is a part of cfglint, which the caller has left out knowingly.
    """
    if (error.name or "").partition(".")[0] == __name__.partition(".")[0]:
        raise error
    return f"{what} need {error.name}, which this installation lacks: pip install cfglint-llm"


def is_for(setting: SchemaSetting, framework: str, path: str) -> bool:
    """Whether a schema is for a file of a framework."""
    names = set(setting.framework)
    # A schema for an unknown framework applies to all files, so that the mistake is reported.
    if names and framework not in names and names <= set(frameworks()):
        return False
    return not setting.files or matches(setting.files, setting.origin, path)


def load(setting: SchemaSetting, files: Files) -> UserSchema | str:
    """The schema of a setting, or why it cannot be used."""
    try:
        from cfglint.knowledge.schemas.reading import SchemaError
        from cfglint.knowledge.schemas.schema import UserSchema
    except ModuleNotFoundError as error:
        return f"{setting.origin}: {lacking('schemas of a project', error)}"
    unknown = [name for name in setting.framework if name not in frameworks()]
    if unknown:
        known = ", ".join(frameworks())
        return (
            f"{setting.origin}: schemas: unknown framework {unknown[0]!r}; expected one of {known}"
        )
    path = os.path.abspath(setting.schema)
    root, _ = climb(os.path.dirname(os.path.abspath(setting.origin)), files)
    try:
        return UserSchema(path, setting.at, root, files, setting.schema)
    except SchemaError as error:
        return str(error)
