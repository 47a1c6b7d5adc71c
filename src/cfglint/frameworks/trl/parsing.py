"""What TRL's parser makes of written values."""

from __future__ import annotations

from cfglint.base.type_names import TYPE_CHECKING
from cfglint.frameworks.trl.arguments import ARGUMENTS
from cfglint.knowledge.keys.judges import Judge
from cfglint.knowledge.keys.word_judge import CLASS_WORDS
from cfglint.roles.option_parsing import OptionParsing

if TYPE_CHECKING:
    from cfglint.source.languages.base import Language


class TrlParsing(OptionParsing):
    """YAML or the words of a command, and `argparse`, which converts texts."""

    def make_script_language(self, release: str) -> Language:
        from cfglint.frameworks.trl.scripts import script_language

        return script_language(self.framework, release)

    def judge(self, release: str) -> Judge:
        return CLASS_WORDS if self.framework.in_scripts else ARGUMENTS


ROLE = TrlParsing
