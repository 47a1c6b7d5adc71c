"""What LLaMA-Factory's readers make of a text."""

from __future__ import annotations

from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.frameworks.llamafactory.judge import AS_WRITTEN, SECTIONS_AS_TEXT
from cfglint.knowledge.keys.judges import Judge
from cfglint.roles.parsing import Parsing
from cfglint.source.languages.named import language

if TYPE_CHECKING:
    from cfglint.source.languages.base import Language

#: The first release that reads YAML with OmegaConf (PR 8505); `yaml.safe_load` did it before.
_OMEGACONF_SINCE: Final = "0.9.4"


class LLaMAFactoryParsing(Parsing):
    """OmegaConf or PyYAML, and dataclasses that convert nothing."""

    def language_for(self, text: str, release: str) -> Language:
        """OmegaConf's YAML or PyYAML's, by release; JSON's numbers are OmegaConf's in both."""
        is_json = text.lstrip("\ufeff \t\r\n").startswith("{")
        keys = self.framework.release_keys(release)
        return self.language if is_json or keys.released(_OMEGACONF_SINCE) else language("yaml")

    def judge(self, release: str) -> Judge:
        return SECTIONS_AS_TEXT if self.framework.kind else AS_WRITTEN


ROLE = LLaMAFactoryParsing
