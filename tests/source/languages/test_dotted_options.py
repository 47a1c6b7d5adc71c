"""Options whose dots name sections."""

from __future__ import annotations

from collections.abc import Sequence

from cfglint.fixes.actions import DeleteKey, MoveKey, SetValue
from cfglint.fixes.shell_drafts import draft
from cfglint.source.document import Document
from cfglint.source.languages.arguments import Arguments
from cfglint.source.languages.dotted_options import options_in
from cfglint.source.languages.shell import Program, Shell
from cfglint.source.shell_values import ExpandedWord
from cfglint.source.text import SourceText

OPTIONS = Arguments(
    {"lr": "1", "actor.adam.lr": "1", "actor.on": "0"}, sections=frozenset({"actor", "actor.adam"})
)


def program_at(words: Sequence[ExpandedWord], at: int) -> Program | None:
    return Program("run", OPTIONS) if words[at].text == "run" else None


def read(text: str) -> Document:
    return Shell(program_at).read(SourceText(text))


def test_options_are_below_their_sections() -> None:
    document = read("run --actor.adam.lr 1 --lr 2 --actor.on --actor.adam.beta 3 --other.lr 4")
    assert [path for path, _ in options_in(document.root)] == [
        *(("program",), ("actor", "adam", "lr"), ("actor", "adam", "beta"), ("actor", "on")),
        *(("lr",), ("other.lr",)),
    ]


def test_an_option_moves_into_a_section_and_out_of_it() -> None:
    document = read("run --lr 2 --actor.on")
    moved = draft(document, MoveKey(("lr",), ("actor", "adam", "lr")), None)
    assert [(edit.start, edit.end, edit.text) for edit in moved.edits] == [
        (4, 8, "--actor.adam.lr")
    ]
    back = draft(document, MoveKey(("actor", "on"), ("on",)), None)
    assert [edit.text for edit in back.edits] == ["--on"]
    gone = draft(document, DeleteKey(("actor", "on")), None)
    assert gone.paths == (("actor",),)
    new = draft(document, SetValue(("actor", "adam", "lr"), 3), None)
    assert [edit.text for edit in new.edits] == [" --actor.adam.lr 3"]
