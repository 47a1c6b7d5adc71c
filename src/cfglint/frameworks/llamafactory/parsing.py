"""What LLaMA-Factory's readers make of a text."""

from __future__ import annotations

from functools import cached_property

from cfglint.base.logic import plain
from cfglint.base.type_names import TYPE_CHECKING, Any, Final
from cfglint.frameworks.llamafactory.judge import AS_WRITTEN, SECTIONS_AS_TEXT
from cfglint.frameworks.llamafactory.layout import DATASETS, V1
from cfglint.frameworks.llamafactory.scripts import (
    LAST_WITH_OLDER_FILE,
    OLDER_FILE,
    script_language,
    starts_older_file,
)
from cfglint.knowledge.keys.judges import Judge
from cfglint.knowledge.keys.word_judge import CODE_WORDS
from cfglint.knowledge.rules.views import written_value
from cfglint.roles.option_parsing import OptionParsing
from cfglint.roles.parsing import TextForNumber
from cfglint.source.document import Document, Path
from cfglint.source.languages.named import language

if TYPE_CHECKING:
    from cfglint.environment.environment import Environment
    from cfglint.environment.surroundings import Surroundings
    from cfglint.source.languages.base import Language

#: The first release that reads YAML with OmegaConf (PR 8505); `yaml.safe_load` did it before.
_OMEGACONF_SINCE: Final = "0.9.4"
#: Beginnings of keys -> the switch of what calculates with them; None where the model decides.
_ONLY_WITH: Final = {
    "galore_": "use_galore",
    "apollo_": "use_apollo",
    "badam_": "use_badam",
    "moe_": None,
}


class LLaMAFactoryParsing(OptionParsing):
    """OmegaConf or PyYAML, and dataclasses that convert nothing; or `argparse` on the words of a command."""

    @cached_property
    def language(self) -> Language:
        if self.framework.kind == DATASETS:
            return language("json")
        return super().language

    def make_script_language(self, release: str) -> Language:
        return script_language(self.framework, release)

    def coerce(self, path: Path, value: Any) -> Any:
        """A word as what the option's type makes of it; a value of a file stays as it is."""
        return super().coerce(path, value) if self.framework.in_scripts else value

    def language_for(self, text: str, target: Environment, around: Surroundings) -> Language:
        """OmegaConf's YAML or PyYAML's, by release; JSON's numbers are OmegaConf's in both."""
        if self.framework.in_scripts or self.framework.kind == DATASETS:
            return super().language_for(text, target, around)
        is_json = text.lstrip("\ufeff \t\r\n").startswith("{")
        keys = self.framework.release_keys(self.release_for(text, target))
        return self.language if is_json or keys.released(_OMEGACONF_SINCE) else language("yaml")

    def last_release(self, text: str) -> str | None:
        """The last one with the program that a script starts, if that is gone."""
        if not self.framework.in_scripts or OLDER_FILE not in text:
            return None
        return LAST_WITH_OLDER_FILE if starts_older_file(self.framework, text) else None

    def judge(self, release: str) -> Judge:
        if self.framework.in_scripts:
            return CODE_WORDS
        return SECTIONS_AS_TEXT if self.framework.kind == V1 else AS_WRITTEN

    def text_for_number(self, path: Path, document: Document) -> TextForNumber | None:
        """What is switched off, or is for some models, may not be calculated with."""
        for beginning, switch in _ONLY_WITH.items():
            if str(path[0]).startswith(beginning):
                if switch is not None and plain(written_value(document, (switch,))):
                    return None
                costs = "the run ends where it is calculated with, if anything does"
                return TextForNumber("warning", costs)
        return None


ROLE = LLaMAFactoryParsing
