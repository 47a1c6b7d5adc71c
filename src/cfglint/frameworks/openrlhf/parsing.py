"""How a script is read: a shell splits it into words, and `argparse` converts them."""

from __future__ import annotations

from cfglint.base.type_names import TYPE_CHECKING
from cfglint.frameworks.openrlhf.programs import script_language
from cfglint.knowledge.keys.judges import Judge
from cfglint.knowledge.keys.word_judge import CODE_WORDS
from cfglint.roles.option_parsing import OptionParsing

if TYPE_CHECKING:
    from cfglint.environment.environment import Environment
    from cfglint.environment.surroundings import Surroundings
    from cfglint.source.languages.base import Language


class OpenRLHFParsing(OptionParsing):
    """A shell, and `argparse`."""

    @property
    def language(self) -> Language:
        return self.script_language(self.framework.releases.versions[-1])

    def language_for(self, text: str, target: Environment, around: Surroundings) -> Language:
        return self.script_language(self.release_for(text, target))

    def make_script_language(self, release: str) -> Language:
        return script_language(self.framework, release)

    def judge(self, release: str) -> Judge:
        return CODE_WORDS


ROLE = OpenRLHFParsing
