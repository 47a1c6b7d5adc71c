"""Numbers that are written as texts: `"5e8"` where a whole number belongs, `5%` or `0,05` for a share."""

from __future__ import annotations

import re

from cfglint.base.type_names import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from cfglint.knowledge.keys.release_keys import Schema

_NUMBER: Final = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_PERCENT: Final = re.compile(r"(\d{1,20}(?:\.\d{1,20})?)\s{0,9}%")
#: A decimal comma: behind a zero it separates no thousands.
_COMMA: Final = re.compile(r"0,\d{1,20}")
#: Keys whose numbers are shares of a whole, by their names.
_SHARES: Final = ("ratio", "fraction", "proportion", "utilization", "dropout")
_LONGEST: Final = 40
#: Larger ones are not exact as a float.
_LARGEST: Final = 2**53


def meant_number(text: str, name: str, schema: Schema) -> str | None:
    """The number that a text spells, as it is written in a file; None if it spells none that the key takes.

    Args:
        name: the key's.
    """
    text = text.strip()
    if len(text) > _LONGEST:
        return None
    percent = _PERCENT.fullmatch(text)
    if percent is not None:
        is_share = any(word in name for word in _SHARES)
        number = round(float(percent[1]) / 100, 12)
        return _written(number, schema) if is_share and 0 <= number <= 1 else None
    if _COMMA.fullmatch(text):
        text = text.replace(",", ".")
    return _written(float(text), schema) if _NUMBER.fullmatch(text) else None


def _written(number: float, schema: Schema) -> str | None:
    if number.is_integer() and abs(number) <= _LARGEST and schema.takes(int(number)):
        return str(int(number))
    if not abs(number) < float("inf") or not schema.takes(number):
        return None
    mantissa, exponent, power = repr(number).partition("e")
    # YAML reads `1e-05` as a text.
    return f"{mantissa if '.' in mantissa else f'{mantissa}.0'}{exponent}{power}"
