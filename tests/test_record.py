"""Records: all fields and no others, each once, and nothing changes afterwards."""

from __future__ import annotations

import copy
import pickle

import pytest

from cfglint.record import Record


class Point(Record):
    x: int
    y: int
    label: str = "origin"


def test_fields_by_place_by_name_and_by_default() -> None:
    expected = {"x": 1, "y": 2, "label": "origin"}
    for point in (Point(1, 2), Point(1, y=2), Point(x=1, y=2), Point(1, 2, "origin")):
        assert vars(point) == expected
        assert point == Point(1, 2)
        assert hash(point) == hash(Point(1, 2))
    assert Point(1, 2) != Point(1, 3)
    assert Point(1, 2) != (1, 2, "origin")
    assert repr(Point(1, 2)) == "Point(x=1, y=2, label='origin')"


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
def test_wrong_fields(args: tuple[object, ...], kwargs: dict[str, object]) -> None:
    with pytest.raises(TypeError, match="Point"):
        Point(*args, **kwargs)  # type: ignore[arg-type]


def test_records_do_not_change() -> None:
    point = Point(1, 2)
    with pytest.raises(AttributeError, match="immutable"):
        point.x = 3  # type: ignore[misc]
    with pytest.raises(AttributeError, match="immutable"):
        del point.x
    assert point.replaced(x=3) == Point(3, 2)
    assert point == Point(1, 2)
    with pytest.raises(TypeError, match="Point"):
        point.replaced(z=3)


def test_copies_and_pickles() -> None:
    point = Point(1, 2)
    assert copy.deepcopy(point) == point
    assert pickle.loads(pickle.dumps(point)) == point
