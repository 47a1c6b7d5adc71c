"""`python -m tools.site --out FOLDER`: builds the documentation site and checks its links."""

from __future__ import annotations

import argparse
import importlib.util
import sys
import time
from pathlib import Path

#: What the extra `docs` installs.
_NEEDED = ("markdown_it", "mdit_py_plugins", "pygments", "a11y_pygments")


#: Seconds between lines of progress in a log.
_EVERY = 5


def main(arguments: list[str]) -> int:
    """Run the command; 2 when the site could not be built."""
    parser = argparse.ArgumentParser(prog="python -m tools.site", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="the folder of the site")
    parser.add_argument(
        "--repository",
        default="",
        metavar="URL",
        help="where files of the repository are read, such as https://github.com/OWNER/cfglint/blob/main;"
        " without it the pages have no such links",
    )
    parser.add_argument("--address", default="", metavar="URL", help="where the site will be")
    parser.add_argument(
        "--playground", type=Path, metavar="FOLDER", help="a built playground to include"
    )
    parser.add_argument(
        "--sample",
        action="store_true",
        help="write only every fiftieth rule and key, for a quick look",
    )
    given = parser.parse_args(arguments)
    missing = [name for name in _NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        print(f"{', '.join(missing)} missing: pip install -e '.[docs]'", file=sys.stderr)
        return 2
    from tools.site.building import Plan, SiteError, build

    plan = Plan(
        out=given.out,
        repository=given.repository.rstrip("/"),
        address=f"{given.address.rstrip('/')}/" if given.address else "",
        playground=given.playground,
        sample=given.sample,
    )
    start = time.monotonic()
    try:
        checked = build(plan, _Progress(start))
    except SiteError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    megabytes = sum(path.stat().st_size for path in given.out.rglob("*")) / 1e6
    print(
        f"{given.out}: {checked.pages} pages, {megabytes:.0f} MB, {checked.links} links,"
        f" {len(checked.problems)} of them dead, {time.monotonic() - start:.0f} s"
    )
    return 0


class _Progress:
    """Says on standard error what is being done: a terminal has it on one line."""

    def __init__(self, start: float) -> None:
        self._start = start
        self._said = start

    def __call__(self, what: str) -> None:
        now = time.monotonic()
        text = f"{now - self._start:4.0f} s  {what}"
        if sys.stderr.isatty():
            print(f"\r{text:<40}", end="", file=sys.stderr, flush=True)
        elif now - self._said >= _EVERY or "pages" not in what:
            self._said = now
            print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
