"""Modules that answer for packages that are not installed.

An import of a package named to `install` always succeeds.  What is then taken from it is a class
that can be subclassed (capitalised names) or an inert object: callable, false, empty, usable as
a decorator.  That is enough to import a release's modules; it computes nothing.
"""

from __future__ import annotations

import abc
import importlib.abc
import importlib.machinery
import sys
import types
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

#: Names that end like this can be raised and caught.
_EXCEPTIONS = ("Error", "Exception", "Warning")
#: What a package says its version is when nobody told.
UNKNOWN_VERSION = "9999.0"


class StandInObject:
    """Something lower-case: a function, a submodule, a flag, a dtype."""

    def __init__(self, name: str) -> None:
        self.__dict__["_name"] = name

    def __call__(self, *values: Any, **named: Any) -> Any:
        if len(values) == 1 and not named and isinstance(values[0], (types.FunctionType, type)):
            return values[0]  # used as a decorator
        return StandInObject(f"{self._name}(…)")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        value = self.__dict__[name] = make(f"{self._name}.{name}")
        return value

    def __mro_entries__(self, bases: tuple[type, ...]) -> tuple[type, ...]:
        return ()

    def __bool__(self) -> bool:
        return False

    def __len__(self) -> int:
        return 0

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __contains__(self, item: object) -> bool:
        return False

    def __getitem__(self, item: object) -> Any:
        return StandInObject(f"{self._name}[…]")

    def __setitem__(self, item: object, value: object) -> None:
        pass

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *raised: object) -> None:
        pass

    def __or__(self, other: object) -> Any:
        return self

    __ror__ = __or__

    def __add__(self, other: object) -> Any:
        return other if isinstance(other, str) else self

    __radd__ = __add__

    def __instancecheck__(self, other: object) -> bool:
        return False

    def __subclasscheck__(self, other: type) -> bool:
        return False

    def __lt__(self, other: object) -> bool:
        return False

    __gt__ = __lt__

    def __le__(self, other: object) -> bool:
        return True

    __ge__ = __le__

    def __repr__(self) -> str:
        return self._name  # type: ignore[no-any-return]


class StandInType(abc.ABCMeta):
    """The type of stand-in classes: any attribute of theirs exists."""

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return make(f"{cls.__name__}.{name}")

    def __contains__(cls, item: object) -> bool:
        return False

    def __iter__(cls) -> Iterator[Any]:
        return iter(())


def _ignore(self: Any, *values: Any, **named: Any) -> None:
    """Takes whatever a constructor is given."""


def _attribute(self: Any, name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return make(name)


def _itself(cls: type, item: object) -> type:
    return cls


def make(name: str) -> Any:
    """A stand-in for something of this dotted name."""
    last = name.rpartition(".")[2]
    if last.endswith(_EXCEPTIONS) and last[:1].isupper():
        return type(last, (Exception,), {"__module__": "stand_in"})
    if last[:1].isupper() and not (last.isupper() and len(last) > 1):  # a class, not a constant
        members = {
            "__init__": _ignore,
            "__getattr__": _attribute,
            "__class_getitem__": classmethod(_itself),
            "__module__": "stand_in",
        }
        return StandInType(last, (), members)
    return StandInObject(name)


class StandInModule(types.ModuleType):
    """A module in which every name exists."""

    def __getattr__(self, name: str) -> Any:
        if name == "__version__":
            return UNKNOWN_VERSION
        if name.startswith("__"):
            raise AttributeError(name)
        value = make(f"{self.__name__}.{name}")
        setattr(self, name, value)
        return value


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds a stand-in for every module below the given packages."""

    def __init__(self, packages: Iterable[str], versions: Mapping[str, str]) -> None:
        self._packages = frozenset(packages)
        self._versions = versions

    def find_spec(
        self, fullname: str, path: object = None, target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname.partition(".")[0] not in self._packages:
            return None
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        return StandInModule(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        version = self._versions.get(module.__name__.replace("_", "-"))
        if version:
            module.__dict__["__version__"] = version


def install(packages: Iterable[str], versions: Mapping[str, str]) -> frozenset[str]:
    """Stand in for those of the packages that cannot be imported; returns their names."""
    missing = frozenset(
        name
        for name in packages
        if name not in sys.stdlib_module_names
        and importlib.machinery.PathFinder.find_spec(name) is None
    )
    sys.meta_path.insert(0, Finder(missing, versions))
    return missing
