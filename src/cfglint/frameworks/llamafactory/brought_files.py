"""The DeepSpeed files that come with LLaMA-Factory."""

from __future__ import annotations

from cfglint.base.lazy import lazy_pattern

#: What the checkout that a run starts in has, and what the board writes before it starts one.
_BROUGHT = lazy_pattern(
    r"(?:^|/)(?:examples/deepspeed|cache)/ds_z[0-3](?:_\w+)?_config(?:_gaudi)?\.json$"
)


def is_brought(path: str) -> bool:
    """Whether a path is that of such a file."""
    return _BROUGHT.search(path) is not None
