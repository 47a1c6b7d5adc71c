"""What the classes of a project add to the options of a program."""

from __future__ import annotations

from cfglint.base.type_names import TYPE_CHECKING, Any
from cfglint.frameworks.trl.filled_classes import filled_by
from cfglint.knowledge import compiled
from cfglint.knowledge.keys.classes import known_classes, table_of
from cfglint.knowledge.keys.table import KeyInfo, KeyTable
from cfglint.roles.own_code import OwnCode
from cfglint.roles.scripts import command_of

if TYPE_CHECKING:
    from cfglint.roles.key_policy import WrittenKey
    from cfglint.roles.parts import FileContext


class OptionOwnCode(OwnCode):
    """Classes of the project, and those of TRL that a program fills besides the one that configures the training."""

    def has(self, key: WrittenKey, ctx: FileContext) -> bool:
        """Whether an option is one of another class."""
        if self.takes(key, None, ctx):
            return True
        filled = filled_by(command_of(ctx.document.root), ctx.around)
        if filled is None or len(filled.fields.described) < 2:
            return False
        info = KeyTable(compiled.load("trl_keys")).info("", key.name)
        if self.framework.keys.info("", key.name) is None:
            return info is not None
        # A field that the class itself had before, or has later: `trust_remote_code` is one of `ModelConfig`, too.
        return _is_released(info, ctx) and not any(
            _is_released(table_of("trl", name).info("", key.name), ctx)
            for name in known_classes("trl")
            if name.startswith("trl.") and name.endswith("Config")
        )

    def takes(self, key: WrittenKey, value: Any, ctx: FileContext) -> bool:
        """Whether a class of the project has the field itself, perhaps with another type."""
        filled = filled_by(command_of(ctx.document.root), ctx.around)
        return filled is None or key.name in filled.fields.own_names


def _is_released(info: KeyInfo | None, ctx: FileContext) -> bool:
    """Whether the release in force has a field."""
    if info is None or not ctx.release_keys.released(info.since):
        return False
    return info.removed is None or not ctx.release_keys.released(info.removed)


ROLE = OptionOwnCode
