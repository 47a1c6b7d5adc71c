"""`python -m tools.bench [FILES]…`."""

from __future__ import annotations

import sys

from tools.bench.cli import main

if __name__ == "__main__":
    sys.exit(main())
