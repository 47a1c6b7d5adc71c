"""Which options would decide a rule."""

from __future__ import annotations

from cfglint.engine.needs import needs_of
from tests.draws import each
from tests.linting import environment


@each(
    ("unknown", "target", "options"),
    [
        (set(), [], ()),
        ({"gpus"}, [], ("--gpus N",)),
        ({"gpu.memory_gb", "gpu.bf16", "gpus"}, [], ("--gpu NAME", "--gpus N")),
        ({"torch", "trl"}, [], ("--target torch==VERSION", "--target trl==VERSION")),
        # No option tells what variables are set.
        ({"env.HF_TOKEN", "gpus"}, [], ("--gpus N",)),
        ({"env.HF_TOKEN"}, [], ()),
        # The release of the framework implies the packages around it, but no hardware.
        (
            {"axolotl", "torch", "gpus", "gpu.fp8"},
            [],
            ("--target axolotl==VERSION", "--gpu NAME", "--gpus N"),
        ),
        ({"axolotl"}, ["axolotl==0.18.0.dev0"], ("--target axolotl@COMMIT",)),
    ],
)
def test_needs(unknown: set[str], target: list[str], options: tuple[str, ...]) -> None:
    assert needs_of(unknown, environment(target)) == options
