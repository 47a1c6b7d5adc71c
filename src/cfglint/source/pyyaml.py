"""Imports PyYAML faster.

When it is imported, it compiles a pattern over all of Unicode and ten for what a scalar means, of
which a plain check needs three. With all of them a run of 60 ms takes 6 ms more.

Its modules call `re.compile` where they are defined, so that function is replaced while they are executed: no
import hook, and no copy of PyYAML, does the same in fewer lines. Another thread that compiles a pattern at that
moment gets one that works as well.
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
