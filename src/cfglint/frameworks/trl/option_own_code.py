"""What the classes of a project add to the options of a program."""

from __future__ import annotations

from cfglint.base.type_names import TYPE_CHECKING, Any
from cfglint.environment.copies import is_copied
from cfglint.frameworks.trl import cut_prompts
from cfglint.frameworks.trl.filled_classes import filled_by
from cfglint.frameworks.trl.serving import SERVER
from cfglint.knowledge import compiled
from cfglint.knowledge.keys.classes import fields_in
from cfglint.knowledge.keys.table import KeyTable
from cfglint.roles.own_code import OwnCode
from cfglint.roles.scripts import command_of

if TYPE_CHECKING:
    from cfglint.diagnostic import Diagnostic
    from cfglint.roles.key_policy import WrittenKey
    from cfglint.roles.parts import FileContext


class OptionOwnCode(OwnCode):
    """Classes of the project, and those of TRL that a program fills besides the one that configures the training."""

    def has(self, key: WrittenKey, ctx: FileContext) -> bool:
        """Whether an option is one of another class."""
        if self.framework.kind == SERVER:
            return is_copied("trl", ctx.around)
        if self.takes(key, None, ctx):
            return True
        filled = filled_by(command_of(ctx.document.root), ctx.around)
        if filled is None or len(filled.fields.described) < 2:
            return False
        if self.framework.keys.info("", key.name) is None:
            return KeyTable(compiled.load("trl_keys")).info("", key.name) is not None
        # An option that was another class's before it became this one's: `--trust_remote_code`.
        keys = ctx.release_keys
        return not keys.standing("", key.name).ordinary and any(
            key.name in fields_in("trl", one, keys) for one in filled.fields.described
        )

    def takes(self, key: WrittenKey, value: Any, ctx: FileContext) -> bool:
        """Whether a class of the project has the field itself, perhaps with another type."""
        if self.framework.kind == SERVER:
            return is_copied("trl", ctx.around)
        filled = filled_by(command_of(ctx.document.root), ctx.around)
        return filled is None or key.name in filled.fields.own_names

    def differs(self, finding: Diagnostic, ctx: FileContext) -> bool:
        """What a program has prevented before TRL's classes get its data."""
        return cut_prompts.is_prevented(finding, ctx.around)


ROLE = OptionOwnCode
