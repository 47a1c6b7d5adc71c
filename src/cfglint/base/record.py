"""Small typed value objects that cost next to nothing to define.

A plain check lives for a twentieth of a second. Forty `NamedTuple`s or data classes would take a
tenth of that to be *defined*: both compile code for each class. A `Record` compiles nothing; to a
type checker it is a frozen data class.

Fields are set and read one by one, never through `__dict__`: until Python 3.13 an object whose
dictionary was asked for takes more memory, and every later access takes several times as long.
"""

from __future__ import annotations

from collections import namedtuple

from cfglint.base.type_names import TYPE_CHECKING, Any, ClassVar, NoReturn, TypeVar

__all__ = ["FrozenDict", "NamedTuple", "Record", "Remembered", "field_values"]

if TYPE_CHECKING:
    from typing import NamedTuple

    from typing_extensions import Self, dataclass_transform
else:

    class _Naming(type):
        """Makes a named tuple of a class body, as `typing` does."""

        def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> type:
            if not bases:
                return super().__new__(cls, name, bases, body)
            fields = tuple(body.get("__annotations__", ()))
            defaults = [body.pop(field) for field in fields if field in body]
            made = namedtuple(name, fields, defaults=defaults, module=body["__module__"])
            for member, value in body.items():
                if member not in ("__module__", "__qualname__"):
                    setattr(made, member, value)
            return made

    class NamedTuple(metaclass=_Naming):
        """`typing.NamedTuple`, less the two milliseconds in which that reads the annotations.

        It compiles every annotation that is a text, and the first use of the compiler in a
        process sets up the classes of all syntax trees.
        """

    def dataclass_transform(**_options: Any) -> Any:
        """Stand-in at run time."""
        return lambda cls: cls


_K = TypeVar("_K")
_V = TypeVar("_V")

#: What a record refuses for itself.
_set = object.__setattr__


@dataclass_transform(frozen_default=True)
class Record:
    """Base of value objects: annotated members are the fields, in order, with their defaults."""

    _fields: ClassVar[tuple[str, ...]] = ()
    _names: ClassVar[frozenset[str]] = frozenset()
    _defaults: ClassVar[dict[str, Any]] = {}

    def __init_subclass__(cls) -> None:
        cls._fields = tuple(cls.__annotations__)
        cls._names = frozenset(cls._fields)
        cls._defaults = {name: cls.__dict__[name] for name in cls._fields if name in cls.__dict__}

    if not TYPE_CHECKING:

        def __init__(self, *args: Any, **kwargs: Any) -> None:
            cls = type(self)
            if kwargs or len(args) != len(cls._fields):
                args = cls._complete(args, kwargs)
            for name, value in zip(cls._fields, args, strict=True):
                _set(self, name, value)

        @classmethod
        def _complete(cls, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
            """The value of each field, in order."""
            given = dict(zip(cls._fields, args, strict=False))
            if len(args) > len(cls._fields) or not given.keys().isdisjoint(kwargs):
                raise TypeError(f"{cls.__name__} got a field twice, or too many of them")
            values = {**cls._defaults, **given, **kwargs}
            if values.keys() != cls._names:
                raise TypeError(f"{cls.__name__} has the fields {', '.join(cls._fields)}")
            return tuple(map(values.__getitem__, cls._fields))

        def __setattr__(self, name: str, value: Any) -> None:
            raise AttributeError(f"{type(self).__name__} is immutable: {name} cannot be set")

        def __delattr__(self, name: str) -> None:
            raise AttributeError(f"{type(self).__name__} is immutable: {name} cannot be deleted")

    def replaced(self, **changes: Any) -> Self:
        """A copy with other values for some fields."""
        if not self._names.issuperset(changes):
            raise TypeError(f"{type(self).__name__} has the fields {', '.join(self._fields)}")
        copy = object.__new__(type(self))
        for name in self._fields:
            _set(copy, name, changes[name] if name in changes else getattr(self, name))
        return copy

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and field_values(self) == field_values(other)

    def __hash__(self) -> int:
        return hash(field_values(self))

    def __repr__(self) -> str:
        inner = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._fields)
        return f"{type(self).__name__}({inner})"


def field_values(record: Record) -> tuple[Any, ...]:
    """The value of each field, in order."""
    return tuple([getattr(record, name) for name in record._fields])


class FrozenDict(dict[_K, _V]):
    """An immutable mapping. Unlike `MappingProxyType` it can be pickled, and is hashable."""

    def _refuse(self, *_args: object, **_named: object) -> NoReturn:
        raise TypeError("this mapping is immutable")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        return FrozenDict, (dict(self),)


#: The most entries that a `Remembered` keeps.
_MAX_REMEMBERED = 5_000


class Remembered(dict[_K, _V]):
    """What was computed for keys that texts bring. It forgets all when they become too many."""

    def keep(self, key: _K, value: _V) -> _V:
        """Remember a value, and give it back."""
        if len(self) >= _MAX_REMEMBERED:
            self.clear()
        self[key] = value
        return value
