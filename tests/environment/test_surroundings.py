"""What the files of a run share, and what lies around a text."""

from __future__ import annotations

from cfglint.environment.surroundings import Memory, nowhere


def test_each_thing_is_computed_once() -> None:
    memory = Memory()
    made: list[int] = []

    def make() -> object:
        made.append(len(made))
        return made[-1] or None

    assert [memory.once("a", make) for _ in range(3)] == [None, None, None]
    assert [memory.once(("a", 1), make) for _ in range(2)] == [1, 1]
    assert made == [0, 1]


def test_a_text_that_lies_nowhere_has_no_files() -> None:
    found = nowhere()
    assert (found.folder, found.path, found.project, found.launches) == (None, "", None, ())
    assert not found.is_started
    assert not found.files.exists("/")
    assert nowhere().memory is not found.memory
