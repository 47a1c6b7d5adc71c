"""A framework from a clone at a commit or a tag: `git clone … && git checkout COMMIT && pip install -e .`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from cfglint.base.lazy import lazy_pattern
from cfglint.base.record import Record
from cfglint.environment.project.forks import fork_at
from cfglint.environment.project.stated_versions import Statement, normalized, place_at
from cfglint.environment.project.variables import Variables
from cfglint.knowledge.marks import Marks, all_marks

_MAX_FOUND = 50
#: How far after a clone its checkout and its installation are looked for.
_REACH = 6_000
#: The same for a checkout that no installation follows.
_NEAR = 400
_CLONE = lazy_pattern(r"\bgit[ \t]+clone\b((?:[^\n;&|\\]|\\\r?\n){1,600})")
_BRANCH = lazy_pattern(r"(?:[ \t](?:-b|--branch)[ \t=]+)[\"']?([^\s\"']{1,100})")
_CHECKOUT = lazy_pattern(
    r"\bgit[ \t]+(?:-C[ \t]+\S{1,200}[ \t]+)?"
    r"(?:checkout|switch|reset[ \t]+--hard)[ \t]+(?:(?:-[fqd]|--force|--quiet|--detach)[ \t]+){0,4}"
    r"[\"']?([^\s\"'`;&|,)]{1,100})"
)
_COMMIT = lazy_pattern(r"[0-9A-Fa-f]{7,40}")
_TAG = lazy_pattern(r"(?:(?:refs/)?tags/)?v?(\d+(?:\.\d+)+(?:\.post\d+)?)")
_REF = lazy_pattern(
    r"^([ \t]*)ref:[ \t]*[\"']?([\w./-]{1,100})[\"']?[ \t]*(?:#.*)?\r?$", re.MULTILINE
)


class _Patterns(Record):
    """What the address and the folder of one repository look like."""

    address: re.Pattern[str]
    install: re.Pattern[str]
    extras: re.Pattern[str]
    action: re.Pattern[str]


@lru_cache(maxsize=16)
def _patterns(repository: str) -> _Patterns:
    name = re.escape(repository)
    return _Patterns(
        re.compile(rf"[/:][\w.-]+/{name}(?:\.git)?/?(?=[\s\"',)]|$)"),
        re.compile(
            r"\b(?:pip3?[ \t]+install\b(?:[^\n;&|\\]|\\\r?\n){0,600}?[ \t\"'](?:-e\b|--editable\b"
            rf"|\.{{1,2}}(?=[\[\s\"'/]|$)|[\w./$~{{}}-]*/{name}(?=[\[\s\"'/]|$))"
            r"(?:[^\n;&|\\]|\\\r?\n){0,200}|uv[ \t]+sync\b)"
        ),
        re.compile(rf"(?:\.|{name}/?)\[([\w, -]{{1,200}})\]"),
        re.compile(
            rf"^([ \t]*)repository:[ \t]*[\"']?[\w.-]+/{name}[\"']?[ \t]*\r?$", re.MULTILINE
        ),
    )


def read(path: str, text: str, *, installed: bool = True) -> list[Statement]:
    """The builds of frameworks that a script, an image, a workflow or a description installs from a clone.

    Args:
        installed: only clones that an installation follows; a description may tell of that in words.
    """
    return [
        statement
        for marks in all_marks()
        if marks.repository and marks.repository in text
        for statement in _of_one(path, text, marks, installed=installed)
    ]


def _of_one(path: str, text: str, marks: Marks, *, installed: bool) -> list[Statement]:
    found = []
    patterns = _patterns(marks.repository)
    variables = Variables(text)
    clones = [
        clone for clone in islice(_CLONE.finditer(text), _MAX_FOUND) if not _comment(text, clone)
    ]
    for number, clone in enumerate(clones):
        if not patterns.address.search(clone.group(1)):
            continue
        following = clones[number + 1].start() if number + 1 < len(clones) else len(text)
        end = min(following, clone.end() + _REACH)
        statement = _cloned(path, text, clone, end, variables, marks, installed)
        if statement is not None:
            found.append(statement)
    if "repository:" in text:
        found += _checked_out(path, text, variables, marks)
    return found


def _cloned(
    path: str,
    text: str,
    clone: re.Match[str],
    end: int,
    variables: Variables,
    marks: Marks,
    installed: bool,
) -> Statement | None:
    """What becomes of a clone until another one starts."""
    patterns = _patterns(marks.repository)
    install = next(
        (
            one
            for one in patterns.install.finditer(text, clone.end(), end)
            if not _comment(text, one)
        ),
        None,
    )
    if install is None and installed:
        return None
    until = install.start() if install is not None else min(end, clone.end() + _NEAR)
    written = _BRANCH.search(text, clone.start(1), clone.end(1))
    for checkout in islice(_CHECKOUT.finditer(text, clone.end(), until), _MAX_FOUND):
        if not _comment(text, checkout):
            written = checkout
    fork = fork_at(clone.group(1))
    statement = None
    if written is not None:
        statement = _at(path, text, written.group(1), written.start(1), variables, marks.package)
    if statement is None:
        if not fork or install is None:
            return None
        statement = Statement(marks.package, place_at(path, text, clone.start(1), clone.end(1)))
    statement = statement.replaced(fork=fork)
    extras = patterns.extras.search(install.group()) if install is not None else None
    if extras is None:
        return statement
    names = (normalized(name.strip()) for name in extras.group(1).split(",") if name.strip())
    return statement.replaced(extras=tuple(names))


def _checked_out(path: str, text: str, variables: Variables, marks: Marks) -> Iterator[Statement]:
    """A workflow's step that fetches a framework: `repository:` together with `ref:`."""
    for step in islice(_patterns(marks.repository).action.finditer(text), _MAX_FOUND):
        begin = max(step.start() - 400, 0)
        for ref in _REF.finditer(text, begin, step.end() + 400):
            between = text[min(ref.end(), step.end()) : max(ref.start(), step.start())]
            # Another step starts with a dash.
            if ref.group(1) == step.group(1) and not re.search(r"(?m)^[ \t]*-[ \t]", between):
                statement = _at(path, text, ref.group(2), ref.start(2), variables, marks.package)
                if statement is not None:
                    yield statement


def _at(
    path: str, text: str, written: str, start: int, variables: Variables, package: str
) -> Statement | None:
    """A commit or a tag, maybe by a variable that the same file sets; None for a branch."""
    place = place_at(path, text, start, start + len(written))
    value = variables.expanded(written)
    if value is None:
        return None
    tag = _TAG.fullmatch(value)
    if tag is not None:
        return Statement(package, place, tag.group(1))
    if _COMMIT.fullmatch(value):
        return Statement(package, place, commit=value.lower())
    return None


def _comment(text: str, match: re.Match[str]) -> bool:
    before = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
    return before.lstrip().startswith(("#", "//")) or " #" in before
