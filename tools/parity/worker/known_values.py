"""The few things of the heavy packages that a validator looks at and that must be right."""

from __future__ import annotations

import enum
import importlib
import importlib.metadata
import logging
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, MutableMapping

#: Where transformers keeps the enumerations that older schemas take their choices from.
_ENUM_MODULES = ("transformers", "transformers.training_args", "transformers.trainer_utils")
#: What the machine of the comparison has: one recent NVIDIA GPU and the packages for it.
_ANSWERS = {
    "accelerate.utils": {"is_fp8_available": True},
    "transformers.utils": {
        "is_flash_attn_2_available": True,
        "is_flash_attn_3_available": True,
        "is_flash_attn_greater_or_equal": True,
        "is_torch_bf16_gpu_available": True,
        "is_torch_npu_available": False,
    },
    "transformers.utils.import_utils": {
        "is_torch_bf16_gpu_available": True,
        "is_torch_npu_available": False,
    },
}


def set_known_values(
    versions: Mapping[str, str], enums: Mapping[str, Mapping[str, str]], stand_ins: frozenset[str]
) -> None:
    """Put them into the stand-ins that are installed."""
    _answer_versions(versions)
    for module_name, answers in _ANSWERS.items():
        if module_name.partition(".")[0] in stand_ins:
            module = importlib.import_module(module_name)
            for name, answer in answers.items():
                setattr(module, name, _Constant(answer))
    if "transformers" in stand_ins:
        for name, members in enums.items():
            made = enum.Enum(name, dict(members), type=str)  # type: ignore[misc]
            for module_name in _ENUM_MODULES:
                setattr(importlib.import_module(module_name), name, made)
    if "accelerate" in stand_ins:
        module = importlib.import_module("accelerate.logging")
        module.__dict__["get_logger"] = _get_logger


class _Constant:
    """A function that always gives the same answer."""

    def __init__(self, answer: object) -> None:
        self._answer = answer

    def __call__(self, *values: Any, **named: Any) -> object:
        return self._answer


class _Logger(logging.LoggerAdapter):  # type: ignore[type-arg]
    """A logger that also takes what accelerate's takes."""

    def process(
        self, msg: Any, kwargs: MutableMapping[str, Any]
    ) -> tuple[Any, MutableMapping[str, Any]]:
        for name in ("main_process_only", "in_order"):
            kwargs.pop(name, None)
        return msg, kwargs

    def warning_once(self, *values: Any, **named: Any) -> None:
        self.warning(*values, **named)


def _get_logger(name: str, log_level: str | None = None) -> _Logger:
    return _Logger(logging.getLogger(name), {})


def _answer_versions(versions: Mapping[str, str]) -> None:
    """Let `importlib.metadata.version` know what the release would have installed."""
    installed = importlib.metadata.version

    def version(distribution_name: str) -> str:
        try:
            return installed(distribution_name)
        except importlib.metadata.PackageNotFoundError:
            known = versions.get(distribution_name.lower().replace("_", "-"))
            if known is None:
                raise
            return known

    importlib.metadata.version = version
