"""DeepSpeed: the JSON file that other frameworks hand to it."""

from __future__ import annotations

from cfglint.base.type_names import ClassVar
from cfglint.roles.framework import Framework
from cfglint.roles.parts import CheckSource


class DeepSpeed(Framework):
    """DeepSpeed's files and its checks."""

    name = "deepspeed"
    own_roles = frozenset({"key_policy", "own_code", "parsing", "readings"})
    checks: ClassVar = {
        "walked-section": CheckSource("cfglint.frameworks.deepspeed.checks", "walked-section"),
    }


FRAMEWORK = DeepSpeed
