"""Exported environments that nothing installs, beside a list of packages that a page or a script has everybody install.

`conda env export > environment.yml` keeps what its author had at some time. Who follows the page has what the list asks for.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

from cfglint.base.lazy import lazy_pattern
from cfglint.base.type_names import TYPE_CHECKING
from cfglint.environment.project.file_kinds import EXPORTS
from cfglint.knowledge import compiled

if TYPE_CHECKING:
    from cfglint.environment.project.stated_versions import Source

#: The file that a command installs the packages of.
_INSTALLED = lazy_pattern(
    r"\binstall\b[^\n]{0,200}?[ \t](?:-r|--requirement)[ \t=]*[\"']?([\w./-]{1,200})"
)
#: What makes an environment from an export, whose usual name it need not be given.
_MADE = lazy_pattern(
    r"\b(?:conda|mamba|micromamba)[ \t]+(?:env[ \t]+(?:create|update)|create[ \t][^\n]{0,200}--file)\b"
)


def without_idle_exports(
    sources: list[Source], pages: Iterable[str], text_of: Callable[[str], str]
) -> list[Source]:
    """The sources without such exports.

    Args:
        pages: the scripts, pages and recipes of images with commands.
    """
    exports = [one for one in sources if one.kind in EXPORTS and one.complete]
    lists = [one for one in sources if one.kind == "requirements" and _is_of_training(one)]
    beside = {os.path.dirname(one.path) for one in lists}
    exports = [one for one in exports if os.path.dirname(one.path) in beside]
    if not exports:
        return sources
    texts = [text_of(path) for path in pages]
    if any(_MADE.search(text) for text in texts):
        return sources
    installed = {
        os.path.basename(found[1]) for text in texts for found in _INSTALLED.finditer(text)
    }
    folders = {os.path.dirname(one.path) for one in lists if one.name in installed}
    idle = {
        one.path
        for one in exports
        if os.path.dirname(one.path) in folders and not any(one.name in text for text in texts)
    }
    return [one for one in sources if one.path not in idle]


def _is_of_training(source: Source) -> bool:
    of_training = compiled.load("frameworks").OF_TRAINING
    return any(one.package in of_training for one in source.statements)
