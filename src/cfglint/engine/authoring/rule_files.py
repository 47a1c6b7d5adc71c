"""The rule files that an author names by code, file or folder: found, tested, formatted and begun."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from cfglint.engine.authoring.selftest import counted, failures, untested_problems
from cfglint.knowledge import recognition
from cfglint.knowledge.compiled import checkout_rules, compiled_folder
from cfglint.knowledge.compiling import freshness
from cfglint.knowledge.compiling.bases import load_bases
from cfglint.knowledge.compiling.files import RuleFileError
from cfglint.knowledge.compiling.loading import (
    SHARED,
    RuleFile,
    adapted,
    implied_fields,
    load_rules,
    rule_paths,
)
from cfglint.knowledge.compiling.scaffold import scaffold
from cfglint.roles.framework import Framework, framework_class, load_framework
from cfglint.source.files.disk import Disk

#: So much of a rule file is looked through for its code.
_MAX_BYTES = 100_000
_CODE = re.compile(r"^code:[ \t]*(\S+)", re.M)


class Chosen(NamedTuple):
    """The rule files that an author named."""

    #: The folder with cfglint's own rules, which they are among; None if they are a project's.
    own: Path | None
    #: The files of cfglint's own rules; the files and folders of a project's.
    paths: tuple[Path, ...]
    #: The codes among a project's rules; all of them if there are none.
    codes: frozenset[str] = frozenset()
    #: Whether these are all rules of cfglint.
    is_everything: bool = False


def choose(wanted: Sequence[str], of_project: Callable[[], tuple[str, ...]]) -> Chosen:
    """The rule files with these codes or names, and those at these paths; else all of the project, or of a checkout.

    Args:
        of_project: gives the folders that the project's settings name.

    Raises:
        RuleFileError: there are no such rule files.
    """
    found = checkout_rules()
    own = None if found is None else Path(found)
    known = [] if own is None else list(rule_paths(own))
    if not wanted:
        of_settings = of_project()
        if of_settings:
            return Chosen(None, tuple(map(Path, of_settings)))
        if own is None:
            raise RuleFileError(
                "name the folder with the rules; the settings of this folder name none (`rules`)"
            )
        return Chosen(own, tuple(known), is_everything=True)
    mine: list[Path] = []
    others: list[Path] = []
    codes: set[str] = set()
    for text in wanted:
        if not os.path.exists(text):
            named = [path for path in known if text in (path.stem, _code(path))]
            mine += named
            codes |= set() if named else {text}
        elif own is not None and Path(text).resolve().is_relative_to(own.resolve()):
            place = own / Path(text).resolve().relative_to(own.resolve())
            mine += [path for path in known if path == place or place in path.parents]
        else:
            others.append(Path(text))
    if codes:
        others += map(Path, of_project())
    if mine and others:
        raise RuleFileError("name rules of cfglint or of a project, not both")
    if codes and not others:
        raise RuleFileError(*(f"{text}: neither a rule nor a folder of rules" for text in codes))
    if not mine and not others:
        raise RuleFileError(*(f"{text}: no rule file is in it" for text in wanted))
    if others:
        return Chosen(None, tuple(others), frozenset(codes))
    is_everything = any(
        own is not None and Path(text).resolve() == own.resolve() for text in wanted
    )
    return Chosen(own, tuple(mine), is_everything=is_everything)


def _code(path: Path) -> str:
    match = _CODE.search(path.read_text(encoding="utf-8"))
    return match[1] if match else ""


def places(chosen: Chosen) -> dict[Path, dict[str, str]]:
    """The rule files, each with what its place says; all of them can be used.

    Raises:
        RuleFileError: some cannot be used.
    """
    if chosen.own is not None:
        load_rules(chosen.own, chosen.paths)
        return {path: implied_fields(path, chosen.own) for path in chosen.paths}
    return {file.path: {"name": file.path.stem} for file in _project_files(chosen)}


# ------------------------------------------------------------------------------- testing


class Tested(NamedTuple):
    """What the examples of rules show."""

    rules: int
    problems: list[str]

    def __str__(self) -> str:
        return counted(self.rules, self.problems)


def tested(chosen: Chosen) -> Tested:
    """Run the examples of rules.

    Raises:
        RuleFileError: a rule file cannot be used.
    """
    if chosen.own is not None:
        files = load_rules(chosen.own, chosen.paths)
        problems = list(failures(files, _as_changed(chosen.own, files)))
    else:
        files = _project_files(chosen)
        problems = list(failures(files, _with_project_rules(chosen)))
    if chosen.is_everything:
        problems += untested_problems(files)
    return Tested(len({file.rule.code for file in files}), problems)


def _as_changed(own: Path, files: Sequence[RuleFile]) -> Callable[[str], Framework]:
    """Gives the frameworks with these rules as their files are now.

    Compiling all rules takes many seconds. Where nothing but some of these files has changed since,
    their rules take the place of the compiled ones.
    """
    changed = freshness.changed_files(str(own), compiled_folder())
    mine = [file for file in files if str(file.path) in changed]
    if not mine or changed > {str(file.path) for file in mine} or not all(map(_runs_alone, mine)):
        return load_framework
    freshness.TOLERATED.update(changed)

    @cache
    def with_changed(name: str) -> Framework:
        from cfglint.knowledge.compiling.frameworks import described
        from cfglint.knowledge.compiling.masks import ReleaseTable
        from cfglint.knowledge.compiling.project_rules import compiled_rules

        rules = [adapted(file.rule, name) for file in mine if file.rule.framework in ("any", name)]
        if not rules:
            return load_framework(name)
        home = own / name
        releases = ReleaseTable.read(home / "releases.json", described(home)["packages"][0])
        codes = frozenset(rule.code for rule in rules)
        return framework_class(name)(compiled_rules(rules, releases, codes))

    return with_changed


def _runs_alone(file: RuleFile) -> bool:
    """Whether a rule is tried on a file by itself: not on two files, and not by the engine."""
    from cfglint.knowledge.compiling.modules import ENGINE_CHECKS

    rule = file.rule
    return rule.edge is None and rule.migration != "only" and rule.check not in ENGINE_CHECKS


def _with_project_rules(chosen: Chosen) -> Callable[[str], Framework]:
    from cfglint.knowledge.compiling.project_rules import load_project_rules

    on_disk, paths = Disk(), tuple(map(str, chosen.paths))

    @cache
    def with_rules(name: str) -> Framework:
        return framework_class(name)(load_project_rules(paths, load_framework(name), on_disk))

    return with_rules


def _project_files(chosen: Chosen) -> list[RuleFile]:
    from cfglint.knowledge.compiling.project_rules import read_project_rules

    paths = tuple(map(str, chosen.paths))
    usual = recognition.usual()
    if usual is None:
        raise RuleFileError(f"{paths[0]}: none of the frameworks that its rules name exists")
    files = read_project_rules(paths, load_framework(usual).knowledge, Disk())
    found = [file for file in files if not chosen.codes or file.rule.code in chosen.codes]
    if missing := chosen.codes - {file.rule.code for file in found}:
        raise RuleFileError(*(f"{code}: neither a rule nor a folder of rules" for code in missing))
    return found


# ------------------------------------------------------------------------------ beginning


def begin(code: str, name: str, framework: str | None, of_project: Iterable[str]) -> Path:
    """Write the scaffold of a new rule, and return its path.

    Args:
        name: of the rule and of its file; the code if it is empty.
        framework: whose files it reads; the usual one if it is None.
        of_project: the folders that the project's settings name.

    Raises:
        RuleFileError: the code is taken or of a family of cfglint's, or the file is there.
    """
    found = checkout_rules()
    own = None if found is None else Path(found)
    prefix = code.rstrip("0123456789").rstrip("-")
    known = {} if own is None else {path: _code(path) for path in rule_paths(own)}
    taken = next((path for path, other in known.items() if other == code), None)
    if taken is not None:
        raise RuleFileError(f"{taken}: {code} is already the rule in this file")
    kin = [path.parent for path, other in known.items() if re.fullmatch(rf"{prefix}-?\d+", other)]
    kin = [folder for folder in kin if framework in (None, folder.parent.name)] or kin
    file = f"{name or code.lower()}.yaml"
    usual = framework or recognition.usual() or ""
    if own is not None and kin:
        home = kin[0].parent
        is_shared = home.name == SHARED
        reader = usual if is_shared else framework or home.name
        folder = kin[0] if is_shared or home.name == reader else own / reader / kin[0].name
    else:
        folders = [Path(one) for one in of_project]
        _refuse_taken(code, folders, usual)
        folder, reader, is_shared = next(iter(folders), Path()), usual, False
    bases = {} if own is None else load_bases(own).get(reader, {})
    text = scaffold(
        code,
        framework=reader,
        base=next(iter(bases), ""),
        is_own=own is not None and bool(kin),
        is_shared=is_shared,
    )
    path = folder / file
    if path.exists():
        raise RuleFileError(f"{path}: this file exists")
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def _refuse_taken(code: str, folders: Iterable[Path], framework: str) -> None:
    """Raise an error for a code that a project cannot give a rule of its own.

    Raises:
        RuleFileError: it is one of cfglint's families, or of another rule of the project.
    """
    from cfglint.knowledge.compiling.project_rules import rule_paths as project_rule_paths
    from cfglint.source.files.inside import of_project

    families = {rule.code[:3] for rule in load_framework(framework).knowledge.all_rules()}
    if code.rstrip("0123456789").rstrip("-") in families:
        raise RuleFileError(f"{code}: this prefix belongs to cfglint's rules")
    for folder in filter(Path.is_dir, folders):
        inside = of_project(str(folder), Disk())
        for path in project_rule_paths(str(folder), inside):
            try:
                match = _CODE.search(inside.read(path, _MAX_BYTES).decode("utf-8", "replace"))
            except OSError as error:
                raise RuleFileError(f"{path}: cannot be read: {error.strerror}") from None
            if match and match[1] == code:
                raise RuleFileError(f"{path}: {code} is already the rule in this file")
