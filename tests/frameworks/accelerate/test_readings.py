"""The DeepSpeed file of one of accelerate's files."""

from __future__ import annotations

from tests.draws import each
from tests.linting import case_in

ZERO = "compute_environment: LOCAL_MACHINE\ndistributed_type: DEEPSPEED\ndeepspeed_config:\n  deepspeed_config_file: {}\n"
FILES = {
    ".git/HEAD": "",
    "z.json": "{}",
    "a/b/z.json": "{}",
    "c/d/e/f/g/z.json": "{}",
    "h/i/j/k/l/m/z.json": "{}",
}


def named(text: str) -> list[str | None]:
    case, source = case_in(FILES, text, name="acc.yaml", framework="accelerate")
    document = case.framework.language.read(source)
    found = case.framework.readings.references(document, case.around)
    assert all(one.framework == "deepspeed" for one in found)
    again = case.framework.readings.references(document, case.around)
    return [one.path and one.path.removeprefix("/project/") for one in again]


@each(
    ("written", "expected"),
    [
        ("z.json", ["z.json"]),
        ("a/b/z.json", ["a/b/z.json"]),
        ("none.json", []),
        ("other/b/z.json", []),
        # Of another machine: the end of the path has to agree in a folder.
        ("/home/me/code/a/b/z.json", ["a/b/z.json"]),
        ("/home//me/code//a/b/z.json", ["a/b/z.json"]),
        ("/a/b/z.json", []),
        ("/code/z.json", []),
        ("/code/b/z.json", []),
        # At most six parts of it count.
        ("/w/c/d/e/f/g/z.json", ["c/d/e/f/g/z.json"]),
        ("/w/b/c/d/e/f/g/z.json", ["c/d/e/f/g/z.json"]),
        ("/w/h/i/j/k/l/m/z.json", []),
        ("~/a/b/z.json", []),
        ("[a/b/z.json]", []),
    ],
)
def test_the_file_that_it_names(written: str, expected: list[str]) -> None:
    assert named(ZERO.format(written)) == expected


def test_only_where_deepspeed_is_chosen() -> None:
    assert named(ZERO.format("z.json").replace("DEEPSPEED", "FSDP")) == []
