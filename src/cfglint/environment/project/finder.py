"""Finds the files of a project that state versions or hardware, folder by folder, each read once."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module

from cfglint.base.type_names import TYPE_CHECKING
from cfglint.environment.project import copies, kept_lists
from cfglint.environment.project.chains import chain_of
from cfglint.environment.project.file_kinds import (
    OF_ENVIRONMENTS,
    OF_SCRIPTS,
    exported_in,
    is_of_any_name,
    is_of_other_hardware,
    kind_in_folder,
    may_install,
    may_tell,
    scripts_in,
    starts_config,
    to_read,
    workflows_in,
)
from cfglint.knowledge.marks import all_marks, is_about_any
from cfglint.source.files.base import Files
from cfglint.source.files.git_index import Tracked
from cfglint.source.files.inside import Inside
from cfglint.source.files.scripts import SCRIPTS, scripts_below

if TYPE_CHECKING:
    from cfglint.environment.project.imports import Imported
    from cfglint.environment.project.stated_versions import Source, Statement

MAX_LOCK_BYTES = 20_000_000
#: A lock file in JSON is read as a whole, which takes some twenty times its size.
_MAX_JSON_LOCK_BYTES = 5_000_000
MAX_BYTES = 2_000_000
#: Files that list everything that is installed.
_LOCKS = frozenset({"toml_locks", "conda_locks", "pipenv"})


class Finder:
    """The files around configs. Folders are listed, and files read, once.

    Args:
        script: the absolute path of the only one whose commands start runs; None for any.
    """

    def __init__(self, files: Files, script: str | None = None) -> None:
        self._files = files
        self.script = script
        self._inside: dict[str, Inside] = {}
        self._levels: dict[str, tuple[str, tuple[str, ...]]] = {}
        self._folders: dict[str, tuple[tuple[str, str, int], ...]] = {}
        self._names: dict[str, list[str]] = {}
        self._texts: dict[str, str] = {}
        self._about_texts: dict[tuple[str, Callable[[str], bool]], bool] = {}
        self._problems: dict[str, str] = {}
        self._imports: dict[str, list[Imported]] = {}
        self._sources: dict[tuple[str, str], Source | None] = {}
        self._scripts: dict[tuple[str, tuple[str, ...]], list[str]] = {}
        self._found: dict[str, list[Source]] = {}

    def sources(self, folder: str) -> list[Source]:
        """The files of a folder's project, the nearest first."""
        if folder not in self._found:
            self._found[folder] = self._look_around(folder)
        return self._found[folder]

    def _look_around(self, folder: str) -> list[Source]:
        root, levels = self._chain(folder)
        found: list[Source] = []
        for distance, level in enumerate(levels):
            is_top = distance == len(levels) - 1
            workflows = workflows_in(level, self._within(root)) if is_top else ()
            for path, kind, _ in to_read(self._listed(level, root), workflows):
                if kind == "settings" and distance:
                    continue
                source = self._read(path, kind, distance, root)
                if source is not None:
                    found.append(source)
        if self.script is not None:
            found = self._started_by(self.script, found)
        if any(one.marker for source in found for one in source.statements):
            from cfglint.environment.project.pythons import of_the_python

            found = of_the_python(found)
        if any(
            os.path.basename(os.path.dirname(one.path)) in OF_ENVIRONMENTS
            or is_of_any_name(one.path, one.kind)
            for one in found
        ):
            from cfglint.environment.project import environments

            return environments.undisputed(found)
        return found

    def sources_for(self, path: str) -> list[Source]:
        """The files of a file's project, without what scripts install for other experiments."""
        found = self.sources(os.path.dirname(path))
        if not any(one.kind in ("launch", "images", "install") and one.statements for one in found):
            return found
        from cfglint.environment.project.other_experiments import without_installations

        root = self._chain(os.path.dirname(path))[0]
        return without_installations(found, path, self._within(root), self._texts)

    def weak_evidence(self, folder: str) -> tuple[Source | None, list[Source]]:
        """(the packages of the newest run that is kept around a folder, the requirements of folders beside)."""
        root, levels = self._chain(folder)
        files = self._within(root)
        records = (kept_lists.record_in(level, files) for level in levels)
        record = next(filter(None, records), None)
        lists = (
            kept_lists.lists_beside(levels, files) if files.has(os.path.join(root, ".git")) else ()
        )
        found = [self._read(path, "requirements", 0, root) for path in lists]
        return (
            None if record is None else self._read(record, "requirements", 0, root),
            [one for one in found if one is not None],
        )

    def pythons(self, folder: str) -> list[Statement]:
        """The Pythons that files around a folder name which are of no interest otherwise, the nearest first."""
        from cfglint.environment.project.readers import python_images

        root, levels = self._chain(folder)
        return [
            python
            for level in levels
            for path in python_images.files_in(level, self._names.get(level, []))
            for python in python_images.read(path, self._text_of(path, root, MAX_BYTES) or "")
        ]

    def _started_by(self, script: str, found: list[Source]) -> list[Source]:
        """The sources, of which only one script starts anything; the others still state versions."""
        from cfglint.environment.project.stated_versions import Source

        folder = os.path.dirname(script)
        own = self._read(script, "launch", 0, folder)
        if own is None and self._text_of(script, folder, MAX_BYTES) is not None:
            own = Source(script, "launch", 0)
        others = [
            one.replaced(kind="other", hardware=()) if one.kind in ("launch", "images") else one
            for one in found
            if one.path != script
        ]
        return others if own is None else [own, *others]

    def imports(self, folder: str, own: Source | None = None) -> list[Imported]:
        """What the programs of a folder's project import, of the names that tell a release.

        Args:
            own: what a notebook installs by itself; of these packages no other program tells the release.
        """
        from cfglint.environment.project.imports import imports_below

        root, levels = self._chain(folder)
        # Outside a repository, what is further away may be of anything.
        deep = self._files.has(os.path.join(root, ".git"))
        start = levels[-1] if deep else folder
        if start not in self._imports:
            self._imports[start] = imports_below(start, self._within(root), deep=deep)
        found = self._imports[start]
        if own is None:
            return found
        return [one for one in found if one.place.path == own.path or not own.mentions(one.package)]

    def installed_by(self, notebook: str) -> Source | None:
        """What a notebook installs by itself; None for nothing of interest."""
        text = self._text_of(notebook, self._chain(os.path.dirname(notebook))[0], MAX_BYTES)
        if text is None or not may_install(text):
            return None
        from cfglint.environment.project.readers import notebooks

        return notebooks.read(notebook, text)

    def text(self, path: str) -> str:
        """The text of a file that was read."""
        return self._texts.get(path, "")

    def is_so(self, question: Callable[[str], bool], path: str) -> bool:
        """What a function says of the text of a file that was read; each text is asked about once."""
        known = self._about_texts.get((path, question))
        if known is None:
            known = self._about_texts[path, question] = question(self.text(path))
        return known

    def _chain(self, folder: str) -> tuple[str, tuple[str, ...]]:
        """(root, folders from a config's own up to it)."""
        known = self._levels.get(folder)
        if known is None:
            known = self._levels[folder] = chain_of(folder, self._files, self._levels)
        return known

    def _within(self, root: str) -> Inside:
        """The files of a project; no others are opened or listed."""
        known = self._inside.get(root)
        if known is None:
            known = self._inside[root] = Inside(root, self._files)
        return known

    def _listed(self, folder: str, root: str) -> tuple[tuple[str, str, int], ...]:
        """(path, kind, rank) of the files of a folder that are of interest, by rank."""
        known = self._folders.get(folder)
        if known is None:
            found, files = [], self._within(root)
            try:
                names = self._names[folder] = files.names(folder)
                found += exported_in(folder, names, files)
                for name in names:
                    kind = None if name in OF_ENVIRONMENTS else kind_in_folder(name)
                    if kind is not None and not is_of_other_hardware(name, names):
                        found.append((os.path.join(folder, name), *kind))
                    elif name in OF_SCRIPTS:
                        found += scripts_in(os.path.join(folder, name), files)
                    elif name in OF_ENVIRONMENTS:
                        from cfglint.environment.project import environments

                        found += environments.files_in(os.path.join(folder, name), files)
                    elif name == copies.SOURCES:
                        found += copies.clones(folder, files)
                    elif copies.is_copy(name) and files.has(os.path.join(root, ".git")):
                        found += copies.version_files(folder, name, files)
                if folder == root and files.has(os.path.join(root, ".git")):
                    found += copies.only_one_below(root, names, files)
            except OSError:
                found = []
            known = tuple(sorted(found, key=lambda row: (row[2], row[0])))
            self._folders[folder] = known
        return known

    def _read(self, path: str, kind: str, distance: int, root: str) -> Source | None:
        """What a file states, read once; None when it states nothing of interest."""
        if (path, root) not in self._sources:
            is_link = kind == copies.LINK
            found = copies.linked(path, root, self._files) if is_link else None
            self._sources[path, root] = found or self._read_now(path, kind, root)
        known = self._sources[path, root]
        return known if known is None or not distance else known.replaced(distance=distance)

    def _read_now(self, path: str, kind: str, root: str) -> Source | None:
        limit = MAX_BYTES
        if kind in _LOCKS:
            limit = _MAX_JSON_LOCK_BYTES if kind == "pipenv" else MAX_LOCK_BYTES
        text = self._text_of(path, root, limit)
        if text and kind in ("script", "install", "program") and starts_config(path, text):
            kind = "launch"
        if text is None or kind == "script" or (text and not may_tell(kind, text)):
            return None
        if not text and kind == "platforms":
            return None  # a config of a run, of whatever size
        from cfglint.environment.project.stated_versions import (
            EVERYWHERE,
            Source,
            UnreadableFileError,
        )

        if path in self._problems:
            return Source(path, kind, 0, problem=self._problems[path])
        try:
            source = self._parse(path, text, kind, root)
        except UnreadableFileError as error:
            return Source(path, kind, 0, problem=str(error))
        # A file that starts something may say more than versions: the options of the run.
        starts = kind in ("launch", "images") and is_about_any(text)
        stated = any(statement.package not in EVERYWHERE for statement in source.statements)
        return source if stated or source.hardware or starts else None

    def scripts_of(self, folder: str, suffixes: tuple[str, ...] = SCRIPTS) -> list[str]:
        """The scripts and pages with commands in the repository of a folder; outside one, in the folder."""
        if self.script is not None:
            text = self._text_of(self.script, os.path.dirname(self.script), MAX_BYTES)
            return [] if text is None else [self.script]
        root = self._chain(folder)[0]
        if not self._files.has(os.path.join(root, ".git")):
            root = folder
        known = self._scripts.get((root, suffixes))
        if known is None:
            paths = scripts_below(root, self._within(root), suffixes)
            known = [path for path in paths if self._text_of(path, root, MAX_BYTES) is not None]
            self._scripts[root, suffixes] = known
        return known

    def beside(self, written: str, folder: str) -> tuple[str, str] | None:
        """(path, text) of a file that a project names; None unless exactly one is meant."""
        if not 0 < len(written) <= 1024 or "\0" in written or os.path.isabs(written):
            return None
        root, levels = self._chain(folder)
        found = {}
        for level in levels:
            path = os.path.normpath(os.path.join(level, written))
            text = self._text_of(path, root, MAX_BYTES)
            if text is not None:
                found[self._files.real(path)] = (path, text)
        return next(iter(found.values())) if len(found) == 1 else None

    def _parse(self, path: str, text: str, kind: str, root: str) -> Source:
        from cfglint.environment.project.stated_versions import Hardware, Source, undisputed

        statements: list[Statement] = []
        hardware: list[Hardware] = []
        if kind == "requirements":
            from cfglint.environment.project.readers import conda_locks, requirements

            if conda_locks.is_list(text):
                kind = "conda_locks"
        complete = kind == "toml_locks"
        if kind == "requirements":

            def load(inner: str) -> str | None:
                return self._text_of(inner, root, MAX_BYTES)

            statements, complete = requirements.read(path, text, load)
            statements = undisputed(statements)
        elif kind == "conda_locks":
            from cfglint.environment.project.readers import conda_locks

            statements, complete = conda_locks.read(path, text), conda_locks.is_complete(text)
        elif kind in ("toml_locks", "pyproject", "conda", "pipenv", "platforms", "setup_script"):
            complete = complete or path.lower().endswith("pipfile.lock")
            reader = import_module(f"cfglint.environment.project.readers.{kind}")
            statements = reader.read(path, text)
            complete = complete or (kind == "conda" and reader.is_export(text))
            if kind == "pyproject":
                statements += self._own_versions(path, text, root)
            elif kind == "setup_script":
                statements += copies.own_version(path, text, self._within(root))
        elif kind == "submodules":
            from cfglint.environment.project.readers import submodules

            top = os.path.dirname(path)
            tracked = Tracked(top, self._files)
            statements = submodules.read(
                path, text, lambda inner: tracked.commit(os.path.join(top, inner))
            )
            statements = undisputed(statements)
        elif kind == "readme":
            from cfglint.environment.project.readers import pages

            statements = pages.read(path, text)
        elif kind == "clone":
            statements = copies.version_stated(path, text)
        else:
            if kind != "settings" and may_install(text):
                from cfglint.environment.project.idle_text import without_idle_text
                from cfglint.environment.project.readers import clones, images, pip_commands

                run = without_idle_text(path, text)
                # What is installed on top of an image counts more than the image.
                statements = undisputed([*pip_commands.read(path, run), *clones.read(path, run)])
                statements += undisputed(images.read(path, text))
            if kind not in ("images", "install", "program"):
                from cfglint.environment.project.readers import launch

                hardware = launch.read(path, text)
        return Source(path, kind, 0, tuple(statements), tuple(hardware), complete)

    def _own_versions(self, path: str, text: str, root: str) -> list[Statement]:
        """The versions of frameworks in whose clones the config lies, from files that any program may have."""
        folder = os.path.dirname(path)
        for marks in all_marks():
            if f'name = "{marks.package}"' not in text:
                continue
            for name in marks.version_files:
                own = os.path.join(folder, *name.split("/"))
                statements = copies.version_stated(own, self._text_of(own, root, MAX_BYTES) or "")
                if statements:
                    return statements
        return []

    def _text_of(self, path: str, root: str, limit: int) -> str | None:
        """The text of a file inside the project; None when it is not there or not a file.

        What is too large or no text is empty, and its problem remembered.
        """
        known = self._texts.get(path)
        if known is not None:
            return known
        text, files = "", self._within(root)
        try:
            state = files.state(path)
            if state is None or state.kind != "file":
                return None
            if state.size > limit:
                self._problems[path] = f"it is larger than {limit:,} bytes"
            else:
                data = files.read(path, limit + 1)
                # One well-known shell writes UTF-16 when output is sent to a file.
                wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
                text = data.decode("utf-16" if wide else "utf-8-sig")
        except UnicodeDecodeError:
            self._problems[path] = "it is not UTF-8"
        except OSError:
            return None
        self._texts[path] = text
        return text
