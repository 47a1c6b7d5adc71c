"""Whether a project has formats of datasets of its own, or programs that read its configs."""

from __future__ import annotations

import os
from functools import partial

from cfglint.base.logic import plain
from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.knowledge.rules.views import written_value
from cfglint.roles.own_code import OwnCode

if TYPE_CHECKING:
    from cfglint.diagnostic import Diagnostic
    from cfglint.roles.key_policy import WrittenKey
    from cfglint.roles.parts import FileContext

#: The rule about types of datasets that no release has.
_UNKNOWN_TYPE: Final = "DAT209"


class AxolotlOwnCode(OwnCode):
    """Programs that are started with a config, and modules of prompt strategies that are copied into the package."""

    def has(self, key: WrittenKey, ctx: FileContext) -> bool:
        if key.section or key.info is not None or ctx.around.folder is None:
            return False
        from cfglint.environment.project.other_programs import programs_named_with

        # Many configs of a project are started with one program.
        return any(
            ctx.around.memory.once(
                ("named in program", program.path, key.name), partial(program.names, key.name)
            )
            for program in programs_named_with(ctx.document, ctx.around)
        )

    def differs(self, finding: Diagnostic, ctx: FileContext) -> bool:
        folder = ctx.around.folder
        if finding.code != _UNKNOWN_TYPE or folder is None:
            return False
        from cfglint.environment.python_sources import project_root, python_sources

        module = f"{plain(written_value(ctx.document, finding.path))}.py"
        sources = python_sources(ctx.around, project_root(ctx.around, folder))
        return any(
            os.path.basename(path) == module and text is not None and "def load(" in text
            for path, text in sources.items()
        )


ROLE = AxolotlOwnCode
