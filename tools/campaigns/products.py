"""Tries all of what the tests draw from: every hostile text in every format, every example of a property.

    python -m tools.campaigns.products [ARGUMENT...]

The tests with the mark `product`, and those of properties, with all of their cases; further arguments are
pytest's, such as a folder or `-n auto`. The exit code is pytest's.
"""

from __future__ import annotations

import os
import subprocess
import sys

#: pytest's own plugin marks the tests of properties.
DRAWING = "(product or hypothesis) and not doors"


def command(arguments: list[str]) -> list[str]:
    """The command line that runs the tests that draw."""
    return [sys.executable, "-m", "pytest", "-m", DRAWING, *arguments]


def main(arguments: list[str]) -> int:
    """Run the campaign; what it returns is the exit code."""
    environment = {**os.environ, "CFGLINT_TESTS": "whole"}
    return subprocess.run(command(arguments), env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
