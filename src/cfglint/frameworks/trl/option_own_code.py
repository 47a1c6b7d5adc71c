"""What the classes of a project add to the options of a program."""

from __future__ import annotations

from cfglint.base.type_names import TYPE_CHECKING, Any
from cfglint.frameworks.trl.filled_classes import filled_by
from cfglint.knowledge import compiled
from cfglint.knowledge.keys.table import KeyTable
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
        if self.framework.keys.info("", key.name) is not None:
            return False
        filled = filled_by(command_of(ctx.document.root), ctx.around)
        has_others = filled is not None and len(filled.fields.described) > 1
        return has_others and KeyTable(compiled.load("trl_keys")).info("", key.name) is not None

    def takes(self, key: WrittenKey, value: Any, ctx: FileContext) -> bool:
        """Whether a class of the project has the field itself, perhaps with another type."""
        filled = filled_by(command_of(ctx.document.root), ctx.around)
        return filled is None or key.name in filled.fields.own_names


ROLE = OptionOwnCode
