"""The folders of installed packages, as scripts ask Python for them.

`$(python -c "import name; print(name.__path__[0])")/x.py` is a file of a package wherever that is installed: its name in the
package, `name/x.py`, says what it is.
"""

from __future__ import annotations

import re

from cfglint.base.lazy import lazy_pattern

#: What a shell puts in place of a line of Python, and the line.
_ASKED = lazy_pattern(
    r"(?:\$\(|`)[\w ./-]{0,80}\bpython[\d.]{0,6}[ \t]{1,9}-c[ \t]{1,9}"
    r"(?:\"([^\"\n`$]{1,300})\"|'([^'\n`]{1,300})')[ \t]{0,9}[)`](?=/)"
)
#: What prints the folder of a package.
_FOLDER = lazy_pattern(r"(?<![\w.])(\w{1,60})\.__path__\[0\]|\bdirname\((\w{1,60})\.__file__\)")
#: What goes further up.
_UP = ("dirname", "parent", "..")


def with_package_names(text: str) -> str:
    """A text with the name of a package in place of each command that prints its folder."""
    is_asked = "__path__" in text or "__file__" in text
    return str(_ASKED.sub(_name, text)) if is_asked else text


def _name(match: re.Match[str]) -> str:
    line = match[1] or match[2]
    found = _FOLDER.findall(line)
    if len(found) != 1 or sum(map(line.count, _UP)) > bool(found[0][1]):
        return str(match[0])
    inside, beside = found[0]
    return str(inside or beside)
