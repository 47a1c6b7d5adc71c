"""How a script is read: a shell splits it into words, and Hydra reads them."""

from __future__ import annotations

from functools import cached_property

from cfglint.frameworks.verl.commands import program_at
from cfglint.roles.parsing import Parsing
from cfglint.source.languages.base import Language
from cfglint.source.languages.shell import Shell


class VerlParsing(Parsing):
    """A shell, and Hydra."""

    @cached_property
    def language(self) -> Language:
        return Shell(program_at)


ROLE = VerlParsing
