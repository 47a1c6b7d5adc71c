"""Rule files read from a folder and checked; the first step of compiling them.

Used when the package is built, by the self-test, and for a team's own rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from cfglint.knowledge.compiling.bases import Bases, load_bases, whole_examples
from cfglint.knowledge.compiling.concepts import Concepts, load_concepts
from cfglint.knowledge.compiling.derivation_model import DerivationModel
from cfglint.knowledge.compiling.expanding import SharedRule, expand, uses_concepts
from cfglint.knowledge.compiling.files import RuleFileError, read_yaml, validate
from cfglint.knowledge.compiling.model import RuleModel

#: The folder of `rules/` with rules that refer to several frameworks.
SHARED = "shared"


class RuleFile(NamedTuple):
    """A rule with the file it is in."""

    rule: RuleModel
    path: Path


def load_rules(folder: Path, paths: Iterable[Path] | None = None) -> list[RuleFile]:
    """Every rule below `folder/<framework>/<family>/`, in the order of their codes.

    A shared rule that is written with concepts is there once for each framework that has it.

    Args:
        paths: the rule files to read; all of them when it is None.

    Raises:
        RuleFileError: files are malformed, or two rules share a code or a name.
    """
    concepts, bases = load_concepts(folder), load_bases(folder)
    files: list[RuleFile] = []
    seen: dict[str, Path] = {}
    problems: list[str] = []
    for path in paths if paths is not None else rule_paths(folder):
        try:
            code, rules = _load(path, folder, concepts, bases)
        except RuleFileError as error:
            problems += error.problems
            continue
        formerly = rules[0].formerly if rules else ()
        for label in (path.stem, code, *formerly):
            if label in seen:
                problems.append(f"{path}: {label} is already the rule in {seen[label]}")
            seen[label] = path
        files += [RuleFile(rule, path) for rule in rules]
    if problems:
        raise RuleFileError(*problems)
    files.sort(key=lambda file: file.rule.code)
    return files


def load_shared(folder: Path) -> list[SharedRule]:
    """The rules that are written with concepts, in the order of their codes.

    Raises:
        RuleFileError: a file is malformed.
    """
    concepts, bases = load_concepts(folder), load_bases(folder)
    shared = []
    for path in rule_paths(folder / SHARED, depth=1):
        data = _read(path, folder)
        if uses_concepts(data):
            shared.append(expand(data, path, concepts, bases).shared)
    return sorted(shared, key=lambda rule: rule.code)


def load_derivations(path: Path) -> list[DerivationModel]:
    """The rewrites of a framework, in the order in which it makes them.

    Besides these, a file may have fields that are `common` to all of its own, and `include` those of a file
    above the frameworks' folders, `when` a condition is true.

    Raises:
        RuleFileError: the file is malformed.
    """
    data = read_yaml(path)
    common: dict[str, Any] = {}
    if isinstance(data, dict) and data.keys() == {"common", "derivations"}:
        common, data = data["common"], data["derivations"]
    if not isinstance(data, list) or not isinstance(common, dict):
        raise RuleFileError(f"{path}: derivations are a list, or `common` and `derivations`")
    out: list[DerivationModel] = []
    for part in data:
        if isinstance(part, dict) and {"include"} <= part.keys() <= {"include", "when"}:
            for one in load_derivations(path.parent.parent / f"{part['include']}.yaml"):
                both = [when for when in (part.get("when"), one.when) if when is not None]
                out.append(one.model_copy(update={"when": {"all": both} if both else None}))
        else:
            own = {**common, **part} if isinstance(part, dict) else part
            out.append(validate(DerivationModel, own, path))
    return out


def rule_paths(folder: Path, depth: int = 2) -> Iterator[Path]:
    """The rule files of a folder, so many folders down."""
    if depth == 0:
        yield from sorted(folder.glob("*.yaml"))
    elif folder.is_dir():
        for inner in sorted(path for path in folder.iterdir() if path.is_dir()):
            yield from rule_paths(inner, depth - 1)


def _load(
    path: Path, folder: Path, concepts: Concepts, bases: Bases
) -> tuple[str, list[RuleModel]]:
    """The code in a file, and its rules: one, or one a framework."""
    data = _read(path, folder)
    home = path.relative_to(folder).parts[0]
    if home == SHARED and uses_concepts(data):
        _check_frame(data.get("name"), data.get("framework"), path, "any")
        expansion = expand(data, path, concepts, bases)
        return expansion.shared.code, expansion.rules
    rule = whole_examples(validate(RuleModel, data, path, at=()), bases, path)
    _check_frame(rule.name, rule.framework, path, "any" if home == SHARED else home)
    if home != SHARED and (rule.differs or rule.not_for):
        raise RuleFileError(f"{path}: `differs` and `not_for` belong to rules under {SHARED}/")
    if home == SHARED and rule.when is not None:
        raise RuleFileError(f"{path}: the condition of a shared rule is written with concepts")
    for name in rule.differs:
        adapted(rule, name, path)
    return rule.code, [rule]


def implied_fields(path: Path, folder: Path) -> dict[str, str]:
    """The fields of a rule that follow from the path of its file: `name` and `framework`."""
    home = path.relative_to(folder).parts[0]
    return {"name": path.stem, "framework": "any" if home == SHARED else home}


def _read(path: Path, folder: Path) -> Any:
    data = read_yaml(path)
    return {**implied_fields(path, folder), **data} if isinstance(data, dict) else data


def _check_frame(name: Any, framework: Any, path: Path, expected: str) -> None:
    if name != path.stem:
        raise RuleFileError(f"{path}: the rule is named {name}, so must be the file")
    if framework != expected:
        raise RuleFileError(f"{path}: the framework of a rule in this folder is {expected}")


def adapted(rule: RuleModel, framework: str, path: Path | None = None) -> RuleModel:
    """A rule with what differs for one framework applied.

    Raises:
        RuleFileError: what differs there does not fit.
    """
    if framework not in rule.differs:
        return rule
    whole = {**rule.model_dump(exclude_unset=True), **rule.differs[framework]}
    return validate(RuleModel, whole, path or Path(rule.name), framework)
