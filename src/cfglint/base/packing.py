"""Values as byte strings that a run unpacks only when it asks for them.

Of a thousand rules a file needs sixty. A module of tuples builds them all when it is imported; a
module of byte strings builds none.
"""

from __future__ import annotations

import marshal
import sys

from cfglint.base.type_names import Any

#: A format that every supported Python reads.
_FORMAT = 4


def pack(value: Any) -> bytes:
    """A value made of numbers, texts, tuples, lists and mappings as bytes.

    Raises:
        ValueError: a part of it is of another type.
    """
    return marshal.dumps(_interned(value), _FORMAT)


def unpack(packed: bytes) -> Any:
    """What `pack` was given; each call makes a new one.

    Only for what this package was built with: bytes of unknown origin could crash the process.
    """
    return marshal.loads(packed)  # noqa: S302 - only what the package brings along is read


def _interned(value: Any) -> Any:
    """The value with texts of which a process has one each, as it has of the names in its code."""
    if isinstance(value, str):
        return sys.intern(value)
    if isinstance(value, (tuple, list)):
        return type(value)(map(_interned, value))
    if isinstance(value, dict):
        return {_interned(key): _interned(part) for key, part in value.items()}
    return value
