"""The page of a name that programs import from a package, and that not all of its releases have."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.knowledge.releases.names import (
    has_names,
    known_versions,
    names_of,
    packages_beside,
    successor,
)
from cfglint.report.prose import terminal
from cfglint.report.style import Style
from cfglint.roles.framework import frameworks, load_framework


def pages(text: str, style: Style, width: int) -> Iterator[str]:
    """The pages of a name, one for each package that has it.

    Args:
        text: the name, with its module and that of the package, or without them.
    """
    for module, package in _packages().items():
        wanted = text.removeprefix(f"{module}.")
        spans = names_of(package) if has_names(package) else {}
        if wanted in spans:
            yield _page(package, module, wanted, style, width)


def _packages() -> dict[str, str]:
    """Module -> package, of all with a table of names."""
    of_frameworks = {name for one in frameworks() for name in load_framework(one).packages}
    beside = packages_beside()
    return {one: one for one in sorted(of_frameworks - {*beside.values()})} | dict(beside)


def _page(package: str, module: str, name: str, style: Style, width: int) -> str:
    came, gone = names_of(package)[name]
    first = known_versions(package)[0]
    since = f"Since {package} {came}" if came else f"In {package} from {first} on"
    parts = [f"{since}, removed in {gone}." if gone else f"{since}."]
    remark = successor(package, name) if gone else ""
    title = f"{style.bold(f'{module}.{name}')} (a name of the package {package})"
    text = " ".join(filter(None, (*parts, remark)))
    return "\n".join([title, *terminal(text, style=style, width=width)]) + "\n"
