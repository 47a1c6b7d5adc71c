"""The folders that belong to a file's project."""

from __future__ import annotations

import pytest

from cfglint.environment.project.chains import chain_of
from cfglint.source.files.folders import Chain
from cfglint.source.files.memory import InMemory

THEIRS = {"README.md": b"# Theirs\n", "src/train.py": b"print()\n"}


def files(place: str, more: dict[str, bytes] | None = None) -> InMemory:
    inside = {f"/p/{place}/{name}": text for name, text in THEIRS.items()}
    return InMemory({"/p/.git/HEAD": b"", **inside, **(more or {})})


def chain(folder: str, place: str, more: dict[str, bytes] | None = None) -> Chain:
    return chain_of(folder, files(place, more), {})


@pytest.mark.parametrize(
    ("place", "levels"),
    [
        ("src/theirs", ("/p/src/theirs/src", "/p/src/theirs", "/p/src", "/p")),
        ("external/theirs", ("/p/external/theirs/src", "/p/external/theirs")),
        (
            "deep/external/theirs",
            ("/p/deep/external/theirs/src", "/p/deep/external/theirs"),
        ),
        # Of two of them, one in the other, the upper one.
        (
            "external/theirs/vendor/more",
            (
                *("/p/external/theirs/vendor/more/src", "/p/external/theirs/vendor/more"),
                *("/p/external/theirs/vendor", "/p/external/theirs"),
            ),
        ),
    ],
)
def test_up_to_the_top_or_to_that_of_others(place: str, levels: tuple[str, ...]) -> None:
    more = {f"/p/external/theirs/{name}": text for name, text in THEIRS.items()}
    assert chain(f"/p/{place}/src", place, more) == ("/p", levels)


def test_the_folder_that_holds_others_is_the_project_s_own() -> None:
    assert chain("/p/external", "external/theirs") == ("/p", ("/p/external", "/p"))
    # So is a file's own folder that is called like that.
    assert chain("/p/a/external", "external/theirs") == ("/p", ("/p/a/external", "/p/a", "/p"))


def test_a_project_that_is_called_like_that() -> None:
    there = InMemory(
        {"/external/.git/HEAD": b"", "/external/own/README.md": b"", "/external/own/a.py": b""}
    )
    assert chain_of("/external/own", there, {}) == ("/external", ("/external/own", "/external"))


def test_one_that_a_script_goes_to_is_the_project_s() -> None:
    script = {"/p/run.sh": b"cd external/theirs && python src/train.py\n"}
    found = chain("/p/external/theirs/src", "external/theirs", script)
    assert found[1][-1] == "/p"


def test_what_was_found_is_known_for_the_next() -> None:
    known: dict[str, Chain] = {}
    there = files("external/theirs")
    first = chain_of("/p/external/theirs/src", there, known)
    assert list(known) == ["/p/external/theirs"]
    assert chain_of("/p/external/theirs", there, known)[1] == ("/p/external/theirs",)
    assert chain_of("/p/external/theirs/src", there, known) == first
