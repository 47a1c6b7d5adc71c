"""Rule files read from a folder and checked; the first step of compiling them.

Used when the package is built, by the self-test, and for a team's own rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from pydantic import ValidationError

from cfglint.compiling.model import DerivationModel, RuleModel

#: Folders of `rules/` that hold rules for files of every framework.
SHARED_FOLDERS = ("yaml", "json", "cfglint", "shared")


class RuleFileError(Exception):
    """A rule file cannot be used; the message says which, where and why."""


class RuleFile(NamedTuple):
    """A rule with the file it stands in."""

    rule: RuleModel
    path: Path


def load_rules(folder: Path) -> list[RuleFile]:
    """Every rule below `folder/<framework>/<family>/`, in the order of their codes.

    Raises:
        RuleFileError: a file is malformed, or two rules share a code or a name.
    """
    files = [_load_rule(path, folder) for path in _rule_paths(folder)]
    files.sort(key=lambda file: file.rule.code)
    seen: dict[str, Path] = {}
    for rule, path in files:
        for label in (rule.code, rule.name):
            if label in seen:
                raise RuleFileError(f"{path}: {label} is already the rule in {seen[label]}")
            seen[label] = path
    return files


def load_derivations(path: Path) -> list[DerivationModel]:
    """The rewrites of a framework, in the order in which it makes them.

    Raises:
        RuleFileError: the file is malformed.
    """
    data = _read_yaml(path)
    if not isinstance(data, list):
        raise RuleFileError(f"{path}: derivations are a list")
    return [_validate(DerivationModel, part, path) for part in data]


def _rule_paths(folder: Path) -> Iterator[Path]:
    for framework in sorted(path for path in folder.iterdir() if path.is_dir()):
        for family in sorted(path for path in framework.iterdir() if path.is_dir()):
            yield from sorted(family.glob("*.yaml"))


def _load_rule(path: Path, folder: Path) -> RuleFile:
    rule = _validate(RuleModel, _read_yaml(path), path)
    if rule.name != path.stem:
        raise RuleFileError(f"{path}: the rule is named {rule.name}, so must be the file")
    home = path.relative_to(folder).parts[0]
    expected = "any" if home in SHARED_FOLDERS else home
    if rule.framework != expected:
        raise RuleFileError(f"{path}: the framework of a rule in this folder is {expected}")
    return RuleFile(rule, path)


def parse_yaml(text: str) -> Any:
    """What `yaml.safe_load` gives, by libyaml where it is there: rule files are many."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load(text, Loader=loader)  # noqa: S506 - both are safe loaders


def _read_yaml(path: Path) -> Any:
    try:
        return parse_yaml(path.read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise RuleFileError(f"{path}: {error}") from None


def _validate(model: Any, data: Any, path: Path) -> Any:
    try:
        return model.model_validate(data)
    except ValidationError as error:
        lines = [
            f"{'.'.join(map(str, part['loc'])) or 'the rule'}: {part['msg']}"
            for part in error.errors()
        ]
        raise RuleFileError(f"{path}: " + "; ".join(lines)) from None
