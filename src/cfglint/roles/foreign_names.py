"""What a key of another framework, or of an older release, is called in the release that a file is checked against."""

from __future__ import annotations

from cfglint.base.lazy import lazy_pattern
from cfglint.base.record import Record
from cfglint.base.type_names import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cfglint.knowledge.keys.release_keys import ReleaseKeys
    from cfglint.knowledge.keys.table import KeyInfo, KeyTable
    from cfglint.roles.key_policy import KeyPolicy

#: The origin of names that earlier releases of the framework had.
OLDER = "older releases"
#: How an alias says that only the values it lists mean the other key.
ONLY_THESE = "only these"
#: How it says that a key without a counterpart decides on what is printed alone.
PRINTED = "what is printed"
#: How it says that one entry of a mapping is the value: what comes before the name of the entry.
ITS = "its "
#: A key that an advice names.
_NAMED = lazy_pattern(r"`([A-Za-z_][\w.]{0,100})`")
#: So often is a key given another name at most.
_MAX_RENAMES = 5


class ForeignName(Record):
    """What is known about a key that other frameworks (or older releases) have."""

    #: The framework it comes from.
    origin: str
    #: The key that means it here, None when there is none.
    to: str | None
    #: `same` when the value stays, else how it changes, in words. Without `to`: not empty when
    #: other keys carry out what it asks for.
    how: str
    values: dict[Any, Any]
    advice: str
    #: Keys that do the opposite of a value that takes the key away.
    unless: tuple[str, ...] = ()


def in_release(
    foreign: ForeignName, key: str, policy: KeyPolicy, keys: ReleaseKeys
) -> ForeignName | None:
    """What is known about a foreign key, with the name and the advice that hold in a release.

    Args:
        key: its name; an advice may say which other reader has it.

    Returns:
        None where the release has none of the keys that it means: nothing is known to be its counterpart then.
    """
    table = policy.framework.keys
    words = _NAMED.findall(foreign.advice)
    infos = (_info(table, word, policy) for word in words if word != key)
    known = [info for info in infos if info is not None]
    if any(keys.is_gone(info.removed) for info in known):
        if foreign.to is None:
            return None
        foreign = foreign.replaced(advice="")
    if foreign.to is None:
        return foreign
    name = current_name(foreign.to, policy, keys)
    return None if name is None else foreign.replaced(to=name)


def current_name(name: str, policy: KeyPolicy, keys: ReleaseKeys) -> str | None:
    """What a release calls a key, by any of its names; None if it has no such key any longer.

    A key that comes with a later release keeps its name.
    """
    table = policy.framework.keys
    for _ in range(_MAX_RENAMES):
        info = _info(table, name, policy)
        if info is None:
            return name if _may_have(table, name, keys) else None
        if not keys.is_gone(info.removed):
            return name
        alias = policy.aliases().get(name)
        newer = info.rename or (alias[1] if alias is not None and alias[2] == "same" else None)
        if not newer:
            return None
        name = newer
    return None


def renamed(info: KeyInfo, policy: KeyPolicy, keys: ReleaseKeys) -> str | None:
    """What a release calls a key that it has no longer under its own name; None without another one."""
    if info.rename is None or _info(policy.framework.keys, info.rename, policy) is None:
        return info.rename
    return current_name(info.rename, policy, keys)


def older_name_in(
    policy: KeyPolicy, keys: ReleaseKeys, name: str, renames: int = _MAX_RENAMES
) -> str | None:
    """What a release calls a key of a later one that takes the same values; a name in another section with that section.

    Args:
        name: the key with its section.
        renames: so often it may have been renamed since.
    """
    table, knowledge = policy.framework.keys, policy.framework.knowledge
    for older, (since, to, values, classes) in knowledge.older_names.items():
        section, _, own = older.rpartition(".")
        if to != name or values is not None or classes or keys.released(since):
            continue
        info = table.info(section, own)
        if section == name.rpartition(".")[0] and info is not None and keys.released(info.since):
            return own
    for own, row in knowledge.aliases.items():
        foreign = ForeignName(*row)
        if foreign.origin == OLDER and foreign.to == name and foreign.how == "same":
            info = table.info("", own)
            if info is None or foreign.advice:
                continue
            if keys.has(info):
                return own
            if own != name and not keys.released(info.since) and renames:
                older_still = older_name_in(policy, keys, own, renames - 1)
                if older_still is not None:
                    return older_still
    for older in table.renamed_to(name):
        section, _, own = older.rpartition(".")
        info = table.info(section, own)
        if info is not None and keys.has(info):
            return older
    return None


def _info(table: KeyTable, name: str, policy: KeyPolicy) -> KeyInfo | None:
    """What is known of a key with its section; options of commands may have dots in their names."""
    info = table.info("", name)
    if info is None:
        section, _, last = name.rpartition(".")
        info = table.info(section, last) or table.info(section, policy.own_key(section, last))
    return info


def _may_have(table: KeyTable, name: str, keys: ReleaseKeys) -> bool:
    """Whether a release may have a key that the table does not list: one of a section that is not described."""
    section = name.rpartition(".")[0].removesuffix("[]")
    if not section:
        return not table.is_closed("")
    if table.is_closed(section) and table.names(section):
        return False
    first = table.info("", section.partition(".")[0].removesuffix("[]"))
    return first is None or not keys.is_gone(first.removed)
