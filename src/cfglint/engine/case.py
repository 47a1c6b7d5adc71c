"""What a text is checked with, as one object that goes through the whole engine."""

from __future__ import annotations

from cfglint.base.record import Record
from cfglint.base.type_names import TYPE_CHECKING
from cfglint.engine.settings.selection import EVERY_RULE, Selection
from cfglint.environment.environment import Environment
from cfglint.environment.surroundings import Surroundings, nowhere
from cfglint.frameworks.for_files import for_document
from cfglint.roles.framework import Framework

if TYPE_CHECKING:
    from cfglint.engine.files_together.edges import Edges
    from cfglint.source.document import Document


class Case(Record):
    """What a text is checked with: the framework, the environment, the files around it, and the rules."""

    framework: Framework
    #: The releases and the hardware of the run.
    target: Environment
    #: The files around the text, as far as they may be examined.
    around: Surroundings
    selection: Selection = EVERY_RULE
    #: Checks the text together with the files and sections that it refers to; None skips that.
    edges: Edges | None = None
    #: Whether the edits of fixes are worked out; else only their titles are known. It changes no finding.
    plans: bool = True

    def where_it_runs(self, document: Document) -> Case:
        """The case of a script, without the files around it if it goes outside the project before it starts the run."""
        from cfglint.environment.working_folder import leaves_project

        if not leaves_project(document, self.around):
            return self
        framework = for_document(self.framework, document, self.around)
        if framework.file_kind.is_class:
            return self
        folder = self.around.folder or ""
        return self.replaced(around=self.around.replaced(folder=None, left=folder))

    @classmethod
    def of_text(
        cls, framework: Framework, target: Environment, selection: Selection = EVERY_RULE
    ) -> Case:
        """The case of a text without a folder, which is checked by itself."""
        return cls(framework, target, nowhere(), selection)
