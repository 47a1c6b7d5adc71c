"""Builds the playground: `python -m tools.playground --out FOLDER`."""

from __future__ import annotations

import argparse
from pathlib import Path

from tools.playground.building import build


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.playground", description=__doc__)
    parser.add_argument(
        "--out",
        type=Path,
        required=True,
        help="the folder to write: a new one, or an earlier playground",
    )
    parser.add_argument(
        "--documentation",
        metavar="ADDRESS",
        help="where the documentation site is, relative to the playground, such as `..`: it is linked",
    )
    options = parser.parse_args()
    build(options.out.resolve(), options.documentation)


if __name__ == "__main__":
    main()
