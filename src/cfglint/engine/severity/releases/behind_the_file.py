"""Findings that say a stated release is too old for a file: the file shows a later one as well.

Who writes a key, a model or a name that came later has mostly run it. The release that a file states for itself, or
that a list beside it does, is believed before that; an image or a list of another folder is not.
"""

from __future__ import annotations

import os

from cfglint.diagnostic import Diagnostic, as_note, one_lowered
from cfglint.engine.case import Case
from cfglint.environment.fitting import is_contradicted
from cfglint.environment.surroundings import Surroundings

#: How the names of files begin by which a person installs what the folders below need.
_LISTS = ("requirements", "environment", "conda", "pyproject.", "setup.")
_LOCKS = (".lock", "pylock.toml")
_IMAGE = "dockerfile"
_PAGE = "readme"
#: The kind of what states the release of a copy of the framework.
_COPY = "clone"


def as_far_as_stated(found: list[Diagnostic], case: Case) -> list[Diagnostic]:
    """The findings without those that only another folder's release has, and those milder that a folder above has."""
    weighed = (_weighed(one, case) if one.later else one for one in found)
    return [one for one in weighed if one is not None]


def _weighed(found: Diagnostic, case: Case) -> Diagnostic | None:
    pin = case.target.pins.get(found.later)
    if found.severity == "note" or pin is None or not pin.path or not pin.version:
        return found
    if found.later in case.target.excluding() or is_contradicted(case.target, found.later):
        return None  # whatever else is installed brings another release
    other = _open_list_beside(pin.path, found.later, case.around)
    if other:
        return as_note(found, f"{other}, which lies beside it, leaves the release open.")
    if _is_of_the_run(pin.path, case.around):
        # A page is rarely changed with what is run.
        is_page = os.path.basename(pin.path).lower().startswith(_PAGE)
        is_other = pin.path != os.path.abspath(case.around.path)
        return one_lowered(found) if is_page and is_other else found
    return one_lowered(found) if not pin.weak and _is_list_for(pin.path, case.around) else None


def _open_list_beside(path: str, package: str, around: Surroundings) -> str:
    """The name of a second list in the folder of a list of packages, which asks for one in no certain release."""
    name = os.path.basename(path).lower()
    if around.project is None or not ("requirements" in name and name.endswith(".txt")):
        return ""
    for source in around.project.sources:
        one = os.path.abspath(source.path)
        if one == path or os.path.dirname(one) != os.path.dirname(path):
            continue
        asked = [own for own in source.statements if own.package == package]
        if source.kind == "requirements" and asked and not any(own.version for own in asked):
            return source.name
    return ""


def _is_of_the_run(path: str, around: Surroundings) -> bool:
    """Whether a file is the one with the finding, starts it, lies beside it, or is of a copy of the framework."""
    own = os.path.abspath(around.path)
    chosen = around.project.chosen if around.project is not None else None
    if chosen is not None and chosen.kind == _COPY and os.path.abspath(chosen.path) == path:
        return True
    if path == own or any(path == os.path.abspath(start.path) for start in around.launches):
        return True
    return os.path.dirname(path) == os.path.dirname(own)


def _is_list_for(path: str, around: Surroundings) -> bool:
    """Whether a file says what is to be installed for the folders below, and a file is in one of them."""
    folder, name = os.path.split(path.lower())
    is_above = os.path.abspath(around.path).lower().startswith(folder.rstrip(os.sep) + os.sep)
    return is_above and (name.startswith(_LISTS) or name.endswith(_LOCKS) or name == _IMAGE)
