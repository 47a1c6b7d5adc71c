"""Keys that no release has, in so many files that a build of the authors' own may read them."""

from __future__ import annotations

from cfglint.diagnostic import Diagnostic, one_lowered
from cfglint.engine.file_report import FileReport

#: The check of keys that no release has.
UNKNOWN = "unknown-key"
#: In so many files a key is no slip.
_MANY = 5


def doubted(files: list[FileReport]) -> list[FileReport]:
    """The reports, with a warning for an unknown key of many files where no release is stated."""
    counts: dict[tuple[str, str], int] = {}
    for report in files:
        for key in {_key(found, report) for found in report.diagnostics}:
            counts[key] = counts.get(key, 0) + 1

    def doubtful(found: Diagnostic, report: FileReport) -> bool:
        key = _key(found, report)
        return bool(key[1]) and counts[key] >= _MANY

    return [
        report.replaced(
            diagnostics=tuple(
                one_lowered(found) if doubtful(found, report) else found
                for found in report.diagnostics
            )
        )
        for report in files
    ]


def _key(found: Diagnostic, report: FileReport) -> tuple[str, str]:
    """The framework and the key that an error is about; without a key if it is of another kind, or a slip."""
    is_one = found.name == UNKNOWN and found.severity == "error" and found.path
    if not is_one or found.meant or not report.target.assumed:
        return "", ""
    return report.framework or "", str(found.path[-1])
