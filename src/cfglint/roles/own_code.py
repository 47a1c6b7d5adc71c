"""What a project has of a framework itself: a fork, a copy, or a program whose classes extend it."""

from __future__ import annotations

from cfglint.base.type_names import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cfglint.diagnostic import Diagnostic
    from cfglint.environment.surroundings import Surroundings
    from cfglint.roles.framework import Framework
    from cfglint.roles.key_policy import WrittenKey
    from cfglint.roles.parts import FileContext
    from cfglint.source.document import Document


class OwnCode:
    """The code of a project that reads a file in place of a release; by default there is none."""

    def __init__(self, framework: Framework) -> None:
        self.framework = framework

    def reads(self, document: Document) -> bool:
        """Whether a document shows that a program which adds keys of its own reads it."""
        return False

    def is_all_that_reads(self, document: Document, around: Surroundings) -> bool:
        """Whether a document has the keys of a program of the project, and the framework is not known to get it."""
        return False

    def has(self, key: WrittenKey, ctx: FileContext) -> bool:
        """Whether such code has a key that the release does not read."""
        return False

    def takes(self, key: WrittenKey, value: Any, ctx: FileContext) -> bool:
        """Whether such code takes a value that the release refuses; by default, if it has the key at all."""
        return self.has(key, ctx)

    def words(self, key: WrittenKey, ctx: FileContext) -> tuple[str, ...]:
        """The words that such code declares for a key, in place of the release's; empty where it declares none."""
        return ()

    def lacks(self, key: WrittenKey, ctx: FileContext) -> bool:
        """Whether all such code is known, and does not have a key that no release has either."""
        return False

    def is_loaded(self, ctx: FileContext) -> bool:
        """Whether a program of the project loads the file, and may use any part of it."""
        return False

    def may_have(self, key: WrittenKey, ctx: FileContext) -> bool:
        """Whether such code may have a key, in a file that does not show whether it reads it."""
        return False

    def laid_over(self, ctx: FileContext) -> frozenset[str]:
        """The keys whose values a program of the project replaces before a release reads them."""
        return frozenset()

    def differs(self, finding: Diagnostic, ctx: FileContext) -> bool:
        """Whether such code does not do what a rule reports about the releases."""
        return False

    def may_differ(self, finding: Diagnostic, ctx: FileContext) -> bool:
        """Whether a build of the authors' own may not do it, so that an error is no more than a warning."""
        return False


ROLE = OwnCode
