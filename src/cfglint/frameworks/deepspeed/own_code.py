"""Whether something of a project uses a file of DeepSpeed's."""

from __future__ import annotations

import os

from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.environment.python_sources import project_root, python_sources
from cfglint.roles.own_code import OwnCode

if TYPE_CHECKING:
    from cfglint.diagnostic import Diagnostic
    from cfglint.roles.key_policy import WrittenKey
    from cfglint.roles.parts import FileContext

#: What files of DeepSpeed have, and no other ones.
_SECTION: Final = "zero_optimization"
#: The rule about what a run may want to save.
_NOT_GATHERED: Final = "DSZ001"


class DeepSpeedOwnCode(OwnCode):
    """What the project does with a file besides handing it to DeepSpeed."""

    def has(self, key: WrittenKey, ctx: FileContext) -> bool:
        """Whether a program of the project asks for a key that DeepSpeed does not have, by its name."""
        if key.section or key.info is not None or ctx.around.folder is None:
            return False
        root = project_root(ctx.around, ctx.around.folder)
        quoted = f'"{key.name}"', f"'{key.name}'"
        return any(
            text is not None and any(one in text for one in quoted)
            for text in python_sources(ctx.around, root).values()
        )

    def sets(self, key: WrittenKey, ctx: FileContext) -> bool:
        """Whether the project has an argument of the trainer where the trainer gets it, too."""
        if ctx.around.folder is None:
            return False
        from cfglint.environment.project.other_programs import is_written_beside

        root = project_root(ctx.around, ctx.around.folder)
        return is_written_beside(key.name, ctx.around, root, but=_SECTION)

    def differs(self, finding: Diagnostic, ctx: FileContext) -> bool:
        """No run saves anything with a file that its repository does not name."""
        return finding.code == _NOT_GATHERED and ctx.once("unused file", lambda: _is_unused(ctx))


def _is_unused(ctx: FileContext) -> bool:
    around, folder = ctx.around, ctx.around.folder
    if folder is None or not around.path or around.named_by is not None or around.launches:
        return False
    from cfglint.environment.project.other_programs import is_named

    root = project_root(around, folder)
    return around.files.has(os.path.join(root, ".git")) and not is_named(around, root)


ROLE = DeepSpeedOwnCode
