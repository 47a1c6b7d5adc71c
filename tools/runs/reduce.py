"""The smallest config that ends like a given one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tools.runs.outcome import Outcome

Config = Mapping[str, Any]


def reduced(
    config: Config, run: Callable[[Config], Outcome], keep: frozenset[str] = frozenset()
) -> tuple[dict[str, Any], Outcome]:
    """The config without every key whose absence does not change how the run ends, and its end.

    Args:
        run: trains with a config.
        keep: keys that are not tried.
    """
    wanted = run(config)
    left = dict(config)
    # Half of the keys at first, as most do not matter.
    size = max(1, len(left) // 2)
    while True:
        names = [name for name in left if name not in keep]
        taken = False
        for start in range(0, len(names), size):
            part = set(names[start : start + size])
            tried = {key: value for key, value in left.items() if key not in part}
            if tried and run(tried).same_end(wanted):
                left, taken = tried, True
        if size == 1 and not taken:
            return left, wanted
        size = max(1, size // 2)
