"""What the words of `axolotl train` become."""

from __future__ import annotations

from collections.abc import Iterable

from cfglint.base.type_names import TYPE_CHECKING, Any
from cfglint.roles.launching import Launching

if TYPE_CHECKING:
    from cfglint.runs.settings.words import Override
    from cfglint.runs.starts.start import Start
    from cfglint.source.document import Document


class AxolotlLaunching(Launching):
    """Options of Axolotl's commands have the names of keys."""

    def overrides(self, line: Start, document: Document, release: str) -> Iterable[Override]:
        from cfglint.frameworks.axolotl.launch_options import overrides

        return overrides(line, document, self.framework.release_keys(release))

    def option(self, line: Start, key: str, value: Any, release: str) -> str | None:
        from cfglint.frameworks.axolotl.launch_options import option_words

        return option_words(line, key, value, self.framework.release_keys(release))


ROLE = AxolotlLaunching
