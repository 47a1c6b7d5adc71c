"""Answers what a release makes of a file: the verdict, and the whole configuration it ends with.

python -m tools.parity.worker.effective RELEASE_FOLDER FACTS_FILE
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Mapping
from enum import Enum
from typing import Any

from tools.parity.worker.__main__ import serve

#: What the caller of the validator puts in, not the file.
_FROM_OUTSIDE = ("axolotl_config_path", "capabilities", "env_capabilities")


def resolver(root: str, facts: Mapping[str, Any]) -> Any:
    """A function from a request to the verdict with the configuration."""
    from tools.parity.worker.validator import Validator

    class Resolver(Validator):
        """Keeps what the release's `validate_config` returns."""

        def __init__(self) -> None:
            super().__init__(root, facts)
            self.last: Any = None
            original = self._config.validate_config

            @functools.wraps(original)
            def validate_config(*values: Any, **named: Any) -> Any:
                self.last = original(*values, **named)
                return self.last

            vars(self._config)["validate_config"] = validate_config

    made = Resolver()

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        made.last = None
        verdict = made.judge(request["path"], request["capabilities"])
        if verdict["outcome"] == "ok":
            config = _simple(made.last)
            verdict["config"] = {k: v for k, v in config.items() if k not in _FROM_OUTSIDE}
        return verdict

    return answer


def _simple(value: Any) -> Any:
    """What JSON can hold, with the values that a file would have for it."""
    if isinstance(value, Enum):
        if type(value).__name__ == "Resampling":
            return value.name.lower()
        plain = isinstance(value.value, (bool, int, float, str))
        return value.value if plain else value.name
    if isinstance(value, Mapping):
        return {str(key): _simple(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_simple(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted((_simple(item) for item in value), key=str)
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return str(value)


if __name__ == "__main__":
    sys.exit(serve(sys.argv[1], sys.argv[2], resolver))
