"""Imports PyYAML faster.

When it is imported, it compiles a pattern over all of Unicode and ten for what a scalar means. That
takes a tenth of a plain check, which needs three of them.
"""

from __future__ import annotations

import re
import sys

from cfglint.base.lazy import import_module, lazy_pattern
from cfglint.base.type_names import Any, cast


def import_pyyaml() -> None:
    """Import PyYAML, with each of its patterns to be compiled at its first use."""
    if "yaml" in sys.modules:
        return
    compile_now = re.compile
    re.compile = cast("Any", lazy_pattern)
    try:
        import_module("yaml")
    finally:
        re.compile = compile_now
