"""What functions of other modules load for a program: `cfg = load_config("configs/sft.yaml")`.

The module is one of the project, and its function gives back the file, or a part of it, as a call of the program's own would.
"""

from __future__ import annotations

import ast
import os

from cfglint.base.record import Record
from cfglint.environment.python_modules import module_file
from cfglint.environment.python_sources import project_root
from cfglint.environment.surroundings import Surroundings
from cfglint.source.calls import Feed, Loading
from cfglint.source.document import Path
from cfglint.source.files.nearby import read
from cfglint.source.python_loads import LoadedPart, Loads, Treatment
from cfglint.source.python_program import program_of
from cfglint.source.python_scopes import Scopes

#: A larger module is not read.
_MAX_BYTES = 200_000
#: So many modules hand a function on to the next one.
_MAX_MODULES = 4
#: In place of the path that a function is given.
_GIVEN = "\1"


class _LoadedElsewhere(Record):
    """What a function loads."""

    #: The folder of its module.
    folder: str
    part: LoadedPart
    treatment: Treatment


def with_file(feed: Feed, around: Surroundings) -> Feed | None:
    """What a call is given, with the file that it is from; None if a function loads that, and it is not certain which."""
    loading, folder = feed.loading, around.folder
    if loading is None:
        return feed
    if folder is None:
        return None
    key = ("loaded by a function", folder, loading)
    found = around.memory.once(key, lambda: _found(loading, folder, around))
    path = None if found is None else _path(found, loading)
    if found is None or path is None or (feed.by_attribute and not found.part.has_attributes):
        return None
    at = found.part.at
    changed, handed, read_by_name = found.treatment
    return feed.replaced(
        path=path[0],
        beside=path[1],
        language=found.part.language,
        at=(*at, *feed.at),
        changed=changed | _below(at, feed.changed),
        handed=handed | _below(at, feed.handed),
        read=read_by_name | _below(at, feed.read),
        loading=None,
    )


def _below(at: Path, paths: frozenset[Path]) -> frozenset[Path]:
    return frozenset((*at, *path) for path in paths)


def _found(loading: Loading, folder: str, around: Surroundings) -> _LoadedElsewhere | None:
    """What the function loads, if it is one of the project."""
    root = project_root(around, folder)
    home, module, name = folder, loading.module, loading.function
    for _ in range(_MAX_MODULES):
        path = module_file(module, home, folder, root, around.files.has)
        contents = None if path is None else read(path, _MAX_BYTES, around.files)
        has_name = contents is not None and name in contents.source.text
        tree = program_of(contents.source.text).tree if contents and has_name else None
        if path is None or tree is None:
            return None
        home, scopes = os.path.dirname(path), Scopes(tree)
        there = scopes.imported_as(name)
        if there is None:
            loads = Loads(scopes, frozenset())
            part = loads.of_function(name, _call(loading))
            is_known = part is not None and part.loading is None
            return (
                _LoadedElsewhere(home, part, loads.treatment(part)) if part and is_known else None
            )
        module, name = there
    return None


def _call(loading: Loading) -> ast.Call:
    """The call as it looks in the module: a path is only known to be one."""
    call = ast.Call(ast.Name(loading.function), [], [])
    for place, path in loading.arguments:
        value = ast.Constant(None if path is None else f"{_GIVEN}{place}{_GIVEN}")
        if place.isdigit():
            call.args.append(value)
        else:
            call.keywords.append(ast.keyword(place, value))
    return call


def _path(found: _LoadedElsewhere, loading: Loading) -> tuple[str, bool] | None:
    """The path of the file, and whether it is relative to the folder of the program; None if that is not certain."""
    text, beside = found.part.file
    before, *given = text.split(_GIVEN)
    if not given:
        own = os.path.normpath(os.path.join(found.folder, text))
        return (own, False) if beside else (text, False)
    path = dict(loading.arguments)[given[0]]
    if len(given) != 2 or path is None:
        return None
    if not before:
        return (path[0] + given[1], path[1])
    if path[1]:
        return None
    whole = before + path[0] + given[1]
    return (
        (os.path.normpath(os.path.join(found.folder, whole)), False) if beside else (whole, False)
    )
