"""Names that a program imports from a package whose stated release does not have them."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator

from cfglint.base.type_names import Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.diagnostic import Fix
from cfglint.environment.copies import is_copied
from cfglint.environment.project.unbounded import asked
from cfglint.frameworks.trl.patched import is_patched_program
from cfglint.frameworks.trl_programs.imports.moved import Moved, following, moved
from cfglint.frameworks.trl_programs.imports.releases import (
    admitted_releases,
    is_free,
    newest_of,
)
from cfglint.frameworks.trl_programs.imports.uses import uses
from cfglint.knowledge.releases.names import (
    asked_by_newest,
    known_versions,
    packages_beside,
    successor,
)
from cfglint.knowledge.releases.names import names_of as releases_of_names
from cfglint.knowledge.releases.ranges import within
from cfglint.source.files.folders import climb
from cfglint.source.python_program import program_of
from cfglint.source.text import Span

_OWN: Final = ("transformers", "trl")
#: What transformers 5 still gives under the names and modules that it had before: tokenizers, and what prepares images.
_KEPT_MODULES: Final = ("tokenization_", "image_processing_")
_KEPT_CLASSES: Final = ("Tokenizer", "ImageProcessor")


def _is_kept(full: str) -> bool:
    if any(part.startswith(_KEPT_MODULES) for part in full.split(".")):
        return True
    return "." not in full and full.removesuffix("Fast").endswith(_KEPT_CLASSES)


#: How a message says that a name is newer than the stated release.
_CAME: Final = "came with"


def imported_from_other_release(ctx: CheckContext) -> Iterator[Hit]:
    """`from trl import SFTConfig` with TRL 0.8.6, at the margin of a program, or `trl.SFTConfig` after `import trl`."""
    for node, package, module, alias, span in _named(ctx):
        found = _missing(ctx, package, module, alias)
        if found is not None:
            own = {"name": alias, "use": _shown(node, package, module, alias), "where": ""}
            is_later = found["which"].startswith(_CAME)
            names = [alias] if node is None else [one.name for one in node.names]
            homes = _homes(ctx, names, module) if package == "trl" and not is_later else {}
            fixes: tuple[Fix, ...] = ()
            if alias in homes:
                home = homes[alias]
                own["where"] = f" It is in `{home.module}`."
                if home.name != alias:
                    own["where"] = f" It is `{home.name}` of `{home.module}`."
                if node is not None:
                    fixes = following(program_of(ctx.document.text), node, homes)
            elif not is_later:
                own["where"] = _instead(package, module, alias)
            yield Hit((), span, {**own, **found}, fixes=fixes, later=package if is_later else "")


def _instead(package: str, module: str, name: str) -> str:
    """What takes the place of a name that was removed, after a space; of a module that was, too."""
    full = _known_name(package, module, name) or name
    remark = successor(package, f"{module}.{name}") or successor(package, full)
    return f" {remark}" if remark else ""


def _homes(ctx: CheckContext, names: list[str], module: str) -> dict[str, Moved]:
    """Where those of some names are that the stated release of TRL has elsewhere."""
    admitted = admitted_releases(ctx, "trl")
    if admitted is None:
        return {}
    gone = [name for name in names if _missing(ctx, "trl", module, name) is not None]
    found = {name: moved(module, name, admitted.are_all) for name in gone}
    return {name: home for name, home in found.items() if home is not None}


def _imports(ctx: CheckContext) -> Iterator[tuple[ast.ImportFrom, str, str, str, Span]]:
    """(statement, package, module in it, name, place) of what a program imports at its margin, of packages that are no copies."""
    program = program_of(ctx.document.text)
    if program.tree is None or is_patched_program(program.names.packages, ctx):
        return
    for node in program.tree.body:
        if not isinstance(node, ast.ImportFrom) or node.level or not node.module:
            continue
        root, _, module = node.module.partition(".")
        package = root if root in _OWN else packages_beside().get(root)
        if package is not None and not _is_own(root, ctx):
            for alias in node.names:
                yield node, package, module, alias.name, program.name_of(alias)


def _named(ctx: CheckContext) -> Iterator[tuple[ast.ImportFrom | None, str, str, str, Span]]:
    """The same, and what the program takes from packages that it imports as a whole, each name once."""
    yield from _imports(ctx)
    program, seen = program_of(ctx.document.text), set[tuple[str, str]]()
    if program.tree is None or is_patched_program(program.names.packages, ctx):
        return
    for root, name, span in uses(program):
        package = root if root in _OWN else packages_beside().get(root)
        if package is None or (root, name) in seen or _is_own(root, ctx):
            continue
        seen.add((root, name))
        if not _is_module(package, name):
            yield None, package, "", name, span


def _is_module(package: str, name: str) -> bool:
    """Whether a name may be that of a module, which something else may have imported."""
    return any(full.startswith(f"{name}.") for full in releases_of_names(package))


def _shown(node: ast.ImportFrom | None, package: str, module: str, name: str) -> str:
    """How a program names something, in a message."""
    joined = _joined(package, module)
    return f"{joined}.{name}" if node is None else f"from {joined} import {name}"


def _is_own(root: str, ctx: CheckContext) -> bool:
    """Whether the project has a module of this name itself: `datasets.py`, or a copy of the package."""
    folder = ctx.around.folder
    if folder is None or is_copied(root, ctx.around):
        return folder is not None
    files = ctx.around.files
    return any(
        files.is_file(os.path.join(above, f"{root}.py")) for above in climb(folder, files)[1]
    )


def _joined(package: str, module: str) -> str:
    root = next((one for one, name in packages_beside().items() if name == package), package)
    return f"{root}.{module}" if module else root


def _known_name(package: str, module: str, name: str) -> str | None:
    """A name, or the module that it is in, as the table of the package has it; None if releases do not differ in it."""
    known = releases_of_names(package)
    full = f"{module}.{name}" if module else name
    while full and full not in known:
        full = full.rpartition(".")[0]
    return None if not full or (package == "transformers" and _is_kept(full)) else full


def _missing(ctx: CheckContext, package: str, module: str, name: str) -> dict[str, str] | None:
    """What a message says of a name that the stated release surely does not have; None for any other."""
    full = _known_name(package, module, name)
    admitted = admitted_releases(ctx, package) if full is not None else None
    if full is None or admitted is None:
        return None
    first, gone = releases_of_names(package)[full]
    if gone is not None and admitted.are_all(f">={gone}"):
        return {"release": str(admitted), "which": f"was removed in {gone}"}
    # A module may have had a name from elsewhere before it lists it itself.
    versions = known_versions(package)
    if first is None or module or first not in versions:
        return None
    before = versions[versions.index(first) - 1] if versions.index(first) else None
    if before is not None and admitted.are_all(f"<={before}"):
        return {"release": str(admitted), "which": f"{_CAME} {first}"}
    return None


def imported_from_newest(ctx: CheckContext) -> Iterator[Hit]:
    """`from trl import DataCollatorForCompletionOnlyLM` with a bare `trl` in the requirements, at the margin of a program."""
    found: dict[str, tuple[Span, dict[str, str]]] = {}
    for node, package, module, name, span in _named(ctx):
        gone = _gone(package, module, name) if package not in found else None
        if gone is not None and within(newest_of(package, ctx.target.facts), f">={gone}"):
            # The first one ends the program.
            params = {
                "name": name,
                "use": _shown(node, package, module, name),
                "gone": gone,
                "where": _instead(package, module, name),
            }
            found[package] = span, params
    for package, (span, params) in found.items():
        installed = _installed(ctx, package)
        if installed is not None:
            bound = _bound_of(ctx, package) or params["gone"]
            yield Hit((), span, {**params, "package": package, "bound": bound, **installed})


def _installed(ctx: CheckContext, package: str) -> dict[str, str] | None:
    """How pip comes to install the newest release of a package; None where it may choose another one."""
    if not is_free(ctx, package):
        return None
    own = asked(ctx.around, package)
    newest = newest_of(package, ctx.target.facts)
    if own.is_held:
        return None
    if own.place is not None:
        return {"asking": package, "place": str(own.place), "newest": newest}
    for other in (*_OWN, *packages_beside().values()):
        if package not in asked_by_newest(other) or not is_free(ctx, other):
            continue
        place = asked(ctx.around, other).place
        if place is not None:
            return {"asking": other, "place": str(place), "newest": f"{package} {newest}"}
    return None


def _bound_of(ctx: CheckContext, package: str) -> str | None:
    """The first release that lacks a name which any program around imports."""
    pin = ctx.target.pins.get(package)
    if pin is None or not pin.dated or pin.spec is None:
        return None
    ends = [part.removeprefix("<") for part in pin.spec.split(",") if part.startswith("<")]
    return ends[0] if len(ends) == 1 and ends[0][:1].isdigit() else None


def _gone(package: str, module: str, name: str) -> str | None:
    """The first release without a name, if the newest is without it, too."""
    full = _known_name(package, module, name)
    return None if full is None else releases_of_names(package)[full][1]


CHECKS = {
    "imported-from-newest": imported_from_newest,
    "imported-from-other-release": imported_from_other_release,
}
