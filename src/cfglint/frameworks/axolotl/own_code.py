"""Whether a project has formats of datasets of its own."""

from __future__ import annotations

import os

from cfglint.base.logic import plain
from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.knowledge.rules.views import written_value
from cfglint.roles.own_code import OwnCode

if TYPE_CHECKING:
    from cfglint.diagnostic import Diagnostic
    from cfglint.roles.parts import FileContext

#: The rule about types of datasets that no release has.
_UNKNOWN_TYPE: Final = "DAT209"


class AxolotlOwnCode(OwnCode):
    """A module with a prompt strategy lies in the project, and is copied into the package before a run."""

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
