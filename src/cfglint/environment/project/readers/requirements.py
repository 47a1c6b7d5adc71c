"""`requirements*.txt` as pip reads them, with the files they include.

Also the one place that understands a requirement (`peft[test]==0.17.0; sys_platform == "linux"`): project files of other
formats have the same.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from itertools import chain

from cfglint.base.lazy import lazy_pattern
from cfglint.base.record import Record
from cfglint.environment.project.forks import fork_at, package_of
from cfglint.environment.project.stated_versions import WANTED, Statement, normalized, place_at
from cfglint.knowledge.releases.ranges import within

#: How deep files may include one another, and how many there may be.
_MAX_DEPTH = 8
_MAX_FILES = 32
_MAX_FOUND = 300
#: Nothing longer is a requirement, in characters.
_MAX_LENGTH = 20_000
_NAME = lazy_pattern(r"([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)[ \t]*(?:\[([^\]]*)\])?[ \t]*")
_VERSION = r"[A-Za-z0-9_.*+!-]+"
_SPEC = lazy_pattern(
    rf"\(?[ \t]*((?:===|==|~=|!=|<=|>=|<|>)[ \t]*{_VERSION}"
    rf"(?:[ \t]*,[ \t]*(?:===|==|~=|!=|<=|>=|<|>)[ \t]*{_VERSION})*)?[ \t]*,?[ \t]*\)?[ \t]*"
)
_EXACT = lazy_pattern(r"===?[ \t]*([A-Za-z0-9_.+!-]+)")
_EDITABLE = lazy_pattern(
    r"(?m)^# Editable (?:Git )?install (?:with no [a-z ]{1,20} )?\(([\w.-]{1,99}==[^()\s]{1,99})\)"
)
_INCLUDE = lazy_pattern(r"(?:-r|-c|--requirement|--constraint)[ \t=]*(\S.*)")
_EGG = lazy_pattern(r"[#&]egg=([A-Za-z0-9._-]+)(?:\[([^\[\]]*)\])?")
_GIT_COMMIT = lazy_pattern(r"@([0-9A-Fa-f]{7,40})(?=$|[#?])")
_GIT_TAG = lazy_pattern(r"@v?(\d+(?:\.\d+)+(?:\.post\d+)?)(?=$|[#?])")
#: A branch or a preview that is named after the release which it began with: `@v4.49.0-Gemma-3`. `-rc1` is before its release.
_GIT_BEHIND = lazy_pattern(
    r"@v?(\d{1,6})\.(\d{1,6})((?:\.\d{1,6})?)-(?!(?:a|b|c|rc|alpha|beta|dev|pre|preview)(?![a-z]))[A-Za-z][\w.-]{0,60}(?=$|[#?])"
)
#: A package with a release or a range, as a text of a program.
REQUIREMENT = lazy_pattern(
    r"[\"']([A-Za-z][\w.-]*(?:\[[\w, -]*\])?[ ]?(?:==|>=|<=|~=|<|>|@)[^\"'\n]{1,200})[\"']"
)
_WHEEL = lazy_pattern(r"([A-Za-z0-9_.]+)-([0-9][A-Za-z0-9_.!+]*)-.*\.whl")
_ATOM = lazy_pattern(
    r"[ \t(]*(sys_platform|platform_system|os_name)[ \t]*(==|!=)[ \t]*[\"']([^\"']*)[\"'][ \t)]*$"
)
_PYTHON = lazy_pattern(
    r"[ \t(]*python(?:_full)?_version[ \t]*(==|!=|<=|>=|<|>)[ \t]*[\"'](\d+(?:\.\d+)*(?:\.\*)?)[\"'][ \t)]*$"
)
_LINUX = {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix"}
#: What can be installed on macOS alone; where a list has it for all systems, the list is of such a machine.
_OF_MACS = lazy_pattern(r"(?:pyobjc(?:-core|-framework-[\w-]{1,60})?|mlx-metal)(?![\w.-])", re.I)
#: What is of use on GPUs of CUDA alone: the releases that a Mac gets are not those of the machine that trains.
_OF_CUDA = frozenset({"bitsandbytes", "flash-attn", "triton", "vllm", "xformers"})


class Requirement(Record):
    """A requirement in its parts."""

    name: str
    extras: tuple[str, ...]
    #: Specifiers, joined by commas; empty when any version will do.
    spec: str
    url: str
    marker: str

    @property
    def exact(self) -> str | None:
        """The only version that fits."""
        match = _EXACT.fullmatch(self.spec)
        return match.group(1) if match else None


def parse_requirement(text: str) -> Requirement | None:
    """A requirement (PEP 508), None if the text is not one."""
    text = text.strip()
    name = _NAME.match(text) if len(text) <= _MAX_LENGTH else None
    if name is None:
        return None
    rest = text[name.end() :]
    extras = _extras(name.group(2))
    if rest.startswith("@"):
        url, _, marker = rest[1:].strip().partition(" ;")
        return Requirement(name.group(1), extras, "", url.strip(), marker.strip())
    spec = _SPEC.match(rest)
    assert spec is not None
    tail = rest[spec.end() :]
    if tail and not tail.startswith(";"):
        return None
    written = re.sub(r"[ \t]+", "", spec.group(1) or "")
    return Requirement(name.group(1), extras, written, "", tail[1:].strip())


def _extras(text: str | None) -> tuple[str, ...]:
    return tuple(normalized(part.strip()) for part in (text or "").split(",") if part.strip())


def marker_is_true(marker: str, python: str | None = None) -> bool | None:
    """Whether an environment marker is true on Linux; None when that depends on more.

    Parentheses that group alternatives are left open.

    Args:
        python: the version (`3.10`), where that is known.
    """
    if not marker:
        return True
    truth: bool | None = False
    for part in re.split(r"\bor\b", marker):
        both: bool | None = True
        for atom in re.split(r"\band\b", part):
            one = _atom(atom, python)
            both = False if one is False or both is False else None if None in (one, both) else True
        truth = True if True in (both, truth) else None if None in (both, truth) else False
    if truth is not None and "(" in marker and re.search(r"\bor\b", marker):
        return None
    return truth


def _atom(text: str, python: str | None) -> bool | None:
    match = _ATOM.match(text)
    if match is None:
        # The Python of the run may not be known; most such markers are true.
        asked = None if python is None else _PYTHON.match(text)
        return within(python, asked.group(1) + asked.group(2)) if python and asked else None
    variable, operator, value = match.group(1), match.group(2), match.group(3)
    return (_LINUX[variable] == value) == (operator == "==")


def statement_of(text: str, path: str, whole: str, start: int, end: int) -> Statement | None:
    """What a requirement states, None when it is about no package of interest.

    Args:
        whole: the file's text; the requirement is `whole[start:end]`.
    """
    found = parse_requirement(text)
    if found is None:
        return _from_url(text, path, whole, start, end)
    package = normalized(found.name)
    if package not in WANTED:
        return None
    truth = marker_is_true(found.marker)
    if truth is False:
        return None
    place = place_at(path, whole, start, end)
    marker = found.marker if "python" in found.marker else ""
    conditional = bool(re.search(r"\bextra\b", found.marker))
    if found.url:
        return _located(found.url, package, found.extras).replaced(place=place, marker=marker)
    exact = found.exact
    return Statement(
        package,
        place,
        exact.removeprefix("v") if exact else None,
        spec=found.spec if found.spec and not exact else None,
        extras=found.extras,
        conditional=conditional,
        marker=marker,
    )


def _from_url(text: str, path: str, whole: str, start: int, end: int) -> Statement | None:
    """An address without a name: `git+https://…/peft@sha#egg=peft[test]`, a wheel."""
    url = re.sub("%2b", "+", text.strip().split(" ;")[0].strip(), flags=re.IGNORECASE)
    if "://" not in url and not url.endswith(".whl"):
        return None
    egg = next(_EGG.finditer(url, url.find("#")), None) if "#" in url else None
    wheel = _wheel(url)
    if egg:
        name, extras = egg.group(1), _extras(egg.group(2))
    elif wheel:
        name, extras = wheel.group(1), ()
    elif url.startswith("git+"):
        # `git+ssh://git@host/…/peft@sha`: the account is not a revision.
        whole_path = re.sub(r"://[^/@]*@", "://", url).split("#")[0].split("@")[0].rstrip("/")
        name, extras = package_of(re.sub(r"\.git$", "", whole_path.rpartition("/")[2])), ()
    else:
        return None
    package = normalized(name)
    if package not in WANTED:
        return None
    return _located(url, package, extras).replaced(place=place_at(path, whole, start, end))


def _wheel(url: str) -> re.Match[str] | None:
    """What the name of a wheel states, if an address ends in one."""
    name = re.split("[#?]", url, maxsplit=1)[0].rpartition("/")[2]
    return _WHEEL.match(name) if name.endswith(".whl") else None


def _located(url: str, package: str, extras: tuple[str, ...]) -> Statement:
    """A package at an address: a commit, a tag, or a wheel whose name states the version."""
    nowhere = place_at("", "", 0)
    bare = re.sub(r"://[^/@]*@", "://", url)
    if url.startswith("git+"):
        tag, commit = _GIT_TAG.search(bare), _GIT_COMMIT.search(bare)
        behind = None if tag or commit else _GIT_BEHIND.search(bare)
        return Statement(
            package,
            nowhere,
            tag.group(1) if tag else None,
            spec=_from_release(behind) if behind is not None else None,
            commit=commit.group(1).lower() if commit and not tag else None,
            extras=extras,
            written=url,
            fork=fork_at(bare, package),
        )
    wheel = _wheel(re.sub("%2b", "+", bare, flags=re.IGNORECASE))
    version = wheel.group(2) if wheel else None
    written = wheel.group(0) if wheel else url
    return Statement(package, nowhere, version, extras=extras, written=written)


def _from_release(tag: re.Match[str]) -> str:
    """The range of what a tag that is no release may be: up to the next release with new features."""
    major, minor, patch = tag.groups()
    return f">={major}.{minor}{patch},<={major}.{int(minor) + 1}.0"


def logical_lines(text: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, content) of each line without comment, continued lines joined."""
    position = 0
    size = len(text)
    while position < size:
        start = position
        parts = []
        while True:
            newline = text.find("\n", position)
            end = size if newline < 0 else newline
            line = text[position:end].rstrip("\r")
            position = end + 1
            if line.endswith("\\") and position < size and not line.lstrip().startswith("#"):
                parts.append(line[:-1])
                continue
            parts.append(line)
            break
        first = parts[0]
        comment = re.search(r"(^|\s)#.*$", "".join(parts))
        content = "".join(parts)
        if comment:
            content = content[: comment.start()]
        content = content.strip()
        if content:
            begin = start + len(first) - len(first.lstrip())
            yield begin, begin + len(first.strip()), content


def _editable(content: str) -> Iterator[tuple[int, int, str]]:
    """What `pip freeze` writes in a comment above a package that is installed from a folder: (start, end, requirement)."""
    for match in _EDITABLE.finditer(content):
        yield match.start(1), match.end(1), match.group(1)


def read(path: str, text: str, load: Callable[[str], str | None]) -> tuple[list[Statement], bool]:
    """What a requirements file states, and whether it is complete (written by a resolver).

    Args:
        load: gives the text of an included file, None when it may not be read.
    """
    statements: list[Statement] = []
    seen: set[str] = set()
    of_mac = False

    def walk(file: str, content: str, depth: int) -> None:
        nonlocal of_mac
        seen.add(os.path.normpath(file))
        for start, end, line in chain(logical_lines(content), _editable(content)):
            include = _INCLUDE.match(line)
            if include:
                target = include.group(1).strip().strip("\"'")
                if "://" in target or depth >= _MAX_DEPTH or len(seen) >= _MAX_FILES:
                    continue
                inner = os.path.normpath(os.path.join(os.path.dirname(file), target))
                if inner not in seen:
                    found = load(inner)
                    if found is not None:
                        walk(inner, found, depth + 1)
                continue
            line = re.sub(r"^(?:-e|--editable)[ \t=]*", "", line)
            if line.startswith("-"):
                continue
            of_mac = of_mac or (_OF_MACS.match(line) is not None and ";" not in line)
            line = re.split(r"(?<![ \t])[ \t]+--?[a-z]", line, maxsplit=1)[0]
            statement = statement_of(line, file, content, start, end)
            if statement is not None:
                statements.append(statement)
                if len(statements) >= _MAX_FOUND:
                    return

    walk(path, text, 0)
    if of_mac:
        statements = [one for one in statements if one.package not in _OF_CUDA]
    complete = "--hash=" in text or re.match(
        r"(?:#[^\n]*\n)*#[^\n]*(?:autogenerated by|compiled from|generated by)", text
    )
    return statements, bool(complete)
