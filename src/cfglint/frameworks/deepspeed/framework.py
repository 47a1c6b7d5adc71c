"""DeepSpeed: the JSON file that other frameworks hand to it."""

from __future__ import annotations

from cfglint.framework import Framework


class DeepSpeed(Framework):
    """How DeepSpeed recognises, reads and completes a file."""

    name = "deepspeed"


FRAMEWORK = DeepSpeed
