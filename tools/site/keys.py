"""A page for every key at the top level, with the keys below it, and the lists that lead there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cfglint.knowledge.rules.knowledge import load_knowledge
from tools.site.anchors import slug
from tools.site.catalogue import entries
from tools.site.key_history import (
    bounds_words,
    default_words,
    history,
    new_name,
    type_words,
    values,
)
from tools.site.key_tables import (
    KeyTables,
    address,
    every_table,
    ideas,
    rules_of_keys,
)
from tools.site.markdown import code, crumbs, table


def key_page(tables: KeyTables, top: str, paths: list[str]) -> str:
    """The page of a key at the top level, and of all keys below it."""
    parts = [
        f"# {code(top)} ({tables.title})\n",
        crumbs(("Keys", "../index.md"), (tables.title, f"../{tables.framework}.md")),
    ]
    if top in tables.keys:
        parts += _about(tables, top)
    below = [path for path in paths if path != top]
    if below:
        parts.append("## Keys below it\n")
        rows = (
            (
                f"[{code(path[len(top) :].lstrip('[].'))}](#{slug(path)})",
                _type(tables.keys[path]),
                _standing(tables, path),
            )
            for path in below
        )
        parts.append(table(("key", "accepts", "releases"), rows))
        for path in below:
            parts.append(f"### {code(path)}\n")
            parts += _about(tables, path, level=4)
    return "\n".join(parts)


def _about(tables: KeyTables, path: str, level: int = 2) -> Iterator[str]:
    info, place = tables.keys[path], (tables.framework, path)
    idea = ideas().get(place)
    meaning = load_knowledge(tables.framework).meaning(path) or (idea.meaning if idea else "")
    if meaning:
        yield f"{meaning}\n"
    facts = "\n".join(f"{name}\n: {said}\n" for name, said in _facts(tables, path, info))
    yield f"{{.facts}}\n{facts}"
    told = history(info, tables.releases_of(info["since"]))
    if len(told) > 1:
        yield _heading("History", path, level)
        yield table(
            ("release", "what changed"),
            ((_release(tables, event.release), event.text) for event in told),
        )
    rules = rules_of_keys().get(place, ())
    if rules:
        summaries = {entry.code: entry.summary for entry in entries()}
        yield _heading("Rules", path, level)
        yield "".join(
            f"- [{rule.code}](../../rules/{rule.code}.md) [{rule.severity}]{{.badge .{rule.severity}}}"
            f" {summaries[rule.code]}\n"
            for rule in rules
        )


def _heading(title: str, path: str, level: int) -> str:
    # Below another key it is no entry of the page's contents.
    return f"## {title}\n" if level == 2 else f"**{title}** of {code(path)}\n"


def _facts(tables: KeyTables, path: str, info: dict[str, Any]) -> Iterator[tuple[str, str]]:
    yield "accepts", _type(info)
    if info.get("enum"):
        yield "values", values(info["enum"])
    if limits := bounds_words(info.get("constraints", {})):
        yield "limits", limits
    if info.get("required"):
        yield "required", "yes"
    elif "default" in info:
        yield "default", default_words(info["default"])
    yield "releases", _standing(tables, path)
    if info.get("alias"):
        yield "also written", values(info["alias"])
    if new := new_name(info):
        known = new in tables.keys
        link = f"[{code(new)}]({_relative(tables, new)})" if known else code(new)
        yield "new name", link
    older = [name for name, one in tables.keys.items() if new_name(one) == path]
    if older:
        yield "older names", ", ".join(f"[{code(one)}]({_relative(tables, one)})" for one in older)
    if info.get("plugin"):
        yield "plugin", code(info["plugin"])
    if tables.kinds:
        having = [kind for kind, keys in tables.kinds.items() if path in keys]
        yield "files of", ", ".join(map(code, having)) or "none"
    idea = ideas().get((tables.framework, path))
    others = {} if idea is None else {k: v for k, v in idea.keys.items() if k != tables.framework}
    if others:
        titles = {one.framework: one.title for one in every_table()}
        said = (
            f"[{code(key)}](../{address(name, key)}) ({titles[name]})"
            for name, key in others.items()
        )
        yield "in other frameworks", ", ".join(said)
    same = [
        one
        for one in every_table()
        if one.framework != tables.framework
        and path in one.keys
        and others.get(one.framework) != path
    ]
    if same:
        links = (f"[{one.title}](../{address(one.framework, path)})" for one in same)
        yield "same name in", ", ".join(links)


def _relative(tables: KeyTables, path: str) -> str:
    return address(tables.framework, path).partition("/")[2]


def _type(info: dict[str, Any]) -> str:
    return type_words(info["type"])


def _standing(tables: KeyTables, path: str) -> str:
    """From which release to which: `since 0.9.0`, `0.4.1 to 0.11.0`, `all`."""
    info = tables.keys[path]
    since, removed = info["since"], info.get("removed")
    oldest = since.rpartition(" ")[2] == tables.releases_of(since)[0]
    if removed is None:
        return "all known" if oldest else f"since {_release(tables, since)}"
    gone = f"removed in {_release(tables, removed)}"
    return gone if oldest else f"since {_release(tables, since)}, {gone}"


def _release(tables: KeyTables, release: str) -> str:
    """A release with the name of its package."""
    return release if " " in release else f"{tables.package} {release}"


def framework_page(tables: KeyTables) -> str:
    """The list of all keys of a framework."""
    rows = []
    for top, paths in tables.pages().items():
        info = tables.keys.get(top)
        below = len([path for path in paths if path != top])
        rules = {
            rule.code
            for path in paths
            for rule in rules_of_keys().get((tables.framework, path), ())
        }
        rows.append(
            (
                f"[{code(top)}]({tables.framework}/{top}.md)",
                _type(info) if info else "a mapping",
                _standing(tables, top) if info else "",
                str(below or ""),
                str(len(rules) or ""),
            )
        )
    count = sum(map(len, tables.pages().values()))
    return (
        f"# Keys of {tables.title}\n\n{crumbs(('Keys', 'index.md'))}\n"
        f"{count} keys of {tables.package} {tables.releases[0]} to {tables.releases[-1]}"
        f" ({len(tables.releases)} releases).\n\n"
        + table(("key", "accepts", "releases", "keys below it", "rules"), rows)
    )


def index_page() -> str:
    """The start of the keys."""
    rows = (
        (
            f"[{one.title}]({one.framework}.md)",
            str(len(one.keys)),
            str(len(one.pages())),
            f"{one.releases[0]} to {one.releases[-1]} ({len(one.releases)})",
        )
        for one in every_table()
    )
    return (
        "# Keys\n\n"
        "Every key that a release of a framework reads: what it accepts, its default, in which releases it"
        " exists, what changed, and which rules are about it. The tables are read from the frameworks' own"
        " releases.\n\n" + table(("framework", "keys", "at the top level", "releases"), rows)
    )
