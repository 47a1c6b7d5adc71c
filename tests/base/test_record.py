"""Records: all fields and no others, each once, and nothing changes afterwards."""

from __future__ import annotations

import contextlib
import copy
import importlib
import pickle
import pkgutil
from typing import Any

import pytest

import cfglint
from cfglint.base.record import Record
from tests.draws import each


class Point(Record):
    x: int
    y: int
    label: str = "origin"


class Other(Record):
    """A record with the same fields."""

    x: int
    y: int
    label: str = "origin"


def test_fields_by_place_by_name_and_by_default() -> None:
    expected = {"x": 1, "y": 2, "label": "origin"}
    for one in (Point(1, 2), Point(1, y=2), Point(x=1, y=2), Point(1, 2, "origin")):
        assert vars(one) == expected
        assert list(vars(one)) == list(expected)
        assert one == Point(1, 2)
        assert hash(one) == hash(Point(1, 2))
    assert Point(1, 2) != Point(1, 3)
    assert Point(1, 2) != (1, 2, "origin")
    assert Point(1, 2) != Other(1, 2)
    assert repr(Point(1, 2)) == "Point(x=1, y=2, label='origin')"


def test_the_same_value_is_equal_to_itself() -> None:
    label: Any = float("nan")
    assert Point(1, 2, label) == Point(1, 2, label)


@each(
    ("args", "kwargs"),
    [
        ((1,), {}),
        ((1,), {"label": "a"}),
        ((1,), {"z": 2}),
        ((1, 2), {"y": 3}),
        ((1, 2, "a"), {"label": "b"}),
        ((1, 2, "a", 4), {}),
        ((1, 2), {"z": 3}),
        ((), {}),
    ],
)
def test_wrong_fields(args: tuple[object, ...], kwargs: dict[str, object]) -> None:
    with pytest.raises(TypeError, match="Point"):
        Point(*args, **kwargs)  # type: ignore[arg-type]


def test_records_do_not_change() -> None:
    one = Point(1, 2)
    with pytest.raises(AttributeError, match="immutable"):
        one.x = 3  # type: ignore[misc]
    with pytest.raises(AttributeError, match="immutable"):
        del one.x
    assert one.replaced(x=3) == Point(3, 2)
    assert one == Point(1, 2)
    with pytest.raises(TypeError, match="Point"):
        one.replaced(z=3)


def test_copies_and_pickles() -> None:
    one = Point(1, 2)
    assert copy.deepcopy(one) == one
    assert pickle.loads(pickle.dumps(one)) == one


def test_no_required_field_follows_a_default() -> None:
    """The parameters of an `__init__` could not be written in that order."""
    for module in pkgutil.walk_packages(cfglint.__path__, "cfglint."):
        if "_compiled" not in module.name and not module.name.endswith("__main__"):
            with contextlib.suppress(ImportError):  # what only an extra needs
                importlib.import_module(module.name)
    waiting = [Record]
    while waiting:
        cls = waiting.pop()
        waiting += cls.__subclasses__()
        has_default = [name in cls._defaults for name in cls._fields]
        assert has_default == sorted(has_default), cls
