"""Whether another class is called than the released one that a program seems to import."""

from __future__ import annotations

import os

from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.files.folders import climb
from cfglint.roles.own_code import OwnCode
from cfglint.source.calls import call_of

if TYPE_CHECKING:
    from cfglint.diagnostic import Diagnostic
    from cfglint.environment.surroundings import Surroundings
    from cfglint.roles.key_policy import WrittenKey
    from cfglint.roles.parts import FileContext

#: Packages that put classes of their own in the place of others when a program imports them.
_PATCHING: Final = frozenset({"unsloth"})


class CallOwnCode(OwnCode):
    """Packages that patch the classes, and copies of the package that the project has itself."""

    def has(self, key: WrittenKey, ctx: FileContext) -> bool:
        """Whether the class that is called may have other parameters."""
        call = call_of(ctx.document.root)
        patched = call is not None and not _PATCHING.isdisjoint(call.imports)
        return patched or self._is_copied(ctx.around)

    def differs(self, finding: Diagnostic, ctx: FileContext) -> bool:
        return self._is_copied(ctx.around)

    def _is_copied(self, around: Surroundings) -> bool:
        """Whether the project has the package itself, as it is or installed beside the program."""
        folder, package = around.folder, self.framework.kind.partition(".")[0]
        if folder is None:
            return False
        return around.memory.once(
            ("copy of a package", package, folder), lambda: _has_copy(package, folder, around)
        )


def _has_copy(package: str, folder: str, around: Surroundings) -> bool:
    homes = [os.path.join(package, "__init__.py"), os.path.join("src", package, "__init__.py")]
    return any(
        around.files.is_file(os.path.join(above, home))
        for above in climb(folder, around.files)[1]
        for home in homes
    )


ROLE = CallOwnCode
