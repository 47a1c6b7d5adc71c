"""The stand-ins for names of `typing` do what modules do with them at run time."""

from __future__ import annotations

import typing

from cfglint.base import type_names


def test_they_are_names_of_typing() -> None:
    assert all(hasattr(typing, name) for name in type_names.__all__)
    assert all(hasattr(type_names, name) for name in type_names.__all__)
    assert not type_names.TYPE_CHECKING


def test_they_can_be_subscripted_called_and_inherited_from() -> None:
    namespace: dict[str, object] = {name: getattr(type_names, name) for name in type_names.__all__}
    exec(
        "Kind = Literal['a', 'b']\n"
        "Maker = dict[str, tuple[Any, ...]]\n"
        "_T = TypeVar('_T', bound=int)\n"
        "class Named(Protocol):\n"
        "    name = ''\n"
        "class Both(Named, Protocol): pass\n"
        "class Held(dict[str, _T]): pass\n"
        "made = cast('Both', Held(a=1))\n",
        namespace,
    )
    assert namespace["made"] == {"a": 1}
