"""The programs of OpenRLHF, and their options."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.frameworks.for_files import variant
from cfglint.knowledge import compiled
from cfglint.knowledge.keys.places import full_key
from cfglint.knowledge.keys.release_keys import ReleaseKeys
from cfglint.knowledge.keys.table import KeyTable
from cfglint.knowledge.marks import MODULE
from cfglint.roles.class_options import plain_arity
from cfglint.roles.scripts import command_of
from cfglint.source.document import Mapping
from cfglint.source.languages.arguments import Arguments
from cfglint.source.languages.shell import Program, Programs, Shell
from cfglint.source.languages.words import ReadWords
from cfglint.source.shell_values import ExpandedWord

if TYPE_CHECKING:
    from cfglint.roles.framework import Framework

NAME: Final = "openrlhf"
MODULES: Final = "openrlhf.cli."
_FOLDER: Final = "openrlhf/cli/"
#: The type of a key that is a section.
_SECTION: Final = "any"


class _AnyWords:
    """The words of a program that is not known."""

    def read(self, words: Sequence[ExpandedWord], text: str) -> ReadWords:
        return ReadWords([], (), bool(words))


_ANY_WORDS: Final = _AnyWords()


def kinds() -> tuple[str, ...]:
    """The programs whose options are known."""
    return tuple(compiled.load("frameworks").FRAMEWORKS[NAME]["kinds"])


def program_of(root: Mapping) -> str:
    """The program that the first command of a script starts; empty without one."""
    name = command_of(root)
    return name if name in kinds() else ""


def is_module(name: str) -> bool:
    """Whether a program is named like one of OpenRLHF's modules, though no release has it."""
    return name.startswith(MODULES)


def called(words: Sequence[ExpandedWord], at: int) -> str:
    """The program that a word of a command is: a module, or its file in a checkout; else empty.

    One that no release has is called by the full name of its module.
    """
    text = words[at].text.replace("\\", "/")
    name = ""
    if text.startswith(MODULES) and at and words[at - 1].text in MODULE:
        name = text.removeprefix(MODULES)
        if name.isidentifier() and name not in kinds():
            return text
    elif f"/{text}".endswith(".py") and f"/{_FOLDER}" in f"/{text}":
        name = text.rpartition(_FOLDER)[2].removesuffix(".py")
    return name if name in kinds() else ""


def script_language(framework: Framework, release: str) -> Shell:
    """The language of scripts that start a release."""

    def program_at(words: Sequence[ExpandedWord], at: int) -> Program | None:
        name = called(words, at)
        if is_module(name):
            return Program(name, _ANY_WORDS)
        return Program(name, _options(framework, release, name)) if name else None

    programs: Programs = program_at
    return Shell(programs)


@lru_cache(maxsize=64)
def _options(framework: Framework, release: str, kind: str) -> Arguments:
    one = variant(framework, kind=kind)
    sections = frozenset(one.keys.sections()) - {""}
    return Arguments(arities(one.keys, one.release_keys(release)), sections=sections)


def arities(table: KeyTable, keys: ReleaseKeys) -> dict[str, str]:
    """How many words each option of a program takes in a release."""
    found = {"help": "0"}
    for section in table.sections():
        for name, row in table.names(section).items():
            if row[2] == _SECTION or not keys.standing(section, name).ordinary:
                continue
            schema = table.schema(section, name, keys.released)
            limits = schema[2] if schema is not None else {}
            type_ = schema[0] if schema is not None else row[2]
            found[full_key(section, name)] = plain_arity(type_, limits)
    return found
