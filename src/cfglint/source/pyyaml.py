"""Imports PyYAML faster.

When it is imported, it compiles a pattern over all of Unicode and ten for what a scalar means, of
which a plain check needs three. With all of them it would execute a third more instructions.
"""

from __future__ import annotations

import re
import sys

from cfglint.base.lazy import lazy_pattern
from cfglint.base.type_names import Any, cast


def import_pyyaml() -> None:
    """Import PyYAML, with each of its patterns to be compiled at its first use."""
    if "yaml" in sys.modules:
        return
    compile_now = re.compile
    re.compile = cast("Any", lazy_pattern)
    try:
        import yaml  # noqa: F401 - for what it leaves in `sys.modules`
    finally:
        re.compile = compile_now
