"""From actions on key paths to edits of the text, or the reason why there are none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence as SequenceOf
from itertools import pairwise, takewhile

from cfglint.base.record import Record
from cfglint.diagnostic import Edit
from cfglint.fixes.actions import Action, DeleteKey, MoveKey, RenameKey, SetValue
from cfglint.fixes.applying import chain_edits, merge_touching
from cfglint.fixes.drafts import Draft, reread
from cfglint.fixes.layout import check_text
from cfglint.source.document import Document, Mapping, Path
from cfglint.source.languages.base import Unwritable


class Plan(Record):
    """What a fix would do to the text.

    `paths` are the only places whose value may change. `refused` is one sentence for the user;
    then there are no edits. No edits and no refusal: the file is already as wanted. No plan removes
    a comment.
    """

    edits: tuple[Edit, ...]
    paths: tuple[Path, ...]
    refused: str | None = None


def plan(document: Document, actions: SequenceOf[Action], *, after: Path | None = None) -> Plan:
    """The edits that do the actions, each on the result of those before it.

    Args:
        document: the file as it is.
        actions: what is wanted; list indices count in the file as the earlier actions leave it.
        after: an entry; new keys of the same mapping go directly below it, else to the end.
    """
    try:
        if len(document.texts) > 1:
            raise Unwritable("The values are in several files.")
        if document.language.structure == "indentation":
            check_text(document.text)
        if len(actions) == 1 and not isinstance(actions[0], MoveKey):
            draft = _draft(document, actions[0], after)
            return Plan(merge_touching(draft.edits), draft.paths)
        return _together(document, actions, after) or _in_turn(document, actions, after)
    except Unwritable as reason:
        return Plan((), (), refused=str(reason))


def _renamed_words(document: Document, actions: SequenceOf[Action]) -> Draft | None:
    """The new names of many options, planned on one text, as each changes its own word alone.

    None where a name makes or empties what another one needs.
    """
    names: list[Path] = []
    for action in actions:
        if isinstance(action, RenameKey):
            names += [action.path, (*action.path[:-1], action.new_name)]
        elif isinstance(action, MoveKey):
            names += [action.path, action.new_path]
    if _touch(names):
        return None
    for section, leaving in Counter(name[:-1] for name in names[::2]).items():
        parent = document.node(section)
        if section and (not isinstance(parent, Mapping) or len(parent.entries) <= leaving):
            return None
    drafts = [_draft(document, action, None) for action in actions]
    edits = sorted((edit for draft in drafts for edit in draft.edits), key=lambda edit: edit.start)
    if any(above.end > below.start for above, below in pairwise(edits)):
        return None
    return Draft(tuple(edits), tuple(path for draft in drafts for path in draft.paths))


def _touch(paths: SequenceOf[Path]) -> bool:
    """Whether one of some paths is, or lies below, another."""
    all_paths = set(paths)
    return len(all_paths) < len(paths) or any(
        path[:depth] in all_paths for path in all_paths for depth in range(len(path))
    )


def _together(document: Document, actions: SequenceOf[Action], after: Path | None) -> Plan | None:
    """Plan all actions on the same text; None when they get into each other's way."""
    if any(isinstance(action, MoveKey) for action in actions):
        return None
    try:
        drafts = [_draft(document, action, after) for action in actions]
    except Unwritable:
        # A later action may need what an earlier one makes.
        return None
    paths = [path for draft in drafts for path in draft.paths]
    if _touch(paths):
        return None
    losses: dict[Path, int] = {}
    for draft in drafts:
        if draft.removed_from is not None:
            parent, count = draft.removed_from
            losses[parent] = losses.get(parent, count) - 1
            if losses[parent] <= 0:
                return None
    edits: list[Edit] = []
    above: Draft | None = None
    changing = [(merge_touching(draft.edits), draft) for draft in drafts if draft.edits]
    for part, draft in sorted(changing, key=lambda pair: pair[0][0].start):
        for edit in part:
            if above is None or edit.start > edits[-1].end:
                edits.append(edit)
            elif _fills(document, edit, draft):
                # What is above at the same place is a new entry, which would come between.
                return None
            elif _may_join(edits[-1], edit) and _have_one_parent(document, above, draft):
                edits[-1] = Edit(edits[-1].start, edit.end, edits[-1].text + edit.text)
            else:
                return None
            above = draft
    return Plan(tuple(edits), tuple(paths))


def _may_join(first: Edit, second: Edit) -> bool:
    """Whether an edit may follow another one directly: lines below lines, or below a value."""
    if not first.end == second.start == second.end:
        return False
    if second.text[:1] in ("\r", "\n"):
        return first.start < first.end or first.text[:1] in ("\r", "\n")
    ends = {first.text[-1:], second.text[-1:]}
    return first.start == first.end and ends <= {"\r", "\n"}


def _fills(document: Document, edit: Edit, draft: Draft) -> bool:
    """Whether an edit writes a value where an entry that is written already has none."""
    return edit.start == edit.end and any(document.node(path) is not None for path in draft.paths)


def _have_one_parent(document: Document, first: Draft, second: Draft) -> bool:
    """Whether two changes are about entries of one mapping that is written already."""
    parents = {path[:-1] for draft in (first, second) for path in draft.paths}
    parent = document.node(parents.pop()) if len(parents) == 1 else None
    return isinstance(parent, Mapping) and bool(parent.entries)


def _in_turn(document: Document, actions: SequenceOf[Action], after: Path | None) -> Plan:
    """Plan each action on the text that the ones before it leave, and combine the edits."""
    text = document.text
    edits: tuple[Edit, ...] = ()
    paths: list[Path] = []
    waiting = list(actions)
    if after and DeleteKey(after) in waiting:
        # What comes instead of the entry takes its place; so the entry goes last.
        others = [action for action in waiting if action != DeleteKey(after)]
        if all(isinstance(a, SetValue) and a.path[: len(after)] != after for a in others):
            waiting = [*others, DeleteKey(after)]
    while waiting:
        action = waiting[0]
        names = _leading_names(document, waiting)
        draft = _renamed_words(document, names) if len(names) > 1 else None
        waiting = waiting[len(names) if draft else 1 :]
        draft = draft or _draft(document, action, after)
        if after and isinstance(action, SetValue) and action.path[:-1] == after[:-1]:
            # Of several new keys each is below the one before.
            after = action.path if document.node(action.path) is None else after
        step = merge_touching(draft.edits)
        edits = chain_edits(text, edits, step) if edits else step
        paths += [path for path in draft.paths if path not in paths]
        if waiting and step:
            document = reread(document, step)
    return Plan(edits, tuple(paths))


def _leading_names(document: Document, actions: SequenceOf[Action]) -> SequenceOf[Action]:
    """The actions at the beginning that give options of a script other names."""
    if document.language.structure != "words":
        return ()
    return list(takewhile(lambda action: isinstance(action, RenameKey | MoveKey), actions))


def _draft(document: Document, action: Action, after: Path | None) -> Draft:
    if document.language.structure == "brackets":
        from cfglint.fixes import json_drafts

        return json_drafts.draft(document, action, after)
    if document.language.structure == "words":
        from cfglint.fixes import shell_drafts

        return shell_drafts.draft(document, action, after)
    if document.language.structure == "calls":
        from cfglint.fixes import python_drafts

        return python_drafts.draft(document, action, after)
    if isinstance(action, MoveKey):
        from cfglint.fixes.moving import move

        return move(document, action)
    from cfglint.fixes import yaml_drafts

    return yaml_drafts.draft(document, action, after)
