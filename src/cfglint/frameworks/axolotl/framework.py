"""Axolotl: one YAML file that describes a whole training run."""

from __future__ import annotations

from cfglint.frameworks.axolotl.check_sources import CHECKS
from cfglint.roles.framework import Framework


class Axolotl(Framework):
    """Axolotl's files and its checks."""

    name = "axolotl"
    checks = CHECKS
    own_roles = frozenset(
        {"key_policy", "launching", "own_code", "own_files", "parsing", "readings"}
    )


FRAMEWORK = Axolotl
