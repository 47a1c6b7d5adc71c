"""The commands of a project with which a launcher starts one of its programs, and how many processes they make of it."""

from __future__ import annotations

import os

from cfglint.base.record import Record
from cfglint.base.type_names import TYPE_CHECKING
from cfglint.environment.named_files import named_file
from cfglint.environment.project import machines
from cfglint.environment.project.naming import may_be
from cfglint.environment.project.readers import launch
from cfglint.environment.project_texts import starting_texts
from cfglint.environment.python_sources import project_root
from cfglint.environment.surroundings import Surroundings
from cfglint.knowledge.marks import launchers as known_launchers
from cfglint.runs.starts import launchers
from cfglint.source.files.nearby import read
from cfglint.source.files.scripts import PAGES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cfglint.environment.project.stated_versions import Hardware
    from cfglint.runs.starts.start import Start

#: What a launcher starts by its name, not by its file.
_SUFFIX = ".py"
#: Of a launcher's settings.
MAX_BYTES = 200_000


class ProgramStart(Record):
    """A command that starts a program."""

    line: Start
    #: The script that the command is in.
    text: str
    #: How many processes it starts on each machine; None where that is not known.
    processes: int | None
    #: On all machines together.
    total: int | None


def starts_of(around: Surroundings) -> tuple[ProgramStart, ...]:
    """The commands of launchers that start the file which is checked."""
    folder = around.folder
    if folder is None or not around.path.endswith(_SUFFIX):
        return ()
    root = project_root(around, folder)
    return around.memory.once(
        ("starts of", os.path.abspath(around.path)), lambda: tuple(_starts(around, root))
    )


def _starts(around: Surroundings, root: str) -> Iterator[ProgramStart]:
    path, project = os.path.abspath(around.path), around.project
    for script, text in starting_texts(around, root):
        # A page shows several ways to start a program, of which people take one.
        if text is None or script.endswith(PAGES) or os.path.basename(path) not in text:
            continue
        if project is not None and not project.may_start(script):
            continue
        for launcher in known_launchers():
            for line in launchers.read_all(script, text, launcher):
                if may_be(line.program, path, os.path.dirname(script)):
                    world = world_of(line, around)
                    yield ProgramStart(line, text, _on_each(world), world.processes)


def world_of(line: Start, around: Surroundings) -> machines.World:
    """What the command, or the settings that it names, say about processes."""

    def read_named(written: str) -> list[Hardware]:
        path = named_file(written, around, MAX_BYTES)
        contents = None if path is None else read(path, MAX_BYTES, around.files)
        if path is None or contents is None or contents.problem is not None:
            return []
        return launch.read(path, contents.source.text)

    return machines.world(line, read_named)


def _on_each(world: machines.World) -> int | None:
    """The processes on each machine, where they are stated."""
    if world.each is not None:
        return world.each
    if world.processes is None:
        return None
    nodes = world.nodes or 1
    return world.processes // nodes if world.processes % nodes == 0 else None
