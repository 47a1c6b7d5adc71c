"""An environment from what options and settings say."""

from __future__ import annotations

from collections.abc import Iterable

from cfglint.environment.environment import Environment
from cfglint.environment.pins import Fact, Pin, TargetError, parse_pin, placed
from cfglint.knowledge.releases.table import Releases


def build_environment(
    releases: Releases,
    *,
    pins: Iterable[str] = (),
    gpus: int | None = None,
    gpu: str | None = None,
    origin: str = "--target",
) -> Environment:
    """An environment from options or settings.

    Args:
        releases: those of the framework's first package.
        pins: versions as they are written, such as `torch==2.6.0`.
        gpus: how many GPUs the run has, over all nodes.
        gpu: their kind.
        origin: where it is stated.

    Raises:
        TargetError: a pin or a GPU name cannot be understood.
    """
    found: dict[str, Pin] = {}
    for text in pins:
        package, pin = parse_pin(text, origin)
        if pin.commit is not None and package == releases.package:
            pin = placed(pin, releases)
        found[package] = pin
    facts: dict[str, Fact] = {}
    if gpus is not None:
        if gpus < 1:
            raise TargetError("the number of GPUs has to be at least 1")
        facts["gpus"] = Fact(gpus, "--gpus" if origin == "--target" else origin)
    if gpu is not None:
        from cfglint.environment.hardware import gpu_count, gpu_facts

        of_gpu = "--gpu" if origin == "--target" else origin
        count = gpu_count(gpu)
        if count is not None:
            facts.setdefault("gpus", Fact(count, of_gpu))
        facts.update(gpu_facts(gpu, of_gpu))
    return Environment(releases, found, facts)
