"""Changes of a command: options come and go with their words, and nothing else changes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cfglint.fixes import planning
from cfglint.fixes.actions import (
    Action,
    AppendItem,
    DeleteKey,
    MoveKey,
    RenameKey,
    RewriteScalar,
    SetValue,
)
from cfglint.fixes.applying import apply_edits
from cfglint.fixes.planning import plan
from cfglint.fixes.verification import verify
from cfglint.source.languages.arguments import Arguments
from cfglint.source.languages.shell import Program, Shell
from cfglint.source.text import SourceText
from tests.draws import each

OPTIONS = Arguments({"lr": "1", "epochs": "1", "quant": "0", "config": "*", "out": "1"})
SHELL = Shell(
    lambda words, at: Program("train.py", OPTIONS) if words[at].text.endswith("train.py") else None
)
NAMES = ["lr", "epochs", "quant", "config", "out"]
NEW_NAMES = ["rate", "turns", "out", "lr"]
HEAD = "#!/bin/bash\nlr=5e-5\nname=x\n"
SCRIPT = HEAD + (
    'torchrun train.py \\\n--lr "$lr" --epochs 3 \\\n--quant \\\n--config a.json b.json \\\n'
    '--out o/"$name" 2>&1 | tee "$name"\n'
)


def changed(text: str, *actions: Action, after: tuple[str, ...] | None = None) -> str:
    """The text after actions, whose plan is verified."""
    document = SHELL.read(SourceText(text))
    planned = plan(document, actions, after=after)
    assert planned.refused is None, planned.refused
    result = apply_edits(text, planned.edits)
    assert verify(document, result, planned.paths) is None
    return result


def refusal(text: str, action: Action) -> str:
    refused = plan(SHELL.read(SourceText(text)), (action,)).refused
    assert refused is not None
    return refused


def test_a_value_is_set() -> None:
    assert changed(SCRIPT, SetValue(("epochs",), 5)) == SCRIPT.replace("--epochs 3", "--epochs 5")
    assert changed(SCRIPT, SetValue(("epochs",), 3)) == SCRIPT
    assert changed(SCRIPT, SetValue(("out",), "a b")).count("--out 'a b' 2>&1") == 1
    assert changed(SCRIPT, SetValue(("config",), ["c.json"])).count("--config c.json \\") == 1
    joined = SCRIPT.replace("--epochs 3", "--epochs=3")
    assert changed(joined, SetValue(("epochs",), 5)).count("--epochs=5") == 1


def test_a_variable_that_nothing_else_uses_is_changed_where_it_is_set() -> None:
    assert changed(SCRIPT, SetValue(("lr",), "1e-5")) == SCRIPT.replace("lr=5e-5", "lr=1e-5")
    twice = SCRIPT + 'echo "$lr"\n'
    assert changed(twice, SetValue(("lr",), "1e-5")) == twice.replace('--lr "$lr"', "--lr 1e-5")


def test_an_option_is_added_behind_another_one_or_at_the_end() -> None:
    short = SCRIPT.replace("--epochs 3 ", "")
    assert changed(short, SetValue(("epochs",), 3), after=("lr",)).count('"$lr" --epochs 3 \\') == 1
    assert changed(short, SetValue(("epochs",), 3)).count('o/"$name" --epochs 3 2>&1') == 1
    no_switch = SCRIPT.replace("--quant \\\n", "")
    assert changed(no_switch, SetValue(("quant",), True), after=("lr",)).count("--quant --ep") == 1
    assert changed(no_switch, SetValue(("quant",), False)) == no_switch


def test_an_option_is_taken_out() -> None:
    assert changed(SCRIPT, DeleteKey(("quant",))) == SCRIPT.replace("--quant \\\n", "")
    assert changed(SCRIPT, SetValue(("quant",), False)) == SCRIPT.replace("--quant \\\n", "")
    assert changed(SCRIPT, DeleteKey(("epochs",))) == SCRIPT.replace(" --epochs 3", "")
    assert changed(SCRIPT, DeleteKey(("lr",))) == SCRIPT.replace('--lr "$lr" ', "")
    alone = HEAD + "torchrun train.py --lr 1 \\\n  --epochs 3\necho\n"
    assert changed(alone, DeleteKey(("epochs",))) == HEAD + "torchrun train.py --lr 1\necho\n"


def test_an_option_is_renamed_and_a_list_gets_longer() -> None:
    odd = SCRIPT.replace("--epochs", "--epoch_s")
    assert changed(odd, RenameKey(("epoch_s",), "epochs")) == SCRIPT
    longer = changed(SCRIPT, AppendItem(("config",), "c.json"))
    assert longer == SCRIPT.replace("b.json", "b.json c.json")
    assert changed(SCRIPT, RewriteScalar(("epochs",), "7")) == SCRIPT.replace("3", "7")
    both = changed(SCRIPT, DeleteKey(("quant",)), SetValue(("epochs",), 5))
    assert both == SCRIPT.replace("--quant \\\n", "").replace("--epochs 3", "--epochs 5")


def test_further_commands_are_changed_too() -> None:
    text = "python train.py --lr 1\npython train.py --lr 2\n"
    assert changed(text, SetValue(("command 2", "lr"), "3")) == text.replace("2", "3")
    assert changed(text, SetValue(("command 2", "epochs"), 4)) == text[:-1] + " --epochs 4\n"


@each(
    ("text", "action", "why"),
    [
        (SCRIPT, DeleteKey(("nothing",)), "is not in the file"),
        (SCRIPT, SetValue(("launcher", "x"), 1), "is not in the file"),
        (SCRIPT, SetValue(("quant",), "x"), "is not an option with a value"),
        (SCRIPT, SetValue(("epochs",), True), "is not a switch"),
        (SCRIPT, RenameKey(("lr",), "epochs"), "already has a value"),
        (SCRIPT, MoveKey(("lr",), ("epochs",)), "not moved"),
        (SCRIPT, SetValue(("epochs",), {"a": 1}), "cannot be a word"),
        (SCRIPT.replace("--epochs 3", "--lr 3"), SetValue(("lr",), 1), "more than once"),
        ('python train.py "$@"', SetValue(("lr",), 1), "are not known"),
        ("echo", SetValue(("lr",), 1), "is not in the file"),
    ],
)
def test_what_cannot_be_done_is_refused(text: str, action: Action, why: str) -> None:
    assert why in refusal(text, action)


@given(st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(NEW_NAMES)), max_size=4))
def test_names_changed_together_give_what_they_give_in_turn(pairs: list[tuple[str, str]]) -> None:
    actions = [RenameKey((old,), new) for old, new in pairs]
    together = plan(SHELL.read(SourceText(SCRIPT)), actions)
    text: str | None = SCRIPT
    for action in actions:
        one = plan(SHELL.read(SourceText(text or "")), (action,))
        text = apply_edits(text or "", one.edits) if text and not one.refused else None
    assert (text is None) == (together.refused is not None)
    assert text is None or apply_edits(SCRIPT, together.edits) == text


def test_the_text_is_not_read_again_for_each_of_many_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning, "reread", None)
    assert "--rate" in changed(SCRIPT, RenameKey(("lr",), "rate"), RenameKey(("out",), "to"))
