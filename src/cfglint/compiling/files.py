"""Files of a rules folder, read and checked, with errors that name the file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError


class RuleFileError(Exception):
    """A rule file cannot be used; the message says which, where and why."""


def parse_yaml(text: str) -> Any:
    """What `yaml.safe_load` gives, by libyaml where it is there: rule files are many."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load(text, Loader=loader)  # noqa: S506 - both are safe loaders


def read_yaml(path: Path) -> Any:
    """The contents of a file.

    Raises:
        RuleFileError: it cannot be read as YAML.
    """
    try:
        return parse_yaml(path.read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise RuleFileError(f"{path}: {error}") from None


def validate(model: Any, data: Any, path: Path, place: str = "") -> Any:
    """The data as a model.

    Args:
        place: where in the file the data stand.

    Raises:
        RuleFileError: they do not fit.
    """
    try:
        return model.model_validate(data)
    except ValidationError as error:
        lines = []
        for part in error.errors():
            where = ".".join(map(str, ([place] if place else []) + list(part["loc"])))
            lines.append(f"{where or 'the rule'}: {part['msg']}")
        raise RuleFileError(f"{path}: " + "; ".join(lines)) from None
