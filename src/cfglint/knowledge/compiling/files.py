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


def line_of(path: Path, place: tuple[str | int, ...]) -> int:
    """The line, from 1, at which a key or an item of a readable file stands, or what is nearest.

    Args:
        place: keys and numbers of items, from the outside to the inside.
    """
    node = yaml.compose(path.read_text(encoding="utf-8"), Loader=yaml.SafeLoader)
    line = 0
    for part in place:
        if isinstance(node, yaml.MappingNode):
            found = [(key, value) for key, value in node.value if key.value == part]
            if not found:
                break
            key, node = found[-1]
            line = key.start_mark.line
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int):
            node = node.value[part]
            line = node.start_mark.line
        else:
            break
    return line + 1


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
