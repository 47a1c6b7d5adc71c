"""Axolotl: one YAML file that describes a whole training run."""

from __future__ import annotations

from cfglint.framework import Framework
from cfglint.frameworks.axolotl.check_sources import CHECKS
from cfglint.source.document import Document, Sequence


class Axolotl(Framework):
    """Axolotl's files and its checks."""

    name = "axolotl"
    checks = CHECKS
    own_roles = frozenset({"key_policy", "launching", "own_code", "parsing", "readings"})

    def is_own(self, document: Document) -> bool:
        """Of lists alone are sweep files: what each of many runs has of its own."""
        entries = document.root.entries
        return not all(isinstance(entry.value.target(), Sequence) for entry in entries)


FRAMEWORK = Axolotl
