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


class Point(Record):
    x: int
    y: int
    label: str = "origin"


class Often(Record):
    """A record of which there are so many that it has an `__init__` of its own."""

    x: int
    y: int
    label: str = "origin"


for _ in range(200):
    Often(1, 2)

BOTH = pytest.mark.parametrize("point", [Point, Often])


def test_only_a_record_that_is_made_often_has_its_own_init() -> None:
    assert "__init__" not in vars(Point)
    assert vars(Often)["__init__"].__qualname__ == "Often.__init__"


@BOTH
def test_fields_by_place_by_name_and_by_default(point: type[Point]) -> None:
    expected = {"x": 1, "y": 2, "label": "origin"}
    for one in (point(1, 2), point(1, y=2), point(x=1, y=2), point(1, 2, "origin")):
        assert vars(one) == expected
        assert list(vars(one)) == list(expected)
        assert one == point(1, 2)
        assert hash(one) == hash(point(1, 2))
    assert point(1, 2) != point(1, 3)
    assert point(1, 2) != (1, 2, "origin")
    assert Point(1, 2) != Often(1, 2)
    assert repr(point(1, 2)) == f"{point.__name__}(x=1, y=2, label='origin')"


def test_the_same_value_is_equal_to_itself() -> None:
    label: Any = float("nan")
    assert Point(1, 2, label) == Point(1, 2, label)


@BOTH
@pytest.mark.parametrize(
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
def test_wrong_fields(
    point: type[Point], args: tuple[object, ...], kwargs: dict[str, object]
) -> None:
    with pytest.raises(TypeError, match=point.__name__):
        point(*args, **kwargs)  # type: ignore[arg-type]


@BOTH
def test_records_do_not_change(point: type[Point]) -> None:
    one = point(1, 2)
    with pytest.raises(AttributeError, match="immutable"):
        one.x = 3  # type: ignore[misc]
    with pytest.raises(AttributeError, match="immutable"):
        del one.x
    assert one.replaced(x=3) == point(3, 2)
    assert one == point(1, 2)
    with pytest.raises(TypeError, match=point.__name__):
        one.replaced(z=3)


@BOTH
def test_copies_and_pickles(point: type[Point]) -> None:
    one = point(1, 2)
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
