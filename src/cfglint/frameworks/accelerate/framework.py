"""accelerate: the YAML file that `accelerate launch --config_file` reads."""

from __future__ import annotations

from cfglint.framework import Framework


class Accelerate(Framework):
    """How accelerate recognises, reads and completes a file."""

    name = "accelerate"


FRAMEWORK = Accelerate
