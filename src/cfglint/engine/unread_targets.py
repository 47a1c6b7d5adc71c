"""Keeps fixes from writing a key that the target's release does not read."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.base.type_names import Any
from cfglint.checks.context import CheckContext
from cfglint.fixes.actions import Action, AppendItem, MoveKey, RenameKey, SetValue
from cfglint.roles.key_policy import UNREAD
from cfglint.source.document import Path
from cfglint.source.values import to_python


def unread_key(actions: tuple[Action, ...], ctx: CheckContext) -> Path | None:
    """The first key that a fix would write and that the target's release does not read.

    A key that moves takes those below it along, so these count as written, too.
    """
    plugins = ctx.plugins | _plugins_added(actions, ctx.framework.row["plugins_key"])
    for path, value in _written(actions, ctx):
        for place in _keys(path, value):
            if not _reads(place, ctx, plugins):
                return place
    return None


def _written(actions: tuple[Action, ...], ctx: CheckContext) -> Iterator[tuple[Path, Any]]:
    """The paths that actions give a value, with that value."""
    for action in actions:
        if isinstance(action, SetValue):
            yield action.path, action.value
        elif isinstance(action, AppendItem):
            yield (*action.path, 0), action.value
        elif isinstance(action, RenameKey | MoveKey):
            node = ctx.document.node(action.path)
            moved = None if node is None else to_python(node)
            if isinstance(action, MoveKey):
                yield action.new_path, moved
            else:
                yield (*action.path[:-1], action.new_name), moved


def _keys(path: Path, value: Any) -> Iterator[Path]:
    """The keys on the way to a value and inside it."""
    for length in range(1, len(path) + 1):
        if isinstance(path[length - 1], str):
            yield path[:length]
    waiting = [(path, value)]
    while waiting:
        place, inner = waiting.pop()
        if isinstance(inner, dict):
            for name, below in inner.items():
                if isinstance(name, str):
                    yield (*place, name)
                    waiting.append(((*place, name), below))
        elif isinstance(inner, list):
            waiting += [((*place, index), item) for index, item in enumerate(inner)]


def _reads(path: Path, ctx: CheckContext, plugins: frozenset[str]) -> bool:
    """Whether the target's release reads the key at a path, as far as its keys are known."""
    framework = ctx.framework
    section, name = framework.keys.section_at(path[:-1]), str(path[-1])
    verdict = framework.key_policy.by_name(section, name, ctx.release_keys)
    return verdict.state != UNREAD or (bool(verdict.plugin) and verdict.plugin in plugins)


def _plugins_added(actions: tuple[Action, ...], key: str) -> frozenset[str]:
    """The class names of the plugins that a fix lists."""
    added: list[Any] = []
    for action in actions:
        if isinstance(action, SetValue | AppendItem) and action.path == (key,):
            added += action.value if isinstance(action.value, list) else [action.value]
    return frozenset(name.rpartition(".")[2] for name in added if isinstance(name, str))
