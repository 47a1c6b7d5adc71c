"""How many processes a run has that no config starts: by the script that it is, or by the commands that start its program."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.base.type_names import TYPE_CHECKING
from cfglint.environment.project import machines
from cfglint.environment.project.program_starts import starts_of, world_of
from cfglint.environment.project.readers import launch
from cfglint.knowledge.marks import all_marks, launchers
from cfglint.runs.starts import commands
from cfglint.source.calls import call_of

if TYPE_CHECKING:
    from cfglint.environment.surroundings import Surroundings
    from cfglint.runs.starts.start import Start
    from cfglint.source.document import Document


def processes_of(document: Document, around: Surroundings) -> int | None:
    """The processes of a command of a script, or of a program's run; None where their number is not stated.

    A framework's own command that states none uses all the GPUs that it is shown, in a process for each or in one.
    """
    if call_of(document.root) is not None:
        return _of_program(around)
    line = _line_of(document, around)
    world = None if line is None else world_of(line, around)
    if world is not None and world.stated:
        return world.processes
    shown = machines.devices_of(line) if line is not None and line.own and not line.copied else 0
    if shown and (world is None or world.nodes is None):
        return shown
    return launch.gpus_of(around.path, document.text)


def with_own_command(document: Document, around: Surroundings) -> Surroundings:
    """The surroundings of a command of a script, which is the one that starts its run."""
    line = _line_of(document, around)
    return around if line is None else around.replaced(launches=(line,))


def settings_elsewhere(document: Document, around: Surroundings) -> bool:
    """Whether a file may divide the run of a script over the GPUs that its command cannot be asked for."""
    if _line_of(document, around) is not None:
        return False
    handed_on = (marks.starter.settings_in for marks in all_marks() if marks.starter is not None)
    words = [word for one in launchers() if one.settings for word in one.commands]
    words += [f"--{option}" for option in handed_on if option]
    return any(word in document.text for word in words)


def has_one_gpu(document: Document, around: Surroundings) -> bool:
    """Whether the commands of a run have one GPU alone, not only one process: that may use all the GPUs that it sees."""
    if call_of(document.root) is not None:
        lines = [(one.line, one.text) for one in starts_of(around)]
    else:
        line = _line_of(document, around)
        lines = [] if line is None else [(line, document.text)]
    return bool(lines) and all(_sees_one(line, text) for line, text in lines)


def _sees_one(line: Start, text: str) -> bool:
    if machines.devices_of(line) == 1:
        return True
    stated = {one.fact: one.value for one in launch.read(line.path, text)}
    return stated.get("gpus") == 1 or stated.get("devices") == 1


def _of_program(around: Surroundings) -> int | None:
    """The processes that every command makes of a program."""
    counts = {one.total for one in starts_of(around)}
    return counts.pop() if len(counts) == 1 else None


def _line_of(document: Document, around: Surroundings) -> Start | None:
    """The command that a document of a script is, if it trains."""
    return next(training_lines(document, around), None)


def training_lines(document: Document, around: Surroundings) -> Iterator[Start]:
    """The framework's own commands in a document of a script that train."""
    root = document.root
    for line in commands.read(around.path, document.text, without_config=True):
        if root.start <= line.at < root.end and line.trains:
            yield line
