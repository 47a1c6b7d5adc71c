"""A page for every rule, and the lists that lead there."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from cfglint.knowledge.rules.rule import Rule
from cfglint.report.pages.rule_page import RulePage, page_of
from tools.site.anchors import slug
from tools.site.catalogue import ANY, Entry, entries, families, titles
from tools.site.examples import Shown, shown
from tools.site.markdown import block, code, crumbs, plain, table

_BEHIND = "{raw} html"


def rule_page(entry: Entry, keys: list[tuple[str, str]]) -> str:
    """The page of one rule: what `explain` says, every example, and the keys that it is about.

    Args:
        keys: the names of its keys, and the addresses of their pages.
    """
    page = page_of(entry.rule, entry.knowledge)
    parts = [
        f"# {page.code} {page.name}\n",
        _crumbs(entry),
        "{.summary}\n" + page.summary + "\n",
        _facts(entry.rule, page),
        *(f"**{label}:** {text}\n" for label, text in page.lead),
        page.why.rstrip() + "\n",
    ]
    if keys:
        listed = ", ".join(f"[{code(name)}]({address})" for name, address in keys)
        parts.append(f"**Keys:** {listed}\n")
    if page.fixes:
        parts.append("## Fix\n\n" + "".join(f"- {fix}\n" for fix in page.fixes))
    parts += _examples(entry)
    if page.references:
        rows = (f"- {kind}: [{plain(title)}](<{url}>)\n" for kind, title, url in page.references)
        parts.append("## Evidence\n\n" + "".join(rows))
    parts.append(
        f"## Silencing it\n\n{page.silencing} See [suppressing](../guides/suppressing.md).\n"
    )
    return "\n".join(parts)


def _crumbs(entry: Entry) -> str:
    home = entry.frameworks[0]
    family = families()[entry.family]
    return crumbs(
        ("Rules", "index.md"),
        (titles()[home], f"{home}.md"),
        (family, f"{home}.md#{_family_anchor(entry.family)}"),
    )


def _family_heading(family: str) -> str:
    return f"{family}: {families()[family]}"


def _family_anchor(family: str) -> str:
    return slug(_family_heading(family))


def _facts(rule: Rule, page: RulePage) -> str:
    severities, *others = page.facts
    badges = [
        f"[{severities}]{{.badge .{rule.severity}}}",
        *(f"[{fact}]{{.badge}}" for fact in others),
    ]
    return "{.facts}\n" + " ".join(badges) + "\n"


def _examples(entry: Entry) -> Iterator[str]:
    data = entry.knowledge.details(entry.code).examples
    ran = [shown(entry.rule, entry.knowledge.framework, one) for one in data]
    reported = [one for one in ran if one.bad]
    quiet = [one for one in ran if not one.bad]
    if not ran:
        return
    yield "## Examples\n"
    for one in reported[:1]:
        yield from _example("Reported", one)
    for one in quiet[:1]:
        yield from _example("Not reported", one)
    others = [("Reported", one) for one in reported[1:]]
    others += [("Not reported", one) for one in quiet[1:]]
    if others:
        count = "1 more example" if len(others) == 1 else f"{len(others)} more examples"
        yield f"```{_BEHIND}\n<details><summary>{count}</summary>\n```\n"
        for heading, one in others:
            yield from _example(heading, one)
        yield f"```{_BEHIND}\n</details>\n```\n"


def _example(heading: str, one: Shown) -> Iterator[str]:
    target = f" (with {plain(one.target)})" if one.target else ""
    yield f"**{heading}**{target}\n"
    yield block(one.text, _LEXERS.get(one.language, "yaml"))
    for name, content in one.files.items():
        yield f"Beside it, {code(name)}:\n"
        yield block(content, _lexer(name))
    if one.report:
        yield "What is printed:\n"
        yield block(one.report, "report")
    if one.diff:
        yield "What the fix changes:\n"
        yield block(one.diff, "diff")


_LEXERS = {"json": "json5", "shell": "bash"}
_BY_SUFFIX = {"json": "json5", "sh": "bash", "toml": "toml", "py": "python", "jinja": "jinja"}


def _lexer(name: str) -> str:
    suffix = name.rpartition(".")[2]
    return "yaml" if suffix in ("yml", "yaml") else _BY_SUFFIX.get(suffix, "text")


def _listed(rules: list[Entry], home: str) -> str:
    """The rules by family, each with its severity and summary."""
    parts = []
    for family, members in groupby(rules, key=lambda entry: entry.family):
        rows = [
            (
                f"[{one.code}]({one.code}.md)",
                f"[{one.rule.severity}]{{.badge .{one.rule.severity}}}",
                f"{one.summary}",
            )
            for one in members
        ]
        parts.append(f"## {_family_heading(family)}\n\n")
        parts.append(table(("rule", "severity", "what it reports"), rows) + "\n")
    return "".join(parts)


def framework_page(home: str) -> str:
    """The list of the rules of one framework."""
    rules = [entry for entry in entries() if home in entry.frameworks]
    title = "Rules of all frameworks" if home == ANY else f"Rules of {titles()[home]}"
    count = "1 rule" if len(rules) == 1 else f"{len(rules)} rules"
    said = f"{count}, by family."
    if home != ANY:
        said += " [Rules of all frameworks](any.md) are tried on its files, too."
    return f"# {title}\n\n{crumbs(('Rules', 'index.md'))}\n{said}\n\n{_listed(rules, home)}"


def index_page() -> str:
    """The start of the rules: families with the number of their rules, and where those apply."""
    rows = []
    for family, title in families().items():
        members = [one for one in entries() if one.family == family]
        counts = {home: sum(home in one.frameworks for one in members) for home in titles()}
        links = (
            f"[{titles()[home]}]({home}.md#{_family_anchor(family)}) {count}"
            for home, count in counts.items()
            if count
        )
        if members:
            rows.append((f"{code(family)} {title}", str(len(members)), ", ".join(links)))
    return (
        "# Rules\n\n"
        f"cfglint has {len(entries())} rules. A rule has a code, which never changes, and belongs to a family: its first"
        " letters. `cfglint explain CODE` prints the same text as a rule's page here, without a network.\n\n"
        + table(("family", "rules", "by framework"), rows)
    )


def moved_page(code: str, rule: Rule) -> str:
    """The page of a code that a rule had."""
    return f"# {code}\n\nThis rule is now called [{rule.code} {rule.name}]({rule.code}.md).\n"
