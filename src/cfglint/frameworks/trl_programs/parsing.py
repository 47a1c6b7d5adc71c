"""How a program is read: the calls of the classes are its sections."""

from __future__ import annotations

from functools import cached_property, partial

from cfglint.knowledge.keys.classes import parameters_of
from cfglint.roles.parsing import Parsing
from cfglint.source.languages.base import Language
from cfglint.source.languages.python import Python


class ProgramParsing(Parsing):
    """Python, of which the calls count."""

    @cached_property
    def language(self) -> Language:
        return Python(partial(parameters_of, "trl"))


ROLE = ProgramParsing
