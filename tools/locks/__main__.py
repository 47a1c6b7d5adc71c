"""`python -m tools.locks FOLDER --bin FOLDER…`."""

from __future__ import annotations

import sys

from tools.locks.cli import main

if __name__ == "__main__":
    sys.exit(main())
