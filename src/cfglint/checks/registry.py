"""The checks by the name that rule files use."""

from __future__ import annotations

from cfglint.checks import keys, scalar_traps, structure, value_types
from cfglint.checks.context import Check

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
}
