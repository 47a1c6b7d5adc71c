"""What a script installs for the program that it starts: that is the program's environment, not a list which it leaves alone.

A list in a folder above is of the programs there; one beside is idle where no script and no page has anybody install it.
"""

from __future__ import annotations

import os

from cfglint.base.lazy import lazy_pattern
from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.environment.project.file_kinds import LISTS, WITH_COMMANDS
from cfglint.environment.project.naming import mentions, text_in_force
from cfglint.environment.project.stated_versions import EVERYWHERE

if TYPE_CHECKING:
    from cfglint.environment.project.finder import Finder
    from cfglint.environment.project.stated_versions import Source

#: So many packages of interest make an environment; fewer are added to one.
_OF_AN_ENVIRONMENT: Final = 3
#: What installs a list or the project, or goes to an environment that is there.
_ANOTHER: Final = lazy_pattern(
    r"""(?x)\binstall\b(?:[^\n;&|\\]|\\\r?\n){0,300}?[ \t"']
    (?:\.{1,2}/?(?=[\[\s"']|$)|-[A-Za-z]{0,3}[rec]\b|--(?:requirement|editable|constraint)\b)
    |\b(?:uv|poetry|pdm|pipenv|pixi|rye|hatch)[ \t]+(?:sync|install|run|shell)\b
    |\b(?:conda|mamba|micromamba)[ \t]+(?:env|run)\b"""
)
_ENTERED: Final = lazy_pattern(r"\bactivate\b|\b(?:module|ml)[ \t]+load\b")
_MADE: Final = lazy_pattern(
    r"\b(?:conda|mamba|micromamba)[ \t]+create\b|-m[ \t]+venv\b|\bvirtualenv\b|\buv[ \t]+venv\b"
)
#: The list that a command installs the packages of.
_REQUIREMENTS: Final = "requirements"
_INSTALLED: Final = lazy_pattern(r"(?:-r|--requirement)[ \t=]*[\"']?([\w./-]{1,200})")


def without_other_lists(
    path: str, sources: list[Source], finder: Finder
) -> tuple[str, list[Source]]:
    """(the script that a file has its packages from, empty for none; the sources without the lists that it leaves alone)."""
    if not any(one.kind in LISTS and one.statements for one in sources):
        return "", sources
    script = next((one for one in sources if _is_its_own(one, path, finder)), None)
    if script is None:
        return "", sources
    pages = [*finder.scripts_of(os.path.dirname(path))]
    pages += [one.path for one in sources if one.kind == "images"]
    texts = [finder.text(page) for page in pages]
    installs_any = any(_ANOTHER.search(text) for text in texts)
    named = {os.path.basename(one[1]) for text in texts for one in _INSTALLED.finditer(text)}

    def is_left_alone(one: Source) -> bool:
        is_installed = one.name in named if one.kind == _REQUIREMENTS else installs_any
        return one.kind in LISTS and (one.distance > script.distance or not is_installed)

    out = [one.replaced(statements=()) if is_left_alone(one) else one for one in sources]
    return script.path, out


def _is_its_own(script: Source, path: str, finder: Finder) -> bool:
    """Whether a script installs an environment by the names of packages, and starts a file in it."""
    packages = {one.package for one in script.statements} - EVERYWHERE
    if (
        script.kind not in WITH_COMMANDS
        or len(packages) < _OF_AN_ENVIRONMENT
        or script.path == path
    ):
        return False
    written = finder.text(script.path)
    if os.path.basename(path) not in written:
        return False
    text = text_in_force(script.path, written)
    if _ANOTHER.search(text) or (_ENTERED.search(text) and not _MADE.search(text)):
        return False
    folder = os.path.dirname(script.path)
    if not mentions(text, path, folder):
        return False
    nearer = finder.beside(os.path.basename(path), folder)
    return nearer is None or nearer[0] == path
