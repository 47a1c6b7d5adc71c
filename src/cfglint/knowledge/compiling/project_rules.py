"""A project's own rules: rule files of the same form, in a folder that the settings name.

They are part of the repository that is checked, so they are untrusted: data only, with limits on
size and on what a pattern may cost.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from cfglint.base.record import Record
from cfglint.knowledge import compiled
from cfglint.knowledge.compiling.bases import BaseError, on_bases
from cfglint.knowledge.compiling.files import RuleFileError, problem_text
from cfglint.knowledge.compiling.loading import RuleFile
from cfglint.knowledge.compiling.masks import ReleaseTable
from cfglint.knowledge.compiling.model import RuleModel
from cfglint.knowledge.compiling.rules import compiled_rule
from cfglint.knowledge.compiling.texts import compiled_details, compiled_words
from cfglint.knowledge.rules.knowledge import Knowledge, ProjectRules
from cfglint.knowledge.rules.linear import UnsuitablePattern
from cfglint.knowledge.rules.patterns import OutsidePattern
from cfglint.knowledge.rules.rule import Details, Words
from cfglint.roles.framework import Framework, frameworks
from cfglint.source.document import Document
from cfglint.source.document import Path as KeyPath
from cfglint.source.files.base import Files
from cfglint.source.files.inside import of_project
from cfglint.source.languages.yaml import compose
from cfglint.source.problems import SourceError
from cfglint.source.text import MAX_BYTES, SourceText
from cfglint.source.values import to_python

MAX_FILES = 500
_SUFFIXES = (".yaml", ".yml")


class _Source(Record):
    path: str
    document: Document


def load_project_rules(
    folders: tuple[str, ...], framework: Framework, files: Files
) -> ProjectRules:
    """Read and compile the rules of a project.

    Args:
        folders: where they are; folders below are searched, links are not followed.
        framework: whose files they are for; its own codes and names are taken.

    Raises:
        RuleFileError: a folder or a file cannot be used; the message names file and line.
    """
    found = [
        file
        for file in read_project_rules(folders, framework.knowledge, files)
        if file.rule.framework in ("any", framework.name)
    ]
    known = framework.releases
    releases = ReleaseTable(
        known.package,
        known.newest,
        {version: {"pins": known.pins[version]} for version in known.versions},
    )
    return compiled_rules([file.rule for file in found], releases)


def compiled_rules(
    rules: Sequence[RuleModel],
    releases: ReleaseTable,
    replaced: frozenset[str] = frozenset(),
) -> ProjectRules:
    """Rules that a framework has in addition to its own, or in place of some of these."""
    return ProjectRules(
        rules=tuple(compiled_rule(rule, releases) for rule in rules),
        words={rule.code: Words(*compiled_words(rule)) for rule in rules},
        details={rule.code: Details(*compiled_details(rule)) for rule in rules},
        codes_replaced=replaced,
    )


def read_project_rules(
    folders: tuple[str, ...], knowledge: Knowledge, files: Files
) -> list[RuleFile]:
    """The rule files of a project, checked but not compiled (see `load_project_rules`)."""
    known = [*knowledge.all_rules(), *knowledge.migration_rules]
    taken = {rule.code: "a rule of cfglint" for rule in known}
    taken |= {rule.name: "a rule of cfglint" for rule in known}
    families = {rule.code[:3] for rule in known}
    within = {one: of_project(one, files) if files.is_folder(one) else files for one in folders}
    paths = [(path, within[one]) for one in folders for path in rule_paths(one, within[one])]
    if len(paths) > MAX_FILES:
        raise RuleFileError(f"{folders[0]}: more than {MAX_FILES} rule files")
    found: list[RuleFile] = []
    problems: list[str] = []
    for path, inside in paths:
        try:
            source = _Source(path, _read(path, inside))
            data = _contents(source)
            for place, text in _clashes(data, taken, families):
                problems += _error(source, place, text).problems
            taken |= {str(data.get(key)): path for key in ("code", "name")}
            found.append(RuleFile(_validated(source, data), Path(path)))
        except RuleFileError as error:
            problems += error.problems
    if problems:
        raise RuleFileError(*problems)
    return found


def _contents(source: _Source) -> dict[str, Any]:
    data = to_python(source.document.root)
    if not isinstance(data, dict) or not data.keys() & RuleModel.model_fields.keys():
        raise _error(source, (), "this is not a rule file; `cfglint rules new` writes one")
    return {"name": Path(source.path).stem, **data}


def _clashes(
    data: Mapping[str, Any], taken: Mapping[str, str], families: Collection[str]
) -> Iterator[tuple[KeyPath, str]]:
    """What of a rule belongs to another one, or to none."""
    for key in ("code", "name"):
        if str(data.get(key)) in taken:
            yield (key,), f"{data[key]} is taken by {taken[str(data[key])]}"
    code, framework = str(data.get("code")), data.get("framework")
    if code not in taken and code.rstrip("0123456789").rstrip("-") in families:
        yield ("code",), f"{code}: this prefix belongs to cfglint's rules"
    if framework not in ("any", *frameworks()):
        unknown = f"unknown framework {framework!r}"
        missing = "`framework` is missing: the framework whose files the rule reads"
        yield ("framework",), unknown if framework else missing


def rule_paths(folder: str, files: Files) -> list[str]:
    """The rule files of a folder, then those of the folders in it; a file is its own."""
    if files.is_file(folder):
        return [folder]
    if not files.is_folder(folder):
        raise RuleFileError(f"{folder}: this folder of rules does not exist")
    found: list[str] = []
    waiting = [folder]
    while waiting:
        base = waiting.pop()
        inner = []
        try:
            entries = sorted(files.entries(base), key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in entries:
            path = os.path.join(base, entry.name)
            if entry.kind == "folder":
                inner.append(path)
            elif entry.name.endswith(_SUFFIXES) and not (
                entry.kind == "link" and files.is_folder(path)
            ):
                found.append(path)
        waiting += reversed(inner)
    return found


def _read(path: str, files: Files) -> Document:
    try:
        source = SourceText.from_bytes(files.read(path, MAX_BYTES + 1))
    except OSError as error:
        raise RuleFileError(f"{path}: cannot be read: {error.strerror}") from None
    except SourceError as error:
        raise RuleFileError(f"{path}: not a text file: {error.kind.value}") from None
    try:
        return compose(source)
    except SourceError as error:
        line = source.position(error.span.start).line
        problem = error.details.get("problem", error.kind.value)
        raise RuleFileError(f"{path}:{line}: not valid YAML: {problem}") from None


def _validated(source: _Source, data: dict[str, Any]) -> RuleModel:
    try:
        rule = RuleModel.model_validate(data)
    except ValidationError as error:
        found = [
            _error(source, tuple(p["loc"]), problem_text(RuleModel, p)) for p in error.errors()
        ]
        raise RuleFileError(*(text for one in found for text in one.problems)) from None
    problems: list[str] = []
    if rule.check is not None:
        text = "a project's own rule needs `when`; `check` names code"
        problems += _error(source, ("check",), text).problems
    try:
        rule = on_bases(rule, compiled.load("bases").BASES)
    except BaseError as error:
        problems += _error(source, error.place, str(error)).problems
    for condition in (rule.when, *(part.when for part in rule.remedy)):
        try:
            _guard_patterns(condition, source)
        except RuleFileError as error:
            problems += error.problems
    if problems:
        raise RuleFileError(*problems)
    return rule


def _guard_patterns(part: Any, source: _Source) -> None:
    """Replace every regular expression in a condition by one that is matched in linear time."""
    if isinstance(part, dict):
        for key, value in part.items():
            if key != "matches" or not isinstance(value, str):
                _guard_patterns(value, source)
                continue
            try:
                part[key] = OutsidePattern(value)
            except UnsuitablePattern as error:
                words = f"the pattern {value[:80]!r} {error}"
                raise _error(source, ("when",), words) from None
    elif isinstance(part, list):
        for item in part:
            _guard_patterns(item, source)


def _error(source: _Source, place: tuple[str | int, ...], problem: str) -> RuleFileError:
    """An error at the nearest place that is written in the file."""
    path: KeyPath = place
    while path and source.document.span(path) is None:
        path = path[:-1]
    span = source.document.span(path)
    assert span is not None  # the whole file has a place
    line = source.document.source.position(span.start).line
    return RuleFileError(f"{source.path}:{line}: {problem}")
