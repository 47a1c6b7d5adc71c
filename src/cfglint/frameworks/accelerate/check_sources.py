"""Where accelerate's own checks are."""

from __future__ import annotations

from cfglint.checks.sources import in_module

CHECKS = in_module(
    "cfglint.frameworks.accelerate.checks.compute_environment", "key-of-other-environment"
)
