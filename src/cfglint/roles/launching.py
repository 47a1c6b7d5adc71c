"""How the commands that start a file complete it."""

from __future__ import annotations

from collections.abc import Iterable

from cfglint.base.type_names import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from cfglint.environment.surroundings import Surroundings
    from cfglint.roles.framework import Framework
    from cfglint.runs.settings.words import Override
    from cfglint.runs.starts.start import Start
    from cfglint.source.document import Document


class Launching:
    """What the words of a launch line become; by default they set no key."""

    #: The variables that its own command reads and no library does.
    environment: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, framework: Framework) -> None:
        self.framework = framework

    def own_starts(self, around: Surroundings) -> tuple[Start, ...]:
        """The commands that start a program of the project's own with a file, which their options are laid over."""
        parsers = self.framework.row["parsers"]
        if not parsers or self.framework.in_scripts:
            return ()
        from cfglint.environment.project.own_starts import own_starts

        return own_starts(parsers, around)

    def overrides(self, line: Start, document: Document, release: str) -> Iterable[Override]:
        """The values that a command sets in place of a file's; `UNKNOWN` where the line leaves one open."""
        return ()

    def option(self, line: Start, key: str, value: Any, release: str) -> str | None:
        """The words that set a key on a launch line; None when a release has no option for it."""
        return None


ROLE = Launching
