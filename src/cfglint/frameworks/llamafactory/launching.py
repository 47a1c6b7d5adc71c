"""What `key=value` behind the file becomes on LLaMA-Factory's command line."""

from __future__ import annotations

from collections.abc import Iterable

from cfglint.base.type_names import TYPE_CHECKING, Any, Final
from cfglint.roles.launching import Launching

if TYPE_CHECKING:
    from cfglint.runs.settings.words import Override
    from cfglint.runs.starts.start import Start
    from cfglint.source.document import Document

#: The first release whose command line takes `key=value` behind the file.
OVERRIDES_SINCE: Final = "0.9.3"


class LLaMAFactoryLaunching(Launching):
    """Words that OmegaConf merges into the file."""

    environment = frozenset(
        {"FORCE_TORCHRUN", "NPROC_PER_NODE", "NNODES", "NODE_RANK", "MASTER_ADDR", "MASTER_PORT"}
    )

    def overrides(self, line: Start, document: Document, release: str) -> Iterable[Override]:
        from cfglint.frameworks.llamafactory.launch_words import overrides

        return overrides(line, self.framework.language) if self._takes_words(release) else ()

    def option(self, line: Start, key: str, value: Any, release: str) -> str | None:
        from cfglint.frameworks.llamafactory.launch_words import word_of

        return word_of(key, value) if self._takes_words(release) else None

    def _takes_words(self, release: str) -> bool:
        return self.framework.release_keys(release).released(OVERRIDES_SINCE)


ROLE = LLaMAFactoryLaunching
