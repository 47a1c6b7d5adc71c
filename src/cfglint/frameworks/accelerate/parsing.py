"""What accelerate makes of written values."""

from __future__ import annotations

from cfglint.frameworks.accelerate.texts import TEXTS
from cfglint.knowledge.keys.judges import Judge
from cfglint.roles.parsing import Parsing


class AccelerateParsing(Parsing):
    """YAML, whose values become texts."""

    def judge(self, release: str) -> Judge:
        return TEXTS


ROLE = AccelerateParsing
