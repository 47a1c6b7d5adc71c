"""``python -m tools.upkeep``."""

import sys

from tools.upkeep.cli import main

if __name__ == "__main__":
    sys.exit(main())
