"""What the words behind a file become: `swift sft x.yaml --learning_rate 1e-5`."""

from __future__ import annotations

from collections.abc import Iterable

from cfglint.base.type_names import TYPE_CHECKING, Any
from cfglint.roles.launching import Launching

if TYPE_CHECKING:
    from cfglint.runs.settings.words import Override
    from cfglint.runs.starts.start import Start
    from cfglint.source.document import Document


class SwiftLaunching(Launching):
    """The file becomes the first words of the line, so that later ones take precedence."""

    environment = frozenset({"NPROC_PER_NODE", "NNODES", "NODE_RANK", "MASTER_ADDR", "MASTER_PORT"})

    def overrides(self, line: Start, document: Document, release: str) -> Iterable[Override]:
        from cfglint.roles.argument_words import overrides

        return overrides(line, self.framework.keys)

    def option(self, line: Start, key: str, value: Any, release: str) -> str | None:
        from cfglint.roles.argument_words import option_words

        return option_words(key, value)


ROLE = SwiftLaunching
