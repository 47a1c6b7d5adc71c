"""Read new releases of the known packages into the tables.

    python -m tools.upkeep                          what is new of every package, and of the names of some
    python -m tools.upkeep axolotl==0.21.0          this release

The tables below `--rules` are written. `--change` is the folder for the text of the change: `title`,
`body.md` (Markdown) and `releases`, a line for each that was read. They stay away when nothing is new.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from packaging.version import Version

from tools.upkeep.archives import Archives, NoSuchArchiveError
from tools.upkeep.change import Change, body, title
from tools.upkeep.names import new_names
from tools.upkeep.package import Package, ToolFailedError
from tools.upkeep.packages import packages

_RULES = Path(__file__).resolve().parents[2] / "rules"


def main(arguments: Sequence[str] | None = None) -> int:
    """Read what is new; 0 when all was read, 1 when something could not be, 2 for a wrong command."""
    options = _parser().parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="cfglint-upkeep-") as temporary:
        archives = Archives(options.archives or Path(temporary), offline=options.offline)
        changes = []
        for package, versions in _asked(options.package, archives, options.rules):
            for version in versions:
                changes.append(_absorbed(package, version, archives, options.rules))
                sys.stdout.write(f"{package.name} {version}: {changes[-1].problem or 'read'}\n")
        names = [] if options.package else new_names(archives, options.rules)
    for change in names:
        of_names = f"{change.package} {change.version}, its names"
        sys.stdout.write(f"{of_names}: {change.problem or 'read'}\n")
    if not (changes or names):
        sys.stdout.write("Nothing is new.\n")
        return 0
    if options.change is not None:
        options.change.mkdir(parents=True, exist_ok=True)
        read = [f"{one.package}=={one.version}\n" for one in changes if not one.problem]
        for name, text in (
            ("title", title([*changes, *names]) + "\n"),
            ("body.md", body([*changes, *names])),
            ("releases", "".join(read)),
        ):
            (options.change / name).write_text(text, encoding="utf-8")
    return int(any(change.problem for change in (*changes, *names)))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tools.upkeep",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("package", nargs="*", metavar="PACKAGE[==VERSION]", type=_wanted)
    parser.add_argument("--rules", type=Path, default=_RULES, help="the folder of the tables")
    parser.add_argument(
        "--archives", type=Path, help="a folder to keep archives in, and to find them"
    )
    parser.add_argument(
        "--offline", action="store_true", help="the releases are those in the folder of archives"
    )
    parser.add_argument("--change", type=Path, help="the folder for the text of the change")
    return parser


def _wanted(text: str) -> tuple[Package, str | None]:
    name, _, version = text.partition("==")
    for package in packages():
        if package.name == name:
            return package, version or None
    known = ", ".join(package.name for package in packages())
    raise argparse.ArgumentTypeError(f"{name!r} is none of the known packages: {known}")


def _asked(
    wanted: list[tuple[Package, str | None]], archives: Archives, rules: Path
) -> list[tuple[Package, list[str]]]:
    """Which releases to read, the oldest of a package first."""
    found = []
    for package, version in wanted or [(package, None) for package in packages()]:
        if version is not None:
            found.append((package, [version]))
            continue
        newest = Version(package.known(rules)[-1])
        new = [one for one in archives.versions(package.name) if Version(one) > newest]
        found.append((package, new))
    return found


def _absorbed(package: Package, version: str, archives: Archives, rules: Path) -> Change:
    """What a release changes, whose tables are written."""
    before = package.known(rules)[-1]
    change = Change(package.name, version, before)
    tables = package.tables(rules)
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            package.absorb(package, version, archives, rules)
        change.validators = _validators(package, before, version, archives)
    except NoSuchArchiveError as error:
        change.problem = str(error)
    except ToolFailedError:
        change.problem = said.getvalue().strip().splitlines()[-1]
    change.tables = tables, package.tables(rules)
    old, new = package.row(rules, before), package.row(rules, version)
    change.pins = old.get("pins", {}), new.get("pins", {})
    change.questions = [
        line.strip() for line in said.getvalue().splitlines() if "no entry in" in line
    ]
    if change.problem:
        return change
    if "date" not in new:
        change.questions.append(
            "the day on which it came out (releases.json), which its archive hides"
        )
    try:
        change.history = package.read_history(archives, rules)
    except (NoSuchArchiveError, ToolFailedError) as error:
        reason = str(error) or "its repository is not as before"
        change.questions.append(f"its commits and images (history.json): {reason}")
    return change


def _validators(package: Package, before: str, version: str, archives: Archives) -> list[str]:
    """The validators that differ between two releases, where a tool tells them."""
    if package.validators is None:
        return []
    old, new = (f"{one}={archives.fetch(package.name, one)}" for one in (before, version))
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        if package.validators(["validators", "--old", old, "--new", new]):
            raise ToolFailedError
    return said.getvalue().splitlines()
