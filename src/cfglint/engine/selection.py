"""Which rules may speak."""

from __future__ import annotations

from cfglint.record import Record


class Selection(Record):
    """Which rules may speak: prefixes of codes, or names. Empty `select` means all."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    def has(self, code: str, name: str) -> bool:
        """Whether a rule is switched on; the longer of two matching prefixes decides."""
        if not self.select and not self.ignore:
            return True
        chosen = max((len(p) for p in self.select if _names(p, code, name)), default=-1)
        dropped = max((len(p) for p in self.ignore if _names(p, code, name)), default=-1)
        if self.select and chosen < 0:
            return False
        return dropped < 0 or chosen > dropped


#: Nothing switched off.
EVERY_RULE = Selection()


def _names(selector: str, code: str, name: str) -> bool:
    return selector == "ALL" or code.startswith(selector) or name == selector
