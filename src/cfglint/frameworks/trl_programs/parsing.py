"""How a program is read, or a script that starts one: the calls of the classes, or the commands, are its sections."""

from __future__ import annotations

from functools import cached_property, partial

from cfglint.base.type_names import TYPE_CHECKING
from cfglint.frameworks.trl.patched import EXTENDING
from cfglint.frameworks.trl_programs.joining import JOINING
from cfglint.knowledge.keys.classes import parameters_of
from cfglint.roles.parsing import Parsing
from cfglint.source.languages.base import Language
from cfglint.source.languages.python import Python

if TYPE_CHECKING:
    from cfglint.environment.environment import Environment
    from cfglint.environment.surroundings import Surroundings


class ProgramParsing(Parsing):
    """Python, of which the calls count, or a shell script, of which the commands do."""

    @cached_property
    def language(self) -> Language:
        if self.framework.in_scripts:
            from cfglint.frameworks.trl_programs.scripts import ScriptsOfPrograms

            return ScriptsOfPrograms(lambda _program: None)
        return Python(partial(parameters_of, "trl"), JOINING, EXTENDING)

    def language_for(self, text: str, target: Environment, around: Surroundings) -> Language:
        if not self.framework.in_scripts:
            return self.language
        from cfglint.frameworks.trl.program_options import options_of_program, unset_of_program
        from cfglint.frameworks.trl_programs.scripts import ScriptsOfPrograms

        return ScriptsOfPrograms(
            lambda program: options_of_program(program, target, around),
            lambda program: unset_of_program(program, around),
        )


ROLE = ProgramParsing
