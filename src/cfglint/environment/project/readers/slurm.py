"""What a batch script requests from Slurm: `#SBATCH --nodes=2 --gpus-per-node=8`."""

from __future__ import annotations

from itertools import islice

from cfglint.base.lazy import lazy_pattern
from cfglint.environment.project.stated_versions import Hardware, Place, place_at

MARK = "#SBATCH"
_MAX_DIRECTIVES = 100
_DIRECTIVE = lazy_pattern(r"(?m)^#SBATCH[ \t]+([^\n#]{1,400})")
_OPTION = lazy_pattern(
    r"(?:^|(?<=[ \t]))(--?[A-Za-z][\w-]{0,40})(?:(?:=|[ \t]+)([^\s=-][^\s=]{0,199}))?"
)
_SHORT = {"-N": "--nodes", "-n": "--ntasks", "-G": "--gpus"}
#: `gpu:a100:8(S:0-1)`, `a100:8`, `8`.
_AMOUNT = lazy_pattern(r"(?:([A-Za-z][\w.-]*):)?(\d{1,4})(?:\([^)]*\))?")


def read(path: str, text: str) -> list[Hardware]:
    """The GPUs of the whole job, their kind, and the number of machines, as far as they are written."""
    options = _options(path, text)
    nodes = _number(options, "--nodes")
    tasks = _number(options, "--ntasks")
    out = []
    place = options["--nodes"][1] if "--nodes" in options else None
    if nodes is not None and place is not None:
        out.append(Hardware("nodes", nodes, place))
    if nodes is None and "--nodes" not in options and tasks in (None, 1):
        nodes = 1
    for name, times in (
        ("--gpus", 1),
        ("--gpus-per-node", nodes),
        ("--gres", nodes),
        ("--gpus-per-task", _tasks(options, nodes)),
    ):
        if name not in options:
            continue
        kind, amount = _amount(options[name][0], name)
        if kind:
            out.append(Hardware("gpu", kind, options[name][1]))
        if amount is not None and times is not None:
            out.append(Hardware("gpus", amount * times, options[name][1]))
    return out


def _options(path: str, text: str) -> dict[str, tuple[str, Place]]:
    """Option -> (its value, its place); Slurm uses the last."""
    out: dict[str, tuple[str, Place]] = {}
    for directive in islice(_DIRECTIVE.finditer(text), _MAX_DIRECTIVES):
        for match in _OPTION.finditer(directive.group(1)):
            name = _SHORT.get(match.group(1), match.group(1))
            place = place_at(path, text, directive.start(1) + match.start())
            out[name] = (match.group(2) or "", place)
    return out


def _number(options: dict[str, tuple[str, Place]], name: str) -> int | None:
    value = options.get(name, ("", None))[0]
    if name == "--nodes" and value.count("-") == 1:
        least, _, most = value.partition("-")
        value = least if least == most else ""
    return int(value) if value.isascii() and value.isdigit() and len(value) <= 4 else None


def _tasks(options: dict[str, tuple[str, Place]], nodes: int | None) -> int | None:
    tasks = _number(options, "--ntasks")
    if tasks is not None or "--ntasks" in options:
        return tasks
    if "--ntasks-per-node" in options:
        each = _number(options, "--ntasks-per-node")
        return None if each is None or nodes is None else each * nodes
    return nodes


def _amount(value: str, name: str) -> tuple[str, int | None]:
    """(the kind of GPU, how many) of `gpu:a100:4,nvme:1` or `a100:4`."""
    parts = value.split(",")
    if name == "--gres":
        parts = [part[4:] for part in parts if part.startswith("gpu:")]
        if value == "gpu":
            return "", 1
    if len(parts) != 1:
        return "", None
    match = _AMOUNT.fullmatch(parts[0])
    if match is not None:
        return match.group(1) or "", int(match.group(2))
    return (parts[0], 1) if name == "--gres" and parts[0].isalnum() else ("", None)
