"""The table: package -> name -> its first release, the first without it, and who imports it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

#: Importing package, its entries, first and last release, and what else has to be installed.
Row = list[Any]


def history(having: Sequence[tuple[str, bool | None]]) -> tuple[str | None, str | None]:
    """(the first release with a name, the first one without it), None for an end that is open or not certain.

    Args:
        having: release -> whether it has the name, the oldest first.
    """
    sure = [number for number, (_, has) in enumerate(having) if has]
    if not sure:
        return None, None
    first, last = sure[0], sure[-1]
    before = [has for _, has in having[:first]]
    after = [has for _, has in having[last + 1 :]]
    # A name that came twice does not tell between when and when a release is.
    if any(has is False for _, has in having[first : last + 1]):
        return None, None
    came = having[first][0] if before and all(has is False for has in before) else None
    gone = having[last + 1][0] if after and all(has is False for has in after) else None
    return came, gone


def runs(versions: Sequence[str], importing: Iterable[str]) -> list[tuple[str, str]]:
    """Releases that import a name as (first, last) of those that follow each other."""
    wanted = set(importing)
    found: list[tuple[str, str]] = []
    before = None
    for version in versions:
        if version in wanted:
            if before is not None and found:
                found[-1] = (found[-1][0], version)
            else:
                found.append((version, version))
            before = version
        else:
            before = None
    return found


def dump(table: Mapping[str, Any]) -> str:
    """The table as JSON, a line per name."""
    parts = []
    for section, packages in table.items():
        inner = []
        for package, names in packages.items():
            if isinstance(names, Mapping):
                rows = ",\n".join(
                    f"   {json.dumps(name)}: {json.dumps(row)}" for name, row in names.items()
                )
                inner.append(f"  {json.dumps(package)}: {{\n{rows}\n  }}")
            else:
                inner.append(f"  {json.dumps(package)}: {json.dumps(names)}")
        parts.append(f" {json.dumps(section)}: {{\n" + ",\n".join(inner) + "\n }")
    return "{\n" + ",\n".join(parts) + "\n}\n"
