"""Whether something of a project uses what a file of DeepSpeed's has besides DeepSpeed's own keys."""

from __future__ import annotations

import re

from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.environment.python_sources import any_source, project_root
from cfglint.roles.own_code import OwnCode

if TYPE_CHECKING:
    from cfglint.roles.key_policy import WrittenKey
    from cfglint.roles.parts import FileContext

#: What files of DeepSpeed have, and no other ones.
_SECTION: Final = "zero_optimization"


class DeepSpeedOwnCode(OwnCode):
    """What the project does with a file besides handing it to DeepSpeed."""

    def has(self, key: WrittenKey, ctx: FileContext) -> bool:
        """Whether a program of the project asks for a key that DeepSpeed does not have, by its name."""
        if key.section or key.info is not None:
            return False
        quoted = f'"{key.name}"', f"'{key.name}'"
        # A program that writes such a mapping itself asks for nothing by that.
        name = re.escape(key.name)
        asked = re.compile(
            rf"""(["']){name}\1(?![ \t]{{0,9}}:[ \t]{{0,9}}\S)|[!=]=[ \t]{{0,9}}["']{name}["']"""
        )
        return any_source(
            ctx.around,
            ("asks for", key.name),
            lambda text: any(one in text for one in quoted) and asked.search(text),
        )

    def sets(self, key: WrittenKey, ctx: FileContext) -> bool:
        """Whether the project has an argument of the trainer where the trainer gets it, too."""
        if ctx.around.folder is None:
            return False
        from cfglint.environment.project.other_programs import is_written_beside

        root = project_root(ctx.around, ctx.around.folder)
        return is_written_beside(key.name, ctx.around, root, but=_SECTION)


ROLE = DeepSpeedOwnCode
