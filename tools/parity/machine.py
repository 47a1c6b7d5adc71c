"""The machine that both sides are told about: so many GPUs of one kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from cfglint.environment.hardware import gpu_facts
from cfglint.environment.pins import TargetError
from tools.parity.release import ReleaseError

if TYPE_CHECKING:
    import argparse

#: Axolotl trains in FP8 on these (Hopper) and newer ones.
_FP8_SINCE = 9.0
_TF32_SINCE = 8.0


class Machine(NamedTuple):
    """GPUs of a kind that cfglint knows by name."""

    gpus: int = 1
    gpu: str = "h100"

    def capabilities(self) -> dict[str, Any]:
        """What Axolotl's command line finds out about it, for the validator.

        Raises:
            ReleaseError: there is no GPU of that name, or it is not NVIDIA's.
        """
        try:
            facts = gpu_facts(self.gpu, "--gpu")
        except TargetError as error:
            raise ReleaseError(str(error)) from None
        if "gpu.compute_capability" not in facts:
            raise ReleaseError(f"{self.gpu}: what Axolotl sees on it is not known")
        capability = facts["gpu.compute_capability"].value
        return {
            "bf16": facts["gpu.bf16"].value,
            "fp8": capability >= _FP8_SINCE,
            "tf32": capability >= _TF32_SINCE,
            "n_gpu": self.gpus,
            "compute_capability": f"sm_{round(capability * 10)}",
        }


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options that describe the machine."""
    usual = Machine()
    parser.add_argument("--gpus", type=int, default=usual.gpus, help="GPUs of the run")
    parser.add_argument(
        "--gpu", default=usual.gpu, metavar="NAME", help="their kind, such as a100 or t4"
    )


def machine_of(options: argparse.Namespace) -> Machine:
    """The machine that the options describe."""
    return Machine(options.gpus, options.gpu)
