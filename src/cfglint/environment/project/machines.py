"""How many processes a run has, according to several places; nothing if they contradict each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from cfglint.base.record import Record
from cfglint.base.type_names import Any
from cfglint.environment.project.stated_versions import Hardware, Place
from cfglint.knowledge.marks import Launcher, launchers, starter_of
from cfglint.runs.starts.start import Start, Word

_MOST = 100_000
_VISIBLE = "CUDA_VISIBLE_DEVICES"


class World(Record):
    """What one launch line states about processes."""

    #: All of them; None if the number is not stated or cannot be computed.
    processes: int | None = None
    #: On each machine, where their number is a variable.
    each: int | None = None
    nodes: int | None = None
    #: The number of processes is stated, understood or not.
    stated: bool = False
    #: Where.
    offset: int = 0


def world(line: Start, named: Callable[[str], Iterable[Hardware]]) -> World:
    """The processes of a launch line.

    Args:
        named: reads a file that the line names: a launcher's settings, or the one of a cloud.
    """
    starter = starter_of(line.program) if line.own else None
    machine = line.option(starter.hardware_in) if starter and starter.hardware_in else None
    if machine is not None:
        count = {one.fact: one.value for one in named(machine.text)}.get("gpus")
        return World(count, stated=True, offset=machine.start)
    launcher = next((one for one in launchers() if one.name == line.launcher), None)
    if launcher is None:
        return World()
    if launcher.each:
        each, several = line.option(*launcher.each), line.option(*launcher.machines)
        nodes = 1 if several is None else _number(several)
        if each is None:
            return World(nodes=None if several is None else nodes)
        count = _number(each)
        total = None if count is None or nodes is None else count * nodes
        known = None if several is None else nodes
        return World(total, count, known, stated=True, offset=each.start)
    handed_on = (starter.settings_in,) if starter and starter.settings_in else ()
    return _with_settings(line, launcher, named, (launcher.settings, *handed_on))


def _with_settings(
    line: Start,
    launcher: Launcher,
    named: Callable[[str], Iterable[Hardware]],
    settings: tuple[str, ...],
) -> World:
    """The processes of a launcher that counts those of all machines, and has a settings file.

    Args:
        settings: the options that name this file.
    """
    total_word, machines = line.option(*launcher.total), line.option(*launcher.machines)
    nodes = None if machines is None else _number(machines)
    config = line.option(*settings)
    stated = {} if config is None else {one.fact: one.value for one in named(config.text)}
    if total_word is not None:
        total = _number(total_word)
        if stated.get("processes", total) == 1:
            total = 1 if total == 1 else None  # a file that starts one process, whatever it states
        return World(total, None, nodes, stated=True, offset=total_word.start)
    if config is not None:
        if "processes" in stated:
            count = stated["processes"]
            known = nodes if nodes is not None else stated.get("nodes")
            return World(count, None, known, stated=True, offset=config.start)
        return World(nodes=nodes)
    devices = _devices(line)
    if devices and not line.copied and machines is None:
        return World(devices, None, None, stated=True, offset=line.config.start)
    return World(nodes=nodes)


def _devices(line: Start) -> int:
    value = dict(line.environment).get(_VISIBLE, "")
    parts = [part for part in value.split(",") if part.strip().isdigit()]
    return len(set(parts)) if len(parts) == len(value.split(",")) else 0


def _number(word: Word) -> int | None:
    text = word.text
    plain = text.isascii() and text.isdigit() and len(text) <= 5
    return int(text) if plain and not word.open and int(text) else None


def settle(
    hardware: list[Hardware], worlds: list[tuple[World, Place]], *, ignore_options: bool
) -> dict[str, Hardware]:
    """The hardware of a run: `gpus` (all processes), `gpu`, `nodes`.

    Args:
        worlds: what the lines that start the config state, each with its place.
        ignore_options: such lines are known, so options elsewhere in the files are of other runs.
    """
    out: dict[str, Hardware] = {}
    gpu = _agreed(hardware, "gpu")
    if gpu is not None and gpu.value:
        out["gpu"] = gpu
    nodes = _nodes(hardware, worlds)
    if nodes is not None:
        out["nodes"] = nodes
    gpus = _gpus(hardware, worlds, nodes, ignore_options)
    if gpus is not None and isinstance(gpus.value, int) and 0 < gpus.value <= _MOST:
        out["gpus"] = gpus.replaced(fact="gpus")
    return out


def _nodes(hardware: list[Hardware], worlds: list[tuple[World, Place]]) -> Hardware | None:
    stated = [Hardware("nodes", w.nodes, place) for w, place in worlds if w.nodes is not None]
    found = _agreed([*stated, *hardware], "nodes")
    return found if found is not None and found.value else None


def _gpus(
    hardware: list[Hardware],
    worlds: list[tuple[World, Place]],
    nodes: Hardware | None,
    ignore_options: bool,
) -> Hardware | None:
    allotted = _agreed(hardware, "gpus")
    if any(w.stated for w, _ in worlds):
        found = [
            Hardware("gpus", _total(w, nodes.value if nodes is not None else None), place)
            for w, place in worlds
        ]
        processes = _agreed(found, "gpus")
    else:
        processes = None if ignore_options else _agreed(hardware, "processes")
        if processes is None:
            processes = _agreed(hardware, "devices")
            if processes is not None and nodes is not None and nodes.value != 1:
                return None
    if processes is None:
        return allotted
    if allotted is not None and allotted.value is not None and processes.value is not None:
        # More processes than GPUs: one of the two is about something else.
        return processes if processes.value <= allotted.value else None
    return processes


def _total(found: World, nodes: Any) -> int | None:
    if found.processes is None and found.each is not None and isinstance(nodes, int):
        return found.each * nodes
    return found.processes


def _agreed(hardware: Iterable[Hardware], fact: str) -> Hardware | None:
    """The statement about a fact; its value is None when there are several different ones."""
    own = [one for one in hardware if one.fact == fact]
    if not own:
        return None
    same = all(one.value == own[0].value for one in own)
    return own[0] if same else own[0].replaced(value=None)
