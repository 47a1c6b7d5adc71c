"""`setup.py`: what a project requires, read as text, since its lists may be put together anywhere.

Every string that is a requirement with a version counts: many scripts list all of them once and
pick from the list by name.
"""

from __future__ import annotations

import re
from itertools import islice

from cfglint.base.lazy import lazy_pattern
from cfglint.environment.project.readers.requirements import REQUIREMENT, statement_of
from cfglint.environment.project.stated_versions import Statement, undisputed

_MAX_FOUND = 300
#: How far before a string a comment may begin.
_REACH = 500
_COMMENT = lazy_pattern(r"(?m)(?:^|\s)#")
#: `deps["NAME"]` and `deps_list("NAME", …)`, of a list of all that anything may need.
_PICKING = lazy_pattern(r"\bdeps(?:_list)?[\[(][\"']")
#: All of that list.
_PICKING_ALL = lazy_pattern(r"\bdeps\.(?:items|values)\(\)")
#: What is installed only on request.
_OPTIONAL = lazy_pattern(r"\bextras?_requires?[\"']?[ \t]*[:=][ \t]*\{[^}]*\}?")


def _is_picked(requirement: str, text: str) -> bool:
    """Whether a requirement is more than a line of a list from which others are picked by name."""
    if _PICKING.search(text) is None or _PICKING_ALL.search(text) is not None:
        return True
    name = re.split(r"[^\w.-]", requirement, maxsplit=1)[0]
    return re.search(rf"[\"']{re.escape(name)}[\"']", text) is not None


def read(path: str, text: str) -> list[Statement]:
    """The packages of interest that a project requires; those with several versions are left open."""
    optional = [match.span() for match in islice(_OPTIONAL.finditer(text), _MAX_FOUND)]
    found = []
    for string in islice(REQUIREMENT.finditer(text), _MAX_FOUND):
        start, end = string.span(1)
        line = text.rfind("\n", max(0, start - _REACH), start) + 1
        if _COMMENT.search(text, max(line, start - _REACH), start):
            continue
        statement = statement_of(string.group(1), path, text, start, end)
        if statement is not None and _is_picked(string.group(1), text):
            extra = any(first < start < last for first, last in optional)
            found.append(statement.replaced(conditional=extra or statement.conditional))
    return undisputed(found)
