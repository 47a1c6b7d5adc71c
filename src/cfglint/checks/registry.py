"""The checks by the name that rule files use."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sized
from importlib import import_module

from cfglint.checks import keys, scalar_traps, structure, value_types
from cfglint.checks.context import Check, CheckContext, Hit
from cfglint.checks.written_keys import file_keys, unknown_keys
from cfglint.source.document import Mapping, Scalar, Sequence
from cfglint.target.project.finder import climb
from cfglint.target.target import Target

_DATA_SUFFIXES = (".json", ".jsonl", ".csv", ".parquet", ".arrow", ".txt")


#: What several checks look through, and those that find nothing when it is empty.
LOOKED_THROUGH: tuple[tuple[Callable[[CheckContext], Sized], tuple[str, ...]], ...] = (
    (
        scalar_traps.suspects,
        (
            "date-value",
            "number-as-string",
            "octal-number",
            "quoted-boolean",
            "sexagesimal-number",
            "word-as-boolean",
        ),
    ),
    (unknown_keys, ("foreign-key", "misplaced-key", "unknown-key")),
    (
        lambda ctx: file_keys(ctx).unusual,
        ("key-of-later-release", "plugin-key-without-plugin", "removed-key"),
    ),
    (
        lambda ctx: file_keys(ctx).refused,
        ("out-of-range", "unknown-choice", "wrong-type"),
    ),
)
#: Check -> whether there is anything for it to look at with a target, whatever the file.
_NEEDED_OF_TARGET: dict[str, Callable[[Target], bool]] = {}


def check_for(name: str, target: Target) -> Check | None:
    """The check with a name; None when it finds nothing with this target.

    Of the target it asks no more than which of `project`, `folder` and `launches` there are.
    """
    needed = _NEEDED_OF_TARGET.get(name)
    return CHECKS.get(name) if needed is None or needed(target) else None


def _lazy(
    module: str,
    *names: str,
    target: Callable[[Target], bool] | None = None,
    file: Callable[[CheckContext], bool] | None = None,
) -> dict[str, Check]:
    """Checks whose module is imported when there is something to look at.

    Args:
        target: whether there is, as far as the target tells.
        file: whether there is in a file.
    """
    if target is not None:
        _NEEDED_OF_TARGET.update(dict.fromkeys(names, target))

    loaded: dict[str, Check] = {}

    def check_of(name: str) -> Check:
        def check(ctx: CheckContext) -> Iterator[Hit]:
            if file is not None and not file(ctx):
                return iter(())
            known = loaded.get(name)
            if known is None:
                checks: dict[str, Check] = import_module(f"cfglint.checks.{module}").CHECKS
                known = loaded[name] = checks[name]
            return known(ctx)

        return check

    return {name: check_of(name) for name in names}


def _has_project(target: Target) -> bool:
    return target.project is not None


def _is_launched(target: Target) -> bool:
    return bool(target.launches)


def _has_folder(target: Target) -> bool:
    return target.folder is not None


def _has_test_data(ctx: CheckContext) -> bool:
    return ctx.document.node(("test_datasets",)) is not None


def _goes_on_with_adapter(ctx: CheckContext) -> bool:
    return ctx.document.node(("lora_model_dir",)) is not None


def _may_have_joined_lines(ctx: CheckContext) -> bool:
    """Whether a plain value runs over several lines, or a list has lists among other items."""
    text = ctx.document.text
    for _, node in ctx.collections:
        values = node.items if type(node) is Sequence else [e.value for e in node.entries]  # type: ignore[union-attr]
        lists = 0
        for value in values:
            if type(value) is Scalar:
                if not value.style and text.find("\n", value.start, value.end) >= 0:
                    return True
            elif type(value) is Sequence:
                lists += not value.flow
        if type(node) is Sequence and 0 < lists < len(values):
            return True
    return False


def _has_data(ctx: CheckContext) -> bool:
    return ctx.once("names data files", lambda: _names_data(ctx))


def _names_data(ctx: CheckContext) -> bool:
    """Whether a data set looks like a file of the project, in a folder that is there."""
    for key in ("datasets", "test_datasets"):
        node = ctx.document.node((key,))
        for item in node.items if isinstance(node, Sequence) else ():
            entry = item.target()
            path = entry.lookup.get("path") if isinstance(entry, Mapping) else None
            value = path.value.target() if path is not None else None
            if not isinstance(value, Scalar) or not value.text.lower().endswith(_DATA_SUFFIXES):
                continue
            if _is_near(ctx.target, os.path.dirname(value.text)):
                return True
    return False


def _is_near(target: Target, name: str) -> bool:
    """Whether there is a folder of this name in the config's, or in one above it."""
    config = target.folder
    if config is None or "\0" in name:
        return False

    def look() -> bool:
        levels = target.once(("levels", config), lambda: climb(config)[1])
        return any(os.path.isdir(os.path.join(level, name)) for level in levels)

    return target.once(("is near", config, name), look)


CHECKS: dict[str, Check] = {
    "byte-order-mark": structure.byte_order_mark,
    "date-value": scalar_traps.date_value,
    "duplicate-key": structure.duplicate_key,
    "foreign-key": keys.foreign_key,
    "key-of-later-release": keys.key_of_later_release,
    "misplaced-key": keys.misplaced_key,
    "missing-required-key": value_types.missing_required_key,
    "non-text-key": structure.non_text_key,
    "number-as-string": scalar_traps.number_as_string,
    "out-of-range": value_types.out_of_range,
    "octal-number": scalar_traps.octal_number,
    "plugin-key-without-plugin": keys.plugin_key_without_plugin,
    "quoted-boolean": scalar_traps.quoted_boolean,
    "removed-key": keys.removed_key,
    "sexagesimal-number": scalar_traps.sexagesimal_number,
    "typographic-character": scalar_traps.typographic_character,
    "unknown-choice": value_types.unknown_choice,
    "unknown-key": keys.unknown_key,
    "unrecognised-config": structure.unrecognised_config,
    "word-as-boolean": scalar_traps.word_as_boolean,
    "wrong-type": value_types.wrong_type,
    **_lazy(
        "adapter_folder",
        "adapter-without-experts",
        target=_has_folder,
        file=_goes_on_with_adapter,
    ),
    **_lazy(
        "chat_template",
        "chat-template-broken",
        "chat-template-missing",
        "chat-template-without-messages",
    ),
    **_lazy(
        "dataset_file",
        "dataset-file-broken",
        "dataset-file-columns",
        "dataset-file-images",
        "dataset-file-message-keys",
        "dataset-file-missing",
        target=_has_folder,
        file=_has_data,
    ),
    **_lazy(
        "deepspeed_file",
        "deepspeed-file-broken",
        "deepspeed-file-clips",
        "deepspeed-file-disagrees",
        "deepspeed-file-fp32-adapter",
        "deepspeed-file-lost-batches",
        "deepspeed-file-missing",
        "deepspeed-file-not-gathered",
        "deepspeed-file-offload",
        "deepspeed-file-optimizer",
        "deepspeed-file-repeated-key",
        "deepspeed-file-schedule",
        "deepspeed-file-unknown-key",
        target=_has_folder,
    ),
    **_lazy("joined_lines", "joined-line", file=_may_have_joined_lines),
    **_lazy("entry_kind", "entry-of-another-kind", file=_has_test_data),
    **_lazy(
        "environment",
        "files-disagree",
        "missing-extra",
        "pin-against-release",
        "python-outside-release",
        "retired-image",
        "unreadable-project-file",
        "wheel-for-other-torch",
        target=_has_project,
    ),
    **_lazy(
        "companions",
        "companion-cce-commit",
        "companion-cce-missing",
        "companion-cce-source",
        "companion-numba-numpy",
        target=_has_project,
    ),
    **_lazy(
        "accelerate_file",
        "accelerate-deepspeed-fields",
        "accelerate-one-process",
        "accelerate-other-precision",
        "accelerate-other-strategy",
        "accelerate-unknown-key",
        target=_is_launched,
    ),
    **_lazy(
        "launch_line",
        "default-folder-for-data",
        "inverted-launch-switch",
        "launch-option-value",
        "misused-launch-switch",
        "missing-launch-command",
        "replaced-value",
        "silent-network",
        "unknown-launch-option",
        target=_is_launched,
    ),
}
