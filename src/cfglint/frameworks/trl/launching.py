"""What the options of TRL's commands become."""

from __future__ import annotations

from collections.abc import Iterable

from cfglint.base.type_names import TYPE_CHECKING, Any
from cfglint.roles.launching import Launching

if TYPE_CHECKING:
    from cfglint.runs.settings.words import Override
    from cfglint.runs.starts.start import Start
    from cfglint.source.document import Document


class TrlLaunching(Launching):
    """Options of TRL's commands, and of programs with its parser, have the names of keys."""

    def overrides(self, line: Start, document: Document, release: str) -> Iterable[Override]:
        from cfglint.frameworks.trl.scripts import is_left_alone
        from cfglint.roles.argument_words import overrides

        # Those of the launcher are its own affair.
        return overrides(
            line, self.framework.keys, lambda key: is_left_alone("", key), with_open=True
        )

    def option(self, line: Start, key: str, value: Any, release: str) -> str | None:
        from cfglint.roles.argument_words import option_words

        return option_words(key, value)


ROLE = TrlLaunching
