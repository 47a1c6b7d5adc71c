"""Container images of others with the release of a framework in their tag.

An image may be called as the framework, with nothing but a release for its tag (`registry/images/NAME:v0.4.1`), or list what it
has (`…:py311-torch2.8.0-NAME3.9.3`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from cfglint.base.lazy import lazy_pattern
from cfglint.environment.project.stated_versions import Statement, place_at
from cfglint.knowledge.marks import all_marks
from cfglint.knowledge.releases.table import releases_of

_MAX_FOUND = 50
#: An image below at least one account or registry, with its tag.
_IMAGE = lazy_pattern(
    r"(?<![\w./:@-])((?:[\w.-]{1,80}(?::\d{1,5})?/){1,6}([\w.-]{1,80}):([A-Za-z0-9_][\w.-]{4,150}))(?![\w/:])"
)
#: A command with the lines that a backslash continues.
_INSTALL = lazy_pattern(r"\b(?:pip3?|uv)[ \t](?:[^\n\\]|\\[\s\S]){0,2000}")
_RELEASE = lazy_pattern(r"v?(\d+\.\d+\.\d+(?:\.post\d+)?)")
#: What an image is for, behind its framework: `NAME-pytorch-gpu`.
_VARIANT = lazy_pattern(r"-pytorch(?:-[a-z]{1,20}){0,2}-gpu\Z")
#: An item of a tag: `NAME4.2.1`, `NAME-v3.9.3`.
_ITEM = lazy_pattern(r"(?<![a-z])([a-z][a-z-]{0,60}[a-z])-?v?(\d+\.\d+\.\d+(?:\.post\d+)?)")


@lru_cache(maxsize=1)
def _packages() -> dict[str, str]:
    """How a framework is called in images, without dashes -> its package."""
    found = {}
    for marks in all_marks():
        if marks.image_repository or not marks.repository:
            continue  # the tags of these are read by themselves
        for name in (marks.package, marks.repository, marks.framework):
            found[_plain(name)] = marks.package
    return found


def _plain(name: str) -> str:
    return re.sub(r"[-_.]", "", name).lower()


def read(path: str, text: str) -> list[Statement]:
    """What the tags of images state of frameworks. Lines that are comments do not count."""
    found = []
    for image in islice(_IMAGE.finditer(text), _MAX_FOUND):
        before = text[text.rfind("\n", 0, image.start()) + 1 : image.start()]
        if before.lstrip().startswith(("#", "//")) or " #" in before:
            continue
        place = place_at(path, text, image.start(1), image.end(1))
        for package, version in _stated(image[2], image[3]):
            is_known = version in releases_of(package).versions
            if is_known and not _is_installed_later(package, text, image.end()):
                found.append(Statement(package, place, version, written=image[1]))
    return found


def _is_installed_later(package: str, text: str, start: int) -> bool:
    """Whether a file installs a package, in whatever release, into an image that it begins with."""
    word = re.compile(rf"(?<![\w-]){re.escape(package)}(?![\w-])")
    return any(word.search(one[0]) for one in islice(_INSTALL.finditer(text, start), _MAX_FOUND))


def _stated(name: str, tag: str) -> Iterator[tuple[str, str]]:
    """(package, release) of what the name and the tag of an image say."""
    package, release = _packages().get(_plain(_VARIANT.sub("", name))), _RELEASE.fullmatch(tag)
    if release is not None:
        if package is not None:
            yield package, release[1]
        return
    for item in islice(_ITEM.finditer(tag), _MAX_FOUND):
        # `app-NAME0.6.1`: what the words before say is not known.
        package = _packages().get(_plain(item[1]))
        if package is not None:
            yield package, item[2]
