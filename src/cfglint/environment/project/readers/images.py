"""Container images of a framework, wherever a file names one: their tags state versions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from cfglint.base.lazy import lazy_pattern
from cfglint.environment.project import tagged_images
from cfglint.environment.project.stated_versions import Statement, place_at
from cfglint.environment.project.variables import Variables
from cfglint.knowledge.marks import all_marks, image_pattern
from cfglint.knowledge.releases.commits import last_built, latest_image

_MAX_FOUND = 200
_TAG = lazy_pattern(
    r"(?:v?(?P<release>\d+\.\d+\.\d+(?:\.post\d+)?)|main(?:-(?P<day>20\d{6}))?|(?:latest|[A-Za-z][\w.-]*?))"
    r"(?P<base>-base)?"
    r"(?:-py(?P<python>3\.\d+)-cu(?P<cuda>\d{3})-(?:(?P<torch>\d+\.\d+\.\d+)|nightly|next))?"
    r"(?:(?!.*-py3\.)-(?P<rest>[a-z0-9.-]+))?"
)
#: `Estimator(entry_point="train.py", NAME_version="4.36.0", …)`
_ESTIMATOR = lazy_pattern(
    r"\b([a-z]{3,40})_version\\?[\"']?[ \t]*[=:][ \t]*\\?[\"'](\d+\.\d+(?:\.\d+)?)\\?[\"']"
)
#: An image that an estimator is given, and how far from the version in its call.
_IMAGE_OF_ITS_OWN = lazy_pattern(r"(?m)^[^#\n]{0,200}?\bimage_uri\\?[\"']?[ \t]*[=:](?![ \t]*None)")
_CALL = 600


class ImageTag:
    """One image, its tag split into parts."""

    def __init__(self, account: str, repository: str, tag: str) -> None:
        self.marks = next(
            marks
            for marks in all_marks()
            if account in marks.image_accounts and repository.startswith(marks.image_repository)
        )
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
    def ended(self) -> str | None:
        """The day (YYYYMMDD) of the last build under a moving tag; None while it moves, or never did."""
        if self.day is not None or not f"{self.tag}-".startswith("main-"):
            return None
        days = [self.marks.images_until.get(self.account)]
        if self.torch is not None:
            build = f"py{self.python}-cu{self.cuda}-{self.torch}"
            days.append(last_built(self.marks.package, build))
        return min(filter(None, days), default=None)

    @property
    def has_framework(self) -> bool:
        """Base images have what the framework needs, but not the framework itself."""
        return not (self.base or self.repository.startswith(self.marks.image_base))


def split_image(text: str) -> ImageTag | None:
    """The parts of `account/framework:0.9.2`; None for any other image."""
    pattern = image_pattern()
    match = pattern.search(text) if pattern is not None else None
    return ImageTag(match.group(2), match.group(3), match.group(4)) if match else None


def read(path: str, text: str) -> list[Statement]:
    """The contents of the images of frameworks in a file. Lines that are comments do not count."""
    found = [*tagged_images.read(path, text), *_of_estimators(path, text)]
    pattern = image_pattern()
    if pattern is None:
        return found
    variables = Variables(text)
    for match in islice(pattern.finditer(text), _MAX_FOUND):
        line_start = text.rfind("\n", 0, match.start()) + 1
        before = text[line_start : match.start()]
        if before.lstrip().startswith(("#", "//")) or " #" in before:
            continue
        written = variables.expanded(match.group(4))
        tag = ImageTag(match.group(2), match.group(3), written or match.group(4))
        if written is not None:
            found += _statements(tag, path, text, match)
        elif tag.has_framework and "base" not in tag.tag:
            # Which build is in the image is unknown.
            found.append(
                Statement(tag.marks.package, place_at(path, text, match.start(1), match.end()))
            )
    return found


def _of_estimators(path: str, text: str) -> Iterator[Statement]:
    """The releases in the image that SageMaker's estimator of a program takes."""
    if "sagemaker" not in text or not path.endswith((".py", ".ipynb")):
        return
    for given in islice(_ESTIMATOR.finditer(text), _MAX_FOUND):
        package, version = given[1], given[2]
        if package not in {marks.package for marks in all_marks()}:
            continue
        if "#" in text[text.rfind("\n", 0, given.start()) + 1 : given.start()]:
            continue
        if _IMAGE_OF_ITS_OWN.search(text, max(0, given.start() - _CALL), given.end() + _CALL):
            continue  # the estimator takes that one, and reads no version
        place = place_at(path, text, *given.span(2))
        is_whole = version.count(".") == 2
        spec = None if is_whole else f"=={version}.*"
        yield Statement(package, place, version if is_whole else None, spec=spec)


def _statements(tag: ImageTag, path: str, text: str, match: re.Match[str]) -> Iterator[Statement]:
    place = place_at(path, text, match.start(1), match.end())
    written = f"{match.group(1)}:{tag.tag}"
    if tag.has_framework:
        ended = tag.ended
        yield Statement(
            tag.marks.package,
            place,
            tag.release,
            day=tag.day or ended,
            written=written,
            frozen=ended is not None,
        )
    torch, python = tag.torch, tag.python
    if torch is None and tag.release is not None and tag.has_framework:
        known = _latest(tag)
        if known is not None:
            python, _, torch = known
    if torch is not None:
        yield Statement("torch", place, torch, written=written, implied=True)
    if python is not None:
        yield Statement("python", place, python, written=written, implied=True)


def _latest(tag: ImageTag) -> tuple[str, str, str] | None:
    """(python, cuda, torch) of an image whose tag states only the release."""
    assert tag.release is not None
    return latest_image(tag.marks.package, tag.release, tag.repository, bare=tag.rest != "latest")
