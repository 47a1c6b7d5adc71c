"""What files state of packages, and which of several statements counts."""

from __future__ import annotations

from cfglint.base.type_names import Any
from cfglint.environment.project.stated_versions import (
    Place,
    Source,
    Statement,
    agreed,
    is_apart,
    is_exact,
    is_sane,
    names_packages,
    nearer_list,
    normalized,
    outweighs,
    place_at,
    says_something,
    undisputed,
)
from tests.draws import each

PLACE = Place("/x/requirements.txt", 3)


def of(package: str = "torch", **what: Any) -> Statement:
    return Statement(package, PLACE, **what)


EXACT, RANGE, OPEN = of(version="2.0"), of(spec=">=1"), of()
EXTRA = of(version="2.0", conditional=True)


def source(*statements: Statement, kind: str = "requirements", distance: int = 0) -> Source:
    return Source("/x/requirements.txt", kind, distance, statements)


@each(
    ("statement", "exact", "says"),
    [
        (EXACT, True, True),
        (of(commit="abc"), True, True),
        (of(day="20250101"), True, True),
        (RANGE, False, True),
        (of(fork="me/it"), False, True),
        (of(is_lost=True), False, True),
        (OPEN, False, False),
    ],
)
def test_what_a_statement_is(statement: Statement, exact: bool, says: bool) -> None:
    assert (is_exact(statement), says_something(statement)) == (exact, says)
    assert not is_exact(None)


@each(
    ("statements", "kind", "counts"),
    [
        ((), "requirements", None),
        ((OPEN,), "requirements", OPEN),
        ((RANGE, EXACT), "requirements", EXACT),
        ((EXACT, RANGE), "requirements", EXACT),
        ((EXACT, of(version="3.0")), "requirements", EXACT),
        ((of("trl", version="1"),), "requirements", None),
        # What extras ask for counts in a project's own file, if it is all the same.
        ((EXTRA,), "requirements", None),
        ((EXTRA,), "pyproject", EXTRA),
        ((EXTRA,), "setup_script", EXTRA),
        ((EXTRA, EXTRA), "pyproject", EXTRA),
        ((EXTRA, of(version="3.0", conditional=True)), "pyproject", None),
        ((of(conditional=True),), "pyproject", None),
        ((OPEN, EXTRA), "pyproject", OPEN),
        ((OPEN, RANGE), "launch", RANGE),
        ((RANGE, OPEN), "launch", RANGE),
        (
            (of(written="git+https://example.org/x"), RANGE),
            "launch",
            of(written="git+https://example.org/x"),
        ),
    ],
)
def test_what_a_file_states(
    statements: tuple[Statement, ...], kind: str, counts: Statement | None
) -> None:
    one = source(*statements, kind=kind)
    assert one.of("torch") == counts
    assert one.mentions("torch") is any(each.package == "torch" for each in statements)
    assert (one.name, str(PLACE)) == ("requirements.txt", "requirements.txt line 3")


@each(
    ("one", "other", "expected"),
    [
        (OPEN, None, True),
        (EXACT, RANGE, True),
        (EXACT, EXACT, False),
        (RANGE, EXACT, False),
        (RANGE, OPEN, False),
        (of(is_lost=True), OPEN, True),
        (of(is_lost=True), RANGE, False),
        # What an extra asks for may not be installed.
        (EXTRA, RANGE, False),
        (EXTRA, OPEN, True),
        (RANGE, EXTRA, True),
        (OPEN, EXTRA, False),
    ],
)
def test_the_statement_that_counts(one: Statement, other: Statement | None, expected: bool) -> None:
    assert outweighs(one, other) is expected


LIST = source(OPEN, of("trl"), of("peft"), of("numpy"))
FAR = source(EXACT, distance=2)


@each(
    ("sources", "found"),
    [
        ([LIST, FAR], True),
        ([FAR], False),
        ([LIST], False),
        ([LIST, FAR.replaced(complete=True)], False),
        ([FAR.replaced(distance=0), LIST], False),
        ([LIST.replaced(distance=2), FAR], False),
        ([LIST.replaced(kind="conda"), FAR], True),
        ([LIST.replaced(kind="pyproject"), FAR], False),
        ([source(of("trl"), of("peft"), of("vllm")), FAR], False),
        # Packages that half of all projects name do not count.
        ([source(OPEN, of("trl"), of("numpy"), of("python")), FAR], False),
        ([source(of("trl")), LIST, FAR], True),
    ],
)
def test_a_nearer_list_that_leaves_a_release_open(sources: list[Source], found: bool) -> None:
    assert (nearer_list(sources, "torch") is not None) is found


@each(
    ("statement", "apart"),
    [
        (of(version="1.9"), True),
        (of(version="2.1"), False),
        (of(spec="<2"), True),
        (of(spec=">=1"), False),
        (OPEN, False),
    ],
)
def test_what_is_outside_of_a_range(statement: Statement, apart: bool) -> None:
    assert is_apart(statement, ">=2") is apart


def test_versions_that_are_none() -> None:
    assert is_sane(OPEN)
    assert is_sane(EXACT)
    assert not is_sane(of(version="2.x"))


@each(
    ("statements", "expected"),
    [
        ([EXACT], [EXACT]),
        ([EXACT, of("trl", version="1")], [EXACT, of("trl", version="1")]),
        ([of(version="2.6.0+cpu"), of(version="2.6.0")], [of(version="2.6.0+cpu")]),
        ([of(version="2.10"), of(version="2.9")], [of(spec=">=2.9,<=2.10")]),
        ([of(version="2.1a1"), of(version="2.0")], [of(conditional=True)]),
        ([of(commit="a"), of(commit="b")], [of(conditional=True)]),
        ([of(commit="a"), of(commit="a")], [of(commit="a")]),
        ([of(version="1", commit="a"), of(version="2", commit="a")], [of(conditional=True)]),
        ([OPEN, EXACT], [of(conditional=True)]),
    ],
)
def test_a_lock_file_that_has_a_package_twice(
    statements: list[Statement], expected: list[Statement]
) -> None:
    assert agreed(statements) == expected


def conditional(*statements: Statement) -> list[bool]:
    return [one.conditional for one in undisputed([*statements])]


def test_several_versions_of_a_package_do_not_count() -> None:
    other = of(version="3.0")
    assert conditional(EXACT, other, of("trl", version="1")) == [True, True, False]
    assert conditional(EXACT, EXACT, RANGE) == [False, False, False]
    assert conditional(EXACT, RANGE, other) == [True, True, True]
    assert conditional(EXACT, of(version="3.0", conditional=True)) == [False, True]
    # Which of them counts is decided when the Python is known.
    assert conditional(EXACT, of(version="3.0", marker="python < 3.9")) == [False, False]


def test_names_and_places() -> None:
    assert normalized("Flash_Attn.x--y") == "flash-attn-x-y"
    assert names_packages("pip install TORCH")
    assert not names_packages("pip install made-up")
    assert place_at("/x", "ab\ncd\n", 4) == Place("/x", 2, 2, 0)
    assert place_at("/x", "ab\ncd\n", 0, 2) == Place("/x", 1, 1, 2)
