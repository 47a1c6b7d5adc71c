"""accelerate: the YAML file that `accelerate launch --config_file` reads."""

from __future__ import annotations

from cfglint.frameworks.accelerate.check_sources import CHECKS
from cfglint.roles.framework import Framework


class Accelerate(Framework):
    """accelerate's files.

    The launcher makes options of itself of all keys, those of sections too, and hands them on to
    the training process as variables of its environment. Who reads these decides what is taken,
    and that depends on `distributed_type` and `mixed_precision`.
    """

    name = "accelerate"
    own_roles = frozenset({"key_policy", "launching", "parsing", "readings"})
    checks = CHECKS


FRAMEWORK = Accelerate
