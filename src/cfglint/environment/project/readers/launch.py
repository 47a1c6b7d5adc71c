"""How many GPUs of which kind, on how many machines, as a launch file requests them.

SkyPilot, Modal, RunPod, Kubernetes, compose, Slurm, `docker run`, launchers' options and settings files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from cfglint.base.lazy import lazy_pattern
from cfglint.environment.project.readers import slurm
from cfglint.environment.project.stated_versions import Hardware, Place, place_at
from cfglint.knowledge.marks import settings_files, without_comments

_MAX_FOUND = 100
_SKY = lazy_pattern(
    r"^[ \t-]*accelerators:[ \t]*(?:(?:[\"']\{?|\{)[ \t]*)?[\"']?([A-Za-z][\w-]*)[\"']?"
    r"(?:[ \t]*:[ \t]*(\d{1,4}))?[ \t]*(?:(?:\}[\"']?|[\"'])[ \t]*)?\r?$",
    re.MULTILINE,
)
_SKY_NODES = lazy_pattern(r"^num_nodes:[ \t]*(\d{1,4})[ \t]*\r?$", re.MULTILINE)
_MODAL = lazy_pattern(r"\bgpu[ \t]*=[ \t]*[\"']([A-Za-z][\w-]*)!?(?::(\d{1,3}))?[\"']")
_MODAL_OLD = lazy_pattern(
    r"\bgpu[ \t]*=[ \t]*(?:modal\.)?gpu\.([A-Za-z][A-Za-z0-9]*)\((?:[^()]*\bcount[ \t]*=[ \t]*(\d{1,3}))?[^()]*\)"
)
_RUNPOD = lazy_pattern(r"\b(?:gpu_count|gpuCount)[\"']?[ \t]*[=:][ \t]*[\"']?(\d{1,3})\b")
_KUBERNETES = lazy_pattern(
    r"^[ \t]*[\"']?(?:nvidia|amd)\.com/gpu[\"']?:[ \t]*[\"']?(\d{1,4})[\"']?[ \t]*(?:,[ \t]*)?\r?$",
    re.MULTILINE,
)
#: Several machines, so that what one of them has is not all.
_COPIES = lazy_pattern(
    r"^[ \t]*(?:replicas|parallelism|numNodes):[ \t]*[\"']?(?:[2-9]|\d\d+)|\bclustered\(",
    re.MULTILINE,
)
_TASKS = lazy_pattern(r"\b(?:srun|mpirun|mpiexec|pdsh)\b")
_DEVICES = lazy_pattern(r"^[ \t]*devices:[ \t]*\r?$", re.MULTILINE)
_COUNT = lazy_pattern(r"^[ \t-]*count:[ \t]*[\"']?(\d{1,3})\b", re.MULTILINE)
_COMPOSE_IDS = lazy_pattern(r"\bdevice_ids:[ \t]*\[([^\]\n]{1,200})\]")
#: `docker run … --gpus '"device=0,1"'`; a line goes on after `\`.
_DOCKER = lazy_pattern(r"\b(?:docker|podman|nerdctl)[ \t]+run\b((?:[^\n\\]|\\\r?\n|\\.){0,1500})")
_DOCKER_GPUS = lazy_pattern(
    r"--gpus(?:=|[ \t]+)[\"']{0,2}(?:(?:count=)?(\d{1,3})|device=([\w,:-]{1,200}))(?=[\"' \t,\r\n\\]|$)"
)
#: For everything that follows; what is before one command belongs to that command.
_VISIBLE = lazy_pattern(
    r"(?:\b(?:export|ENV)[ \t]+|-e[ \t]+|--env[ =])CUDA_VISIBLE_DEVICES=[\"']?"
    r"(\d{1,3}(?:,\d{1,3}){0,63}),?(?![\w,$-])"
    r"|\bCUDA_VISIBLE_DEVICES[\"']?:[ \t]*[\"']?(\d{1,3}(?:,\d{1,3}){0,63}),?(?![\w,$-])"
)
_PROCESSES = lazy_pattern(
    r"--(?:nproc[_-]per[_-]node|num[_-]processes|num[_-]gpus)(?:=|[ \t]+)(\d{1,4})\b"
)
_NODES = lazy_pattern(r"--(?:nnodes|num[_-]machines|num[_-]nodes)(?:=|[ \t]+)(\S{1,40})")
_NUMBER = r"[ \t]*(\d{1,4})[ \t]*\r?$"
#: What a file may state; `gpus` is all that the job gets, `processes` how many it starts with.
_FACTS = ("gpu", "gpus", "nodes", "devices", "processes")


def read(path: str, text: str) -> list[Hardware]:
    """What a launch file asks for.

    A fact that it states in several ways has the value None: it is unknown which of them counts.
    """
    batch = slurm.read(path, text) if slurm.MARK in text else []
    text = without_comments(text)
    if _COPIES.search(text):
        return []
    found = [*batch, *_read(path, text)]
    out = []
    for fact in _FACTS:
        own = [one for one in found if one.fact == fact]
        if own:
            same = all(one.value == own[0].value for one in own)
            out.append(own[0] if same else own[0].replaced(value=None))
    return _on_all_machines(out, slurm.MARK in text or bool(batch), text)


def gpus_of(path: str, text: str) -> int | None:
    """The number of GPUs that a script's own commands use; None if it does not state one number."""
    stated = {one.fact: one.value for one in read(path, text)}
    facts = ("processes", "devices", "gpus")
    found = next((stated[fact] for fact in facts if fact in stated), None)
    return found if isinstance(found, int) and found > 0 else None


def _on_all_machines(found: list[Hardware], batch: bool, text: str) -> list[Hardware]:
    """Without what applies to one machine only, where the number of machines is not known."""
    nodes = next((one.value for one in found if one.fact == "nodes"), 1)
    tasks = _TASKS.search(text) is not None
    if tasks and not batch:
        return [one for one in found if one.fact == "gpu"]
    if batch and not tasks and nodes != 1:
        # A batch script runs on the first machine; only `srun` reaches the others.
        return [one for one in found if one.fact in ("gpu", "nodes", "processes")]
    return found


def _read(path: str, text: str) -> Iterator[Hardware]:
    if path.endswith(".py"):
        for pattern in (_MODAL, _MODAL_OLD):
            for match in _each(pattern, text):
                yield from _kind(match.group(1), int(match.group(2) or 1), path, text, match)
    nodes = _SKY_NODES.search(text)
    for match in _each(_SKY, text):
        count = int(match.group(2) or 1) * (int(nodes.group(1)) if nodes else 1)
        yield from _kind(match.group(1), count, path, text, match)
    if nodes is not None:
        yield Hardware("nodes", int(nodes.group(1)), _place(path, text, nodes))
    for pattern in (_KUBERNETES, _RUNPOD):
        for match in _each(pattern, text):
            yield Hardware("gpus", int(match.group(1)), _place(path, text, match))
    for devices in _each(_DEVICES, text):
        found = _COUNT.search(text, devices.end(), devices.end() + 400)
        if found is not None and "gpu" in text:
            yield Hardware("gpus", int(found.group(1)), _place(path, text, found))
    for match in _each(_COMPOSE_IDS, text):
        yield Hardware("gpus", len(match.group(1).split(",")), _place(path, text, match))
    yield from _docker(path, text)
    for match in _each(_VISIBLE, text):
        count = len(set((match.group(1) or match.group(2)).split(",")))
        yield Hardware("devices", count, _place(path, text, match))
    yield from _processes(path, text)
    yield from _settings(path, text)


def _docker(path: str, text: str) -> Iterator[Hardware]:
    for command in _each(_DOCKER, text):
        match = _DOCKER_GPUS.search(text, *command.span(1))
        if match is not None:
            count = match.group(1) or len(match.group(2).split(","))
            yield Hardware("gpus", int(count), place_at(path, text, match.start()))


def _processes(path: str, text: str) -> Iterator[Hardware]:
    """The options of launchers; `--num_processes` counts those of all machines."""
    for match in _each(_PROCESSES, text):
        start, end = _command_of(text, match.start())
        several = _NODES.search(text, start, end)
        count: int | None = int(match.group(1))
        nodes = several.group(1).rstrip("\"'") if several is not None else "1"
        if "processes" not in match.group():
            count = count * int(nodes) if count and nodes.isascii() and nodes.isdigit() else None
        yield Hardware("processes", count, place_at(path, text, match.start()))
    for match in _each(_NODES, text):
        value = match.group(1).rstrip("\"'")
        if value.isascii() and value.isdigit() and len(value) <= 4:
            yield Hardware("nodes", int(value), place_at(path, text, match.start()))


def _command_of(text: str, at: int) -> tuple[int, int]:
    """Where the command around a place begins and ends, joined lines counted as one."""
    start = text.rfind("\n", 0, at) + 1
    while start > 1 and text[max(0, start - 3) : start].rstrip("\r\n").endswith("\\"):
        if at - start > 4_000:
            break
        start = text.rfind("\n", 0, start - 1) + 1
    end = text.find("\n", at)
    while end > 0 and text[max(0, end - 2) : end].rstrip("\r").endswith("\\"):
        if end - at > 4_000:
            break
        end = text.find("\n", end + 1)
    return start, len(text) if end < 0 else end


def _settings(path: str, text: str) -> Iterator[Hardware]:
    """The settings file of a launcher."""
    for kind in settings_files():
        if not any(_setting(text, key, "") for key in kind.keys):
            continue
        alone = re.search(kind.alone, text) is not None
        for match in _setting(text, kind.processes, _NUMBER):
            count = 1 if alone else int(match.group(1))
            yield Hardware("processes", count, _place(path, text, match))
        for match in _setting(text, kind.machines, _NUMBER):
            yield Hardware("nodes", int(match.group(1)), _place(path, text, match))


def _setting(text: str, key: str, value: str) -> list[re.Match[str]]:
    """The lines at the top level of a YAML text that have a key, and a value of a form."""
    pattern = re.compile(rf"^{re.escape(key)}:{value}", re.MULTILINE)
    return list(_each(pattern, text))


def _each(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    return islice(pattern.finditer(text), _MAX_FOUND)


def _kind(name: str, count: int, path: str, text: str, match: re.Match[str]) -> Iterator[Hardware]:
    from cfglint.environment.hardware import gpu_facts
    from cfglint.environment.pins import TargetError

    place = _place(path, text, match)
    yield Hardware("gpus", count, place)
    try:
        gpu_facts(name, "")
    except TargetError:
        return
    yield Hardware("gpu", name, place)


def _place(path: str, text: str, match: re.Match[str]) -> Place:
    start = match.start() + len(match.group()) - len(match.group().lstrip())
    return place_at(path, text, start)
