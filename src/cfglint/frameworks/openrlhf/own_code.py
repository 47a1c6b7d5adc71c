"""Whether a project's own copy of OpenRLHF has an option that the release does not have."""

from __future__ import annotations

import os
from collections.abc import Iterator

from cfglint.base.lazy import lazy_pattern
from cfglint.base.type_names import TYPE_CHECKING, ClassVar, Final
from cfglint.environment.python_sources import project_root, python_sources
from cfglint.frameworks.openrlhf.programs import MODULES, is_module, program_of
from cfglint.roles.own_code import OwnCode
from cfglint.roles.scripts import command_of
from cfglint.source.files.nearby import read, search

if TYPE_CHECKING:
    from cfglint.diagnostic import Diagnostic
    from cfglint.environment.surroundings import Surroundings
    from cfglint.roles.key_policy import WrittenKey
    from cfglint.roles.parts import FileContext

_OPTION = lazy_pattern(r"[\"']--([A-Za-z][\w.{}-]{0,100})[\"']")
#: A field of a class: `lang: bool = field(default=False)`.
_FIELD = lazy_pattern(
    r"(?m)^(?:[ ]{2,4}|\t)([A-Za-z_]\w{0,80})[ ]?:[ ]?[A-Za-z\"'][^=\n#]{0,100}(?:=|$)"
)
#: `from openrlhf.cli.options import …`, `from .options import …`
_IMPORTED = lazy_pattern(
    r"(?m)^[ \t]{0,20}from[ ]+(?:(openrlhf(?:\.\w{1,80}){1,9})|\.(\w{1,80}))[ ]+import\b"
)
_FOLDER: Final = "openrlhf/cli/"
#: The rules about what the programs themselves examine.
_OWN: Final = "ORL"
#: The one about a program that is not there.
_MISSING: Final = "ORL018"
_MAX_BYTES: Final = 200_000
_MAX_COPIES: Final = 4
_MAX_MODULES: Final = 30


class OpenRLHFOwnCode(OwnCode):
    """A copy of the program in the project, which adds options as the program does."""

    modules: ClassVar[tuple[str, ...]] = ("openrlhf",)
    wholes: ClassVar[tuple[str, ...]] = ("cli",)
    parts: ClassVar[tuple[str, ...]] = ("models", "trainer")

    def has(self, key: WrittenKey, ctx: FileContext) -> bool:
        """`argparse` takes the beginning of an option for it where it begins no other one."""
        options, name = self._options(ctx) or frozenset(), key.full_name
        return name in options or sum(one.startswith(name) for one in options) == 1

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
    return around.folder is not None and bool(_elsewhere(module.removeprefix(MODULES), around))


def options_of_copy(program: str, around: Surroundings) -> frozenset[str] | None:
    """The options of the project's own copies of a program; None without one.

    A script may go to the folder of a copy first, so that one below another folder counts where none is above the script.
    """
    folder = around.folder
    if folder is None:
        return None
    near = search(f"{_FOLDER}{program}.py", folder, around.files).found[:1]
    paths = near or _elsewhere(program, around)[:_MAX_COPIES]
    texts = [text for path in paths for text in _texts(path, around)]
    return frozenset(one for text in texts for one in _options_in(text)) if texts else None


def _options_in(text: str) -> Iterator[str]:
    """The options that a module adds to its parser, or has as fields of a class that a parser is made from."""
    yield from _OPTION.findall(text)
    if "dataclass" in text:
        yield from _FIELD.findall(text)


def _elsewhere(program: str, around: Surroundings) -> list[str]:
    """The files anywhere in the project that a program of the framework would be in a copy."""
    paths = python_sources(around, project_root(around, around.folder or ""))
    end = f"/{_FOLDER}{program}.py"
    return [path for path in paths if path.replace(os.sep, "/").endswith(end)]


def _texts(path: str, around: Surroundings) -> Iterator[str]:
    """The text of a program, and those of the modules of its own package that it imports, which may make its parser."""
    root = path.replace(os.sep, "/").rpartition(_FOLDER)[0]
    left, seen = [path], {path}
    for one in left:
        contents = read(one, _MAX_BYTES, around.files)
        if contents is None:
            continue
        yield contents.source.text
        for package, name in _IMPORTED.findall(contents.source.text):
            module = package.replace(".", "/") if package else f"{_FOLDER}{name}"
            imported = os.path.join(root, f"{module}.py")
            if imported not in seen and len(seen) < _MAX_MODULES:
                seen.add(imported)
                left.append(imported)


ROLE = OpenRLHFOwnCode
