"""What DeepSpeed makes of a text: it opens a file with hjson, or gets one that another program has read."""

from __future__ import annotations

from cfglint.base.type_names import TYPE_CHECKING
from cfglint.frameworks.deepspeed.hjson import HJSON
from cfglint.frameworks.deepspeed.judge import READER
from cfglint.knowledge.keys.judges import Judge
from cfglint.roles.parsing import Parsing

if TYPE_CHECKING:
    from cfglint.environment.environment import Environment
    from cfglint.environment.surroundings import Surroundings
    from cfglint.source.languages.base import Language


class DeepSpeedParsing(Parsing):
    """hjson, and the classes of the settings."""

    def language_for(self, text: str, target: Environment, around: Surroundings) -> Language:
        """Those whose configs name a file open it with `json.load`."""
        return HJSON if around.named_by is None else self.language

    def judge(self, release: str) -> Judge:
        return READER


ROLE = DeepSpeedParsing
