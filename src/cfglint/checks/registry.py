"""The checks by the name that rule files use."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from importlib import import_module

from cfglint.checks import keys, scalar_traps, structure, value_types
from cfglint.checks.context import Check, CheckContext, Hit
from cfglint.source.document import Mapping, Scalar, Sequence
from cfglint.target.project.finder import climb

_DATA_SUFFIXES = (".json", ".jsonl", ".csv", ".parquet", ".arrow", ".txt")


def _lazy(module: str, wanted: Callable[[CheckContext], bool], *names: str) -> dict[str, Check]:
    """Checks whose module is imported when a config gives them something to look at."""

    def check_of(name: str) -> Check:
        def check(ctx: CheckContext) -> Iterator[Hit]:
            if not wanted(ctx):
                return iter(())
            checks: dict[str, Check] = import_module(f"cfglint.checks.{module}").CHECKS
            return checks[name](ctx)

        return check

    return {name: check_of(name) for name in names}


def _has_project(ctx: CheckContext) -> bool:
    return ctx.target.project is not None


def _has_folder(ctx: CheckContext) -> bool:
    return ctx.target.folder is not None


def _has_data(ctx: CheckContext) -> bool:
    return _has_folder(ctx) and ctx.once("names data files", lambda: _names_data(ctx))


def _names_data(ctx: CheckContext) -> bool:
    """Whether a data set looks like a file of the project, in a folder that is there."""
    levels: tuple[str, ...] = ()
    for key in ("datasets", "test_datasets"):
        node = ctx.document.node((key,))
        for item in node.items if isinstance(node, Sequence) else ():
            entry = item.target()
            path = entry.lookup.get("path") if isinstance(entry, Mapping) else None
            value = path.value.target() if path is not None else None
            if not isinstance(value, Scalar) or not value.text.lower().endswith(_DATA_SUFFIXES):
                continue
            if not levels and ctx.target.folder is not None:
                levels = climb(ctx.target.folder)[1]
            folder = os.path.dirname(value.text)
            if "\0" not in folder and any(os.path.isdir(os.path.join(x, folder)) for x in levels):
                return True
    return False


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
        "chat_template",
        lambda _: True,
        "chat-template-broken",
        "chat-template-missing",
        "chat-template-without-messages",
    ),
    **_lazy(
        "dataset_file",
        _has_data,
        "dataset-file-broken",
        "dataset-file-columns",
        "dataset-file-message-keys",
        "dataset-file-missing",
    ),
    **_lazy(
        "deepspeed_file",
        _has_folder,
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
    ),
    **_lazy(
        "environment",
        _has_project,
        "files-disagree",
        "missing-extra",
        "pin-against-release",
        "python-outside-release",
        "retired-image",
        "unreadable-project-file",
        "wheel-for-other-torch",
    ),
}
