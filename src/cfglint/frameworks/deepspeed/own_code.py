"""Whether something of a project uses a file of DeepSpeed's."""

from __future__ import annotations

import os

from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.roles.own_code import OwnCode

if TYPE_CHECKING:
    from cfglint.diagnostic import Diagnostic
    from cfglint.roles.parts import FileContext

#: The rule about what a run may want to save.
_NOT_GATHERED: Final = "DSZ001"


class DeepSpeedOwnCode(OwnCode):
    """No run saves anything with a file that its repository does not name."""

    def differs(self, finding: Diagnostic, ctx: FileContext) -> bool:
        return finding.code == _NOT_GATHERED and ctx.once("unused file", lambda: _is_unused(ctx))


def _is_unused(ctx: FileContext) -> bool:
    around, folder = ctx.around, ctx.around.folder
    if folder is None or not around.path or around.named_by is not None or around.launches:
        return False
    from cfglint.environment.project.other_programs import is_named
    from cfglint.environment.python_sources import project_root

    root = project_root(around, folder)
    return around.files.has(os.path.join(root, ".git")) and not is_named(around, root)


ROLE = DeepSpeedOwnCode
