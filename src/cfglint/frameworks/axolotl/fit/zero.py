"""What DeepSpeed's ZeRO needs beside its shares of weights, gradients and states."""

from __future__ import annotations

from typing import Any

from cfglint.record import Record

#: Numbers of parameters when the settings do not say: `deepspeed/runtime/zero/config.py`.
_BUCKET, _SUB_GROUP = 500_000_000, 1_000_000_000
#: Nothing larger is multiplied.
_MOST = 1 << 50


class Reduction(Record):
    """The buffers in which gradients are reduced."""

    size: int
    #: Whether they stay from one backward pass to the next.
    stays: bool


def reduction(settings: dict[str, Any], hidden: int) -> Reduction:
    """The buffers of stages 2 and 3, in bytes.

    Stage 2 makes them at the start of a backward pass, two with `overlap_comm`
    (`stage_1_and_2.py`, `backward_prologue`; `setup_buckets` from 0.17 on), and drops them at its
    end. Stage 3 makes one for good (`stage3.py`, "IPG"). They are on the GPU whatever is offloaded,
    and in the 16 bits of the model.

    Args:
        settings: the whole file.
        hidden: the model's hidden size; transformers puts its square for "auto".
    """
    zero = settings.get("zero_optimization")
    nothing = Reduction(0, False)
    if not isinstance(zero, dict) or zero.get("contiguous_gradients", True) is not True:
        return nothing
    stage, size = zero.get("stage"), zero.get("reduce_bucket_size", _BUCKET)
    numbers = hidden * hidden if size == "auto" else _whole(size)
    if stage == 3:
        return Reduction(2 * numbers, True)
    if stage == 2:
        buffers = 2 if zero.get("overlap_comm") is True else 1
        return Reduction(2 * numbers * buffers, False)
    return nothing


def step_bytes(settings: dict[str, Any], share: float, *, copies: bool) -> float:
    """Bytes of a trained parameter in what stages 2 and 3 take at their step.

    The share of the gradients is copied to 32 bits while it is still there in 16, and torch's own
    Adam then takes as much once more for the roots of its states: LLaMA-Factory 1221 shows both in
    the message of an out-of-memory error. Stage 2 gives the 16 bits back in between
    (`stage_1_and_2.py`, `step`). In stage 3 they are part of a buffer that stays, which is copied to
    one tensor first (`stage3.py`, `_prepare_fp32_grad_for_sub_group`); it steps one group of
    parameters after the other.

    Args:
        share: the parameters that a GPU steps.
        copies: whether the optimizer takes a copy at its step.
    """
    zero = settings.get("zero_optimization")
    stage = zero.get("stage") if isinstance(zero, dict) else None
    if not isinstance(zero, dict) or stage not in (2, 3):
        return 0.0
    if stage == 2:
        return 6.0 if copies else 4.0
    group = _whole(zero.get("sub_group_size", _SUB_GROUP))
    return (8.0 if copies else 6.0) * min(1.0, group / max(share, 1))


def _whole(size: object) -> int:
    """A number of parameters as DeepSpeed reads it, also `5e8`; 0 for everything else."""
    if isinstance(size, bool) or not isinstance(size, (int, float)) or not 0 <= size < _MOST:
        return 0
    return int(size)
