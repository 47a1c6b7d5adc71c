"""Whether a project's own copy of OpenRLHF has an option that the release does not have."""

from __future__ import annotations

from cfglint.base.lazy import lazy_pattern
from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.environment.python_sources import project_root, python_sources
from cfglint.files.nearby import read, search
from cfglint.frameworks.openrlhf.programs import MODULES, is_module, program_of
from cfglint.roles.own_code import OwnCode
from cfglint.roles.scripts import command_of

if TYPE_CHECKING:
    from cfglint.diagnostic import Diagnostic
    from cfglint.environment.surroundings import Surroundings
    from cfglint.roles.key_policy import WrittenKey
    from cfglint.roles.parts import FileContext

_OPTION = lazy_pattern(r"[\"']--([A-Za-z][\w.{}-]{0,100})[\"']")
#: The rules about what the programs themselves examine.
_OWN: Final = "ORL"
#: The one about a program that is not there.
_MISSING: Final = "ORL018"
_MAX_BYTES: Final = 200_000


class OpenRLHFOwnCode(OwnCode):
    """A copy of the program in the project, which adds options as the program does."""

    def has(self, key: WrittenKey, ctx: FileContext) -> bool:
        return key.full_name in (self._options(ctx) or ())

    def differs(self, finding: Diagnostic, ctx: FileContext) -> bool:
        """A copy may examine its options otherwise than the release."""
        program = command_of(ctx.document.root)
        if is_module(program):
            return finding.code != _MISSING or _is_in_project(program, ctx.around)
        return finding.code.startswith(_OWN) and bool(self._options(ctx))

    def _options(self, ctx: FileContext) -> frozenset[str] | None:
        program = program_of(ctx.document.root)
        if not program:
            return None
        return ctx.once("options of copy", lambda: options_of_copy(program, ctx.around))


def _is_in_project(module: str, around: Surroundings) -> bool:
    """Whether the project has a module of that name itself."""
    folder = around.folder
    if folder is None:
        return False
    end = f"openrlhf/cli/{module.removeprefix(MODULES)}.py"
    paths = python_sources(around, project_root(around, folder))
    return any(path.replace("\\", "/").endswith(end) for path in paths)


def options_of_copy(program: str, around: Surroundings) -> frozenset[str] | None:
    """The options of the project's own copy of a program; None without one."""
    folder = around.folder
    if folder is None:
        return None
    for path in search(f"openrlhf/cli/{program}.py", folder, around.files).found[:1]:
        contents = read(path, _MAX_BYTES, around.files)
        if contents is not None:
            return frozenset(_OPTION.findall(contents.source.text))
    return None


ROLE = OpenRLHFOwnCode
