"""Imports PyYAML faster.

Its reader in Python compiles, when it is imported, a pattern over all of Unicode. That takes a
fifteenth of a plain check, in which libyaml reads the file and the pattern is not needed.
"""

from __future__ import annotations

import re
import sys
from importlib import import_module

from cfglint.lazy import lazy_pattern
from cfglint.type_names import Any

#: How the pattern for characters that YAML does not allow begins (`yaml.reader.Reader`).
_NOT_PRINTABLE = "[^\t\n\r -~\x85"


def import_pyyaml() -> None:
    """Import PyYAML, with that pattern to be compiled at its first use."""
    if "yaml" in sys.modules:
        return
    compile_now = re.compile

    def compile_later(pattern: Any, flags: Any = 0) -> Any:
        if isinstance(pattern, str) and pattern.startswith(_NOT_PRINTABLE):
            return lazy_pattern(pattern, flags)
        return compile_now(pattern, flags)

    re.compile = compile_later
    try:
        import_module("yaml")
    finally:
        re.compile = compile_now
