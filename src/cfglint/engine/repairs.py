"""The repairs of a rule that fired, as actions on the keys of the file."""

from __future__ import annotations

from cfglint.base.type_names import Any
from cfglint.checks.context import CheckContext, Repair
from cfglint.engine.places import meant
from cfglint.engine.scope import FileScope
from cfglint.fixes.actions import Action, DeleteKey, MoveKey, RenameKey, SetValue
from cfglint.knowledge.rules.rule import Rule
from cfglint.source.document import Document, Path
from cfglint.source.values import to_python


def repairs_of(
    rule: Rule, item: Path, place: Path, message: str, ctx: CheckContext, scope: FileScope
) -> list[Repair]:
    """What a rule offers, and the right name where its message guesses one.

    Args:
        item: the member of a list that the rule fired on; empty for rules of the whole file.
        place: the key that carries the finding.
    """
    document, repairs = ctx.document, []
    for made in rule.fixes:
        actions = [_action(action, item, place, scope) for action in made.actions]
        if len(actions) > 1:
            actions = [action for action in actions if not _deletes_nothing(action, document)]
        if actions:
            repairs.append(
                Repair(made.title, made.safety, tuple(actions), made.leads_to, made.look_at)
            )
    node = document.node(place) if "{did you mean}" in message else None
    clause = ctx.framework.knowledge.clause(rule)
    guess = meant(clause, to_python(node), scope) if node is not None else None
    if guess is not None:
        safety = "safe" if guess.sure else "unsafe"
        repairs.append(Repair(f"Write {guess.name}", safety, (SetValue(place, guess.name),)))
    return repairs


def _deletes_nothing(action: Action, document: Document) -> bool:
    """Whether a key that the fix removes along with others is not written."""
    return isinstance(action, DeleteKey) and document.node(action.path) is None


def _action(action: tuple[Any, ...], item: Path, place: Path, scope: FileScope) -> Action:
    path = place if action[1] == ("@",) else _written(action[1], item, scope)
    if action[0] == "set":
        return SetValue(path, action[2])
    if action[0] == "delete":
        return DeleteKey(path)
    if action[2][:-1] != action[1][:-1]:
        return MoveKey(path, _written(action[2], item, scope))
    return RenameKey(path, action[2][-1])


def _written(path: tuple[str, ...], item: Path, scope: FileScope) -> Path:
    """Where a key is: as written in the file, if necessary under an older name."""
    full = (*item, *path[1:]) if path[0] == "item" else path
    return scope.view.written_path(full) or full
