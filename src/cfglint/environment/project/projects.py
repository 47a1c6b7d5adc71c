"""The projects of a run, one a folder and framework."""

from __future__ import annotations

import os

from cfglint.base.type_names import TYPE_CHECKING
from cfglint.environment.project.file_kinds import EXPORTS, WITH_COMMANDS
from cfglint.environment.project.finder import Finder
from cfglint.knowledge import compiled
from cfglint.knowledge.marks import marks_of
from cfglint.source.files.base import Files
from cfglint.source.files.nearby import text_of
from cfglint.source.files.scripts import scripts_below

if TYPE_CHECKING:
    from cfglint.environment.project.project import Project
    from cfglint.environment.project.stated_versions import Source

#: The recipes of images.
_IMAGES = ("Dockerfile", ".dockerfile", ".def")
_MAX_BYTES = 200_000


class Projects:
    """The projects around the files of a run; every file of theirs is read once.

    A notebook has one of its own, and a program that says what it is installed with: that may be other packages than those around it.

    Args:
        script: the absolute path of the only one whose commands start runs; None for any.
    """

    def __init__(self, files: Files, script: str | None = None) -> None:
        self._files = files
        self._finder = Finder(files, script)
        self._known: dict[tuple[object, ...], Project | None] = {}
        self._recipes: dict[str, dict[str, str]] = {}

    def for_file(self, path: str, framework: str) -> Project | None:
        """The project around a config; None when its files state nothing of interest."""
        path = os.path.abspath(path)
        folder = os.path.dirname(path)
        sources = self._finder.sources_for(path)
        # Which scripts install something for it may differ among the files of a folder.
        silent = tuple(
            one.path for one in sources if one.kind in WITH_COMMANDS and not one.statements
        )
        own = self._finder.installed_by(path) if path.endswith(".ipynb") else None
        if path.endswith(".py"):
            from cfglint.environment.project.own_lists import own_list

            own, sources = own_list(path, sources, self._finder, self._files)
        starter = ""
        if own is None and any(one.kind in WITH_COMMANDS and one.statements for one in sources):
            from cfglint.environment.project.started_with import without_other_lists

            starter, sources = without_other_lists(path, sources, self._finder)
        key = (path if own or path.endswith(".ipynb") else folder, framework, silent, starter)
        if key not in self._known:
            counting = self._with_cards(sources, framework, folder)
            project = None
            if (
                counting
                or own
                or self._has_launcher(folder, framework)
                or self._shows_release(folder, framework)
                or any(self._finder.weak_evidence(folder))
            ):
                # Most configs have no such files around them.
                from cfglint.environment.project.installed_over import installed_over
                from cfglint.environment.project.project import Project

                counting = self._without_idle_exports(counting, folder)
                counting = installed_over(counting, self._finder.text)
                project = Project(counting, self._finder, framework, folder, own)
            self._known[key] = project
        return self._known[key]

    def _with_cards(self, sources: list[Source], framework: str, folder: str) -> list[Source]:
        """The sources, and what the project's trainers have written about the releases that ran."""
        if framework not in compiled.load("dated_packages").PACKAGES:
            return sources
        from cfglint.environment.project.model_cards import with_releases_of_cards

        finder, package = self._finder, marks_of(framework).package
        pages = finder.scripts_of(folder)
        return with_releases_of_cards(sources, package, folder, pages, finder.text, self._files)

    def _without_idle_exports(self, sources: list[Source], folder: str) -> list[Source]:
        if not any(one.kind in EXPORTS for one in sources):
            return sources
        from cfglint.environment.project.idle_exports import without_idle_exports

        pages = self._finder.scripts_of(folder)
        tops = dict.fromkeys(os.path.dirname(one.path) for one in sources)
        recipes = {path: text for top in tops for path, text in self._recipes_below(top).items()}
        return without_idle_exports(
            sources, [*pages, *recipes], lambda path: recipes.get(path) or self._finder.text(path)
        )

    def _recipes_below(self, folder: str) -> dict[str, str]:
        """The recipes of images below a folder, with their texts."""
        if folder not in self._recipes:
            paths = scripts_below(folder, self._files, _IMAGES)
            found = {path: text_of(path, _MAX_BYTES, self._files) for path in paths}
            self._recipes[folder] = {path: text for path, text in found.items() if text is not None}
        return self._recipes[folder]

    def _has_launcher(self, folder: str, framework: str) -> bool:
        """Whether a script of the project calls the launcher whose settings a framework's files are."""
        launcher = marks_of(framework).launcher
        if launcher is None or not launcher.settings:
            return False
        texts = map(self._finder.text, self._finder.scripts_of(folder))
        return any(called in text for text in texts for called in launcher.commands)

    def _shows_release(self, folder: str, framework: str) -> bool:
        """Whether the programs of a folder's project tell between when and when a release is."""
        packages = compiled.load("dated_packages").PACKAGES.get(framework, ())
        return bool(packages) and any(
            one.package in packages for one in self._finder.imports(folder)
        )
