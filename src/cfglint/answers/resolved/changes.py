"""The differences between the effective configurations of two releases."""

from __future__ import annotations

from typing import Any

from cfglint.answers.resolved.resolve import Effective, EffectiveValue, Undecided
from cfglint.base.record import Record
from cfglint.source.document import Path


class EffectiveChange(Record):
    """One value that differs; None in the release that does not have it."""

    path: Path
    before: EffectiveValue | Undecided | None
    after: EffectiveValue | Undecided | None

    @property
    def is_inert(self) -> bool:
        """Whether one release alone has the key, with a default that switches nothing on.

        A new key that is true by default may do so. In a section that the file does not have, nothing is
        on.
        """
        one = self.after if self.before is None else self.before
        if (self.before is not None and self.after is not None) or not isinstance(
            one, EffectiveValue
        ):
            return False
        return one.is_default and (one.value is not True or len(self.path) > 1)

    @property
    def is_new_switch(self) -> bool:
        """Whether one release alone has the key, which is true by default: it matters where its subject does."""
        one = self.after if self.before is None else self.before
        alone = self.before is None or self.after is None
        return alone and isinstance(one, EffectiveValue) and one.is_default and not self.is_inert


class Changes(Record):
    """The differences between two effective configurations."""

    values: tuple[EffectiveChange, ...]
    #: Keys of the file that only the second release reads, and those that only the first one does.
    now_read: tuple[Path, ...]
    no_longer_read: tuple[Path, ...]


def changes(before: Effective, after: Effective) -> Changes:
    """The differences, in the order of the file."""
    first, second = _by_path(before), _by_path(after)
    paths = dict.fromkeys([*first, *second])
    changed = [EffectiveChange(path, first.get(path), second.get(path)) for path in paths]
    return Changes(
        tuple(change for change in changed if not _alike(change.before, change.after)),
        tuple(path for path in before.dropped if path not in after.dropped),
        tuple(path for path in after.dropped if path not in before.dropped),
    )


def _by_path(found: Effective) -> dict[Path, EffectiveValue | Undecided]:
    entries: dict[Path, EffectiveValue | Undecided] = {one.path: one for one in found.entries}
    return {**entries, **{one.path: one for one in found.undecided}}


def _alike(
    one: EffectiveValue | Undecided | None, other: EffectiveValue | Undecided | None
) -> bool:
    if isinstance(one, EffectiveValue) and isinstance(other, EffectiveValue):
        return _same(one.value, other.value)
    if isinstance(one, Undecided) and isinstance(other, Undecided):
        return one.needs == other.needs
    return one is other


def _same(one: Any, other: Any) -> bool:
    """Whether two values mean the same: 3 and 3.0 do, 1 and true do not."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, bool) != isinstance(other, bool):
        return False
    # What is not a number is not equal to itself.
    return bool(one == other) or repr(one) == repr(other)
