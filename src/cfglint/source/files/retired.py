"""Names that say that something is out of use, or of another project: `recipes_old/`, `train.orig.yml`, `third_party/`."""

from __future__ import annotations

from collections.abc import Container

from cfglint.base.lazy import lazy_pattern

_NAME = lazy_pattern(
    r"(?:.*[-_.])?(?:archive[ds]?|attic|backups?|bak|buried|deprecate[ds]?|graveyard|legacy|obsolete|olds?|retired|scratch|te?mp|trash|unused)[-_.\d]*"
    r"|logs?(?:[-_].*)?"
    r"|.*(?:作废|废弃|弃用).*"
)
#: Folders for the projects of others.
_OF_OTHERS = frozenset({"third_party", "third-party", "thirdparty", "3rdparty"})
#: Those in which such projects may be, or what is the project's own, and how names of two words for them begin and go on.
_FOR_OTHERS = frozenset(
    {"external", "externals", "vendor", "vendored", "vendors", "reference", "references"}
)
_FIRST = ("external-", "reference-", "vendor-")
_SECOND = ("code", "impl", "project", "repo")
#: What editors, merges and people write before the ending of a file that they keep.
_KEPT = lazy_pattern(r".+\.(?:orig|bak|backup|old)\.\w+")
#: The same before the ending, with less than a dot in front: `lora-old2.yml`. It is also how an age ends.
_SET_ASIDE = lazy_pattern(
    r".+(?<!year)(?<!years)[-_.](?:bak|backup|deprecated|obsolete|old|unused)[-_.]?\d{0,4}\.\w+"
)
#: How file managers, Jupyter, browsers and editors name the copy of a file.
_COPY = lazy_pattern(r"(.+?)(?:-copy\d+|(?: -)? copy(?: \(?\d{1,2}\)?)?| ?\(\d{1,2}\))(\.\w+)")
#: How Colab does, in English and in Chinese.
_COLAB_COPY = lazy_pattern(r"(?:copy of (.+?)|“(.+?)(?:[._](?:ipynb|py))?”的副本)(\.\w+)")


def is_copied(file: str, beside: Container[str]) -> bool:
    """Whether the name of a file says that it is a copy of another one in its folder.

    Args:
        beside: the names in the folder, in lower case.
    """
    name = file.lower()
    match = _COPY.fullmatch(name) or _COLAB_COPY.fullmatch(name)
    if match is None:
        return False
    *originals, ending = match.groups()
    return any(f"{one}{ending}" in beside for one in originals)


def is_kept_aside(file: str) -> bool:
    """Whether the name of a file says that another one took its place."""
    return _KEPT.fullmatch(file.lower()) is not None


def may_be_set_aside(file: str) -> bool:
    """Whether the name of a file says that it is out of use, unless something starts it after all."""
    return _SET_ASIDE.fullmatch(file.lower()) is not None


def is_retired(folder: str) -> bool:
    """Whether the name of a folder says that what is in it is out of use."""
    return _NAME.fullmatch(folder.lower()) is not None


def is_of_others(folder: str) -> bool:
    """Whether the name of a folder says that other projects are in it."""
    return folder.lower() in _OF_OTHERS


def holds_others(folder: str) -> bool:
    """Whether the name of a folder says that other projects may be in it, to be read or to be taken from."""
    name = folder.lower().replace("_", "-")
    _, _, second = name.partition("-")
    is_of_two = name.startswith(_FIRST) and second.startswith(_SECOND)
    return name in _FOR_OTHERS or is_of_two or is_of_others(folder)
