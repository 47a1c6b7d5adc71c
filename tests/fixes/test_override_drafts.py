"""Changes of words `a.b=v`: each is in one word, and nothing else changes."""

from __future__ import annotations

from cfglint.fixes.actions import Action, DeleteKey, MoveKey, RenameKey, SetValue
from cfglint.fixes.applying import apply_edits
from cfglint.fixes.planning import plan
from cfglint.fixes.verification import verify
from cfglint.source.languages.overrides import Overrides
from cfglint.source.languages.shell import Program, Shell
from cfglint.source.text import SourceText
from tests.draws import each

SHELL = Shell(lambda words, at: Program("m", Overrides()) if words[at].text == "m.py" else None)
SCRIPT = "python m.py \\\n  a.b.c=1 \\\n  'a.b.d=x' \\\n  +e.f=2 g=3\n"


def changed(action: Action, script: str = SCRIPT) -> str:
    document = SHELL.read(SourceText(script))
    found = plan(document, (action,))
    assert found.refused is None, found.refused
    after = apply_edits(script, found.edits)
    assert verify(document, after, found.paths) is None
    return after


@each(
    ("action", "before", "after"),
    [
        (SetValue(("a", "b", "c"), 5), "a.b.c=1", "a.b.c=5"),
        (SetValue(("a", "b", "d"), "y"), "'a.b.d=x'", "'a.b.d=y'"),
        (SetValue(("h", "i"), "it"), "g=3", "g=3 h.i=it"),
        (RenameKey(("a", "b", "c"), "z"), "a.b.c=1", "a.b.z=1"),
        (RenameKey(("e", "f"), "z"), "+e.f=2", "+e.z=2"),
        (MoveKey(("e", "f"), ("a", "z")), "+e.f=2", "+a.z=2"),
        (DeleteKey(("g",)), " g=3", ""),
        (DeleteKey(("a", "b", "c")), "  a.b.c=1 \\\n", ""),
    ],
)
def test_actions(action: Action, before: str, after: str) -> None:
    assert changed(action) == SCRIPT.replace(before, after)


def test_what_is_below_a_section_moves_with_it() -> None:
    moved = changed(MoveKey(("a", "b"), ("n", "m")))
    assert moved == SCRIPT.replace("a.b.c", "n.m.c").replace("a.b.d", "n.m.d")


def test_a_word_of_several_parts_is_left_alone() -> None:
    document = SHELL.read(SourceText("s=a.b\npython m.py $s.c=1 x=2\n"))
    found = plan(document, (RenameKey(("a", "b", "c"), "z"),))
    assert found.refused
