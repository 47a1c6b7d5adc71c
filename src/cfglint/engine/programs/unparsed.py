"""Programs that call no class that is known because Python cannot parse them."""

from __future__ import annotations

import sys

from cfglint.source.document import Document

#: Why such a program is not checked.
UNPARSED = f"program that Python {sys.version_info[0]}.{sys.version_info[1]} cannot parse"


def is_unparsed(document: Document | None) -> bool:
    """Whether a program has no calls because it is no Python: of an older one, or a template."""
    if document is None or document.root.entries or document.language.structure != "calls":
        return False
    from cfglint.source.python_program import program_of

    return program_of(document.text).tree is None
