"""Projects whose page says that they are archived, or have moved: no one is to run what is left there."""

from __future__ import annotations

import os

from cfglint.base.lazy import lazy_pattern
from cfglint.engine.severity.no_run.searched_file import SearchedFile
from cfglint.source.files.nearby import text_of

_PAGES = ("README.md", "readme.md", "README.rst", "README")
#: How much of a page is its head, in characters.
_HEAD = 1_500
_SAYS_SO = lazy_pattern(
    r"\bthis[ ](?:repo|repository|project|codebase)[ ](?:is|has[ ]been)[ ](?:now[ ])?"
    r"(?:archived|deprecated|discontinued|superseded|no[ ]longer[ ]maintained|moved[ ]to)\b"
    r"|\A\W{0,40}(?:archived|deprecated)\b|\beste[ ]repositorio[ ]está[ ]archivado\b|仓库已归档",
)
_REASON = "The project's README says that it is archived or has moved."


def why_given_up(file: SearchedFile) -> str:
    """Why no run is expected in a project that its page calls archived; empty in any other."""

    def look() -> bool:
        for name in _PAGES:
            text = text_of(os.path.join(file.root, name), 1_000_000, file.around.files)
            if text is not None:
                head = text[:_HEAD].replace("*", "").lower()
                return _SAYS_SO.search(head) is not None
        return False

    return _REASON if file.around.memory.once(("given up", file.root), look) else ""
