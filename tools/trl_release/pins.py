"""When a release came out, what it requires, and which transformers were the newest by then."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from tools.python_sources.sources import Release, metadata_values
from tools.python_sources.versions import in_order

if TYPE_CHECKING:
    from collections.abc import Mapping

#: The packages whose versions decide what a file may say.
PACKAGES = ("transformers", "accelerate", "datasets", "peft")
#: The same for transformers itself: what decides whether a release of it can be installed beside them.
BELOW = ("huggingface-hub", "tokenizers")


def entry(
    release: Release, date: str | None, packages: tuple[str, ...] = PACKAGES
) -> dict[str, Any]:
    """What the table says about a release; requirements without a version are left out.

    Several requirements of one package hold together.

    Args:
        packages: those whose requirements are read.
    """
    found: dict[str, list[str]] = {}
    for line in metadata_values(release.packaging, "Requires-Dist"):
        one = Requirement(line)
        if one.name in packages and str(one.specifier) and one.marker is None:
            found.setdefault(one.name, []).append(str(one.specifier))
    row: dict[str, Any] = {"date": date} if date else {}
    pins = {name: ",".join(found[name]) for name in packages if name in found}
    return {**row, "pins": pins}


def newest_by(row: Mapping[str, Any], dates: Mapping[str, str], last: bool) -> str:
    """The newest transformers that a release of TRL met when it came out.

    Args:
        row: the entry of the release of TRL.
        dates: release of transformers -> the day on which it came out.
        last: TRL's newest release; it meets whatever is out by now.
    """
    spec = SpecifierSet(row["pins"].get("transformers", ""))
    admitted = [version for version in in_order(dates) if version in spec]
    known = [version for version in admitted if last or dates[version] <= row["date"]]
    # What it asks for may be a patch that is not among them.
    return (known[-1:] or admitted or in_order(dates))[0]
