"""The checks by the name that rule files use."""

from __future__ import annotations

import os
from collections.abc import Iterator

from cfglint.checks import keys, scalar_traps, structure, value_types
from cfglint.checks.context import Check, CheckContext, Hit
from cfglint.source.document import Mapping, Scalar, Sequence
from cfglint.target.project.finder import climb

_DATA_SUFFIXES = (".json", ".jsonl", ".csv", ".parquet", ".arrow", ".txt")


def _of_project(name: str) -> Check:
    """A check of the files around the config; its module is imported when there are any."""

    def check(ctx: CheckContext) -> Iterator[Hit]:
        if ctx.target.project is None:
            return iter(())
        from cfglint.checks import environment

        return environment.CHECKS[name](ctx)

    return check


def _of_deepspeed(name: str) -> Check:
    """A check of DeepSpeed's settings; tried only on configs that name some (see `triggers`)."""

    def check(ctx: CheckContext) -> Iterator[Hit]:
        if ctx.target.folder is None:
            return iter(())
        from cfglint.checks import deepspeed_file

        return deepspeed_file.CHECKS[name](ctx)

    return check


def _of_templates(name: str) -> Check:
    """A check of chat templates; tried only on configs that bring one (see `triggers`)."""

    def check(ctx: CheckContext) -> Iterator[Hit]:
        from cfglint.checks import chat_template

        return chat_template.CHECKS[name](ctx)

    return check


def _of_data(name: str) -> Check:
    """A check of data files; nothing is imported when no data set looks like a file."""

    def check(ctx: CheckContext) -> Iterator[Hit]:
        if ctx.target.folder is None or not ctx.once("names data files", lambda: _names_data(ctx)):
            return iter(())
        from cfglint.checks import dataset_file

        return dataset_file.CHECKS[name](ctx)

    return check


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
    "chat-template-broken": _of_templates("chat-template-broken"),
    "chat-template-missing": _of_templates("chat-template-missing"),
    "chat-template-without-messages": _of_templates("chat-template-without-messages"),
    "dataset-file-broken": _of_data("dataset-file-broken"),
    "dataset-file-columns": _of_data("dataset-file-columns"),
    "dataset-file-message-keys": _of_data("dataset-file-message-keys"),
    "dataset-file-missing": _of_data("dataset-file-missing"),
    "date-value": scalar_traps.date_value,
    "deepspeed-file-broken": _of_deepspeed("deepspeed-file-broken"),
    "deepspeed-file-clips": _of_deepspeed("deepspeed-file-clips"),
    "deepspeed-file-disagrees": _of_deepspeed("deepspeed-file-disagrees"),
    "deepspeed-file-fp32-adapter": _of_deepspeed("deepspeed-file-fp32-adapter"),
    "deepspeed-file-lost-batches": _of_deepspeed("deepspeed-file-lost-batches"),
    "deepspeed-file-missing": _of_deepspeed("deepspeed-file-missing"),
    "deepspeed-file-not-gathered": _of_deepspeed("deepspeed-file-not-gathered"),
    "deepspeed-file-offload": _of_deepspeed("deepspeed-file-offload"),
    "deepspeed-file-optimizer": _of_deepspeed("deepspeed-file-optimizer"),
    "deepspeed-file-repeated-key": _of_deepspeed("deepspeed-file-repeated-key"),
    "deepspeed-file-schedule": _of_deepspeed("deepspeed-file-schedule"),
    "deepspeed-file-unknown-key": _of_deepspeed("deepspeed-file-unknown-key"),
    "duplicate-key": structure.duplicate_key,
    "files-disagree": _of_project("files-disagree"),
    "foreign-key": keys.foreign_key,
    "key-of-later-release": keys.key_of_later_release,
    "misplaced-key": keys.misplaced_key,
    "missing-extra": _of_project("missing-extra"),
    "missing-required-key": value_types.missing_required_key,
    "non-text-key": structure.non_text_key,
    "number-as-string": scalar_traps.number_as_string,
    "out-of-range": value_types.out_of_range,
    "octal-number": scalar_traps.octal_number,
    "pin-against-release": _of_project("pin-against-release"),
    "plugin-key-without-plugin": keys.plugin_key_without_plugin,
    "python-outside-release": _of_project("python-outside-release"),
    "quoted-boolean": scalar_traps.quoted_boolean,
    "removed-key": keys.removed_key,
    "retired-image": _of_project("retired-image"),
    "sexagesimal-number": scalar_traps.sexagesimal_number,
    "typographic-character": scalar_traps.typographic_character,
    "unknown-choice": value_types.unknown_choice,
    "unknown-key": keys.unknown_key,
    "unreadable-project-file": _of_project("unreadable-project-file"),
    "unrecognised-config": structure.unrecognised_config,
    "wheel-for-other-torch": _of_project("wheel-for-other-torch"),
    "word-as-boolean": scalar_traps.word_as_boolean,
    "wrong-type": value_types.wrong_type,
}
