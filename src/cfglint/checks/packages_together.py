"""Stated releases of packages that cannot be imported together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cfglint.base.type_names import TYPE_CHECKING, Any
from cfglint.checks.context import CheckContext, Hit
from cfglint.environment.copies import is_copied
from cfglint.environment.fitting import is_contradicted
from cfglint.knowledge.releases.ranges import within
from cfglint.knowledge.releases.together import (
    UNNAMED,
    WHOLE,
    Broken,
    broken,
    module_of,
    reached,
    refused,
    releases_read,
    upgrade,
)
from cfglint.source.text import Span

if TYPE_CHECKING:
    from cfglint.environment.pins import Pin

#: The package that checks the releases of others as it is imported.
_CHECKING = "transformers"


def packages_of_different_times(ctx: CheckContext) -> Iterator[Hit]:
    """A program of one release with a transformers that lacks a name which it imports."""
    if ctx.framework.row["of_sections"]:
        return  # what a program imports is looked at by a rule of its own
    params = together(ctx, ctx.target.releases.package, _own_entries(ctx))
    if params is not None:
        yield _hit(ctx, params)


def together(ctx: CheckContext, package: str, entries: set[str]) -> dict[str, Any] | None:
    """What a message says of releases that the import of some entries needs and that do not go together."""
    stated = stated_releases(ctx)
    if package not in stated or _is_copied(ctx, package):
        return None
    for importer, own in reached(package, entries, stated).items():
        if importer not in stated:
            continue
        for other in stated:
            if other == importer or _are_of_two_environments(ctx, importer, other):
                continue
            found = broken(importer, own, other, stated)
            if found is not None and not _is_copied(ctx, importer, other):
                return _params(ctx, found, own, other, stated)
    return None


def _are_of_two_environments(ctx: CheckContext, one: str, other: str) -> bool:
    """Whether two files state releases that pip never installs together."""
    pins = ctx.target.pins
    return pins[one].path != pins[other].path and is_contradicted(ctx.target, other)


def package_that_refuses_another(ctx: CheckContext) -> Iterator[Hit]:
    """A transformers 4.57 with huggingface-hub 1.0, which it looks at as it is imported."""
    stated, package = stated_releases(ctx), ctx.target.releases.package
    if _CHECKING not in stated or package not in stated or _is_copied(ctx, _CHECKING, package):
        return
    if _CHECKING not in reached(package, _own_entries(ctx), stated):
        return
    for other, versions in stated.items():
        specs = {refused(_CHECKING, one, other) for one in stated[_CHECKING]}
        for spec in filter(None, specs if len(specs) == 1 else ()):
            if not any(within(one, spec) for one in versions):
                params = {
                    "package": _CHECKING,
                    "release": str(ctx.target.pins[_CHECKING]),
                    "other": other,
                    "stated": str(ctx.target.pins[other]),
                    "spec": spec,
                }
                yield _hit(ctx, params)


def _params(
    ctx: CheckContext,
    found: Broken,
    entries: set[str],
    other: str,
    stated: dict[str, Sequence[str]],
) -> dict[str, Any]:
    name = found.name
    newer = upgrade(found.importer, entries, other, stated)
    if found.is_gone:
        change = f"{other} below {name.gone}"
        ways = [f"{found.importer} {newer} or newer", change] if newer else [change]
        which = f"{name.gone} removed"
    else:
        change = f"{other} {name.came} or newer"
        ways = [f"{found.importer} {newer}", change] if newer else [change]
        which = f"came with {name.came}"
    return {
        "package": found.importer,
        "release": str(ctx.target.pins[found.importer]),
        "other": other,
        "stated": str(ctx.target.pins[other]),
        "name": name.last_part,
        "module": name.module,
        "which": which,
        "ways": ", or ".join(ways),
    }


def _is_copied(ctx: CheckContext, *packages: str) -> bool:
    """Whether the project has one of the packages itself, which may then be another than the stated one."""
    return any(is_copied(module_of(package), ctx.around) for package in packages)


def _own_entries(ctx: CheckContext) -> set[str]:
    """The entries of the package whose program reads the file."""
    kind = ctx.framework.kind.lower()
    return {WHOLE, kind or UNNAMED, *_trainers(kind)}


def _trainers(kind: str) -> tuple[str, ...]:
    return (f"{kind.upper()}Trainer", f"{kind.capitalize()}Trainer") if kind else ()


def stated_releases(ctx: CheckContext) -> dict[str, Sequence[str]]:
    """Package -> the releases that it may be, of those that something states."""
    return ctx.once("releases that are stated", lambda: _read(ctx))


def _read(ctx: CheckContext) -> dict[str, Sequence[str]]:
    pins = {package: pin for package, pin in ctx.target.pins.items() if _is_stated(pin)}
    if len(pins) < 2:
        return {}  # and the table is not loaded
    found = {package: _possible(pin, releases_read(package)) for package, pin in pins.items()}
    return {package: versions for package, versions in found.items() if versions}


def _is_stated(pin: Pin) -> bool:
    if pin.inferred or pin.implied or pin.dated or pin.fork:
        return False
    return pin.version is not None or pin.spec is not None


def _possible(pin: Pin, known: Sequence[str]) -> Sequence[str]:
    if pin.version is not None:
        return (pin.version,)
    return [one for one in known if within(one, str(pin.spec))]


def _hit(ctx: CheckContext, params: dict[str, Any]) -> Hit:
    """A finding at the model that the run loads, else at the first key."""
    root = ctx.document.root
    label = next(iter(ctx.framework.role("readings").model_key), "")
    entry = root.lookup.get(label) or next(iter(root.entries), None)
    if entry is None:
        return Hit((), Span(0, 0), params)
    return Hit((entry.label,), Span(entry.key.start, entry.key.end), params)


CHECKS = {
    "package-that-refuses-another": package_that_refuses_another,
    "packages-of-different-times": packages_of_different_times,
}
