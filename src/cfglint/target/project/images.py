"""Container images of Axolotl, wherever a file names one: their tags tell versions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from cfglint.lazy import lazy_pattern
from cfglint.target.project.statements import Statement, place_at
from cfglint.target.project.variables import Variables

_IMAGE = lazy_pattern(
    r"(?<![\w./-])(?:docker://|docker:|(?:[a-z0-9.-]+\.)?docker\.io/|[a-z0-9.-]+(?::\d+)?/)?"
    r"((winglian|axolotlai)/(axolotl(?:-[a-z-]+)?)):"
    r"((?:[A-Za-z0-9_]|\$(?=[{\w]))(?:[\w.$-]|\{\{[^{}\n]{1,60}\}\}|\{[^{}\n]{1,100}\}){0,200})"
)
_MAX_FOUND = 200
_TAG = lazy_pattern(
    r"(?:v?(?P<release>\d+\.\d+\.\d+(?:\.post\d+)?)|main(?:-(?P<day>20\d{6}))?|(?:latest|[A-Za-z][\w.-]*?))"
    r"(?P<base>-base)?"
    r"(?:-py(?P<python>3\.\d+)-cu(?P<cuda>\d{3})-(?:(?P<torch>\d+\.\d+\.\d+)|nightly|next))?"
    r"(?:(?!.*-py3\.)-(?P<rest>[a-z0-9.-]+))?"
)


class ImageTag:
    """One image, its tag taken apart."""

    def __init__(self, account: str, repository: str, tag: str) -> None:
        self.account = account
        self.repository = repository
        self.tag = tag
        match = _TAG.fullmatch(tag)
        part = match.groupdict() if match else {}
        self.release = part.get("release")
        self.day = part.get("day")
        self.python = part.get("python")
        self.cuda = part.get("cuda")
        self.torch = part.get("torch")
        self.rest = part.get("rest") or ""
        self.base = bool(part.get("base"))

    @property
    def has_axolotl(self) -> bool:
        """Base images hold what Axolotl needs, and not Axolotl."""
        return not (self.base or self.repository.startswith("axolotl-base"))


def split_image(text: str) -> ImageTag | None:
    """The parts of `axolotlai/axolotl:0.9.2`; None for any other image."""
    match = _IMAGE.search(text)
    return ImageTag(match.group(2), match.group(3), match.group(4)) if match else None


def read(path: str, text: str) -> list[Statement]:
    """What the images of Axolotl in a file hold. Lines that are comments do not count."""
    found: list[Statement] = []
    variables = Variables(text)
    for match in islice(_IMAGE.finditer(text), _MAX_FOUND):
        line_start = text.rfind("\n", 0, match.start()) + 1
        before = text[line_start : match.start()]
        if before.lstrip().startswith(("#", "//")) or " #" in before:
            continue
        written = variables.expanded(match.group(4))
        tag = ImageTag(match.group(2), match.group(3), written or match.group(4))
        if written is not None:
            found += _statements(tag, path, text, match)
        elif tag.has_axolotl and "base" not in tag.tag:
            # Some build, nobody knows which.
            found.append(Statement("axolotl", place_at(path, text, match.start(1), match.end())))
    return found


def _statements(tag: ImageTag, path: str, text: str, match: re.Match[str]) -> Iterator[Statement]:
    place = place_at(path, text, match.start(1), match.end())
    written = f"{match.group(1)}:{tag.tag}"
    if tag.has_axolotl:
        yield Statement("axolotl", place, tag.release, day=tag.day, written=written)
    torch, python = tag.torch, tag.python
    if torch is None and tag.release is not None and tag.has_axolotl:
        known = _latest(tag)
        if known is not None:
            python, _, torch = known
    if torch is not None:
        yield Statement("torch", place, torch, written=written, implied=True)
    if python is not None:
        yield Statement("python", place, python, written=written, implied=True)


def _latest(tag: ImageTag) -> tuple[str, str, str] | None:
    """(python, cuda, torch) of an image whose tag says no more than the release."""
    from cfglint.target.project.history import latest_image

    assert tag.release is not None
    return latest_image(tag.release, tag.repository, bare=tag.rest != "latest")
