"""Files that are in a project and configure none of its runs: those of a library that it has a copy of, and tests."""

from __future__ import annotations

import os
from functools import lru_cache, partial
from itertools import islice

from cfglint.base.lazy import lazy_pattern
from cfglint.environment.project.copies import bare_name
from cfglint.environment.project.stated_versions import normalized
from cfglint.environment.project_texts import project_texts
from cfglint.environment.surroundings import Surroundings
from cfglint.knowledge import compiled
from cfglint.knowledge.marks import all_marks
from cfglint.knowledge.releases.table import releases_of
from cfglint.source.files.base import Files
from cfglint.source.files.folders import climb
from cfglint.source.files.nearby import decoded

#: What the files of tests are called in a report.
TESTS = "the tests"
_OF_TESTS = frozenset({"test", "tests"})
#: Without one of these, a folder of this name may as well have programs that evaluate.
_RUNNERS = frozenset({"conftest.py", "pytest.ini"})
_IMPORTS = lazy_pattern(
    r"^[ \t]*(?:import|from)[ \t]+(?:pytest|unittest|absl\.testing|parameterized)\b"
)
#: The folder of a clone with what its developers show.
_EXAMPLES = "examples"
_PACKAGED = lazy_pattern(r"\bname[ \t]*=[ \t]*[\"']([A-Za-z][\w.-]{0,60})[\"']")
_PACKAGING = ("pyproject.toml", "setup.py", "setup.cfg")
#: A repository with its account, as packaging names it or the settings of Git.
_REPOSITORY = lazy_pattern(r"(?i)github\.com[/:]([\w-]{1,40})/([\w.-]{1,100})")
_MAX_BYTES = 200_000
_MAX_LOOKED_AT = 40


def owner_of(around: Surroundings) -> str:
    """Whose a file is, if it is not there to be run: a library's, or `TESTS`; empty for the project's own.

    What a script of the project names is the project's.
    """
    path = os.path.abspath(around.path)
    root, levels = climb(os.path.dirname(path), around.files)
    if not around.files.has(os.path.join(root, ".git")):
        return ""
    for folder in levels:
        if folder == root:
            return ""
        key = ("owner of", folder)
        owner = around.memory.once(key, partial(_owner, folder, root, around.files))
        if not owner and path.endswith(".py"):
            owner = _framework_in(folder, around.files)
        if not owner and os.path.basename(folder) == _EXAMPLES:
            clone = os.path.dirname(folder)
            owner = _cloned_in(clone, around.files) if clone != root else ""
            if owner and not _is_named(path, clone, root, around):
                return owner
            owner = ""
        if owner:
            return "" if _is_named(path, folder, root, around) else owner
    return ""


def _cloned_in(folder: str, files: Files) -> str:
    """The framework of which a folder is a clone; empty for none."""
    for marks in all_marks():
        for one in marks.version_files:
            if "/" in one and files.is_file(os.path.join(folder, *one.split("/"))):
                return marks.package
    return ""


def _framework_in(folder: str, files: Files) -> str:
    """The framework whose package a folder is: what its own modules call goes by its requirements, and not by a project's."""
    name = os.path.basename(folder)
    for marks in all_marks():
        for one in marks.version_files:
            inner = one.removeprefix("src/")
            path = os.path.join(os.path.dirname(folder), *inner.split("/"))
            if inner.startswith(f"{name}/") and files.is_file(path):
                return marks.package
    return ""


def _owner(folder: str, root: str, files: Files) -> str:
    """Whose all files in a folder of a project are; empty if nothing shows it."""
    try:
        names = frozenset(files.names(folder))
    except OSError:
        return ""
    name = os.path.basename(folder)
    if name in _OF_TESTS and (
        _has_tests(folder, names, files) or _is_of_framework(os.path.dirname(folder), files)
    ):
        return TESTS
    packaged = _packaged_in(folder, names, files)
    if not packaged and "__init__.py" in names and _is_library(normalized(name)):
        packaged = normalized(name)
    if not packaged:
        return ""
    if not _is_library(packaged):
        return _copied_from(folder, root, names, files)
    try:
        own = _packaged_in(root, frozenset(files.names(root)), files)
    except OSError:
        own = ""
    return "" if own == packaged else packaged


def _copied_from(folder: str, root: str, names: frozenset[str], files: Files) -> str:
    """The repository that a folder of a project is a copy of: its packaging says so, and the folder has the same name.

    Of a framework none is: who clones one runs it. Nor of a repository with the owner of the project's.
    """
    own = bare_name(os.path.basename(folder))
    for name in _PACKAGING:
        text = decoded(os.path.join(folder, name), _MAX_BYTES, files) if name in names else ""
        for found in islice(_REPOSITORY.finditer(text), _MAX_LOOKED_AT):
            account, repository = found[1], found[2].removesuffix(".git")
            if bare_name(repository) != own:
                continue
            if own in {bare_name(marks.repository) for marks in all_marks() if marks.repository}:
                return ""
            config = decoded(os.path.join(root, ".git", "config"), _MAX_BYTES, files).lower()
            accounts = {one[1] for one in _REPOSITORY.finditer(config)}
            return "" if account.lower() in accounts else f"{account}/{repository}"
    return ""


def _is_of_framework(folder: str, files: Files) -> bool:
    """Whether a folder is a copy of a framework, whose tests are its developers'."""
    try:
        packaged = _packaged_in(folder, frozenset(files.names(folder)), files)
    except OSError:
        return False
    return any(packaged == marks.package for marks in all_marks())


def _has_tests(folder: str, names: frozenset[str], files: Files) -> bool:
    """Whether a folder has what a runner of tests looks for."""
    if not _RUNNERS.isdisjoint(names):
        return True
    for name in sorted(names)[:_MAX_LOOKED_AT]:
        if name.endswith(".py") and (name.startswith("test_") or name.endswith("_test.py")):
            text = decoded(os.path.join(folder, name), _MAX_BYTES, files)
            if any(map(_IMPORTS.match, text.splitlines())):
                return True
    return False


def _packaged_in(folder: str, names: frozenset[str], files: Files) -> str:
    """The package that a folder is the source of, as registries compare its name; empty for none."""
    for name in _PACKAGING:
        if name in names:
            found = _PACKAGED.search(decoded(os.path.join(folder, name), _MAX_BYTES, files))
            if found is not None:
                return normalized(found[1])
    return ""


@lru_cache(maxsize=64)
def _is_library(package: str) -> bool:
    """Whether a package is one that frameworks build on: their own clones, unlike its, are often what is run."""
    if package not in compiled.load("frameworks").ASKED:
        return False
    for marks in all_marks():
        releases = releases_of(marks.package)
        if package in releases.pins.get(releases.newest, {}):
            return True
    return False


def _is_named(path: str, folder: str, root: str, around: Surroundings) -> bool:
    """Whether a script or a page of the project outside of a folder has the name of a file in it."""
    name, inside = os.path.basename(path), os.path.join(folder, "")
    naming = [
        one
        for one, text in project_texts(around, root)
        if text is not None and name in text and not one.startswith(inside)
    ]
    if not naming:
        return False
    packaged = _package_at(folder, around.files)
    return not packaged or any(not _is_in_copy(one, root, packaged, around) for one in naming)


def _package_at(folder: str, files: Files) -> str:
    try:
        return _packaged_in(folder, frozenset(files.names(folder)), files)
    except OSError:
        return ""


def _is_in_copy(path: str, root: str, packaged: str, around: Surroundings) -> bool:
    """Whether a file is in another copy of a package: what that says is about itself."""
    folder = os.path.dirname(path)
    while folder.startswith(os.path.join(root, "")):
        key = ("package at", folder)
        if around.memory.once(key, partial(_package_at, folder, around.files)) == packaged:
            return True
        folder = os.path.dirname(folder)
    return False
