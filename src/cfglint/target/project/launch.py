"""How many GPUs of which kind: SkyPilot, Modal, Kubernetes, compose, launch commands, accelerate's config."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from cfglint.lazy import lazy_pattern
from cfglint.target.project.statements import Hardware, Place, place_at

_MAX_FOUND = 100
_COMMENT = lazy_pattern(r"(?m)(^|[ \t])#.*$")
_SKY = lazy_pattern(
    r"^[ \t-]*accelerators:[ \t]*[\"']?\{?[ \t]*[\"']?([A-Za-z][\w-]*)[\"']?(?:[ \t]*:[ \t]*(\d{1,4}))?[ \t]*\}?[\"']?[ \t]*\r?$",
    re.MULTILINE,
)
_SKY_NODES = lazy_pattern(r"^num_nodes:[ \t]*(\d{1,4})[ \t]*\r?$", re.MULTILINE)
_MODAL = lazy_pattern(r"\bgpu[ \t]*=[ \t]*[\"']([A-Za-z][\w-]*)(?::(\d{1,3}))?[\"']")
_MODAL_OLD = lazy_pattern(
    r"\bgpu[ \t]*=[ \t]*(?:modal\.)?gpu\.([A-Za-z][A-Za-z0-9]*)\((?:[^()]*\bcount[ \t]*=[ \t]*(\d{1,3}))?[^()]*\)"
)
_KUBERNETES = lazy_pattern(
    r"^[ \t]*[\"']?(?:nvidia|amd)\.com/gpu[\"']?:[ \t]*[\"']?(\d{1,4})[\"']?[ \t]*\r?$",
    re.MULTILINE,
)
#: Several machines, so that what one of them has is not all.
_COPIES = lazy_pattern(
    r"^[ \t]*(?:replicas|parallelism|numNodes):[ \t]*[\"']?(?:[2-9]|\d\d+)"
    r"|--(?:nnodes|num[_-]machines|num[_-]nodes)(?:=|[ \t]+)(?!\d)|\bsrun\b|\bclustered\(",
    re.MULTILINE,
)
_DEVICES = lazy_pattern(r"^[ \t]*devices:[ \t]*\r?$", re.MULTILINE)
_COUNT = lazy_pattern(r"^[ \t-]*count:[ \t]*[\"']?(\d{1,3})\b", re.MULTILINE)
_COMPOSE_IDS = lazy_pattern(r"\bdevice_ids:[ \t]*\[([^\]\n]{1,200})\]")
_PROCESSES = lazy_pattern(
    r"--(?:nproc[_-]per[_-]node|num[_-]processes|num[_-]gpus)(?:=|[ \t]+)(\d{1,4})\b"
)
_NODES = lazy_pattern(r"--(?:nnodes|num[_-]machines|num[_-]nodes)(?:=|[ \t]+)(\d{1,4})\b")
_ACCELERATE = lazy_pattern(r"^num_processes:[ \t]*(\d{1,4})[ \t]*\r?$", re.MULTILINE)
_ACCELERATE_MARK = lazy_pattern(
    r"^(?:compute_environment|distributed_type|num_machines):", re.MULTILINE
)


def read(path: str, text: str) -> list[Hardware]:
    """What a launch file asks for; nothing where it asks for several things."""
    text = _COMMENT.sub(lambda match: " " * len(match.group()), text)
    if _COPIES.search(text):
        return []
    found = list(_read(path, text))
    out = []
    for fact in ("gpus", "gpu"):
        own = [one for one in found if one.fact == fact]
        if own and all(one.value == own[0].value for one in own):
            out.append(own[0])
    return out


def _read(path: str, text: str) -> Iterator[Hardware]:
    if path.endswith(".py"):
        for pattern in (_MODAL, _MODAL_OLD):
            for match in _each(pattern, text):
                yield from _kind(match.group(1), int(match.group(2) or 1), path, text, match)
        return
    nodes = _SKY_NODES.search(text)
    for match in _each(_SKY, text):
        count = int(match.group(2) or 1) * (int(nodes.group(1)) if nodes else 1)
        yield from _kind(match.group(1), count, path, text, match)
    for match in _each(_KUBERNETES, text):
        yield Hardware("gpus", int(match.group(1)), _place(path, text, match))
    for devices in _each(_DEVICES, text):
        found = _COUNT.search(text, devices.end(), devices.end() + 400)
        if found is not None and "gpu" in text:
            yield Hardware("gpus", int(found.group(1)), _place(path, text, found))
    for match in _each(_COMPOSE_IDS, text):
        yield Hardware("gpus", len(match.group(1).split(",")), _place(path, text, match))
    for match in _each(_PROCESSES, text):
        line_start = text.rfind("\n", 0, match.start()) + 1
        line_end = text.find("\n", match.end())
        line = text[line_start : line_end if line_end >= 0 else len(text)]
        several = _NODES.search(line)
        count = int(match.group(1))
        if several and "nproc" in match.group():
            count *= int(several.group(1))
        yield Hardware("gpus", count, _place(path, text, match))
    if _ACCELERATE_MARK.search(text):
        for match in _each(_ACCELERATE, text):
            yield Hardware("gpus", int(match.group(1)), _place(path, text, match))


def _each(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    return islice(pattern.finditer(text), _MAX_FOUND)


def _kind(name: str, count: int, path: str, text: str, match: re.Match[str]) -> Iterator[Hardware]:
    from cfglint.target.hardware import gpu_facts
    from cfglint.target.target import TargetError

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
