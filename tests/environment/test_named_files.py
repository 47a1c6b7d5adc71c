"""The file that a value of a config names."""

from __future__ import annotations

from cfglint.environment.named_files import named_document, named_file
from cfglint.environment.surroundings import Memory, Surroundings, nowhere
from cfglint.source.files.memory import InMemory
from cfglint.source.languages.named import language
from tests.draws import each

FILES = {
    ".git/HEAD": "",
    "ds.json": "{}",
    "jobs/same.json": "{}",
    "same.json": "{}",
    "jobs/other.json": "{}",
    "other.json": '{"a": 1}',
    "large.json": " " * 100,
}


def around(folder: str | None = "/p/jobs") -> Surroundings:
    contents = {f"/p/{name}": text.encode() for name, text in FILES.items()}
    return Surroundings(Memory(), InMemory(contents), "/p/jobs/train.yml", folder)


@each(
    ("written", "expected"),
    [
        ("ds.json", "/p/ds.json"),
        ("./ds.json", "/p/ds.json"),
        ("none.json", None),
        # Copies of one file are as good as one; of two different files neither is chosen.
        ("same.json", "/p/jobs/same.json"),
        ("other.json", None),
        ("", None),
        (7, None),
        (None, None),
    ],
)
def test_its_path(written: object, expected: str | None) -> None:
    assert named_file(written, around(), 50) == expected
    assert named_file(written, around(None), 50) is None
    assert named_file(written, nowhere(), 50) is None


@each(
    ("path", "most", "text"),
    [
        ("/p/ds.json", 50, "{}"),
        ("/p/none.json", 50, None),
        ("/p/large.json", 100, None),
        ("/p/large.json", 99, None),
        ("/p/other.json", 50, '{"a": 1}'),
    ],
)
def test_its_document(path: str, most: int, text: str | None) -> None:
    there = around()
    found = named_document(path, language("json"), there, most)
    assert (None if found is None else found.text) == text
    assert named_document(path, language("json"), there, most) is found


def test_what_cannot_be_read_is_no_document() -> None:
    files = InMemory({"/p/a.json": b"{", "/p/b.json": b"\xff\xfe\x00", "/p/c.json": b"{}" * 9})
    there = Surroundings(Memory(), files, "/p/train.yml", "/p")
    for name in ("a", "b", "c"):
        assert named_document(f"/p/{name}.json", language("json"), there, 4) is None
