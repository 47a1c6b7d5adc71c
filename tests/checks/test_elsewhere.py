"""Findings whose place is in another file of the project."""

from __future__ import annotations

from cfglint.checks.elsewhere import hit_at
from cfglint.environment.project.stated_versions import Place
from tests.draws import each
from tests.linting import case_in

LISTED = "# what it needs\ntorch==2.6.0\ntrl==0.15.1"


@each(
    ("line", "column", "length", "words"),
    [
        (2, 1, 5, "torch"),
        (2, 6, 7, "==2.6.0"),
        # To the end of the line, where no length is known.
        (2, 1, 0, "torch==2.6.0"),
        (3, 4, 0, "==0.15.1"),
        # What a file no longer has is at the end of what it has.
        (2, 99, 5, ""),
        (2, 6, 99, "==2.6.0"),
        (99, 1, 3, "trl"),
    ],
)
def test_places(line: int, column: int, length: int, words: str) -> None:
    case, _ = case_in({".git/HEAD": "", "requirements.txt": LISTED}, "base_model: a/b\n")
    project = case.around.project
    assert project is not None
    place = Place("/project/requirements.txt", line, column, length)
    hit = hit_at(project, place, {"a": 1}, "note")
    assert hit.file is not None
    assert hit.file.path == place.path
    assert hit.file.source.text[hit.span.start : hit.span.end] == words
    assert (hit.path, hit.params, hit.severity) == ((), {"a": 1}, "note")
    assert hit_at(project, place, {}).severity is None


def test_an_empty_file() -> None:
    files = {".git/HEAD": "", "requirements.txt": LISTED, "empty.txt": ""}
    project = case_in(files, "base_model: a/b\n")[0].around.project
    assert project is not None
    hit = hit_at(project, Place("/project/empty.txt", 2, 3, 4), {})
    assert (hit.span.start, hit.span.end) == (0, 0)
