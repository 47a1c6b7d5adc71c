"""The lines of `cfglint fit` about numbers of GPUs."""

from __future__ import annotations

from cfglint.report.fit import Smallest, _needed, _on
from tests.draws import each

GIB = 1 << 30


@each(
    ("group", "line"),
    [
        ([(1, 9)], "at least 9.0 GiB; 24 GB (l4)"),
        ([(2, 9)], "at least 9.0 GiB each; 24 GB (l4)"),
        ([(1, 9), (2, 8)], "at least 8.0 GiB to 9.0 GiB each; 24 GB (l4)"),
        ([(2, 0)], "nothing is certain; 24 GB (l4)"),
    ],
)
def test_what_a_number_of_gpus_needs(group: list[tuple[int, int]], line: str) -> None:
    found = [Smallest(gpus, need * GIB, None, 24, ("l4",)) for gpus, need in group]
    assert _needed(found) == line


def test_no_gpu_is_large_enough_or_many_are() -> None:
    assert _needed([Smallest(2, GIB, None, None, ())]).endswith("; no known GPU has enough")
    names = tuple("abcdefgh")
    assert _needed([Smallest(2, GIB, None, 80, names)]).endswith(", …)")


def test_where_the_bytes_are() -> None:
    assert (_on(1), _on(2)) == ("the GPU", "each of 2 GPUs")
